/// What is recorded of a run in continuous time, batch by batch: delays, waits, numbers in the system, busy servers.
///
/// The run is cut into batches of equal length; where it ends with its last event, the last batch covers all later
/// time. A task counts where it leaves; integrals over time (tasks in the system, busy servers) are split where batches
/// end.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "experiments/simulators/core/observation.hpp"
#include "experiments/simulators/events/affinity.hpp"

namespace schedproof::simulation {

/// Classes of servers with figures of their own, such as those with data and those without.
struct ServerClasses {
    std::vector<std::string> names;
    std::vector<std::uint32_t> of;       ///< by server
    std::vector<std::uint32_t> servers;  ///< by class: how many
};

/// In place of the time of arrival: of a task that is there at the start.
inline constexpr double before_start = -1;

/// A service that is under way or has just ended. Times in units of the run.
struct Serving {
    double arrival = 0;  ///< of its task, or `before_start`
    double start = 0;
    std::uint32_t level = 0;
    Fate fate = Fate::neither;  ///< of its task, where affinity is recorded
};

/// What is summed up over a batch.
struct EventSums {
    double area = 0, delay = 0, wait = 0;  ///< tasks in the system over time; of tasks that leave
    std::uint64_t arrived = 0, completed = 0, delayed = 0;
    std::vector<double> busy;             ///< by class
    std::vector<std::uint64_t> at_level;  ///< completions
    statistics::Histogram delays;         ///< in ticks
    AffinitySums affinity;                ///< where it is recorded
};

/// A quantity with what a batch's sums tell of it.
struct EventQuantity {
    Quantity quantity;
    std::function<Tally(const EventSums&, double length)> tally;
    std::function<statistics::Histogram&(EventSums&)> histogram = {};
};

/// What a recorder records, in the order of a batch's tallies. `tick` is that of the delay's histogram.
[[nodiscard]] std::vector<EventQuantity> event_quantities(const ServerClasses& classes,
                                                          std::span<const std::string> levels, const std::string& unit,
                                                          double tick);
/// The same of affinity; tokens where they are known.
[[nodiscard]] std::vector<EventQuantity> affinity_quantities(const std::string& unit, double tick, bool tokens);

class EventRecorder {
  public:
    /// How the run is cut: `drains` when it ends only with its last event.
    struct Cut {
        double length = 1;
        std::size_t batches = 1;
        bool drains = false;
        bool affinity = false;  ///< recorded
    };
    /// Requires at least one batch of some length. `classes` and `recorded` must outlive the recorder.
    EventRecorder(const ServerClasses& classes, const std::vector<EventQuantity>& recorded, std::size_t levels, Cut cut,
                  double tick)
        : classes_(classes),
          recorded_(recorded),
          cut_(cut),
          observation_{cut.length, {}, 0},
          ticks_per_unit_(1 / tick) {
        sums_.busy.assign(classes.names.size(), 0);
        sums_.at_level.assign(levels, 0);
        observation_.batches.reserve(cut.batches);
        if (cut.affinity) affinity_.emplace(classes.of.size());
        batch_end_ = next_end();
    }

    /// Where the current batch ends: before anything that happens then or later, `end_batch` must be called.
    [[nodiscard]] double batch_end() const { return batch_end_; }
    /// `running` are the services under way, of servers by number.
    template <class ForEachRunning>
    void end_batch(ForEachRunning&& for_each_running) {
        if (batch_end_ == never) batch_end_ = std::max(planned_end(), last_);
        pass(batch_end_);
        for_each_running([this](std::size_t server, const Serving& serving) { add_busy(server, serving, batch_end_); });
        close();
    }
    [[nodiscard]] bool ended() const { return observation_.batches.size() == cut_.batches; }

    /// Tasks that are there at time 0. Requires: before all else.
    void begin(std::uint64_t present) { present_ = present; }
    void arrived(double now) {
        pass(now);
        ++present_;
        ++sums_.arrived;
    }
    /// A task that arrives is sent to this server. Requires: affinity is recorded.
    void sent(std::size_t server, Fate fate, double tokens, double saved) {
        affinity_->sent(server, fate, tokens, saved);
    }
    [[nodiscard]] bool records_affinity() const { return affinity_.has_value(); }
    void completed(double now, std::size_t server, const Serving& serving) {
        left(now, serving);
        worked(server, serving, now);
    }
    // The same in two parts, for services that may be interrupted: that a task leaves, its wait ending at `start`, and
    // that a server has worked from `start` on.
    void left(double now, const Serving& serving) {
        pass(now);
        --present_;
        ++sums_.completed;
        if (serving.arrival != before_start) add_delay(now, serving);
        ++sums_.at_level[serving.level];
    }
    void worked(std::size_t server, const Serving& serving, double until) { add_busy(server, serving, until); }
    [[nodiscard]] std::uint64_t present() const { return present_; }

    [[nodiscard]] Observation take() { return std::move(observation_); }

  private:
    static constexpr double never = std::numeric_limits<double>::infinity();

    /// Of the current batch.
    [[nodiscard]] double planned_end() const {
        return cut_.length * static_cast<double>(observation_.batches.size() + 1);
    }
    /// The same, or never where the last batch takes the rest.
    [[nodiscard]] double next_end() const {
        return cut_.drains && observation_.batches.size() + 1 == cut_.batches ? never : planned_end();
    }
    void pass(double now) {
        sums_.area += static_cast<double>(present_) * (now - last_);
        last_ = now;
    }
    void add_delay(double now, const Serving& serving) {
        const double delay = now - serving.arrival;
        const double wait = serving.start - serving.arrival;
        const auto ticks =
            static_cast<std::uint64_t>(static_cast<std::int64_t>(std::min(delay * ticks_per_unit_, 0x1p62)));
        ++sums_.delayed;
        sums_.delay += delay;
        sums_.wait += wait;
        sums_.delays.add(ticks);
        if (affinity_) affinity_->left(serving.fate, delay, wait, ticks);
    }
    void add_busy(std::size_t server, const Serving& serving, double until) {
        const double time = until - std::max(serving.start, batch_start_);
        sums_.busy[classes_.of[server]] += time;
        if (affinity_) affinity_->worked(server, time);
    }
    void close();

    const ServerClasses& classes_;
    const std::vector<EventQuantity>& recorded_;
    Cut cut_;
    Observation observation_;
    double batch_start_ = 0, batch_end_ = 0;
    double ticks_per_unit_;
    std::uint64_t present_ = 0;
    double last_ = 0;
    EventSums sums_;  // of the current batch
    std::optional<AffinityRecorder> affinity_;
};

}  // namespace schedproof::simulation
