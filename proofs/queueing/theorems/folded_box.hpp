/// The states of a box, those that differ by a renaming of servers and queues taken together.
///
/// A table may have one entry for all states that renamings lead between: where servers are alike, a function of the
/// state need not tell them apart. Nothing is assumed of the policy by it. What follows from a table is computed at
/// every state of the box, so that a renaming which the policy does not respect costs width, never truth.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "proofs/queueing/theorems/renaming.hpp"
#include "proofs/queueing/theorems/state_box.hpp"

namespace schedproof::queueing {

/// The state after renaming. Requires: `by` renames each of its servers and queues to one of them.
[[nodiscard]] ExactState renamed(const ExactState& state, const Renaming& by);

/// Why a renaming does not map every box with these statuses and weights onto itself; empty when it does.
[[nodiscard]] std::string renaming_rejection(const Renaming& by, const std::vector<std::vector<Service>>& statuses,
                                             const std::vector<std::uint32_t>& weights);

class FoldedBox {
  public:
    /// Entries are numbered by the first of their states. Requires: each renaming maps the box onto itself.
    /// Throws LimitExceeded past 2^32 states. Cost, given renamings: an image of each state under each.
    FoldedBox(StateBox states, const std::vector<Renaming>& renamings);

    [[nodiscard]] const StateBox& states() const { return states_; }
    [[nodiscard]] std::uint64_t entries() const { return is_folded() ? first_.size() : states_.size(); }
    /// The entry of the state numbered `index`.
    [[nodiscard]] std::uint64_t entry(std::uint64_t index) const { return is_folded() ? entry_[index] : index; }
    /// The entry of a state; nothing for one outside. As StateBox::index.
    [[nodiscard]] std::optional<std::uint64_t> entry(const ExactState& state) const {
        const std::optional<std::uint64_t> index = states_.index(state);
        return index ? std::optional(entry(*index)) : std::nullopt;
    }
    /// Calls `visit(entry, state)` with the first state of each entry from `begin` to before `end`, in their order.
    template <class Visit>
    void each_entry(std::uint64_t begin, std::uint64_t end, Visit&& visit) const {
        if (!is_folded()) return states_.each(begin, end, visit);
        for (std::uint64_t e = begin; e < end; ++e)
            states_.each(first_[e], first_[e] + std::uint64_t{1},
                         [&](std::uint64_t, const ExactState& state) { visit(e, state); });
    }

  private:
    [[nodiscard]] bool is_folded() const { return !entry_.empty(); }

    StateBox states_;
    std::vector<std::uint32_t> entry_;  // by number of a state; empty when each has its own
    std::vector<std::uint32_t> first_;  // by entry, the number of a state
};

}  // namespace schedproof::queueing
