/// `zoo`: lists the rules, prints one's text, or makes the table.
///
/// The texts are files beside the instances, so that every command takes them, and are found where those are. The table
/// has letters alone; what each rests on is in JSON, and in the text of the rules that were asked for.
#include "experiments/command/zoo/zoo.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include "experiments/command/core/options.hpp"
#include "experiments/command/core/output.hpp"
#include "experiments/command/core/policy_file.hpp"
#include "experiments/command/core/table.hpp"
#include "experiments/command/zoo/guard.hpp"
#include "model/base/nearest.hpp"
#include "model/base/parallel.hpp"
#include "model/base/split.hpp"
#include "model/base/text.hpp"
#include "model/core/errors.hpp"

namespace schedproof::cli {

namespace {

constexpr const char* folder = "experiments/zoo";

ZooRule read_rule(const std::string& path) {
    const queueing::codec::PolicyText policy = read_policy_file(path);
    const bool own = !path.starts_with(folder);
    ZooRule rule{policy.id, path, policy.source, policy.summary, own ? path : policy.id, "", base::read_file(path)};
    for (const std::string_view line : base::split(rule.text, '\n'))
        if (line.starts_with("# ")) rule.comment += std::string(line.substr(2)) + "\n";
    return rule;
}

/// The texts of the zoo, by name.
std::vector<std::string> zoo_files() {
    std::error_code error;
    std::vector<std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator(base::shipped(folder), error))
        if (entry.path().extension() == ".policy")
            files.push_back((std::filesystem::path(folder) / entry.path().filename()).string());
    if (files.empty())
        throw InputError::in_file(folder, "expected the texts of the zoo, which the sources and an installation have");
    std::sort(files.begin(), files.end());
    return files;
}

}  // namespace

const std::vector<std::string>& zoo_instances() {
    static const std::vector<std::string> files = [] {
        std::vector<std::string> list;
        for (const char* name : {"router-h3", "router-k4", "router-k6", "router-t2", "router-v4", "router-w12",
                                 "n2-pandas", "unlike", "three-alike"})
            list.push_back(fmt::format("experiments/instances/{}.toml", name));
        return list;
    }();
    return files;
}

std::vector<ZooRule> zoo_rules(const std::vector<std::string>& named) {
    const std::vector<std::string> files = zoo_files();
    std::vector<ZooRule> rules;
    if (named.empty())
        for (const std::string& file : files) rules.push_back(read_rule(file));
    std::vector<std::string> names;
    for (const std::string& file : files) names.push_back(std::filesystem::path(file).stem().string());
    for (const std::string& name : named) {
        if (is_policy_file_name(name)) {
            rules.push_back(read_rule(name));
            continue;
        }
        const auto known = std::find(names.begin(), names.end(), name);
        if (known == names.end()) {
            const std::vector<std::string_view> words(names.begin(), names.end());
            throw InputError::at_key("RULE",
                                     fmt::format("expected a rule of the zoo or a file that ends in .policy, not "
                                                 "{}{}",
                                                 base::shown(name), base::did_you_mean(name, words)));
        }
        rules.push_back(read_rule(files[static_cast<std::size_t>(known - names.begin())]));
    }
    return rules;
}

char letter_of(ZooLetter letter) {
    constexpr std::string_view letters = "EPTsgd?-";
    return letters[static_cast<std::size_t>(letter)];
}

