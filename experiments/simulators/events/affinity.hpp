/// What it brings that tasks are sent to their data, and what it costs: hits and misses, how long each takes, and how
/// evenly servers are used.
///
/// A task has a home where some server lacks its data. It is a hit if the server that it is sent to holds the data, and
/// a miss if not; of a task whose data is everywhere, or that was there at the start, neither is said. Where a trace
/// knows the tokens of prompts, hits are weighted by those that are not computed again. Herding is the share of one
/// server, the largest, among `window` consecutive arrivals; Jain's index is (sum x)^2 / (M sum x^2) of the busy times
/// x of the M servers in a batch, 1 where they are equal and 1/M where one does all. Neither is a mean over tasks:
/// windows that a batch cuts count where they end. Source of the index: [jain1984].
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "experiments/statistics/histogram.hpp"

namespace schedproof::simulation {

/// Of a task that is sent to a server.
enum class Fate : std::uint8_t { neither, hit, miss };

/// Of tasks that leave.
struct FateSums {
    std::uint64_t tasks = 0;
    double delay = 0, wait = 0;
    statistics::Histogram delays;  ///< in ticks
};

/// Over a batch.
struct AffinitySums {
    std::uint64_t hits = 0, homed = 0;  ///< of tasks that arrive: with a home
    double saved = 0, tokens = 0;       ///< of tasks that arrive: at hits; of all prompts
    std::uint64_t windows = 0;
    double herding = 0;  ///< sum over the windows
    FateSums of_hits, of_misses;
    std::vector<double> busy;  ///< by server
};

class AffinityRecorder {
  public:
    static constexpr std::uint32_t window = 100;  ///< arrivals

    explicit AffinityRecorder(std::size_t servers) : arrivals_(servers) { sums_.busy.resize(servers); }

    void sent(std::size_t server, Fate fate, double tokens, double saved) {
        if (fate != Fate::neither) ++sums_.homed;
        sums_.tokens += tokens;
        if (fate == Fate::hit) {
            ++sums_.hits;
            sums_.saved += saved;
        }
        ++arrivals_[server];
        if (++in_window_ < window) return;
        ++sums_.windows;
        sums_.herding += static_cast<double>(*std::max_element(arrivals_.begin(), arrivals_.end())) / window;
        std::fill(arrivals_.begin(), arrivals_.end(), 0U);
        in_window_ = 0;
    }
    void left(Fate fate, double delay, double wait, std::uint64_t ticks) {
        if (fate == Fate::neither) return;
        FateSums& of = fate == Fate::hit ? sums_.of_hits : sums_.of_misses;
        ++of.tasks;
        of.delay += delay;
        of.wait += wait;
        of.delays.add(ticks);
    }
    void worked(std::size_t server, double time) { sums_.busy[server] += time; }

    /// Of the batch, which ends.
    [[nodiscard]] AffinitySums take() {
        AffinitySums next;
        next.busy.resize(sums_.busy.size());
        std::swap(next, sums_);
        return next;
    }

  private:
    std::vector<std::uint32_t> arrivals_;  // of the window, by server
    std::uint32_t in_window_ = 0;
    AffinitySums sums_;
};

/// Jain's index; 1 where nobody works.
[[nodiscard]] inline double jain_index(const std::vector<double>& busy) {
    double sum = 0, squares = 0;
    for (const double x : busy) {
        sum += x;
        squares += x * x;
    }
    return squares > 0 ? sum * sum / (static_cast<double>(busy.size()) * squares) : 1;
}

}  // namespace schedproof::simulation
