/// What a case must be for a claim to speak of it.
///
/// Generated cases are always fit; those of a file may be anything.
#pragma once

#include <optional>
#include <string>

#include "checks/core/claim.hpp"
#include "checks/sharing/case.hpp"

namespace schedproof::checks {

/// Of a case, what a claim looks at.
enum class SharingPart : std::uint8_t {
    offer,       ///< the offer of the case's slot at its state
    state,       ///< the state, and no slot
    trajectory,  ///< the jobs, from an empty cluster to their end
    one_job,     ///< the state, offers of the first slots of M nodes, the task of the last job
    wait,        ///< one job of a task, on M nodes that are busy
    analysis,    ///< M, R, N, D and the goal
    endless      ///< jobs without end, by the nodes of their data
};

/// Why a claim that looks at this part does not speak of the case under that policy; nothing when it does.
/// Throws InputError when there is no such policy.
[[nodiscard]] std::optional<Misfit> misfit(const SharingCase& c, SharingPart part, const std::string& policy);

}  // namespace schedproof::checks
