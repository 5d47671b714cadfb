/// Costs of remote tasks in instance files.
#include <fmt/core.h>

#include "model/assignment/codec/codec.hpp"
#include "model/assignment/codec/decode.hpp"
#include "model/base/nearest.hpp"
#include "model/base/text.hpp"
#include "model/core/errors.hpp"

namespace schedproof::assignment::codec {

namespace {

constexpr std::string_view form = "a cost: a table with kind and its parameters";
constexpr std::string_view kinds[] = {"affine", "capped", "table", "step"};

DecodedCost decode_affine(const Cursor& at, bool capped) {
    if (capped)
        at.allow_only({"kind", "theta", "cap"});
    else
        at.allow_only({"kind", "theta"});
    DecodedCost result{AffineCost{at.require("theta", "the network factor").number(), {}}, false};
    if (!capped) return result;
    const Cursor cap = at.require("cap", "a number of tasks, or \"cores\"");
    if (cap.is_text()) {
        if (cap.text("") != "cores") cap.fail("expected a number of tasks or \"cores\", not " + shown(cap.text("")));
        result.cap_is_cores = true;
    } else {
        std::get<AffineCost>(result.cost).cap =
            static_cast<std::uint32_t>(cap.count(1, max_cost_values, "a number of tasks, or \"cores\""));
    }
    return result;
}

DecodedCost decode_table(const Cursor& at) {
    at.allow_only({"kind", "values", "slope"});
    TableCost table;
    const Cursor values = at.require("values", "a list of costs");
    const std::size_t size = values.array("a list of costs, of one remote task, of two, ...").size();
    if (size > max_cost_values) values.fail(fmt::format("expected at most {} costs", max_cost_values));
    for (std::size_t i = 0; i < size; ++i) table.values.push_back(values.item(i).number());
    if (const auto slope = at.find("slope")) table.slope = slope->number();
    return {std::move(table), false};
}

DecodedCost decode_steps(const Cursor& at) {
    at.allow_only({"kind", "steps"});
    StepCost result;
    const Cursor steps = at.require("steps", "a list of steps");
    const std::size_t size = steps.array("a list of steps with from and cost").size();
    for (std::size_t i = 0; i < size; ++i) {
        const Cursor step = steps.item(i);
        step.expect_table("a step: a table with from and cost");
        step.allow_only({"from", "cost"});
        const auto from = step.require("from", "a number of tasks").count(1, max_cost_values, "a number of tasks");
        result.steps.push_back(
            {static_cast<std::uint32_t>(from), step.require("cost", "the cost from there on").number()});
    }
    return {std::move(result), false};
}

}  // namespace

DecodedCost decode_cost(const Cursor& at) {
    at.expect_table(form);
    const Cursor kind = at.require("kind", "affine, capped, table or step");
    const std::string& word = kind.text("affine, capped, table or step");
    DecodedCost result;
    if (word == "affine" || word == "capped")
        result = decode_affine(at, word == "capped");
    else if (word == "table")
        result = decode_table(at);
    else if (word == "step")
        result = decode_steps(at);
    else
        kind.fail("expected affine, capped, table or step, not " + shown(word) + did_you_mean(word, kinds));
    try {
        validate(result.cost);
    } catch (const InputError& error) {
        at.follow(error.place().path).fail(error.expected());
    }
    return result;
}

void CostTable::add(const Cursor& at, std::uint32_t cores, const DecodedCost* own) {
    if (own == nullptr && default_) own = &*default_;
    if (own == nullptr) at.fail("expected a 'cost', here or for all servers at the top of the file");
    cost_of_.push_back(index_of(*own, cores));
}

std::uint32_t CostTable::index_of(const DecodedCost& cost, std::uint32_t cores) {
    Cost settled = cost.cost;
    if (cost.cap_is_cores) std::get<AffineCost>(settled).cap = cores;
    const std::string key = fmt::format("{}:{}", kind(settled), formula(settled));
    const auto [entry, is_new] = index_.try_emplace(key, static_cast<std::uint32_t>(costs_.size()));
    if (is_new) costs_.push_back(std::move(settled));
    return entry->second;
}

void CostTable::move_into(InstanceData& data) {
    data.costs = std::move(costs_);
    data.cost_of = std::move(cost_of_);
}

}  // namespace schedproof::assignment::codec
