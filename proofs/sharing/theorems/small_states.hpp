/// Small states of a cluster in which every time, skip count and parameter is a symbol.
///
/// Which tasks wait and run where is a shape, of which there are few; the kernel of model/sharing runs on each with
/// the policy's own code, as it does where the simulator is held against it. So statements about what an event leaves
/// are about all times and counts of all states of the shapes.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "model/sharing/trajectory.hpp"
#include "proofs/sharing/theorems/moment.hpp"

namespace schedproof::sharing {

/// A state with numbers in place of the symbols, which are then without meaning.
struct StateShape {
    Setting setting;
    State state;
};

/// Most jobs of a small state.
inline constexpr std::size_t most_small = 2;

/// Three nodes of a slot, two of one rack; the slot of the first is free, that of the second free or run by any of the
/// jobs. Of each job tasks wait at no level on the first node, at one, or at two. With queues tasks wait in no queue,
/// in one, or in the own and the common one.
[[nodiscard]] std::vector<StateShape> shapes_of_offers(std::size_t jobs, bool queues);
/// Three nodes of a slot on one rack, each run by any of the jobs, of each of which 0 to 2 tasks wait.
[[nodiscard]] std::vector<StateShape> shapes_of_kills(std::size_t jobs);

/// A state on symbols, with the parameters of its policy.
struct SymbolicState {
    ParametersOf<AffineCount> parameters;
    AffineCount fifo;  ///< as in Moment
    SettingOf<AffineCount> setting;
    StateOf<AffineCount> state;
};
[[nodiscard]] proof::Space space_of(const StateShape& shape);
/// The state of that space. The oracle outlives it.
[[nodiscard]] SymbolicState on_symbols(const StateShape& shape, const CountOracle& oracle);

/// What an offer of the first slot leaves. Throws ContractViolation as the kernel does.
[[nodiscard]] OfferedOf<AffineCount> offered(const SymbolicState& at, const AffineCode& code);
/// What killing leaves, as long as the policy wants it.
[[nodiscard]] StateOf<AffineCount> reclaimed(const SymbolicState& at, const AffineCode& code);

/// What the rule for killing in plain words leaves: while the free slots are fewer than what jobs below the fair share
/// lack of it, as far as they have tasks waiting, and a job runs more than that share, the one that runs most (ties:
/// submitted last) loses the task launched last (ties: the largest slot), and the slot goes to the job with the fewest
/// running tasks (ties: submitted first), to its first task that is nearest. Shares nothing with the kernel.
[[nodiscard]] StateOf<AffineCount> killed_in_words(const SymbolicState& at);

}  // namespace schedproof::sharing
