#include "checks/core/verdict.hpp"

#include <fmt/core.h>

#include <array>

#include "model/core/errors.hpp"

namespace schedproof::checks {

VerdictKind kind_of(const Verdict& verdict) { return static_cast<VerdictKind>(verdict.index()); }

std::string_view to_string(VerdictKind kind) {
    constexpr std::array<std::string_view, 5> names{"Proved", "Exhausted", "Survived", "Refuted", "Unknown"};
    return names[static_cast<std::size_t>(kind)];
}

std::string_view kind(const Verdict& verdict) { return to_string(kind_of(verdict)); }

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
    if (const auto* exhausted = std::get_if<Exhausted>(&verdict)) return "It holds of " + exhausted->bounds + ".";
    if (const auto* refuted = std::get_if<Refuted>(&verdict)) {
        const Counterexample& found = refuted->counterexample;
        return found.place.empty() ? found.violation : fmt::format("at {}: {}", found.place, found.violation);
    }
    if (const auto* unknown = std::get_if<Unknown>(&verdict)) return unknown->reason;
    return short_text(verdict);
}

Verdict proved(AnyCertificate certificate) {
    if (const std::string wrong = certificate->rejection(); !wrong.empty())
        throw OracleConflict("a certificate just made is not accepted: " + wrong);
    std::uint64_t cells = 0;
    for (const proof::ExploredProof& proof : certificate->proofs()) cells += proof.leaves.size();
    std::string theorem = certificate->sentence();
    return Proved{std::move(theorem), std::make_shared<const AnyCertificate>(std::move(certificate)), cells};
}

bool affirms(VerdictKind kind) { return kind != VerdictKind::refuted && kind != VerdictKind::unknown; }

bool affirms(const Verdict& verdict) { return affirms(kind_of(verdict)); }

}  // namespace schedproof::checks
