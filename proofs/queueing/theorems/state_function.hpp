/// Quantities of the state whose stationary means are bounded: non-negative functions of queues and statuses.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "proofs/queueing/symbolic/symbolic_system.hpp"

namespace schedproof::queueing {

/// What is measured at the start of each slot, or at all times. Never negative at a valid state.
struct StateFunction {
    enum class Kind : std::uint8_t {
        tasks,    ///< in the system: the sum of all queues
        waiting,  ///< not in execution
        delay,    ///< tasks over the exact arrival rate: by Little's law the mean time of a task in the system
        queue,    ///< tasks of one queue, those in execution included
        busy,     ///< servers that execute a task
        tail,     ///< 1 where more than `above` tasks are in the system, else 0
        tasks_squared,
        squares,  ///< the sum over queues of weight Q^2, such as quadratic holding costs
    };
    Kind kind = Kind::tasks;
    QueueId queue{};                       ///< of kind `queue`
    std::uint64_t above = 0;               ///< of kind `tail`
    std::vector<std::uint32_t> weights{};  ///< of kind `squares`: by queue, in units of `unit`
    Rational unit = Rational(1);           ///< of kind `squares`. Range: above 0

    /// value = count x factor.
    [[nodiscard]] std::uint64_t count(const ExactState& state) const;
    /// 1, the reciprocal of the arrival rate, or the unit of weights. Requires, for a delay, a positive arrival rate.
    [[nodiscard]] Rational factor(const Instance& instance) const;

    /// Numbers with value <= slope x measure + constant at all states, for every measure with weights of at least 1.
    /// Requires a function that is not quadratic.
    struct Growth {
        Rational slope, constant;
    };
    [[nodiscard]] Growth growth(const Instance& instance) const;

    /// Whether its bounds are in the symbols of products.
    [[nodiscard]] bool is_quadratic() const { return kind == Kind::tasks_squared || kind == Kind::squares; }

    /// Bounds of the value on all states of a shape, over its symbols; equal but for a tail.
    [[nodiscard]] proof::LinearForm at_least(const SymbolicSystem& system, const Shape& shape) const;
    [[nodiscard]] proof::LinearForm at_most(const SymbolicSystem& system, const Shape& shape) const;

    friend bool operator==(const StateFunction&, const StateFunction&) = default;
};

/// `tasks`, `waiting`, `delay`, `queue:NAME`, `busy`, `P(tasks>K)`, `tasks^2` or `cost`, and back.
/// Throws InputError with the nearest name, for tasks in execution under preemption, and where the instance has no such
/// queue, no arrivals to have a delay, or no quadratic costs of types with queues of their own.
[[nodiscard]] StateFunction read_state_function(std::string_view text, const Instance& instance, const Layout& layout);
[[nodiscard]] std::string to_string(const StateFunction& f, const Instance& instance, const Layout& layout);

/// What the mean is of, in words: "number of tasks in the system at the start of a slot".
[[nodiscard]] std::string in_words(const StateFunction& f, const Instance& instance, const Layout& layout);

}  // namespace schedproof::queueing
