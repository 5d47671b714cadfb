#include "checks/claims/verdict.hpp"

#include <fmt/core.h>

#include <array>

namespace schedproof::checks {

std::string_view kind(const Verdict& verdict) {
    constexpr std::array<std::string_view, 5> names{"Proved", "Exhausted", "Survived", "Refuted", "Unknown"};
    return names[verdict.index()];
}

std::string short_text(const Verdict& verdict) {
    if (const auto* exhausted = std::get_if<Exhausted>(&verdict))
        return fmt::format("Exhausted ({} case{})", exhausted->cases, exhausted->cases == 1 ? "" : "s");
    if (const auto* survived = std::get_if<Survived>(&verdict))
        return fmt::format("Survived ({} cases, seed {})", survived->cases, survived->seed);
    return std::string(kind(verdict));
}

std::string explanation(const Verdict& verdict) {
    if (const auto* proved = std::get_if<Proved>(&verdict))
        return fmt::format("{} Certificate: {} cells.", proved->theorem, proved->cells);
    if (const auto* refuted = std::get_if<Refuted>(&verdict)) return refuted->counterexample.violation;
    if (const auto* unknown = std::get_if<Unknown>(&verdict)) return unknown->reason;
    return short_text(verdict);
}

bool affirms(const Verdict& verdict) {
    return !std::holds_alternative<Refuted>(verdict) && !std::holds_alternative<Unknown>(verdict);
}

}  // namespace schedproof::checks
