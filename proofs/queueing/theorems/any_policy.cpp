#include "proofs/queueing/theorems/any_policy.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "model/base/parallel.hpp"
#include "model/base/sha256.hpp"
#include "model/core/errors.hpp"
#include "proofs/queueing/theorems/about.hpp"
#include "proofs/queueing/theorems/mean.hpp"

namespace schedproof::queueing {

Rational bound_of_table(const CentralBox& box, const AnyPolicyTheorem& theorem) {
    const Fixed unit = fixed(Rational(theorem.scale()), "1");
    const Fixed outside = fixed(theorem.outside * Rational(theorem.scale()), "the value outside the box");
    const std::size_t n = box.size();
    // Both boxes number their states alike, so those of the smaller one come in the order of the table.
    std::vector<Fixed> h(n, outside);
    std::size_t used = 0;
    for (std::size_t i = 0; i < n; ++i)
        if (box.tasks()[i] <= theorem.radius && used++ < theorem.table->size()) h[i] = (*theorem.table)[used - 1];
    if (used != theorem.table->size())
        throw InputError::at_key("table", fmt::format("expected an entry for each of the {} states of the box, not {}",
                                                      used, theorem.table->size()));
    const std::vector<Fixed> mean = box.least_mean(h, outside);
    const Fixed common = box.model().common_of_step(), time = box.model().common_of_time();
    // Beyond the box of the pass, of a radius larger by the layer, the inequality is c <= f.
    Fixed least = product_of(unit, Fixed{theorem.radius} + Fixed{box.model().layer()} + 1);
    for (std::size_t i = 0; i < n; ++i) {
        const Fixed rise = sum_of(mean[i], -product_of(common, h[i]));
        least = std::min(least, sum_of(product_of(unit, box.tasks()[i]), floor_of(rise, time)));
    }
    return rational(least) / Rational(theorem.scale());
}

std::vector<explore::Question> questions(const Instance&, const AnyPolicyTheorem&) { return {}; }

namespace {

/// Whom the sentence is about, what they may do besides, and what nobody may do.
struct Covered {
    std::string who, may, may_not;
};

Covered covered(const Instance& instance, const AnyPolicyTheorem& theorem) {
    constexpr std::string_view rates = "serve a task at the rate of any farther level; how it queues and routes tasks ";
    if (instance.preemptive())
        return {"every policy, with or without preemption",
                ", act at any time, interrupt a task and resume it at another server, leave servers idle, and " +
                    std::string(rates) + "does not matter",
                ""};
    if (instance.continuous())
        return {
            "every policy of non-preemptive service",
            ", act at any time, leave servers idle although tasks wait, and " + std::string(rates) + "does not matter",
            "interrupt tasks, "};
    if (theorem.mode == DecisionMode::names_types)
        return {
            "every policy under which each idle server names a type or none before the tasks of a slot arrive, and "
            "starts a task of that type, the servers of lowest index where there are too few",
            "", "interrupt tasks, "};
    return {"every policy of non-preemptive service",
            ", know the arrivals of the slot, and " + std::string(rates) +
                "does not matter, nor how the slot is interpreted",
            "interrupt tasks, "};
}

}  // namespace

std::string sentence(const Instance& instance, const AnyPolicyTheorem& theorem) {
    const Covered words = covered(instance, theorem);
    return fmt::format(
        "On {}{}, the mean number of tasks in the system{} is at least {} under {}: under every stationary law, and, "
        "started in any state, for the lower limit of its averages over time. The policy may remember the whole past "
        "and decide at random{}. Not covered: policies that {}run one on several servers or several on one, serve a "
        "task faster than the server's level for it, or foresee arrivals or service times; and truncated arrivals. "
        "Shown by a table on the {} states with at most {} tasks, and by {} elsewhere.",
        in_quotes(instance.name()), instance.continuous() ? " in continuous time" : "",
        instance.continuous() ? "" : " at the start of a slot", exact_decimal(theorem.at_least()), words.who, words.may,
        words.may_not, CentralModel(instance, theorem.mode).box(theorem.radius).size(), theorem.radius,
        exact_decimal(theorem.outside));
}

std::string arithmetic_rejection(const Instance& instance, const AnyPolicyTheorem& theorem) {
    if (theorem.bits > AnyPolicyTheorem::most_bits) return "the unit of the table is too small";
    if (!theorem.table) return "there is no table";
    if (base::sha256(to_bytes({theorem.table.get()})) != theorem.digest)
        return "the table is not the one of the digest";
    try {
        const CentralModel model(instance, theorem.mode);
        // Before the pass takes memory for the states that a few bytes can ask for.
        if (const std::uint64_t states = model.box(theorem.radius).size(); states != theorem.table->size())
            return fmt::format("the box has {} states, the table {}", states, theorem.table->size());
        const CentralBox box(model, theorem.radius + model.layer(), StateBox::max_states, base::default_threads());
        if (bound_of_table(box, theorem) < theorem.lower) return "an inequality of the lower bound fails";
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

}  // namespace schedproof::queueing
