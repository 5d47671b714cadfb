/// The state that an event should leave is made from the one before, and held against the kernel's: what runs and waits
/// as it is, times as affine counts.
#include "proofs/sharing/theorems/state_statements.hpp"

#include <iterator>
#include <optional>

namespace schedproof::sharing {

using explore::Forbidden;

namespace {

/// Adds what must not be where two states are stated to be equal; skip counts may differ.
std::vector<Forbidden> alike(const StatePath& path, const StateOf<AffineCount>& is,
                             const StateOf<AffineCount>& expected) {
    std::vector<Forbidden> left;
    state_equal(path.oracle, is.now, expected.now, left);
    for (std::size_t j = 0; j < expected.jobs.size(); ++j)
        if (is.jobs[j].tasks != expected.jobs[j].tasks || is.jobs[j].queue != expected.jobs[j].queue ||
            is.jobs[j].reserved != expected.jobs[j].reserved)
            return impossible();
    for (std::size_t s = 0; s < expected.slots.size(); ++s) {
        const auto &here = is.slots[s], &there = expected.slots[s];
        if (here.busy != there.busy || here.job != there.job || here.task != there.task || here.level != there.level)
            return impossible();
        state_equal(path.oracle, here.since, there.since, left);
    }
    return left;
}

/// How far a task's data is from the first node, in words; of a task in a queue, what the queue says.
std::optional<Locality> level_in_words(const StatePath& path, JobId j, std::uint32_t task) {
    const auto& job = path.at.state.jobs[j.index()];
    const std::size_t all = path.at.setting.cluster.nodes();
    if (path.queues) {
        const std::size_t queue = job.queue[task].index();
        if (queue != 0 && queue != all) return {};
        return queue == 0 ? Locality::local : Locality::remote;
    }
    const std::size_t data = path.at.setting.jobs[j.index()].tasks[task].front().index();
    return data == 0 ? Locality::local : data == 1 ? Locality::rack_local : Locality::remote;
}

}  // namespace

std::vector<Forbidden> one_launch(const StatePath& path) {
    const OfferedOf<AffineCount> is = sharing::offered(path.at, path.code);
    StateOf<AffineCount> expected = path.at.state;
    if (is.started) {
        const Started& s = *is.started;
        auto& tasks = expected.jobs[s.job.index()].tasks;
        if (s.slot != SlotId(0) || s.task >= tasks.size() || tasks[s.task] != Stage::unlaunched) return impossible();
        if (level_in_words(path, s.job, s.task) != s.level) return impossible();
        tasks[s.task] = Stage::running;
        expected.jobs[s.job.index()].reserved = {NodeId(1)};  // the one at the offered node is used up
        expected.slots[0] = {true, path.at.state.now, s.job, s.task, s.level};
    }
    return alike(path, is.next, expected);
}

std::vector<Forbidden> kills_latest(const StatePath& path) {
    return alike(path, reclaimed(path.at, path.code), killed_in_words(path.at));
}

std::vector<StateShape> shapes(const StatementInfo& what, std::string_view policy, std::size_t most) {
    std::vector<StateShape> all;
    for (std::size_t jobs = 1; what.asked == Asked::state && jobs <= most; ++jobs) {
        std::vector<StateShape> more = what.name == "kills-latest"
                                           ? shapes_of_kills(jobs)
                                           : shapes_of_offers(jobs, form_of_policy(policy) == PolicyForm::routes);
        std::move(more.begin(), more.end(), std::back_inserter(all));
    }
    return all;
}

}  // namespace schedproof::sharing
