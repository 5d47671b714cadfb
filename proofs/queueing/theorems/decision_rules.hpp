/// What a policy states about its decisions, as linear constraints on the lengths of queues.
///
/// The policy's code computes an answer; the rules here are properties of that answer. Given lengths as linear forms
/// (symbols of a cell, or constants of one state) and the answer, a rule lists what must not be: a candidate of larger
/// key than the chosen one, a tie that was dropped, a threshold that was not met. Rules are written from the papers,
/// share no line with the policies, and hold for the default values of the options `counting` and `empty-target`. Which
/// rule applies is data of the policy (decision_class.hpp), so a policy outside the registry is asked the same
/// questions.
#pragma once

#include <optional>
#include <vector>

#include "model/queueing/decision_class.hpp"
#include "model/queueing/layout.hpp"
#include "model/queueing/ties.hpp"
#include "policies/queueing/fluid_plan.hpp"
#include "proofs/symbolic/question.hpp"

namespace schedproof::queueing {

/// The lengths of all queues, as forms over symbols or constants.
using Lengths = std::vector<proof::LinearForm>;

/// What the rules need to know of a system.
struct RuleContext {
    const Instance& instance;
    const Layout& layout;
    DecisionClass decisions;            ///< what the policy states
    const FluidPlan* plan = nullptr;    ///< that it should follow, if any
    const PlanData* follows = nullptr;  ///< what it draws from; null where no plan is known
    Lengths counters = {};              ///< how far servers are behind it: by server, then in the order of the plan
};

/// Whether the policy states what it routes by, and what it serves, and the rule is linear on the instance. The latter
/// speaks of all queues with tasks; `conserved`: or of those alone in which one waits.
[[nodiscard]] bool has_routing_rule(const RuleContext& context);
[[nodiscard]] bool has_serving_rule(const RuleContext& context, bool conserved = false);

/// A queue with the number that a rule compares it by.
struct Keyed {
    QueueId queue;
    proof::LinearForm key;
};
/// The admissible queues of an arriving task with what they are compared by, zero where the rule draws one at random;
/// none where no rule is stated, or that of a plan is not known.
[[nodiscard]] std::vector<Keyed> routing_keys(const RuleContext& context, const Lengths& length, TaskTypeId type);
/// Every queue with its weight for the server: its rate there times its length; for marginal costs, which are quadratic
/// here, also times twice its cost.
[[nodiscard]] std::vector<Keyed> serving_weights(const RuleContext& context, const Lengths& length, ServerId m);

/// The queues that the plan has the server execute, with how far it is behind with them. Requires a plan, one counter
/// for each activity, and queues by type.
[[nodiscard]] std::vector<Keyed> behind_plan(const RuleContext& context, ServerId m);

/// Routing of a type answers exactly the admissible queues of least key; of a type that a plan does not serve, since it
/// never arrives, anything. Requires has_routing_rule, and a plan where the rule is to follow one.
[[nodiscard]] std::vector<explore::Forbidden> routing_forbids(const RuleContext& context, const Lengths& length,
                                                              TaskTypeId type, const std::vector<Candidate>& chosen);

/// An idle server turns to exactly the queues that the policy's rule names. Requires has_serving_rule, and a plan where
/// the rule is to follow one; so does the next.
[[nodiscard]] std::vector<explore::Forbidden> serving_forbids(const RuleContext& context, const Lengths& length,
                                                              ServerId m, const std::vector<Candidate>& chosen);

/// An idle server never turns to a queue without a waiting task, or to none, while a task waits in a queue that the
/// policy lets it serve. `waiting` are lengths without the tasks in execution. Requires has_serving_rule.
[[nodiscard]] std::vector<explore::Forbidden> idling_forbids(const RuleContext& context, const Lengths& waiting,
                                                             ServerId m, const std::vector<Candidate>& chosen);

}  // namespace schedproof::queueing
