/// The registry of claims: complete over the policies, honest about its instances, and caught by its own mutants.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>

#include "checks/core/registry.hpp"
#include "checks/core/report.hpp"
#include "checks/core/run.hpp"
#include "checks/queueing/instances.hpp"
#include "checks/queueing/sampling.hpp"
#include "checks/queueing/shrink.hpp"
#include "model/core/errors.hpp"
#include "model/queueing/codec/codec.hpp"

namespace schedproof::checks {
namespace {

namespace fs = std::filesystem;

const std::vector<Claim>& claims() {
    static const std::vector<Claim> all = all_claims();
    return all;
}
const Claim& claim(const std::string& id) { return *select(claims(), {id}).front(); }

const QueueingClaim& queueing_claim(const std::string& id) { return std::get<QueueingClaim>(claim(id).asked); }

template <class AnyOracle, class Named>
bool suits_one(const AnyOracle& oracle, const Line& line, Named&& named) {
    return std::any_of(line.instances.begin(), line.instances.end(),
                       [&](const std::string& name) { return oracle.suits(*named(name)); });
}

bool asks(const Claim& c, const Line& line, const std::set<std::string>& oracles) {
    const auto settles = [&]<class Asked>(const Asked& asked) {
        return std::any_of(asked.oracles.begin(), asked.oracles.end(), [&](const auto& oracle) {
            const bool named = line.oracles.empty() ||
                               std::find(line.oracles.begin(), line.oracles.end(), oracle.name) != line.oracles.end();
            if (!named || !oracles.contains(oracle.name)) return false;
            if constexpr (std::same_as<Asked, AssignmentClaim>)
                return suits_one(oracle, line, named_domain);
            else if constexpr (std::same_as<Asked, RedundancyClaim>)
                return suits_one(oracle, line, named_redundancy_domain);
            else if constexpr (std::same_as<Asked, SharingClaim>)
                return suits_one(oracle, line, named_sharing_domain);
            else
                return true;
        });
    };
    return std::visit(settles, c.asked);
}

/// Whether some claim of the family, expected to hold or fail for the policy, consults one of these oracles.
bool covered(std::string_view family, std::string_view policy, const std::set<std::string>& oracles) {
    for (const Claim& c : claims())
        for (const Line& line : c.lines)
            if (c.family_name() == family && line.policy == policy && line.expectation != Expectation::open &&
                asks(c, line, oracles))
                return true;
    return false;
}

TEST(Claims, EveryPolicyHasSampledAndExploredClaims) {
    std::vector<std::pair<std::string_view, std::string_view>> ids;
    for (const queueing::PolicyInfo& policy : queueing::policies()) ids.emplace_back("queueing", policy.id);
    for (const assignment::PolicyInfo& s : assignment::schedulers()) ids.emplace_back("assignment", s.id);
    for (const redundancy::PolicyInfo& policy : redundancy::policies()) ids.emplace_back("redundancy", policy.id);
    for (const auto& [family, id] : ids) {
        EXPECT_TRUE(covered(family, id, {"sampled"})) << id << " lacks a property-based claim";
        const auto& exempt = explore_exemptions();
        const bool excused = std::any_of(exempt.begin(), exempt.end(), [&](const ExploreExemption& e) {
            return e.policy == id && !e.reason.empty();
        });
        const bool explored = covered(family, id, {"explore"});
        EXPECT_TRUE(explored || excused) << id << " lacks a claim that explore settles";
        EXPECT_FALSE(explored && excused) << id << " needs no exemption";
    }
    EXPECT_FALSE(covered("queueing", "no-such-policy", {"sampled"}));
}

/// States of this family are exhausted on grids: what it decides is a scan of jobs, small shapes of which are all
/// there.
TEST(Claims, EverySharingPolicyHasSampledAndExhaustedClaims) {
    EXPECT_GE(sharing::policies().size(), 8U);
    for (const sharing::PolicyInfo& policy : sharing::policies()) {
        EXPECT_TRUE(covered("sharing", policy.id, {"sampled"})) << policy.id << " lacks a property-based claim";
        EXPECT_TRUE(covered("sharing", policy.id, {"exhaustive"})) << policy.id << " lacks an exhausted claim";
    }
    // An assignment scheduler of the same name does not count.
    EXPECT_TRUE(covered("assignment", "delay", {"sampled"}));
    EXPECT_FALSE(covered("sharing", "ltfpa", {"sampled"}));
}

TEST(Claims, AreWholeObjects) {
    const std::set<std::string> known{"explore", "exhaustive", "sampled", "certificate", "simulation"};
    std::set<std::string> ids;
    for (const Claim& c : claims()) {
        SCOPED_TRACE(c.id);
        EXPECT_TRUE(ids.insert(c.id).second);
        EXPECT_FALSE(c.statement.empty() || c.source.empty() || c.family.empty());
        EXPECT_TRUE(c.statement.ends_with("."));
        const std::vector<std::string> oracles = c.oracles();
        EXPECT_FALSE(c.lines.empty() || oracles.empty());
        // A claim that is refuted where that is expected has shown that its check can fail.
        const bool refuted = std::any_of(c.lines.begin(), c.lines.end(),
                                         [](const Line& line) { return line.expectation == Expectation::fails; });
        EXPECT_TRUE(refuted || !c.mutants.empty());
        EXPECT_TRUE(std::visit([](const auto& asked) { return asked.violation && asked.witness; }, c.asked));
        if (const auto* queueing = std::get_if<QueueingClaim>(&c.asked)) {
            EXPECT_TRUE(queueing->outside);
        }
        for (const std::string& oracle : oracles) EXPECT_TRUE(known.contains(oracle)) << oracle;
        for (const Mutant& mutant : c.mutants) EXPECT_TRUE(known.contains(mutant.oracle)) << mutant.name;
        for (const Line& line : c.lines) {
            const std::string_view id = std::visit(
                [&]<class Asked>(const Asked&) {
                    if constexpr (std::same_as<Asked, QueueingClaim>)
                        return queueing::resolve_policy(line.policy);
                    else if constexpr (std::same_as<Asked, AssignmentClaim>)
                        return assignment::resolve_scheduler(line.policy);
                    else if constexpr (std::same_as<Asked, RedundancyClaim>)
                        return redundancy::resolve_policy(line.policy);
                    else
                        return sharing::resolve_policy(line.policy);
                },
                c.asked);
            EXPECT_EQ(id, line.policy);
            for (const std::string& instance : line.instances) EXPECT_EQ(name_of(c.instance(instance)), instance);
            EXPECT_FALSE(line.instances.empty());
            EXPECT_EQ(line.expectation != Expectation::holds, !line.why.empty()) << line.policy;
            for (const std::string& oracle : line.oracles)
                EXPECT_TRUE(std::find(oracles.begin(), oracles.end(), oracle) != oracles.end());
        }
    }
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
    const std::vector<MutantRow> rows = run_mutants(select(claims(), {}), {}, 2);
    EXPECT_GE(rows.size(), 12U);
    std::set<std::string> names, kinds;
    for (const MutantRow& row : rows) {
        EXPECT_NE(row.caught, "") << row.claim << ": " << row.mutant->name << ", " << row.mutant->fault;
        EXPECT_TRUE(names.insert(row.mutant->name).second) << row.mutant->name;
        kinds.insert(row.mutant->fault.substr(0, row.mutant->fault.find(':')));
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
    return c;
}
Oracle says(const Verdict& verdict) {
    return {"sampled", [verdict](const System&, const Settings&) { return verdict; }};
}
Verdict refuted_at_start() {
    const System system = registered(named_instance("m2-half"), "random-local");
    return Refuted{QueueingCounterexample{system.instance, system.policy(), system.exact.initial(), "said so"}};
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
    c.violation = [](const ExactSystem&, const ExactState&) { return std::string("always"); };
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
    c.witness = [](const System&) { return std::string(); };
    EXPECT_EQ(run(std::vector<Claim>{c}, {}, {}).exit_code(), 1);
    c = made_up();
    c.oracles = {says(Unknown{"no budget"})};
    EXPECT_EQ(run(std::vector<Claim>{c}, {}, {}).exit_code(), 3);
    c.lines.front().expectation = Expectation::open;
    EXPECT_EQ(run(std::vector<Claim>{c}, {}, {}).exit_code(), 0);
    c.outside = [](const Instance&) { return std::string("never"); };
    const Report report = run(std::vector<Claim>{c}, {}, {});
    EXPECT_TRUE(report.rows.empty());
    EXPECT_EQ(report.outside.size(), 1U);
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

// ------------------------------------------------------------------------------------------------ shrinking

std::int64_t tasks(const ExactState& state) {
    std::int64_t sum = 0;
    for (const CheckedInt n : state.length) sum += n.value();
    return sum;
}

/// The first refutation of a claim for a policy on an instance.
QueueingCounterexample refutation(const QueueingClaim& c, const std::string& policy, const std::string& instance) {
    const System system = registered(named_instance(instance), policy);
    for (const Oracle& oracle : c.oracles) {
        Verdict verdict = consult(c, oracle, system, {});
        if (auto* refuted = std::get_if<Refuted>(&verdict))
            return std::get<QueueingCounterexample>(refuted->counterexample);
    }
    ADD_FAILURE() << "nothing refutes " << c.id;
    return {};
}

TEST(Shrinking, KeepsTheViolationAndIsDeterministic) {
    const QueueingClaim& c = queueing_claim("queueing.serve-takes-waiting");
    const QueueingCounterexample found = refutation(c, "pandas:rackaware", "m3-racks");
    const Shrunk once = shrink(c, found), again = shrink(c, found);
    EXPECT_EQ(once.counterexample.state, again.counterexample.state);
    EXPECT_EQ(write_toml(*once.counterexample.instance), write_toml(*again.counterexample.instance));
    EXPECT_EQ(once.tried, again.tried);
    const ExactSystem system = registered_exact(*once.counterexample.instance, "pandas:rackaware");
    EXPECT_NE(c.violation(system, once.counterexample.state), "");
    EXPECT_LE(once.counterexample.instance->servers().size(), 2U);
    EXPECT_LE(tasks(once.counterexample.state), 2);
}

TEST(Shrinking, ADriftCounterexampleStaysFarOut) {
    const QueueingClaim& c = queueing_claim("queueing.squares-drift-negative");
    const Shrunk shrunk = shrink(c, refutation(c, "wang-jsq-maxweight", "m2-half"));
    EXPECT_GE(tasks(shrunk.counterexample.state), 1000);
    EXPECT_LE(tasks(shrunk.counterexample.state), 3100);
    EXPECT_EQ(c.outside(*shrunk.counterexample.instance), "");
}

TEST(Shrinking, EndsAtItsBound) {
    const QueueingClaim& c = queueing_claim("queueing.squares-drift-negative");
    const QueueingCounterexample found = refutation(c, "pandas:plain", "m2-uneven");
    const Shrunk none = shrink(c, found, 0);
    EXPECT_EQ(none.tried, 0U);
    EXPECT_EQ(none.counterexample.state, found.state);
    EXPECT_LE(shrink(c, found, 7).tried, 7U);
}

/// Violations that hold for other reasons, so that every way to shrink is taken.
TEST(Shrinking, ReachesTheSmallestOfASimpleProperty) {
    QueueingClaim c = made_up();
    c.violation = [](const ExactSystem& system, const ExactState& state) {
        return system.instance().total_arrival_rate().sign() > 0 && tasks(state) >= 1 ? std::string("a task") : "";
    };
    const System start = registered(named_instance("n2-pandas"), "jsq-maxweight");
    Settings settings;
    Sampler chance = sampler(settings, 7);
    const ExactState state = random_state(start.exact, chance, 1000);
    ASSERT_GE(tasks(state), 1);
    const Shrunk shrunk = shrink(c, {start.instance, "jsq-maxweight", state, "a task"});
    EXPECT_EQ(shrunk.counterexample.instance->servers().size(), 1U);
    EXPECT_EQ(shrunk.counterexample.instance->types().size(), 1U);
    EXPECT_EQ(tasks(shrunk.counterexample.state), 1);
    for (const queueing::Service& s : shrunk.counterexample.state.serving)
        EXPECT_EQ(s.status, queueing::Service::Status::idle);
}

}  // namespace
}  // namespace schedproof::checks
