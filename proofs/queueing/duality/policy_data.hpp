/// The registered MaxWeight-type policies as data for the stability program.
///
/// What the data say of a policy can be checked against its code: at any queue lengths, routing picks queues of least
/// factor times weight among the admissible, serving picks queues of largest rate times weight among the servable.
/// Weights are queue lengths, except for Balanced-Pandas, whose weights are the servers' workloads.
#pragma once

#include <optional>
#include <string_view>

#include "model/queueing/decision_class.hpp"
#include "model/queueing/instance.hpp"
#include "proofs/queueing/duality/stability.hpp"

namespace schedproof::duality {

/// The data of a policy by its routing and serving rules: none unless both compare the same weights. Marginal costs
/// must be quadratic; they are the weights themselves, so any coefficients are covered.
[[nodiscard]] std::optional<MaxWeightData> max_weight_data(const queueing::Instance& instance,
                                                           const queueing::DecisionClass& decisions);
/// The data of the registered policy of this id; none when the id is unknown.
[[nodiscard]] std::optional<MaxWeightData> max_weight_data(const queueing::Instance& instance, std::string_view policy);

}  // namespace schedproof::duality
