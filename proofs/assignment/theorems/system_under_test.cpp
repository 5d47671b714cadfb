#include "proofs/assignment/theorems/system_under_test.hpp"

#include <fmt/format.h>

#include "policies/assignment/registered_policies.hpp"

namespace schedproof::assignment {

std::optional<Rational> wait_of(const AnyPolicy& policy) {
    if (const auto* delay = policy.as<DelayScheduling>()) return delay->wait;
    if (const auto* dyndlon = policy.as<DynDlOn>()) return dyndlon->wait;
    return std::nullopt;
}

std::string parameters_text(const AnyPolicy& policy) {
    std::vector<std::string> words;
    if (const auto wait = wait_of(policy)) words.push_back("W = " + wait->to_string());
    const bool registered = visit_registered(policy, [&]<class S>(const S& one) {
        if constexpr (requires { one.pick; })
            words.emplace_back(one.pick == Pick::lowest ? "pick lowest" : "pick random");
        if constexpr (requires { one.threshold; })
            words.push_back("threshold " + (one.threshold ? one.threshold->to_string() : "ceil(g(r + 1))"));
    });
    if (!registered) words.push_back(policy.definition());
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
