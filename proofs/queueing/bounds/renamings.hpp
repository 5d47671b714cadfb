/// Renamings of servers and queues that a policy on an instance seems not to notice.
#pragma once

#include <vector>

#include "policies/queueing/exact.hpp"
#include "proofs/queueing/theorems/folded_box.hpp"
#include "proofs/queueing/theorems/mean_table.hpp"

namespace schedproof::queueing {

/// Generators of a group of renamings, each of which maps boxes with these statuses and weights onto themselves, leaves
/// f and W what they are and carries the law of a slot over to the law at the image, at each state of the box of
/// `samples`. A proposal: what a folded table proves does not rest on it. None past `most_renamed_servers` servers.
/// Cost: the factorial of the number of servers, and two exact slots per state for each renaming that is kept.
[[nodiscard]] std::vector<Renaming> unnoticed_renamings(const ExactSystem& system, const StateFunction& of,
                                                        const FarForm& w,
                                                        const std::vector<std::vector<Service>>& statuses,
                                                        const std::vector<std::uint32_t>& weights,
                                                        const StateBox& samples);
constexpr std::size_t most_renamed_servers = 5;

}  // namespace schedproof::queueing
