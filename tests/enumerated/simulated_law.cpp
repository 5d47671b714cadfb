/// The simulator's slots, run once for each combination of outcomes.
///
/// A run is a function of the outcomes of its streams (instead/experiments/statistics/stream.hpp), so all its runs,
/// each with the product of its outcomes' probabilities, are its law. Geometric times that outlast the slots looked at
/// are one outcome: what they do later is not looked at.
#include "tests/enumerated/simulated_law.hpp"

#include "experiments/simulators/slotted/slotted.hpp"

namespace schedproof::simulation {

namespace {

class FirstOfTied : public AnyRules {
  public:
    using AnyRules::AnyRules;
    [[nodiscard]] Drawn route(const IndexedView& now, TaskTypeId type, statistics::Stream& stream) const {
        return first(now, AnyRules::route(now, type, stream));
    }
    [[nodiscard]] Drawn serve(const IndexedView& now, ServerId m, statistics::Stream& stream) const {
        return first(now, AnyRules::serve(now, m, stream));
    }

  private:
    static Drawn first(const IndexedView& now, const Drawn& tied) {
        std::optional<queueing::Candidate> found;
        now.for_each_tied(tied, [&](const queueing::Candidate& c) {
            if (!found) found = c;
        });
        return found ? Drawn(*found) : Drawn();
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

template <class Asked>
std::optional<SimulatedLaw> enumerated(const System& system, const queueing::AnyPolicy& policy,
                                       const EnumeratedRun& wanted) {
    require(!system.random, "random replicas are not enumerated");
    statistics::Outcomes outcomes;
    outcomes.types = system.instance->types().size();
    statistics::outcomes_of_this_thread = &outcomes;
    SimulatedLaw result;
    do {
        if (++result.runs > wanted.most_runs) return std::nullopt;
        outcomes.decisions = 0;
        try {
            Trajectory seen = trajectory<Asked>(system, policy, wanted, outcomes);
            result.law.add(std::move(seen), outcomes.randomness.probability().rational());
        } catch (const LimitExceeded& limit) {
            if (limit.limit() != "decisions") throw;
            return std::nullopt;
        }
    } while (outcomes.randomness.next_path());
    return result;
}

}  // namespace

std::optional<SimulatedLaw> simulated_law(const System& system, const queueing::AnyPolicy& policy,
                                          const EnumeratedRun& wanted, Ties ties) {
    return ties == Ties::uniform ? enumerated<AnyRules>(system, policy, wanted)
                                 : enumerated<FirstOfTied>(system, policy, wanted);
}

}  // namespace schedproof::simulation
