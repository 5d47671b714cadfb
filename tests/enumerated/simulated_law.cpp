/// The simulator's slots, run once for each combination of outcomes.
///
/// A run is a function of the outcomes of its streams (instead/experiments/statistics/stream.hpp), so all its runs,
/// each with the product of its outcomes' probabilities, are its law. Geometric times that outlast the slots looked at
/// are one outcome: what they do later is not looked at.
///
/// The dense simulators and lanes compare random words with thresholds, side by side. Words between two thresholds are
/// not told apart, so one of them stands for all, with their exact share of 2^32 or 2^16; where bits equal a threshold,
/// what further bits decide is one more outcome. The bytes that break the ties of a task are another matter: what
/// makes each of the tied as likely is that bytes are alike, whatever their law. So they are drawn from a law that is
/// alike in them too and has few outcomes: all equal, which leaves the choice to a draw of its own, or a single one
/// least.
#include "tests/enumerated/simulated_law.hpp"

#include <cmath>
#include <map>
#include <set>

#include "experiments/simulators/slotted/dense_run.hpp"
#include "experiments/simulators/slotted/dense_workloads.hpp"
#include "experiments/simulators/slotted/replication_lanes.hpp"
#include "experiments/simulators/slotted/slotted.hpp"

namespace schedproof::simulation {

namespace {

using statistics::BulkWords;
using statistics::WordLaw;

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

// ---- words of which one stands for many ----

/// 16 bits among the cuts that they are compared with.
WordLaw bits_between(const std::vector<Rational>& cuts) {
    std::set<std::uint32_t> starts{0};
    for (const Rational& c : cuts) {
        if (c.sign() == 0 || c == Rational(1)) continue;
        const Rational threshold = c * Rational(0x10000);
        const auto at = floor(threshold).convert_to<std::uint32_t>();
        starts.insert(at);
        if (Rational(at) != threshold) starts.insert(at + 1);
    }
    starts.insert(0x10000);
    std::vector<std::uint32_t> words;
    std::vector<Rational> probabilities;
    for (auto start = starts.begin(); std::next(start) != starts.end(); ++start) {
        words.push_back(*start);
        probabilities.push_back(Rational(*std::next(start) - *start) / Rational(0x10000));
    }
    return {words, probabilities};
}

/// 16 bits that draw one of up to `most` that are tied, however many these are: classes of the same number for each,
/// and of bits that some numbers would have too many of.
WordLaw bits_of_ties(std::uint32_t most) {
    static thread_local std::map<std::uint32_t, WordLaw> known;
    if (const auto found = known.find(most); found != known.end()) return found->second;
    std::map<std::vector<std::uint32_t>, std::pair<std::uint32_t, std::int64_t>> classes;  // the first, and how many
    for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
        std::vector<std::uint32_t> key;
        for (std::uint32_t n = 2; n <= most; ++n) key.push_back((bits * n & 0xFFFF) < 0x10000 % n ? n : bits * n >> 16);
        ++classes.try_emplace(std::move(key), bits, 0).first->second.second;
    }
    std::vector<std::uint32_t> words;
    std::vector<Rational> probabilities;
    for (const auto& [key, one] : classes) {
        words.push_back(one.first);
        probabilities.push_back(Rational(one.second) / Rational(0x10000));
    }
    return known.emplace(most, WordLaw(words, probabilities)).first->second;
}

/// A word of a task: a byte for each of its candidates, and above them what draws one of up to so many places.
WordLaw word_of_task(std::size_t candidates, std::size_t places) {
    std::set<Rational> ends{Rational(1)};
    for (std::size_t n = 2; n <= places; ++n)
        for (std::size_t k = 1; k < n; ++k)
            ends.insert(Rational(static_cast<std::int64_t>(k)) / Rational(static_cast<std::int64_t>(n)));
    std::vector<std::uint32_t> words;
    std::vector<Rational> probabilities;
    Rational from;
    for (const Rational& to : ends) {
        const auto top = floor((from + to) * Rational(0x80)).convert_to<std::uint32_t>() << 24;
        for (std::size_t least = 0; least < (candidates < 2 ? 1 : candidates + 1); ++least) {
            std::uint32_t bytes = 0x010101;
            if (places > 1) bytes |= top;
            if (places < 2) bytes |= 0x01000000;
            if (least < candidates) bytes &= ~(std::uint32_t{0xFF} << 8 * least);
            words.push_back(bytes);
            const std::int64_t share = candidates < 2        ? 1
                                       : least == candidates ? 2
                                                             : 2 * static_cast<std::int64_t>(candidates);
            probabilities.push_back((to - from) / Rational(share));
        }
        from = to;
    }
    return {words, probabilities};
}

SlottedSettings settings_of(const EnumeratedRun& wanted) { return {100, 1, wanted.delays, wanted.truncation}; }

// ---- the simulators ----

BulkWords bulk_words(const SimulatedSystem& system, const queueing::AnyPolicy& policy, const EnumeratedRun& wanted,
                     Ties ties, const LanePlan* plan) {
    const queueing::Instance& instance = *system.instance;
    const std::size_t servers = instance.servers().size();
    const bool first = ties == Ties::first;
    constexpr std::uint32_t for_the_first = 0x03020100;
    const bool common = policy.rules().arrangement() == queueing::Arrangement::per_server_and_common;
    const WordLaw task =
        word_of_task(most_replicas(system) + (common ? 1 : 0), wanted.engine == Engine::workloads ? servers : 1);
    BulkWords words{servers, first ? WordLaw(for_the_first) : task, bits_between(instance.rate_table()), {}};
    if (plan == nullptr) return words;
    const LaneSlots slots = plan->slots();
    const auto tied = [&](const LaneProgram& program) { return first ? WordLaw(1) : bits_of_ties(program.answers); };
    words.lane.assign(slots.draws, WordLaw(1));
    for (std::uint32_t f = 0; f < slots.factors; ++f) {
        std::vector<Rational> cuts;
        Rational below;
        for (const queueing::ArrivalOutcome& outcome : instance.arrivals().factors()[f].outcomes())
            cuts.push_back(below += outcome.probability);
        words.lane[f] = bits_between(cuts);
    }
    for (std::uint32_t m = 0; m < servers; ++m) {
        const LaneServer& server = slots.server[m];
        std::vector<Rational> rates;
        for (std::uint32_t c = 0; c < server.program.answers; ++c)
            rates.push_back(instance.rate_table()[slots.target[server.first_target + c].rate]);
        words.lane[slots.first_service + m] = bits_between(rates);
        if (server.program.answers > 1) words.lane[server.draw] = tied(server.program);
    }
    for (std::uint32_t t = 0; t < slots.types; ++t)
        for (std::uint32_t i = 0; i < slots.type[t].most && slots.type[t].program.answers > 1; ++i)
            words.lane[slots.type[t].draw + i] = tied(slots.type[t].program);
    return words;
}

Trajectory of_slots(int slots, statistics::Outcomes& outcomes, auto&& step, auto&& counts_after) {
    Trajectory seen;
    for (int t = 0; t < slots; ++t) {
        outcomes.slots_left = static_cast<std::uint64_t>(slots - t);
        step();
        for (const QueueCounts& counts : counts_after()) {
            seen.push_back(counts.length[0]);
            seen.push_back(counts.in_service);
        }
    }
    return seen;
}
Trajectory trajectory(auto&& run, const EnumeratedRun& wanted, statistics::Outcomes& outcomes) {
    return of_slots(
        wanted.slots, outcomes, [&] { run.step(); }, [&] { return run.counts(); });
}

/// Calls `run` for each combination of outcomes; how many there are, if it is not too many.
template <class Run>
std::optional<std::size_t> each_run(statistics::Outcomes& outcomes, std::size_t most_runs, Run&& run) {
    std::size_t runs = 0;
    do {
        if (++runs > most_runs) return std::nullopt;
        outcomes.decisions = 0;
        try {
            run();
        } catch (const LimitExceeded& limit) {
            if (limit.limit() != "decisions") throw;
            return std::nullopt;
        }
    } while (outcomes.randomness.next_path());
    return runs;
}

/// Of the streams of this thread from now on.
statistics::Outcomes& outcomes_for(const SimulatedSystem& system) {
    require(!system.random, "random replicas are not enumerated");
    static thread_local std::optional<statistics::Outcomes> outcomes;
    outcomes.emplace();
    outcomes->types = system.instance->types().size();
    statistics::outcomes_of_this_thread = &*outcomes;
    return *outcomes;
}

}  // namespace

