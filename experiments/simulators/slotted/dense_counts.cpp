#include "experiments/simulators/slotted/dense_counts.hpp"

namespace schedproof::simulation {

bool dense_counts_suit(const System& system, const queueing::Layout& layout, const SlottedSettings& settings) {
    using queueing::Arrangement;
    const queueing::Instance& instance = *system.instance;
    const bool owned =
        layout.arrangement() == Arrangement::per_server || layout.arrangement() == Arrangement::per_server_and_common;
    return !settings.delays && owned && !layout.lists_tasks() && instance.levels().size() <= 7 &&
           instance.options().unmatched == queueing::Unmatched::idle &&
           instance.options().scarcity == queueing::Scarcity::lowest_index &&
           Rational(8) * system.arrival_rate() >= Rational(static_cast<std::int64_t>(instance.servers().size()));
}

}  // namespace schedproof::simulation
