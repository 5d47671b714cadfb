/// The queues a policy keeps, and who serves a queue at which rate.
///
/// A queue either holds bare counts, when the rate of its tasks at a server follows from the queue alone, or lists the
/// types of its waiting tasks in order, when the rate depends on the task. Keeping counts where they suffice is what
/// makes (Q, f) a Markov chain with small exact state spaces.
///
/// Where types state their rates at servers, a server has a queue per level only for the levels at which it serves some
/// type, and a server may be unable to serve a queue.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/queueing/arrangement.hpp"
#include "model/queueing/instance.hpp"

namespace schedproof::queueing {

/// What the state knows of the waiting tasks of a queue, hence at which rate a server runs them.
enum class Tracking : std::uint8_t {
    counted,   ///< a count; the rate follows from queue and server
    listed,    ///< types in FIFO order; the rate is that of the head task's type
    revealed,  ///< a count; the type is drawn from the arrival law when service starts
};

/// Which types may join the queue of a server: those whose data it holds, or all that it can serve.
enum class Joining : std::uint8_t { local, anywhere };

class Layout {
  public:
    /// Throws InputError when `shared` is `revealed` and a slot may bring more than one task, when a queue is not
    /// counted under the option unmatched = phantom (a phantom has no type, so no rate), or when a type has rates of
    /// its own, or rates at servers, and a queue does not tell the rates of its tasks: a status names a queue and a
    /// level, which must tell the rate.
    /// `shared` is the tracking of the common or single queue; `own` that of queues that belong to a server. Where
    /// types state their rates at servers, all queues are counted, of which `joining` says what they hold.
    Layout(const Instance& instance, Arrangement arrangement, Tracking own = Tracking::counted,
           Tracking shared = Tracking::counted, Joining joining = Joining::local);

    [[nodiscard]] Arrangement arrangement() const { return arrangement_; }
    [[nodiscard]] std::size_t queues() const { return queues_; }
    [[nodiscard]] Tracking tracking(QueueId q) const { return is_shared(q) ? shared_ : own_; }
    [[nodiscard]] bool lists_tasks() const { return own_ == Tracking::listed || shared_ == Tracking::listed; }

    /// Whether types state their rates at servers.
    [[nodiscard]] bool rates_at_servers() const { return !places_.empty(); }
    /// Whether a task of the type may wait in the queue. Requires: types state their rates at servers.
    [[nodiscard]] bool may_hold(QueueId q, TaskTypeId type) const;
    /// Rows of the instance's table of rates.
    [[nodiscard]] std::size_t rows() const { return rows_; }
    /// The row of a type, and of the tasks of a queue.
    [[nodiscard]] std::size_t row(TaskTypeId type) const { return rows_ == 1 ? 0 : row_of_type_[type.index()]; }
    [[nodiscard]] std::size_t row(QueueId q) const {
        if (rows_ == 1) return 0;
        if (!places_.empty()) return places_[q.index()].row;
        return arrangement_ == Arrangement::per_type ? row_of_type_[q.index()] : q.index() / levels_ % rows_;
    }

    /// Whether server m has a queue for tasks of this level to it whose rates are this row.
    [[nodiscard]] bool has_queue(ServerId m, Level level, std::size_t row) const {
        return place_at_.empty() || place_at_[cell(m, level, row)] != none;
    }
    /// That queue. Requires: an arrangement per server, and that there is one.
    [[nodiscard]] QueueId queue(ServerId m, Level level, std::size_t row) const {
        if (arrangement_ != Arrangement::per_server_and_level) return QueueId(m.index());
        return QueueId(place_at_.empty() ? cell(m, level, row) : place_at_[cell(m, level, row)]);
    }
    /// The same. Requires also: a single queue for the level.
    [[nodiscard]] QueueId queue(ServerId m, Level level) const {
        require(rows_ == 1 || arrangement_ != Arrangement::per_server_and_level,
                "a server has a queue for each row of rates");
        return queue(m, level, 0);
    }
    /// All queues of server m, but for a common one; by row, then by level. Requires: an arrangement per server.
    [[nodiscard]] IdRange<QueueId> queues_of(ServerId m) const {
        if (!place_at_.empty()) return {first_of_server_[m.index()], first_of_server_[m.index() + 1]};
        const std::size_t own = arrangement_ == Arrangement::per_server_and_level ? rows_ * levels_ : 1;
        return {m.index() * own, (m.index() + 1) * own};
    }
    /// Requires: arrangement per_type.
    [[nodiscard]] QueueId queue(TaskTypeId type) const { return QueueId(type.index()); }
    /// Requires: an arrangement with a common or single queue.
    [[nodiscard]] QueueId shared() const { return QueueId(queues_ - 1); }
    [[nodiscard]] bool is_shared(QueueId q) const { return has_shared_ && q.index() + 1 == queues_; }

