/// Exact chains as PRISM explicit files, and back.
///
/// Format: the appendix "Explicit Model Files" of the PRISM manual, as PRISM 4.8 writes and reads it. All numbers are
/// integers or fractions `p/q`, which PRISM reads exactly with `-exact`. Lines that are blank or start with `#` are
/// skipped on reading.
///
///   X.tra      `states transitions`, then `source target probability` per transition, or, of a chain in continuous
///              time, `source target rate`
///   X.sta      `(name,name,...)`, then `state:(value,value,...)` per state
///   X.lab      `0="init" 1="deadlock" ...`, then `state: label label ...` per state with a label
///   X1.srew    `# Reward structure "name"`, `# State rewards`, `states entries`, then `state value` per value that is
///              not zero; one file per reward, numbered from 1 as PRISM numbers them
///
/// So `prism -importmodel X.all -dtmc -exact ...` takes the set, or with `-ctmc` where time is continuous. There the
/// rates out of every state sum to the rate of events: an event that leaves a state as it is stands as a loop of its
/// rate, which changes no law and by which the chain can be read back as it was. States keep the numbers of the chain,
/// breadth first from the empty state; PRISM accepts any order.
///
/// Variables, all integers. `q_NAME` is the length of a queue. `f_NAME` is what a server does: 0 idle, 1 + queue *
/// levels
/// + level when it works on a task of that queue at that level, the negative of that when it is committed to the queue
/// without a task. `w_NAME_i` is the i-th waiting task of a queue that lists its tasks: 0 none, else 1 + type; there
/// are as many as the longest list of the chain needs. `c_i` is the i-th counter of the policy. NAME is a name of the
/// instance with every character outside `[A-Za-z0-9_]` replaced by `_`, and numbered where that makes two names equal.
/// States that differ have different values, since every part of a state can be read off.
///
/// Labels: init, deadlock (none), empty (no task), all_busy (every server works on a task), idle_with_waiting (a server
/// without a task while a task waits), blocking (an arrival may be turned away). Under preemption no state says who
/// executes what, and all_busy and idle_with_waiting are left out.
/// Rewards: tasks (sum of the queues), completed and blocked (mean number per slot, or per unit of time, exact).
#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "policies/queueing/exact.hpp"

namespace schedproof::graph {

struct PrismLabel {
    std::string name;
    std::vector<markov::StateIndex> states;  ///< ascending
    friend bool operator==(const PrismLabel&, const PrismLabel&) = default;
};

struct PrismReward {
    std::string name;
    std::vector<Rational> value;  ///< per state
    friend bool operator==(const PrismReward&, const PrismReward&) = default;
};

/// What a set of files says. Shape: one tuple of `values`, with one entry per variable, for every state.
struct PrismModel {
    markov::TransitionMatrix matrix;
    std::optional<Rational> event_rate;  ///< of a chain in continuous time: steps per unit of time
    std::vector<std::string> variables;
    std::vector<std::vector<std::int32_t>> values;
    std::vector<PrismLabel> labels;
    std::vector<PrismReward> rewards;
};

/// The names of a set of files.
struct PrismFiles {
    std::string transitions;
    std::string states;
    std::string labels;
    std::vector<std::string> rewards;
    bool rates = false;  ///< whether transitions have rates, of continuous time, and not probabilities

    /// X.tra, X.sta, X.lab, X1.srew, ... for the stem X.
    [[nodiscard]] static PrismFiles of_stem(const std::string& stem, std::size_t rewards);
    /// All of them.
    [[nodiscard]] std::vector<std::string> all() const;
};

/// The chain with its variables, labels and rewards.
/// Throws LimitExceeded when a value does not fit the 32-bit integers of PRISM.
[[nodiscard]] PrismModel prism_model(const queueing::ExactSystem& system, const queueing::Chain& chain);

/// With an event rate: the rates of a chain in continuous time.
void write_tra(std::ostream& out, const markov::TransitionMatrix& matrix,
               const std::optional<Rational>& event_rate = {});
void write_sta(std::ostream& out, const PrismModel& model);
void write_lab(std::ostream& out, const PrismModel& model);
void write_srew(std::ostream& out, const PrismReward& reward);

/// Writes the set X.tra, X.sta, X.lab, X1.srew, ...; each file is complete before the first takes its place.
/// Throws InputError as base::OutputFile.
PrismFiles write_prism(const PrismModel& model, const std::string& stem);

/// The text of a transitions file. Transitions may stand in any order.
/// Throws InputError with `file`, line and what was expected: as many transitions as announced, states in range, no
/// pair twice, probabilities in (0, 1] that sum to one for every state.
[[nodiscard]] markov::TransitionMatrix parse_tra(std::string_view text, const std::string& file);

/// The same of a chain in continuous time, whose rates are above 0; a state that is never left has a loop. Steps happen
/// at the largest sum of rates out of a state, and a state with a smaller one has a further loop.
struct PrismRates {
    markov::TransitionMatrix matrix;
    Rational event_rate;
};
[[nodiscard]] PrismRates parse_rates(std::string_view text, const std::string& file);

struct PrismStates {
    std::vector<std::string> variables;
    std::vector<std::vector<std::int32_t>> values;
};
/// The text of a states file for a chain of `states` states, each of which must stand there exactly once.
[[nodiscard]] PrismStates parse_sta(std::string_view text, std::size_t states, const std::string& file);

/// The text of a labels file; labels are numbered from 0 in order, with distinct names.
[[nodiscard]] std::vector<PrismLabel> parse_lab(std::string_view text, std::size_t states, const std::string& file);

/// The text of a state-rewards file. The name comes from its header and is empty without one.
[[nodiscard]] PrismReward parse_srew(std::string_view text, std::size_t states, const std::string& file);

/// Reads a set of files; names that are empty are skipped. Throws InputError as above, and when a file is missing.
[[nodiscard]] PrismModel read_prism(const PrismFiles& files);

}  // namespace schedproof::graph
