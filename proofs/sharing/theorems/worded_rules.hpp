/// The rules of the sharing policies in plain words, on symbols: what a theorem compares a policy's code with.
///
/// They share nothing with the policies, nor with the scan that answers these: who is asked next is found by looking
/// for the job that nobody precedes. Source: docs/models/sharing.md, Policies.
#pragma once

#include <optional>
#include <string_view>

#include "proofs/sharing/theorems/moment.hpp"

namespace schedproof::sharing {

/// What an offer comes to by the rule of a policy.
struct OfferRule {
    std::string_view policy;
    Asked asked = Asked::offer;
    bool ordered = false;  ///< whether the parameter `order` says who is asked first
    Outcome (*outcome)(const Moment&);
};
/// Null where there is none.
[[nodiscard]] const OfferRule* offer_rule(std::string_view policy);

/// Of which job a task is killed under fair sharing with killing.
[[nodiscard]] std::optional<JobId> reclaim_rule(const Moment& moment);

/// Whether job i is asked before job j in this order.
[[nodiscard]] bool precedes(const Moment& moment, Order order, std::size_t i, std::size_t j);

}  // namespace schedproof::sharing
