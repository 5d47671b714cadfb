/// A quantity of the state three times over: as a number at one state, as forms that bound it on all states of a shape,
/// and in words. The three must say the same, so they stand side by side; a mean is proved of the first two and stated
/// by the third.
#include "proofs/queueing/theorems/state_function.hpp"

#include <fmt/core.h>

#include <limits>

#include "model/base/nearest.hpp"
#include "model/base/numeral.hpp"
#include "model/core/errors.hpp"
#include "proofs/queueing/theorems/about.hpp"
#include "proofs/queueing/theorems/drift.hpp"

namespace schedproof::queueing {

using proof::LinearForm;

namespace {

std::uint64_t executing(const Vector<Service>& serving) {
    std::uint64_t busy = 0;
    for (const Service& service : serving) busy += service.status == Service::Status::busy ? 1 : 0;
    return busy;
}

}  // namespace

std::uint64_t StateFunction::count(const ExactState& state) const {
    if (kind == Kind::queue) return static_cast<std::uint64_t>(state.length[queue.index()].value());
    if (kind == Kind::busy) return executing(state.serving);
    if (kind == Kind::squares) {
        CheckedInt squares(0);
        for (std::size_t q = 0; q < weights.size(); ++q)
            squares += CheckedInt(std::int64_t{weights[q]}) * state.length[q] * state.length[q];
        return static_cast<std::uint64_t>(squares.value());
    }
    CheckedInt tasks(0);
    for (const CheckedInt& length : state.length) tasks += length;
    const auto sum = static_cast<std::uint64_t>(tasks.value());
    switch (kind) {
        case Kind::waiting:
            return sum - executing(state.serving);
        case Kind::tail:
            return sum > above ? 1 : 0;
        case Kind::tasks_squared:
            return static_cast<std::uint64_t>((tasks * tasks).value());
        default:
            return sum;
    }
}

Rational StateFunction::factor(const Instance& instance) const {
    if (kind == Kind::delay) return Rational(1) / instance.total_arrival_rate();
    return kind == Kind::squares ? unit : Rational(1);
}

StateFunction::Growth StateFunction::growth(const Instance& instance) const {
    switch (kind) {
        case Kind::busy:
            return {Rational(0), Rational(instance.servers().size())};
        case Kind::tail:
            return {Rational(0), Rational(1)};
        case Kind::tasks_squared:
        case Kind::squares:
            throw ContractViolation("a square has no linear growth");
        default:
            return {factor(instance), Rational(0)};
    }
}

namespace {

/// The sum over queues of weight Q^2, in the symbols of products.
LinearForm squares_on(const StateFunction& f, const SymbolicSystem& system, const Shape& shape) {
    const proof::Space space = space_with_products(system, shape);
    LinearForm squares;
    for (std::size_t q = 0; q < f.weights.size(); ++q) {
        const LinearForm length = on_symbols(LinearForm::variable(static_cast<proof::Variable>(q)), system, shape);
        squares.add(f.unit * Rational(f.weights[q]), space.product(length, length));
    }
    return squares;
}

}  // namespace

LinearForm StateFunction::at_least(const SymbolicSystem& system, const Shape& shape) const {
    return kind == Kind::tail ? LinearForm() : at_most(system, shape);
}

LinearForm StateFunction::at_most(const SymbolicSystem& system, const Shape& shape) const {
    LinearForm busy(Rational(executing(shape.serving)));
    switch (kind) {
        case Kind::queue:
            return on_symbols(LinearForm::variable(static_cast<proof::Variable>(queue.index())), system, shape);
        case Kind::busy:
            return busy;
        case Kind::tail:
            return LinearForm(Rational(1));
        case Kind::squares:
            return squares_on(*this, system, shape);
        default:
            break;
    }
    LinearForm sum = on_symbols(sum_of_queues(system.layout()), system, shape);
    if (kind == Kind::tasks_squared) return space_with_products(system, shape).product(sum, sum);
    if (kind == Kind::waiting) sum -= busy;
    LinearForm scaled;
    scaled.add(factor(system.instance()), sum);
    return scaled;
}

namespace {

constexpr std::string_view tail_begin = "P(tasks>";

std::vector<std::string> names_of(const Instance& instance, const Layout& layout) {
    std::vector<std::string> names{"tasks", "waiting", "delay", "busy", "tasks^2", "cost"};
    for (const QueueId q : IdRange<QueueId>(layout.queues())) names.push_back("queue:" + layout.name(instance, q));
    return names;
}

/// Costs as whole numbers of a common unit, so that what is counted is whole.
StateFunction holding_cost(const Instance& instance, const Layout& layout) {
    if (layout.arrangement() != Arrangement::per_type)
        throw InputError::at_key("--of",
                                 "expected a policy with a queue per type, such as generalized-cmu, for 'cost': a "
                                 "holding cost is one of the tasks of a type");
    StateFunction f{StateFunction::Kind::squares};
    Integer common = 1;
    for (const TaskType& type : instance.data().types) {
        if (type.exponent != 1)
            throw InputError::at_key(
                "--of",
                "expected quadratic holding costs (exponent 1) for 'cost'; `simulate` measures those of any exponent");
        common = lcm(common, type.cost.denominator());
    }
    for (const TaskType& type : instance.data().types) {
        const Integer whole = (type.cost * Rational(common)).numerator();
        if (whole > std::numeric_limits<std::uint32_t>::max())
            throw InputError::at_key("--of", "expected costs that are at most 2^32 - 1 times a common unit");
        f.weights.push_back(static_cast<std::uint32_t>(whole));
    }
    f.unit = Rational(Integer(1), common);
    return f;
}

}  // namespace

StateFunction read_state_function(std::string_view text, const Instance& instance, const Layout& layout) {
    for (const auto kind : {StateFunction::Kind::tasks, StateFunction::Kind::waiting, StateFunction::Kind::delay,
                            StateFunction::Kind::busy, StateFunction::Kind::tasks_squared})
        if (StateFunction f{kind}; text == to_string(f, instance, layout)) {
            if (kind == StateFunction::Kind::delay && instance.total_arrival_rate().sign() == 0)
                throw InputError::at_key("--of", "expected tasks that arrive: without one there is no delay");
            if (instance.preemptive() && (kind == StateFunction::Kind::waiting || kind == StateFunction::Kind::busy))
                throw InputError::at_key("--of",
                                         "expected a quantity of the queues: under preemption a state does not say "
                                         "which tasks are in execution");
            return f;
        }
    if (text == "cost") return holding_cost(instance, layout);
    for (const QueueId q : IdRange<QueueId>(layout.queues()))
        if (StateFunction f{StateFunction::Kind::queue, q}; text == to_string(f, instance, layout)) return f;
    if (text.starts_with(tail_begin) && text.ends_with(")"))
        if (const auto above =
                base::parse_numeral<std::uint32_t>(text.substr(tail_begin.size(), text.size() - tail_begin.size() - 1)))
            return {StateFunction::Kind::tail, {}, *above};
    throw InputError::at_key(
        "--of", fmt::format("expected tasks, waiting, delay, busy, queue:NAME, P(tasks>K), tasks^2 or cost, not {}{}",
                            in_quotes(text), base::did_you_mean(text, names_of(instance, layout))));
}

std::string to_string(const StateFunction& f, const Instance& instance, const Layout& layout) {
    switch (f.kind) {
        case StateFunction::Kind::tasks:
            return "tasks";
        case StateFunction::Kind::waiting:
            return "waiting";
        case StateFunction::Kind::delay:
            return "delay";
        case StateFunction::Kind::queue:
            return "queue:" + layout.name(instance, f.queue);
        case StateFunction::Kind::busy:
            return "busy";
        case StateFunction::Kind::tail:
            return fmt::format("{}{})", tail_begin, f.above);
        case StateFunction::Kind::tasks_squared:
            return "tasks^2";
        case StateFunction::Kind::squares:
            return "cost";
    }
    throw ContractViolation("no such function of the state");
}

namespace {

/// `1/2 Q[a]^2 + 3 Q[b]^2`.
std::string squares_in_words(const StateFunction& f, const Instance& instance, const Layout& layout) {
    std::string text;
    for (std::size_t q = 0; q < f.weights.size(); ++q)
        text += fmt::format("{}{} Q[{}]^2", text.empty() ? "" : " + ", (f.unit * Rational(f.weights[q])).to_string(),
                            layout.name(instance, QueueId(q)));
    return text;
}

}  // namespace

std::string in_words(const StateFunction& f, const Instance& instance, const Layout& layout) {
    const char* const when = instance.continuous() ? "" : " at the start of a slot";
    switch (f.kind) {
        case StateFunction::Kind::tasks:
            return fmt::format("the mean number of tasks in the system{}", when);
        case StateFunction::Kind::waiting:
            return fmt::format("the mean number of waiting tasks{}", when);
        case StateFunction::Kind::delay:
            return fmt::format(
                "the mean delay, the mean number of tasks in the system{} over the arrival rate {} (Little's law),",
                when, instance.total_arrival_rate().to_string());
        case StateFunction::Kind::queue:
            return fmt::format("the mean number of tasks of queue {}, those in execution included{}{}",
                               layout.name(instance, f.queue), *when == 0 ? "" : ",", when);
        case StateFunction::Kind::busy:
            return fmt::format("the mean number of servers that execute a task{}", when);
        case StateFunction::Kind::tail:
            return fmt::format("the probability of more than {} tasks in the system{}", f.above, when);
        case StateFunction::Kind::tasks_squared:
            return fmt::format("the mean square of the number of tasks in the system{}", when);
        case StateFunction::Kind::squares:
            return fmt::format("the mean of {}{}", squares_in_words(f, instance, layout), when);
    }
    throw ContractViolation("no such function of the state");
}

}  // namespace schedproof::queueing
