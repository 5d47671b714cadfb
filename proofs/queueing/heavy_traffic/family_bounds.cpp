#include "proofs/queueing/heavy_traffic/family_bounds.hpp"

#include <algorithm>

#include "model/core/errors.hpp"
#include "proofs/queueing/heavy_traffic/lower_search.hpp"

namespace schedproof::heavy_traffic {

using queueing::Instance;

namespace {

void search(FamilyBounds& found, const SlackCells& cells, const explore::Budget& budget) {
    UpperOutcome outcome = best_upper(cells, found.lower.prices, budget);
    if (auto* unknown = std::get_if<UpperUnknown>(&outcome)) {
        found.why = std::move(*unknown);
    } else {
        found.upper = std::move(std::get<UpperProof>(outcome));
        found.statistics += found.upper->statistics;
    }
    if (found.is_optimal()) return;
    auto ray = best_ray(cells, found.lower, budget);
    if (auto* proof = std::get_if<RayProof>(&ray)) {
        found.statistics += proof->statistics;
        found.ray = std::move(*proof);
    }
}

}  // namespace

bool FamilyBounds::is_optimal() const { return upper && upper->theorem.reaches(lower.constant[0]); }

Rational FamilyBounds::at_least(const Instance& family, const Rational& eps) const {
    const Rational least = std::max(lower.at_least(family, eps), Rational(0));
    return ray ? std::max(least, ray->theorem.tasks_at_least(family, eps)) : least;
}

std::optional<Rational> FamilyBounds::at_most(const Instance& family, const Rational& eps) const {
    if (!upper || !upper->theorem.tasks) return std::nullopt;
    return upper->theorem.tasks_at_most(family, eps);
}

FamilyBounds find_bounds(const queueing::SymbolicSystem& system, const explore::Budget& budget) {
    FamilyBounds found{best_lower(system.instance()), {}, {}};
    try {
        search(found, SlackCells(system, budget), budget);
    } catch (const LimitExceeded& limit) {
        found.why = {"exploration", limit.what(), ""};
    }
    return found;
}

}  // namespace schedproof::heavy_traffic
