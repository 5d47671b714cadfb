#include "experiments/command/core/state_json.hpp"

#include "experiments/command/core/system.hpp"
#include "model/base/notation.hpp"

namespace schedproof::cli {

Json queue_names(const queueing::Instance& instance, const queueing::Layout& layout) {
    Json names = Json::array();
    for (const QueueId q : IdRange<QueueId>(layout.queues())) names.push_back(layout.name(instance, q));
    return names;
}

Json state_json(const queueing::ExactSystem& system, const queueing::ExactState& state) {
    Json queues = Json::array(), waiting = Json::array(), counters = Json::array();
    for (const CheckedInt& length : state.length) queues.push_back(length.value());
    Json json{{"queues", queues}, {"serving", to_words(system, state).serving}};
    if (system.layout().lists_tasks()) {
        for (const QueueId q : IdRange<QueueId>(state.length.size())) {
            Json types = Json::array();
            for (const TaskTypeId type : state.waiting[q.index()]) types.push_back(system.instance().type(type).name);
            waiting.push_back(system.layout().tracking(q) == queueing::Tracking::listed ? types : Json());
        }
        json["waiting"] = waiting;
    }
    for (const CheckedInt& counter : state.memory) counters.push_back(counter.value());
    if (!state.memory.empty()) json["counters"] = counters;
    return json;
}

StateRequest read_state(const base::Cursor& at) {
    at.expect_table("a state");
    at.allow_only({"queues", "serving", "waiting", "counters"});
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
