#include "proofs/assignment/theorems/system_under_test.hpp"

#include <fmt/format.h>

namespace schedproof::assignment {

std::optional<Rational> wait_of(const AnyPolicy& policy) {
    return std::visit(
        []<class S>(const S& one) -> std::optional<Rational> {
            if constexpr (requires { one.wait; }) return one.wait;
            return std::nullopt;
        },
        policy);
}

std::string parameters_text(const AnyPolicy& policy) {
    std::vector<std::string> words;
    if (const auto* added = std::get_if<AddedPolicy>(&policy)) words.push_back(definition(*added));
    if (const auto wait = wait_of(policy)) words.push_back("W = " + wait->to_string());
    std::visit(
        [&]<class S>(const S& one) {
            if constexpr (requires { one.pick; })
                words.emplace_back(one.pick == Pick::lowest ? "pick lowest" : "pick random");
            if constexpr (requires { one.threshold; })
                words.push_back("threshold " + (one.threshold ? one.threshold->to_string() : "ceil(g(r + 1))"));
        },
        policy);
    return words.empty() ? "" : fmt::format(" ({})", fmt::join(words, ", "));
}

SystemUnderTest registered_system(const std::string& policy, const Rational& wait, Counted counted) {
    PolicyOptions options;
    options.wait = wait;
    return system_under_test(policy, counted, [made = make_policy(policy, options)](const auto& problem) {
        NoDraws randomness;
        return run(made, problem, randomness);
    });
}

}  // namespace schedproof::assignment
