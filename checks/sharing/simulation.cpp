/// Simulated trajectories of a backlog, tick by tick.
///
/// Placements, ends of tasks and orders of offers are drawn from streams of their own, keyed by seed and replication.
/// So runs with another D meet the same placements and ends, and differences between them are paired: their variance is
/// that of the policy's effect. Counts are integers and the test compares rationals, so a verdict is the same on every
/// machine.
#include "checks/sharing/simulation.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "model/core/errors.hpp"
#include "model/core/randomness.hpp"
#include "model/sharing/trajectory.hpp"

namespace schedproof::checks {

using namespace sharing;

namespace {

Setting drawn_setting(const Scenario& scenario, StreamKey key) {
    Sampler randomness(key);
    Setting setting{Cluster::one_rack(scenario.nodes, scenario.slots), {}};
    for (std::size_t j = 0; j < scenario.jobs; ++j) {
        setting.jobs.emplace_back();
        for (std::size_t t = 0; t < scenario.tasks; ++t) {
            Replicas data;
            while (data.size() < scenario.replicas) {
                const NodeId n(randomness.uniform(scenario.nodes));
                if (std::find(data.begin(), data.end(), n) == data.end()) data.push_back(n);
            }
            setting.jobs.back().tasks.push_back(data);
        }
    }
    return setting;
}

template <SharingPolicy P>
class Simulation {
  public:
    Simulation(const P& policy, const Scenario& scenario, std::uint64_t seed, std::uint64_t replication)
        : policy_(policy),
          scenario_(scenario),
          setting_(drawn_setting(scenario, {seed, replication, 1})),
          ends_({seed, replication, 2}),
          orders_({seed, replication, 3}),
          ties_({seed, replication, 4}),
          state_(initial_state(setting_)),
          first_skip_(scenario.jobs, -1) {}

    SimulatedRun run() {
        submit_missing();
        while (run_.launches < scenario_.jobs * scenario_.tasks) {
            if (++state_.now > most_ticks)
                throw LimitExceeded("simulated ticks", fmt::format("tasks are left after {}", most_ticks));
            std::vector<SlotId> free;
            for (std::size_t s = 0; s < state_.slots.size(); ++s) {
                const bool ends = ends_.below(static_cast<std::uint64_t>(scenario_.run)) == 0;
                if (state_.slots[s].busy && ends) state_ = complete(std::move(state_), SlotId(s));
                if (!state_.slots[s].busy) free.emplace_back(s);
            }
            for (std::size_t i = free.size(); i > 1; --i) std::swap(free[i - 1], free[orders_.uniform(i)]);
            for (const SlotId s : free) offer_slot(s);
        }
        return run_;
    }

  private:
    void submit_missing() {
        const auto ready = [&] {
            return static_cast<std::size_t>(
                std::count_if(state_.jobs.begin(), state_.jobs.end(), [](const JobState& job) {
                    return std::count(job.tasks.begin(), job.tasks.end(), Stage::unlaunched) > 0;
                }));
        };
        for (; submitted_ < scenario_.jobs && ready() < scenario_.present; ++submitted_)
            state_ = submit(setting_, std::move(state_), policy_, JobId(submitted_), ties_);
    }
    void offer_slot(SlotId slot) {
        Offered after = offer(setting_, std::move(state_), policy_, slot);
        state_ = std::move(after.next);
        for (std::size_t j = 0; j < scenario_.jobs; ++j)
            if (state_.jobs[j].skips > 0 && first_skip_[j] < 0) first_skip_[j] = state_.now;
        if (!after.started) return;
        ++run_.launches;
        if (after.started->level != Locality::local) ++run_.without_data;
        if (Ticks& since = first_skip_[after.started->job.index()]; since >= 0) {
            ++run_.waits;
            run_.waited += static_cast<std::uint64_t>(state_.now - since);
            since = -1;
        }
        submit_missing();
    }

    /// About a hundred times as long as a policy takes that launches what it can.
    static constexpr Ticks most_ticks = 20'000;

    const P& policy_;
    const Scenario& scenario_;
    Setting setting_;
    Sampler ends_, orders_, ties_;
    State state_;
    std::vector<Ticks> first_skip_;  // by job: when it was passed over first since its last launch, or -1
    std::size_t submitted_ = 0;
    SimulatedRun run_;
};

}  // namespace

SimulatedRun simulate(const AnyPolicy& policy, const Scenario& scenario, std::uint64_t seed,
                      std::uint64_t replication) {
    return std::visit(
        [&](const auto& made) {
            return Simulation<std::decay_t<decltype(made)>>(made, scenario, seed, replication).run();
        },
        policy);
}

bool surely_negative(const std::vector<Rational>& differences) {
    const Rational n(differences.size());
    Rational sum, squares;
    for (const Rational& d : differences) {
        sum += d;
        squares += d * d;
    }
    const Rational mean = sum / n, variance = (squares - n * mean * mean) / (n - Rational(1));
    return mean.sign() < 0 && mean * mean * n >= Rational(11) * variance;
}

std::string non_locality_does_not_halve(const ByD& policy, const Scenario& scenario, std::uint64_t seed,
                                        std::uint64_t replications) {
    constexpr std::int64_t step = 6;
    std::vector<Rational> before;
    for (std::int64_t d = 0; d <= 2 * step; d += step) {
        std::vector<Rational> now, differences;
        for (std::uint64_t r = 0; r < replications; ++r)
            now.push_back(simulate(policy(d), scenario, seed, r).non_locality());
        for (std::size_t r = 0; r < before.size(); ++r) differences.push_back(now[r] - before[r] / Rational(2));
        if (!before.empty() && !surely_negative(differences))
            return fmt::format("non-locality does not surely halve from D = {} to {} in {} replications", d - step, d,
                               replications);
        before = std::move(now);
    }
    return "";
}

std::string wait_is_not_inverse_to_slots(const ByD& policy, const Scenario& scenario, std::uint64_t seed,
                                         std::uint64_t replications) {
    std::vector<Rational> before;
    for (const std::size_t slots : {1U, 2U, 4U}) {
        Scenario with = scenario;
        with.slots = slots;
        std::vector<Rational> now, too_long, too_short;
        for (std::uint64_t r = 0; r < replications; ++r) now.push_back(simulate(policy(8), with, seed, r).mean_wait());
        for (std::size_t r = 0; r < before.size(); ++r) {
            too_long.push_back(now[r] - before[r] * Rational(2) / Rational(3));
            too_short.push_back(before[r] / Rational(3) - now[r]);
        }
        if (!before.empty() && !(surely_negative(too_long) && surely_negative(too_short)))
            return fmt::format(
                "the mean wait does not surely fall to about a half from {} to {} slots a node in {} "
                "replications",
                slots / 2, slots, replications);
        before = std::move(now);
    }
    return "";
}

}  // namespace schedproof::checks
