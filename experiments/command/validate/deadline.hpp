/// The time that `validate` is given.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

namespace schedproof::cli {

/// Thrown when `--time-limit` is over, through all parts, so that none takes it for a verdict.
struct TimeIsOver {};

/// When the time is over.
class Deadline {
  public:
    /// Counted from now on; never, without a limit.
    explicit Deadline(std::optional<std::uint64_t> seconds);
    /// Throws TimeIsOver.
    void check() const;

  private:
    std::optional<std::chrono::steady_clock::time_point> at_;
};

}  // namespace schedproof::cli
