/// `prove steps`: the least T for which the leading part of the T-slot drift of the squared queues (or workloads) is
/// negative in every direction, whatever the servers execute now.
///
/// For each combination of statuses the largest leading drift over directions of unit sum is one exact linear program
/// (proofs/queueing/drift/t_step.hpp); the multipliers of all of them are checked before anything is printed.
#include <fmt/core.h>

#include "experiments/command/core/state_json.hpp"
#include "experiments/command/core/system.hpp"
#include "experiments/command/prove/prove.hpp"
#include "model/base/notation.hpp"
#include "model/core/errors.hpp"
#include "model/queueing/codec/codec.hpp"
#include "policies/queueing/exact.hpp"
#include "policies/queueing/registry.hpp"
#include "proofs/queueing/capacity/plan.hpp"
#include "proofs/queueing/drift/t_step.hpp"
#include "proofs/queueing/duality/policy_data.hpp"
#include "proofs/queueing/theorems/about.hpp"

namespace schedproof::cli {

struct ProveStepsRequest {
    std::string instance;
    std::string policy;
    std::uint32_t max_steps = 1000;
    Destination to;
};

namespace {

using namespace queueing;

struct StepsAnswer {
    const Instance& instance;
    const Layout& layout;
    const duality::MaxWeightData& data;
    const duality::StepResult& result;
    std::string policy;
    bool workloads;  // the weights are workloads, not lengths

