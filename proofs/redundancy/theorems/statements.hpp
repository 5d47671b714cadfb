/// What is stated of policies for all problems of a shape, as constraints that no problem satisfies.
///
/// A statement runs the policy's own code on symbolic arrivals and sizes, or one step of it on symbolic remaining work,
/// and leaves on each path what must not be. Lemma 4 (the dual variables of SRPT+R are feasible) is proved twice:
///   `srpt-dual-feasible`  whole runs, every order of events: (2n-1)!! paths
///   `srpt-static`         no arrival after j: one path, so many jobs
///   `dominance-*`         remaining work, sorted, stays above that of a cluster with less of it: one step
/// The last two give the first by induction over events. Let y(t) be the sorted remaining work of the run without the
/// arrivals after j, x(t) that with them: x >= y at a_j, and arrivals, intervals and completions keep that, so
/// n_x(t) >= n_y(t), the right side of (eq. 8) is the same and the left one no larger.
/// `redundancy-step` in place of `dominance-step` gives, in the same way, that SRPT+R never has more jobs than SRPT,
/// for every service whose speedups are at least 1 and grow with the number of copies.
///
/// LAPS+R: of n active jobs, the optimum works on l <= n*, at most Delta each and M in all. With f(m) = min(1, M/(b m))
/// the potential sum_j max(0, W*_j - W_j) / f(n_j) has drift at most G* + G, and the statement is
/// n + gamma (G* + G) <= c l. The optimum's set enters as numbers m_j in [0, 1] that sum to l, multiplied out (s m_j in
/// [0, s], y_j in [0, Delta]): a relaxation that holds every set, so what it refutes holds for all 2^n at once.
///
/// Source: [xu2017], Sections 4 and 5; docs/models/redundancy.md, Theorems.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "proofs/certificate/polynomial.hpp"
#include "proofs/redundancy/theorems/duals.hpp"
#include "proofs/redundancy/theorems/statement_shape.hpp"
#include "proofs/symbolic/question.hpp"

namespace schedproof::redundancy {

/// What the symbols of a statement's questions are.
enum class Inputs {
    jobs,    ///< arrivals and sizes: a whole run
    sorted,  ///< sizes of jobs that arrive together
    steps,   ///< remaining work of two clusters, with up to so many jobs each
    state,   ///< of LAPS+R, with up to so many jobs: excess speed, peak rate, the optimum's work
    game,    ///< arrivals and sizes, and the decisions of a competitor at speed 1
    none,    ///< polynomial lemmas alone
};

struct StatementInfo {
    std::string_view name;
    std::string_view sentence;  ///< `{0}` stands for the policy, `{1}` for the bound
    /// The ids of the policies that it is about, with blanks between; of a base with all its variants where
    /// `Inputs::state`; empty: any.
    std::string_view policy;
    Inputs inputs = Inputs::jobs;
    bool holds = true;  ///< otherwise a wrong variant, which checks must refute
};

[[nodiscard]] std::span<const StatementInfo> statements();
/// Throws InputError for an unknown name.
[[nodiscard]] const StatementInfo& statement(std::string_view name);
/// Whether its sentence speaks of the bound.
[[nodiscard]] bool has_bound(const StatementInfo& statement);

/// The questions whose proofs are the statement for this shape. Throws InputError when the policy is not one that the
/// statement is about, or the shape lacks a beta that it needs.
[[nodiscard]] std::vector<explore::Question> questions(const StatementInfo& statement, const std::string& policy,
                                                       const Shape& shape, const Rational& bound);

/// The polynomial lemmas that are the statement. lemmas.cpp
[[nodiscard]] std::vector<proof::PolynomialLemma> lemmas(const StatementInfo& statement);

/// Whether a statement about whole runs fails of one of its policies on a problem, run at speed 1. Exact.
[[nodiscard]] bool fails(const StatementInfo& statement, const AnyPolicy& policy, const Problem<Rational>& problem,
                         const Rational& bound);

/// The problem, to be run at speed 1, at a point where a statement about whole runs fails; nothing for others.
[[nodiscard]] std::optional<Problem<Rational>> at(const StatementInfo& statement, const Shape& shape,
                                                  const std::vector<Rational>& point);

}  // namespace schedproof::redundancy
