/// Hunting for small clusters on which a policy breaks: what is found is inside the capacity region, accepted by the
/// checker and no larger than it must be; of a stable policy, and beyond the region, nothing is found.
#include "checks/queueing/hunt.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "checks/queueing/family.hpp"
#include "checks/queueing/hunted_clusters.hpp"
#include "checks/suite/policy_proofs.hpp"
#include "model/core/errors.hpp"
#include "model/queueing/codec/codec.hpp"
#include "model/queueing/codec/policy_text.hpp"
#include "policies/queueing/registry.hpp"
#include "policies/queueing/temporary_policy.hpp"
#include "proofs/certifier/certify.hpp"
#include "proofs/queueing/capacity/region.hpp"
#include "proofs/queueing/transience/cone_search.hpp"
#include "proofs/queueing/transience/mode_search.hpp"
#include "tests/support/command.hpp"
#include "tests/support/test_name.hpp"

namespace schedproof::checks::hunt_tests {
namespace {

using namespace queueing;

/// A rule of the zoo, known as long as this is; where it has a parameter `workers`, with that value.
class Rule {
  public:
    explicit Rule(const std::string& name, std::int64_t workers = 2) : id_("hunted-" + name) {
        const std::string file = SCHEDPROOF_SOURCE_DIR "/experiments/zoo/" + name + ".policy";
        const std::string text = testing_support::slurp(file);
        std::vector<codec::PolicyParameter> values;
        if (text.find("\nlet: workers =") != std::string::npos)
            values.push_back({"workers", language::Ratio(workers, 1)});
        known_ = add_temporary_policy({{id_, "test", "a rule"}, codec::read_policy_text(text, file, values).rules});
    }
    [[nodiscard]] const std::string& id() const { return id_; }
    [[nodiscard]] PolicyOfSize on_any() const {
        return [id = id_](std::size_t) { return id; };
    }

