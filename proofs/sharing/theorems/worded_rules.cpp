/// Each rule as its words say it: a list of the jobs in the order in which they are asked, and a walk along it.
///
/// The list is made by taking out, again and again, the job that no other precedes. Comparisons of symbols fork, so a
/// rule and the code that it is compared with are followed on the same path: what the one has found out the other need
/// not ask.
#include "proofs/sharing/theorems/worded_rules.hpp"

#include <algorithm>
#include <array>

namespace schedproof::sharing {

namespace {

Outcome unchanged(const Moment& m) {
    Outcome outcome;
    for (const MomentJob& job : m.jobs) outcome.skips.push_back(job.skips);
    return outcome;
}

/// All jobs, in the order in which they are asked.
std::vector<std::size_t> asked(const Moment& m, Order order) {
    std::vector<std::size_t> left, line;
    for (std::size_t j = 0; j < m.jobs.size(); ++j) left.push_back(j);
    while (!left.empty()) {
        std::size_t first = left.front();
        for (const std::size_t j : left)
            if (precedes(m, order, j, first)) first = j;
        line.push_back(first);
        std::erase(left, first);
    }
    return line;
}

JobLaunch launch(const Moment& m, std::size_t job) { return {JobId(job), level_of(m.jobs[job].level)}; }

Outcome first_in(const Moment& m, Order order) {
    Outcome outcome = unchanged(m);
    outcome.launch = launch(m, asked(m, order).front());
    return outcome;
}
Outcome hadoop_fifo(const Moment& m) { return first_in(m, Order::fifo); }
Outcome naive_fair(const Moment& m) { return first_in(m, Order::fair); }

/// Jobs are asked one after another; whoever does not launch is passed over once more.
Outcome delay(const Moment& m) {
    Outcome outcome = unchanged(m);
    for (const std::size_t j : asked(m, Order::fair)) {
        const bool local = m.jobs[j].level <= 0;
        if (local) outcome.skips[j] = 0;
        if (local || m.jobs[j].skips >= m.parameters.d) {
            outcome.launch = launch(m, j);
            return outcome;
        }
        outcome.skips[j] += 1;
    }
    return outcome;
}

/// The same with two waits: D1 skips for a local task, D2 more for one on the rack.
Outcome delay_rack(const Moment& m, bool second_wait_again) {
    const ParametersOf<AffineCount>& p = m.parameters;
    Outcome outcome = unchanged(m);
    for (const std::size_t j : asked(m, Order::fair)) {
        const AffineCount& skips = m.jobs[j].skips;
        const Locality level = level_of(m.jobs[j].level);
        const bool off_rack = p.d2.has_value() && skips >= p.d1 + *p.d2;
        const bool launches = level == Locality::local || (level == Locality::rack_local && skips >= p.d1) ||
                              (level == Locality::remote && off_rack);
        if (!launches) {
            outcome.skips[j] += 1;
            continue;
        }
        if (level == Locality::local) outcome.skips[j] = 0;
        if (level == Locality::rack_local && second_wait_again) outcome.skips[j] = p.d1;
        outcome.launch = JobLaunch{JobId(j), level};
        return outcome;
    }
    return outcome;
}
Outcome delay_rack_again(const Moment& m) { return delay_rack(m, true); }
Outcome delay_rack_keep(const Moment& m) { return delay_rack(m, false); }

/// Whether the slot has been free for so long and the job there.
bool has_waited(const Moment& m, std::size_t job, const AffineCount& ticks) {
    return m.slot_free >= ticks && m.jobs[job].age >= ticks;
}

/// Any job's local task; otherwise the first job that has waited W and as long as a remote task takes among those
/// there.
Outcome dyndlon(const Moment& m) {
    Outcome outcome = unchanged(m);
    const auto line = asked(m, m.parameters.order);
    for (const std::size_t j : line)
        if (m.jobs[j].level <= 0) {
            outcome.launch = launch(m, j);
            return outcome;
        }
    for (const std::size_t j : line) {
        if (!has_waited(m, j, m.parameters.w)) continue;
        if (m.remote_tasks > 0 && !has_waited(m, j, m.remote_time)) continue;
        outcome.launch = launch(m, j);
        return outcome;
    }
    return outcome;
}

/// One by one: a local task, or any after a wait of W, unless the node is closed to further remote ones.
Outcome delay_time(const Moment& m, bool one_remote) {
    Outcome outcome = unchanged(m);
    const bool closed = one_remote && m.remote_tasks > 0;
    for (const std::size_t j : asked(m, m.parameters.order)) {
        if (m.jobs[j].level > 0 && (closed || !has_waited(m, j, m.parameters.w))) continue;
        outcome.launch = launch(m, j);
        return outcome;
    }
    return outcome;
}
Outcome delay_time_any(const Moment& m) { return delay_time(m, false); }
Outcome delay_time_one_remote(const Moment& m) { return delay_time(m, true); }

/// The first job with a reservation at the node.
Outcome sparrow(const Moment& m) {
    Outcome outcome = unchanged(m);
    for (const std::size_t j : asked(m, Order::fifo)) {
        if (m.jobs[j].reserved <= 0) continue;
        outcome.launch = launch(m, j);
        return outcome;
    }
    return outcome;
}

/// Of the jobs whose age pays for the way to their data, W for each step, the first of those that have most left.
Outcome quincy(const Moment& m) {
    Outcome outcome = unchanged(m);
    const auto left = [&](std::size_t j) {
        AffineCount ticks = m.jobs[j].age;
        for (std::size_t step = 0; step < index(level_of(m.jobs[j].level)); ++step) ticks = ticks - m.parameters.w;
        return ticks;
    };
    std::optional<std::size_t> first;
    for (const std::size_t j : asked(m, Order::fifo))
        if (left(j) >= 0 && (!first || left(j) > left(*first))) first = j;
    if (first) outcome.launch = launch(m, *first);
    return outcome;
}

/// The node's own queue unless the common one weighs more; of the jobs that wait there, the one that runs fewest.
Outcome subqueues(const Moment& m) {
    Outcome outcome = unchanged(m);
    const bool own = m.own_weight >= m.common_weight;
    for (const std::size_t j : asked(m, Order::fair)) {
        if ((own ? m.jobs[j].waits_own : m.jobs[j].waits_common) <= 0) continue;
        outcome.launch = JobLaunch{JobId(j), own ? Locality::local : Locality::remote};
        return outcome;
    }
    return outcome;
}

constexpr std::array rules{
    OfferRule{"hadoop-fifo", Asked::offer, false, hadoop_fifo},
    OfferRule{"naive-fair", Asked::offer, false, naive_fair},
    OfferRule{"fair-kill", Asked::offer, false, naive_fair},
    OfferRule{"delay", Asked::offer, false, delay},
    OfferRule{"delay-rack", Asked::offer, false, delay_rack_again},
    OfferRule{"delay-rack:keep", Asked::offer, false, delay_rack_keep},
    OfferRule{"dyndlon", Asked::offer, true, dyndlon},
    OfferRule{"delay-time", Asked::offer, true, delay_time_any},
    OfferRule{"delay-time:one-remote", Asked::offer, true, delay_time_one_remote},
    OfferRule{"sparrow", Asked::offer, false, sparrow},
    OfferRule{"quincy", Asked::offer, false, quincy},
    OfferRule{"jsq-maxweight:subqueues", Asked::queues, false, subqueues},
};

}  // namespace

bool precedes(const Moment& m, Order order, std::size_t i, std::size_t j) {
    const auto key = [&](std::size_t job) { return order == Order::fair ? m.jobs[job].running : m.jobs[job].priority; };
    return i < j ? key(i) <= key(j) : key(i) < key(j);
}

const OfferRule* offer_rule(std::string_view policy) {
    const auto found = std::find_if(rules.begin(), rules.end(), [&](const OfferRule& r) { return r.policy == policy; });
    return found == rules.end() ? nullptr : &*found;
}

std::optional<JobId> reclaim_rule(const Moment& m) {
    // What jobs below their share lack of it, as far as they have tasks waiting.
    AffineCount due = 0;
    for (const MomentJob& job : m.jobs) {
        const AffineCount lacking = m.fair_share - job.running;
        if (lacking <= 0) continue;
        due += lacking <= job.unlaunched ? lacking : job.unlaunched;
    }
    if (due <= m.free_slots) return {};
    std::size_t most = 0;
    for (std::size_t j = 1; j < m.jobs.size(); ++j)
        if (m.jobs[j].running >= m.jobs[most].running) most = j;
    return m.jobs[most].running > m.fair_share ? std::optional(JobId(most)) : std::nullopt;
}

}  // namespace schedproof::sharing
