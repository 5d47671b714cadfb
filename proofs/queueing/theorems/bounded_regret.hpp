/// Stability on EVERY cluster of rules that join no server whose weighted work exceeds a multiple of the least by more
/// than a constant.
///
/// Let W_m = sum over the queues of server m of length / mu: the mean time in which m finishes what it has. A task that
/// would run on m at rate mu has there the weighted work W_m / mu, which is half the rate at which it raises W_m^2. Let
/// alpha be the greatest rate of the cluster and gamma the least. The rules have two properties, read off their
/// expressions:
///   routing   a task joins a server m with W_m / mu <= kappa (the least weighted work of all servers) + n / gamma^2, W
///             as the rule sees it and kappa = ratio (alpha / gamma)^rates
///   serving   a server serves its own queues only, and an idle one with work in them starts a task of them
/// Take any cluster of load rho* < 1 / kappa: tasks of type i could be divided over servers at rates x_im with
/// sum_i x_im / mu_im <= rho* for each m. With S the tasks of a slot, or of a batch,
///   arrivals  raise sum_m W_m^2 in the mean by at most 2 kappa sum_i lambda_i min_m W_m / mu_im + constant, and
///             sum_i lambda_i min_m W_m / mu_im <= sum_im x_im W_m / mu_im <= rho* sum_m W_m
///   service   a server with W_m > 0 works, and whatever it works on, at rate mu, falls by 1 / mu with probability mu:
///             W_m falls by 1 in the mean
/// so the drift of sum_m W_m^2, per slot or unit of time, is at most -2 (1 - kappa rho*) sum_m W_m + C, C finite, and
/// by Foster's criterion the chain is positive recurrent. With kappa = 1 the rule is throughput optimal. A rule sees
/// less than W where tasks of the slot or the batch have not joined, or tasks in execution do not count: each then
/// differs from it by at most 1/gamma a task, at most one of which is in execution on a server, so n / gamma^2 grows by
/// at most (1 + S) / gamma^2, and E S^2 is finite. Nothing is asked of levels: the rates may be those of types, or of
/// servers that are unlike. A rule that takes a value over no queue has no answer there, so each is taken over a set
/// that is seen to have a member. Source: the drift of Balanced-Pandas, [xie2016]; docs/models/queueing.md, Bounded
/// regret.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "model/queueing/any_policy.hpp"
#include "proofs/symbolic/question.hpp"

namespace schedproof::queueing {

/// For every cluster whose load is below 1 / kappa. The queues are per server and level.
struct RegretTheorem {
    Rational tasks{};         ///< n of the routing property, at least 0
    Rational ratio{1};        ///< of kappa, at least 1
    std::uint32_t rates = 0;  ///< of kappa, at most 2

    [[nodiscard]] bool throughput_optimal() const { return ratio == Rational(1) && rates == 0; }
    /// kappa on the instance.
    [[nodiscard]] Rational kappa(const Instance& instance) const;
    friend bool operator==(const RegretTheorem&, const RegretTheorem&) = default;
};

/// What the rules are seen to keep, or why nothing is.
[[nodiscard]] std::variant<RegretTheorem, std::string> bounded_regret(const Rules& rules);

[[nodiscard]] std::vector<explore::Question> questions(const AnyPolicy& policy, const RegretTheorem& theorem);
[[nodiscard]] std::string arithmetic_rejection(const AnyPolicy& policy, const RegretTheorem& theorem);
[[nodiscard]] std::string sentence(const AnyPolicy& policy, const RegretTheorem& theorem);

}  // namespace schedproof::queueing
