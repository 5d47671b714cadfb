/// Shapes are enumerated as whole states, so that a point of the symbols is a state by filling numbers in.
///
/// The list of symbols is `each_count`: space and state are made from it, in its order.
#include "proofs/sharing/theorems/small_states.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <functional>

#include "model/core/errors.hpp"
#include "policies/sharing/any_policy.hpp"

namespace schedproof::sharing {

namespace {

constexpr std::size_t nodes = 3;
/// The common queue is that of number `nodes`.
const QueueId own_queue(0), other_queue(1);

/// Tasks of a job that wait, by where their data is, or by their queue.
using Waiting = std::vector<std::size_t>;

/// Calls `visit` with every choice of one of the options for each of `count` places.
template <class Option>
void each_choice(std::size_t count, const std::vector<Option>& options,
                 const std::function<void(const std::vector<Option>&)>& visit) {
    std::vector<std::size_t> at(count, 0);
    for (;;) {
        std::vector<Option> chosen;
        for (const std::size_t i : at) chosen.push_back(options[i]);
        visit(chosen);
        std::size_t place = 0;
        while (place < count && ++at[place] == options.size()) at[place++] = 0;
        if (place == count) return;
    }
}

StateShape empty_shape(std::size_t jobs, bool one_rack) {
    StateShape shape;
    shape.setting.cluster = Cluster::one_rack(nodes, 1);
    if (!one_rack) shape.setting.cluster.rack = {RackId(0), RackId(0), RackId(1)};
    shape.setting.jobs.resize(jobs);
    shape.state.jobs.resize(jobs);
    shape.state.slots.resize(nodes);
    return shape;
}

void add_task(StateShape& shape, std::size_t job, std::size_t node, Stage stage, std::optional<QueueId> queue) {
    shape.setting.jobs[job].tasks.push_back({NodeId(node)});
    shape.state.jobs[job].tasks.push_back(stage);
    if (queue) shape.state.jobs[job].queue.push_back(*queue);
}

/// A task whose data is on the node runs there.
void run_task(StateShape& shape, std::size_t job, std::size_t node, std::optional<QueueId> queue) {
    add_task(shape, job, node, Stage::running, queue);
    const auto number = static_cast<std::uint32_t>(shape.setting.jobs[job].tasks.size() - 1);
    shape.state.slots[node] = {true, 0, JobId(job), number, Locality::local};
}

/// Every job has a reservation at the offered node and one elsewhere.
void reserve(StateShape& shape) {
    for (std::size_t j = 0; j < shape.setting.jobs.size(); ++j) {
        shape.setting.jobs[j].probes = {NodeId(0), NodeId(1)};
        shape.state.jobs[j].reserved = shape.setting.jobs[j].probes;
    }
}

/// A job without a task that waits or runs has one that is done.
void close(StateShape& shape, bool queues) {
    for (std::size_t j = 0; j < shape.setting.jobs.size(); ++j)
        if (shape.setting.jobs[j].tasks.empty())
            add_task(shape, j, 0, Stage::done, queues ? std::optional(own_queue) : std::nullopt);
}

/// Calls `visit(name, count, least)` for each symbol of a state.
template <class At, class Visit>
void each_count(At& at, Visit&& visit) {
    visit("D", at.parameters.d, 0);
    visit("D1", at.parameters.d1, 0);
    visit("D2", at.parameters.d2.emplace(), 0);
    visit("W", at.parameters.w, 0);
    visit("fifo", at.fifo, 0);
    visit("now", at.state.now, 0);
    for (std::size_t j = 0; j < at.setting.jobs.size(); ++j) {
        visit(fmt::format("submit[{}]", j + 1), at.setting.jobs[j].submit, 0);
        visit(fmt::format("skips[{}]", j + 1), at.state.jobs[j].skips, 0);
    }
    for (std::size_t s = 0; s < at.state.slots.size(); ++s)
        visit(fmt::format("since[{}]", s + 1), at.state.slots[s].since, 0);
}

/// The shape with counts of the type that symbols have.
SymbolicState without_symbols(const StateShape& shape) {
    SymbolicState at;
    at.setting.cluster = shape.setting.cluster;
    for (const Job& job : shape.setting.jobs) at.setting.jobs.push_back({0, job.priority, job.tasks, job.probes});
    for (const JobState& job : shape.state.jobs) at.state.jobs.push_back({job.tasks, job.queue, 0, job.reserved});
    for (const SlotState& s : shape.state.slots) at.state.slots.push_back({s.busy, 0, s.job, s.task, s.level});
    return at;
}

/// Runs `ask` with the code as a policy type of its form.
template <class Ask>
auto with_policy(const SymbolicState& at, const AffineCode& code, Ask&& ask) {
    const auto policy = code(at.parameters);
    switch (policy->form()) {
        case PolicyForm::routes:
            return ask(ErasedAs<PolicyForm::routes, AffineCount>(policy));
        case PolicyForm::reclaims:
            return ask(ErasedAs<PolicyForm::reclaims, AffineCount>(policy));
        case PolicyForm::offers:
            break;
    }
    return ask(ErasedAs<PolicyForm::offers, AffineCount>(policy));
}

std::int64_t count(const StateOf<AffineCount>& state, std::size_t job, Stage stage) {
    const auto& tasks = state.jobs[job].tasks;
    return std::count(tasks.begin(), tasks.end(), stage);
}

/// Of which job a task dies; none when the free slots are enough.
std::optional<std::size_t> robbed(const StateOf<AffineCount>& state) {
    std::int64_t present = 0, free = 0, due = 0;
    std::optional<std::size_t> richest;
    for (const auto& slot : state.slots) free += slot.busy ? 0 : 1;
    for (std::size_t j = 0; j < state.jobs.size(); ++j) {
        const std::int64_t running = count(state, j, Stage::running);
        if (running + count(state, j, Stage::unlaunched) > 0) ++present;
        if (running > 0 && (!richest || running >= count(state, *richest, Stage::running))) richest = j;
    }
    if (!richest) return {};
    const std::int64_t share = static_cast<std::int64_t>(state.slots.size()) / present;
    for (std::size_t j = 0; j < state.jobs.size(); ++j)
        due += std::min(std::max<std::int64_t>(share - count(state, j, Stage::running), 0),
                        count(state, j, Stage::unlaunched));
    return due > free && count(state, *richest, Stage::running) > share ? richest : std::nullopt;
}

/// The slot of the job that no other of its slots was launched after.
std::size_t latest(const StateOf<AffineCount>& state, std::size_t job) {
    for (std::size_t s = 0; s < state.slots.size(); ++s) {
        if (!state.slots[s].busy || state.slots[s].job.index() != job) continue;
        bool last = true;
        for (std::size_t t = 0; last && t < state.slots.size(); ++t) {
            if (t == s || !state.slots[t].busy || state.slots[t].job.index() != job) continue;
            last = t > s ? state.slots[t].since < state.slots[s].since : state.slots[t].since <= state.slots[s].since;
        }
        if (last) return s;
    }
    throw ContractViolation("a job that loses a task runs one");
}

}  // namespace

std::vector<StateShape> shapes_of_offers(std::size_t jobs, bool queues) {
    require(jobs >= 1 && jobs <= most_small, "a small state has few jobs");
    const std::vector<Waiting> waiting = queues ? std::vector<Waiting>{{}, {0}, {nodes}, {1}, {0, nodes}}
                                                : std::vector<Waiting>{{}, {0}, {1}, {2}, {0, 2}, {1, 2}};
    std::vector<StateShape> all;
    each_choice<Waiting>(jobs, waiting, [&](const std::vector<Waiting>& chosen) {
        for (std::size_t runs = 0; runs <= jobs; ++runs) {  // the job before this one, or none
            StateShape shape = empty_shape(jobs, false);
            for (std::size_t j = 0; j < jobs; ++j)
                for (const std::size_t at : chosen[j])
                    add_task(shape, j, queues ? at % nodes : at, Stage::unlaunched,
                             queues ? std::optional(QueueId(at)) : std::nullopt);
            if (runs > 0) run_task(shape, runs - 1, 1, queues ? std::optional(other_queue) : std::nullopt);
            reserve(shape);
            close(shape, queues);
            all.push_back(std::move(shape));
        }
    });
    return all;
}

std::vector<StateShape> shapes_of_kills(std::size_t jobs) {
    require(jobs >= 1 && jobs <= most_small, "a small state has few jobs");
    std::vector<std::size_t> ids;
    for (std::size_t j = 0; j < jobs; ++j) ids.push_back(j);
    std::vector<StateShape> all;
    each_choice<std::size_t>(nodes, ids, [&](const std::vector<std::size_t>& on) {
        each_choice<std::size_t>(jobs, {0, 1, 2}, [&](const std::vector<std::size_t>& waits) {
            StateShape shape = empty_shape(jobs, true);
            for (std::size_t n = 0; n < nodes; ++n) run_task(shape, on[n], n, {});
            for (std::size_t j = 0; j < jobs; ++j)
                for (std::size_t t = 0; t < waits[j]; ++t) add_task(shape, j, t, Stage::unlaunched, {});
            close(shape, false);
            all.push_back(std::move(shape));
        });
    });
    return all;
}

proof::Space space_of(const StateShape& shape) {
    proof::Space space;
    SymbolicState at = without_symbols(shape);
    std::vector<std::string> names;
    each_count(at, [&](const std::string& name, const AffineCount&, std::int64_t least) {
        space.add(name, true, Rational(least));
        names.push_back(name);
    });
    const auto symbol = [&](const std::string& name) {
        const auto found = std::find(names.begin(), names.end(), name);
        return proof::LinearForm::variable(static_cast<proof::Variable>(found - names.begin()));
    };
    const auto at_most = [&](const std::string& name, const proof::LinearForm& most) {
        space.premises.push_back({most - symbol(name), false});
    };
    for (const char* parameter : {"D", "D1", "D2", "W"})
        at_most(parameter, proof::LinearForm(Rational(most_parameter)));
    at_most("fifo", proof::LinearForm(Rational(1)));
    for (std::size_t j = 1; j <= shape.setting.jobs.size(); ++j)
        at_most(fmt::format("submit[{}]", j),
                symbol(j < shape.setting.jobs.size() ? fmt::format("submit[{}]", j + 1) : "now"));
    for (std::size_t s = 1; s <= shape.state.slots.size(); ++s) at_most(fmt::format("since[{}]", s), symbol("now"));
    return space;
}

SymbolicState on_symbols(const StateShape& shape, const CountOracle& oracle) {
    SymbolicState at = without_symbols(shape);
    std::size_t symbol = 0;
    each_count(at, [&](const std::string&, AffineCount& its, std::int64_t) { its = AffineCount(symbol++, oracle); });
    return at;
}

OfferedOf<AffineCount> offered(const SymbolicState& at, const AffineCode& code) {
    return with_policy(at, code, [&](const auto& policy) { return offer(at.setting, at.state, policy, SlotId(0)); });
}

StateOf<AffineCount> reclaimed(const SymbolicState& at, const AffineCode& code) {
    return with_policy(at, code, [&](const auto& policy) { return reclaim(at.setting, at.state, policy).first; });
}

StateOf<AffineCount> killed_in_words(const SymbolicState& at) {
    StateOf<AffineCount> state = at.state;
    while (const auto job = robbed(state)) {
        const std::size_t s = latest(state, *job);
        state.jobs[*job].tasks[state.slots[s].task] = Stage::unlaunched;
        std::optional<std::size_t> poorest;
        for (std::size_t j = 0; j < state.jobs.size(); ++j)
            if (count(state, j, Stage::unlaunched) > 0 &&
                (!poorest || count(state, j, Stage::running) < count(state, *poorest, Stage::running)))
                poorest = j;
        // Nearest is a task with its data on the node of the slot; all others are equally far, on one rack.
        std::optional<std::size_t> task;
        const auto& tasks = state.jobs[*poorest].tasks;
        for (const bool here : {true, false})
            for (std::size_t t = 0; !task && t < tasks.size(); ++t)
                if (tasks[t] == Stage::unlaunched && (!here || at.setting.jobs[*poorest].tasks[t].front() == NodeId(s)))
                    task = t;
        const bool local = at.setting.jobs[*poorest].tasks[*task].front() == NodeId(s);
        state.jobs[*poorest].tasks[*task] = Stage::running;
        state.slots[s] = {true, state.now, JobId(*poorest), static_cast<std::uint32_t>(*task),
                          local ? Locality::local : Locality::remote};
    }
    return state;
}

}  // namespace schedproof::sharing
