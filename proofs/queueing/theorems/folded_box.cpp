/// Every image of a state joins the state's class, and the root of a class is its first
/// state.
#include "proofs/queueing/theorems/folded_box.hpp"

#include <algorithm>
#include <limits>

#include "model/core/errors.hpp"

namespace schedproof::queueing {

ExactState renamed(const ExactState& state, const Renaming& by) {
    ExactState image = state;
    for (std::size_t q = 0; q < state.length.size(); ++q) image.length[by.queue[q]] = state.length[q];
    for (std::size_t m = 0; m < state.serving.size(); ++m) image.serving[by.server[m]] = renamed(state.serving[m], by);
    return image;
}

std::string renaming_rejection(const Renaming& by, const std::vector<std::vector<Service>>& statuses,
                               const std::vector<std::uint32_t>& weights) {
    if (!is_permutation_of(by.server, statuses.size())) return "a renaming does not name each server once";
    if (!is_permutation_of(by.queue, weights.size())) return "a renaming does not name each queue once";
    for (std::size_t q = 0; q < weights.size(); ++q)
        if (weights[by.queue[q]] != weights[q]) return "a renaming gives a queue another weight";
    for (std::size_t m = 0; m < statuses.size(); ++m) {
        const std::vector<Service>& own = statuses[by.server[m]];
        const bool all = std::all_of(statuses[m].begin(), statuses[m].end(), [&](const Service& service) {
            return std::find(own.begin(), own.end(), renamed(service, by)) != own.end();
        });
        if (!all || own.size() != statuses[m].size()) return "a renaming gives a server statuses of another";
    }
    return "";
}

FoldedBox::FoldedBox(StateBox states, const std::vector<Renaming>& renamings) : states_(std::move(states)) {
    if (renamings.empty()) return;
    if (states_.size() > std::numeric_limits<std::uint32_t>::max())
        throw LimitExceeded("2^32", "the states of a box with renamings");
    Classes classes(states_.size());
    states_.each(0, states_.size(), [&](std::uint64_t i, const ExactState& state) {
        for (const Renaming& by : renamings)
            classes.join(static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(*states_.index(renamed(state, by))));
    });
    entry_.resize(states_.size());
    for (std::uint32_t i = 0; i < entry_.size(); ++i) {
        const std::uint32_t least = classes.least(i);
        if (least == i) {
            entry_[i] = static_cast<std::uint32_t>(first_.size());
            first_.push_back(i);
        } else {
            entry_[i] = entry_[least];
        }
    }
}

}  // namespace schedproof::queueing
