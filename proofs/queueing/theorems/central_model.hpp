/// The slot of a central scheduler, which decides what every idle server starts: what bounds all policies.
///
/// A state holds the waiting tasks of each type, wherever they are queued, and for each server that it is idle or at
/// which rate it works. In a slot tasks arrive; then every idle server starts nothing or a waiting task, at the rate of
/// its level or at that of a farther one, and no task is started twice; then each busy server completes its task with
/// its rate, independently. The kernel follows from the instance alone, no policy's code is run.
///
/// Where queues, routing, ties, order and memory of a policy come in, they only choose which waiting tasks are started,
/// when, and at which listed rate: a server that finds no task, or stays committed to a queue without one, starts
/// nothing; a task that a policy serves at the remote rate although its data are near is started at a farther level.
/// So what holds for every choice of the central scheduler holds for every policy that does not interrupt tasks, does
/// not see the future, runs a task on one server, and serves no task faster than its level allows.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

#include "proofs/queueing/theorems/fixed_table.hpp"
#include "proofs/queueing/theorems/state_box.hpp"

namespace schedproof::queueing {

/// What the choices of a slot may depend on, besides everything before it.
enum class DecisionMode : std::uint8_t {
    knows_arrivals,  ///< the slot's arrivals; any rate from that of the level down
    names_types,     ///< nothing: each idle server names a type, or none, before tasks arrive. A server whose type has
                     ///< too few tasks stays idle, those of lowest index first to be served; the rate is the level's
};
inline constexpr std::array<std::string_view, 2> decision_mode_names{"knows-arrivals", "names-types"};

class CentralModel {
  public:
    /// Throws InputError for an instance without an arrival law or types, LimitExceeded when the common denominators of
    /// all rates, or those of all arrivals, multiply to more than 63 bits, and past 250 starts of a server.
    CentralModel(const Instance& instance, DecisionMode mode);

    /// What an idle server may start.
    struct Start {
        std::size_t type;
        std::size_t status;  ///< that it leads to
    };
    /// One factor of the arrival law; weights over `common`.
    struct Factor {
        std::vector<std::vector<std::uint32_t>> counts;  ///< per outcome and type of the instance
        std::vector<std::int64_t> weights;
        std::int64_t common = 1;
    };

    [[nodiscard]] DecisionMode mode() const { return mode_; }
    [[nodiscard]] std::size_t servers() const { return rates_.size(); }
    [[nodiscard]] std::size_t types() const { return types_; }
    /// Of server m, by status - 1, for status 0 is idle: each once, the fastest first.
    [[nodiscard]] const std::vector<Rational>& rates(std::size_t m) const { return rates_[m]; }
    /// The same as integers over `common(m)`.
    [[nodiscard]] const std::vector<std::int64_t>& weights(std::size_t m) const { return weights_[m]; }
    [[nodiscard]] std::int64_t common(std::size_t m) const { return common_[m]; }
    /// By type, the fastest first.
    [[nodiscard]] const std::vector<Start>& starts(std::size_t m) const { return starts_[m]; }
    [[nodiscard]] const std::vector<Factor>& arrivals() const { return arrivals_; }
    /// Product of the common denominators of all servers, and of those of all factors too.
    [[nodiscard]] Fixed common_of_services() const;
    [[nodiscard]] Fixed common_of_slot() const;

    /// The states with at most `radius` tasks in the system. A task in execution is counted in the queue of the first
    /// type, for its own type no longer matters: queue 0 holds the waiting tasks of type 0 and one for each busy
    /// server, queue t those of type t, and the level of a busy server is its status - 1.
    [[nodiscard]] StateBox box(std::uint32_t radius, std::uint64_t most = StateBox::max_states) const;

  private:
    DecisionMode mode_;
    std::size_t types_;
    std::vector<std::vector<Rational>> rates_;
    std::vector<std::vector<std::int64_t>> weights_;
    std::vector<std::int64_t> common_;
    std::vector<std::vector<Start>> starts_;
    std::vector<Factor> arrivals_;
};

/// Where the parts of a slot lead from every state of a box, and means and least means of functions over a slot.
/// Numbers N are Fixed, exactly, or long double. Means are multiplied by common denominators, so all weights are
/// integers.
class CentralBox {
  public:
    using Index = std::uint32_t;
    static constexpr Index none = std::numeric_limits<Index>::max();

