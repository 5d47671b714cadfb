/// Claims about DynDLOff: what the paper says of its two phases, and what holds in its place where that is false.
///
/// The words, and how each fails on a problem, are those of checks/assignment/properties/properties.hpp. A row of the
/// table below adds the statement that the explorer settles for all loads and costs of a shape, and the shapes.
#include <algorithm>

#include "checks/assignment/claim.hpp"
#include "checks/assignment/mutants.hpp"
#include "checks/core/registry.hpp"

namespace schedproof::checks {

using namespace assignment;

namespace {

/// The shapes on which a statement holds, and those on which it fails.
struct Explored {
    std::string_view judge;
    std::string_view statement;
    std::vector<std::string> holds;
    std::vector<std::string> fails;
    Rational bound{0};
};

std::vector<Explored> explored() {
    return {
        {"no-path",
         "no-cost-reducing-path",
         {"1,1,1:01/12/02", "2,2:0/01/1", "2,2:01/01/01", "1,1,1,1:01/12/23/03"},
         {}},
        {"constraint-2", "no-cost-reducing-path", {"1,1:01/01/01", "2,1:0/01/01", "1,1,1:01/12"}, {}},
        {"constraint-2:max-over-all-cores", "no-cost-reducing-path", {}, {"2,2:01"}},
        {"best-local", "balanced-optimal", {"2,1:0/01", "1,1,1:01/12/02", "1,2:01/1/01"}, {}},
        {"property-1.2:constraint-2",
         "constraint-2-optimal",
         {"2,1:01", "2,2:01", "1,1,1:012", "1,1:0/01", "1,1:01/01", "1,1:0/01/01", "1,1:01/01/01"},
         {"2,1:0/01", "1,1,1:01/12"}},
        {"property-1.2:no-path",
         "no-path-optimal",
         {"2,1:0/01", "1,1,1:01/12/02", "2,2:01/01/01", "1,1:01/01/01/01"},
         {}},
        {"key-lemma", "few-remote", {"1,1:01/01", "2,1:0/01", "1,1,1:01/12"}, {}},
        {"key-lemma:no-path", "no-path-few-remote", {"1,1:01/01", "2,1:0/01", "2,1:01/01/01", "1,1,1:01/12/02"}, {}},
        {"key-lemma:constraint-2", "constraint-2-few-remote", {"1,1:01/01", "1,1:0/01/01"}, {"2,1:0/01"}},
        {"searches-agree", "search-agrees", {"2,1:0/01", "1,1,1:01/12/02", "2,2:0/01"}, {}},
        {"rmax", "capacity-exact", {"2:0/0/0", "3:0/0", "2,1:0/01"}, {}},
        {"rmax:strict", "capacity-exact-after-balancing", {}, {"2:0", "1,1:0"}},
        {"theorem-1:tighter", "theorem-1", {"2:0/0/0", "3:0/0"}, {}},
        {"theorem-1:all-cores", "theorem-1-after-balancing", {}, {"2,1:1"}},
        {"makespan-of-k", "deadline-attained", {"1,1:0/01", "2,1:0/0", "1,1,1:0/01"}, {}},
        {"actual-is-nominal", "deadline-attained", {"1,1:0/0", "1,1:01/1"}, {}},
        {"not-above-balanced", "deadline-attained", {"1,1:0/1", "1,1:0/0/1"}, {}},
        {"least-placement", "placement-minimal", {"1,1:0/0", "2,1:0/0", "1,1,1:0/0/0"}, {}},
        {"least-placement:max-min", "placement-minimal", {}, {"2,1:0/0/0"}},
        {"monotone", "candidates-monotone", {"1,1:0/01", "1,1:0/0"}, {}},
        {"best-is-k-or-next", "candidates-monotone", {"1,1:0/1", "1,1:0/0/0"}, {}},
        {"k-or-next-remote", "remote-count", {"1,1:0/0", "2,1:0/0"}, {}},
        {"k-or-next-remote:levels", "remote-count", {}, {"2,1:0/0"}},
        {"twice-the-optimum", "ratio", {"1,1:0/0", "1,1:0/1", "1,1:0/0/0", "2,1:0/0"}, {}, Rational(2)},
        {"optimal", "ratio", {"1,1:0/0", "1,1:0/0/0"}, {"2,1:0/1"}, Rational(1)},
    };
}

/// A proof of the claim's own statement, offered for other problems: the certificate must be rejected.
Mutant spoiled(const std::string& name, const Explored& row, const std::string& policy) {
    return {name + "-of-other-problems", "certificate: the proof for one shape offered for another", "explore",
            [row, policy](const Settings& settings) -> std::string {
                const AssignmentOracle oracle = explore_oracle(std::string(row.statement), row.bound);
                const Verdict verdict =
                    oracle.run({named_domain(row.holds.front()), policy, make_scheduler(policy)}, settings);
                const auto* right = std::get_if<Proved>(&verdict);
                if (!right) return "";
                auto wrong = *right->certificate->as<assignment::Certificate>();
                wrong.theorem.family = parse_family("1,3:0/1/01");
                const std::string found = rejection(wrong);
                return found.empty() ? "" : "rejected: " + found;
            }};
}

/// Phase I with MAX over all cores, as printed: some loads show a better local assignment.
Mutant all_core_maximum() {
    return {"best-local-all-core-maximum", "policy: MAX over all cores of a server", "explore",
            [](const Settings& settings) -> std::string {
                const std::string policy = "dyndloff:max-over-all-cores";
                const Verdict verdict = explore_oracle("balanced-optimal")
                                            .run({named_domain("2,2:01"), policy, make_scheduler(policy)}, settings);
                return std::holds_alternative<Refuted>(verdict) ? "Refuted on 2,2:01" : "";
            }};
}

/// Whether the premise of the judge's claim holds: of Theorem 4, that some optimum has n remote tasks, that A_n has as
/// many, and that a largest core of A_n has local tasks only; of most claims, that there are tasks.
bool premise(const Judge& judge, const AssignmentProblem& problem, const Subject& subject) {
    if (!has_tasks(problem) || judge.id != "theorem-4") return has_tasks(problem);
    for (const std::size_t n : Exhaustive(problem).remote_of_optima()) {
        const Account a = checks::account(problem, subject.candidate(problem, n).assignment);
        for (std::size_t p = 0; p < a.load.size(); ++p)
            if (a.remote_tasks == n && a.local[p] > 0 && a.remote[p] == 0 && a.load[p] == *a.makespan) return true;
    }
    return false;
}

/// The claim that a judge states, with the lines that the table gives it.
AssignmentClaim claim_of(const Judge& judge, std::span<const Explored> table) {
    AssignmentClaim claim;
    std::string name(judge.id);
    std::replace(name.begin(), name.end(), ':', '.');
    claim.id = "assignment." + name;
    claim.statement = judge.statement;
    claim.source = judge.source;
    claim.family = "at most 4 servers of 3 cores and 7 tasks; all loads and costs of small shapes";
    const auto asked = [name = judge.subject().name](const AnyScheduler& scheduler) {
        return subject_of(std::get<DynDlOff>(scheduler), name);
    };
    claim.violation = [=](const AnyScheduler& scheduler, const AssignmentProblem& problem) {
        return judge.judge(problem, asked(scheduler));
    };
    claim.exhibit = [=](const AnyScheduler& scheduler, const AssignmentProblem& problem) {
        return exhibit(judge, problem, asked(scheduler));
    };
    claim.oracles = {exhaustive_oracle(claim.violation), sampled_oracle(claim.violation)};
    claim.witness = [=](const Scheduling& scheduling) {
        return witness_of(*scheduling.domain, [&](const AssignmentProblem& problem) {
            return premise(judge, problem, asked(scheduling.judged));
        });
    };
    const std::string policy = judge.subject().name;
    const std::string why = "false as stated; " + std::string(judge.witness) + " is its witness";
    if (judge.holds)
        claim.lines.push_back({policy, {"grid", "random"}, Expectation::holds, {}, {}});
    else
        claim.lines.push_back({policy, {std::string(judge.witness)}, Expectation::fails, {}, why});
    for (const JudgeMutant& mutant : judge_mutants())
        if (mutant.judge == judge.id)
            claim.mutants.push_back({name + "-" + std::string(mutant.name), std::string(mutant.fault), "sampled",
                                     [mutant](const Settings&) { return mutant.caught(); }});
    for (const Explored& row : table) {
        if (row.judge != judge.id) continue;
        claim.oracles.push_back(explore_oracle(std::string(row.statement), row.bound));
        if (!row.holds.empty()) {
            claim.lines.push_back({policy, row.holds, Expectation::holds, {}, {}});
            claim.mutants.push_back(spoiled(name, row, policy));
        }
        if (row.statement == "balanced-optimal") claim.mutants.push_back(all_core_maximum());
        if (!row.fails.empty()) claim.lines.push_back({policy, row.fails, Expectation::fails, {}, why});
    }
    return claim;
}

}  // namespace

void add_assignment_dyndloff(std::vector<Claim>& claims) {
    const std::vector<Explored> table = explored();
    for (const Judge& judge : assignment_judges()) claims.emplace_back(claim_of(judge, table));
}

}  // namespace schedproof::checks
