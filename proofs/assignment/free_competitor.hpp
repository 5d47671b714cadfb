/// A competitor that Z3 is free to choose: any map from tasks to cores, together with loads and costs of a cell.
///
/// Linear real arithmetic with one Bool per task and core. A task's time on a core is a real number of its own, at
/// least the local cost or, with k or more remote tasks on the server, the price of k; an active core finishes by 1.
/// Answers name a competitor and say that none exists; what a competitor comes to is a linear program's business.
#pragma once

#include <cstdint>
#include <memory>

#include "proofs/assignment/ratio_cells.hpp"
#include "proofs/explore/feasibility.hpp"

namespace schedproof::assignment {

class FreeCompetitor {
  public:
    /// `budget` is Z3's resource limit per question.
    FreeCompetitor(const RatioSpace& space, std::uint64_t budget);
    ~FreeCompetitor();
    FreeCompetitor(const FreeCompetitor&) = delete;
    FreeCompetitor& operator=(const FreeCompetitor&) = delete;

    /// Restricts loads and costs to a cell, until `leave`.
    void enter(const std::vector<proof::Constraint>& cell);
    void leave();

    struct Found {
        explore::Answer answer = explore::Answer::unknown;
        Assignment map;            ///< the competitor, when feasible
        proof::LinearForm finish;  ///< the one that exceeds
    };
    /// A competitor that finishes by 1 while one of the forms exceeds `ratio`, or (not strictly) reaches it.
    [[nodiscard]] Found exceeding(const Finishes& forms, const Rational& ratio, bool strictly);
    [[nodiscard]] std::uint64_t questions() const { return questions_; }

  private:
    class Solver;
    std::unique_ptr<Solver> solver_;
    std::uint64_t questions_ = 0;
};

}  // namespace schedproof::assignment
