/// Workloads near the boundary, and what a slot does to them.
/// The method stands at the head of workload_search.cpp.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "proofs/queueing/heavy_traffic/slack_cells.hpp"
#include "proofs/queueing/theorems/heavy_traffic/heavy_upper.hpp"

namespace schedproof::heavy_traffic {

/// A workload, and what a slot does to it on each cell.
struct ChargedWorkload {
    std::vector<Rational> weights;  ///< per function of the basis
    queueing::LyapunovForm form;
    std::vector<queueing::BalanceParts> parts;  ///< by cell
    /// By cell where value is lost: for each form, how much the workload grows per unit of it where it is the largest,
    /// or without forms one number. Absent where the workload grows and no form does.
    std::vector<std::optional<std::vector<Rational>>> growth;
};

class Workloads {
  public:
    /// Borrows the cells.
    Workloads(const SlackCells& cells, const queueing::BoundaryPrices& prices);

    /// Why H0 tells no loss: on the cell `worst` it is negative. Empty when it is negative nowhere.
    [[nodiscard]] std::string rejection() const;
    [[nodiscard]] const SlackCell& worst() const { return cells_.all()[worst_]; }

    [[nodiscard]] const ChargedWorkload& honest() const { return honest_; }  ///< H0
    /// u on a cell, and the largest.
    [[nodiscard]] const Rational& loss(std::size_t cell) const { return honest_.parts[cell].loss; }
    [[nodiscard]] const Rational& largest_loss() const { return largest_loss_; }
    [[nodiscard]] const Rational& sigma(std::size_t end) const { return sigma_.at(end); }
    /// A workload as a form over the queues, statuses as they are in a cell.
    [[nodiscard]] proof::LinearForm value_at(const ChargedWorkload& h, const SlackCell& cell) const;

    /// H for these forms: services count the least more than in H0 for which v <= 0 on every cell where no form bounds
    /// the workload, or nothing is lost. When no charge does, the first cell on which no form bounds it.
    [[nodiscard]] std::variant<ChargedWorkload, const SlackCell*> charged(
        const std::vector<proof::LinearForm>& forms) const;
    /// For each form the least kappa_j for which v H is at most u max kappa_j l_j, up to a constant; without forms one
    /// number. Requires an H of `charged`.
    [[nodiscard]] std::vector<Rational> spreads(const ChargedWorkload& h) const;

  private:
    /// Per indicator of the basis, the least charges for which v <= 0 on some cells.
    [[nodiscard]] std::optional<std::vector<Rational>> least_charges(const std::vector<std::size_t>& falling) const;
    [[nodiscard]] ChargedWorkload workload(const std::string& name, std::vector<Rational> weights) const;
    [[nodiscard]] std::optional<std::vector<Rational>> growth(std::size_t cell,
                                                              const std::vector<proof::LinearForm>& forms) const;

    const SlackCells& cells_;
    std::array<Rational, 2> sigma_;
    ChargedWorkload honest_;
    Rational largest_loss_;
    std::size_t worst_ = 0;
};

}  // namespace schedproof::heavy_traffic
