/// The comparisons of a redundancy policy with itself.
///
/// The reference model is given the policy's grants as a list, one entry per rank, and makes the schedule in its own
/// way. On symbols every arrival and size is one, and a PointDecider answers each comparison as the numbers do.
#include "checks/redundancy/agreement.hpp"

#include "checks/redundancy/generate.hpp"

namespace schedproof::checks {

using namespace redundancy;
using explore::Affine;

namespace {

ReferencePolicy as_list(const RedundancyPolicyInModes& policy) {
    return {policy.order == Order::remaining, [&policy](std::size_t n, std::size_t machines) {
                std::vector<ReferenceShare> shares(n);
                for (const Band& band : policy.allocate(n, machines))
                    for (std::size_t rank = band.first; rank < band.last; ++rank)
                        shares[rank] = {band.grant.copies, Rational(1) / Rational(band.grant.ways)};
                return shares;
            }};
}

/// When jobs end, on symbols that stand for the instance's arrivals and sizes.
std::vector<Rational> completions_on_symbols(const RedundancyPolicyInModes& policy, const Instance& instance) {
    proof::Space space;
    std::vector<Rational> point;
    for (const Job<Rational>& job : instance.problem.jobs)
        for (const Rational& value : {job.arrival, job.size}) {
            space.add("x" + std::to_string(point.size()), false, std::nullopt);
            point.push_back(value);
        }
    explore::PointDecider decider(space, point);
    decider.begin_path();
    const std::vector<Affine> symbols = explore::symbols(decider);
    Problem<Affine> symbolic{instance.problem.machines, instance.problem.service, {}};
    for (std::size_t j = 0; j < instance.problem.jobs.size(); ++j)
        symbolic.jobs.push_back({symbols[2 * j], symbols[2 * j + 1]});
    std::vector<Rational> ends;
    for (const Affine& end : policy.on_symbols(symbolic, instance.speed).completion)
        ends.push_back(end.form().at(point));
    return ends;
}

std::string differs(const RedundancyPolicyInModes& policy, const RedundancyPolicyInModes& again,
                    const Instance& instance) {
    for (std::size_t n = 1; n <= 12; ++n) {
        const Allocation first = policy.allocate(n, instance.problem.machines);
        if (policy.allocate(n, instance.problem.machines) != first) return "asked twice, it grants differently";
        if (again.allocate(n, instance.problem.machines) != first) return "made twice, it grants differently";
    }
    const auto expected = reference_schedule(as_list(policy), instance.problem, instance.speed);
    if (!expected) return "its jobs wait for ever";
    const History<Rational> is = policy.in_rationals(instance.problem, instance.speed);
    if (const std::string found = difference(as_lists(is), *expected); !found.empty())
        return "its schedule is not that of its grants: " + found;
    return completions_on_symbols(policy, instance) == is.completion ? "" : "on symbols its jobs end at other times";
}

}  // namespace

RedundancyPolicyInModes redundancy_policy_in_modes(const AnyPolicy& policy) {
    const auto run = [policy]<class N>(const Problem<N>& problem, const Rational& speed) {
        return history(policy, problem, speed);
    };
    return {[policy](std::size_t n, std::size_t machines) { return ask_allocate(policy, n, machines); }, policy.order,
            run, run};
}

std::string redundancy_disagreement(const std::function<RedundancyPolicyInModes(const Rational& beta)>& make,
                                    std::uint64_t cases) {
    return disagreement(
        [](Sampler& randomness) { return random_redundancy_instance(randomness); },
        [&](const Instance& instance) { return differs(make(instance.beta), make(instance.beta), instance); }, cases);
}

}  // namespace schedproof::checks
