/// Every registered sharing policy agrees with itself in all ways of running it, generated ones do or are refused for a
/// contract that they break, and policies with hidden parts are refused with the reason.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>

#include "checks/sharing/agreement.hpp"
#include "checks/sharing/family.hpp"
#include "checks/sharing/generate.hpp"
#include "checks/sharing/properties/properties.hpp"
#include "policies/sharing/fair_kill.hpp"
#include "tests/support/trees/sharing.hpp"

namespace schedproof::checks::sharing_agreement {
namespace {

using namespace sharing;

template <class P>
MakeSharingPolicy always(P policy) {
    return [policy](const Parameters& p) { return policy_under_test(policy, p); };
}

TEST(SharingAgreement, HoldsForEveryRegisteredPolicy) {
    for (const PolicyInfo& info : policies()) EXPECT_EQ(SharingFamily::refusal(std::string(info.id)), "") << info.id;
}

/// Refused by types alone if its parameters were of a type that the compiler can run: so they are not.
struct Remembers {
    static constexpr PolicyInfo info{"remembers", "test", "declines every other offer"};
    std::shared_ptr<int> calls = std::make_shared<int>(0);
    static constexpr std::tuple parameters{Parameter("calls", &Remembers::calls)};
    template <SharingView V>
    std::optional<Launch> offer(V& now, NodeRef n) const {
        if (++*calls % 2 == 0) return {};
        for (const JobRef j : now.jobs(Order::fair)) return Launch{j, now.nearest(j, n)};
        return {};
    }
};
/// Another policy for another source of answers.
struct LooksAtType {
    static constexpr PolicyInfo info{"looks-at-type", "test", "takes other jobs where a state is scanned"};
    template <SharingView V>
    constexpr std::optional<Launch> offer(V& now, NodeRef n) const {
        constexpr bool scanned = std::same_as<V, OfferView<ScanningView>>;
        for (const JobRef j : now.jobs(scanned ? Order::fifo : Order::fair)) return Launch{j, now.nearest(j, n)};
        return {};
    }
};
/// Another policy for another type of counts.
struct LooksAtCounts {
    static constexpr PolicyInfo info{"looks-at-counts", "test", "takes other jobs where its counts are affine"};
    template <SharingView V>
    constexpr std::optional<Launch> offer(V& now, NodeRef n) const {
        constexpr bool affine = std::same_as<typename V::Count, AffineCount>;
        for (const JobRef j : now.jobs(affine ? Order::fifo : Order::fair)) return Launch{j, now.nearest(j, n)};
        return {};
    }
};
/// Reads what a count is made of: of a symbol its constant is 0, so that in a theorem nobody seems to have been
/// skipped.
struct LooksIntoCounts {
    static constexpr PolicyInfo info{"looks-into-counts", "test", "waits by the constant of a count"};
    template <SharingView V>
    constexpr std::optional<Launch> offer(V& now, NodeRef n) const {
        for (const JobRef j : now.jobs(Order::fair)) {
            const auto skips = now.skips(j);
            if (constant_of(skips) > 0) return {};
            return Launch{j, now.nearest(j, n)};
        }
        return {};
    }
    template <class Count>
    static constexpr std::int64_t constant_of(const Count& count) {
        if constexpr (requires { count.constant(); })
            return count.constant();
        else
            return count;
    }
};
struct KillsByCounts : NaiveFair {
    static constexpr PolicyInfo info{"kills-by-counts", "test", "kills nothing where its counts are affine"};
    template <ReclaimingView V>
    constexpr std::optional<JobRef> reclaim(const V& now) const {
        if constexpr (std::same_as<typename V::Count, AffineCount>)
            return {};
        else
            return FairKill().reclaim(now);
    }
};
/// Reads a number off a node, against the rules.
struct LooksAtNode {
    static constexpr PolicyInfo info{"looks-at-node", "test", "declines offers of the first node"};
    template <SharingView V>
    constexpr std::optional<Launch> offer(V& now, NodeRef n) const {
        if (Disclosed::id(n).index() == 0) return {};
        for (const JobRef j : now.jobs(Order::fair)) return Launch{j, now.nearest(j, n)};
        return {};
    }
};
struct LooksAtJob {
    static constexpr PolicyInfo info{"looks-at-job", "test", "passes over the first job"};
    template <SharingView V>
    constexpr std::optional<Launch> offer(V& now, NodeRef n) const {
        for (const JobRef j : now.jobs(Order::fair))
            if (Disclosed::id(j).index() > 0) return Launch{j, now.nearest(j, n)};
        return {};
    }
};
/// Names a task that may not be there.
struct AlwaysLocal {
    static constexpr PolicyInfo info{"always-local", "test", "launches local tasks, whether there are any or not"};
    template <SharingView V>
    constexpr std::optional<Launch> offer(V& now, NodeRef) const {
        for (const JobRef j : now.jobs(Order::fair)) return Launch{j, Locality::local};
        return {};
    }
};
/// Kills as long as anything runs.
struct KillsForEver : NaiveFair {
    static constexpr PolicyInfo info{"kills-for-ever", "test", "kills of the job with the most running tasks, always"};
    template <ReclaimingView V>
    constexpr std::optional<JobRef> reclaim(const V& now) const {
        return now.most_running();
    }
};

TEST(SharingAgreement, RefusesWhatPoliciesMustNotDependOn) {
    const auto refusal = [](const auto& policy) { return sharing_disagreement(always(policy)); };
    // How many offers lie between two questions decides which of the two comparisons meets it first.
    const std::string remembers = refusal(Remembers{});
    EXPECT_TRUE(remembers.starts_with("asked twice about an offer") || remembers.starts_with("made twice"))
        << remembers;
    EXPECT_EQ(refusal(LooksAtType{}).find("it answers an offer differently when the jobs have no end"), 0U);
    EXPECT_EQ(refusal(LooksAtCounts{}).find("it answers an offer differently on affine counts"), 0U);
    EXPECT_EQ(refusal(LooksIntoCounts{}).find("it answers an offer differently on affine counts"), 0U);
    EXPECT_EQ(refusal(KillsByCounts{}).find("it kills differently on affine counts"), 0U);
    // The node of a moment is the first one, whatever the offered one is called: either comparison meets it.
    const std::string node = refusal(LooksAtNode{});
    EXPECT_TRUE(node.starts_with("it answers an offer differently when nodes are renamed") ||
                node.starts_with("it answers an offer differently on affine counts"))
        << node;
    EXPECT_EQ(refusal(LooksAtJob{}).find("it answers an offer differently when a job was done before"), 0U);
    EXPECT_EQ(refusal(AlwaysLocal{}).find("it breaks a contract: a policy launches a task that there is"), 0U);
    EXPECT_EQ(refusal(KillsForEver{}).find("it breaks a contract: a policy kills"), 0U) << refusal(KillsForEver{});
}

/// Generated policies are functions of what they ask: they agree, or break a contract. Returns whether they agree.
template <class P>
bool agrees_or_breaks(const P& policy) {
    const std::string why = sharing_disagreement(always(policy), 20);
    RC_ASSERT(why.empty() || why.find("it breaks a contract") == 0);
    return why.empty();
}

TEST(SharingAgreement, OfGeneratedPolicies) {
    std::size_t agree = 0;
    const auto shared = [](trees::JobTree tree) { return std::make_shared<const trees::JobTree>(std::move(tree)); };
    EXPECT_TRUE(rc::check("offers", [&] {
        const trees::JobTree tree = *trees::job_trees();
        agree += agrees_or_breaks(trees::JobTreePolicy{shared(tree)}) ? 1 : 0;
    }));
    EXPECT_TRUE(rc::check("queues", [&] {
        const trees::QueueTree tree = *trees::queue_trees();
        agree += agrees_or_breaks(trees::QueueTreePolicy{tree}) ? 1 : 0;
    }));
    EXPECT_TRUE(rc::check("kills", [&] {
        const trees::JobTree tree = *trees::job_trees();
        const trees::KillTree kills = *trees::kill_trees();
        agree += agrees_or_breaks(trees::KillTreePolicy{shared(tree), kills}) ? 1 : 0;
    }));
    EXPECT_GT(agree, 60U);
}

/// The claim `sharing.one-launch` speaks of every policy.
TEST(SharingAgreement, GeneratedPoliciesLaunchOneTaskAnOffer) {
    EXPECT_TRUE(rc::check([&] {
        const trees::JobTree tree = *trees::job_trees();
        const SharingPolicyUnderTest policy =
            policy_under_test(trees::JobTreePolicy{std::make_shared<const trees::JobTree>(tree)}, {});
        Sampler randomness(StreamKey{*rc::gen::inRange<std::uint64_t>(0, 1 << 20)});
        const SharingCase c = random_sharing_state(randomness);
        try {
            RC_ASSERT(sharing_properties::one_launch(policy, c) == std::string());
        } catch (const ContractViolation&) {}
    }));
}

/// An integer without a sign that does not fit is refused, and does not come out below 0.
TEST(AffineCounts, StayWithin64Bits) {
    constexpr auto most = std::numeric_limits<std::uint64_t>::max();
    EXPECT_THROW(AffineCount{most}, ContractViolation);
    EXPECT_THROW((void)(most * AffineCount(1)), ContractViolation);
    EXPECT_THROW((void)(AffineCount(3) < most), ContractViolation);
    EXPECT_EQ(AffineCount(most / 2).constant(), std::numeric_limits<std::int64_t>::max());
    EXPECT_EQ(AffineCount(-1).constant(), -1);
}

}  // namespace
}  // namespace schedproof::checks::sharing_agreement
