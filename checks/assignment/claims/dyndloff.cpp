/// Claims about DynDLOff: what the paper says of its two phases, and what holds in its place where that is false.
///
/// The words, and how each fails on a problem, are those of checks/assignment/properties/properties.hpp. A row of the
/// table below adds the statement that the explorer settles for all loads and costs of a shape, and the shapes.
#include <algorithm>

#include "checks/assignment/claim.hpp"
#include "checks/assignment/mutants.hpp"

namespace schedproof::checks {

using namespace assignment;
using namespace assignment_claims;

namespace {

/// The shapes on which a statement holds, and those on which it fails.
struct Explored {
    std::string_view property;
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
        {"constraint-1", "constraint-1", {"1,1,1:01/12/02", "2,2:0/01/1"}, {}},
        {"property-1.1", "property-1.1", {"1,1,1:01/12/02", "2,2:0/01/1"}, {}},
        {"finish-times", "finish-times", {"1,1,1:01/12/02", "2,2:0/01/1"}, {}},
        {"searches-agree", "search-agrees", {"2,1:0/01", "1,1,1:01/12/02", "2,2:0/01"}, {}},
        {"rmax", "capacity-exact", {"2:0/0/0", "3:0/0", "2,1:0/01"}, {}},
        {"rmax:strict", "capacity-exact-after-balancing", {}, {"2:0", "1,1:0"}},
        {"theorem-1", "theorem-1", {"2:0/0/0", "3:0/0"}, {}},
        {"theorem-1:tighter", "theorem-1", {"2:0/0/0", "3:0/0"}, {}},
        {"theorem-1:all-cores", "theorem-1-after-balancing", {}, {"2,1:1"}},
        {"makespan-of-k", "deadline-attained", {"1,1:0/01", "2,1:0/0", "1,1,1:0/01"}, {}},
        {"actual-is-nominal", "deadline-attained", {"1,1:0/0", "1,1:01/1"}, {}},
        {"not-above-balanced", "deadline-attained", {"1,1:0/1", "1,1:0/0/1"}, {}},
        {"least-placement", "placement-minimal", {"1,1:0/0", "2,1:0/0", "1,1,1:0/0/0"}, {}},
        {"least-placement:max-min", "placement-minimal", {}, {"2,1:0/0/0"}},
        {"moved-are-remote", "moved-are-remote", {"1,1:0/01", "1,1:0/0", "2,1:0/0"}, {}},
        {"k-is-optimal", "k-optimal", {"1,1:0/01", "1,1:0/0/0"}, {}},
        {"theorem-4", "theorem-4", {"1,1:0/01", "1,1:0/0/0"}, {}},
        {"theorem-4:moved-are-local", "theorem-4-moved-local", {}, {"1,2:1/0"}},
        {"theorem-4:constraint-2", "theorem-4-constraint-2", {}, {"1,2:1/01"}},
        {"theorem-4:output", "theorem-4-output", {}, {"1,2:01/0"}},
        {"monotone", "candidates-monotone", {"1,1:0/01", "1,1:0/0"}, {}},
        {"monotone:from-the-output", "candidates-monotone", {"1,1:0/0"}, {}},
        {"best-is-k-or-next", "candidates-monotone", {"1,1:0/1", "1,1:0/0/0"}, {}},
        {"k-or-next-remote", "remote-count", {"1,1:0/0", "2,1:0/0"}, {}},
        {"k-or-next-remote:levels", "remote-count", {}, {"2,1:0/0"}},
        {"twice-the-optimum", "ratio", {"1,1:0/0", "1,1:0/1", "1,1:0/0/0", "2,1:0/0"}, {}, Rational(2)},
        {"optimal", "ratio", {"1,1:0/0", "1,1:0/0/0"}, {"2,1:0/1"}, Rational(1)},
    };
}

/// A proof of the claim's own statement, offered for other problems: the certificate must be rejected.
Mutant of_other_problems(const std::string& name, const Explored& row, const std::string& policy) {
    const auto caught = [row, policy](const Settings& settings) -> std::string {
        const auto trial = trial_of<AssignmentFamily>(AssignmentFamily::instance(row.holds.front()), policy);
        const Verdict verdict = explored_theorem(std::string(row.statement), row.bound)
                                    .run(trial, always_holds<AssignmentFamily>(), settings);
        const auto* right = std::get_if<Proved>(&verdict);
        if (!right) return "";
        auto wrong = *right->certificate->as<assignment::Certificate>();
        wrong.theorem.family = parse_family("1,3:0/1/01");
        const std::string found = rejection(wrong);
        return found.empty() ? "" : "rejected: " + found;
    };
    return {.name = name + "-of-other-problems",
            .change = "certificate: the proof for one shape offered for another",
            .oracle = "explore",
            .caught = caught};
}

/// Phase I with MAX over all cores, as printed: some loads show a better local assignment.
Mutant all_core_maximum() {
    const auto caught = [](const Settings& settings) -> std::string {
        const auto trial =
            trial_of<AssignmentFamily>(AssignmentFamily::instance("2,2:01"), "dyndloff:max-over-all-cores");
        const Verdict verdict =
            explored_theorem("balanced-optimal").run(trial, always_holds<AssignmentFamily>(), settings);
        return kind_of(verdict) == VerdictKind::refuted ? "Refuted on 2,2:01" : "";
    };
    return {.name = "best-local-all-core-maximum",
            .change = "policy: MAX over all cores of a server",
            .oracle = "explore",
            .caught = caught};
}

/// Whether the premise of the property's claim holds: of Theorem 4, that some optimum has n remote tasks, that A_n has
/// as many, and that a largest core of A_n has local tasks only; of most claims, that there are tasks.
bool premise(const NamedProperty& property, const AssignmentProblem& problem,
             const AssignmentPolicyUnderTest& under_test) {
    const bool tasks = problem.shape->tasks().size() > 0;
    if (!tasks || property.id != "theorem-4") return tasks;
    const std::optional<TwoPhasePolicy> parts = under_test.two_phases();
    if (!parts) return false;
    for (const std::size_t n : Exhaustive(problem).remote_of_optima()) {
        const Totals a = checks::totals(problem, parts->candidate(problem, n).assignment);
        for (std::size_t p = 0; p < a.load.size(); ++p)
            if (a.remote_tasks == n && a.local[p] > 0 && a.remote[p] == 0 && a.load[p] == *a.makespan) return true;
    }
    return false;
}

/// The mutant, on the problems that mutants are tried on.
MutantSystem<AssignmentFamily> of_mutant(const std::string& name, const std::string& policy,
                                         const PropertyMutant& mutant) {
    return {.name = name + "-" + std::string(mutant.name),
            .change = std::string(mutant.change),
            .oracle = "exhaustive",
            .trial = [policy, make = mutant.make]() -> Scheduling {
                AssignmentPolicyUnderTest under_test(policy);
                under_test.facts = make();
                return {
                    std::make_shared<const AssignmentDomain>(
                        "mutants' problems", AssignmentDomain::Enumerated{for_each_mutant_problem,
                                                                          "the problems that mutants are tried on"}),
                    policy, std::move(under_test)};
            }};
}

/// How the property fails for a policy. Most properties look at parts that DynDLOff alone has.
std::string fails(const NamedProperty& property, const AssignmentPolicyUnderTest& under_test,
                  const AssignmentProblem& problem) {
    if (const std::optional<TwoPhasePolicy> parts = under_test.two_phases()) return property.fails(problem, *parts);
    if (!property.of_any_output)
        throw InputError::at_key("policy", "expected dyndloff or a variant of it: the claim is about its parts");
    return under_test.violation(problem, [&](const ScheduleResult<Rational>& outcome) {
        return property.fails(problem, by_output(under_test.id, outcome.assignment));
    });
}

/// The claim that a property states, with the lines that the table gives it.
Claim claim_of(const NamedProperty& property, std::span<const Explored> table) {
    std::string name(property.id);
    std::replace(name.begin(), name.end(), ':', '.');
    const std::string name_of_policy = property.under_test().name;
    ClaimBuilder<AssignmentFamily> claim(name);
    claim.statement(std::string(property.statement))
        .source(std::string(property.source))
        .instances("at most 4 servers of 3 cores and 7 tasks; all loads and costs of small shapes")
        .property([=](const AssignmentPolicyUnderTest& policy, const AssignmentProblem& problem) {
            return fails(property, policy, problem);
        })
        .exhaustive()
        .sampled()
        .needs([=](const AssignmentPolicyUnderTest& policy, const AssignmentProblem& problem) {
            return premise(property, problem, policy);
        })
        .pictures(drawn([=](const AssignmentPolicyUnderTest& policy, const AssignmentProblem& problem) {
            const std::optional<TwoPhasePolicy> parts = policy.two_phases();
            return parts ? exhibit(property, problem, *parts) : with_optimum(policy, problem);
        }));
    const std::string why = "false as stated; " + std::string(property.witness) + " is its witness";
    if (property.holds)
        claim.holds({name_of_policy}, {"grid", "random"});
    else
        claim.fails({name_of_policy}, {std::string(property.witness)}, why);
    for (const PropertyMutant& mutant : property_mutants())
        if (mutant.property == property.id) claim.mutant_system(of_mutant(name, name_of_policy, mutant));
    for (const Explored& row : table) {
        if (row.property != property.id) continue;
        claim.oracle(explored_theorem(std::string(row.statement), row.bound));
        if (!row.holds.empty())
            claim.holds({name_of_policy}, row.holds).mutant(of_other_problems(name, row, name_of_policy));
        if (row.statement == "balanced-optimal") claim.mutant(all_core_maximum());
        if (!row.fails.empty()) claim.fails({name_of_policy}, row.fails, why);
    }
    return claim;
}

}  // namespace

void add_assignment_dyndloff(std::vector<Claim>& claims) {
    const std::vector<Explored> table = explored();
    for (const NamedProperty& property : dyndloff_properties()) claims.push_back(claim_of(property, table));
}

}  // namespace schedproof::checks
