/// What a property asks of a sharing policy, as functions: a mutant is another policy, or one function replaced.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "checks/sharing/endless.hpp"
#include "model/sharing/delay_analysis.hpp"
#include "model/sharing/trajectory.hpp"
#include "policies/sharing/registry.hpp"

namespace schedproof::checks {

/// A randomness source that takes the first of what is tied.
struct FirstOfTied {
    std::size_t draw(const DiscreteDistribution&) { return 0; }
    std::size_t uniform(std::size_t) { return 0; }
    std::size_t proportional(std::span<const std::uint64_t>) { return 0; }
};
static_assert(Randomness<FirstOfTied>);

/// A policy's facts, all through the code of model/sharing.
struct SharingPolicyUnderTest {
    using Setting = sharing::Setting;
    using State = sharing::State;

    std::string policy;              ///< id
    sharing::Parameters parameters;  ///< it was made with
    std::function<sharing::Offered(const Setting&, const State&, sharing::SlotId)> offer;
    std::function<sharing::Queues(const Setting&, const State&, const sharing::Replicas&)> route;  ///< or empty
    std::function<State(const Setting&, const State&, JobId)> submit;
    /// Of which job a task is killed; empty under policies that do not kill.
    std::function<std::optional<JobId>(const Setting&, const State&)> reclaim;
    /// Kills and uses what it took.
    std::function<std::pair<State, std::vector<sharing::Started>>(const Setting&, const State&)> reclaim_all;
    /// The rule for D, which is the same under every policy.
    std::function<std::uint64_t(const sharing::DelaySetting&, const Rational& goal)> rule = sharing::rule_for_skips;
    /// Its code on affine counts.
    std::function<std::shared_ptr<const sharing::PolicyAnswers<sharing::AffineCount>>(
        const sharing::ParametersOf<sharing::AffineCount>&)>
        on_affine_counts;
    /// A free slot of a node offered to jobs without end; empty under policies with queues.
    std::function<std::optional<sharing::JobLaunch>(EndlessJobs&, sharing::NodeId)> offer_endless;
};

template <sharing::SharingPolicy P>
[[nodiscard]] SharingPolicyUnderTest policy_under_test(P policy, const sharing::Parameters& parameters,
                                                       std::string id = std::string(P::info.id)) {
    using namespace sharing;
    SharingPolicyUnderTest under_test;
    under_test.policy = std::move(id);
    under_test.parameters = parameters;
    under_test.offer = [policy](const Setting& setting, const State& state, SlotId slot) {
        return sharing::offer(setting, state, policy, slot);
    };
    under_test.submit = [policy](const Setting& setting, const State& state, JobId j) {
        FirstOfTied randomness;
        return sharing::submit(setting, state, policy, j, randomness);
    };
    under_test.reclaim_all = [policy](const Setting& setting, const State& state) {
        return sharing::reclaim(setting, state, policy);
    };
    under_test.on_affine_counts = [policy](const ParametersOf<AffineCount>& affine) {
        if constexpr (is_erased<P>)
            return policy.on_affine_counts(affine);
        else
            return sharing::detail::CodeOf<P>(policy).on_affine_counts(affine);
    };
    if constexpr (RoutingPolicy<P>)
        under_test.route = [policy](const Setting& setting, State state, const Replicas& data) {
            return sharing::ask_route(policy, ScanningView(setting, state), data);
        };
    else
        under_test.offer_endless = [policy](EndlessJobs& jobs, NodeId n) {
            return sharing::ask_offer(policy, jobs, n);
        };
    if constexpr (ReclaimingPolicy<P>)
        under_test.reclaim = [policy](const Setting& setting, State state) {
            return sharing::ask_reclaim(policy, ScanningView(setting, state));
        };
    return under_test;
}

[[nodiscard]] SharingPolicyUnderTest policy_under_test(const sharing::AnyPolicy& policy,
                                                       const sharing::Parameters& parameters, const std::string& id);

/// As registered. Throws InputError for an unknown id.
[[nodiscard]] SharingPolicyUnderTest policy_under_test(const std::string& policy,
                                                       const sharing::Parameters& parameters);

}  // namespace schedproof::checks
