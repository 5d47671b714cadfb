/// What a question about stability may be given beside the budget of each argument.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace schedproof::checks {

/// The name of the last argument, the search for a Lyapunov function.
inline constexpr const char* search_for_function = "found function";

struct StabilityOptions {
    /// A function to try before the usual one: an expression of proofs/queueing/theorems/lyapunov_expression.hpp;
    /// empty: none.
    std::string lyapunov;
    std::optional<std::uint64_t> search_cells;  ///< of `search_for_function` in all; none: no limit
    /// Arguments by the terms of the drift come first: they take milliseconds where cells take seconds, but the second
    /// checker does not decide them.
    bool terms_first = false;
    std::function<void(std::string_view)> begins;  ///< called with the name of each argument; may be empty
};

}  // namespace schedproof::checks
