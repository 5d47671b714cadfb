/// The declared parameters of a policy.
///
/// A policy is a value without hidden parts: either it has no members, or it lists every one of them:
///     static constexpr std::tuple parameters{Parameter("D", &Delay::d)};
/// The compiler counts. What is declared can be printed, and what is not declared cannot be carried along.
#pragma once

#include <optional>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace schedproof {

template <class P, class T>
struct Parameter {
    std::string_view name;  ///< as the paper calls it
    T P::*member;
    constexpr Parameter(std::string_view its_name, T P::*its_member) : name(its_name), member(its_member) {}
};

namespace detail {

template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;

/// Converts to whatever a further member may be; never called. (An optional makes itself of one of these.)
struct AnyMember {
    template <class T>
    requires(!is_optional<T>) operator T() const {  // NOLINT(google-explicit-constructor)
        throw AnyMember();
    }
};

/// Whether the members of the aggregate P are of the types T, in this order, and no others follow.
template <class P, class... T>
constexpr bool has_exactly(const std::tuple<Parameter<P, T>...>&) {
    if constexpr (requires { P{std::declval<T>()...}; }) return !requires {
            P{std::declval<T>()..., AnyMember{}};
        };
    else
        return false;
}

}  // namespace detail

/// Whether P stands for another policy, which was admitted when it was made. Specialised beside such a type.
template <class P>
inline constexpr bool is_erased = false;

/// No members, or members that are public and all declared, in their order.
template <class P>
concept Declared = is_erased<P> || std::is_empty_v<P> ||
    (std::is_aggregate_v<P>&& requires { requires detail::has_exactly<P>(P::parameters); });

/// Calls `visit(name, value)` for each parameter, in the order of the members.
template <Declared P, class Visit>
requires(!is_erased<P>) void for_each_parameter(const P& policy, Visit&& visit) {
    if constexpr (!std::is_empty_v<P>)
        std::apply([&](const auto&... p) { (visit(p.name, policy.*(p.member)), ...); }, P::parameters);
}

}  // namespace schedproof
