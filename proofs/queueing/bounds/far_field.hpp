/// What must hold outside a box of states: how far out it holds, and its proofs. The method stands in far_field.cpp.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "proofs/certificate/explored_proof.hpp"
#include "proofs/explore/explorer.hpp"
#include "proofs/queueing/theorems/mean.hpp"

namespace schedproof::queueing {

/// The cells of the drift of a function, kept for all questions about one mean.
class FarField {
  public:
    /// `max_programs`, `threads` and `progress` as in MeanGoal. Borrows `symbolic` and `budget`.
    FarField(const SymbolicSystem& symbolic, const StateFunction& of, LyapunovForm v, bool uniform,
             std::uint64_t max_programs, unsigned threads, const explore::Budget& budget,
             std::function<void(std::string_view, double, double)> progress);

    /// Finds what servers may be doing: the part of `explore` that a table needs.
    void find_services();
    /// Explores all cells. Empty, or which budget ended. This and `reach` throw LimitExceeded when more linear programs
    /// than allowed are needed.
    [[nodiscard]] std::string explore();
    /// For a mean of squares, finds the linear factor of W. Empty, or why there is none. Requires the cells.
    [[nodiscard]] std::string choose_factor();

    [[nodiscard]] const FarForm& w() const { return w_; }
    [[nodiscard]] const std::vector<std::vector<Service>>& statuses() const { return closed_.statuses; }
    /// Queues that no task joins, and which are empty in everything that is found.
    [[nodiscard]] const std::vector<QueueId>& empty() const { return closed_.empty; }
    [[nodiscard]] const explore::Statistics& statistics() const { return statistics_; }

    /// The least radius outside which both far inequalities are shown for kappa W, given bounds near the mean, in boxes
    /// of these weights; nothing where none up to `largest` is enough.
    [[nodiscard]] std::optional<std::uint32_t> reach(const Rational& kappa, const std::vector<std::uint32_t>& weights,
                                                     const Rational& upper, const Rational& lower,
                                                     std::uint32_t largest);

    /// The (eta, K) that `reach` found for the weights, where the far field is uniform.
    [[nodiscard]] std::optional<UniformDrift> uniform(const std::vector<std::uint32_t>& weights);

    /// The proofs of the theorem's questions, or why there are none. May be asked once.
    [[nodiscard]] std::variant<std::vector<proof::ExploredProof>, std::string> prove(const MeanTheorem& theorem);

  private:
    /// Leaves of one shape: the drift of V, and what that of a V is made of; nothing where states are not settled.
    struct Cells {
        proof::Space space;
        explore::Exploration<std::optional<DriftParts>> found;
        std::vector<std::optional<proof::LinearForm>> drift;  ///< of W, by leaf
    };
    [[nodiscard]] Cells cells_of(const Shape& shape) const;
    [[nodiscard]] std::vector<std::vector<Rational>> rows_of_rays() const;
    void apply_factor(Cells& cells, const Shape& shape) const;
    template <class Visit>
    void each_forbidden_of(std::size_t shape, const MeanTheorem& theorem, Visit&& visit) const;
    template <class Visit>
    void each_forbidden(const MeanTheorem& theorem, Visit&& visit) const;
    template <class Body>
    void each_side_by_side(std::string_view what, std::size_t count, Body&& body) const;
    [[nodiscard]] MeanTheorem statement(const Rational& kappa, const std::vector<std::uint32_t>& weights,
                                        const Rational& upper, const Rational& lower) const;
    [[nodiscard]] std::optional<std::uint32_t> linear_reach(const MeanTheorem& theorem, std::uint32_t largest);
    [[nodiscard]] std::optional<std::uint32_t> quadratic_reach(const MeanTheorem& theorem, std::uint32_t largest);
    [[nodiscard]] std::optional<std::uint32_t> uniform_reach(MeanTheorem theorem, std::uint32_t largest);
    [[nodiscard]] std::optional<Rational> largest_drift(const LyapunovForm::Linear& measure, const Rational& eta);
    void count_programs(std::uint64_t more);
    void report(std::string_view what, double done, double all) const {
        if (progress_) progress_(what, done, all);
    }

    const SymbolicSystem& symbolic_;
    StateFunction of_;
    FarForm w_;
    bool uniform_;
    const std::uint64_t max_programs_;
    std::atomic<std::uint64_t> programs_ = 0;
    const unsigned threads_;
    const explore::Budget& budget_;
    std::function<void(std::string_view, double, double)> progress_;
    ClosedSet closed_;
    std::vector<Shape> shapes_;
    std::vector<Cells> cells_;
    std::vector<std::pair<std::vector<std::uint32_t>, std::optional<UniformDrift>>> found_;  // by weights
    explore::Statistics statistics_;
};

}  // namespace schedproof::queueing
