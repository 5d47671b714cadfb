#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "experiments/command/core/output.hpp"
#include "experiments/command/core/requests.hpp"
#include "experiments/command/core/system.hpp"
#include "model/core/errors.hpp"
#include "model/queueing/codec/codec.hpp"
#include "policies/queueing/exact.hpp"
#include "proofs/queueing/capacity/plan.hpp"
#include "proofs/queueing/drift/t_step.hpp"
#include "proofs/queueing/duality/policy_data.hpp"

namespace schedproof::command {

namespace {

using namespace queueing;
using namespace duality;
using nlohmann::ordered_json;

struct Answer {
    const Instance& instance;
    const Layout& layout;
    const MaxWeightData& data;
    const StepResult& result;
    std::string policy;
    bool workloads;  // the weights are workloads, not lengths

    [[nodiscard]] std::string queue(std::size_t q) const {
        return workloads ? "W[" + instance.server(ServerId(q)).name + "]"
                         : "Q[" + layout.name(instance, QueueId(q)) + "]";
    }
    [[nodiscard]] std::string function() const { return workloads ? "the squared workloads" : "the squared queues"; }
    [[nodiscard]] std::string statuses(const Executing& executing) const {
        std::string words;
        for (const auto& q : executing) {
            const std::string word = !q          ? "idle"
                                     : workloads ? instance.server(ServerId(q->index())).name
                                                 : layout.name(instance, *q);
            words += (words.empty() ? "" : ",") + word;
        }
        return words;
    }
};

ordered_json to_json(const Answer& answer) {
    const StepResult& result = answer.result;
    ordered_json json{{"instance", answer.instance.name()},
                      {"policy", answer.policy},
                      {"function", answer.workloads ? "workload-squares" : "squares"},
                      {"steps", result.steps ? ordered_json(*result.steps) : ordered_json(nullptr)},
                      {"statuses", result.bounds.size()},
                      {"worst", nullptr},
                      {"fewer", nullptr}};
    if (result.steps) {
        const StepBound& worst = result.bounds[result.worst];
        json["worst"] = {{"serving", answer.statuses(worst.executing)}, {"drift", number(worst.largest())}};
    }
    if (result.failure) {
        ordered_json weights = ordered_json::object();
        for (std::size_t q = 0; q < answer.data.queues; ++q)
            weights[answer.queue(q)] = result.failure->weights[q].to_string();
        json["fewer"] = {{"steps", result.failure->steps},
                         {"serving", answer.statuses(result.failure->executing)},
                         {"direction", weights},
                         {"drift", number(result.failure->drift)}};
    }
    return json;
}

std::string to_text(const Answer& answer) {
    const StepResult& result = answer.result;
    std::string text = fmt::format("instance      {}\npolicy        {}\n", answer.instance.name(), answer.policy);
    if (result.steps) {
        const StepBound& worst = result.bounds[result.worst];
        text += fmt::format(
            "verdict       Exhausted ({} combinations of statuses)\nstatement     over {} slot{}, the leading part of "
            "the drift of {} is negative in every direction, whatever the servers do\nsteps         {}, the least\n",
            result.bounds.size(), *result.steps, *result.steps == 1 ? "" : "s", answer.function(), *result.steps);
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

}  // namespace

int run(const ProveStepsRequest& request) {
    require_writable({request.to.path});
    const std::string policy = policy_id(request.policy);
    const Instance instance = input::read_instance(request.instance);
    const auto data = max_weight_data(instance, policy);
    if (!data)
        throw InputError({"", 0, "--policy"},
                         "expected a MaxWeight-type policy: wang-jsq-maxweight, jsq-maxweight, balanced-pandas, or "
                         "generalized-cmu with quadratic costs");
    const DecisionClass decisions = find_policy(policy)->decisions;
    if (decisions.reach == Reach::own_and_common && instance.options().common_rate == CommonRate::by_type)
        throw InputError({request.instance, 0, "options.common-rate"},
                         "expected 'remote': with 'by-type' the policy's weights are not the rates of its servers");
    if (instance.total_arrival_rate().sign() == 0)
        throw InputError({request.instance, 0, "arrivals"},
                         "expected arrivals: without them there is nothing to drift");
    const ExactSystem system(instance, make_policy(policy, instance, capacity::fluid_plan));
    const StepResult result = least_steps(*data, request.max_steps);
    if (const std::string wrong = rejection(*data, result); !wrong.empty())
        throw OracleConflict("the number of slots does not check: " + wrong);
    const Answer answer{instance, system.layout(), *data,
                        result,   policy,          decisions.routing == RoutingRule::least_weighted_workload};
    if (request.to.json())
        write_json(request.to.path, "prove-steps", to_json(answer));
    else
        write_text(request.to.path, to_text(answer));
    return result.steps ? 0 : 1;
}

}  // namespace schedproof::command
