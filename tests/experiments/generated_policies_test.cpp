/// Policies that nobody wrote, in the simulators: the law of the queue lengths after some slots is the exact kernel's.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "experiments/simulators/slotted/dense_counts.hpp"
#include "experiments/simulators/slotted/slotted.hpp"
#include "model/core/errors.hpp"
#include "tests/experiments/queueing_laws.hpp"
#include "tests/experiments/slotted_oracle.hpp"
#include "tests/model/generated_rules.hpp"
#include "tests/model/queueing_generators.hpp"

namespace schedproof::simulation {
namespace {

/// A p-value below the bound would come by chance in one of ten million cases.
TEST(GeneratedPolicies, HaveTheKernelsLawInTheSlottedSimulators) {
    EXPECT_TRUE(rc::check("queue lengths after some slots follow the exact law", [] {
        const queueing::Rules rules = *oracle::any_rules();
        const std::string like = oracle::policy_of_layout(rules);
        const System system{std::make_shared<const queueing::Instance>(
            *oracle::small_instance(like, {std::nullopt, std::nullopt, *rc::gen::inRange<std::size_t>(1, 3)}))};
        const queueing::AnyPolicy policy({"generated", "test", "drawn at random"}, rules);
        const auto truncation = *oracle::any_truncation();
        const int slots = *rc::gen::inRange(1, 3);
        constexpr std::uint64_t runs = 300;
        const auto exact = exact_lengths(queueing::ExactSystem(*system.instance, policy, truncation), slots);
        for (const bool delays : {false, true}) {
            SeenLengths seen;
            for (std::uint64_t r = 0; r < runs; ++r) {
                SlottedRun<AnyRules> run(system, policy, {100, 1, delays, truncation}, {41, r});
                for (int t = 0; t < slots; ++t) run.step();
                ++seen[lengths_of(run)];
            }
            RC_ASSERT(fit(exact, seen, static_cast<double>(runs)) > 1e-7);
        }
        if (!dense_counts_suit(system, policy.layout(*system.instance), {100, 1, false, truncation})) return;
        SeenLengths seen;
        for (std::uint64_t r = 0; r < runs; ++r) {
            DenseRun<AnyRules> run(system, policy, {100, 1, false, truncation}, {43, r});
            for (int t = 0; t < slots; ++t) run.step();
            ++seen[lengths_of(run)];
        }
        RC_ASSERT(fit(exact, seen, static_cast<double>(runs)) > 1e-7);
    }));
}

}  // namespace
}  // namespace schedproof::simulation
