/// Symbolic execution of one slot under any policy.
///
/// A shape fixes what is finite about a state: what each server does, and the tasks of queues that list them. The
/// lengths of counted queues, and the counters of a policy that keeps some, are symbols. A shape without lists stands
/// for all lists, whose lengths are symbols then: it suffices for decisions, which see lengths alone.
#pragma once

#include <memory>
#include <vector>

#include "model/base/memo.hpp"
#include "model/queueing/chain.hpp"
#include "proofs/symbolic/affine.hpp"

namespace schedproof::queueing {

using SymbolicState = State<explore::Affine>;

/// One possible next slot from a symbolic state, with its probability.
struct SymbolicMove {
    Slot<explore::Affine> slot;
    Rational probability;
};

/// The statuses of the servers and the listed tasks of an exact state; lengths and counters are ignored.
using Shape = ExactState;

/// A cluster under a policy, for questions about all states at once. Borrows `instance`.
class SymbolicSystem {
  public:
    /// Throws InputError when the policy cannot run on the instance.
    SymbolicSystem(const Instance& instance, const AnyPolicy& policy);

    [[nodiscard]] const Instance& instance() const { return *instance_; }
    [[nodiscard]] const AnyPolicy& policy() const { return kernel_->policy(); }
    [[nodiscard]] const PolicyInfo& info() const { return info_; }
    [[nodiscard]] const DecisionClass& decisions() const { return decisions_; }
    [[nodiscard]] const Layout& layout() const { return layout_; }
    /// Number of counters that the policy keeps.
    [[nodiscard]] std::size_t counters() const;

    /// Whether an event may leave such a state; in slots true of every state, without a comparison. Comparisons go to
    /// the decider of the state's symbols.
    [[nodiscard]] bool is_settled(const SymbolicState& state) const;
    /// All outcomes of one slot, or of one event in continuous time. Comparisons go to the decider of the state's
    /// symbols. Throws LimitExceeded past `max_outcomes`, and where the tasks that queues list are not known.
    [[nodiscard]] std::vector<SymbolicMove> moves(const SymbolicState& state) const;
    [[nodiscard]] std::vector<Candidate> route(const SymbolicState& state, TaskTypeId type) const;
    [[nodiscard]] std::vector<Candidate> serve(const SymbolicState& state, ServerId m) const;

    /// Symbols of a shape: per queue whose tasks it does not list its length, at least the tasks in execution; then the
    /// counters, any integers.
    [[nodiscard]] proof::Space space(const Shape& shape) const;
    /// The state of a shape on its symbols.
    [[nodiscard]] SymbolicState state(const Shape& shape, const std::vector<explore::Affine>& symbols) const;
    /// Values of a state's symbols. Requires a state of the shape.
    [[nodiscard]] std::vector<Rational> point(const ExactState& state) const;
    /// The state of a shape with given values of its symbols; tasks that it does not list are of the first type.
    /// Requires integers. Throws LimitExceeded past a million listed tasks.
    [[nodiscard]] ExactState at(const Shape& shape, const std::vector<Rational>& point) const;

    /// The statuses that an answer of `serve` may give server m, without repetition.
    [[nodiscard]] std::vector<Service> statuses_after(const std::vector<Candidate>& answer, ServerId m) const;

    /// What arguments derive from the system, each once; copies share it.
    [[nodiscard]] base::Memo& derived() const { return *derived_; }

  private:
    /// Whether the shape lists the tasks of the queue.
    [[nodiscard]] bool lists(const Shape& shape, QueueId q) const {
        return layout_.tracking(q) == Tracking::listed && !shape.waiting.empty();
    }
    /// Lists tasks of the first type, as many as wait.
    void list_tasks(ExactState& state) const;

    using SymbolicKernel = Kernel<explore::Affine>;

    const Instance* instance_;
    PolicyInfo info_;
    DecisionClass decisions_;
    Layout layout_;
    std::shared_ptr<const SymbolicKernel> kernel_;
    std::shared_ptr<base::Memo> derived_ = std::make_shared<base::Memo>();
};

}  // namespace schedproof::queueing
