/// First in, first out: one queue, served in order of arrival by whichever server is idle, near the data or not.
///
/// The baseline that ignores locality. Tasks of one slot stand in an order each equally likely. With at most one task
/// per slot the types may be drawn when service starts (option reveal = on-start): the same law, and the state is
/// (number of tasks, statuses).
#pragma once

#include "model/queueing/policy.hpp"

namespace schedproof::queueing::language {

struct Fifo {
    static constexpr PolicyInfo info{"fifo", "[kavousi], Section II", "join the one queue; serve its head"};
    static constexpr Rules rules{keep(Arrangement::single), route(common), serve(common)};
};

}  // namespace schedproof::queueing::language

namespace schedproof::queueing {
using language::Fifo;
}  // namespace schedproof::queueing
