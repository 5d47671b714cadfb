/// A moment of a cluster as a sharing policy sees it, with a symbol for every number.
///
/// What a policy is told of the offered node, of single jobs and of queues are affine counts over the symbols of a
/// space; what it is told of many jobs or queues follows from those by the same scan as everywhere
/// (model/sharing/scan.hpp). Nothing else of the cluster can be asked for, so one moment stands for every cluster,
/// however large.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "policies/sharing/policy_code.hpp"
#include "proofs/symbolic/affine.hpp"
#include "proofs/symbolic/question.hpp"

namespace schedproof::sharing {

/// What a policy is asked for.
enum class Asked : std::uint8_t {
    offer,    ///< whether a job launches a task on an offered slot
    queues,   ///< the same, of a policy with queues
    route,    ///< which queue a task joins
    reclaim,  ///< of which job a task is killed
    state,    ///< what an event leaves of a whole small state (small_states.hpp)
};

struct MomentJob {
    AffineCount level;       ///< of its nearest task on the offered node: 0 local, 1 rack-local, 2 remote
    AffineCount skips;       ///< at least 0, as are the next four
    AffineCount running;     ///< tasks
    AffineCount unlaunched;  ///< tasks
    AffineCount age;         ///< ticks since it was submitted; no longer than the job before
    AffineCount reserved;    ///< reservations that it has left at the offered node
    AffineCount priority;    ///< 0 to 4
    AffineCount waits_own;   ///< 1 if a task waits in the offered node's queue, otherwise 0
    AffineCount waits_common;
};

struct Moment {
    ParametersOf<AffineCount> parameters;
    AffineCount fifo;             ///< 1 where jobs are asked by priority, 0 where the poorest are asked first
    std::vector<MomentJob> jobs;  ///< in order of submission
    AffineCount slot_free;        ///< ticks since the offered slot is free
    AffineCount remote_tasks;     ///< on the offered node
    AffineCount remote_time;
    AffineCount own_weight, common_weight;
    std::vector<AffineCount> length;  ///< of the queues of the nodes that hold a task's data, then of the common one
    AffineCount free_slots, fair_share;
};

/// Answers the comparisons of affine counts as the decider of the symbols does.
class CountsOnSymbols final : public CountOracle {
  public:
    /// Keeps a reference.
    explicit CountsOnSymbols(const std::vector<explore::Affine>& symbols) : symbols_(symbols) {}
    [[nodiscard]] explore::Affine affine(const AffineCount& count) const;
    [[nodiscard]] bool exceeds_zero(const AffineCount& number, bool strict) const override;

  private:
    const std::vector<explore::Affine>& symbols_;
};

/// What must not be on a path that should be impossible.
[[nodiscard]] inline std::vector<explore::Forbidden> impossible() { return {explore::Forbidden{}}; }
/// Adds what must not be where a = b is stated.
void state_equal(const CountsOnSymbols& oracle, const AffineCount& a, const AffineCount& b,
                 std::vector<explore::Forbidden>& left);

/// Most jobs of a moment, or nodes that hold a task's data.
inline constexpr std::size_t most_moment = 6;
/// Most jobs of an offer: more have more symbols together than an affine count.
inline constexpr std::size_t most_offered = 5;

/// Counts a >= b.
using Ties = std::vector<std::pair<AffineCount, AffineCount>>;

/// Symbols for all that a policy is told when it is asked this, with so many jobs, or nodes that hold the task's data.
/// `assume` says what else is known of the moment.
[[nodiscard]] proof::Space moment_space(Asked asked, std::size_t count, Ties (*assume)(Moment&));
/// The moment of that space. The oracle outlives it.
[[nodiscard]] Moment moment(Asked asked, std::size_t count, const CountOracle& oracle);
/// The point of that space at which its symbols are the numbers of a moment. Requires numbers without symbols.
[[nodiscard]] std::vector<Rational> point_of(Asked asked, Moment numbers);

/// A policy's code on affine counts with these parameters.
using AffineCode = std::function<std::shared_ptr<const PolicyAnswers<AffineCount>>(const ParametersOf<AffineCount>&)>;

/// What an offer comes to.
struct Outcome {
    std::optional<JobLaunch> launch;
    std::vector<AffineCount> skips;  ///< afterwards, by job
};

// The code's answers.
[[nodiscard]] Outcome offer(const PolicyAnswers<AffineCount>& policy, Moment moment);
/// Positions in `length`, ascending.
[[nodiscard]] std::vector<std::size_t> route(const PolicyAnswers<AffineCount>& policy, const Moment& moment);
[[nodiscard]] std::optional<JobId> reclaim(const PolicyAnswers<AffineCount>& policy, const Moment& moment);

/// The level that a count says.
[[nodiscard]] Locality level_of(const AffineCount& level);

}  // namespace schedproof::sharing
