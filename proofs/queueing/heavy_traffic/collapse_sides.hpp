/// Constants of the statuses for which a form falls wherever it is large.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "proofs/explore/farkas.hpp"
#include "proofs/queueing/heavy_traffic/slack_cells.hpp"

namespace schedproof::heavy_traffic {

/// A form with constants of the statuses, all integers, and the window in which its values are told apart.
struct CollapseSide {
    proof::LinearForm form;          ///< over queues
    std::vector<Rational> statuses;  ///< per indicator of the basis
    std::int64_t scale = 1;          ///< what form and statuses were multiplied by
    std::int64_t low = 0, high = 0;

    /// Multiplies by what makes the scale this. Requires a multiple of the scale.
    void rescale(std::int64_t to);
};

/// Constants for which the form falls at both ends on every cell that reaches far enough out: none of them (`plain`),
/// or those of the fastest fall, rounded. Nothing where the form does not fall. Cost: a linear program for each cell
/// and distance that is tried.
[[nodiscard]] std::optional<CollapseSide> find_side(const SlackCells& cells, const proof::LinearForm& form, bool plain);

/// The side as the form of a theorem. `name` is for messages.
[[nodiscard]] queueing::CollapseForm collapse_form(const SlackCells& cells, const CollapseSide& side,
                                                   const std::string& name);

/// How steeply a form can grow along the directions of constraints, per unit of the largest of other forms.
[[nodiscard]] explore::Maximum steepest(const SlackCells& cells, std::vector<proof::Constraint> path,
                                        const proof::LinearForm& form,
                                        const std::vector<proof::LinearForm>& per_unit_of);

/// How much a form may exceed `spread` times the largest form of the sides on a cell. Without sides, the form itself.
[[nodiscard]] explore::Maximum excess(const SlackCells& cells, const SlackCell& cell, const proof::LinearForm& left,
                                      const Rational& spread, const std::vector<CollapseSide>& sides);

/// Whether a form has coefficients of both signs.
[[nodiscard]] bool is_mixed(const proof::LinearForm& form);

}  // namespace schedproof::heavy_traffic
