/// The choices that the papers leave unspecified in a slot, or in an event of continuous time, each a named option
/// stored with the instance.
///
/// Each is an interpretation described in docs/models/queueing.md; the first value of each is the default.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <utility>

namespace schedproof::queueing {

/// Interpretation Q1: what the tasks of one slot see when they are routed.
enum class Routing {
    batch,       ///< each the queues before any arrival of the slot
    sequential,  ///< each also the earlier tasks of the slot, which come in the order of their types
};

/// Interpretation Q2: what a policy reads as the length of a queue.
enum class Counting {
    in_system,  ///< waiting tasks and those in execution
    waiting,    ///< waiting tasks only
};

/// Interpretation Q4: what becomes of a server that chose a queue and found no task left.
enum class Unmatched {
    idle,     ///< it is idle again in the next slot
    phantom,  ///< it stays committed to the queue until its offered service would have succeeded
};

/// Interpretation Q5: whether an idle server may choose a queue all of whose tasks are already in execution.
enum class EmptyTarget {
    wasted,     ///< it may, and wastes the slot
    conserved,  ///< it may not: a queue without a waiting task has weight zero
};

/// Interpretation Q6: service rate of a task from the common queue on a server that happens to hold its data.
enum class CommonRate {
    remote,   ///< the remote rate; the state needs counts only
    by_type,  ///< the rate of the task's true level; the state lists the types waiting in the common queue
};

/// Interpretation Q7: which of several servers that chose the same queue get its too few waiting tasks.
enum class Scarcity {
    lowest_index,    ///< the servers of lowest index
    uniform_subset,  ///< a subset, each equally likely
};

/// Interpretation Q8: when the type of a task in a shared FIFO queue becomes known.
enum class Reveal {
    on_arrival,  ///< the state lists the types in arrival order
    on_start,    ///< drawn when service starts; the same law if a slot brings at most one task, and counts suffice
};

/// Continuous time only: whether a task may be interrupted.
enum class Preemption {
    none,    ///< a task in execution runs to its end
    resume,  ///< the policy decides anew who executes what after every event
};

/// In continuous time `routing` is sequential and `empty_target` conserved, and `unmatched` and `scarcity` say nothing.
struct Options {
    Routing routing = Routing::batch;
    Counting counting = Counting::in_system;
    Unmatched unmatched = Unmatched::idle;
    EmptyTarget empty_target = EmptyTarget::wasted;
    CommonRate common_rate = CommonRate::remote;
    Scarcity scarcity = Scarcity::lowest_index;
    Reveal reveal = Reveal::on_arrival;
    Preemption preemption = Preemption::none;
    friend bool operator==(const Options&, const Options&) = default;
};

/// Names of the values of one option, in the order of its enumeration: what files and reports write.
template <class Enum>
struct OptionNames;

template <>
struct OptionNames<Routing> {
    static constexpr std::string_view key = "routing";
    static constexpr std::array<std::string_view, 2> values{"batch", "sequential"};
};
template <>
struct OptionNames<Counting> {
    static constexpr std::string_view key = "counting";
    static constexpr std::array<std::string_view, 2> values{"in-system", "waiting"};
};
template <>
struct OptionNames<Unmatched> {
    static constexpr std::string_view key = "unmatched";
    static constexpr std::array<std::string_view, 2> values{"idle", "phantom"};
};
template <>
struct OptionNames<EmptyTarget> {
    static constexpr std::string_view key = "empty-target";
    static constexpr std::array<std::string_view, 2> values{"wasted", "conserved"};
};
template <>
struct OptionNames<CommonRate> {
    static constexpr std::string_view key = "common-rate";
    static constexpr std::array<std::string_view, 2> values{"remote", "by-type"};
};
template <>
struct OptionNames<Scarcity> {
    static constexpr std::string_view key = "scarcity";
    static constexpr std::array<std::string_view, 2> values{"lowest-index", "uniform-subset"};
};
template <>
struct OptionNames<Reveal> {
    static constexpr std::string_view key = "reveal";
    static constexpr std::array<std::string_view, 2> values{"on-arrival", "on-start"};
};
template <>
struct OptionNames<Preemption> {
    static constexpr std::string_view key = "preemption";
    static constexpr std::array<std::string_view, 2> values{"none", "resume"};
};

/// Calls `visit(field)` with each option of a slot, in the order above; `OptionNames` of the field's type names it.
template <class O, class Visit>
void for_each_option(O& options, Visit&& visit) {
    visit(options.routing);
    visit(options.counting);
    visit(options.unmatched);
    visit(options.empty_target);
    visit(options.common_rate);
    visit(options.scarcity);
    visit(options.reveal);
}

/// The same with each option of an event.
template <class O, class Visit>
void for_each_event_option(O& options, Visit&& visit) {
    visit(options.counting);
    visit(options.common_rate);
    visit(options.reveal);
    visit(options.preemption);
}

}  // namespace schedproof::queueing
