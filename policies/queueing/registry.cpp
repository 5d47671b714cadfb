#include "policies/queueing/registry.hpp"

#include <array>
#include <string>

#include "policies/core/policy_registry.hpp"
#include "policies/queueing/registered_policy.hpp"

namespace schedproof::queueing {

namespace detail {
#define SCHEDPROOF_POLICY(header, Name) RegisteredPolicy registered_##Name();
#include "policies/queueing/registry.def"
#undef SCHEDPROOF_POLICY
}  // namespace detail

namespace {

const auto& registry() {
    static const Registry rows(std::array{
#define SCHEDPROOF_POLICY(header, Name) detail::registered_##Name(),
#include "policies/queueing/registry.def"
#undef SCHEDPROOF_POLICY
    });
    return rows;
}

}  // namespace

std::span<const PolicyInfo> policies() { return registry().infos(); }

std::string_view resolve_policy(std::string_view name) { return registry().resolve(name); }

std::size_t registry_index(std::string_view id) { return registry().index(id); }

const PolicyDescriptor* find_policy(std::string_view id) {
    const detail::RegisteredPolicy* row = registry().find(id);
    return row != nullptr ? &row->descriptor : nullptr;
}

FluidPlan no_planner(const Instance&) {
    throw InputError::at_key("policy", "expected a policy that needs no plan made by a solver");
}

AnyPolicy make_policy(std::string_view name, const Instance& instance, const Planner& planner) {
    const detail::RegisteredPolicy& row = registry()[name];
    return row.descriptor.follows_plan ? row.make_with_plan(instance, planner(instance)) : row.make();
}

AnyPolicy make_policy(std::string_view name) {
    const detail::RegisteredPolicy& row = registry()[name];
    if (row.descriptor.follows_plan)
        throw InputError::at_key("policy", "expected a policy that needs no plan made by a solver");
    return row.make();
}

}  // namespace schedproof::queueing
