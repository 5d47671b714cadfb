#include "policies/queueing/registry.hpp"

#include <array>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "model/core/errors.hpp"

namespace schedproof::queueing {

namespace {

template <class... Policies>
constexpr auto list_of(const std::variant<Policies...>*) {
    static_assert((QueueingPolicy<Policies> && ...));
    return std::array<PolicyInfo, sizeof...(Policies)>{Policies::info...};
}

/// Instantiates every body on the archetype: see compile_on_archetype.
template <class... Policies>
auto bodies_on_archetype(const std::variant<Policies...>*) {
    return std::make_tuple(&compile_on_archetype<Policies>...);
}
[[maybe_unused]] const auto bodies = bodies_on_archetype(static_cast<const AnyPolicy*>(nullptr));

constexpr auto infos = list_of(static_cast<const AnyPolicy*>(nullptr));

template <class P>
P make(const Instance& instance, const Planner& planner) {
    if constexpr (std::constructible_from<P, const Instance&, const FluidPlan&>)
        return P(instance, planner(instance));
    else
        return P{};
}

template <std::size_t... I>
AnyPolicy make_by_index(std::size_t wanted, const Instance& instance, const Planner& planner,
                        std::index_sequence<I...>) {
    std::optional<AnyPolicy> made;
    (void)((I == wanted && (made.emplace(make<std::variant_alternative_t<I, AnyPolicy>>(instance, planner)), true)) ||
           ...);
    return std::move(*made);
}

}  // namespace

std::span<const PolicyInfo> policies() { return infos; }

FluidPlan no_planner(const Instance&) {
    throw InputError({"", 0, "policy"}, "expected a policy that needs no plan made by a solver");
}

std::string_view resolve_policy(std::string_view name) {
    for (const PolicyInfo& info : infos)
        if (info.id == name || info.id.substr(0, info.id.find(':')) == name) return info.id;
    return {};
}

AnyPolicy make_policy(std::string_view name, const Instance& instance, const Planner& planner) {
    const std::string_view id = resolve_policy(name);
    for (std::size_t i = 0; i < infos.size(); ++i)
        if (infos[i].id == id) return make_by_index(i, instance, planner, std::make_index_sequence<infos.size()>{});
    throw InputError({"", 0, "policy"}, "expected a registered policy, not '" + std::string(name) + "'");
}

}  // namespace schedproof::queueing
