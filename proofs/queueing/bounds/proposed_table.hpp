/// Tables for the bounds of a mean, from the solutions of the linear systems on a box, and the bounds that they prove.
/// The method stands at the head of proposed_table.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "policies/queueing/exact.hpp"
#include "proofs/queueing/bounds/box_chain.hpp"
#include "proofs/queueing/bounds/mean_proof.hpp"
#include "proofs/queueing/theorems/folded_box.hpp"
#include "proofs/queueing/theorems/mean.hpp"

namespace schedproof::queueing {

/// What a box promises with one kappa.
struct Promise {
    int power = 0;  ///< kappa = 2^power
    long double offset = 0, upper = 0, lower = 0;
    long double blur = 0;  ///< the widest interval of one closed class, which a larger box makes narrower
};

/// A box with its solutions.
struct SolvedBox {
    std::uint32_t radius = 0;
    std::uint64_t states = 0;         ///< of the box
    std::vector<Renaming> renamings;  ///< that fold it
    BoxChain chain;                   ///< on its entries
    std::vector<std::uint32_t> taboo;
    TabooSolution solution;
    long double mean = 0;            ///< of f, were leaving the box a return to the taboo state
    std::optional<Promise> promise;  ///< of the best kappa whose far field the box reaches; none: none does
};

[[nodiscard]] Rational power_of_two(int power);

/// The interval that a box promises with kappa = 2^power.
[[nodiscard]] Promise promise(const SolvedBox& solved, int power);

/// Setting, radius, renamings and table of a theorem, by the best promise; its bounds, weights and statuses are not
/// set. Requires a promise.
[[nodiscard]] MeanTheorem tabulate(const ExactSystem& exact, const MeanGoal& goal, const FarForm& w,
                                   const SolvedBox& solved);

/// Corrects a table by what exact arithmetic finds it to lack, until that is as little as rounding.
/// Cost: up to six exact passes and as many solutions.
void refine(const ExactSystem& exact, const MeanGoal& goal, SolvedBox& solved, MeanTheorem& theorem);

/// The bounds of the exact pass, rounded outwards to decimals that widen the interval by at most a fiftieth.
void set_bounds(const ExactSystem& exact, const MeanGoal& goal, MeanTheorem& theorem);

}  // namespace schedproof::queueing
