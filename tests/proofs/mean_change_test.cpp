/// The symbolic drift of V, whose constant parts are computed once per slot, is the exact drift at every state.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "proofs/queueing/theorems/drift.hpp"
#include "proofs/queueing/theorems/lyapunov.hpp"
#include "tests/model/queueing_generators.hpp"

namespace schedproof::queueing {
namespace {

LyapunovForm random_function(std::size_t queues, std::size_t servers) {
    const auto form = [&] {
        LyapunovForm::Linear f{Rational(*rc::gen::inRange(-2, 3))};
        for (std::size_t q = 0; q < queues; ++q)
            f.add(Rational(*rc::gen::inRange(-2, 3)), LyapunovForm::Linear::variable(static_cast<proof::Variable>(q)));
        return f;
    };
    LyapunovForm v{"random", {}, {}};
    for (int i = *rc::gen::inRange(0, 3); i > 0; --i)
        v.products.push_back({Rational(*rc::gen::inRange(-3, 4)), form(), form()});
    for (int i = *rc::gen::inRange(0, 3); i > 0; --i) {
        LyapunovForm::Piece piece{{}, Rational(*rc::gen::inRange(-3, 4)), {form(), form()}};
        if (*rc::gen::arbitrary<bool>())
            piece.when = LyapunovForm::Condition{
                ServerId(*rc::gen::inRange<std::size_t>(0, servers)), {}, {}, *rc::gen::arbitrary<bool>()};
        v.pieces.push_back(std::move(piece));
    }
    return v;
}

TEST(MeanChange, IsTheExactDriftOfRandomFunctions) {
    for (const std::string id : {"wang-jsq-maxweight", "jsq-maxweight", "pandas:plain", "balanced-pandas"}) {
        EXPECT_TRUE(rc::check(id + ": symbolic drift at a point", [&] {
            const Instance instance = *oracle::small_instance(id, oracle::with_own_rates());
            const ExactState state = *oracle::valid_state(instance, oracle::queue_shape(instance, id));
            const ExactSystem exact(instance, make_policy(id, instance, {}));
            const SymbolicSystem symbolic(instance, make_policy(id, instance, {}));
            if (symbolic.layout().lists_tasks()) return;
            const LyapunovForm v = random_function(symbolic.layout().queues(), instance.servers().size());
            const proof::Space space = symbolic.space(state);
            explore::PointDecider decider(space, symbolic.point(state));
            const proof::LinearForm change =
                symbolic_drift(symbolic, symbolic.state(state, explore::symbols(decider)), v);
            RC_ASSERT(change.at(symbolic.point(state)) == drift(exact, state, v));
        }));
    }
}

}  // namespace
}  // namespace schedproof::queueing
