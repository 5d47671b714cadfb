/// Slots of many replications of a small cluster side by side: one replication in each lane of a vector.
///
/// All replications go through the same instructions, whatever their states: what a replication does not do is masked
/// out. The loops are written once (lane_slots.inc) and compiled for each set of instructions, whose vectors have 16, 8
/// or 4 lanes; a replication's path depends neither on these nor on its neighbours.
///
/// Arrays of words hold a row of `width` words, one a lane, for each queue, server and so on.
#pragma once

#include <cstddef>
#include <cstdint>

#include "experiments/simulators/slotted/lane_loops.hpp"
#include "experiments/simulators/slotted/lane_rules.hpp"

namespace schedproof::simulation {

/// Values of a histogram that have a row of their own; larger ones are counted in the row after these, and told to
/// LaneEvents.
inline constexpr std::uint32_t tallied_values = 512;

/// What happens too seldom, or in too few lanes, to be done side by side.
class LaneEvents {
  public:
    LaneEvents() = default;
    LaneEvents(const LaneEvents&) = delete;
    LaneEvents& operator=(const LaneEvents&) = delete;
    virtual ~LaneEvents() = default;

    /// The outcome of a factor of the arrivals, where the bits are one of its thresholds.
    [[nodiscard]] virtual std::uint32_t outcome(std::size_t lane, std::uint32_t factor, std::uint32_t bits) = 0;
    /// Whether a service at a rate ends, 1 or 0, where the bits are its threshold.
    [[nodiscard]] virtual std::uint32_t ends(std::size_t lane, std::uint32_t rate, std::uint32_t bits) = 0;
    /// Of n that are tied, the one that the bits draw; they may favour some, and are then drawn again.
    [[nodiscard]] virtual std::uint32_t tied(std::size_t lane, std::uint32_t n, std::uint32_t bits) = 0;
    /// The queue that a decision table names for a server at the start of the slot; `queues` if it names none.
    [[nodiscard]] virtual std::uint32_t named(std::size_t lane, std::uint32_t table, std::uint32_t server) = 0;
    /// Where drift is recorded: the tasks of the slot are in `executing`, and no service has ended.
    virtual void executing() = 0;
    /// The ring of a queue is full in some lane: it must be wider.
    virtual void widen(std::uint32_t queue) = 0;
    /// A value of at least tallied_values: of a delay, or of a length.
    virtual void far(std::size_t lane, bool delay, std::uint32_t value) = 0;
};

/// Independent types of one factor: the outcome is the number of cuts that the bits reach.
struct LaneFactor {
    std::uint32_t first_cut, cuts, first_type, types;
};
/// `steps`: tasks at outcome 0, then what each cut adds.
struct LaneFactorType {
    std::uint32_t type, first_step;
};
struct LaneType {
    LaneProgram program;
    std::uint32_t most;  ///< tasks in a slot
    std::uint32_t draw;  ///< which of the slot's draws breaks the ties of its first task
};
/// A queue that a server may turn to, in the order of its answers.
struct LaneTarget {
    std::uint32_t queue, rate, below, level;  ///< 16 bits below `below` end the service
};
struct LaneServer {
    LaneProgram program;
    std::uint32_t draw, first_target, with_data;  ///< with_data: 1 or 0
};
/// The slots in which the waiting tasks of a queue arrived: 2^bits rows.
struct LaneRing {
    std::uint32_t* rows;
    std::uint32_t bits;
};

/// Sums over slots, a row each; by level, the tasks that started follow.
enum LaneCount : std::uint32_t {
    arrived,
    blocked,
    completed,
    busy_without_data,
    busy_with_data,
    busy_after,
    started_at_level
};
/// Sums of 64 bits: for each the even lanes, then the odd ones.
enum LaneSum : std::uint32_t { tasks_in_system, sampled_length, delays, waits, lane_sums };

/// What the kernel goes over. Owned by ReplicationLanes.
struct LaneSlots {
    // The system.
    std::uint32_t queues, types, servers, factors, draws;
    bool sequential, recording_delays, recording_drift;
    bool blocks_all, blocks_queue;  ///< truncation
    std::uint32_t cap;
    std::int32_t narrow;  ///< up to so many tasks in the system at the start of a slot numbers have 32 bits
    const LaneFactor* factor;
    const LaneFactorType* factor_type;
    const std::uint32_t *cut, *step;
    const LaneType* type;
    const LaneServer* server;
    const LaneTarget* target;
    std::uint32_t first_service, sample;  ///< draws
    // The rules.
    const LaneInstruction* instruction;
    const LaneForm* form;
    const LaneTerm* term;
    const LaneMember* member;
    const std::uint32_t* list;
    const LaneAnswer* answer;
    LaneProgram shared;
    bool waiting, servable;
    std::uint32_t* masks;
    std::int64_t *values, *keys;  ///< of a program; of one of its instructions
    // Random words: key and name of each lane's streams of arrivals and of all else, four rows each; the words of
    // slots_a_draw slots. The first draws are those of the factors.
    const std::uint32_t *arrivals, *others;
    std::uint32_t* words;
    // The state: rows as LaneTerm says, at the start of the slot and with what happens in it.
    std::uint32_t *now, *live, *in_service, *in_system;
    std::uint32_t *busy, *serves, *below, *executing;  ///< by server; `serves` counts its targets
    std::uint32_t* tasks;                              ///< by type: of this slot
    LaneRing* ring;
    std::uint32_t *head, *tail;  ///< by queue: tasks that started, and that joined
    std::uint64_t slot;
    // What is recorded.
    std::uint32_t* count;
    std::uint64_t* sum;
    std::uint32_t* executing_at;      ///< by entry of the table of rates: tasks in execution in this slot
    std::uint32_t rates;              ///< entries
    std::uint32_t *lengths, *delays;  ///< histograms, a row a value
    LaneEvents* events;
};

/// The kernel for one set of instructions.
struct LaneSlotLoops {
    std::size_t width;
    void (*run)(LaneSlots& slots, std::uint64_t count);
};
/// Requires: `simd` of this machine.
[[nodiscard]] const LaneSlotLoops& lane_slot_loops(SimdLevel simd);

}  // namespace schedproof::simulation
