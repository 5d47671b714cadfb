#include "policies/queueing/registry.hpp"

#include <fmt/core.h>

#include <array>
#include <deque>
#include <string>

#include "model/base/text.hpp"
#include "policies/core/policy_registry.hpp"
#include "policies/queueing/balanced_pandas.hpp"
#include "policies/queueing/fifo.hpp"
#include "policies/queueing/fluid_model_planning.hpp"
#include "policies/queueing/generalized_cmu.hpp"
#include "policies/queueing/join_shortest_queue.hpp"
#include "policies/queueing/jsq_maxweight.hpp"
#include "policies/queueing/pandas.hpp"
#include "policies/queueing/random_baselines.hpp"
#include "policies/queueing/wang_jsq_maxweight.hpp"

namespace schedproof::queueing {

namespace {

struct Row {
    PolicyInfo info;
    const Rules* rules;
    bool added = false;
    AnyPolicy (*make_with_plan)(const Instance&, const FluidPlan&) = nullptr;  ///< of a policy that follows a plan

    [[nodiscard]] AnyPolicy make() const { return {info, *rules}; }
};

template <QueueingPolicy P>
Row row() {
    if constexpr (PlanningPolicy<P>)
        return {P::info, &P::rules, false,
                [](const Instance& instance, const FluidPlan& plan) -> AnyPolicy { return P(instance, plan); }};
    else
        return {P::info, &P::rules};
}

auto& registry() {
    static Registry rows(std::array{
        row<WangJsqMaxWeight>(),
        row<JsqMaxWeight>(),
        row<PandasPlain>(),
        row<PandasRackaware>(),
        row<BalancedPandas>(),
        row<BalancedPandasIdle>(),
        row<GeneralizedCmu>(),
        row<Fifo>(),
        row<FluidModelPlanningStatic>(),
        row<FluidModelPlanningDeficit>(),
        row<RandomLocal>(),
        row<RandomAny>(),
        row<JoinShortestQueue>(),
    });
    return rows;
}

/// A policy that a run has added, with its texts.
struct Kept {
    std::string id, source, summary;
    Rules rules;
};
std::deque<Kept>& kept() {
    static std::deque<Kept> all;
    return all;
}

}  // namespace

void add_policy(const AddedPolicy& policy) {
    const auto& [info, rules] = policy;
    if (!base::is_plain_name(info.id))
        throw InputError::at_key("policy", fmt::format("expected {}, not {}", base::name_form, base::shown(info.id)));
    kept().push_back({std::string(info.id), std::string(info.source), std::string(info.summary), rules});
    const Kept& own = kept().back();
    registry().add({{own.id, own.source, own.summary}, &own.rules, true});
}

bool is_added(std::string_view id) {
    const Row* row = registry().find(id);
    return row != nullptr && row->added;
}

std::span<const PolicyInfo> policies() { return registry().infos(); }

std::string_view resolve_policy(std::string_view name) { return registry().resolve(name); }

const Rules* find_rules(std::string_view id) {
    const Row* row = registry().find(id);
    return row != nullptr ? row->rules : nullptr;
}

std::string definition(std::string_view name) { return to_string(*registry()[name].rules); }

FluidPlan no_planner(const Instance&) {
    throw InputError::at_key("policy", "expected a policy that needs no plan made by a solver");
}

AnyPolicy make_policy(std::string_view name, const Instance& instance, const Planner& planner) {
    const Row& row = registry()[name];
    return row.make_with_plan != nullptr ? row.make_with_plan(instance, planner(instance)) : row.make();
}

AnyPolicy make_policy(std::string_view name) {
    const Row& row = registry()[name];
    if (row.make_with_plan != nullptr)
        throw InputError::at_key("policy", "expected a policy that needs no plan made by a solver");
    return row.make();
}

}  // namespace schedproof::queueing
