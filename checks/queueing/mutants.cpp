#include "checks/queueing/mutants.hpp"

#include <algorithm>

#include "policies/queueing/balanced_pandas.hpp"
#include "policies/queueing/fluid_model_planning.hpp"
#include "policies/queueing/generalized_cmu.hpp"
#include "policies/queueing/jsq_maxweight.hpp"
#include "policies/queueing/pandas.hpp"
#include "policies/queueing/wang_jsq_maxweight.hpp"
#include "proofs/queueing/capacity/plan.hpp"

namespace schedproof::checks::mutants {

using namespace queueing;

namespace {

using namespace queueing::language;

/// A policy with one rule changed, held to what the unchanged one says of its decisions.
template <class P>
AnyPolicy with_route(const Expression& changed) {
    return AnyPolicy(P::info, P::rules.with(language::route(changed))).held_to(decision_class(P::rules));
}
template <class P>
AnyPolicy with_serve(const Expression& changed) {
    return AnyPolicy(P::info, P::rules.with(language::serve(changed))).held_to(decision_class(P::rules));
}

constexpr auto longest = argmax(nonempty(reachable), length);
constexpr auto pays = rate * length >= local_rate * tasks(1);

System of(const InstancePtr& instance, const AnyPolicy& policy) {
    return {instance, SymbolicSystem(*instance, policy), ExactSystem(*instance, policy)};
}

}  // namespace

System jsq_routes_to_longest(const InstancePtr& instance) {
    return of(instance, with_route<JsqMaxWeight>(argmax(local, length)));
}
System jsq_drops_routing_ties(const InstancePtr& instance) {
    return of(instance, with_route<JsqMaxWeight>(lowest(1, argmin(local, length))));
}
System wang_ignores_common_when_routing(const InstancePtr& instance) {
    return of(instance, with_route<WangJsqMaxWeight>(argmin(local, length)));
}
/// Least workload, whatever the distance: W_m instead of W_m / mu.
System balanced_routes_by_plain_workload(const InstancePtr& instance) {
    return of(instance, with_route<BalancedPandas>(argmin(servers, server_workload)));
}
/// The plan with the first two servers exchanged: it serves all arrivals, and is another one.
FluidPlan exchanged(const InstancePtr& instance) {
    FluidPlan plan = capacity::fluid_plan(*instance);
    for (FluidPlan::Activity& activity : plan.activities)
        if (activity.server.index() < 2) activity.server = ServerId(1 - activity.server.index());
    return plan;
}
System static_plan_exchanged(const InstancePtr& instance) {
    return of(instance, FluidModelPlanningStatic(*instance, exchanged(instance)));
}
System static_split_even(const InstancePtr& instance) {
    FluidPlan plan = capacity::fluid_plan(*instance);
    for (FluidPlan::Activity& activity : plan.activities) {
        const auto of_type = std::count_if(plan.activities.begin(), plan.activities.end(),
                                           [&](const FluidPlan::Activity& a) { return a.type == activity.type; });
        activity.amount = instance->arrival_rate(activity.type) / Rational(of_type);
    }
    return of(instance, FluidModelPlanningStatic(*instance, plan));
}
System deficit_plan_exchanged(const InstancePtr& instance) {
    return of(instance, FluidModelPlanningDeficit(*instance, exchanged(instance)));
}
System jsq_serves_smallest_weight(const InstancePtr& instance) {
    return of(instance, with_serve<JsqMaxWeight>(argmin(reachable, rate * length)));
}
System jsq_ignores_rates(const InstancePtr& instance) {
    return of(instance, with_serve<JsqMaxWeight>(first_of(longest, own)));
}
System wang_never_helps(const InstancePtr& instance) { return of(instance, with_serve<WangJsqMaxWeight>(own)); }
/// alpha where gamma belongs.
System wang_weighs_common_as_local(const InstancePtr& instance) {
    return of(instance, with_serve<WangJsqMaxWeight>(when(
                            least(own, local_rate * servable) >= least(common, local_rate * servable), own, common)));
}
System wang_ties_go_to_common(const InstancePtr& instance) {
    return of(instance, with_serve<WangJsqMaxWeight>(
                            when(least(own, rate * servable) > least(common, rate * servable), own, common)));
}
System balanced_serves_remote_first(const InstancePtr& instance) {
    return of(instance, with_serve<BalancedPandas>(first_of(argmax(nonempty(own_levels), distance), own)));
}
/// Strictly more than alpha, where the paper has at least.
System pandas_threshold_off_by_one(const InstancePtr& instance) {
    return of(instance, with_serve<PandasPlain>(
                            first_of(nonempty(own), where(longest, rate * length > local_rate * tasks(1)), own)));
}
System pandas_helps_before_own(const InstancePtr& instance) {
    return of(instance, with_serve<PandasPlain>(first_of(where(longest, pays), own)));
}
/// Serves the type of largest marginal cost, however far its data.
System cmu_ignores_costs_of_distance(const InstancePtr& instance) {
    return of(instance, with_serve<GeneralizedCmu>(argmax(nonempty(reachable), marginal_cost)));
}

System crossed(System left, const System& right) {
    left.exact = right.exact;
    return left;
}

}  // namespace schedproof::checks::mutants
