/// The verdict on a claim about a figure, from what measurements say under each choice that the paper leaves open.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "experiments/reproduction/statement.hpp"

namespace schedproof::reproduction {

enum class Verdict {
    reproduced,
    not_reproduced,
    depends,      ///< on a parameter that the paper does not state: choices of it were measured, and they decide
    inconclusive  ///< the intervals do not decide
};

/// `reproduced`, `not reproduced`, `depends on an unstated parameter`, `inconclusive`.
[[nodiscard]] std::string_view name_of(Verdict verdict);
[[nodiscard]] std::optional<Verdict> verdict_of(std::string_view name);

/// `base` is what holds with the values taken, `alternatives` with each other choice. It depends when one choice was
/// found to make it hold and another to make it fail; otherwise the values taken decide.
[[nodiscard]] Verdict combine(Truth base, std::span<const Truth> alternatives);

}  // namespace schedproof::reproduction
