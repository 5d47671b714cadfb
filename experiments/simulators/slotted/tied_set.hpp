/// A policy's answer in the simulators: the tied best candidates, from which one is drawn when it is needed.
///
/// Where the exact modes list the tied set, this describes it: a single candidate, a short list, or the holders of a
/// best value in an index, by level. It is uniform over the tied set of the exact modes. A set that is neither a single
/// candidate nor a few servers' lives in the view that gave it, until its next question.
#pragma once

#include <cstdint>

#include "model/queueing/ties.hpp"

namespace schedproof::simulation {

class IndexedView;

class TiedSet {
  public:
    TiedSet() = default;
    TiedSet(queueing::Candidate only)  // NOLINT(google-explicit-constructor): a single choice is a tie of one
        : only_(only), count_(1) {}

    [[nodiscard]] bool empty() const { return count_ == 0; }
    /// How many candidates are tied.
    [[nodiscard]] std::uint64_t size() const { return count_; }
    /// The candidate, when it is the only one that the policy named; nullptr otherwise.
    [[nodiscard]] const queueing::Candidate* single() const {
        return view_ == nullptr && count_ == 1 ? &only_ : nullptr;
    }

  private:
    friend class IndexedView;
    TiedSet(const IndexedView* view, std::uint64_t count) : view_(view), count_(count) {}
    TiedSet(const IndexedView* view, std::uint64_t count, const ServerId* few_of, std::uint32_t few_size,
            std::uint32_t tied)
        : view_(view), count_(count), few_of_(few_of), few_size_(few_size), tied_(tied) {}

    queueing::Candidate only_{};
    const IndexedView* view_ = nullptr;  // nullptr for a single candidate
    std::uint64_t count_ = 0;
    // A few servers, of whom bit i of `tied_` says whether the i-th is tied; the bit after them: the common queue.
    const ServerId* few_of_ = nullptr;
    std::uint32_t few_size_ = 0, tied_ = 0;
};

}  // namespace schedproof::simulation