  private:
    std::string id_;
    std::shared_ptr<const void> known_;
};

bool is_proved(const TransienceOutcome& outcome) { return std::holds_alternative<TransienceProof>(outcome); }

/// Transient by modes or in a cone, whatever the load.
bool is_transient(const Instance& instance, const std::string& policy) {
    const AnyPolicy made = make_policy(policy);
    const SymbolicSystem system(instance, made);
    for (const auto prove : {prove_by_modes, prove_in_cone}) try {
            if (is_proved(prove(system))) return true;
        } catch (const LimitExceeded&) {}
    return false;
}

bool is_inside(const Instance& instance) {
    const auto load = capacity::solve(instance);
    return load.exact() && load.load() < Rational(1);
}

/// A hunt that ends after so many clusters.
HuntOptions up_to(std::size_t clusters) {
    HuntOptions options;
    options.threads = 2;
    options.go_on = [clusters](std::string_view, std::size_t tried) { return tried < clusters; };
    return options;
}

class Breaks : public ::testing::TestWithParam<std::string> {};

TEST_P(Breaks, OnASmallClusterThatTheHuntFinds) {
    const Rule rule(GetParam());
    const HuntOutcome outcome = hunt_transience(rule.on_any(), up_to(1000));
    ASSERT_TRUE(outcome.find);
    const HuntFind& find = *outcome.find;
    EXPECT_TRUE(is_inside(*find.found));
    EXPECT_TRUE(is_inside(*find.instance));
    EXPECT_LE(find.instance->servers().size(), 2U);
    EXPECT_EQ(find.policy, rule.id());
    EXPECT_FALSE(outcome.ended);
    EXPECT_LE(outcome.tried, 1000U);
    // The file is read back and checked without a solver.
    const certify::Finding checked = certify::check_text(suite::certificate(find.verdict), "certificate", nullptr);
    EXPECT_TRUE(checked.accepted()) << checked.rejection;
    EXPECT_TRUE(testing_support::contains(checked.sentence, "the cluster is transient"));
    // No smaller variant will do.
    EXPECT_TRUE(find.one_minimal);
    std::size_t variants = 0;
    const ClusterState whole{find.instance, registered_exact(*find.instance, rule.id()).initial()};
    (void)QueueingFamily::smaller(whole, rule.id(), [&](std::optional<ClusterState> smaller) {
        if (!smaller) return false;
        ++variants;
        EXPECT_FALSE(is_inside(*smaller->instance) && is_transient(*smaller->instance, rule.id()))
            << write_toml(*smaller->instance);
        return false;
    });
    EXPECT_GT(variants, 3U);
}

INSTANTIATE_TEST_SUITE_P(Hunt, Breaks,
                         ::testing::Values("gate", "spread", "mean-gate", "bounded-hash", "sticky", "two-choices"),
                         testing_support::named_by_id);

TEST(Hunt, DoesNotDependOnThreads) {
    const Rule rule("sticky");
    std::set<std::string> found;
    for (const unsigned threads : {1U, 3U}) {
        HuntOptions options = up_to(1000);
        options.threads = threads;
        const HuntOutcome outcome = hunt_transience(rule.on_any(), options);
        ASSERT_TRUE(outcome.find);
        found.insert(std::to_string(outcome.tried) + write_toml(*outcome.find->instance) +
                     explanation(outcome.find->verdict));
    }
    EXPECT_EQ(found.size(), 1U);
}

/// Rules of which some size is transient and another is not.
TEST(Hunt, AsksThePolicyOfTheSize) {
    const Rule breaks("two-choices"), holds("least-work");
    const HuntOutcome outcome =
        hunt_transience([&](std::size_t servers) { return servers == 2 ? holds.id() : breaks.id(); }, up_to(3000));
    ASSERT_TRUE(outcome.find);
    EXPECT_EQ(outcome.find->instance->servers().size(), 3U);
    EXPECT_EQ(outcome.find->policy, breaks.id());
}

TEST(Hunt, FindsNothingWhereThePolicyIsStable) {
    const HuntOutcome outcome = hunt_transience(Rule("least-work").on_any(), up_to(1000));
    EXPECT_FALSE(outcome.find);
    EXPECT_TRUE(outcome.ended);
    EXPECT_GE(outcome.tried, 1000U);
    EXPECT_TRUE(testing_support::contains(outcome.reached, "servers"));
}

/// Beyond the capacity region every policy is transient, so a hunt there must not count a cluster. The same clusters
/// show that it would find one at once if it did not look at the load.
TEST(Hunt, LeavesOutWhatNoPolicyCanServe) {
    const Rule rule("least-work");
    const Rational above(21, 20);
    std::size_t asked = 0;
    HuntOptions options = up_to(1);
    options.loads = {above};
    options.go_on = [&](std::string_view, std::size_t) { return ++asked < 10; };
    const HuntOutcome outcome = hunt_transience(rule.on_any(), options);
    EXPECT_FALSE(outcome.find);
    EXPECT_EQ(outcome.tried, 0U);
    const HuntStage& stage = hunt_stages().front();
    std::size_t transient = 0;
    for (const HuntedCluster& cluster : clusters_of(stage))
        if (const auto instance = at_load(stage, cluster, above)) {
            EXPECT_FALSE(is_inside(*instance));
            transient += is_transient(*instance, rule.id()) ? 1 : 0;
        }
    EXPECT_GT(transient, 0U);
}

TEST(Hunt, RefusesWhatNoTransienceIsProvedOf) {
    const auto refuses = [](const char* policy) {
        EXPECT_THROW((void)hunt_transience([&](std::size_t) { return policy; }), InputError) << policy;
    };
    refuses("fluid-model-planning:deficit");
    refuses("no-such-policy");
    // With two types its one queue lists tasks.
    const HuntOutcome outcome = hunt_transience([](std::size_t) { return "fifo"; }, up_to(10));
    EXPECT_GT(outcome.unfit, 10U);
    EXPECT_TRUE(testing_support::contains(outcome.why_unfit, "no list of their tasks")) << outcome.why_unfit;
}

/// Each cluster once, at a load that is the one asked for or a little less.
TEST(HuntedClusters, AreSimpleAndAtTheirLoad) {
    const Rational load(9, 10), least = load * Rational(49, 50);
    for (const HuntStage& stage : hunt_stages()) {
        const std::vector<HuntedCluster> clusters = clusters_of(stage);
        ASSERT_FALSE(clusters.empty()) << stage.in_words();
        std::set<std::string> files;
        for (std::size_t i = 0; i < clusters.size(); i += 1 + clusters.size() / 10) {
            const auto instance = at_load(stage, clusters[i], load);
            ASSERT_TRUE(instance) << stage.in_words();
            EXPECT_EQ(instance->servers().size(), stage.servers);
            EXPECT_EQ(instance->types().size(), stage.types);
            EXPECT_EQ(instance->rates_at_servers(), stage.form == RateForm::by_speed);
            EXPECT_TRUE(instance->rates_at_servers() ||
                        (instance->levels().size() == 3) == (stage.form == RateForm::racks));
            EXPECT_EQ(instance->rates_by_type() && !instance->rates_at_servers(), stage.form == RateForm::by_type);
            const Rational exact = capacity::solve(*instance).load();
            EXPECT_LE(exact, load);
            EXPECT_GE(exact, least);
            EXPECT_TRUE(files.insert(write_toml(*instance)).second);
        }
    }
    // One type on two servers: on one of them or on both, with each of three remote rates.
    EXPECT_EQ(clusters_of({2, 1, RateForm::shared}).size(), 6U);
}

TEST(HuntedClusters, TheSimplestFraction) {
    EXPECT_EQ(simplest_between(Rational(2, 5), Rational(3, 5)), Rational(1, 2));
    EXPECT_EQ(simplest_between(Rational(31, 100), Rational(32, 100)), Rational(5, 16));
    EXPECT_EQ(simplest_between(Rational(3, 7), Rational(3, 7)), Rational(3, 7));
    EXPECT_EQ(simplest_between(Rational(9, 10), Rational(5, 2)), Rational(2));
}

}  // namespace
}  // namespace schedproof::checks::hunt_tests