    [[nodiscard]] std::string queue(std::size_t q) const {
        return workloads ? "W[" + instance.server(ServerId(q)).name + "]"
                         : "Q[" + layout.name(instance, QueueId(q)) + "]";
    }
    [[nodiscard]] std::string function() const { return workloads ? "the squared workloads" : "the squared queues"; }
    [[nodiscard]] std::vector<std::string> serving(const duality::Executing& executing) const {
        std::vector<std::string> words;
        for (const auto& q : executing)
            words.push_back(!q          ? "idle"
                            : workloads ? instance.server(ServerId(q->index())).name
                                        : layout.name(instance, *q));
        return words;
    }
    [[nodiscard]] std::string statuses(const duality::Executing& executing) const {
        return base::joined(serving(executing), ",", [](const std::string& word) { return word; });
    }
    /// Of a direction, in its order: queues, or servers whose workloads they are.
    [[nodiscard]] std::vector<std::string> names() const {
        std::vector<std::string> list;
        for (std::size_t q = 0; q < data.queues; ++q)
            list.push_back(workloads ? instance.server(ServerId(q)).name : layout.name(instance, QueueId(q)));
        return list;
    }
};

std::string to_text(const StepsAnswer& answer) {
    const duality::StepResult& result = answer.result;
    std::string text = fmt::format("instance      {}\npolicy        {}\n", answer.instance.name(), answer.policy);
    if (result.steps) {
        const duality::StepBound& worst = result.bounds[result.worst];
        text += fmt::format(
            "verdict       Exhausted ({} combinations of statuses)\nstatement     on {}, over {} slot{}, the leading "
            "part of "
            "the drift of {} is negative in every direction, whatever the servers do\nsteps         {}, the least\n",
            result.bounds.size(), about(answer.instance, answer.policy), *result.steps, *result.steps == 1 ? "" : "s",
            answer.function(), *result.steps);
        text += fmt::format("worst status  {}: leading drift at most {} per unit of the queues' sum\n",
                            answer.statuses(worst.executing), display(worst.largest()));
        text += fmt::format("checked       {} exact linear programs, one per status, by their multipliers\n",
                            result.bounds.size());
        text +=
            "rests on      the policy as MaxWeight data; the rest of the drift is bounded, which is not checked here\n";
    } else {
        text += fmt::format("verdict       Refuted\nclaim         some number of slots up to {} is enough for {}\n",
                            result.failure->steps, answer.function());
    }
    if (!result.failure) return text;
    text += fmt::format("{} slots{}  status {}, direction", result.failure->steps,
                        result.failure->steps < 10    ? "     "
                        : result.failure->steps < 100 ? "    "
                                                      : "   ",
                        answer.statuses(result.failure->executing));
    for (std::size_t q = 0; q < answer.data.queues; ++q)
        if (result.failure->weights[q].sign() > 0)
            text += fmt::format(" {} = {}", answer.queue(q), result.failure->weights[q].to_string());
    return text + fmt::format(": leading drift {}\n", display(result.failure->drift));
}

const Answer<StepsAnswer>& steps_answer() {
    using A = StepsAnswer;
    const auto serving = [](auto executing) {
        return field(
                   "serving", [executing](const A& a) { return a.serving(executing(a)); },
                   "Per server the queue of the task in execution, or idle.")
            .items(1);
    };
    const Record<A> worst{serving([](const A& a) { return a.result.bounds[a.result.worst].executing; }),
                          field(
                              "drift", [](const A& a) { return a.result.bounds[a.result.worst].largest(); },
                              "Largest leading drift, < 0, per unit of the queues' sum.")};
    const Record<A> fewer{
        field(
            "steps", [](const A& a) { return a.result.failure->steps; }, "One slot fewer, or the limit.")
            .least(1),
        serving([](const A& a) { return a.result.failure->executing; }),
        field(
            "direction", [](const A& a) { return a.result.failure->weights; },
            "In the order of `names`: a direction in which the drift is not negative.")
            .items(1),
        field(
            "drift", [](const A& a) { return a.result.failure->drift; }, "Leading drift there, >= 0.")
            .least(0)};
    static const Answer<A> answer{
        "prove-steps",
        "The least number of slots over which a sum of squares drifts downwards. Answer of `schedproof prove steps "
        "--format json`.",
        Record<A>{instance_field([](const A& a) { return a.instance.name(); }), policy_field(&A::policy),
                  definition_field([](const A& a) { return definition(a.policy); }),
                  field(
                      "function", [](const A& a) { return a.workloads ? "workload-squares" : "squares"; },
                      "Sum of squared queue lengths, or of squared workloads.")
                      .words({"squares", "workload-squares"}),
                  field("names", &A::names,
                        "Of a direction, in its order: the queues, or the servers whose workloads they are.")
                      .items(1),
                  field(
                      "steps", [](const A& a) { return a.result.steps; },
                      "The least number of slots that is enough; null: none up to the limit.")
                      .least(1),
                  field(
                      "statuses", [](const A& a) { return a.result.bounds.size(); },
                      "Combinations of statuses, each with a checked linear program."),
                  field(
                      "worst", [](const A& a) { return a.result.steps ? &a : nullptr; },
                      "The combination of statuses with the largest drift. Null without steps.", worst),
                  field(
                      "fewer", [](const A& a) { return a.result.failure ? &a : nullptr; },
                      "Why fewer slots are not enough. Null when one slot is.", fewer)}
            .told_by([](const A& a) { return to_text(a); })};
    return answer;
}

}  // namespace

int run(const ProveStepsRequest& request) {
    require_writable({request.to.path});
    const std::string policy = policy_id(request.policy);
    const Instance instance = queueing::read_instance(request.instance);
    queueing::require_slots(instance, "the drift over several slots");
    const auto data = duality::max_weight_data(instance, policy);
    if (!data)
        throw InputError::at_key(
            "--policy",
            "expected a MaxWeight-type policy: wang-jsq-maxweight, jsq-maxweight, balanced-pandas, or "
            "generalized-cmu with quadratic costs");
    const DecisionClass decisions = decision_class(*find_rules(policy));
    if (decisions.reach == Reach::own_and_common && instance.options().common_rate == CommonRate::by_type)
        throw InputError::in_file(
            request.instance, "options.common-rate",
            "expected 'remote': with 'by-type' the policy's weights are not the rates of its servers");
    if (instance.total_arrival_rate().sign() == 0)
        throw InputError::in_file(request.instance, "arrivals",
                                  "expected arrivals: without them there is nothing to drift");
    const ExactSystem system(instance, make_policy(policy, instance, capacity::fluid_plan));
    const duality::StepResult result = least_steps(*data, request.max_steps);
    if (const std::string wrong = rejection(*data, result); !wrong.empty())
        throw OracleConflict("the number of slots does not check: " + wrong);
    const StepsAnswer answer{instance, system.layout(), *data,
                             result,   policy,          decisions.routing == RoutingRule::least_weighted_workload};
    return write_verdict(
        request.to, steps_answer(), answer,
        asked_of("prove steps", "The leading part of the drift of the sum of squares over some slots is negative.",
                 policy, instance.name()),
        result.steps ? 0 : 1);
}

namespace {

OptionTable options(ProveStepsRequest& r) {
    return joined({{instance_argument(r.instance),
                    {.names = "-p,--policy",
                     .value = "POLICY",
                     .target = &r.policy,
                     .meaning = "a MaxWeight-type policy; see `schedproof list policies`",
                     .required = true,
                     .offers = ids_of<queueing::policies>},
                    {.names = "--max-steps",
                     .target = &r.max_steps,
                     .meaning = "give up beyond this many slots",
                     .show_default = true,
                     .range = Interval{1, 1'000'000}}},
                   ci_destination_options(r.to)});
}

}  // namespace

Subcommand prove_steps() {
    return make_subcommand<ProveStepsRequest>(
        "steps", "the least number of slots over which the sum of squared queues drifts downwards",
        "schedproof prove steps experiments/instances/m2-half.toml -p wang-jsq-maxweight", options,
        forms(steps_answer));
}

}  // namespace schedproof::cli
