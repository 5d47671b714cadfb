/// What the options of a slot, and their values, mean, in words for a reader who has not read the papers.
#pragma once

#include <array>
#include <string_view>

#include "model/queueing/options.hpp"

namespace schedproof::queueing {

/// The question that one option answers, and what each of its values answers, in the order of `OptionNames`.
template <class Enum>
struct OptionMeanings;

template <>
struct OptionMeanings<Routing> {
    static constexpr std::string_view question = "what the tasks of one slot see when they are routed (Q1)";
    static constexpr std::array<std::string_view, 2> values{
        "each the queues before any arrival of the slot",
        "each also the earlier tasks of the slot, which come in the order of their types"};
};
template <>
struct OptionMeanings<Counting> {
    static constexpr std::string_view question = "what a policy reads as the length of a queue (Q2)";
    static constexpr std::array<std::string_view, 2> values{"waiting tasks and those in execution",
                                                            "waiting tasks only"};
};
template <>
struct OptionMeanings<Unmatched> {
    static constexpr std::string_view question =
        "what becomes of a server that chose a queue and found no task left (Q4)";
    static constexpr std::array<std::string_view, 2> values{
        "it is idle in the next slot",
        "it stays committed to the queue until its offered service would have succeeded"};
};
template <>
struct OptionMeanings<EmptyTarget> {
    static constexpr std::string_view question =
        "whether an idle server may choose a queue all of whose tasks are in execution (Q5)";
    static constexpr std::array<std::string_view, 2> values{
        "it may, and wastes the slot", "it may not: a queue without a waiting task has weight zero"};
};
template <>
struct OptionMeanings<CommonRate> {
    static constexpr std::string_view question =
        "the rate of a task from the common queue on a server that holds its data (Q6)";
    static constexpr std::array<std::string_view, 2> values{
        "the remote rate", "the rate of the task's true level; the state lists the types that wait"};
};
template <>
struct OptionMeanings<Scarcity> {
    static constexpr std::string_view question =
        "which of several servers that chose one queue get its too few waiting tasks (Q7)";
    static constexpr std::array<std::string_view, 2> values{"those of lowest index",
                                                            "a subset, each of the right size equally likely"};
};
template <>
struct OptionMeanings<Reveal> {
    static constexpr std::string_view question = "when the type of a task in a shared FIFO queue becomes known (Q8)";
    static constexpr std::array<std::string_view, 2> values{
        "on arrival: the state lists the types in order",
        "when service starts; for arrivals of at most one task a slot, where counts suffice"};
};
template <>
struct OptionMeanings<Preemption> {
    static constexpr std::string_view question = "whether a task in execution may be interrupted, in continuous time";
    static constexpr std::array<std::string_view, 2> values{
        "it runs to its end", "the policy decides after every event who executes what, and work done is kept"};
};

}  // namespace schedproof::queueing
