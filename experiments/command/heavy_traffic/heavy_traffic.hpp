/// What `schedproof heavy-traffic` asks for.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "experiments/command/core/answer_fields.hpp"
#include "experiments/command/core/plot_file.hpp"
#include "experiments/command/core/requests.hpp"
#include "model/queueing/chain.hpp"

namespace schedproof::cli {

struct HeavyTrafficRequest {
    std::string instance;
    std::string policy;  ///< or empty: the instance alone
    std::optional<std::uint32_t> cap_total;
    std::optional<std::uint32_t> cap_queue;
    std::uint64_t max_states = queueing::default_max_states;
    std::string rho;                     ///< loads of the curve, or empty: none
    std::string slacks;                  ///< those of the instance's family along the curve, or empty: none
    std::optional<std::uint64_t> slots;  ///< of each simulated run of the curve; none: 200000
    std::optional<std::uint64_t> seed;   ///< of its random numbers; none: 1
    PlotRequest picture;
    BudgetRequest budget;
    Destination to;
};
int run(const HeavyTrafficRequest& request);

/// eps E sum Q along the loads or slacks of the request, which names a policy. Throws InputError.
[[nodiscard]] int draw_curve(const HeavyTrafficRequest& request);
/// Of its answer in JSON.
[[nodiscard]] Forms curve_forms();

}  // namespace schedproof::cli
