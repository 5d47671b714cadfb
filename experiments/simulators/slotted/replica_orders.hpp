/// The queues of the servers that hold a type's data, by length: for types whose data lie on many servers.
///
/// A queue may belong to several types' servers, so it may have a seat in several orders. Its seats form a list, the
/// first one found by the queue's number. An order is made when it is first asked for; until then no queue has a seat.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "experiments/simulators/slotted/length_order.hpp"
#include "model/core/ids.hpp"

namespace schedproof::simulation {

class ReplicaOrders {
  public:
    /// The servers of one type, by the lengths of their queues.
    struct Order {
        std::span<const ServerId> servers;
        LengthOrder lengths;
        /// Positions among the servers.
        [[nodiscard]] std::span<const std::uint32_t> shortest() const { return lengths.shortest(); }
    };

    /// No order yet.
    ReplicaOrders(std::size_t types, std::size_t queues) : types_(types), queues_(queues) {}

    [[nodiscard]] bool empty() const { return seats_.empty(); }
    /// The type's order; nullptr until it is made. Valid until another is made.
    [[nodiscard]] const Order* of(TaskTypeId type) const {
        return order_of_.empty() || order_of_[type.index()] == no_order ? nullptr : &orders_[order_of_[type.index()]];
    }
    /// Makes the type's order: `queue_of(server)` of these servers, each as long as `length_of(queue)`. Borrows the
    /// servers. Cost: linear in the servers of all orders made so far.
    template <class QueueOf, class LengthOf>
    const Order& make(TaskTypeId type, std::span<const ServerId> servers, QueueOf&& queue_of, LengthOf&& length_of);
    /// A queue has this length now, in all orders where it has a seat. Requires: not empty.
    void set(QueueId q, std::uint32_t length) {
        for (const Seat* seat = &seats_[q.index()]; seat->order != no_order; seat = &seats_[seat->next])
            orders_[seat->order].lengths.set(seat->place, length);
    }

  private:
    static constexpr std::uint32_t no_order = static_cast<std::uint32_t>(-1);
    /// A queue stands in an order, at a place; `next` is another seat of the queue, at last one in no order.
    struct Seat {
        std::uint32_t order = no_order, place = 0, next = 0;
    };

    std::size_t types_, queues_;
    std::vector<Order> orders_;
    std::vector<std::uint32_t> order_of_;  // by type; empty until there is an order
    std::vector<Seat> seats_;              // by queue its first one; one in no order; all others
};

template <class QueueOf, class LengthOf>
const ReplicaOrders::Order& ReplicaOrders::make(TaskTypeId type, std::span<const ServerId> servers, QueueOf&& queue_of,
                                                LengthOf&& length_of) {
    const auto number = static_cast<std::uint32_t>(orders_.size());
    const auto last = static_cast<std::uint32_t>(queues_);
    if (orders_.empty()) {
        order_of_.assign(types_, no_order);
        seats_.assign(queues_ + 1, {no_order, 0, last});
    }
    orders_.push_back({servers, LengthOrder(static_cast<std::uint32_t>(servers.size()))});
    order_of_[type.index()] = number;
    std::uint32_t place = 0;
    for (const ServerId m : servers) {
        const QueueId q = queue_of(m);
        Seat& first = seats_[q.index()];
        Seat seat{number, place++, last};
        if (first.order != no_order) seat.next = static_cast<std::uint32_t>(seats_.size());
        std::swap(first, seat);
        if (seat.order != no_order) seats_.push_back(seat);
        set(q, length_of(q));
    }
    return orders_.back();
}

}  // namespace schedproof::simulation
