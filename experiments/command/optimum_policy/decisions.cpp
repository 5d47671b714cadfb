/// Decisions on a slice, as tables, data and a picture.
///
/// A list of names is best if no other has a lower mean of the table after the slot; many are, where a server has
/// nothing to do. So two lists are not compared as they stand, but by what the policy's costs: where it costs nothing,
/// it is shown as the best one. What a policy names is read off its rules at a state of its own queues, with every task
/// where the policy routes it in the empty system, which is as good as any where queues hold one type. In continuous
/// time its idle servers are asked one after another, by their index, as in an offer (model/queueing/events.hpp), and
/// what a server is shown to name is the task that it starts.
#include "experiments/command/optimum_policy/decisions.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <functional>

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
        const queueing::ExactState state = with_waiting(waiting);
        if (system_.instance().continuous()) return started(state, waiting);
        Names all;
        for (const ServerId m : system_.instance().servers()) {
            const std::vector<queueing::Candidate> tied = system_.serve(state, m);
            all.push_back(tied.empty() ? 0 : type_at(tied.front().queue, waiting));
        }
        return all;
    }

  private:
    [[nodiscard]] queueing::ExactState with_waiting(const std::vector<std::uint32_t>& waiting) const {
        queueing::ExactState state = system_.initial();
        for (std::size_t t = 0; t < waiting.size(); ++t) {
            const std::size_t q = queue_[t].index();
            state.length[q] = state.length[q] + CheckedInt(std::int64_t{waiting[t]});
            if (system_.layout().tracking(queue_[t]) == queueing::Tracking::listed)
                state.waiting[q].insert(state.waiting[q].end(), waiting[t], TaskTypeId(t));
        }
        return state;
    }
    /// The types of the tasks that servers start, in rounds until none starts one.
    [[nodiscard]] Names started(queueing::ExactState state, std::vector<std::uint32_t> waiting) const {
        Names all(state.serving.size(), 0);
        for (bool more = true; more;) {
            more = false;
            for (const ServerId m : system_.instance().servers()) {
                if (all[m.index()] != 0) continue;
                const std::vector<queueing::Candidate> tied = system_.serve(state, m);
                if (tied.empty()) continue;
                const QueueId queue = tied.front().queue;
                const std::size_t type = type_at(queue, waiting);
                if (type == 0 || waiting[type - 1] == 0) continue;
                state.serving[m.index()] = {queueing::Service::Status::busy, level_of(queue, m, type), queue};
                if (system_.layout().tracking(queue) == queueing::Tracking::listed) {
                    auto& listed = state.waiting[queue.index()];
                    listed.erase(listed.begin());
                }
                --waiting[type - 1];
                all[m.index()] = type;
                more = true;
            }
        }
        return all;
    }
    [[nodiscard]] Level level_of(QueueId queue, ServerId m, std::size_t type) const {
        if (system_.layout().tracking(queue) == queueing::Tracking::counted)
            return system_.layout().service_level(system_.instance(), queue, m);
        return system_.instance().level(TaskTypeId(type - 1), m);
    }
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

/// Rows of cells, with the numbers of tasks of the second type before them where there is one.
std::string table(const Slice& slice, const std::function<std::string(const SliceState&)>& cell) {
    std::size_t width = 0;
    for (const SliceState& state : slice.states) width = std::max(width, cell(state).size());
    std::string text, line;
    for (std::size_t i = 0; i < slice.states.size(); ++i) {
        const SliceState& state = slice.states[i];
        if (line.empty()) line = slice.second.empty() ? std::string("     ") : fmt::format("  {:>3}", state.down());
        line += fmt::format("  {:<{}}", cell(state), width);
        if (i + 1 < slice.states.size() && slice.states[i + 1].down() == state.down()) continue;
        text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
        line.clear();
    }
    return text;
}

}  // namespace

std::size_t Slice::differing() const {
    return static_cast<std::size_t>(
        std::count_if(states.begin(), states.end(), [](const SliceState& state) { return state.differs(); }));
}

bool SliceState::differs() const { return cost >= queueing::least_cost; }

Slice decisions_on_slice(const queueing::Instance& instance, const queueing::AnyPolicyTheorem& theorem,
                         std::uint32_t most, const std::string& beside) {
    const queueing::NamingAdvice advice(instance, theorem, base::default_threads());
    std::optional<PolicyOnSlice> policy;
    if (!beside.empty()) policy.emplace(instance, beside);
    const std::size_t types = instance.types().size();
    Slice slice;
    slice.first = instance.type(TaskTypeId(std::size_t{0})).name;
    if (types > 1) slice.second = instance.type(TaskTypeId(std::size_t{1})).name;
    slice.beside = beside;
    for (std::uint32_t b = 0; b <= (types > 1 ? most : 0); ++b)
        for (std::uint32_t a = 0; a <= most; ++a) {
            SliceState state;
            state.waiting.assign(types, 0);
            state.waiting[0] = a;
            if (types > 1) state.waiting[1] = b;
            const auto at = advice.with_waiting(state.waiting);
            if (!at) continue;
            state.best = advice.best(*at);
            if (policy) {
                state.beside = policy->names(state.waiting);
                state.cost = advice.cost(*at, state.beside);
                // Of decisions that are equally good the policy's is as good as any.
                if (!state.differs()) state.best = state.beside;
            }
            slice.states.push_back(std::move(state));
        }
    return slice;
}

