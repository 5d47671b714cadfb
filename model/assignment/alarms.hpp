/// Alarm clocks: at most one pending time for each of a fixed number of clocks, the earliest first.
///
/// Setting a clock again replaces its alarm. The heap keeps the replaced ones until they come to its top, so it is as
/// large as the number of settings, and setting costs no search.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "model/core/number.hpp"

namespace schedproof::assignment {

template <Number N>
class Alarms {
  public:
    explicit Alarms(std::size_t clocks) : version_(clocks, 0) {}
    /// Clock i is set to times[i]. Cost: linear.
    explicit Alarms(const std::vector<N>& times) : version_(times.size(), 0) {
        heap_.reserve(times.size());
        for (std::size_t i = 0; i < times.size(); ++i) heap_.push_back({times[i], static_cast<std::uint32_t>(i), 0});
        std::make_heap(heap_.begin(), heap_.end(), later);
    }
    void set(std::size_t clock, N at) {
        heap_.push_back({std::move(at), static_cast<std::uint32_t>(clock), ++version_[clock]});
        std::push_heap(heap_.begin(), heap_.end(), later);
    }
    void cancel(std::size_t clock) { ++version_[clock]; }

    /// Whether any alarm is pending.
    [[nodiscard]] bool pending() {
        while (!heap_.empty() && heap_.front().version != version_[heap_.front().clock]) drop();
        return !heap_.empty();
    }
    /// The earliest pending time. Requires `pending()` just before.
    [[nodiscard]] const N& next() const { return heap_.front().at; }
    /// Takes an earliest alarm off, and says whose it was. Requires `pending()` just before.
    std::size_t pop() {
        const std::size_t clock = heap_.front().clock;
        drop();
        return clock;
    }

  private:
    struct Alarm {
        N at;
        std::uint32_t clock;
        std::uint32_t version;  // of the clock's setting: an older one has been replaced
    };
    static bool later(const Alarm& a, const Alarm& b) { return b.at < a.at; }
    void drop() {
        std::pop_heap(heap_.begin(), heap_.end(), later);
        heap_.pop_back();
    }

    std::vector<Alarm> heap_;
    std::vector<std::uint32_t> version_;  // by clock
};

}  // namespace schedproof::assignment
