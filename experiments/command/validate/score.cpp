/// The end of `validate`: what was not looked at in words, the verdicts counted, and the mutants that were noticed.
#include "experiments/command/validate/score.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "experiments/command/core/policy_file.hpp"
#include "experiments/command/validate/hunt_part.hpp"
#include "model/core/rational.hpp"
#include "proofs/queueing/capacity/region.hpp"

namespace schedproof::cli {

namespace {

std::string names_of(const Validated& of, const std::vector<Standing>& standings, Standing which) {
    std::string names;
    for (std::size_t i = 0; i < standings.size(); ++i)
        if (standings[i] == which) names += (names.empty() ? "" : ", ") + of.instances[i]->name();
    return names.empty() ? "none" : names;
}

}  // namespace

std::string load_in_words(const queueing::Instance& instance) {
    const auto certificate = capacity::solve(instance);
    return certificate.exact() ? "rho* = " + display(certificate.load()) : "rho* <= " + display(certificate.upper);
}

std::string values_of_parameters(const Validated& of) {
    std::string values;
    if (const PolicyFile* file = find_policy_file(of.id))
        for (const auto& [name, value] : file->parameters)
            values += fmt::format("{}{} = {}", values.empty() ? "" : ", ", name,
                                  Rational(value.numerator, value.denominator).to_string());
    return values;
}

std::vector<std::string> not_covered(const Validated& of, const Outcome& outcome) {
    if (of.request.hunt) return not_covered_by_hunt(of);
    const MutationScore& score = outcome.mutants;
    std::vector<std::string> lines{
        "cases: claims with the verdict Survived were checked on random cases, Exhausted ones within their bounds"};
    lines.insert(lines.end(), outcome.not_covered.begin(), outcome.not_covered.end());
    if (of.instances.empty()) {
        lines.push_back("systems: claims were checked on their own instances only");
        return lines;
    }
    if (!of.request.only.empty())
        lines.push_back("claims: those that the policy's file does not name; without --only they are asked too");
    lines.push_back("instances: stability was settled on those named above only, with their options of the slot");
    const bool timed = std::any_of(of.instances.begin(), of.instances.end(),
                                   [](const auto& instance) { return instance->continuous(); });
    lines.push_back(
        fmt::format("assumptions: arrivals independent from slot to slot, geometric services{}, no failures of servers",
                    timed ? "; in continuous time Poisson arrivals, exponential services" : ""));
    if (of.request.slots > 0)
        lines.push_back(fmt::format("simulation: {} slots from the empty state, which says nothing about stability",
                                    of.request.slots));
    if (const std::string values = values_of_parameters(of); !values.empty())
        lines.push_back("parameters: other values than " + values);
    if (score.mutants == 0)
        lines.push_back(std::string("mutants: whether a slip in the rules would be noticed") +
                        (follows_plan(of) ? "; the policy follows a plan, which is made for each instance" : ""));
    std::map<std::string, std::size_t> places;  // rules may hold one part several times
    for (const std::string& change : score.missed) ++places[change];
    for (const std::string& change : score.missed)
        if (const auto at = places.find(change); at != places.end()) {
            lines.push_back("not told apart by any check: " + change +
                            (at->second > 1 ? fmt::format(", in {} places, one at a time", at->second) : ""));
            places.erase(at);
        }
    return lines;
}

void say_end(const Validated& of, const Outcome& outcome, double seconds, Journal& journal) {
    journal.say("not covered");
    for (const std::string& line : not_covered(of, outcome)) journal.say("  " + line);
    std::string counts;
    for (const char* verdict : remark_verdicts)
        if (const std::size_t n = journal.count(verdict); n > 0)
            counts += fmt::format("{}{} {}", counts.empty() ? "" : ", ", n, verdict);
    if (!outcome.standings.empty())
        counts += fmt::format("{}stable on {}; transient on {}", counts.empty() ? "" : "; ",
                              names_of(of, outcome.standings, Standing::stable),
                              names_of(of, outcome.standings, Standing::transient));
    if (const MutationScore& score = outcome.mutants; score.mutants > 0)
        counts += fmt::format("; mutants {}/{}", score.noticed, score.mutants - score.alike);
    journal.say(fmt::format("score         {}; {:.2f} s", counts, seconds));
}

}  // namespace schedproof::cli
