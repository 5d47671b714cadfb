#include "experiments/command/core/state_json.hpp"

#include "experiments/command/core/system.hpp"
#include "model/base/notation.hpp"

namespace schedproof::cli {

namespace {

std::vector<std::int64_t> integers(const auto& numbers) {
    std::vector<std::int64_t> list;
    for (const CheckedInt& number : numbers) list.push_back(number.value());
    return list;
}

using Waiting = std::vector<std::optional<std::vector<std::string>>>;

/// The types that wait in each queue; nothing under a policy that counts tasks only.
std::optional<Waiting> waiting(const StateOf& of) {
    const queueing::Layout& layout = of.system.layout();
    if (!layout.lists_tasks()) return {};
    Waiting lists;
    for (const QueueId q : IdRange<QueueId>(of.state.length.size())) {
        lists.emplace_back();
        if (layout.tracking(q) != queueing::Tracking::listed) continue;
        lists.back().emplace();
        for (const TaskTypeId type : of.state.waiting[q.index()])
            lists.back()->push_back(of.system.instance().type(type).name);
    }
    return lists;
}

}  // namespace

const Record<StateOf>& state_record() {
    static const Record<StateOf> record =
        Record<StateOf>{
            field(
                "queues", [](const StateOf& s) { return integers(s.state.length); },
                "Tasks in each queue, those in execution included.")
                .items(1)
                .least(0),
            field(
                "serving", [](const StateOf& s) { return to_words(s.system, s.state).serving; },
                "What each server does: idle, QUEUE, QUEUE@LEVEL or phantom:QUEUE.")
                .items(1),
            field("waiting", waiting,
                  "Only where the policy lists tasks: the types that wait in each queue, head first; null for a queue "
                  "that only counts.")
                .items(1)
                .optional(),
            field(
                "counters",
                [](const StateOf& s) {
                    return s.state.memory.empty() ? std::nullopt : std::optional(integers(s.state.memory));
                },
                "Counters of a policy that keeps some.")
                .items(1)
                .optional(),
            aside("line", [](const StateOf& s) { return to_words(s.system, s.state).line(); })}
            .named("state",
                   "A state. Lists follow `queue_names`, the servers of the instance, and the policy's counters.");
    return record;
}

std::vector<std::string> queue_names(const queueing::Instance& instance, const queueing::Layout& layout) {
    std::vector<std::string> names;
    for (const QueueId q : IdRange<QueueId>(layout.queues())) names.push_back(layout.name(instance, q));
    return names;
}

Json state_json(const queueing::ExactSystem& system, const queueing::ExactState& state) {
    return state_record().value({system, state}, false);
}

StateRequest read_state(const base::Cursor& at) {
    const auto integers = [](const base::Cursor& list) {
        std::vector<std::string> words;
        for (const base::Cursor& item : list.items("a list of integers"))
            words.push_back(std::to_string(item.integer(INT64_MIN, INT64_MAX, "an integer")));
        return words;
    };
    StateWords words{integers(at.require("queues", "the tasks of each queue")),
                     at.require("serving", "what each server does").texts("a list of texts"),
                     {}};
    if (const auto waiting = at.find("waiting")) {
        const std::vector<base::Cursor> lists = waiting->items("the types that wait in each queue");
        if (lists.size() != words.queues.size()) waiting->fail("expected an item for each queue");
        for (std::size_t q = 0; q < lists.size(); ++q) {
            if (lists[q].is_null()) continue;
            const auto types = lists[q].texts("types, or null");
            words.queues[q] = types.empty() ? "0" : base::joined(types, "+", [](const auto& type) { return type; });
        }
    }
    if (const auto counters = at.find("counters")) words.counters = integers(*counters);
    return words.request();
}

}  // namespace schedproof::cli
