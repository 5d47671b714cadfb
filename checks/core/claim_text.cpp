#include "checks/core/claim_text.hpp"

#include <algorithm>
#include <array>

namespace schedproof::checks {

std::string_view to_string(Expectation expectation) {
    constexpr std::array<std::string_view, 5> names{"holds", "fails", "open", "unstated", "feared"};
    return names[static_cast<std::size_t>(expectation)];
}

bool Line::asks(const std::string& oracle) const {
    return oracles.empty() || std::find(oracles.begin(), oracles.end(), oracle) != oracles.end();
}

std::optional<VerdictKind> Line::expected(const std::string& oracle) const {
    if (expectation == Expectation::unstated || expectation == Expectation::feared) return std::nullopt;
    if (const auto exception = kinds.find(oracle); exception != kinds.end()) return exception->second;
    if (expectation == Expectation::fails) return VerdictKind::refuted;
    if (expectation == Expectation::open) return VerdictKind::unknown;
    if (oracle == "explore" || oracle == "bounds") return VerdictKind::proved;
    return oracle == "sampled" || oracle == "simulation" ? VerdictKind::survived : VerdictKind::exhausted;
}

}  // namespace schedproof::checks
