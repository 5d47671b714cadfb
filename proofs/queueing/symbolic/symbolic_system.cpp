/// One slot on symbols is the kernel of model/queueing run on Affine, once per combination of random outcomes.
///
/// What is finite about a state, the servers' statuses and the listed tasks, is fixed by a shape; lengths of counted
/// queues and deficit counters are affine forms. The bound "at least the tasks in execution" makes every point of the
/// space a valid state. Comparisons inside the policy go to the decider of the forms, so the caller's explorer sees
/// them; random choices are enumerated here, at most `max_outcomes` a slot. The kernel is compiled once, for every
/// policy.
#include "proofs/queueing/symbolic/symbolic_system.hpp"

#include <algorithm>
#include <set>

#include "model/core/errors.hpp"

namespace schedproof::queueing {

using explore::Affine;

SymbolicSystem::SymbolicSystem(const Instance& instance, const AnyPolicy& policy)
    : instance_(&instance),
      info_(policy.info()),
      decisions_(policy.decisions()),
      layout_(policy.layout(instance)),
      kernel_(std::make_shared<const SymbolicKernel>(instance, policy)) {}

std::size_t SymbolicSystem::counters() const { return kernel_->initial().memory.size(); }

bool SymbolicSystem::is_settled(const SymbolicState& state) const {
    return !instance_->continuous() || kernel_->is_settled(state);
}

std::vector<SymbolicMove> SymbolicSystem::moves(const SymbolicState& state) const {
    if (layout_.lists_tasks() && state.waiting.empty())
        throw LimitExceeded(
            "shapes",
            "this policy's queues list their tasks, so there are infinitely many shapes of states; queues per server "
            "and level, or per type, count them");
    std::vector<SymbolicMove> all;
    SymbolicKernel::Answers answers;
    enumerate_each([&](auto& randomness) { return kernel_->step(state, answers, randomness); },
                   [&](Slot<Affine>&& slot, const Fraction& p) {
                       if (all.size() == max_outcomes) detail::throw_too_many_outcomes();
                       all.push_back({std::move(slot), p.rational()});
                   });
    return all;
}

std::vector<Candidate> SymbolicSystem::route(const SymbolicState& state, TaskTypeId type) const {
    return candidates(kernel_->route(state, type));
}

std::vector<Candidate> SymbolicSystem::serve(const SymbolicState& state, ServerId m) const {
    return candidates(kernel_->serve(state, m));
}

namespace {

std::int64_t in_service(const Shape& shape, std::size_t queue) {
    return std::count_if(shape.serving.begin(), shape.serving.end(), [&](const Service& s) {
        return s.status == Service::Status::busy && s.queue.index() == queue;
    });
}

}  // namespace

proof::Space SymbolicSystem::space(const Shape& shape) const {
    proof::Space space;
    for (const QueueId q : IdRange<QueueId>(layout_.queues()))
        if (!lists(shape, q))
            space.add("Q[" + layout_.name(*instance_, q) + "]", true, Rational(in_service(shape, q.index())));
    for (std::size_t i = 0; i < counters(); ++i) space.add("counter" + std::to_string(i), true, std::nullopt);
    return space;
}

SymbolicState SymbolicSystem::state(const Shape& shape, const std::vector<Affine>& symbols) const {
    SymbolicState state;
    state.serving = shape.serving;
    state.waiting = shape.waiting;
    auto symbol = symbols.begin();
    for (const QueueId q : IdRange<QueueId>(layout_.queues()))
        state.length.push_back(lists(shape, q) ? Affine(static_cast<std::int64_t>(shape.waiting.at(q.index()).size()) +
                                                        in_service(shape, q.index()))
                                               : *symbol++);
    state.memory.assign(symbol, symbols.end());
    return state;
}

std::vector<Rational> SymbolicSystem::point(const ExactState& state) const {
    std::vector<Rational> point;
    for (const QueueId q : IdRange<QueueId>(layout_.queues()))
        if (layout_.tracking(q) != Tracking::listed) point.emplace_back(state.length[q.index()].value());
    for (const CheckedInt& counter : state.memory) point.emplace_back(counter.value());
    return point;
}

void SymbolicSystem::list_tasks(ExactState& state) const {
    constexpr std::int64_t most = 1'000'000;
    state.waiting.resize(layout_.queues());
    for (const QueueId q : IdRange<QueueId>(layout_.queues())) {
        if (layout_.tracking(q) != Tracking::listed) continue;
        const std::int64_t waiting = state.length[q.index()].value() - in_service(state, q.index());
        if (waiting > most) throw LimitExceeded("listed tasks", "more than " + std::to_string(most) + " in one queue");
        state.waiting[q.index()].assign(static_cast<std::size_t>(waiting), TaskTypeId(0));
    }
}

ExactState SymbolicSystem::at(const Shape& shape, const std::vector<Rational>& point) const {
    ExactState state = shape;
    auto value = point.begin();
    const auto integer = [](const Rational& q) { return NumberTraits<CheckedInt>::coefficient(q); };
    state.length.clear();
    for (const QueueId q : IdRange<QueueId>(layout_.queues()))
        state.length.push_back(lists(shape, q)
                                   ? CheckedInt(static_cast<std::int64_t>(shape.waiting.at(q.index()).size()) +
                                                in_service(shape, q.index()))
                                   : integer(*value++));
    state.memory.clear();
    for (; value != point.end(); ++value) state.memory.push_back(integer(*value));
    if (layout_.lists_tasks() && shape.waiting.empty()) list_tasks(state);
    return state;
}

std::vector<Service> SymbolicSystem::statuses_after(const std::vector<Candidate>& answer, ServerId m) const {
    std::set<Service> found;
    for (const Candidate& c : answer) {
        std::vector<Level> levels;
        if (layout_.tracking(c.queue) == Tracking::counted)
            levels.push_back(layout_.service_level(*instance_, c.queue, m));
        else
            for (const TaskTypeId type : instance_->types()) levels.push_back(instance_->level(type, m));
        for (const Level level : levels) {
            found.insert({Service::Status::busy, level, c.queue});
            if (instance_->options().unmatched == Unmatched::phantom)
                found.insert({Service::Status::phantom, level, c.queue});
        }
    }
    return {found.begin(), found.end()};
}

}  // namespace schedproof::queueing
