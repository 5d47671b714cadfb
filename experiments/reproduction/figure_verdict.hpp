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
    inconclusive  ///< the intervals do not decide: with the values taken, or those with which it does not fail
};

/// `reproduced`, `not reproduced`, `depends on an unstated parameter`, `inconclusive`.
[[nodiscard]] std::string_view name_of(Verdict verdict);
[[nodiscard]] std::optional<Verdict> verdict_of(std::string_view name);

/// `base` is what holds with the values taken, `alternatives` with each other choice. It depends when one choice was
/// found to make it hold and another to make it fail. Otherwise it is reproduced when it holds with the values taken,
/// and not reproduced when it fails with every choice; an open alternative to a failure may yet hold.
[[nodiscard]] Verdict combine(Truth base, std::span<const Truth> alternatives);

}  // namespace schedproof::reproduction
