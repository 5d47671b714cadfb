/// Negative drift of MaxWeight-type policies for EVERY number of servers, from lemmas none of which mentions it.
///
/// Let v_L be the least value among the queues admissible to type L, w_m the greatest among those that server m may
/// serve (small_model.hpp says what values are), and
///     V = sum_i t_i Q_i^2 + 2 sum_{busy m} (w_m - x_m) / mu_m,   x_m the value of the queue in execution (`regret`),
/// t_i = 1, or twice the holding cost where queues are weighted by costs; or V = sum_m W_m^2 for queues per server and
/// level (`workload-squares`), where w_m = W_m. One slot brings A, takes D; Lambda = E sum A; alpha the local rate.
///   routing    (code)   sum_i t_i Q_i E A_i <= sum_L lambda_L (v_L + a), a = 0 unless the rules have thresholds
///   serving    (code)   a server that starts a task has x_m >= w_m - b, b = 0 unless the rules have thresholds
///   busy       (lemma)  the two terms of a working server add up to at most -2 w_m + c(mu), by the Lipschitz lemmas:
///                       the regret grows by at most alpha sum A + mu D_others in a slot, and is kept with 1 - mu
///   unmatched  (lemma)  a server that finds no task chose a queue whose at most M-1 tasks are all in execution
///   squares    (lemma)  sum_i (A_i - D_i)^2 <= (sum A)^2 + (sum D)^2
///   prices     (code)   mu(L,m) v_L <= w_m; so with a decomposition x of lambda of load rho*,
///                       sum_L lambda_L v_L = sum x_{Lm} v_L <= sum_m w_m sum_L x_{Lm}/mu(L,m) <= rho* sum_m w_m
/// Together: drift of V <= -2 (1 - rho*) sum_m w_m + C, with
///     C = t (E(sum A)^2 + M/4 + (M alpha)^2 + M max_mu 2 (1-mu)/mu alpha (Lambda + mu (M-1)) + 2 M alpha (M-1))
///         + 2 Lambda a + 2 M b (1 + 1/gamma)
/// for `regret`, t the largest t_i (whether an idle server is matched depends on what arrives in the slot, so the
/// bounds of the two cases are added, not the larger taken), and C = M/gamma + E(sum A)^2/gamma^2 + 2 Lambda a for
/// `workload-squares`, gamma the least rate: W_m > 0 means that m is busy, and a busy server lowers its workload by
/// exactly one on average. With the numbers s of a Slack, a = s for `regret`, b = s alpha, and a = s/gamma^2 for
/// `workload-squares`. The bound is linear in lambda through rho* alone, so it is uniform over (1 - eps) times the
/// capacity region. Sources: [wang2013], proof of Theorem 1; docs/models/queueing.md, Every cluster at once.
///
/// In continuous time an event brings one task or takes one, so the drift per unit of time is the sum over events of
/// rate times change, for the same V, and Lambda = sum lambda:
///   arrival    raises the squares by at most 2 (v_L + a) + t, and a busy server's term by 2 alpha t/gamma
///   own        the end of a busy server's task, at rate mu, changes the squares by mu (t - 2 t Q) = mu t - 2 x and the
///              term by -2 (w - x): together -2 w + mu t
///   other      another's end in the same queue, at rate at most alpha, raises the term 2 (w - x)/mu by at most 2 t
///   missed     a server that is asked compares queues with a waiting task only. With B = t alpha (M-1) + b, one that
///              starts a task has w_m <= x_m + B, and one that declines w_m <= B: either a best queue has no waiting
///              task, then its at most M-1 tasks are all in execution; or the rules miss it by b at most
///   starting   such a server has the term 2 B/gamma at most, for offers do not change lengths; and an event lets one
///              server start at most: at a settled state no task waits in a queue that an idle server may serve
/// Together: drift of V <= -2 (1 - rho*) sum_m w_m + C at every settled state, with
///     C = t (Lambda (1 + 2 M alpha/gamma) + M alpha + 2 M (M-1) alpha) + 2 M b + 2 (Lambda + M alpha) B/gamma
///         + 2 Lambda a
/// for `regret`. Where tasks are interrupted nobody executes one between events, `regret` is the sum of squares, and
///     C = t (Lambda + M alpha + 2 M (M-1) alpha) + 2 M b + 2 Lambda a.
/// For `workload-squares` C = M/gamma + Lambda/gamma^2 + 2 Lambda a in both.
///
/// Holds for the default interpretations: batch routing, tasks in execution counted, unmatched servers idle again, a
/// queue whose tasks are all in execution may be chosen; the common queue served at the remote rate. In continuous time
/// the second and the last of these remain.
#pragma once

#include <string>
#include <vector>

#include "proofs/certificate/polynomial.hpp"
#include "proofs/queueing/capacity/certificate.hpp"
#include "proofs/queueing/symbolic/symbolic_system.hpp"
#include "proofs/queueing/theorems/small_model.hpp"

namespace schedproof::queueing {

/// The lemmas about one slot, or one event, of the kernel that the argument for a layout rests on.
[[nodiscard]] std::vector<proof::PolynomialLemma> kernel_lemmas(Arrangement arrangement, Timing timing = Timing::slots);

/// For every cluster with so many levels: the policy's decisions are those of the drift argument.
struct UniformTheorem {
    std::size_t levels = 2;
    Slack slack;
    std::vector<proof::PolynomialProof> lemmas;  ///< of kernel_lemmas, in their order
    Timing timing = Timing::slots;
};
[[nodiscard]] std::vector<explore::Question> questions(const ParametricPolicy& policy, const UniformTheorem& theorem);
[[nodiscard]] std::string arithmetic_rejection(const ParametricPolicy& policy, const UniformTheorem& theorem);
[[nodiscard]] std::string sentence(const ParametricPolicy& policy, const UniformTheorem& theorem);

/// drift of V in a slot, or an event, <= -slope * sum_m w_m + constant at every state that is reached, and sum_m w_m >=
/// coverage * sum of Q.
struct DriftBound {
    Rational slope;     ///< 2 (1 - rho*), over the rate of events in continuous time
    Rational constant;  ///< C, likewise
    Rational coverage;
    [[nodiscard]] Rational threshold(const Rational& delta) const;  ///< least integer with drift <= -delta beyond it
    friend bool operator==(const DriftBound&, const DriftBound&) = default;
};
/// Throws InputError when the instance's options are not those of the argument, its costs are not quadratic, or types
/// have rates of their own.
[[nodiscard]] DriftBound drift_bound(const Instance& instance, const Layout& layout, const Rational& load,
                                     const Slack& slack = {});

/// The uniform theorem at one instance, with its numbers: any number of servers, no exploration of its states.
struct MaxWeightTheorem {
    capacity::CapacityCertificate capacity;  ///< of a load below one
    Rational delta;                          ///< > 0
    Slack slack;
    DriftBound bound;
    std::vector<proof::PolynomialProof> lemmas;
};
[[nodiscard]] std::vector<explore::Question> questions(const SymbolicSystem& system, const MaxWeightTheorem& theorem);
[[nodiscard]] std::string arithmetic_rejection(const SymbolicSystem& system, const MaxWeightTheorem& theorem);
[[nodiscard]] std::string sentence(const SymbolicSystem& system, const MaxWeightTheorem& theorem);

/// Name of the V that the argument is about: `regret` or `workload-squares`.
[[nodiscard]] std::string argument_function(Arrangement arrangement);

}  // namespace schedproof::queueing
