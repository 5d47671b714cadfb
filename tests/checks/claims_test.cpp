/// The registry of claims: complete over the policies, honest about its instances, and caught by its own mutants.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <string>

#include "checks/core/report.hpp"
#include "checks/core/run.hpp"
#include "checks/queueing/claim.hpp"
#include "checks/queueing/instances.hpp"
#include "checks/queueing/mutants.hpp"
#include "checks/queueing/sampling.hpp"
#include "model/core/errors.hpp"
#include "model/queueing/codec/codec.hpp"
#include "tests/checks/registered_claims.hpp"

namespace schedproof::checks {
namespace {

namespace fs = std::filesystem;

/// Whether a line of the claim puts one of these oracles on an instance.
bool asks(const Claim& c, const Line& line, const std::set<std::string>& oracles) {
    const std::vector<std::string> names = c.any->oracles();
    for (std::size_t i = 0; i < names.size(); ++i)
        if (line.asks(names[i]) && oracles.contains(names[i]))
            for (const std::string& instance : line.instances)
                if (c.any->suits(i, *c.family().instance(instance))) return true;
    return false;
}

/// Whether some claim of the family, expected to hold or fail for the policy, consults one of these oracles.
bool covered(const Family& family, std::string_view policy, const std::set<std::string>& oracles) {
    for (const Claim& c : claims())
        for (const Line& line : c.lines)
            if (&c.family() == &family && line.policy == policy && line.expectation != Expectation::open &&
                line.expectation != Expectation::unstated && asks(c, line, oracles))
                return true;
    return false;
}

TEST(Claims, EveryPolicyHasSampledClaimsAndThoseOfItsFamilysStrongestOracle) {
    for (const Family* family : families()) {
        EXPECT_FALSE(family->policies().empty()) << family->id();
        const std::string strongest(family->strongest_oracle());
        for (const PolicyEntry& policy : family->policies()) {
            EXPECT_TRUE(covered(*family, policy.id, {"sampled"})) << policy.id << " lacks a property-based claim";
            EXPECT_TRUE(covered(*family, policy.id, {strongest}))
                << policy.id << " lacks a claim that " << strongest << " settles";
        }
        EXPECT_FALSE(covered(*family, "no-such-policy", {"sampled"}));
    }
    // A scheduler of another family does not count.
    EXPECT_TRUE(covered(assignment_family(), "delay", {"sampled"}));
    EXPECT_FALSE(covered(sharing_family(), "ltfpa", {"sampled"}));
    EXPECT_GE(sharing_family().policies().size(), 8U);
}

TEST(Claims, AreWholeObjects) {
    const std::set<std::string> known{"explore", "bounds", "exhaustive", "sampled", "certificate", "simulation"};
    std::set<std::string> ids;
    for (const Claim& c : claims()) {
        SCOPED_TRACE(c.id);
        EXPECT_TRUE(ids.insert(c.id).second);
        EXPECT_FALSE(c.statement.empty() || c.instances.empty());
        EXPECT_TRUE(c.statement.ends_with("."));
        const std::vector<std::string> oracles = c.any->oracles();
        EXPECT_FALSE(c.lines.empty() || oracles.empty());
        // A claim that is refuted where that is expected has shown that its check can fail.
        const bool refuted = std::any_of(c.lines.begin(), c.lines.end(),
                                         [](const Line& line) { return line.expectation == Expectation::fails; });
        EXPECT_TRUE(refuted || !c.mutants.empty());
        for (const auto& left_out : c.left_out) {
            const std::string& policy = left_out.first;
            EXPECT_EQ(c.family().resolve_policy(policy), policy);
            EXPECT_FALSE(left_out.second.empty());
            EXPECT_TRUE(
                std::none_of(c.lines.begin(), c.lines.end(), [&](const Line& l) { return l.policy == policy; }));
        }
        EXPECT_TRUE(c.id.starts_with(std::string(c.family().id()) + "."));
        for (const std::string& oracle : oracles) EXPECT_TRUE(known.contains(oracle)) << oracle;
        for (const Mutant& mutant : c.mutants) EXPECT_TRUE(known.contains(mutant.oracle)) << mutant.name;
        for (const Line& line : c.lines) {
            EXPECT_EQ(c.family().resolve_policy(line.policy), line.policy);
            for (const std::string& instance : line.instances) EXPECT_EQ(c.family().instance(instance)->name, instance);
            EXPECT_FALSE(line.instances.empty());
            EXPECT_EQ(line.expectation != Expectation::holds, !line.why.empty()) << line.policy;
            for (const std::string& oracle : line.oracles)
                EXPECT_TRUE(std::find(oracles.begin(), oracles.end(), oracle) != oracles.end());
            for (const auto& [oracle, kind] : line.kinds)
                EXPECT_TRUE(std::find(oracles.begin(), oracles.end(), oracle) != oracles.end() && line.asks(oracle));
        }
    }
}

/// The keys of the bibliography, its headings of one word.
std::set<std::string> bibliography() {
    std::set<std::string> keys;
    std::ifstream in(fs::path(SCHEDPROOF_SOURCE_DIR) / "docs/bibliography.md");
    static const std::regex heading(R"(### ([a-z]+[0-9]*))");
    std::smatch match;
    for (std::string line; std::getline(in, line);)
        if (std::regex_match(line, match, heading)) keys.insert(match[1]);
    return keys;
}

/// Whether a source begins with a key in brackets and names no key that is unknown.
bool leads_somewhere(const std::set<std::string>& keys, const std::string& source) {
    static const std::regex key(R"(\[([a-z]+[0-9]*)\])");
    for (std::sregex_iterator at(source.begin(), source.end(), key), end; at != end; ++at)
        if (!keys.contains((*at)[1])) return false;
    return std::regex_search(source, key, std::regex_constants::match_continuous);
}

/// Read from the claims and the policies themselves, however their sources are put together in code.
TEST(Claims, CiteTheBibliographyAsPoliciesDo) {
    const std::set<std::string> keys = bibliography();
    EXPECT_GT(keys.size(), 20U);
    EXPECT_GT(claims().size(), 100U);
    for (const Claim& c : claims()) EXPECT_TRUE(leads_somewhere(keys, c.source)) << c.id << ": " << c.source;
    for (const Family* family : families())
        for (const PolicyEntry& policy : family->policies())
            EXPECT_TRUE(leads_somewhere(keys, std::string(policy.source))) << policy.id << ": " << policy.source;
}

TEST(Claims, TheCheckOfCitationsRefusesThoseThatLeadNowhere) {
    const std::set<std::string> keys{"wang2013", "kavousi"};
    for (const char* source : {"[wang2013], Section II", "[kavousi]", "[wang2013], (5); [kavousi], Section V"})
        EXPECT_TRUE(leads_somewhere(keys, source)) << source;
    for (const char* source :
         {"", "baseline", "Wang, Section II", "see [wang2013]", "[nobody]", "[wang2013], (5); [nobody]"})
        EXPECT_FALSE(leads_somewhere(keys, source)) << source;
}

TEST(Claims, NamedInstancesAreThoseOfTheFiles) {
    std::size_t compared = 0;
    EXPECT_TRUE(std::is_sorted(instance_names().begin(), instance_names().end()));
    for (const std::string_view name : instance_names()) {
        const fs::path file = fs::path(SCHEDPROOF_SOURCE_DIR) / "experiments/instances" / (std::string(name) + ".toml");
        if (!fs::exists(file)) continue;
        ++compared;
        EXPECT_EQ(write_toml(*named_instance(name)), write_toml(queueing::read_instance(file.string())));
    }
    EXPECT_GE(compared, 9U);
    EXPECT_THROW((void)named_instance("m2-nothing"), InputError);
}

TEST(Claims, EverySeededFaultIsCaught) {
    const MutantReport report = run_mutants(select(claims(), {}), {}, 2);
    EXPECT_GE(report.mutants.size(), 12U);
    EXPECT_TRUE(report.all_caught());
    EXPECT_EQ(report.claims.size(), claims().size());
    for (const NullMutantRow& row : report.claims)
        EXPECT_NE(row.noticed, "") << row.claim << " does not miss its property";
    std::set<std::string> names, kinds;
    for (const MutantRow& row : report.mutants) {
        EXPECT_NE(row.caught, "") << row.claim << ": " << row.mutant->name << ", " << row.mutant->change;
        EXPECT_TRUE(names.insert(row.mutant->name).second) << row.mutant->name;
        kinds.insert(row.mutant->change.substr(0, row.mutant->change.find(':')));
    }
    for (const char* kind : {"policy", "kernel option", "V", "certificate", "instance"})
        EXPECT_TRUE(kinds.contains(kind)) << kind;
}

TEST(Claims, PatternsSelect) {
    EXPECT_TRUE(matches("queueing.a.b", "queueing"));
    EXPECT_TRUE(matches("queueing.a.b", "queueing.a"));
    EXPECT_TRUE(matches("queueing.a.b", "*.b"));
    EXPECT_TRUE(matches("queueing.a.b", "q*a*"));
    EXPECT_FALSE(matches("queueing.a.b", "queueing.a.b.c"));
    EXPECT_FALSE(matches("queueing.ab", "queueing.a"));
    EXPECT_FALSE(matches("queueing.a.b", "*.a"));
    EXPECT_THROW((void)select(claims(), {"queueing.nothing"}), InputError);
}

Selection only(const std::string& id, const std::string& policy) {
    Selection selection;
    selection.claims = {id};
    selection.policy = policy;
    return selection;
}

TEST(Claims, AProofCarriesACertificateThatIsAccepted) {
    const Report report = run(claims(), only("queueing.route-minimises", "jsq-maxweight"), {});
    EXPECT_EQ(report.exit_code(), 0);
    std::size_t proofs = 0;
    for (const Row& row : report.rows)
        for (const Finding& finding : row.findings)
            if (const auto* proved = std::get_if<Proved>(&finding.verdict)) {
                ++proofs;
                ASSERT_TRUE(proved->certificate);
                EXPECT_EQ((*proved->certificate)->rejection(), "");
            }
    EXPECT_GE(proofs, 5U);
}

TEST(Claims, ExhaustionsNameTheirBounds) {
    const auto said = [](const std::string& claim) {
        std::set<std::string> all;
        for (const Row& row : run(claims(), only(claim, ""), {}).rows)
            for (const Finding& f : row.findings)
                if (std::holds_alternative<Exhausted>(f.verdict)) all.insert(explanation(f.verdict));
        return all;
    };
    EXPECT_EQ(said("queueing.serve-takes-waiting"),
              (std::set<std::string>{
                  "It holds of every state that the empty one reaches without ever holding more than 4 tasks.",
                  "It holds of every state that the empty one reaches without ever holding more than 4 tasks, or a "
                  "counter farther than 3 from 0."}));
    EXPECT_EQ(
        said("assignment.property-1.2.no-path"),
        (std::set<std::string>{
            "It holds of every problem with at most 2 servers of at most 2 cores and at most 3 tasks, loads in {0, "
            "1/2, 1, 2}, remote costs in {3/2 +1/2; 2; 5/4 3}, one for all servers; servers, tasks and the cores of "
            "a server in at least one order each."}));
}

TEST(Claims, TheOrderAndVerdictsDoNotDependOnTheThreads) {
    Selection selection = only("queueing.serve-takes-waiting", "");
    const auto words = [](const Report& report) {
        std::string text;
        for (const Row& row : report.rows)
            for (const Finding& f : row.findings)
                text += row.claim->id + row.line.policy + row.instance_name() + f.oracle + short_text(f.verdict) +
                        explanation(f.verdict) + "\n";
        return text;
    };
    const std::string one = words(run(claims(), selection, {}));
    selection.jobs = 3;
    EXPECT_EQ(words(run(claims(), selection, {})), one);
}

/// A claim that is always wrong about its oracle: what the machinery makes of contradictions and of nothing.
QueueingClaim made_up() {
    QueueingClaim c = queueing_claim("queueing.tasks-balance");
    c.id = "test.made-up";
    c.lines = {{"random-local", {"m2-half"}, {}, {}, {}}};
    c.mutants.clear();
    c.mutant_systems.clear();
    return c;
}
QueueingOracle says(const Verdict& verdict, const std::string& oracle = "sampled") {
    return queueing_claims::asks(oracle, [verdict](const System&, const Settings&) { return verdict; });
}
Verdict refuted_at_start() {
    return queueing_claims::refuted_on(registered(named_instance("m2-half"), "random-local"));
}
Property<QueueingFamily> always() {
    return [](const ExactSystem&, const ClusterState&) { return std::string("always"); };
}

/// The made-up claim with a mutant of the system that its property refutes.
QueueingClaim with_mutant_system() {
    QueueingClaim c = made_up();
    c.property = always();
    c.oracles = {queueing_claims::sampled_states(9)};
    c.mutant_systems = {queueing_claims::mutant_on(
        {"any", "policy: any", "sampled", queueing_claims::another_policy("random-local"), "m2-half"})};
    return c;
}
NullMutantRow null_mutant(const QueueingClaim& c) {
    const Claim one(c);
    return run_mutants({&one}, {}, 1).claims.front();
}

TEST(NullMutants, APropertyThatRefutesItsMutantIsMissed) {
    EXPECT_EQ(null_mutant(with_mutant_system()).noticed, "any: Survived (200 cases, seed 1)");
    // By another oracle, whose refutations the property confirms.
    QueueingClaim c = with_mutant_system();
    c.oracles = {says(refuted_at_start())};
    EXPECT_EQ(null_mutant(c).noticed, "any: a refutation that does not replay");
}

TEST(NullMutants, APropertyThatRefutesNothingIsNotMissed) {
    QueueingClaim c = with_mutant_system();
    c.property = always_holds<QueueingFamily>();
    EXPECT_EQ(null_mutant(c).noticed, "");
    const Claim off(c);
    EXPECT_FALSE(run_mutants({&off}, {}, 1).all_caught());
    // A mutant that is caught whatever the property says does not show that the property decides anything.
    c = made_up();
    c.mutants = {{"elsewhere", "certificate: altered", "certificate", [](const Settings&) { return "rejected"; }}};
    EXPECT_EQ(null_mutant(c).noticed, "");
    // A line that is false as stated does.
    c = with_mutant_system();
    c.mutant_systems.clear();
    EXPECT_EQ(null_mutant(c).noticed, "");
    c.lines.front().expectation = Expectation::fails;
    EXPECT_EQ(null_mutant(c).noticed, "random-local on m2-half: Survived (200 cases, seed 1)");
}

TEST(Claims, WithoutAnExpectationAnyVerdictIsAResult) {
    QueueingClaim c = made_up();
    c.property = always();
    c.lines.front().expectation = Expectation::unstated;
    for (const Verdict& verdict : {Verdict(Survived{3, 1}), refuted_at_start(), Verdict(Unknown{"no budget"})}) {
        c.oracles = {says(verdict)};
        const std::vector<Claim> list{c};
        const Report report = run(list, {}, {});
        EXPECT_EQ(report.exit_code(), 0);
        EXPECT_FALSE(report.rows.front().findings.front().expected);
        EXPECT_NE(totals(report, {}).find("all as expected, 1 without an expectation"), std::string::npos);
    }
    c.property = always_holds<QueueingFamily>();
    c.oracles = {says(refuted_at_start())};
    EXPECT_EQ(run(std::vector<Claim>{c}, {}, {}).exit_code(), 4) << "a conflict is one whatever is expected";
}

TEST(Claims, WhatIsNotAskedOfThePolicyIsNamed) {
    Selection selection;
    selection.claims = {"queueing.random-local.grows", "queueing.renaming-servers", "queueing.non-preemptive",
                        "sharing.no-work-lost"};
    selection.policy = "fluid-model-planning:static";
    Settings few;
    few.cases = 2;
    const Report report = run(claims(), selection, few);
    ASSERT_EQ(report.not_asked.size(), 2U) << "claims of other families are not listed";
    EXPECT_EQ(report.not_asked[0].claim->id, "queueing.random-local.grows");
    EXPECT_EQ(report.not_asked[0].why, "it speaks of random-local alone");
    EXPECT_EQ(report.not_asked[1].claim->id, "queueing.renaming-servers");
    EXPECT_NE(report.not_asked[1].why.find("plan"), std::string::npos);
    const std::string text = text_report(report, {}, few);
    EXPECT_EQ(text.find("all as expected"), std::string::npos) << text;
    EXPECT_NE(text.find("; what was asked as expected; 2 claims not asked of the policy"), std::string::npos) << text;
}

/// What is claimed of every policy is asked of every registered one, or the claim says why not.
TEST(Claims, OfEveryPolicyNameEveryPolicy) {
    for (const char* id : {"queueing.route-minimises",
                           "queueing.serve-maximises",
                           "queueing.serve-takes-waiting",
                           "queueing.tasks-balance",
                           "queueing.execution-within-queue",
                           "queueing.departures-by-servers",
                           "queueing.non-preemptive",
                           "queueing.arrivals-mean",
                           "queueing.explore-agrees",
                           "queueing.renaming-servers",
                           "queueing.capacity.outer-bound",
                           "queueing.heavy-traffic.coupling",
                           "queueing.squares-drift-negative",
                           "queueing.throughput-optimal.every-cluster",
                           "queueing.transient-inside-the-region",
                           "sharing.follows-rule",
                           "sharing.one-launch",
                           "sharing.courses-end",
                           "sharing.no-work-lost",
                           "redundancy.follows-specification",
                           "redundancy.completes-all",
                           "redundancy.busy-periods",
                           "assignment.outcome-consistent"}) {
        const Claim& c = claim(id);
        for (const PolicyEntry& policy : c.family().policies())
            EXPECT_TRUE(
                c.left_out.contains(std::string(policy.id)) ||
                std::any_of(c.lines.begin(), c.lines.end(), [&](const Line& line) { return line.policy == policy.id; }))
                << id << " does not speak of " << policy.id;
    }
}

TEST(Claims, ARefutationThatDoesNotReplayIsAConflict) {
    QueueingClaim c = made_up();
    c.oracles = {says(refuted_at_start())};
    const std::vector<Claim> list{c};
    EXPECT_EQ(run(list, {}, {}).exit_code(), 4);
}

TEST(Claims, OraclesThatContradictEachOtherAreAConflict) {
    QueueingClaim c = made_up();
    c.oracles.push_back(says(refuted_at_start()));
    c.property = always();
    c.oracles.erase(c.oracles.begin() + 1);
    const std::vector<Claim> list{c};
    const Report report = run(list, {}, {});
    EXPECT_EQ(report.exit_code(), 4);
    ASSERT_EQ(report.conflicts.size(), 1U);
}

TEST(Claims, ExitCodesTellExpectedFromUnknownFromVacuous) {
    QueueingClaim c = made_up();
    c.oracles = {says(Survived{3, 1})};
    EXPECT_EQ(run(std::vector<Claim>{c}, {}, {}).exit_code(), 0);
    c.lines.front().expectation = Expectation::fails;
    EXPECT_EQ(run(std::vector<Claim>{c}, {}, {}).exit_code(), 1);
    c.lines.front().expectation = Expectation::open;
    EXPECT_EQ(run(std::vector<Claim>{c}, {}, {}).exit_code(), 1);
    c.lines.front().expectation = Expectation::holds;
    c.witness = [](const Trial<QueueingFamily>&) { return std::string(); };
    EXPECT_EQ(run(std::vector<Claim>{c}, {}, {}).exit_code(), 1);
    c = made_up();
    c.oracles = {says(Unknown{"no budget"})};
    EXPECT_EQ(run(std::vector<Claim>{c}, {}, {}).exit_code(), 3);
    c.lines.front().expectation = Expectation::open;
    EXPECT_EQ(run(std::vector<Claim>{c}, {}, {}).exit_code(), 0);
    c.outside = [](const QueueingDomain&) { return std::string("never"); };
    const Report report = run(std::vector<Claim>{c}, {}, {});
    EXPECT_TRUE(report.rows.empty());
    EXPECT_EQ(report.outside.size(), 1U);
}

/// The outcome when an oracle says this where that is expected.
Row::Outcome outcome(const Verdict& said, const std::string& oracle, Kinds expected, Expectation expectation,
                     const Settings& settings = {}) {
    QueueingClaim c = made_up();
    c.property = always();
    c.oracles = {says(said, oracle)};
    if (expectation == Expectation::fails && kind_of(said) != VerdictKind::refuted)
        c.oracles.push_back(says(refuted_at_start(), "exhaustive"));
    c.lines.front().expectation = expectation;
    c.lines.front().kinds = std::move(expected);
    return run(std::vector<Claim>{c}, {}, settings).rows.front().outcome;
}

TEST(Claims, AVerdictOfAnotherKindIsUnexpected) {
    const auto holds = Expectation::holds, fails = Expectation::fails;
    const auto expected = Row::Outcome::expected, unexpected = Row::Outcome::unexpected;
    EXPECT_EQ(outcome(Survived{3, 1}, "sampled", {}, holds), expected);
    EXPECT_EQ(outcome(Survived{3, 1}, "explore", {}, holds), unexpected) << "Proved turned into Survived";
    EXPECT_EQ(outcome(Exhausted{3, "three"}, "explore", {}, holds), unexpected);
    EXPECT_EQ(outcome(Exhausted{3, "three"}, "sampled", {}, holds), unexpected) << "stronger is another kind as well";
    EXPECT_EQ(outcome(Exhausted{3, "three"}, "sampled", {{"sampled", VerdictKind::exhausted}}, holds), expected);
    EXPECT_EQ(outcome(Unknown{"no budget"}, "explore", {}, holds), Row::Outcome::unsettled);
    EXPECT_EQ(outcome(refuted_at_start(), "sampled", {}, fails), expected);
    EXPECT_EQ(outcome(Survived{200, 1}, "sampled", {}, fails), unexpected);
    EXPECT_EQ(outcome(Survived{200, 1}, "sampled", {{"sampled", VerdictKind::survived}}, fails), expected);
    // Other random cases than the expectation was stated for may miss what another oracle refutes.
    Settings other;
    other.seed = 2;
    EXPECT_EQ(outcome(Survived{200, 2}, "sampled", {}, fails, other), expected);
    EXPECT_EQ(outcome(Exhausted{200, "two hundred"}, "certificate", {}, fails, other), unexpected);
    QueueingClaim c = made_up();
    c.oracles = {says(Survived{3, 1}, "explore")};
    const std::vector<Claim> list{c};
    const Report report = run(list, {}, {});
    EXPECT_EQ(report.exit_code(), 1);
    EXPECT_EQ(report.rows.front().findings.front().expected, VerdictKind::proved);
    Selection own;
    own.instances = {QueueingFamily::instance("m2-half")};
    EXPECT_EQ(run(list, own, {}).exit_code(), 0) << "of a user's instance no kind is expected";
}

/// Whoever waits is told of each claim once, with all its rows, in the order of the report, however many threads run.
TEST(Claims, AreToldAsTheyAreDone) {
    Settings few;
    few.cases = 3;
    Selection selection = only("queueing.*", "pandas:plain");
    selection.instances = {QueueingFamily::instance("m2-half")};
    selection.jobs = 4;
    std::size_t told = 0, most = 0;
    std::vector<std::string> claims_told;
    selection.progress = [&](std::size_t done, std::size_t all) {
        EXPECT_GT(done, most);
        EXPECT_LE(done, all);
        most = done;
    };
    selection.claim_done = [&](const Report& report, std::size_t first, std::size_t last) {
        EXPECT_EQ(first, told);
        for (std::size_t r = first; r < last; ++r) {
            EXPECT_EQ(report.rows[r].claim, report.rows[first].claim);
            EXPECT_FALSE(report.rows[r].findings.empty()) << report.rows[r].claim->id;
        }
        claims_told.push_back(report.rows[first].claim->id);
        told = last;
    };
    const Report report = run(claims(), selection, few);
    EXPECT_EQ(told, report.rows.size());
    EXPECT_EQ(most, report.rows.size());
    EXPECT_GT(claims_told.size(), 5U);
    EXPECT_TRUE(std::is_sorted(claims_told.begin(), claims_told.end()));
    EXPECT_EQ(std::adjacent_find(claims_told.begin(), claims_told.end()), claims_told.end());
}

TEST(Claims, ABudgetOfNothingIsUnknown) {
    Settings none;
    none.budget.solver = 0;
    const Report report = run(claims(), only("queueing.wang-jsq-maxweight.drift-negative", ""), none);
    for (const Row& row : report.rows)
        EXPECT_TRUE(std::holds_alternative<Unknown>(row.findings.front().verdict)) << row.instance_name();
    EXPECT_EQ(report.exit_code(), 3);
    Settings narrow;
    narrow.budget.paths = 1;
    EXPECT_EQ(run(claims(), only("queueing.wang-jsq-maxweight.drift-negative", ""), narrow).exit_code(), 3);
}

}  // namespace
}  // namespace schedproof::checks
