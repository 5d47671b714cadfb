/// What a policy is, as the text that results carry beside its id: the values of its declared parameters, such as
/// `W = 3, pick = lowest`. (A queueing policy has rules instead: queueing::definition.)
///
/// An id says which policy was meant, a definition which one it was: a certificate is refused when the policy that now
/// has its id is defined otherwise.
#pragma once

#include <chrono>
#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

#include "model/core/parameters.hpp"

namespace schedproof {

namespace detail {

/// The name of an enumerator, which compilers spell in the signature of this function; empty for another value.
template <auto value>
[[nodiscard]] constexpr std::string_view enumerator() {
    constexpr std::string_view begin = "value = ";
    std::string_view name = __PRETTY_FUNCTION__;
    name.remove_prefix(name.find(begin) + begin.size());
    name = name.substr(0, name.find_first_of(";]"));
    return name.find('(') == std::string_view::npos ? name.substr(name.rfind(':') + 1) : std::string_view();
}

template <class E, std::size_t... i>
[[nodiscard]] std::string name_of(E value, std::index_sequence<i...>) {
    std::string_view name;
    static_cast<void>(((value == static_cast<E>(i) && (name = enumerator<static_cast<E>(i)>(), true)) || ...));
    return name.empty() ? std::to_string(static_cast<std::underlying_type_t<E>>(value)) : std::string(name);
}

}  // namespace detail

/// The value of a parameter. An optional that is empty is `none`, an enumerator its name.
template <class T>
[[nodiscard]] std::string parameter_text(const T& value) {
    if constexpr (std::same_as<T, bool>)
        return value ? "true" : "false";
    else if constexpr (std::integral<T>)
        return std::to_string(value);
    else if constexpr (std::is_enum_v<T>)
        return detail::name_of(value, std::make_index_sequence<16>());
    else if constexpr (detail::is_optional<T>)
        return value ? parameter_text(*value) : "none";
    else if constexpr (requires { value.to_string(); })
        return value.to_string();
    else if constexpr (requires { value.value(); })
        return parameter_text(value.value());
    else
        return std::to_string(std::chrono::milliseconds(value).count()) + " ms";
}

template <Declared P>
requires(!is_erased<P>) [[nodiscard]] std::string definition(const P& policy) {
    std::string text;
    for_each_parameter(policy, [&](std::string_view name, const auto& value) {
        text += (text.empty() ? "" : ", ") + std::string(name) + " = " + parameter_text(value);
    });
    return text.empty() ? "no parameters" : text;
}
/// Of a policy behind the interface of its family.
template <class P>
requires requires(const P& policy) {
    { policy.definition() } -> std::same_as<std::string>;
}
[[nodiscard]] std::string definition(const P& policy) { return policy.definition(); }
/// Of a policy of the sharing family.
template <class... P>
[[nodiscard]] std::string definition(const std::variant<P...>& policy) {
    return std::visit([](const auto& one) { return definition(one); }, policy);
}

}  // namespace schedproof
