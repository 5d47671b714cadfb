/// The list of queueing policies, and those that a run adds to it.
///
/// Rows point at rules: of the library's policies at constants, of added ones at nodes of a list, which stay where they
/// are. A temporary policy leaves by making the entries anew without it.
#include "policies/queueing/registry.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <list>
#include <string>
#include <vector>

#include "model/base/split.hpp"
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
#include "policies/queueing/temporary_policy.hpp"
#include "policies/queueing/wang_jsq_maxweight.hpp"

namespace schedproof::queueing {

namespace {

struct Entry {
    PolicyInfo info;
    const Rules* rules;
    bool added = false;
    AnyPolicy (*make_with_plan)(const Instance&, const FluidPlan&) = nullptr;  ///< of a policy that follows a plan

    [[nodiscard]] AnyPolicy make() const { return {info, *rules}; }
};

template <QueueingPolicy P>
Entry entry() {
    if constexpr (PlanningPolicy<P>)
        return {P::info, &P::rules, false,
                [](const Instance& instance, const FluidPlan& plan) -> AnyPolicy { return P(instance, plan); }};
    else
        return {P::info, &P::rules};
}

auto of_the_library() {
    const std::vector<OtherName> other_names{{"gb-pandas", BalancedPandas::info.id}};
    const std::array rows{
        entry<WangJsqMaxWeight>(),
        entry<JsqMaxWeight>(),
        entry<PandasPlain>(),
        entry<PandasRackaware>(),
        entry<BalancedPandas>(),
        entry<BalancedPandasIdle>(),
        entry<GeneralizedCmu>(),
        entry<Fifo>(),
        entry<FluidModelPlanningStatic>(),
        entry<FluidModelPlanningDeficit>(),
        entry<RandomLocal>(),
        entry<RandomAny>(),
        entry<JoinShortestQueue>(),
    };
    return Registry(rows, other_names);
}

auto& registry() {
    static auto entries = of_the_library();
    return entries;
}

/// A policy that a run has added, with its texts.
struct Kept {
    std::string id, source, summary;
    Rules rules;

    [[nodiscard]] Entry entry() const { return {{id, source, summary}, &rules, true}; }
};
std::list<Kept>& kept() {
    static std::list<Kept> all;
    return all;
}

/// A plain name, perhaps with values of parameters behind it: `gate:abs=32,rel=11/10`.
bool is_name(std::string_view name) {
    const std::size_t colon = name.rfind(':', name.find('='));
    if (name.find('=') == std::string_view::npos || colon == std::string_view::npos) return base::is_plain_name(name);
    const auto is_value = [](std::string_view value) {
        const std::vector<std::string_view> parts = base::split(value, '=');
        if (parts.size() != 2 || !base::is_plain_name(parts[0])) return false;
        const std::vector<std::string_view> number = base::split(parts[1], '/');
        return number.size() <= 2 && std::all_of(number.begin(), number.end(), base::is_plain_name);
    };
    const std::vector<std::string_view> values = base::split(name.substr(colon + 1), ',');
    return base::is_plain_name(name.substr(0, colon)) && std::all_of(values.begin(), values.end(), is_value);
}

}  // namespace

void add_policy(const AddedPolicy& policy) {
    const auto& [info, rules] = policy;
    if (!is_name(info.id))
        throw InputError::at_key("policy", fmt::format("expected {}, not {}", base::name_form, base::shown(info.id)));
    kept().push_back({std::string(info.id), std::string(info.source), std::string(info.summary), rules});
    try {
        registry().add(kept().back().entry());
    } catch (const InputError&) {
        kept().pop_back();
        throw;
    }
}

std::shared_ptr<const void> add_temporary_policy(const AddedPolicy& policy) {
    add_policy(policy);
    const auto own = std::prev(kept().end());
    return {nullptr, [own](const void*) {
                kept().erase(own);
                registry() = of_the_library();
                for (const Kept& other : kept()) registry().add(other.entry());
            }};
}

bool is_added(std::string_view id) {
    const Entry* entry = registry().find(id);
    return entry != nullptr && entry->added;
}

std::span<const PolicyInfo> policies() { return registry().infos(); }

std::string_view resolve_policy(std::string_view name) { return registry().resolve(name); }

const Rules* find_rules(std::string_view id) {
    const Entry* entry = registry().find(id);
    return entry != nullptr ? entry->rules : nullptr;
}

std::string definition(std::string_view name) { return to_string(*registry()[name].rules); }

FluidPlan no_planner(const Instance&) {
    throw InputError::at_key("policy", "expected a policy that needs no plan made by a solver");
}

AnyPolicy make_policy(std::string_view name, const Instance& instance, const Planner& planner) {
    const Entry& entry = registry()[name];
    return entry.make_with_plan != nullptr ? entry.make_with_plan(instance, planner(instance)) : entry.make();
}

AnyPolicy make_policy(std::string_view name) {
    const Entry& entry = registry()[name];
    if (entry.make_with_plan != nullptr)
        throw InputError::at_key("policy", "expected a policy that needs no plan made by a solver");
    return entry.make();
}

}  // namespace schedproof::queueing
