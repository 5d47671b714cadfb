/// The rules for which a small cluster speaks for every cluster.
#pragma once

#include <string>

#include "model/queueing/language/rules.hpp"

namespace schedproof::queueing {

/// Why the decisions on the small clusters of small_model.hpp say nothing about larger ones: the part of the rules that
/// stands outside the fragment, as it is written; empty for rules inside. The lemma is in docs/models/queueing.md,
/// Every cluster at once.
[[nodiscard]] std::string outside_fragment(const Rules& rules);

/// What to say of it.
[[nodiscard]] inline std::string outside_fragment_reason(const std::string& part) {
    return "the step from a small cluster to every cluster is proved for a fragment of the policy language; outside it "
           "stands, in the policy's " +
           part;
}

}  // namespace schedproof::queueing
