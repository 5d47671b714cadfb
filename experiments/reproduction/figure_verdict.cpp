#include "experiments/reproduction/figure_verdict.hpp"

#include <algorithm>
#include <array>

namespace schedproof::reproduction {

namespace {

constexpr std::array<std::string_view, 4> verdict_names{"reproduced", "not reproduced",
                                                        "depends on an unstated parameter", "inconclusive"};

}  // namespace

std::string_view name_of(Verdict verdict) { return verdict_names[static_cast<std::size_t>(verdict)]; }

std::optional<Verdict> verdict_of(std::string_view name) {
    const auto* const found = std::find(verdict_names.begin(), verdict_names.end(), name);
    if (found == verdict_names.end()) return std::nullopt;
    return static_cast<Verdict>(found - verdict_names.begin());
}

Verdict combine(Truth base, std::span<const Truth> alternatives) {
    const auto found = [&](Truth truth) {
        return base == truth || std::find(alternatives.begin(), alternatives.end(), truth) != alternatives.end();
    };
    if (found(Truth::holds) && found(Truth::fails)) return Verdict::depends;
    if (base == Truth::holds) return Verdict::reproduced;
    return found(Truth::open) ? Verdict::inconclusive : Verdict::not_reproduced;
}

}  // namespace schedproof::reproduction
