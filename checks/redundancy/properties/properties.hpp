/// Properties of the redundancy family: for each claim, how it fails on a problem at a speed, by exact computation.
///
/// A property asks the policy under test for its facts, its schedule and its dual variables, and compares them with the
/// claim's own words, settled by the reference model and brute force (reference_model.hpp, brute_force.hpp,
/// potential.hpp) or by the exact optimum. It answers with what fails, in exact numbers, or with nothing; also with
/// nothing where the claim's premise does not hold. Claims that are false have a property like true ones, on the
/// interpretation that is false.
/// Source: [xu2017], Sections 3 to 5; docs/models/redundancy.md.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "checks/redundancy/brute_force.hpp"
#include "policies/redundancy/registry.hpp"
#include "proofs/redundancy/bounds.hpp"
#include "proofs/redundancy/optimum.hpp"
#include "proofs/redundancy/theorems/duals.hpp"

namespace schedproof::checks {

/// h(copies, length).
using MeanWork = std::function<Rational(std::uint32_t copies, const Rational& length)>;

/// A policy's facts, and those of its machines and of the optimum, of which some claims speak.
struct PolicyUnderTest {
    using Duals = redundancy::Duals<Rational>;
    redundancy::AnyPolicy policy;
    std::function<ReferenceSchedule(const RedundancyProblem&, const Rational& speed)> schedule;
    std::function<Duals(redundancy::DualRule, const RedundancyProblem&, const Rational& speed)> duals;
    /// The constant with which eq. 8 holds of dual variables.
    std::function<Rational(const Duals&, const RedundancyProblem&)> constant;
    std::function<MeanWork(const RedundancyProblem&)> work;
    std::function<Rational(const RedundancyProblem&)> peak;
    std::function<redundancy::Optimum(const RedundancyProblem&)> optimum;
    /// The price rate of the job at a position.
    std::function<Rational(redundancy::DualRule, std::size_t position, std::size_t jobs, std::size_t machines)> price;
    std::vector<Rational> distribution;        ///< values that a distribution function may take
    std::vector<std::vector<Rational>> works;  ///< what eight copies may have done, each an outcome
    /// Least sum over the ranks that the latest jobs, a part beta of all, have in the potential, as a part of it.
    std::function<Rational(const Rational& beta)> ranks;
};
/// As the code under test has them.
[[nodiscard]] PolicyUnderTest policy_under_test(const redundancy::AnyPolicy& policy);

namespace redundancy_properties {

using Property = std::string(const PolicyUnderTest&, const RedundancyProblem&, const Rational& speed);

/// The lengths at which a service's h is looked at: the sizes of a problem's jobs, whole ones for a slotted process.
[[nodiscard]] std::vector<Rational> lengths_of(const RedundancyProblem& problem);
// Lemmas 1 and 2, and what is needed besides: up to 8 copies. model.cpp
[[nodiscard]] std::string concave_in_copies(const MeanWork& h, const std::vector<Rational>& lengths);
[[nodiscard]] std::string between_one_and_all(const MeanWork& h, const Rational& peak,
                                              const std::vector<Rational>& lengths);
[[nodiscard]] std::string monotone_and_sub_additive(const MeanWork& h, const std::vector<Rational>& lengths);
/// h of a law of machines that need not be independent, for an interval of a unit of time.
[[nodiscard]] MeanWork of_law(const std::vector<Outcome>& law);
Property lemma_1, lemma_2, checkpoints_never_hurt;
/// G^r (1 - G) does not fall with one copy less, for r = 0..8.
[[nodiscard]] std::string gain_falls_at(const Rational& g);
Property lemma_1_pointwise;  ///< for the values of a distribution function, whatever the problem
Property lemma_2_pointwise;  ///< for outcomes of eight copies, whatever the problem
/// Of three machines two-point:2,0 of which two are the same; nothing of other problems.
[[nodiscard]] bool speaks_of_twins(const RedundancyProblem& problem);
Property lemma_1_for_identical_machines;

// Schedules: model.cpp
Property follows_specification, fits_machines, checkpoints_at_events, completes_all, busy_periods, srpt_order_kept,
    latest_favoured, fair_is_laps_of_1, srpt_without_gain, one_machine_each, beta_rounded_up, beta_rounded_down_serves,
    optimum_is_least;

/// The constant with which dual variables are to be feasible, as a multiple of 1/s.
struct Constant {
    Rational times_inverse_speed;
    Rational added;
    [[nodiscard]] Rational at(const Rational& speed) const { return times_inverse_speed / speed + added; }
};
[[nodiscard]] Constant c_star(const RedundancyProblem& problem);  ///< (1 - 1/M)/s
// SRPT+R: srpt.cpp
Property lemma_3, lemma_3_by_job, weak_duality, dual_bound, remaining_flowtime, alpha_is_an_increment, srpt_dual_value,
    srpt_feasible, srpt_feasible_with_0, srpt_feasible_with_99_percent, srpt_feasible_by_own_count, later_jobs_add,
    arrivals_add, copies_leave_less, copies_leave_less_at_once, theorem, improves_on_srpt, copies_help, copies_hurt,
    optimal;
/// Sorted downwards, the remaining work of `more` is at least that of `less` at every event of either from `from` on.
[[nodiscard]] std::string dominates(const WorkPath& more, const WorkPath& less, std::size_t jobs_of_less,
                                    const RedundancyProblem& problem, const Rational& from);
/// Eq. 8 with a constant, for the dual variables that the policy under test makes by a rule.
[[nodiscard]] std::string feasible(const PolicyUnderTest& under_test, redundancy::DualRule rule,
                                   const RedundancyProblem& problem, const Rational& speed, const Constant& constant);
/// P1 of a schedule against (1 + C Delta) times its flowtime.
[[nodiscard]] std::string relaxation(const WorkPath& path, const RedundancyProblem& problem, const Rational& constant,
                                     const Rational& peak);

// Fair+R: fair.cpp. The fraction of F that sum alpha reaches, by rule: 1/2, 3/8, 1/4.
[[nodiscard]] Rational fraction_of(redundancy::DualRule rule);
[[nodiscard]] std::string fair_value(const PolicyUnderTest& under_test, redundancy::DualRule rule,
                                     const Rational& fraction, const RedundancyProblem& problem, const Rational& speed);
[[nodiscard]] std::string lemma_6(const PolicyUnderTest& under_test, redundancy::DualRule rule,
                                  const RedundancyProblem& problem, const Rational& speed);
/// sum_j alpha_j(t) >= fraction n, for up to 40 jobs on `machines` machines.
using PriceRate = std::function<Rational(std::size_t position, std::size_t jobs, std::size_t machines)>;
[[nodiscard]] std::string lemma_7(const PriceRate& rate, const Rational& fraction, std::size_t machines);
Property fair_feasible, fair_values, fair_alpha, lemma_6_all_rules, lemma_7_all_rules, lemma_7_sums, half_by_shifted,
    naive_with_c_star, naive_with_1, copies_help_their_kind;

// LAPS+R: laps.cpp. All conditions on the potential, or that on its drift alone
Property potential, potential_strengthened, drift, drift_strengthened;

}  // namespace redundancy_properties
}  // namespace schedproof::checks
