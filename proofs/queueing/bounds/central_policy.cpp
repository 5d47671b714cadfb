/// One step of policy iteration: each choice is replaced where another one is better by the given values.
///
/// A scheduler that knows the arrivals, or chooses between events, starts tasks server by server, from the last: the
/// best start of a server is chosen by the least values over the starts of the servers after it, so no combination of
/// starts is enumerated. One whose servers name types before tasks arrive, or allocates them anew before each event,
/// takes the mean over what follows for every combination of names. A choice is kept unless another one is better by
/// more than rounding: the iteration would not end otherwise.
#include "proofs/queueing/bounds/central_policy.hpp"

#include <algorithm>
#include <cmath>

namespace schedproof::queueing {

namespace {

/// Differences below this, relative to the largest value, count as ties.
constexpr long double tie = 1e-14L;

}  // namespace

std::size_t CentralPolicy::improve(const std::vector<long double>& next, long double outside) {
    const std::vector<long double> after = box_.after_choices(next, outside);
    long double largest = 0;
    for (const long double value : after) largest = std::max(largest, std::abs(value));
    return names_.empty() ? improve_starts(after, tie * largest)
                          : improve_names(after, box_.outside_after_choices(outside), tie * largest);
}

std::size_t CentralPolicy::improve_starts(std::vector<long double> value, long double tolerance) {
    std::size_t changes = 0;
    std::vector<long double> least(value.size());
    for (std::size_t m = start_.size(); m-- > 0;) {
        for (std::size_t i = 0; i < value.size(); ++i) {
            const auto at = static_cast<CentralBox::Index>(i);
            const auto value_of = [&](std::size_t start) {
                return start == 0 ? value[i] : value[box_.started(m, start - 1, at)];
            };
            std::size_t best = start_[m][i];
            for (std::size_t s = 0; s <= box_.model().starts(m).size(); ++s)
                if ((s == 0 || box_.started(m, s - 1, at) != CentralBox::none) &&
                    value_of(s) < value_of(best) - (best == start_[m][i] ? tolerance : 0))
                    best = s;
            if (best != start_[m][i]) ++changes;
            start_[m][i] = static_cast<std::uint8_t>(best);
            least[i] = value_of(best);
        }
        value.swap(least);
    }
    return changes;
}

std::size_t CentralPolicy::improve_names(const std::vector<long double>& value, long double outside,
                                         long double tolerance) {
    std::size_t changes = 0;
    std::vector<std::size_t> names, best;
    tolerance *= static_cast<long double>(box_.model().common_of_step() / box_.model().common_after_choices());
    for (std::size_t i = 0; i < value.size(); ++i) {
        const auto at = static_cast<CentralBox::Index>(i);
        const auto mean_of = [&](const std::vector<std::size_t>& named) {
            return box_.mean_as_named(named, at, value, outside);
        };
        best.assign(names_[i].begin(), names_[i].end());
        long double least = mean_of(best) - tolerance;
        bool changed = false;
        box_.each_naming(at, names, [&] {
            const long double mean = mean_of(names);
            if (mean >= least) return;
            least = mean;
            best = names;
            changed = true;
        });
        if (!changed) continue;
        ++changes;
        names_[i].assign(best.begin(), best.end());
    }
    return changes;
}

}  // namespace schedproof::queueing