bool engine_suits(const SimulatedSystem& system, const queueing::AnyPolicy& policy, const EnumeratedRun& wanted) {
    switch (wanted.engine) {
        case Engine::dense:
            return dense_suits(system, policy);
        case Engine::workloads:
            return dense_workloads_suit(system, policy, settings_of(wanted));
        case Engine::lanes:
            outcomes_for(system).side_by_side = true;
            return LanePlan::make(system, policy, settings_of(wanted)).has_value();
        default:
            return true;
    }
}

std::optional<SimulatedLaw> simulated_law(const SimulatedSystem& system, const queueing::AnyPolicy& policy,
                                          const EnumeratedRun& wanted, Ties ties) {
    statistics::Outcomes& outcomes = outcomes_for(system);
    const SlottedSettings settings = settings_of(wanted);
    const SlottedTuning tuning{20'000, wanted.watched};
    std::optional<LanePlan> plan;
    outcomes.side_by_side = wanted.engine == Engine::lanes;
    if (outcomes.side_by_side) plan = LanePlan::make(system, policy, settings);
    if (wanted.engine != Engine::indexed)
        outcomes.bulk = bulk_words(system, policy, wanted, ties, plan ? &*plan : nullptr);
    const auto run = [&]() -> Trajectory {
        switch (wanted.engine) {
            case Engine::dense:
                return trajectory(DenseRun(system, policy, settings, {}), wanted, outcomes);
            case Engine::workloads:
                return trajectory(DenseWorkloads(system, policy, settings, {}), wanted, outcomes);
            case Engine::lanes: {
                const statistics::Replication replication;
                ReplicationLanes beside(*plan, settings, {&replication, 1});
                return of_slots(
                    wanted.slots, outcomes, [&] { beside.step(); }, [&] { return beside.counts(0); });
            }
            default:
                if (ties == Ties::first)
                    return trajectory(SlottedRun<FirstOfTied>(system, policy, settings, {}, tuning), wanted, outcomes);
                return trajectory(SlottedRun<>(system, policy, settings, {}, tuning), wanted, outcomes);
        }
    };
    SimulatedLaw result;
    const auto runs = each_run(outcomes, wanted.most_runs, [&] {
        if (outcomes.bulk) outcomes.bulk->drawn.clear();
        Trajectory seen = run();
        result.law.add(std::move(seen), outcomes.randomness.probability().rational());
    });
    if (!runs) return std::nullopt;
    result.runs = *runs;
    return result;
}

std::optional<EnumeratedDrift> enumerated_drift(const SimulatedSystem& system, const queueing::AnyPolicy& policy,
                                                const EnumeratedRun& wanted) {
    SlottedSettings settings{static_cast<std::uint64_t>(wanted.slots), 1, wanted.delays};
    settings.drift = true;
    const std::vector<Quantity> quantities = slotted_quantities(system, settings);
    EnumeratedDrift means;
    statistics::Outcomes& outcomes = outcomes_for(system);
    const auto runs = each_run(outcomes, wanted.most_runs, [&] {
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
