/// Replications that an experiment runs several at once are made in groups, the same whatever the number of threads.
///
/// A replication is a function of its number, so neither groups nor threads change a result. Groups are as large as the
/// experiment has room for, unless that leaves threads without work: then they are smaller, but at least half full,
/// since a group takes about as long as one replication. Progress is the sum over replications, each counted up to 1.
#include "experiments/runs/replicate.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <utility>

#include "model/base/parallel.hpp"
#include "model/core/errors.hpp"

namespace schedproof::runs {

struct Together::State {
    std::mutex guard;
    std::vector<double> done;
    double sum = 0;
    Progress progress;
};

Together::Together(std::size_t runs, Progress progress) : state_(std::make_unique<State>()) {
    state_->done.resize(runs);
    state_->progress = std::move(progress);
}

Together::~Together() = default;

simulation::Done Together::of(std::size_t i) {
    return [state = state_.get(), i](double part) {
        const std::lock_guard lock(state->guard);
        const double now = std::clamp(part, state->done[i], 1.0);
        state->sum += now - state->done[i];
        state->done[i] = now;
        if (state->progress) state->progress(state->sum);
    };
}

namespace {

/// Runs of one experiment that are made together, as places in the list of all.
using Group = std::vector<std::size_t>;

/// As few groups as there is room for, or as many as threads where each still fills half of its room.
std::vector<Group> groups_of(const std::vector<std::size_t>& places, std::size_t room, unsigned threads) {
    const std::size_t count = places.size(), least = (count + room - 1) / room, half = (room + 1) / 2,
                      groups = std::max(least, std::min<std::size_t>(threads, count / half));
    std::vector<Group> result(groups);
    for (std::size_t i = 0; i < count; ++i) result[i * groups / count].push_back(places[i]);
    return result;
}

/// In the order of their first runs.
std::vector<Group> groups_of(std::span<const PlannedRun> runs, unsigned threads) {
    std::vector<std::vector<std::size_t>> places;
    std::map<const simulation::Experiment*, std::size_t> known;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const std::size_t at = known.try_emplace(runs[i].experiment, places.size()).first->second;
        if (at == places.size()) places.emplace_back();
        places[at].push_back(i);
    }
    std::vector<Group> all;
    for (const auto& of_one : places)
        for (Group& group : groups_of(of_one, runs[of_one.front()].experiment->side_by_side(), threads))
            all.push_back(std::move(group));
    std::sort(all.begin(), all.end());
    return all;
}

}  // namespace

void run_all(std::span<const PlannedRun> runs, unsigned threads, const Progress& progress,
             const std::function<void(std::size_t, simulation::Observation)>& take) {
    Together together(std::max<std::size_t>(runs.size(), 1), progress);
    const std::vector<Group> groups = groups_of(runs, threads);
    base::for_each_index(groups.size(), threads, [&](std::size_t g) {
        const Group& group = groups[g];
        std::vector<statistics::Replication> replications;
        std::vector<simulation::Done> each;
        for (const std::size_t i : group) {
            replications.push_back(runs[i].replication);
            each.push_back(together.of(i));
        }
        const simulation::Done done = [&](double part) {
            for (const simulation::Done& one : each) one(part);
        };
        auto observations = runs[group.front()].experiment->run_together(replications, done);
        for (std::size_t k = 0; k < group.size(); ++k) {
            take(group[k], std::move(observations[k]));
            each[k](1);
        }
    });
}

std::vector<simulation::Observation> replicate(const simulation::Experiment& experiment,
                                               const statistics::Replication& first, std::size_t count,
                                               unsigned threads, const Progress& progress) {
    std::vector<PlannedRun> runs;
    for (std::size_t i = 0; i < count; ++i) runs.push_back({&experiment, {first.seed, first.number + i}});
    std::vector<simulation::Observation> result(count);
    run_all(runs, threads, progress,
            [&](std::size_t i, simulation::Observation observation) { result[i] = std::move(observation); });
    return result;
}

}  // namespace schedproof::runs