std::string to_text(const queueing::Instance& instance, const Slice& slice) {
    std::string text =
        fmt::format("decisions     what idle servers {}, by waiting tasks of {}{}, from 0\n{}",
                    instance.continuous() ? "start" : "name", slice.first,
                    slice.second.empty() ? "" : " (across) and of " + slice.second + " (down)",
                    table(slice, [&](const SliceState& state) { return in_words(instance, state.best); }));
    if (!slice.beside.empty())
        text += fmt::format("beside        {}; * marks where its decision costs: {} of {} states\n{}", slice.beside,
                            slice.differing(), slice.states.size(), table(slice, [&](const SliceState& state) {
                                return in_words(instance, state.beside) + (state.differs() ? "*" : "");
                            }));
    return text;
}

std::vector<SliceStateOf> states_of(const queueing::Instance& instance, const Slice& slice) {
    std::vector<SliceStateOf> states;
    for (const SliceState& state : slice.states) states.push_back({instance, state, !slice.beside.empty()});
    return states;
}

const Record<SliceStateOf>& slice_record() {
    using S = SliceStateOf;
    const auto names = [](const S& s, const Names& of) {
        std::vector<std::optional<std::string>> list;
        for (const std::size_t name : of) {
            list.emplace_back();
            if (name > 0) list.back() = s.instance.type(TaskTypeId(name - 1)).name;
        }
        return list;
    };
    static const Record<S> record{
        field(
            "waiting", [](const S& s) { return s.state.waiting; }, "Tasks of each type.")
            .items(1),
        field(
            "best", [names](const S& s) { return names(s, s.state.best); },
            "Per server the type that it names by the table, null for none; the policy's, where they are as good.")
            .items(1),
        field(
            "beside",
            [names](const S& s) { return s.has_beside ? std::optional(names(s, s.state.beside)) : std::nullopt; },
            "Only with --beside: those of the policy; of tied queues the first.")
            .items(1)
            .optional(),
        field(
            "cost", [](const S& s) { return s.has_beside ? std::optional(s.state.cost) : std::nullopt; },
            "Only with --beside: what the policy's names cost by the table if all later decisions are best; 0 up to "
            "rounding where they are best.")
            .unit("tasks times slots, or times the unit of time")
            .least(0)
            .optional()};
    return record;
}

figures::Plot to_plot(const queueing::Instance& instance, const Slice& slice) {
    std::vector<std::string> decisions;
    const auto number_of = [&](const Names& names) {
        const std::string words = in_words(instance, names);
        const auto known = std::find(decisions.begin(), decisions.end(), words);
        const auto number = static_cast<std::size_t>(known - decisions.begin());
        if (known == decisions.end()) decisions.push_back(words);
        return number;
    };
    for (const SliceState& state : slice.states) (void)number_of(state.best);
    for (const SliceState& state : slice.states)
        if (!slice.beside.empty()) (void)number_of(state.beside);
    const auto panel_of = [&](const std::string& title, const std::function<const Names&(const SliceState&)>& names) {
        figures::Panel panel;
        panel.title = title;
        panel.x_label = "waiting tasks of " + slice.first;
        panel.y_label = slice.second.empty() ? "" : "waiting tasks of " + slice.second;
        std::uint32_t across = 0, down = 0;
        for (const SliceState& state : slice.states) {
            across = std::max(across, state.waiting[0]);
            down = std::max(down, state.down());
        }
        panel.x = figures::Range{-0.6, across + 0.6};
        for (std::uint32_t row = 0; row <= down; ++row) panel.rows.push_back(std::to_string(row));
        figures::Curve differing{"differs at a cost", {}, figures::Style::points, 6};
        for (const SliceState& state : slice.states)
            if (state.differs()) differing.points.push_back({state.waiting[0] + 0.3, state.down() + 0.78});
        if (!slice.beside.empty()) panel.curves.push_back(std::move(differing));
        for (std::size_t d = 0; d < decisions.size(); ++d) {
            figures::Curve cells{decisions[d], {}, figures::Style::spans, d};
            for (const SliceState& state : slice.states)
                if (number_of(names(state)) == d)
                    cells.points.push_back({state.waiting[0] - 0.44, state.down() + 1.0, 0.88});
            panel.curves.push_back(std::move(cells));
        }
        return panel;
    };
    figures::Plot plot;
    plot.panels.push_back(panel_of(instance.continuous() ? "near-optimal decisions: what each idle server starts"
                                                         : "near-optimal decisions: what each idle server names",
                                   [](const SliceState& state) -> const Names& { return state.best; }));
    if (!slice.beside.empty())
        plot.panels.push_back(
            panel_of(slice.beside, [](const SliceState& state) -> const Names& { return state.beside; }));
    plot.panel_height = 420;
    return plot;
}

}  // namespace schedproof::cli
