/// Statements about the one-step drift of a Lyapunov function at ALL states of an instance, as questions about code.
///
///     below: drift <= -delta at every state whose measure is at least the threshold (stability, by Foster),
///     above: drift >= +delta there (the ground of transience, see transience.hpp).
/// One question per combination of the servers' statuses: the kernel runs the policy on symbolic queue lengths, and on
/// every cell the exact drift of V is an affine form. One question per server besides: whatever `serve` answers, the
/// server's status is among those considered. Together they cover every state of the chain. In continuous time a step
/// is an event, and the states of the chain are those that are settled (model/queueing/events.hpp).
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "proofs/queueing/symbolic/symbolic_system.hpp"
#include "proofs/queueing/theorems/lyapunov_form.hpp"
#include "proofs/queueing/theorems/renaming.hpp"
#include "proofs/symbolic/question.hpp"

namespace schedproof::queueing {

enum class Sense { below, above };

/// States that no step leads out of, the empty one among them: every server has a status of its list, and some queues
/// hold no task.
struct ClosedSet {
    std::vector<std::vector<Service>> statuses;  ///< per server, what it can be doing; idle first
    std::vector<QueueId> empty{};                ///< ascending
    friend bool operator==(const ClosedSet&, const ClosedSet&) = default;
};

struct DriftTheorem {
    LyapunovForm v;
    Sense sense = Sense::below;
    Rational delta;                              ///< > 0
    Rational threshold;                          ///< of the measure
    LyapunovForm::Linear measure;                ///< form over queues; the sum of all is the usual one
    std::vector<std::vector<Service>> statuses;  ///< per server, what it can be doing; idle first
    std::vector<QueueId> empty{};                ///< queues that no task joins, of which the statement has no task
    /// Proved summand by summand (summands/summands.hpp): the bound of each term.
    std::optional<std::vector<proof::LinearForm>> summands{};
    /// Of such a proof that uses links between servers (summands/terms.hpp), the form of each; else empty.
    std::vector<proof::LinearForm> links{};
    /// Of such a proof, renamings that leave it what it is: then of terms that they lead between one is asked.
    std::vector<Renaming> renamings{};

