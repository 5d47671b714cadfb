#include "experiments/cli/simulate_study.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <set>

#include "checks/graph/output_file.hpp"
#include "experiments/cli/output.hpp"
#include "experiments/cli/simulation_answer.hpp"
#include "experiments/cli/simulation_picture.hpp"
#include "experiments/input/real_text.hpp"
#include "experiments/input/sha256.hpp"
#include "experiments/runs/parallel.hpp"
#include "model/core/errors.hpp"

namespace schedproof::cli {

namespace {

/// Options that a single run does not depend on: which runs there are, and how they are judged.
constexpr std::array<std::string_view, 7> judgement{"policy",     "replications", "first", "precision",
                                                    "confidence", "warm-up",      "most"};

double number_of(const std::string& text, const char* option, double from, double below, const std::string& expected) {
    const auto value = input::real_number(text);
    if (!value || !(*value >= from) || !(*value < below))
        throw InputError({"", 0, option}, fmt::format("expected {}, not '{}'", expected, text));
    return *value;
}

double precision_of(const std::string& text) {
    const bool percent = text.ends_with('%');
    const auto value = input::real_number(percent ? text.substr(0, text.size() - 1) : text);
    const double relative = value ? *value / (percent ? 100 : 1) : 0;
    if (!(relative > 0 && relative < 1))
        throw InputError({"", 0, "--precision"}, fmt::format("expected a precision above 0 and below 1, such as 1%, "
                                                             "not '{}'",
                                                             text));
    return relative;
}

void add_words(std::vector<std::string>& command, const std::string& name, const std::vector<std::string>& values) {
    if (name.empty()) {
        command.insert(command.end(), values.begin(), values.end());
        return;
    }
    if (values.empty()) command.push_back("--" + name);
    for (const std::string& value : values) {
        command.push_back("--" + name);
        command.push_back(value);
    }
}

std::vector<std::string> policy_command(const SimulateRequest& request, const SimulationSetting& setting,
                                        const SimulatedPolicy& policy) {
    std::vector<std::string> command{"simulate"};
    for (const auto& [name, values] : request.given) {
        const bool varied =
            std::find(setting.varied.begin(), setting.varied.end(), "--" + name) != setting.varied.end();
        if (!varied && std::find(judgement.begin(), judgement.end(), name) == judgement.end())
            add_words(command, name, values);
    }
    command.insert(command.end(), policy.words.begin(), policy.words.end());
    return command;
}

void read_replications(const SimulateRequest& request, runs::StudyPoint& point) {
    point.seed = request.seed;
    point.first = request.first;
    point.replications = request.replications.value_or(10);
    if (point.replications < 1 || point.replications > 1'000'000)
        throw InputError({"", 0, "--replications"}, "expected at least 1 and at most 1000000");
    if (request.precision.empty()) return;
    point.precision = runs::Precision{precision_of(request.precision), point.replications, request.most};
    if (point.replications < 2) throw InputError({"", 0, "--replications"}, "expected at least 2 with --precision");
    if (point.replications > request.most)
        throw InputError({"", 0, "--most"}, fmt::format("expected at least the {} of --replications, not {}",
                                                        point.replications, request.most));
}

runs::PointRun point_run(const runs::Study& study, std::size_t point, const SimulationSetting& setting,
                         std::uint64_t threads, Progress& progress) {
    runs::PointRun run{&study, point, {}, threads == 0 ? runs::default_threads() : static_cast<unsigned>(threads)};
    for (const SimulatedPolicy& policy : setting.policies) run.experiments.push_back(policy.experiment.get());
    run.progress = [&progress](double done, double all) { progress.report("runs", done, all); };
    run.discarded = [](const std::string& file, const std::string& why) {
        fmt::print(stderr, "schedproof: note: {} is made again: {}\n", file, why);
    };
    return run;
}

std::string progress_name(const runs::Study& study, std::size_t point) {
    return study.points.size() == 1 ? "simulate" : fmt::format("point {} of {}", point + 1, study.points.size());
}

[[noreturn]] void refuse_incomplete(const std::string& where, const runs::Faults& all) {
    constexpr std::size_t shown = 10;
    std::string text =
        fmt::format("expected a complete study: {} missing, {} damaged", all.missing.size(), all.damaged.size());
    for (const auto* list : {&all.missing, &all.damaged})
        for (std::size_t i = 0; i < std::min(shown, list->size()); ++i)
            text += fmt::format("\nschedproof: {} {}", list == &all.missing ? "missing" : "damaged", (*list)[i]);
    if (all.missing.size() > shown || all.damaged.size() > shown) text += "\nschedproof: and more";
    throw InputError({where, 0, ""}, text);
}

}  // namespace

runs::StudyPoint study_point(const SimulateRequest& request, const SimulationSetting& setting) {
    runs::StudyPoint point;
    read_replications(request, point);
    point.options.confidence = number_of(request.confidence, "--confidence", 1e-9, 1, "a number above 0 and below 1");
    point.options.terminating = setting.terminating;
    if (request.warm_up != "auto")
        point.options.warm_up = number_of(request.warm_up, "--warm-up", 0, 1e300, "auto, or a time of at least 0");
    point.lines = setting.lines;
    point.warnings = setting.warnings;
    for (const std::string& path : setting.inputs) point.inputs.push_back({path, input::sha256_of_file(path)});
    std::set<std::string> labels;
    for (const SimulatedPolicy& policy : setting.policies) {
        if (!labels.insert(policy.label).second)
            throw InputError({"", 0, "--policy"},
                             fmt::format("expected each policy once, but {} stands twice", policy.label));
        point.policies.push_back({policy.label, policy_command(request, setting, policy), policy.parameter});
    }
    return point;
}

std::vector<std::string> request_command(const SimulateRequest& request) {
    std::vector<std::string> command{"simulate"};
    for (const auto& [name, values] : request.given) add_words(command, name, values);
    return command;
}

void claim_folder(const runs::Folder& folder, const runs::Study& study) {
    const std::string text = runs::to_text(study);
    const auto there = folder.read(runs::study_file);
    if (!there) {
        folder.write(runs::study_file, text);
        return;
    }
    if (*there == text) return;
    const std::string file = folder.path(runs::study_file);
    const runs::Study other = runs::parse_study(*there, file);
    if (other.version != study.version)
        throw InputError({file, 0, ""},
                         fmt::format("expected results of version {}, not {}", study.version, other.version));
    if (other.command != study.command)
        throw InputError({file, 0, ""}, fmt::format("expected a directory of this study, not of `schedproof {}`",
                                                    runs::command_line(other.command)));
    throw InputError({file, 0, ""}, "expected the inputs of the results that are there, but a file has changed since");
}

std::vector<runs::PolicyResults> run_in_memory(const runs::Study& study, std::size_t point,
                                               const SimulationSetting& setting, std::uint64_t threads) {
    Progress progress(progress_name(study, point));
    return runs::run_point(point_run(study, point, setting, threads, progress));
}

void run_into(const runs::Folder& folder, const runs::Study& study, std::size_t point, const SimulationSetting& setting,
              std::uint64_t threads, const runs::Shard& shard) {
    Progress progress(progress_name(study, point));
    runs::run_point(point_run(study, point, setting, threads, progress), folder, shard, units_before(study, point));
}

std::vector<runs::PointReport> read_reports(const runs::Study& study, const std::vector<runs::Folder>& folders) {
    std::vector<runs::PointReport> reports;
    runs::Faults all;
    for (std::size_t p = 0; p < study.points.size(); ++p) {
        std::vector<runs::PolicyResults> results;
        runs::Faults faults = runs::read_point(study, p, folders, results);
        if (faults.none() && all.none()) reports.push_back(runs::report(study.points[p], results));
        std::move(faults.missing.begin(), faults.missing.end(), std::back_inserter(all.missing));
        std::move(faults.damaged.begin(), faults.damaged.end(), std::back_inserter(all.damaged));
    }
    if (!all.none()) refuse_incomplete(folders.front().path(""), all);
    return reports;
}

std::size_t units_before(const runs::Study& study, std::size_t point) {
    std::size_t units = 0;
    for (std::size_t p = 0; p < point; ++p)
        units += study.points[p].policies.size() * static_cast<std::size_t>(study.points[p].most());
    return units;
}

void write_answers(const FigureRequest& figure, const std::string& series, const Destination& to,
                   const runs::Study& study, const std::vector<runs::PointReport>& reports) {
    if (!series.empty() && !series.ends_with(".csv"))
        throw InputError({series, 0, "--series"}, "expected a name that ends in .csv");
    if (!figure.path.empty()) graph::write_file(figure.path, draw_simulation(figure, study, reports));
    if (!series.empty()) graph::write_file(series, series_csv(study, reports));
    write_simulation(to, study, reports);
    if (!std::all_of(reports.begin(), reports.end(), [](const auto& report) { return report.precise; }))
        fmt::print(stderr,
                   "schedproof: note: the precision was not reached within the replications allowed by --most\n");
}

void expect_full_disks() { std::signal(SIGXFSZ, SIG_IGN); }

void print_warnings(const std::vector<runs::PointReport>& reports) {
    std::set<std::string> said;
    for (const runs::PointReport& report : reports)
        for (const std::string& warning : report.point.warnings)
            if (said.insert(warning).second) fmt::print(stderr, "schedproof: warning: {}\n", warning);
}

}  // namespace schedproof::cli
