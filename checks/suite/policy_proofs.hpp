/// Proofs about a policy of one's own, from a program or a test.
///
/// A verdict is Proved only with a certificate that the checker has accepted; `certificate` is its text, for
/// `schedproof certify`.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "checks/core/claim.hpp"
#include "checks/core/verdict.hpp"
#include "checks/queueing/stability_options.hpp"
#include "model/queueing/instance.hpp"
#include "policies/core/hopes.hpp"
#include "proofs/explore/explorer.hpp"
#include "proofs/known_policy.hpp"
#include "proofs/queueing/bounds/mean_proof.hpp"

namespace schedproof::suite {

enum class Standing { stable, transient, unknown };

struct StabilityVerdict {
    Standing standing = Standing::unknown;
    std::string by;                    ///< the argument that settled it
    std::vector<std::string> why_not;  ///< of each argument that was tried before it and failed: name and reason
    checks::Verdict verdict;           ///< Proved or Unknown
};

/// Whether the cluster is stable or transient under the known policy: the first argument that settles it, bounded
/// regret before those of checks/queueing/stability_argument.hpp. `budget` is that of each. Throws InputError when the
/// policy is unknown, follows a plan or cannot run on the instance; LimitExceeded.
[[nodiscard]] StabilityVerdict prove_stability(const std::shared_ptr<const queueing::Instance>& instance,
                                               const std::string& policy, const explore::Budget& budget = {},
                                               const checks::StabilityOptions& options = {});

/// Whether the known policy is stable on every cluster with a load below a number that its rates decide, since its
/// regret is bounded: proved in no time, or Unknown, which says nothing about stability. Throws InputError when the
/// policy is unknown.
[[nodiscard]] checks::Verdict prove_bounded_regret(const std::string& policy);

/// Whether the known policy is throughput optimal on every cluster, since its regret is bounded, or on every one with
/// so many levels, by the drift argument of MaxWeight-type policies. Unknown says nothing about stability. Throws as
/// prove_stability.
[[nodiscard]] checks::Verdict prove_every_cluster(const std::string& policy, std::size_t levels,
                                                  const explore::Budget& budget = {});

/// What a proof of `prove_bounded_regret` or `prove_every_cluster` rests on, whether the policy is throughput optimal,
/// and which instances are stable; of another verdict nothing and none.
struct EveryCluster {
    std::string by = {};
    bool optimal = false;
    std::function<bool(const queueing::Instance&)> covers = [](const queueing::Instance&) { return false; };
};
[[nodiscard]] EveryCluster about_every_cluster(const checks::Verdict& verdict);

/// An exact interval that holds a stationary mean of the known policy on the instance, of the untruncated chain: Proved
/// with the theorem that `mean_of` gives back, or Unknown. Throws as prove_stability.
[[nodiscard]] checks::Verdict prove_mean(const std::shared_ptr<const queueing::Instance>& instance,
                                         const std::string& policy, const queueing::MeanGoal& goal = {},
                                         const explore::Budget& budget = {});
/// Null for another verdict.
[[nodiscard]] const queueing::MeanTheorem* mean_of(const checks::Verdict& verdict);

/// What the oracle says of a claim about the known policy on an instance, by their names in `schedproof list claims`;
/// `oracle` is the family's strongest when it is empty, or the first that suits the instance. A refutation has been
/// replayed.
/// Throws InputError for an unknown name, and an oracle that is not the claim's.
[[nodiscard]] checks::Verdict prove_claim(const std::string& claim, const std::string& policy,
                                          const std::string& instance, const std::string& oracle = "",
                                          const explore::Budget& budget = {});

/// The same on an instance of one's own, as a domain of the claim's family.
[[nodiscard]] checks::Verdict prove_claim(const checks::Claim& claim, const std::string& policy,
                                          const checks::DomainPtr& domain, const std::string& oracle = "",
                                          const explore::Budget& budget = {});

/// The certificate as the text of a file. Empty for a verdict other than Proved.
[[nodiscard]] std::string certificate(const checks::Verdict& verdict);

// The same of a policy by its type.
template <queueing::QueueingPolicy P>
[[nodiscard]] StabilityVerdict prove(queueing::Instance instance, const explore::Budget& budget = {}) {
    checks::StabilityOptions options;
    options.lyapunov = lyapunov_of<P>();
    return prove_stability(std::make_shared<const queueing::Instance>(std::move(instance)), known_policy<P>(), budget,
                           options);
}
template <queueing::QueueingPolicy P>
[[nodiscard]] checks::Verdict prove_every_cluster(std::size_t levels, const explore::Budget& budget = {}) {
    return prove_every_cluster(known_policy<P>(), levels, budget);
}
template <queueing::QueueingPolicy P>
[[nodiscard]] checks::Verdict prove_mean(queueing::Instance instance, const queueing::MeanGoal& goal = {},
                                         const explore::Budget& budget = {}) {
    return prove_mean(std::make_shared<const queueing::Instance>(std::move(instance)), known_policy<P>(), goal, budget);
}
template <class P>
[[nodiscard]] checks::Verdict prove(const std::string& claim, const std::string& instance,
                                    const std::string& oracle = "", const explore::Budget& budget = {}) {
    return prove_claim(claim, known_policy<P>(), instance, oracle, budget);
}

}  // namespace schedproof::suite
