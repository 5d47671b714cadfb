/// Properties of jobs that share the slots for ever: where slots return to, and where tasks run in the end.
///
/// Every node has a slot, always busy. One that is drawn uniformly becomes free, is offered, and is taken; that is a
/// finite chain on who runs where and the skip counts, and its closed classes tell what lasts.
#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "checks/sharing/properties/properties.hpp"
#include "model/core/errors.hpp"
#include "model/markov/classes.hpp"
#include "model/markov/stationary.hpp"

namespace schedproof::checks::sharing_properties {

using namespace sharing;

namespace {

struct Shares {
    std::vector<std::size_t> job;     // that runs on each node
    std::vector<std::int64_t> skips;  // by job
    friend auto operator<=>(const Shares&, const Shares&) = default;
};

/// A slot that nobody takes is offered again.
constexpr int most_offers = 1000;
constexpr std::size_t most_states = 1000;

class Sharing {
  public:
    Sharing(const SharingPolicyUnderTest& under_test, const SharingCase& c) : under_test_(under_test), c_(c) {
        require_stated(static_cast<bool>(under_test.offer_endless), without_queues);
    }

    [[nodiscard]] std::size_t nodes() const { return c_.setting.cluster.nodes(); }
    [[nodiscard]] std::size_t jobs() const { return c_.setting.jobs.size(); }
    [[nodiscard]] bool local(std::size_t job, std::size_t node) const {
        const auto& tasks = c_.setting.jobs[job].tasks;
        return std::any_of(tasks.begin(), tasks.end(),
                           [&](const Replicas& data) { return data.front() == NodeId(node); });
    }
    /// After the slot of a node became free and was taken.
    [[nodiscard]] Shares after(const Shares& now, std::size_t node) const {
        EndlessJobs all;
        all.running_tasks.assign(jobs(), 0);
        for (std::size_t n = 0; n < nodes(); ++n)
            if (n != node) ++all.running_tasks[now.job[n]];
        all.skip_count = now.skips;
        for (std::size_t j = 0; j < jobs(); ++j) {
            all.level.emplace_back();
            for (std::size_t n = 0; n < nodes(); ++n)
                all.level.back().push_back(local(j, n) ? Locality::local : Locality::remote);
        }
        std::optional<JobLaunch> launch;
        for (int i = 0; i < most_offers && !launch; ++i) launch = under_test_.offer_endless(all, NodeId(node));
        if (!launch) throw LimitExceeded("offers", fmt::format("a slot is declined {} times in a row", most_offers));
        Shares next{now.job, all.skip_count};
        next.job[node] = launch->job.index();
        return next;
    }
    /// All ways to run every job on equally many nodes, nobody skipped; none where that cannot be.
    [[nodiscard]] std::vector<Shares> equal_shares() const {
        if (nodes() % jobs() != 0) return {};
        Shares now{{}, std::vector<std::int64_t>(jobs(), 0)};
        for (std::size_t n = 0; n < nodes(); ++n) now.job.push_back(n * jobs() / nodes());
        std::vector<Shares> all;
        do {
            if (all.size() == most_states) throw LimitExceeded("shares of nodes", "more than a thousand");
            all.push_back(now);
        } while (std::next_permutation(now.job.begin(), now.job.end()));
        return all;
    }

  private:
    const SharingPolicyUnderTest& under_test_;
    const SharingCase& c_;
};

std::string words(const Shares& now) {
    std::string jobs, skips;
    for (const std::size_t j : now.job) jobs += (jobs.empty() ? "" : ", ") + std::to_string(j);
    for (const std::int64_t n : now.skips) skips += (skips.empty() ? "" : ", ") + std::to_string(n);
    return "with jobs " + jobs + " on the nodes and skip counts " + skips;
}

/// All that can come after a start.
struct Future {
    std::vector<Shares> states;
    markov::TransitionMatrix chain;
    std::vector<Rational> locality;  // part of the nodes that run a local task, by state
};

Future future(const Sharing& sharing, const Shares& from) {
    Future all{{from}, {}, {}};
    std::map<Shares, std::size_t> index{{from, 0}};
    for (std::size_t s = 0; s < all.states.size(); ++s) {
        if (all.states.size() > most_states) throw LimitExceeded("chain of shares", "more than a thousand states");
        const Shares now = all.states[s];
        std::map<std::size_t, std::size_t> moves;
        std::size_t local = 0;
        for (std::size_t n = 0; n < sharing.nodes(); ++n) {
            if (sharing.local(now.job[n], n)) ++local;
            Shares next = sharing.after(now, n);
            const auto [at, fresh] = index.emplace(next, all.states.size());
            if (fresh) all.states.push_back(std::move(next));
            ++moves[at->second];
        }
        std::vector<markov::Transition> row;
        for (const auto& [target, count] : moves)
            row.push_back({static_cast<markov::StateIndex>(target), Rational(count) / Rational(sharing.nodes())});
        all.chain.append_row(std::move(row));
        all.locality.push_back(Rational(local) / Rational(sharing.nodes()));
    }
    return all;
}

/// Where a start may lead for ever, a state of it and its mean locality.
struct LongRun {
    Shares within;
    Rational locality;
};
std::vector<LongRun> long_runs(const Sharing& sharing, const Shares& from) {
    const Future all = future(sharing, from);
    const markov::Classes classes = markov::classify(all.chain);
    std::vector<LongRun> runs;
    for (const markov::ClassIndex c : classes.closed_classes()) {
        const Shares& within = all.states[classes.members(c).front()];
        const Future alone = future(sharing, within);
        runs.push_back({within, markov::stationary_distribution(alone.chain).mean(alone.locality)});
    }
    return runs;
}

}  // namespace

std::string slots_stick(const SharingPolicyUnderTest& under_test, const SharingCase& c) {
    const Sharing sharing(under_test, c);
    for (const Shares& now : sharing.equal_shares())
        for (std::size_t n = 0; n < sharing.nodes(); ++n)
            if (const Shares next = sharing.after(now, n); next.job[n] != now.job[n])
                return fmt::format("{}, the slot of node {} goes from job {} to job {}", words(now), n, now.job[n],
                                   next.job[n]);
    return "";
}

std::string slots_settle(const SharingPolicyUnderTest& under_test, const SharingCase& c) {
    const Sharing sharing(under_test, c);
    for (const Shares& from : sharing.equal_shares())
        for (const LongRun& run : long_runs(sharing, from))
            if (run.locality != Rational(1))
                return fmt::format("{}, it may come to stay {}, where the part {} of the tasks is local", words(from),
                                   words(run.within), run.locality.to_string());
    return "";
}

}  // namespace schedproof::checks::sharing_properties