namespace {

struct ZooAnswer {
    const ZooRequest& request;
    std::vector<ZooRow> rows;
};

/// A cell as the table shows it. In Markdown it leads to its certificate, where one was written.
std::string shown(const ZooCell& cell, bool links) {
    std::string text(1, letter_of(cell.letter));
    if (links && !cell.evidence.empty())
        text = fmt::format("[{}]({})", text, std::filesystem::path(cell.evidence).filename().string());
    return text;
}

Table verdicts(const ZooAnswer& of, bool links) {
    Table table{
        "E: proved stable on every cluster, P: proved stable, T: proved transient; s: seen stable from the empty "
        "state and from a large one, g: seen to grow, d: seen stable from the empty state and to grow from a "
        "large one; ?: open, -: does not run there",
        {{"rule"}},
        {}};
    if (of.rows.empty()) return table;
    for (const ZooCell& cell : of.rows.front().cells) table.columns.push_back({cell.instance});
    for (const ZooRow& row : of.rows) {
        std::vector<std::string> cells{links ? fmt::format("[{}](../{})", row.rule.name, row.rule.path)
                                             : row.rule.name};
        for (const ZooCell& cell : row.cells) cells.push_back(shown(cell, links));
        table.rows.push_back(std::move(cells));
    }
    return table;
}

Table means(const ZooAnswer& of) {
    Table table{"Certified mean numbers of tasks", {{"rule"}, {"instance"}, {"mean"}}, {}};
    for (const ZooRow& row : of.rows)
        for (const ZooCell& cell : row.cells)
            if (!cell.mean.empty()) table.rows.push_back({row.rule.name, cell.instance, cell.mean});
    return table;
}

std::string in_text(const ZooAnswer& of) {
    std::string text;
    if (!of.request.table) {
        if (!of.request.rules.empty()) {
            for (const ZooRow& row : of.rows) text += row.rule.text;
            return text;
        }
        std::size_t width = 0;
        for (const ZooRow& row : of.rows) width = std::max(width, row.rule.name.size());
        for (const ZooRow& row : of.rows)
            text += fmt::format("{:<{}}  {}\n{:<{}}  [{}]\n", row.rule.name, width, row.rule.summary, "", width,
                                row.rule.source);
        return text;
    }
    const Table table = verdicts(of, false), intervals = means(of);
    text += as_text(table) + "\n" + table.caption + "\n";
    if (!intervals.rows.empty()) text += "\n" + as_text(intervals);
    if (!of.request.rules.empty())
        for (const ZooRow& row : of.rows)
            for (const ZooCell& cell : row.cells)
                text += fmt::format("\n{} on {}: {}\n  {}\n", row.rule.name, cell.instance, cell.says, cell.again);
    return text;
}

const Answer<ZooAnswer>& zoo_answer() {
    static const Record<ZooCell> cell{
        field("instance", &ZooCell::instance, "Name of the cluster."),
        field(
            "letter", [](const ZooCell& c) { return std::string(1, letter_of(c.letter)); },
            "E: proved stable on every cluster with so many levels and a load below 1; P: proved stable; T: proved "
            "transient; s: seen stable from the empty state and from a large one; g: seen to grow; d: seen stable from "
            "the empty state and to grow from a large one; ?: open; -: the rule does not run there.")
            .words({"E", "P", "T", "s", "g", "d", "?", "-"}),
        field("says", &ZooCell::says, "By which argument, what was seen, or why it does not run.").or_empty(),
        field(
            "mean", [](const ZooCell& c) { return if_any(c.mean); },
            "Certified interval of the mean number of tasks; null where none was asked for or found."),
        field(
            "evidence", [](const ZooCell& c) { return if_any(c.evidence); },
            "Certificate; null where none was written."),
        field("again", &ZooCell::again, "The command that repeats it.").or_empty(),
        field("seconds", &ZooCell::seconds, "Time taken. Unit: seconds.").least(0)};
    static const Record<ZooRow> row{
        field(
            "rule", [](const ZooRow& r) { return r.rule.name; }, "Name of its text."),
        field(
            "source", [](const ZooRow& r) { return r.rule.source; }, "Where it was read."),
        field(
            "summary", [](const ZooRow& r) { return r.rule.summary; }, "What it does."),
        field(
            "notes", [](const ZooRow& r) { return r.rule.comment; },
            "Version, defaults, what counts as load, how ties are broken, and what the text leaves out."),
        field(
            "text", [](const ZooRow& r) { return r.rule.text; }, "The policy's file."),
        field("cells", &ZooRow::cells, "A cell for each cluster; empty without --table.", cell)};
    static const Answer<ZooAnswer> answer{
        "zoo", "Rules that production runs, with what is known of them. Answer of `schedproof zoo --format json`.",
        Record<ZooAnswer>{field("rules", &ZooAnswer::rows, "By name, or as they were asked for.", row).hidden(),
                          lines("text", in_text)}};
    return answer;
}

}  // namespace

int run(const ZooRequest& request) {
    ZooAnswer answer{request, {}};
    std::vector<ZooRule> rules = zoo_rules(request.rules);
    if (request.guard)
        for (ZooRule& rule : rules) rule.text = guarded(rule, *request.guard);
    if (request.table) {
        answer.rows = zoo_table(request, rules);
    } else {
        for (const ZooRule& rule : rules) answer.rows.push_back({rule, {}});
    }
    if (!is_table_format(request.to.format)) return write_answer(request.to, zoo_answer(), answer);
    std::vector<Table> tables{verdicts(answer, request.to.format == "markdown")};
    if (request.means) tables.push_back(means(answer));
    write_text(request.to.path, as_tables(request.to.format, request.to.command, tables));
    return 0;
}

namespace {

OptionTable options(ZooRequest& r) {
    return joined(
        {{{.names = "RULE",
           .target = &r.rules,
           .meaning = "rules to show, by name, or files that end in .policy; without one, all"},
          {.names = "--table", .target = &r.table, .meaning = "what is known of each rule on each cluster"},
          {.names = "--guard",
           .value = "N",
           .target = &r.guard,
           .meaning = "print the rules with a guard, with which they are proved throughput optimal on every cluster: a "
                      "worker whose work exceeds the least by more than N requests is not joined",
           .range = Interval{0, 1'000'000},
           .needs = {"RULE"},
           .excludes = {"--table"}},
          {.names = "--instance",
           .value = "FILE",
           .target = &r.instances,
           .meaning = "cluster of the table, in place of its own; may be repeated",
           .repeated = true,
           .needs = {"--table"}},
          {.names = "--means",
           .target = &r.means,
           .meaning = "certified mean numbers of tasks too, on clusters of at most three servers",
           .needs = {"--table"}},
          {.names = "--evidence",
           .value = "DIR",
           .target = &r.evidence,
           .meaning = "directory for certificates; without it none are written",
           .needs = {"--table"}},
          {.names = "--slots",
           .target = &r.slots,
           .meaning = "slots of each of ten simulated runs from each start, where nothing is proved; 0 for none",
           .show_default = true,
           .range = Interval{0, 1'000'000'000}},
          {.names = "--seed", .value = "N", .target = &r.seed, .meaning = "seed of simulations", .show_default = true},
          {.names = "--threads",
           .value = "N",
           .target = &r.threads,
           .meaning = "cells at a time (default: as many as the machine runs)",
           .range = Interval{1, 1024}}},
         table_destination_options(r.to)});
}

}  // namespace

Subcommand zoo() {
    Subcommand command = make_subcommand<ZooRequest>("zoo", "rules that production runs, and what is known of them",
                                                     "schedproof zoo gate --table", options, forms(zoo_answer));
    return command;
}

}  // namespace schedproof::cli
