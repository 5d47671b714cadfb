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
    const Fixed common = box.model().common_of_slot();
    // Beyond the box of the pass f is at least R + M + 1, and the inequality is c <= f.
    Fixed least = product_of(unit, Fixed{theorem.radius} + static_cast<Fixed>(box.model().servers()) + 1);
    for (std::size_t i = 0; i < n; ++i) {
        const Fixed rise = sum_of(mean[i], -product_of(common, h[i]));
        least = std::min(least, sum_of(product_of(unit, box.tasks()[i]), floor_of(rise, common)));
    }
    return rational(least) / Rational(theorem.scale());
}

std::vector<explore::Question> questions(const Instance&, const AnyPolicyTheorem&) { return {}; }

std::string sentence(const Instance& instance, const AnyPolicyTheorem& theorem) {
    const bool names = theorem.mode == DecisionMode::names_types;
    return fmt::format(
        "On {}, the mean number of tasks in the system at the start of a slot is at least {} under every policy {}: "
        "under every stationary law, and, started in any state, for the lower limit of its averages over time. The "
        "policy may remember the whole past and decide at random{}. Not covered: policies that interrupt tasks, run "
        "one on several servers or several on one, serve a task faster than the server's level for it, or foresee "
        "arrivals or service times; and truncated arrivals. Shown by a table on the {} states with at most {} tasks, "
        "and by {} elsewhere.",
        in_quotes(instance.name()), exact_decimal(theorem.at_least()),
        names ? "under which each idle server names a type or none before the tasks of a slot arrive, and starts a "
                "task of that type, the servers of lowest index where there are too few"
              : "of non-preemptive service",
        names ? ""
              : ", know the arrivals of the slot, and serve a task at the rate of any farther level; how it queues and "
                "routes tasks does not matter, nor how the slot is interpreted",
        CentralModel(instance, theorem.mode).box(theorem.radius).size(), theorem.radius,
        exact_decimal(theorem.outside));
}

std::string arithmetic_rejection(const Instance& instance, const AnyPolicyTheorem& theorem) {
    if (theorem.bits > AnyPolicyTheorem::most_bits) return "the unit of the table is too small";
    if (!theorem.table) return "there is no table";
    if (base::sha256(to_bytes({theorem.table.get()})) != theorem.digest)
        return "the table is not the one of the digest";
    const CentralModel model(instance, theorem.mode);
    try {
        // Before the pass takes memory for the states that a few bytes can ask for.
        if (const std::uint64_t states = model.box(theorem.radius).size(); states != theorem.table->size())
            return fmt::format("the box has {} states, the table {}", states, theorem.table->size());
        const CentralBox box(model, theorem.radius + static_cast<std::uint32_t>(model.servers()), StateBox::max_states,
                             base::default_threads());
        if (bound_of_table(box, theorem) < theorem.lower) return "an inequality of the lower bound fails";
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

}  // namespace schedproof::queueing
