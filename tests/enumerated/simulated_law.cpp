/// The simulator's slots, run once for each combination of outcomes.
///
/// A run is a function of the outcomes of its streams (instead/experiments/statistics/stream.hpp), so all its runs,
/// each with the product of its outcomes' probabilities, are its law. Geometric times that outlast the slots looked at
/// are one outcome: what they do later is not looked at.
#include "tests/enumerated/simulated_law.hpp"

#include <cmath>

#include "experiments/simulators/slotted/slotted.hpp"

namespace schedproof::simulation {

namespace {

class FirstOfTied : public IndexedRules {
  public:
    using IndexedRules::IndexedRules;
    [[nodiscard]] TiedSet route(const IndexedView& now, TaskTypeId type, statistics::Stream& stream) const {
        return first(now, IndexedRules::route(now, type, stream));
    }
    [[nodiscard]] TiedSet serve(const IndexedView& now, ServerId m, statistics::Stream& stream) const {
        return first(now, IndexedRules::serve(now, m, stream));
    }

  private:
    static TiedSet first(const IndexedView& now, const TiedSet& tied) {
        std::optional<queueing::Candidate> found;
        now.for_each_tied(tied, [&](const queueing::Candidate& c) {
            if (!found) found = c;
        });
        return found ? TiedSet(*found) : TiedSet();
    }
};

template <class Asked>
Trajectory trajectory(const System& system, const queueing::AnyPolicy& policy, const EnumeratedRun& wanted,
                      statistics::Outcomes& outcomes) {
    const SlottedSettings settings{100, 1, wanted.delays, wanted.truncation};
    SlottedRun<Asked> run(system, policy, settings, {}, {20'000, wanted.watched});
    Trajectory seen;
    for (int t = 0; t < wanted.slots; ++t) {
        outcomes.slots_left = static_cast<std::uint64_t>(wanted.slots - t);
        run.step();
        for (const QueueCounts& counts : run.counts()) {
            seen.push_back(counts.length[0]);
            seen.push_back(counts.in_service);
        }
    }
    return seen;
}

/// Calls `run` for each combination of outcomes; how many there are, if it is not too many.
template <class Run>
std::optional<std::size_t> each_run(const System& system, std::size_t most_runs, Run&& run) {
    require(!system.random, "random replicas are not enumerated");
    statistics::Outcomes outcomes;
    outcomes.types = system.instance->types().size();
    statistics::outcomes_of_this_thread = &outcomes;
    std::size_t runs = 0;
    do {
        if (++runs > most_runs) return std::nullopt;
        outcomes.decisions = 0;
        try {
            run(outcomes);
        } catch (const LimitExceeded& limit) {
            if (limit.limit() != "decisions") throw;
            return std::nullopt;
        }
    } while (outcomes.randomness.next_path());
    return runs;
}

template <class Asked>
std::optional<SimulatedLaw> enumerated(const System& system, const queueing::AnyPolicy& policy,
                                       const EnumeratedRun& wanted) {
    SimulatedLaw result;
    const auto runs = each_run(system, wanted.most_runs, [&](statistics::Outcomes& outcomes) {
        Trajectory seen = trajectory<Asked>(system, policy, wanted, outcomes);
        result.law.add(std::move(seen), outcomes.randomness.probability().rational());
    });
    if (!runs) return std::nullopt;
    result.runs = *runs;
    return result;
}

}  // namespace

std::optional<SimulatedLaw> simulated_law(const System& system, const queueing::AnyPolicy& policy,
                                          const EnumeratedRun& wanted, Ties ties) {
    return ties == Ties::uniform ? enumerated<IndexedRules>(system, policy, wanted)
                                 : enumerated<FirstOfTied>(system, policy, wanted);
}

std::optional<EnumeratedDrift> enumerated_drift(const System& system, const queueing::AnyPolicy& policy,
                                                const EnumeratedRun& wanted) {
    SlottedSettings settings{static_cast<std::uint64_t>(wanted.slots), 1, wanted.delays};
    settings.drift = true;
    const std::vector<Quantity> quantities = slotted_quantities(system, settings);
    EnumeratedDrift means;
    const auto runs = each_run(system, wanted.most_runs, [&](statistics::Outcomes& outcomes) {
        outcomes.slots_left = static_cast<std::uint64_t>(wanted.slots);
        const Observation seen = SlottedRun<>(system, policy, settings, {}, {20'000, wanted.watched}).run({});
        const auto sum = [&](const char* name) {
            for (std::size_t q = 0; q < quantities.size(); ++q)
                if (quantities[q].name == name) return seen.batches.front().tallies[q].sum;
            throw ContractViolation("a quantity is recorded");
        };
        const double p = outcomes.randomness.probability().rational().approximate();
        means.tasks += p * sum("drift of tasks");
        means.squares += p * sum("drift of tasks^2");
        means.grown += p * sum("growth of tasks in system");
        means.squares_grown += p * sum("growth of tasks^2");
        means.apart += p * std::abs(sum("drift of tasks^2") - sum("growth of tasks^2"));
    });
    if (!runs) return std::nullopt;
    return means;
}

}  // namespace schedproof::simulation
