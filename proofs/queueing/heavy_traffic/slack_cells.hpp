/// The cells of the kernel at both ends of a family, over a closed set.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "proofs/certificate/explored_proof.hpp"
#include "proofs/explore/explorer.hpp"
#include "proofs/queueing/theorems/heavy_traffic/heavy_collapse.hpp"
#include "proofs/queueing/transience/linear_cells.hpp"

namespace schedproof::heavy_traffic {

/// Proofs of questions, in their order; the name of the first that has none, and why, in `failed`.
struct QuestionProofs {
    std::vector<proof::ExploredProof> proofs;
    explore::Statistics statistics;
    std::string failed;  ///< empty when all are proved
};
[[nodiscard]] QuestionProofs prove_all(const std::vector<explore::Question>& questions, const explore::Budget& budget);

/// What a slot does on one of them.
struct SlackCell {
    std::size_t end = 0, shape = 0;
    std::vector<proof::Constraint> path;
    std::vector<queueing::LinearOutcome> outcomes;
};

class SlackCells {
  public:
    /// Over the closed set that is found. Borrows the system. Throws LimitExceeded when the budget ends, and
    /// for policies whose queues list tasks or that keep counters.
    SlackCells(const queueing::SymbolicSystem& system, const explore::Budget& budget);

    [[nodiscard]] const queueing::SymbolicSystem& system() const { return *system_; }
    [[nodiscard]] const queueing::SlackEnds& ends() const { return ends_; }
    [[nodiscard]] const queueing::ClosedSet& closed() const { return closed_; }
    [[nodiscard]] const std::vector<queueing::Shape>& shapes() const { return shapes_; }
    [[nodiscard]] const queueing::LinearBasis& basis() const { return basis_; }
    [[nodiscard]] std::size_t queues() const { return basis_.queues; }
    [[nodiscard]] const std::vector<SlackCell>& all() const { return cells_; }
    /// By cell, the mean change of each function of the basis.
    [[nodiscard]] const std::vector<std::vector<Rational>>& rows() const { return rows_; }
    /// Forms that the code compares, on queues that can be joined; coprime integers, the first positive.
    [[nodiscard]] const std::set<std::vector<Rational>>& compared() const { return compared_; }
    [[nodiscard]] const explore::Statistics& statistics() const { return statistics_; }

    [[nodiscard]] bool is_empty(std::size_t queue) const;
    /// The statuses of a cell and its constraints, in words.
    [[nodiscard]] std::string name(const SlackCell& cell) const;
    /// Sum of the weights of the indicators that hold in a shape; `weights[from]` is that of the first indicator.
    [[nodiscard]] Rational statuses_at(std::size_t shape, const std::vector<Rational>& weights, std::size_t from) const;

  private:
    void explore_at(std::size_t end, std::size_t shape, const explore::Budget& budget);
    [[nodiscard]] std::vector<Rational> on_live_queues(const proof::LinearForm& form) const;

    const queueing::SymbolicSystem* system_;
    queueing::SlackEnds ends_;
    queueing::ClosedSet closed_;
    std::vector<queueing::Shape> shapes_;
    queueing::LinearBasis basis_;
    std::vector<SlackCell> cells_;
    std::vector<std::vector<Rational>> rows_;
    std::set<std::vector<Rational>> compared_;
    explore::Statistics statistics_;
};

}  // namespace schedproof::heavy_traffic
