/// The registered MaxWeight-type policies as data for the stability program.
///
/// What the data say of a policy can be checked against its code: at any queue lengths, routing picks queues of least
/// factor times weight among the admissible, serving picks queues of largest rate times weight among the servable.
/// Weights are queue lengths, except for Balanced-Pandas, whose weights are the servers' workloads.
#pragma once

#include <optional>
#include <string_view>

#include "model/queueing/instance.hpp"
#include "proofs/queueing/duality/stability.hpp"

namespace schedproof::duality {

/// The data of `wang-jsq-maxweight`, `jsq-maxweight`, `balanced-pandas`, or `generalized-cmu` with quadratic costs;
/// none for a policy of another kind. For c-mu the weights are marginal costs, so any coefficients are covered.
[[nodiscard]] std::optional<MaxWeightData> max_weight_data(const queueing::Instance& instance, std::string_view policy);

}  // namespace schedproof::duality