    /// Throws LimitExceeded past `most` states. Cost: 4 bytes a state for each server, start and arrival outcome.
    CentralBox(const CentralModel& model, std::uint32_t radius, std::uint64_t most, unsigned threads);

    [[nodiscard]] const CentralModel& model() const { return model_; }
    [[nodiscard]] std::size_t size() const { return tasks_.size(); }
    /// In the system. Per state.
    [[nodiscard]] const std::vector<std::uint32_t>& tasks() const { return tasks_; }
    [[nodiscard]] std::size_t status(std::size_t m, Index i) const { return status_[m][i]; }
    /// With server m idle, after its task completed.
    [[nodiscard]] Index ended(std::size_t m, Index i) const { return ended_[m][i]; }
    /// After a start of starts(m); `none` where server m is busy or no such task waits.
    [[nodiscard]] Index started(std::size_t m, std::size_t start, Index i) const { return started_[m][start][i]; }
    /// After an outcome of a factor; `none` outside the box.
    [[nodiscard]] Index arrived(std::size_t factor, std::size_t outcome, Index i) const {
        return arrived_[factor][outcome][i];
    }
    /// After the servers, in their order, took the tasks that they named; 0 names none, else a type + 1.
    [[nodiscard]] Index started_as_named(const std::vector<std::size_t>& names, Index i) const;

    /// Calls `use(next, weight)` for every joint outcome of the arrivals; weights sum to the product of the factors'
    /// common denominators, and `next` is `none` outside the box.
    template <class Use>
    void each_arrival(Index i, Use&& use) const {
        follow_arrivals(0, i, 1, use);
    }
    /// Calls `use()` with `names` set to each list of names that the servers may give: 0 for a busy one.
    template <class Use>
    void each_naming(Index i, std::vector<std::size_t>& names, Use&& use) const {
        names.assign(model_.servers(), 0);
        for (;;) {
            use();
            std::size_t m = 0;
            for (; m < names.size(); ++m) {
                if (status_[m][i] != 0) continue;
                if (++names[m] <= model_.types()) break;
                names[m] = 0;
            }
            if (m == names.size()) return;
        }
    }

    /// At each state, times common_of_slot: the least mean of `next` after a slot, over all choices. Requires that
    /// `next` is `outside` at all states with more tasks than the radius less the number of servers, in the box and
    /// beyond: so no slot that begins beyond the box matters. Throws LimitExceeded when a Fixed passes 127 bits.
    template <class N>
    [[nodiscard]] std::vector<N> least_mean(const std::vector<N>& next, N outside) const;
    /// The mean of `next` after the services of a slot, times common_of_services.
    template <class N>
    [[nodiscard]] std::vector<N> after_services(std::vector<N> next) const;

  private:
    template <class Use>
    void follow_arrivals(std::size_t factor, Index i, std::int64_t weight, Use& use) const {
        if (factor == arrived_.size()) return use(i, weight);
        const CentralModel::Factor& law = model_.arrivals()[factor];
        for (std::size_t o = 0; o < law.weights.size(); ++o)
            follow_arrivals(factor + 1, i == none ? none : arrived_[factor][o][i], weight * law.weights[o], use);
    }
    template <class N>
    [[nodiscard]] std::vector<N> least_after_starts(std::vector<N> value) const;
    template <class N>
    [[nodiscard]] std::vector<N> after_arrivals(std::vector<N> value, N outside) const;
    template <class N>
    [[nodiscard]] std::vector<N> least_as_named(const std::vector<N>& value, N outside) const;

    CentralModel model_;
    unsigned threads_;
    std::vector<std::uint32_t> tasks_;
    std::vector<std::vector<std::uint8_t>> status_;
    std::vector<std::vector<Index>> ended_;
    std::vector<std::vector<std::vector<Index>>> started_, arrived_;
};

}  // namespace schedproof::queueing