    [[nodiscard]] ClosedSet closed() const { return {statuses, empty}; }
};

/// Why the statement would say nothing worth saying: its measure is constant, or no state reaches the threshold. Empty
/// when it says something. Exact, as lengths are all integers from 0 on.
[[nodiscard]] std::string vacuity(const LyapunovForm::Linear& measure, const Rational& threshold);

/// The sum of all queues.
[[nodiscard]] LyapunovForm::Linear sum_of_queues(const Layout& layout);

/// A form over queues as a form over the symbols of a shape.
[[nodiscard]] proof::LinearForm on_symbols(const LyapunovForm::Linear& form, const SymbolicSystem& system,
                                           const Shape& shape);

/// E[V(next) - V(state)] on the cell of the state's decider.
[[nodiscard]] proof::LinearForm symbolic_drift(const SymbolicSystem& system, const SymbolicState& state,
                                               const LyapunovForm& v);

/// What the drift of a V is made of on a cell, for a linear a: with d for the change in a slot,
///     E[(a V)(next) - a V] = a E[dV] + E[da dV] + V E[da],
/// where the last two are linear in the coefficients of a.
struct DriftParts {
    proof::LinearForm drift;               ///< E[dV]
    std::vector<Rational> growth;          ///< per queue q, E[dQ_q]
    std::vector<proof::LinearForm> joint;  ///< per queue q, E[dQ_q dV]
    proof::LinearForm value;               ///< V, in the symbols of products
};
/// Requires a space with products, whose other symbols the state is made of.
[[nodiscard]] DriftParts drift_parts(const SymbolicSystem& system, const SymbolicState& state, const LyapunovForm& v,
                                     const proof::Space& space);
/// The drift of a V, given a as a form over queues and over symbols.
[[nodiscard]] proof::LinearForm drift_of_product(const DriftParts& parts, const LyapunovForm::Linear& factor,
                                                 const proof::LinearForm& on_symbols, const proof::Space& space);

/// What must not be on a cell whose drift is given: measure >= threshold together with the negated statement.
[[nodiscard]] explore::Forbidden forbidden(const DriftTheorem& theorem, const proof::LinearForm& measure,
                                           const proof::LinearForm& drift);

/// All combinations of the statuses. Throws LimitExceeded past `limit`.
[[nodiscard]] std::vector<Shape> shapes_of(const std::vector<std::vector<Service>>& statuses,
                                           std::size_t limit = 20'000);

/// Name of the question of a shape, such as `drift f=idle,s0@remote`.
[[nodiscard]] std::string shape_name(const SymbolicSystem& system, const Shape& shape);

/// Empty when there is one list per server, each beginning with idle, of queues and levels that exist, none twice, and
/// the policy's queues do not list their tasks; otherwise what is wrong.
[[nodiscard]] std::string statuses_rejection(const SymbolicSystem& system,
                                             const std::vector<std::vector<Service>>& statuses);
/// The same for theorems about decisions alone, which see no more than the lengths of queues that list their tasks.
[[nodiscard]] std::string decision_statuses_rejection(const SymbolicSystem& system,
                                                      const std::vector<std::vector<Service>>& statuses);

/// The shapes in which server m is idle, one for each number of tasks in execution per queue that the lists allow: what
/// `serve` sees of the other servers.
[[nodiscard]] std::vector<Shape> shapes_with_idle(const SymbolicSystem& system, ServerId m,
                                                  const std::vector<std::vector<Service>>& statuses);

/// The statuses that an answer of `serve` may give server m, at given lengths, in any of the shapes.
[[nodiscard]] std::vector<Service> statuses_led_to(const SymbolicSystem& system, ServerId m,
                                                   const std::vector<Shape>& shapes,
                                                   const std::vector<explore::Affine>& symbols);

/// Empty when the lists of statuses are right (`statuses_rejection`) and the empty queues are known ones in ascending
/// order, which no status serves; otherwise what is wrong.
[[nodiscard]] std::string closed_rejection(const SymbolicSystem& system, const ClosedSet& closed);

/// The symbols of a shape, where some queues hold no task.
[[nodiscard]] proof::Space space_without(const SymbolicSystem& system, const Shape& shape,
                                         const std::vector<QueueId>& empty);

/// ` and no task in Q[s1], which none joins`; nothing where there is no such queue.
[[nodiscard]] std::string without(const SymbolicSystem& system, const std::vector<QueueId>& empty);

/// Whether a status would execute a task of one of the queues: a server that turns to an empty queue stays idle.
[[nodiscard]] bool turns_to_one_of(const std::vector<QueueId>& empty, const Service& status);

/// Whatever `serve` answers for an idle server m, and whatever the others do meanwhile, leads to one of m's statuses:
/// no slot leads out of the lists. None under preemption, where no state has a server at work. One question per server,
/// over lengths from zero on, of the empty queues zero.
[[nodiscard]] std::vector<explore::Question> status_questions(const SymbolicSystem& system, const ClosedSet& closed);

/// The questions of the statuses, then one per shape, called `WHAT SHAPE`: none of the lists of constraints that
/// `forbidden` returns for a shape and its symbols has a common point at a settled state. With `products` the spaces of
/// the shapes have symbols for them, which `forbidden` is not given. Borrows `system`.
[[nodiscard]] std::vector<explore::Question> questions_by_shape(
    const SymbolicSystem& system, const ClosedSet& closed, const std::string& what,
    const std::function<std::vector<explore::Forbidden>(const Shape&, const std::vector<explore::Affine>&)>& forbidden,
    bool products = false);
/// The symbols of a shape, and those of their products.
[[nodiscard]] proof::Space space_with_products(const SymbolicSystem& system, const Shape& shape,
                                               const std::vector<QueueId>& empty = {});

/// The questions whose proofs are the theorem: those of the statuses, then one per shape.
/// They borrow `system` and copy the theorem. Throws InputError when V does not fit the policy's queues.
[[nodiscard]] std::vector<explore::Question> questions(const SymbolicSystem& system, const DriftTheorem& theorem);

/// Why stability does not follow from a drift theorem by Foster's criterion; empty when it does: the sense is below, V
/// is bounded below (boundedness.hpp), and the states below the threshold are finitely many.
[[nodiscard]] std::string stability_gap(const SymbolicSystem& system, const DriftTheorem& theorem);

/// The theorem in words, V written out; for the sense below also whether stability follows.
[[nodiscard]] std::string sentence(const SymbolicSystem& system, const DriftTheorem& theorem);

}  // namespace schedproof::queueing
