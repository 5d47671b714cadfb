/// Exact chains in the unified Markov binary format (UMB), which Storm, PRISM, Modest and the Python library umbi read.
///
/// Format: version 1, revision 0, as specified on 2026-01-26 in spec.md of https://github.com/pmc-tools/umb. A file is
/// a tar archive, not compressed, of an index in JSON and binary arrays, little-endian throughout:
///
///   index.json                                 sizes, types, what else there is; always first
///   choice-to-branches.bin                     uint64 per state and one more: where the branches of a state begin
///   branch-to-probability.bin                  a rational per branch
///   branch-to-target.bin                       uint64 per branch: the state to which it leads
///   state-is-initial.bin                       a bit per state
///   state-to-exit-rate.bin                     in continuous time: a rational per state
///   annotations/aps/LABEL/states/values.bin    a bit per state
///   annotations/rewards/REWARD/states/values.bin  a rational per state
///   valuations/states/valuations.bin           the values of the variables of each state, packed into bits
///
/// It says what prism.hpp writes as PRISM explicit files, with the same states, variables, labels and rewards, but for
/// the label init, which here is state-is-initial.bin. A chain has no players, and each state one choice, so
/// state-to-choices.bin is left out, as the format allows. In continuous time the exit rate of every state is the rate
/// of events, and a branch has the probability of an event: an event that leaves a state as it is stands as a branch to
/// itself, and rate times probability is the rate in X.tra.
///
/// Exact: nothing is rounded. A rational is a signed numerator and a denominator of equally many bits, 64 each, or as
/// many multiples of 64 as the longest number of its array needs. The format counts denominators as unsigned; here
/// their highest bit stays 0, for PRISM's reader takes them as signed. That reader takes rationals of 128 bits alone;
/// Storm and umbi take any.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <string>

#include "checks/prism/prism.hpp"

namespace schedproof::graph {

/// What the index says beside the chain.
struct UmbAbout {
    std::string name;         ///< of the model
    std::string description;  ///< may be empty
    std::string version;      ///< of this program
};

/// What was written, for those who read it elsewhere.
struct UmbSizes {
    std::size_t states;
    std::size_t branches;
    std::size_t rational_bits;  ///< of the widest array; some readers take no more than 128
};

/// Writes the archive. The same model gives the same bytes.
/// Requires names of labels and rewards of `a-z 0-9 _ -`, as prism_model gives them, and a value per variable and
/// state. Throws ContractViolation otherwise.
UmbSizes write_umb(std::ostream& out, const PrismModel& model, const UmbAbout& about);

/// The same as a file that is complete or absent. Throws InputError as base::OutputFile.
UmbSizes write_umb(const std::string& path, const PrismModel& model, const UmbAbout& about);

}  // namespace schedproof::graph
