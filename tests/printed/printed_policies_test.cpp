/// Generated policies, printed as C++ and compiled, decide as the trees that were printed.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <array>

#include "policies/queueing/exact.hpp"
#include "tests/model/queueing_generators.hpp"
#include "tests/printed/drawn_rules.hpp"

using PrintedFile = std::array<schedproof::queueing::AnyPolicy, schedproof::printed::policies_of_file>;
extern const PrintedFile printed_policies_0, printed_policies_1, printed_policies_2, printed_policies_3,
    printed_policies_4;

namespace schedproof::queueing {
namespace {

const PrintedFile& compiled(std::size_t file) {
    static const std::array<const PrintedFile*, printed::files> all{
        &printed_policies_0, &printed_policies_1, &printed_policies_2, &printed_policies_3, &printed_policies_4};
    return *all[file];
}

/// Whether two policies answer alike at a random state of a random cluster.
bool same_answers(const AnyPolicy& first, const AnyPolicy& second) {
    const std::string like = oracle::policy_of_layout(second.rules());
    const Instance instance = *oracle::small_instance(like);
    const ExactState state = *oracle::valid_state(instance, oracle::queue_shape(instance, like));
    const Kernel<CheckedInt> one(instance, first), other(instance, second);
    bool same = true;
    for (const TaskTypeId type : instance.types()) same = same && one.route(state, type) == other.route(state, type);
    for (const ServerId m : instance.servers()) same = same && one.serve(state, m) == other.serve(state, m);
    return same;
}

TEST(PrintedPolicies, DecideAsTheTreesThatWerePrinted) {
    EXPECT_TRUE(rc::check("compiled and interpreted policies answer alike", [] {
        for (std::size_t file = 0; file < printed::files; ++file)
            for (std::size_t k = 0; k < printed::policies_of_file; ++k) {
                const AnyPolicy drawn({"drawn", "test", "drawn at random"}, printed::drawn_rules(file, k));
                RC_ASSERT(same_answers(compiled(file)[k], drawn));
            }
    }));
}

/// The comparison can fail: a policy whose servers serve their own queues only is another one.
TEST(PrintedPolicies, AreToldApartFromOthers) {
    int told_apart = 0;
    EXPECT_TRUE(rc::check("another policy answers otherwise somewhere", [&] {
        for (std::size_t file = 0; file < printed::files; ++file) {
            const Rules other = printed::drawn_rules(file, 0).with(language::serve(language::own));
            told_apart += same_answers(compiled(file)[0], {{"own", "test", "own queues only"}, other}) ? 0 : 1;
        }
    }));
    EXPECT_GT(told_apart, 50);
}

}  // namespace
}  // namespace schedproof::queueing
