/// Jobs as a sharing policy sees them: opaque, one after another.
#pragma once

#include <iterator>
#include <optional>
#include <utility>

#include "model/core/errors.hpp"
#include "model/core/ids.hpp"
#include "model/core/opaque.hpp"

namespace schedproof::sharing {

using JobRef = Opaque<JobId>;

namespace detail {

[[nodiscard]] constexpr std::optional<JobRef> opaque(std::optional<JobId> job) {
    return job ? std::optional(Disclosed::of(*job)) : std::nullopt;
}
constexpr void expect(bool holds, const char* what) {
    if (!holds) throw ContractViolation(what);
}

}  // namespace detail

/// Ready jobs in an order, one after another; how many there are is known at the end.
template <class Range>
class JobsView {
  public:
    constexpr explicit JobsView(Range jobs) : jobs_(std::move(jobs)) {}
    class Iterator {
      public:
        constexpr explicit Iterator(const Range& jobs) : at_(jobs.begin()), end_(jobs.end()) {}
        constexpr JobRef operator*() const {
            detail::expect(!(at_ == end_), "a policy asks for a job past the last one");
            return Disclosed::of(JobId(*at_));
        }
        constexpr Iterator& operator++() {
            detail::expect(!(at_ == end_), "a policy asks for a job past the last one");
            ++at_;
            return *this;
        }
        friend constexpr bool operator==(const Iterator& i, std::default_sentinel_t) { return i.at_ == i.end_; }

      private:
        decltype(std::declval<const Range&>().begin()) at_, end_;
    };
    [[nodiscard]] constexpr Iterator begin() const& { return Iterator(jobs_); }
    [[nodiscard]] constexpr std::default_sentinel_t end() const& { return {}; }
    void begin() const&& = delete;  // an iterator of jobs that are gone

  private:
    Range jobs_;
};

}  // namespace schedproof::sharing
