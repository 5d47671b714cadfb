/// What an optimal policy decides on a slice of states, beside what another one does.
///
/// The states of the slice: all servers idle, so many tasks of the first type waiting and so many of the second, where
/// there is one, none of the others.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "experiments/command/core/answer_fields.hpp"
#include "experiments/figures/plot.hpp"
#include "proofs/queueing/bounds/naming_advice.hpp"
#include "proofs/queueing/theorems/any_policy.hpp"

namespace schedproof::cli {

/// What every server names: a type + 1, or 0 for none.
using queueing::Names;

struct SliceState {
    std::vector<std::uint32_t> waiting;  ///< tasks of each type
    Names best;                          ///< of an optimal policy; the other's, where they are as good
    Names beside = {};                   ///< of the policy beside it; of tied queues the first
    double cost = 0;                     ///< of the policy's names, if all later decisions are best

    /// Tasks of the second type.
    [[nodiscard]] std::uint32_t down() const { return waiting.size() > 1 ? waiting[1] : 0; }
    /// Whether the policy's names cost anything.
    [[nodiscard]] bool differs() const;
};

struct Slice {
    std::string first, second;       ///< names of the types; the second empty where there is none
    std::string beside;              ///< id of the policy, or empty
    std::vector<SliceState> states;  ///< by tasks of the second type, then of the first

    [[nodiscard]] std::size_t differing() const;
};

/// Up to `most` tasks of each type. `beside` is the id of a policy, or empty; its tasks stand where it routes them in
/// the empty system. Requires a theorem of the mode names_types, or of continuous time.
/// Throws InputError when the policy cannot run on the instance.
[[nodiscard]] Slice decisions_on_slice(const queueing::Instance& instance, const queueing::AnyPolicyTheorem& theorem,
                                       std::uint32_t most, const std::string& beside);

/// Tables for people.
[[nodiscard]] std::string to_text(const queueing::Instance& instance, const Slice& slice);
/// A state of a slice, with what has the names.
struct SliceStateOf {
    const queueing::Instance& instance;
    const SliceState& state;
    bool has_beside;
};
[[nodiscard]] std::vector<SliceStateOf> states_of(const queueing::Instance& instance, const Slice& slice);
[[nodiscard]] const Record<SliceStateOf>& slice_record();
/// A cell a state, coloured by its decision: the best ones, and below those of the policy, with a mark where they
/// differ at a cost.
[[nodiscard]] figures::Plot to_plot(const queueing::Instance& instance, const Slice& slice);

}  // namespace schedproof::cli
