/// A policy of the central scheduler on a box of states, and its improvement by given values.
#pragma once

#include <cstdint>
#include <vector>

#include "proofs/queueing/theorems/central_box.hpp"

namespace schedproof::queueing {

/// What a policy of the central scheduler does at the states of a box.
class CentralPolicy {
  public:
    /// Nothing is started.
    explicit CentralPolicy(const CentralBox& box) : box_(box) {
        if (box.model().by_names())
            names_.assign(box.size(), std::vector<std::uint8_t>(box.model().servers(), 0));
        else
            start_.assign(box.model().servers(), std::vector<std::uint8_t>(box.size(), 0));
    }

    /// Takes choices that are better by the values of `next`, where there are some; returns at how many places.
    std::size_t improve(const std::vector<long double>& next, long double outside);

    /// Calls `use(state, weight)` with the state after each event that follows the choice in state i, in continuous
    /// time; `none` outside the box.
    template <class Use>
    void each_event(CentralBox::Index i, Use&& use) const {
        if (names_.empty()) return box_.each_event(started(i), {}, use);
        box_.each_event(i, {names_[i].begin(), names_[i].end()}, use);
    }

    /// Calls `use(state, weight)` with the state during the slot that begins in state i, for every outcome of the
    /// arrivals; `none` outside the box.
    template <class Use>
    void each_slot(CentralBox::Index i, Use&& use) const {
        std::vector<std::size_t> names;
        if (!names_.empty()) names.assign(names_[i].begin(), names_[i].end());
        box_.each_arrival(i, [&](CentralBox::Index next, std::int64_t weight) {
            if (next != CentralBox::none) next = names_.empty() ? started(next) : box_.started_as_named(names, next);
            use(next, weight);
        });
    }

  private:
    [[nodiscard]] CentralBox::Index started(CentralBox::Index i) const {
        for (std::size_t m = 0; m < start_.size(); ++m)
            if (start_[m][i] > 0) i = box_.started(m, start_[m][i] - std::size_t{1}, i);
        return i;
    }

    /// Server by server, from the last.
    std::size_t improve_starts(std::vector<long double> value, long double tolerance);
    std::size_t improve_names(const std::vector<long double>& value, long double outside, long double tolerance);

    const CentralBox& box_;
    std::vector<std::vector<std::uint8_t>> start_;  // otherwise: per server and state before the starts, 0 for none
    std::vector<std::vector<std::uint8_t>> names_;  // where choices are by names: per state and server
};

}  // namespace schedproof::queueing
