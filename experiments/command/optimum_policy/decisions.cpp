#include "experiments/command/optimum_policy/decisions.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "model/base/parallel.hpp"
#include "policies/queueing/exact.hpp"
#include "proofs/queueing/bounds/naming_advice.hpp"
#include "proofs/queueing/capacity/plan.hpp"

namespace schedproof::cli {

namespace {

using queueing::Names;

/// What a policy's idle servers turn to in a state of the slice.
class PolicyOnSlice {
  public:
    PolicyOnSlice(const queueing::Instance& instance, const std::string& id)
        : system_(instance, queueing::make_policy(id, instance, capacity::fluid_plan)) {
        for (const TaskTypeId type : instance.types())
            queue_.push_back(system_.route(system_.initial(), type).front().queue);
    }

    /// Per server the types of the queue that it turns to, waiting ones if any wait; the first of tied queues.
    [[nodiscard]] Names names(const std::vector<std::uint32_t>& waiting) const {
        queueing::ExactState state = system_.initial();
        for (std::size_t t = 0; t < waiting.size(); ++t) {
            const std::size_t q = queue_[t].index();
            state.length[q] = state.length[q] + CheckedInt(std::int64_t{waiting[t]});
            if (system_.layout().tracking(queue_[t]) == queueing::Tracking::listed)
                state.waiting[q].insert(state.waiting[q].end(), waiting[t], TaskTypeId(t));
        }
        Names all;
        for (const ServerId m : system_.instance().servers()) {
            const std::vector<queueing::Candidate> tied = system_.serve(state, m);
            all.push_back(tied.empty() ? 0 : type_at(tied.front().queue, waiting));
        }
        return all;
    }

  private:
    [[nodiscard]] std::size_t type_at(QueueId queue, const std::vector<std::uint32_t>& waiting) const {
        std::size_t any = 0;
        for (std::size_t t = 0; t < queue_.size(); ++t) {
            if (queue_[t] != queue) continue;
            if (waiting[t] > 0) return t + 1;
            if (any == 0) any = t + 1;
        }
        return any;
    }

    queueing::ExactSystem system_;
    std::vector<QueueId> queue_;  // per type, where its tasks are routed
};

std::string in_words(const queueing::Instance& instance, const Names& names) {
    std::string text;
    for (const std::size_t name : names)
        text += (text.empty() ? "" : ",") + (name == 0 ? "-" : instance.type(TaskTypeId(name - 1)).name);
    return text;
}

Json in_json(const queueing::Instance& instance, const Names& names) {
    Json list = Json::array();
    for (const std::size_t name : names)
        list.push_back(name == 0 ? Json() : Json(instance.type(TaskTypeId(name - 1)).name));
    return list;
}

}  // namespace

Decisions decisions_on_slice(const queueing::Instance& instance, const queueing::AnyPolicyTheorem& theorem,
                             std::uint32_t most, const std::string& beside) {
    const queueing::NamingAdvice advice(instance, theorem, base::default_threads());
    std::optional<PolicyOnSlice> policy;
    if (!beside.empty()) policy.emplace(instance, beside);
    const std::size_t types = instance.types().size();
    const std::uint32_t rows = types > 1 ? most : 0;
    std::vector<std::vector<std::string>> best(rows + std::size_t{1}), other = best;
    Decisions decisions;
    decisions.json = Json::array();
    std::size_t width = 0, differing = 0;
    for (std::uint32_t b = 0; b <= rows; ++b)
        for (std::uint32_t a = 0; a <= most; ++a) {
            std::vector<std::uint32_t> waiting(types, 0);
            waiting[0] = a;
            if (types > 1) waiting[1] = b;
            const auto at = advice.with_waiting(waiting);
            if (!at) continue;
            Names names = advice.best(*at);
            Json state{{"waiting", waiting}};
            if (policy) {
                const Names own = policy->names(waiting);
                const double cost = advice.cost(*at, own);
                // Of decisions that are equally good the policy's is as good as any.
                if (cost < queueing::least_cost) names = own;
                other[b].push_back(in_words(instance, own) + (cost < queueing::least_cost ? "" : "*"));
                width = std::max(width, other[b].back().size());
                differing += cost < queueing::least_cost ? 0 : 1;
                state["beside"] = in_json(instance, own);
                state["cost"] = cost;
            }
            state["best"] = in_json(instance, names);
            best[b].push_back(in_words(instance, names));
            width = std::max(width, best[b].back().size());
            decisions.json.push_back(std::move(state));
        }
    const auto table = [&](const std::vector<std::vector<std::string>>& cells) {
        std::string text;
        for (std::size_t b = 0; b < cells.size(); ++b) {
            if (cells[b].empty()) continue;
            std::string line = types > 1 ? fmt::format("  {:>3}", b) : std::string("     ");
            for (const std::string& cell : cells[b]) line += fmt::format("  {:<{}}", cell, width);
            text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
        }
        return text;
    };
    const std::string& first = instance.type(TaskTypeId(std::size_t{0})).name;
    decisions.text = fmt::format(
        "decisions     what idle servers name, by waiting tasks of {}{}, from 0\n{}", first,
        types > 1 ? " (across) and of " + instance.type(TaskTypeId(std::size_t{1})).name + " (down)" : "", table(best));
    if (policy)
        decisions.text += fmt::format("beside        {}, * where its decision costs: {} of {} states\n{}", beside,
                                      differing, decisions.json.items().size(), table(other));
    return decisions;
}

}  // namespace schedproof::cli
