/// The text of a guarded rule, made of the lines of the rule's.
///
/// What was the routing rule becomes a name, and the serving rule stays where it makes servers start their own tasks;
/// otherwise it gives way to the usual one.
#include "experiments/command/zoo/guard.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "model/base/split.hpp"
#include "model/base/text.hpp"
#include "model/core/errors.hpp"
#include "model/queueing/codec/policy_text.hpp"
#include "proofs/queueing/theorems/bounded_regret.hpp"

namespace schedproof::cli {

namespace {

/// The lines of a text by key; comments are left out.
struct TextLines {
    std::string name, source, lets, route, serve;
};

/// A line that begins with a blank goes on with the one before.
TextLines lines_of(const ZooRule& rule) {
    TextLines lines;
    std::string ignored;
    std::string* current = &ignored;
    for (const std::string_view line : base::split(rule.text, '\n')) {
        const auto begins = [&](std::string_view key) { return line.starts_with(key); };
        if (line.empty() || begins("#")) continue;
        if (!begins(" "))
            current = begins("let:")     ? &lines.lets
                      : begins("route:") ? &lines.route
                      : begins("serve:") ? &lines.serve
                                         : &ignored;
        *current += std::string(line) + "\n";
    }
    return lines;
}

std::string with_serve(const TextLines& lines, const ZooRule& rule, std::uint64_t requests, const std::string& serve) {
    return fmt::format(
        "policy: {}-guarded\n"
        "source: \"{}, guarded\"\n"
        "summary: \"as {}, unless that worker's work over the rate exceeds the least by more than {} requests: then "
        "the "
        "least\"\n"
        "keep: per_server_and_level\n"
        "{}let: unguarded = {}"
        "let: spare = {}\n"
        "let: work = server_workload / rate\n"
        "route: first_of(where(unguarded, work <= least(servers, work) + tasks(spare) / rate / rate),\n"
        "                argmin(servers, work))\n"
        "{}",
        rule.name, rule.source, rule.name, requests, lines.lets, lines.route.substr(std::string("route: ").size()),
        requests, serve);
}

queueing::Rules guarded_rules(const std::string& text, const ZooRule& rule) {
    try {
        return queueing::codec::read_policy_text(text, rule.path).rules;
    } catch (const InputError& error) {
        throw InputError::in_file(rule.path, "route", "with its guard: " + error.expected());
    }
}

}  // namespace

std::string guarded(const ZooRule& rule, std::uint64_t requests) {
    const queueing::codec::PolicyText policy = queueing::codec::read_policy_text(rule.text, rule.path);
    if (policy.rules.arrangement() != queueing::Arrangement::per_server_and_level)
        throw InputError::in_file(rule.path, "keep",
                                  "expected per_server_and_level, since the guard counts work; what per_server calls "
                                  "length is server_length there");
    const TextLines lines = lines_of(rule);
    constexpr const char* usual = "serve: first_of(most_local(nonempty(own_levels)), own)\n";
    for (const std::string& serve : {lines.serve, std::string(usual)}) {
        std::string text = with_serve(lines, rule, requests, serve);
        if (std::holds_alternative<Rational>(queueing::bounded_regret(guarded_rules(text, rule)))) return text;
    }
    throw InputError::in_file(rule.path, "expected a rule whose guard can be proved");
}

}  // namespace schedproof::cli
