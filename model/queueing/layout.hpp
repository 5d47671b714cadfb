/// The queues a policy keeps, and who serves a queue at which rate.
///
/// A queue either holds bare counts, when the rate of its tasks at a server follows from the queue alone, or lists the
/// types of its waiting tasks in order, when the rate depends on the task. Keeping counts where they suffice is what
/// makes (Q, f) a Markov chain with small exact state spaces.
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

/// Throws InputError, unless every type has the rates of the levels, for an arrangement whose queues may hold tasks of
/// several rates at one level.
void require_known_rates(const Instance& instance, Arrangement arrangement);

class Layout {
  public:
    /// Throws InputError when `shared` is `revealed` and a slot may bring more than one task, when a queue is not
    /// counted under the option unmatched = phantom (a phantom has no type, so no rate), or when a type has rates of
    /// its own and a queue does not tell the rates of its tasks: a status names a queue and a level, which must tell
    /// the rate.
    /// `shared` is the tracking of the common or single queue; `own` that of queues that belong to a server.
    Layout(const Instance& instance, Arrangement arrangement, Tracking own = Tracking::counted,
           Tracking shared = Tracking::counted);

    [[nodiscard]] Arrangement arrangement() const { return arrangement_; }
    [[nodiscard]] std::size_t queues() const { return queues_; }
    [[nodiscard]] Tracking tracking(QueueId q) const { return is_shared(q) ? shared_ : own_; }
    [[nodiscard]] bool lists_tasks() const { return own_ == Tracking::listed || shared_ == Tracking::listed; }

    /// Rows of the instance's table of rates.
    [[nodiscard]] std::size_t rows() const { return rows_; }
    /// The row of a type, and of the tasks of a queue.
    [[nodiscard]] std::size_t row(TaskTypeId type) const { return rows_ == 1 ? 0 : row_of_type_[type.index()]; }
    [[nodiscard]] std::size_t row(QueueId q) const {
        if (rows_ == 1) return 0;
        return arrangement_ == Arrangement::per_type ? row_of_type_[q.index()] : q.index() / levels_ % rows_;
    }

    /// Queue of server m for tasks of this level to it whose rates are this row. Requires: an arrangement per server.
    [[nodiscard]] QueueId queue(ServerId m, Level level, std::size_t row) const {
        return QueueId(arrangement_ == Arrangement::per_server_and_level
                           ? (m.index() * rows_ + row) * levels_ + level.index()
                           : m.index());
    }
    /// The same. Requires also: a single row.
    [[nodiscard]] QueueId queue(ServerId m, Level level) const {
        require(rows_ == 1, "a server has a queue for each row of rates");
        return queue(m, level, 0);
    }
    /// All queues of server m, but for a common one; by row, then by level. Requires: an arrangement per server.
    [[nodiscard]] IdRange<QueueId> queues_of(ServerId m) const {
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
        return ServerId(arrangement_ == Arrangement::per_server_and_level ? q.index() / (rows_ * levels_) : q.index());
    }
    /// Level at which server m runs a task of a counted queue.
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
    Arrangement arrangement_;
    Tracking own_;
    Tracking shared_;
    bool has_shared_;
    std::size_t levels_;
    std::size_t rows_;
    std::vector<std::size_t> row_of_type_;  // empty if there is one row
    std::size_t queues_;
};

}  // namespace schedproof::queueing
