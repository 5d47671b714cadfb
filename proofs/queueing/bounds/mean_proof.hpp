/// Finding two-sided bounds of a stationary mean: the box, the table, the far field.
/// The method stands at the head of mean_proof.cpp.
#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "policies/queueing/exact.hpp"
#include "proofs/certificate/explored_proof.hpp"
#include "proofs/explore/explorer.hpp"
#include "proofs/queueing/theorems/mean.hpp"

namespace schedproof::queueing {

struct MeanGoal {
    StateFunction of;
    /// Whose drift is to carry the far field; absent: that of the MaxWeight argument, else one that synthesis finds.
    std::optional<LyapunovForm> w;
    Rational width = Rational(Integer(1), Integer(1000000));  ///< wanted: upper - lower; > 0
    std::optional<std::vector<std::uint32_t>> weights;        ///< of the measure; absent: chosen
    std::optional<std::uint32_t> radius;                      ///< of the box; absent: chosen for the width
    bool uniform = false;  ///< whether the far field is to follow from one drift of all states
    std::uint64_t max_states = 4'000'000;
    /// Seconds for the search, per function that is tried: no box is begun that would take longer, judged by the one
    /// before. The proof of what was found is not counted, and measuring has as many seconds of its own.
    std::optional<double> seconds;
    bool measure = false;  ///< whether to tell, where nothing is proved, the mean of the largest box
    /// From so many states on, those that renamings of alike servers lead between share an entry of the table.
    std::uint64_t fold_from = 100'000;
    /// Linear programs about the far field, at least one for each cell of the drift and scale that is tried.
    std::uint64_t max_programs = std::numeric_limits<std::uint64_t>::max();
    unsigned threads = 1;
    /// Called with what is being done, how much of it is done, and of how much (0: unknown). May be empty; any thread.
    std::function<void(std::string_view, double, double)> progress;
    /// Called with a line about each decision: the function's reach, the box chosen, the interval it promises.
    std::function<void(const std::string&)> say;
};

/// A theorem with the proofs of its questions, in their order.
struct MeanProof {
    MeanTheorem theorem;
    std::vector<proof::ExploredProof> proofs;
    explore::Statistics statistics;
    std::uint64_t states = 0;      ///< of the box
    std::uint32_t iterations = 0;  ///< of the Krylov method
    std::size_t classes = 1;       ///< closed in the box, each with a mean of its own, which the interval holds
    bool reached = false;          ///< whether the width wanted is that of the interval, but for what classes differ by
};
/// The mean along paths that start again at the likeliest state where they leave a box: it nears the stationary mean as
/// the box grows, and bounds nothing.
struct MeasuredMean {
    double value = 0;
    std::optional<double> change;  ///< from the box before, if there was one
    std::uint32_t radius = 0;      ///< of the box
    std::uint64_t states = 0;      ///< of the box
};
/// No bound: why, and what would help.
struct MeanUnknown {
    std::string reason;
    explore::Statistics statistics;
    bool no_drift = false;  ///< whether the function of the state is to blame, and another might do
    /// Where only the budget is to blame, the radius of a box that reaches the far field.
    std::optional<std::uint32_t> needs = {};
    std::optional<MeasuredMean> measured = {};  ///< where the goal asks for it
};
using MeanOutcome = std::variant<MeanProof, MeanUnknown>;

/// Requires: both are of one instance and policy, without a truncation.
/// Throws InputError when W does not fit the policy's queues, and for a policy that keeps counters or queues that list
/// their tasks; LimitExceeded when a budget ends.
[[nodiscard]] MeanOutcome prove_mean(const SymbolicSystem& symbolic, const ExactSystem& exact, const MeanGoal& goal,
                                     const explore::Budget& budget = {});

}  // namespace schedproof::queueing
