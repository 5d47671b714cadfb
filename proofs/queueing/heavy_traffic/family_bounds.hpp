/// What is known of a policy's mean number of tasks on a family of loads, for every slack at once.
#pragma once

#include <optional>

#include "proofs/queueing/heavy_traffic/ray_search.hpp"
#include "proofs/queueing/heavy_traffic/upper_search.hpp"

namespace schedproof::heavy_traffic {

struct FamilyBounds {
    queueing::HeavyLowerTheorem lower;  ///< of every policy
    std::optional<UpperProof> upper;
    std::optional<RayProof> ray;  ///< looked for unless the upper bound shows that the policy is optimal
    UpperUnknown why{};           ///< which fact has no proof, where there is no upper bound
    explore::Statistics statistics{};

    /// The limit of sigma times the mean is the least that any policy can have.
    [[nodiscard]] bool is_optimal() const;
    /// The mean number of tasks is at least and at most this at a slack in (0, up_to]; no upper bound where none of the
    /// tasks is proved.
    [[nodiscard]] Rational at_least(const queueing::Instance& family, const Rational& eps) const;
    [[nodiscard]] std::optional<Rational> at_most(const queueing::Instance& family, const Rational& eps) const;
};

/// Bounds of the system's policy on the family that its instance states. What is found before a budget ends stands; the
/// fact `exploration` then says so. Throws InputError as `best_lower` does.
[[nodiscard]] FamilyBounds find_bounds(const queueing::SymbolicSystem& system, const explore::Budget& budget = {});

}  // namespace schedproof::heavy_traffic
