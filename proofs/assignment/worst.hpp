/// How much worse than the best a policy can be: the adversary.
///
/// For a shape and costs, the largest ratio of a policy's makespan to the least one.
///
/// Over all loads (`worst_over_loads`): the policy's own code is explored on symbolic loads (ratio_space.hpp). On a
/// cell of the exploration it makes one assignment, and its cores finish at linear forms f. A competitor O makes
/// linear forms of its own. A problem may be scaled, so let O finish everything by 1; then the largest f on the cell is
/// a linear program, and the largest of all these values, over cells, cores and competitors, is the supremum of the
/// ratio over ALL loads of the shape: f at most that on the closure of each cell, hence on the cell, and approached
/// from within the cell, where a ratio of continuous functions varies little. Whether it is attained is asked of the
/// cells themselves, strict sides included. The competitor is enumerated (competitors.hpp), or left free to Z3, which
/// then decides that nothing exceeds the value found.
/// On a grid (`worst_on_grid`): every problem with loads and costs from lists; its optimum by divisions among servers,
/// unless a bound below it shows that the ratio is no larger than one found before.
/// Either way the instance reported is run again and its optimum found again, in rationals.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "proofs/assignment/theorems/worst_ratio.hpp"
#include "proofs/explore/ask.hpp"
#include "proofs/explore/worst_case.hpp"

namespace schedproof::assignment {

/// A problem with its ratio, found by running the policy on it and solving it.
struct RatioWitness {
    Problem<Rational> problem;
    Assignment scheduled, optimal;
    Rational makespan, optimum;
    [[nodiscard]] Rational ratio() const { return makespan / optimum; }
};
/// Requires a problem with a task.
[[nodiscard]] RatioWitness measure(const SystemUnderTest& system_under_test, Problem<Rational> problem);

struct Worst {
    /// What is known of the ratio.
    using Proved = explore::WorstCase;
    Proved proved = Proved::lower_bound;
    std::optional<Rational> ratio;  ///< none: unbounded
    bool attained = false;          ///< by the witness; otherwise the witness is near
    std::optional<RatioWitness> witness;
    std::uint64_t cases = 0;        ///< cells, or problems of the grid
    std::uint64_t competitors = 0;  ///< enumerated; 0 when free
    std::uint64_t programs = 0;     ///< linear programs solved, or optima found
    explore::Statistics statistics;
    std::string ended;                         ///< which budget, of a lower bound
    std::optional<Approach> approach;          ///< over all loads: where the ratio is attained or approached
    std::vector<proof::ExploredProof> proofs;  ///< of a supremum: one per question of its theorem
};

/// Enumerated, free to the solver, or (automatic) free on shapes with more than 200 competitors.
enum class Competitor { automatic, enumerated, free };

/// On all shapes that `shapes_of` reads from the text.
/// Throws LimitExceeded when the competitors are too many to be enumerated in the search; OracleConflict, as whoever
/// refuses a policy does, when it compares with an absolute time, so that problems cannot be scaled.
[[nodiscard]] Worst worst_over_loads(const SystemUnderTest& system_under_test, const std::string& shapes,
                                     const Costs& costs, Competitor competitor, const explore::Budget& budget = {});

/// A worst case over all loads, and what proves it.
struct CertifiedWorst {
    Worst worst;                   ///< without proofs: they are the certificate's
    WorstCertificate certificate;  ///< of a supremum; otherwise as it was asked
};
/// As worst_over_loads, of the registered policy and the theorem of a certificate that states no ratio, no approach and
/// no proofs yet. The certificate of a supremum is then checked without a solver.
/// Throws OracleConflict when it is not accepted; otherwise as worst_over_loads, and InputError when the policy draws.
[[nodiscard]] CertifiedWorst certified_worst(WorstCertificate asked, Competitor competitor,
                                             const explore::Budget& budget = {});

/// What is asked of a policy unless its user says otherwise: its own wait, and of an online one the event loop.
[[nodiscard]] WorstCertificate usual_question(const std::string& policy, std::string shapes, Costs costs);

/// The worst cases of a policy on small shapes, the smallest first, each for all loads.
struct SmallWorst {
    std::vector<CertifiedWorst> found;
    std::vector<std::string> not_covered;  ///< what was not asked, and why
};
/// Tells `found`, if there is one, of each as it is found. Throws InputError for an unknown policy; what else keeps a
/// shape from being settled is told in the result.
[[nodiscard]] SmallWorst worst_on_small_shapes(const std::string& policy, const explore::Budget& budget,
                                               const std::function<void(const CertifiedWorst&)>& found = {});

/// What became of a theorem's questions.
struct RatioProof {
    std::vector<proof::ExploredProof> proofs;         ///< one per question, unless something below is set
    std::optional<Problem<Rational>> counterexample;  ///< where the theorem fails
    std::string ended;                                ///< which budget ended it
    explore::Statistics statistics;
};
/// Asks every question of the theorem. Multipliers come from exact linear programs.
[[nodiscard]] RatioProof prove_ratio(const SystemUnderTest& system_under_test, const WorstTheorem& theorem,
                                     const explore::Budget& budget = {});

struct Grid {
    std::vector<Rational> loads;  ///< of every core, at least 0
    std::vector<Costs> costs;     ///< given ones
    std::uint64_t limit = 10'000'000;
    std::function<void(std::uint64_t done, std::uint64_t all)> progress;  ///< may be empty
};
/// Throws LimitExceeded when the grid has more problems than its limit.
[[nodiscard]] Worst worst_on_grid(const SystemUnderTest& system_under_test,
                                  std::span<const std::shared_ptr<const Shape>> shapes, const Grid& grid);

}  // namespace schedproof::assignment