    /// The server that a queue belongs to. Requires: an arrangement per server and a queue that is not shared.
    [[nodiscard]] ServerId owner(QueueId q) const {
        if (!place_at_.empty()) return places_[q.index()].owner;
        return ServerId(arrangement_ == Arrangement::per_server_and_level ? q.index() / (rows_ * levels_) : q.index());
    }
    /// Whether server m can run the tasks of a counted queue. False as well of a queue that no task can join.
    [[nodiscard]] bool serves(const Instance& instance, ServerId m, QueueId q) const;
    /// Level at which server m runs a task of a counted queue. Requires that it can.
    [[nodiscard]] Level service_level(const Instance& instance, QueueId q, ServerId m) const;
    /// Rate at which server m runs a task of a counted queue.
    [[nodiscard]] const Rational& service_rate(const Instance& instance, QueueId q, ServerId m) const {
        return rate(instance, q, service_level(instance, q, m));
    }
    /// Rate of a task of the queue at a level.
    [[nodiscard]] const Rational& rate(const Instance& instance, QueueId q, Level level) const {
        return instance.rate(instance.first_type(row(q)), level);
    }
    /// Where it stands in the instance's table of rates.
    [[nodiscard]] std::size_t rate_index(QueueId q, Level level) const { return row(q) * levels_ + level.index(); }

    /// A readable name, such as `s0`, `common`, `s0.rack` or `type A`; with several rows of rates `s0.rack.A`, where A
    /// is the first type of the row.
    [[nodiscard]] std::string name(const Instance& instance, QueueId q) const;
    /// The same without the server: `rack` or `rack.A`. Requires: arrangement per_server_and_level.
    [[nodiscard]] std::string name_at_server(const Instance& instance, QueueId q) const;

  private:
    /// What a queue holds, where types state their rates at servers.
    struct Place {
        ServerId owner;                 ///< of a queue that is not shared
        std::size_t row = 0;            ///< of its tasks
        std::optional<Level> level;     ///< of its tasks to the owner, in an arrangement per server and level
        std::vector<TaskTypeId> holds;  ///< the types that may join it, which server m serves at one rate
    };
    static constexpr std::uint32_t none = UINT32_MAX;
    [[nodiscard]] std::size_t cell(ServerId m, Level level, std::size_t row) const {
        return (m.index() * rows_ + row) * levels_ + level.index();
    }
    void place_queues(const Instance& instance, Joining joining);
    void place_levels(const Instance& instance);
    [[nodiscard]] Place placed(const Instance& instance, ServerId owner, QueueId q, std::vector<TaskTypeId> held) const;

    Arrangement arrangement_;
    Tracking own_;
    Tracking shared_;
    bool has_shared_;
    std::size_t levels_;
    std::size_t rows_;
    std::vector<std::size_t> row_of_type_;  // empty if there is one row
    std::size_t queues_;
    // Empty unless types state their rates at servers.
    std::vector<Place> places_;                 // by queue
    std::vector<std::uint32_t> place_at_;       // queue of a cell, or none; in an arrangement per server and level
    std::vector<std::size_t> first_of_server_;  // first queue of each server, and one past the last; likewise
};

}  // namespace schedproof::queueing
