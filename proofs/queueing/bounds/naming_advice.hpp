/// What the table of a bound advises servers that name types, before tasks arrive in a slot or after an event, and what
/// other names cost by it.
#pragma once

#include <vector>

#include "proofs/queueing/theorems/any_policy.hpp"

namespace schedproof::queueing {

/// Per server the name of a type + 1, or 0 for none.
using Names = std::vector<std::size_t>;

class NamingAdvice {
  public:
    /// Requires: the mode names_types, or continuous time.
    NamingAdvice(const Instance& instance, const AnyPolicyTheorem& theorem, unsigned threads);

    [[nodiscard]] const CentralModel& model() const { return box_.model(); }
    /// So many tasks of each type wait, and each server has a status of the model. Nothing outside the box.
    [[nodiscard]] std::optional<CentralBox::Index> at(const std::vector<std::uint32_t>& waiting,
                                                      const std::vector<std::size_t>& status) const;
    /// The same with all servers idle.
    [[nodiscard]] std::optional<CentralBox::Index> with_waiting(const std::vector<std::uint32_t>& waiting) const {
        return at(waiting, std::vector<std::size_t>(model().servers(), 0));
    }
    /// A best list of names at a state: of several, one that names most. In continuous time a server names only what it
    /// gets: a task that it starts, or with preemption one that it executes until the next event.
    [[nodiscard]] Names best(CentralBox::Index i) const;
    /// By how much the names raise the mean of the table after the step, compared with the best: what one such decision
    /// costs in tasks times slots or units of time, if all later ones are best. Range: at least 0.
    [[nodiscard]] double cost(CentralBox::Index i, const Names& names) const;

  private:
    NamingAdvice(const CentralModel& model, const AnyPolicyTheorem& theorem, unsigned threads);
    [[nodiscard]] long double mean_of(CentralBox::Index i, const Names& names) const;

    CentralBox box_;
    StateBox numbered_;
    long double outside_;
    long double common_;  ///< of all probabilities of a step
    std::vector<long double> after_;
};

/// Costs below this are those of ties.
inline constexpr double least_cost = 1e-9;

}  // namespace schedproof::queueing
