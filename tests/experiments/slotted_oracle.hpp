/// The slot loop once more, naively: everything is computed anew, from maps, and what a policy grants is written down
/// from docs/models/redundancy.md. It takes from the simulator only where copies were placed, which it checks, and what
/// machines did.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "experiments/simulators/redundancy/copies_in_slots.hpp"

namespace schedproof::simulation::slotted_oracle {

struct OracleGrant {
    std::size_t copies = 0, ways = 1;
};

/// Whether ranks are by remaining work.
inline bool by_remaining(const std::string& policy) { return policy.starts_with("srpt") || policy == "late"; }

/// By rank: docs/models/redundancy.md, Policies. `beta` is z for n jobs, already rounded up.
inline std::vector<OracleGrant> oracle_grants(const std::string& policy, std::size_t n, std::size_t machines,
                                              std::size_t z) {
    std::vector<OracleGrant> grants(n);
    if (n == 0) return grants;
    const bool redundant = policy.find("+r") != std::string::npos;
    const bool laps = policy.starts_with("laps"), srpt = policy.starts_with("srpt");
    if (policy.starts_with("redundancy-d")) {
        const std::size_t d = policy.ends_with(":3") ? 3 : 2;
        for (std::size_t j = 0; j < n && j * d < machines; ++j) grants[j] = {std::min(d, machines - j * d), 1};
        return grants;
    }
    if (policy == "late") {
        for (std::size_t j = 0; j < std::min(n, machines); ++j) grants[j] = {1, 1};
        const std::size_t idle = n < machines ? machines - n : 0, cap = (machines + 9) / 10;
        for (std::size_t j = 0; j < std::min({n, idle, cap}); ++j) grants[n - 1 - j].copies = 2;
        return grants;
    }
    if (!laps) z = n;
    const std::size_t first = n - z;  // of the jobs served, in order of arrival
    if (srpt && n >= machines) {
        for (std::size_t j = 0; j < machines; ++j) grants[j] = {1, 1};
    } else if (z < machines) {
        const std::size_t q = redundant ? machines / z : 1;
        for (std::size_t j = first; j < n; ++j) grants[j] = {q, 1};
        if (redundant) grants[srpt || policy.ends_with("oldest") ? first : n - 1].copies = machines - (z - 1) * q;
    } else if (policy.find(":all") != std::string::npos) {
        const std::size_t ways = (z + machines - 1) / machines;
        for (std::size_t j = first; j < n; ++j) grants[j] = {1, ways};
        if (redundant) grants[policy.ends_with("oldest") ? first : n - 1].copies = machines * ways - (z - 1);
    } else {
        const std::size_t k = z / machines;
        for (std::size_t j = n - k * machines; j < n; ++j) grants[j] = {1, k};
    }
    return grants;
}

class SlotOracle : public Watcher {
  public:
    SlotOracle(std::string policy, const redundancy::Jobs<Real>& jobs, std::size_t machines, double speed, int percent)
        : policy_(std::move(policy)), jobs_(jobs), machines_(machines), speed_(speed), percent_(percent) {}

    std::map<std::size_t, double> completion;
    std::size_t decisions = 0;

    void decided(std::uint64_t slot, std::span<const Placed> active) override {
        ++decisions;
        bool changed = false;
        for (auto it = state_.begin(); it != state_.end();) {
            const double done = best(it->second);
            if (completion.contains(it->first)) {
                it = state_.erase(it);
                changed = true;
                continue;
            }
            it->second.remaining -= done;
            for (auto& [machine, progress] : it->second.progress) progress = 0;
            ++it;
        }
        for (; arrived_ < jobs_.size() && jobs_[arrived_].arrival.value() <= static_cast<double>(slot); ++arrived_) {
            state_[arrived_] = {jobs_[arrived_].size.value(), {}, 1};
            changed = true;
        }
        EXPECT_TRUE(changed) << "a decision without an arrival or a departure";
        check(active);
    }

    void worked(std::uint64_t slot, std::span<const double> work) override {
        for (auto& [job, state] : state_) {
            EXPECT_FALSE(completion.contains(job));
            for (auto& [machine, progress] : state.progress) progress += work[machine];
            if (!state.progress.empty() && best(state) >= state.remaining - 1e-12 * jobs_[job].size.value())
                completion[job] = static_cast<double>(slot + 1);
        }
    }

  private:
    struct State {
        double remaining = 0;
        std::map<std::uint32_t, double> progress;  // of each copy, by machine
        std::size_t ways = 1;
    };
    [[nodiscard]] double best(const State& state) const {
        double most = 0;
        for (const auto& [machine, progress] : state.progress) most = std::max(most, progress);
        return speed_ / static_cast<double>(state.ways) * most;
    }

    void check(std::span<const Placed> active) {
        std::vector<std::size_t> order;
        for (const auto& [job, state] : state_) order.push_back(job);
        if (by_remaining(policy_))
            std::stable_sort(order.begin(), order.end(),
                             [&](std::size_t a, std::size_t b) { return state_[a].remaining < state_[b].remaining; });
        ASSERT_EQ(active.size(), order.size());
        const std::size_t n = order.size();
        const auto grants = oracle_grants(policy_, n, machines_, (static_cast<std::size_t>(percent_) * n + 99) / 100);
        std::map<std::uint32_t, std::size_t> taken;
        for (std::size_t rank = 0; rank < n; ++rank) {
            const Placed& placed = active[rank];
            State& state = state_[placed.job];
            EXPECT_EQ(placed.job, order[rank]);
            EXPECT_EQ(placed.remaining, state.remaining);
            EXPECT_EQ(placed.machines.size(), grants[rank].copies);
            if (grants[rank].copies > 0) {
                EXPECT_EQ(placed.ways, grants[rank].ways);
            }
            move(state, placed);
            for (const std::uint32_t machine : placed.machines) {
                EXPECT_LT(machine, machines_);
                EXPECT_LE(++taken[machine], placed.ways);
            }
        }
    }

    /// Copies stay where they are as far as their number allows, unless machines are divided among fewer.
    void move(State& state, const Placed& placed) {
        std::set<std::uint32_t> before, after(placed.machines.begin(), placed.machines.end());
        for (const auto& [machine, progress] : state.progress) before.insert(machine);
        EXPECT_EQ(after.size(), placed.machines.size()) << "two copies on a machine";
        if (placed.ways >= state.ways && placed.ways == 1) {
            const auto& [small, large] =
                before.size() < after.size() ? std::tie(before, after) : std::tie(after, before);
            EXPECT_TRUE(std::includes(large.begin(), large.end(), small.begin(), small.end()));
        }
        state.progress.clear();
        for (const std::uint32_t machine : after) state.progress[machine] = 0;
        state.ways = placed.ways;
    }

    std::string policy_;
    const redundancy::Jobs<Real>& jobs_;
    std::size_t machines_;
    double speed_;
    int percent_;
    std::size_t arrived_ = 0;
    std::map<std::size_t, State> state_;
};

}  // namespace schedproof::simulation::slotted_oracle
