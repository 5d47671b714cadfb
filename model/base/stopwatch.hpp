/// Wall-clock time.
#pragma once

#include <chrono>

namespace schedproof::base {

/// Wall-clock time since it was made.
class Stopwatch {
  public:
    /// Unit: second.
    [[nodiscard]] double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

  private:
    using Clock = std::chrono::steady_clock;
    Clock::time_point start_ = Clock::now();
};

}  // namespace schedproof::base
