/// The text of a guarded rule, made of the rules that were read.
///
/// What was the routing rule becomes a name, and the serving rule stays where it makes servers start their own tasks;
/// otherwise it gives way to the usual one. The rules are printed as they were understood, parameters at their values,
/// so nothing depends on how the text is laid out or what it calls things.
#include "experiments/command/zoo/guard.hpp"

#include <fmt/core.h>

#include <optional>
#include <variant>

#include "model/core/errors.hpp"
#include "model/queueing/codec/policy_text.hpp"
#include "proofs/queueing/theorems/bounded_regret.hpp"

namespace schedproof::cli {

namespace {

std::string with_guard(const ZooRule& rule, const std::string& route, std::uint64_t requests,
                       const std::string& serve) {
    return fmt::format(
        "policy: {0}-guarded\n"
        "source: \"{1}, guarded\"\n"
        "summary: \"as {0}, unless that worker's work over the rate exceeds the least by more than {3} requests: then "
        "the least\"\n"
        "keep: per_server_and_level\n"
        "let: unguarded = {2}\n"
        "let: spare = {3}\n"
        "let: work = server_workload / rate\n"
        "route: first_of(where(unguarded, work <= least(servers, work) + tasks(spare) / rate / rate),\n"
        "                argmin(servers, work))\n"
        "serve: {4}\n",
        rule.name, rule.source, route, requests, serve);
}

}  // namespace

std::string guarded(const ZooRule& rule, std::uint64_t requests) {
    const queueing::Rules rules = queueing::codec::read_policy_text(rule.text, rule.path).rules;
    if (rules.arrangement() != queueing::Arrangement::per_server_and_level)
        throw InputError::in_file(rule.path, "keep",
                                  "expected per_server_and_level, since the guard counts work; what per_server calls "
                                  "length is server_length there");
    std::string why_not;
    for (const std::string& serve :
         {queueing::to_string(rules.serve()), std::string("first_of(most_local(nonempty(own_levels)), own)")}) {
        const std::string text = with_guard(rule, queueing::to_string(rules.route()), requests, serve);
        try {
            const auto regret = queueing::bounded_regret(queueing::codec::read_policy_text(text, rule.path).rules);
            if (const auto* why = std::get_if<std::string>(&regret))
                why_not = *why;
            else if (std::get<queueing::RegretTheorem>(regret).throughput_optimal())
                return text;
        } catch (const InputError& error) {
            why_not = error.expected();
        }
    }
    throw InputError::in_file(rule.path, "expected a rule whose guard can be proved: " + why_not);
}

}  // namespace schedproof::cli
