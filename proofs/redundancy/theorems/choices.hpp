/// The ways in which a schedule without multitasking can give machines to jobs at one decision.
///
/// An optimal schedule may give any numbers of copies r_1, r_2, ... with sum at most M, zeros among them. All of them
/// are listed, but for those that never do better:
///  - a copy that adds nothing, g(r) = g(r - 1): whoever leaves it out has the same rates;
///  - when no more than two jobs are left, active or to come, a machine left idle that would add something. Of two
///    active jobs the one that ends first leaves all machines to the other, so its end t_1 and the other's,
///    t_2 = t_1 + (what the other has left)/g(M), both fall when either rate grows or either size shrinks; so the one
///    job that is there before the other comes is best served by all machines.
/// With three jobs idling is not left out: decisions are made at events alone, so a faster job also moves the next
/// decision, and no exchange argument is at hand.
/// A competitor in a question about all inputs makes its k-th decision as an integer symbol says, so that a path has
/// one competitor. Of its jobs that end together one leaves after another; it may then serve somebody else first, which
/// only costs it more. Source: [xu2017], Section 4 (OPT); docs/models/redundancy.md, Interpretation R11.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "model/redundancy/service.hpp"
#include "proofs/redundancy/theorems/statement_shape.hpp"

namespace schedproof::redundancy {

class Choices {
  public:
    /// Copies by active job.
    using Copies = std::vector<std::uint32_t>;

    /// Requires a linear service and machines >= 1.
    Choices(const Service& service, std::size_t machines);

    /// For n active jobs and others to come, those of the largest total rate first.
    [[nodiscard]] const std::vector<Copies>& of(std::size_t n, std::size_t to_come);
    /// g(r), 0 for r = 0.
    [[nodiscard]] const Rational& gain(std::uint32_t copies) const { return gain_[copies]; }
    /// The largest g.
    [[nodiscard]] const Rational& most() const { return gain_.back(); }
    /// Largest total rate of n jobs.
    [[nodiscard]] const Rational& most_of(std::size_t n);

  private:
    std::size_t machines_;
    std::vector<Rational> gain_;  // up to the last copy that adds something
    std::map<std::pair<std::size_t, std::size_t>, std::vector<Copies>> known_;
    std::vector<Rational> total_;  // by n
};

/// Adds a symbol for each decision of a competitor that has a choice: choice[1], choice[2], ...
void add_choices(proof::Space& space, const Shape& shape);
/// Total flowtime of the competitor whose decisions are the symbols from `first` on, at speed 1.
[[nodiscard]] explore::Affine chosen_flowtime(const Problem<explore::Affine>& problem,
                                              const std::vector<explore::Affine>& symbols, std::size_t first);

}  // namespace schedproof::redundancy
