/// A policy's answer in the simulators: the tied best candidates, from which one is drawn when it is needed.
///
/// Where the exact readings list the tied set, this names it: a single candidate, a short list, or the holders of a
/// best value in an index, by level. It offers a policy what `queueing::Ties` does (`where`, `or_else`) and is uniform
/// over the same set. A set that is not a single candidate lives in the view that gave it, until its next question.
#pragma once

#include <cstdint>

#include "model/queueing/ties.hpp"

namespace schedproof::simulation {

class IndexedView;

class Drawn {
  public:
    Drawn() = default;
    Drawn(queueing::Candidate only)  // NOLINT(google-explicit-constructor): a single choice is a tie of one
        : only_(only), count_(1) {}

    [[nodiscard]] bool empty() const { return count_ == 0; }
    /// How many candidates are tied.
    [[nodiscard]] std::uint64_t size() const { return count_; }
    /// The candidate, when it is the only one that the policy named; nullptr otherwise.
    [[nodiscard]] const queueing::Candidate* single() const {
        return view_ == nullptr && count_ == 1 ? &only_ : nullptr;
    }

    /// Those for which `holds`, which must not depend on more than a candidate's queue length and level.
    template <class Predicate>
    [[nodiscard]] Drawn where(Predicate&& holds) const;
    /// These, or `fallback` when there are none.
    [[nodiscard]] Drawn or_else(queueing::Candidate fallback) const { return empty() ? Drawn(fallback) : *this; }

  private:
    friend class IndexedView;
    Drawn(const IndexedView* view, std::uint64_t count) : view_(view), count_(count) {}

    queueing::Candidate only_{};
    const IndexedView* view_ = nullptr;  // where the tied set lives; nullptr for a single candidate
    std::uint64_t count_ = 0;
};

}  // namespace schedproof::simulation
