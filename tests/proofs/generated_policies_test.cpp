/// Policies that nobody wrote, in the symbolic mode.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "model/core/errors.hpp"
#include "policies/queueing/exact.hpp"
#include "proofs/queueing/symbolic/symbolic_system.hpp"
#include "tests/model/generated_rules.hpp"
#include "tests/model/queueing_generators.hpp"

namespace schedproof::queueing {
namespace {

TEST(GeneratedPolicies, AnswerAtAPointWhatTheExactKernelAnswers) {
    EXPECT_TRUE(rc::check("symbolic answers at a point are the exact ones", [] {
        const Rules rules = *oracle::any_rules();
        const std::string like = oracle::policy_of_layout(rules);
        const Instance instance = *oracle::small_instance(like);
        const ExactState state = *oracle::valid_state(instance, oracle::queue_shape(instance, like));
        const AnyPolicy policy({"generated", "test", "drawn at random"}, rules);
        const ExactSystem exact(instance, policy);
        const SymbolicSystem symbolic(instance, policy);
        const proof::Space space = symbolic.space(state);
        explore::PointDecider decider(space, symbolic.point(state));
        const SymbolicState at = symbolic.state(state, explore::symbols(decider));
        try {
            for (const TaskTypeId type : instance.types())
                RC_ASSERT(symbolic.route(at, type) == exact.route(state, type));
            for (const ServerId m : instance.servers()) RC_ASSERT(symbolic.serve(at, m) == exact.serve(state, m));
        } catch (const LimitExceeded& limit) {  // a marginal cost that is not affine has no symbolic mode
            RC_ASSERT(std::string(limit.what()).find("affine") != std::string::npos);
        }
    }));
}

}  // namespace
}  // namespace schedproof::queueing
