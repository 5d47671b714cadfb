/// Policies with a seeded fault, added as a user's are: the claims that they hope for refute them, and what nobody
/// states of them is not said.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <string>

#include "checks/assignment/family.hpp"
#include "checks/core/run.hpp"
#include "checks/families.hpp"
#include "model/core/errors.hpp"
#include "proofs/assignment/added.hpp"
#include "proofs/assignment/theorems/system_under_test.hpp"
#include "tests/experiments/seeded/assignment_even_counts.hpp"
#include "tests/experiments/seeded/assignment_forgetful_list.hpp"
#include "tests/experiments/seeded/assignment_frozen_price.hpp"
#include "tests/experiments/seeded/assignment_stale_head.hpp"

namespace schedproof::checks::assignment_seeded {
namespace {

using namespace assignment;

/// Runs the body in a process of its own, so that the policies which it adds end with it.
void apart(const std::function<void()>& body) {
    EXPECT_EXIT(
        {
            body();
            std::exit(testing::Test::HasFailure() ? 1 : 0);
        },
        testing::ExitedWithCode(0), "");
}

std::vector<std::string> lines_of(const Claim& claim) {
    std::vector<std::string> names;
    for (const Line& line : claim.lines)
        for (const std::string& name : line.instances)
            if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    return names;
}

/// The verdicts of the claim's oracles on the policy, on the instances of the claim's own lines.
std::vector<Verdict> verdicts(const std::string& claim_id, const std::string& policy) {
    const Claim claim = claim_named(claim_id);
    const std::vector<std::string> oracles = claim.any->oracles();
    std::vector<Verdict> all;
    for (const std::string& name : lines_of(claim)) {
        const DomainPtr domain = claim.family().instance(name);
        const auto trial = claim.any->trial(domain, policy);
        for (std::size_t i = 0; i < oracles.size(); ++i)
            if (claim.any->suits(i, *domain)) all.push_back(trial->ask(i, {}));
    }
    return all;
}

/// Whether each hope is refuted, by a counterexample that stays one when it is made smaller.
template <class P>
void expect_refuted() {
    apart([] {
        add_policy(added<P>());
        const std::string id(P::info.id);
        for (const char* hope : P::hopes) {
            std::size_t refuted = 0;
            for (const Verdict& verdict : verdicts(hope, id)) {
                const auto* found = std::get_if<Refuted>(&verdict);
                if (!found) continue;
                ++refuted;
                const Claim claim = claim_named(hope);
                const Shrunk shrunk = claim.any->shrink(found->counterexample);
                EXPECT_NE(claim.any->violation(shrunk.counterexample), "");
                EXPECT_FALSE(claim.any->pictures(shrunk.counterexample, {"title"}).empty());
            }
            EXPECT_GT(refuted, 0U) << hope;
        }
    });
}

TEST(SeededAssignmentPolicies, AreRefutedByWhatTheyHopeFor) {
    expect_refuted<ForgetfulList>();
    expect_refuted<EvenCounts>();
    expect_refuted<StaleHead>();
    expect_refuted<FrozenPrice>();
}

/// A claim about parts, numbers or events of other policies affirms nothing of an added one.
TEST(SeededAssignmentPolicies, AreNotSpokenOfByAccident) {
    apart([] {
        add_policy(added<ForgetfulList>());
        add_policy(added<StaleHead>());
        for (const Claim& claim : assignment_family().claims()) {
            const std::string id = claim.id.substr(claim.id.find('.') + 1);
            for (const char* policy : {"forgetful-list", "stale-head"}) {
                const bool of_it =
                    id == "outcome-consistent" || (id == "local-first" && policy == std::string("stale-head"));
                const bool of_outputs = id == "twice-the-optimum" || id == "optimal" || id == "not-above-balanced" ||
                                        id == "theorem-4.output";
                const bool asked = std::any_of(claim.lines.begin(), claim.lines.end(),
                                               [&](const Line& line) { return line.policy == policy; });
                EXPECT_EQ(asked, of_it) << claim.id;
                if (of_it || of_outputs) continue;
                for (const Verdict& verdict : verdicts(claim.id, policy))
                    EXPECT_EQ(kind_of(verdict), VerdictKind::unknown) << claim.id << ", " << policy;
            }
        }
    });
}

/// Takes a remote task first when it draws so.
struct SometimesRemoteFirst {
    static constexpr PolicyInfo info{"sometimes-remote-first", "test", "stale-head, if it draws so, else hadoop"};
    static constexpr bool online = true;
    template <Number N, Randomness R>
    [[nodiscard]] ScheduleResult<N> schedule(const Problem<N>& problem, R& randomness) const {
        if (randomness.uniform(50) == 49) return StaleHead{}.schedule(problem);
        return Hadoop{}.schedule(problem, randomness);
    }
};

/// Claims are about whatever a policy draws; a theorem about symbols is not stated of one that draws.
TEST(SeededAssignmentPolicies, AreAskedForEveryDraw) {
    apart([] {
        add_policy(added<SometimesRemoteFirst>());
        const std::string id(SometimesRemoteFirst::info.id);
        EXPECT_EQ(AssignmentFamily::refusal(id), "");
        std::size_t refuted = 0, unknown = 0;
        for (const Verdict& verdict : verdicts("assignment.local-first", id)) {
            refuted += kind_of(verdict) == VerdictKind::refuted ? 1 : 0;
            unknown += kind_of(verdict) == VerdictKind::unknown ? 1 : 0;
            EXPECT_NE(kind_of(verdict), VerdictKind::proved);
        }
        EXPECT_EQ(refuted, 1U);
        EXPECT_EQ(unknown, 3U);
        const AssignmentProblem problem = AssignmentFamily::samples(parse_family("1,1:0/01")).front();
        EXPECT_THROW((void)registered_system(id, Rational(0), Counted::events).exact(problem), InputError);
    });
}

}  // namespace
}  // namespace schedproof::checks::assignment_seeded
