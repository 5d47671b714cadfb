/// The slot and the event of a central scheduler, which decides what every idle server starts: what bounds all
/// policies.
///
/// *Slots.* A state holds the waiting tasks of each type, wherever they are queued, and for each server that it is idle
/// or at which rate it works. In a slot tasks arrive; then every idle server starts nothing or a waiting task, at the
/// rate of its level or at that of a farther one, and no task is started twice; then each busy server completes its
/// task with its rate, independently. The kernel follows from the instance alone, no policy's code is run.
///
/// Where queues, routing, ties, order and memory of a policy come in, they only choose which waiting tasks are started,
/// when, and at which listed rate: a server that finds no task, or stays committed to a queue without one, starts
/// nothing; a task that a policy serves at the remote rate although its data are near is started at a farther level.
/// So what holds for every choice of the central scheduler holds for every policy that does not interrupt tasks, does
/// not see the future, runs a task on one server, and serves no task faster than its level allows.
///
/// *Continuous time* has the same states, choices and reasons. A step is a choice and then an event: an arrival of type
/// L, at rate lambda_L, of a batch of each of its sizes at the rate of that size, a completion at server m, at the rate
/// mu at which it works, or, at what that lacks to the server's largest rate, nothing. So the scheduler chooses after
/// every event, also after those in which nothing happens, and a policy that starts tasks after arrivals and
/// completions makes choices of its. One that starts tasks at other times too, by a timer, say, is bounded as well:
/// any_policy.hpp.
///
/// *With preemption* a state is the number of tasks of each type, in execution or not. Before each event the scheduler
/// allocates servers to tasks anew, no two servers to one task, and may leave servers idle. A task runs at the rate of
/// its level: a lower rate is a mean of that and of idleness, so it is never the least choice.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "proofs/queueing/theorems/fixed_table.hpp"
#include "proofs/queueing/theorems/state_box.hpp"

namespace schedproof::queueing {

/// What the choices of a slot may depend on, besides everything before it. In continuous time there is the first alone.
enum class DecisionMode : std::uint8_t {
    knows_arrivals,  ///< the slot's arrivals; any rate from that of the level down
    names_types,     ///< nothing: each idle server names a type, or none, before tasks arrive. A server whose type has
                     ///< too few tasks stays idle, those of lowest index first to be served; the rate is the level's
};
inline constexpr std::array<std::string_view, 2> decision_mode_names{"knows-arrivals", "names-types"};

class CentralModel {
  public:
    /// Throws InputError for an instance without an arrival law or types and for names in continuous time,
    /// LimitExceeded when the common denominators of all rates, or those of all arrivals, multiply to more than 63
    /// bits, past 250 starts of a server, and with preemption past 65,536 allocations.
    CentralModel(const Instance& instance, DecisionMode mode);

    /// What an idle server may start.
    struct Start {
        std::size_t type;
        std::size_t status;  ///< that it leads to
    };
    /// One factor of the arrival law; weights over `common`. In continuous time one arrival of each type and each
    /// number of tasks that come together, weighted by its rate.
    struct Factor {
        std::vector<std::vector<std::uint32_t>> counts;  ///< per outcome and type of the instance
        std::vector<std::int64_t> weights;
        std::int64_t common = 1;
    };

    [[nodiscard]] DecisionMode mode() const { return mode_; }
    [[nodiscard]] bool continuous() const { return continuous_; }
    [[nodiscard]] bool preemptive() const { return preemptive_; }
    /// Whether a choice is a list of names, one for each server: with names in slots, and with preemption.
    [[nodiscard]] bool by_names() const { return preemptive_ || mode_ == DecisionMode::names_types; }
    [[nodiscard]] std::size_t servers() const { return rates_.size(); }
    [[nodiscard]] std::size_t types() const { return types_; }
    /// Of server m, by status - 1, for status 0 is idle: each once, the fastest first.
    [[nodiscard]] const std::vector<Rational>& rates(std::size_t m) const { return rates_[m]; }
    /// The same as integers over `common(m)`.
    [[nodiscard]] const std::vector<std::int64_t>& weights(std::size_t m) const { return weights_[m]; }
    [[nodiscard]] std::int64_t common(std::size_t m) const { return common_[m]; }
    /// By type, the fastest first.
    [[nodiscard]] const std::vector<Start>& starts(std::size_t m) const { return starts_[m]; }
    /// The fastest start of a type; none where the server cannot serve it.
    [[nodiscard]] std::optional<std::size_t> start_of(std::size_t m, std::size_t type) const;
    /// The largest weight of server m: that of its clock in continuous time. 0 if it can serve no type.
    [[nodiscard]] std::int64_t fastest(std::size_t m) const { return weights_[m].empty() ? 0 : weights_[m].front(); }
    [[nodiscard]] const std::vector<Factor>& arrivals() const { return arrivals_; }
    /// What the weights of a step sum to: in slots the product of the common denominators of all servers and factors,
    /// in continuous time the rate of events over `common`.
    [[nodiscard]] Fixed common_of_step() const;
    /// The same of what follows the choices of a step: services in slots, the event without preemption. With preemption
    /// 1, for nothing follows that does not depend on the choice.
    [[nodiscard]] Fixed common_after_choices() const;
    /// What a weight of 1 per unit of time is: that of a step in slots, and `common` in continuous time.
    [[nodiscard]] Fixed common_of_time() const;
    /// By how many tasks a step may lower the number in the system: by one in an event, by one a server in a slot.
    [[nodiscard]] std::uint32_t layer() const { return continuous_ ? 1 : static_cast<std::uint32_t>(servers()); }

    /// The states with at most `radius` tasks in the system. A task in execution is counted in the queue of the first
    /// type, for its own type no longer matters: queue 0 holds the waiting tasks of type 0 and one for each busy
    /// server, queue t those of type t, and the level of a busy server is its status - 1. With preemption every server
    /// is idle.
    [[nodiscard]] StateBox box(std::uint32_t radius, std::uint64_t most = StateBox::max_states) const;

  private:
    void add_server(const Instance& instance, ServerId m);
    void add_arrivals(const Instance& instance);
    void add_arrival_rates(const Instance& instance);
    /// The rates at which the server may run a task of a type, that of its level first.
    [[nodiscard]] std::vector<Rational> rates_of(const Instance& instance, ServerId m, TaskTypeId type) const;

    DecisionMode mode_;
    bool continuous_, preemptive_;
    std::size_t types_;
    Integer rates_common_ = 1;  // of all rates, in continuous time
    std::vector<std::vector<Rational>> rates_;
    std::vector<std::vector<std::int64_t>> weights_;
    std::vector<std::int64_t> common_;
    std::vector<std::vector<Start>> starts_;
    std::vector<Factor> arrivals_;
};

}  // namespace schedproof::queueing
