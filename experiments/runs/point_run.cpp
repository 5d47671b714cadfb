/// The units of one point of a study: which are missing, made in parallel, and read back with every check.
///
/// A unit is one replication of one policy; the first replication of all policies comes first, so that there is a first
/// answer to all early. With a given number of replications all units are known beforehand. With a
/// target precision the number follows from the results: units are made in portions, half as many more each time, and
/// after each portion the stopping rule looks at every prefix in order, so that the answer is the first sufficient
/// number whatever the portions were. A study in memory and a study in a folder go through the same steps.
///
/// Reading back trusts nothing: a unit must parse, carry its own fingerprint, belong to its place in the study, and
/// have the quantities of its neighbours. Two copies of one unit that differ mean that two runs of one command
/// disagree, and end the run.
#include "experiments/runs/point_run.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <optional>
#include <span>

#include "experiments/runs/replicate.hpp"
#include "model/base/text.hpp"
#include "model/core/errors.hpp"

namespace schedproof::runs {

namespace {

using simulation::Observation;

const StudyPoint& point_of(const PointRun& run) { return run.study->points[run.point]; }

std::vector<PolicyResults> without_observations(const PointRun& run) {
    std::vector<PolicyResults> results;
    for (const simulation::Experiment* experiment : run.experiments)
        results.push_back({experiment->time_unit(), experiment->quantities(), {}});
    return results;
}

/// How many replications to have before looking again: half as many more, so that the surplus stays small.
std::size_t next_target(const Precision& precision, std::size_t now) {
    return std::min(precision.most, now == 0 ? precision.least : now + (now + 1) / 2);
}

Unit unit_of(const PointRun& run, const UnitPlace& place, Observation observation) {
    const StudyPoint& point = point_of(run);
    const simulation::Experiment& experiment = *run.experiments[place.policy];
    return {run.study->version,    unit_command(point, place), {point.seed, point.first + place.replication},
            point.inputs,          experiment.time_unit(),     experiment.quantities(),
            std::move(observation)};
}

/// Runs these units on the run's threads; what becomes of each is up to `take`, called concurrently. First replications
/// are reported.
void run_units(const PointRun& run, const std::vector<UnitPlace>& places,
               const std::function<void(std::size_t, Observation)>& take) {
    const StudyPoint& point = point_of(run);
    const auto all = static_cast<double>(places.size());
    std::vector<PlannedRun> runs;
    for (const UnitPlace& place : places)
        runs.push_back({run.experiments[place.policy], {point.seed, point.first + place.replication}});
    std::mutex guard;
    const auto report_first = [&](const UnitPlace& place, const Observation& observation) {
        const Summary alone =
            summarise(run.experiments[place.policy]->quantities(), std::span(&observation, 1), point.options);
        const std::lock_guard lock(guard);
        run.first(place.policy, alone);
    };
    run_all(
        runs, run.threads,
        [&](double done) {
            if (run.progress) run.progress(done, all);
        },
        [&](std::size_t i, Observation observation) {
            if (places[i].replication == 0 && run.first) report_first(places[i], observation);
            take(i, std::move(observation));
        });
}

/// What becomes of runs in memory. They are taken in as they end, and evaluated in rows, a replication of each policy,
/// in the order of the replications, so that sums are added up in the same order whatever ends first. Where the cut is
/// given, a row is kept as a few numbers and let go; else its observations wait for the cut.
class Rows {
  public:
    explicit Rows(const PointRun& run)
        : run_(run), results_(without_observations(run)), row_(results_), ahead_(results_.size()) {
        const StudyPoint& point = point_of(run);
        if (point.precision) stopping_.emplace(point.options, *point.precision);
    }
    /// Replications that were asked for.
    [[nodiscard]] std::size_t asked() const { return asked_; }
    [[nodiscard]] bool suffices() const { return stopping_ && stopping_->answer(); }

    /// Runs all policies up to so many replications.
    void extend(std::size_t replications) {
        std::vector<UnitPlace> places;
        for (; asked_ < replications; ++asked_)
            for (std::size_t c = 0; c < results_.size(); ++c) places.push_back({run_.point, c, asked_});
        run_units(run_, places,
                  [&](std::size_t i, Observation observation) { take(places[i], std::move(observation)); });
    }
    /// Requires a row.
    [[nodiscard]] std::vector<KeptRuns> finish() {
        if (kept_.empty()) kept_ = keep(results_, point_of(run_).options);
        return std::move(kept_);
    }

  private:
    void take(const UnitPlace& place, Observation observation) {
        const std::lock_guard lock(guard_);
        ahead_[place.policy].emplace(place.replication, std::move(observation));
        const auto has_next = [&](const auto& of) { return !of.empty() && of.begin()->first == rows_; };
        while (!suffices() && std::all_of(ahead_.begin(), ahead_.end(), has_next)) add_row();
    }
    void add_row() {
        for (std::size_t c = 0; c < row_.size(); ++c) {
            row_[c].observations.clear();
            row_[c].observations.push_back(std::move(ahead_[c].extract(rows_).mapped()));
        }
        ++rows_;
        if (stopping_) stopping_->add(row_, 0);
        const SummaryOptions& options = point_of(run_).options;
        if (options.cut_is_given() && kept_.empty())
            kept_ = keep(row_, options);
        else
            for (std::size_t c = 0; c < row_.size(); ++c) {
                Observation& observation = row_[c].observations.front();
                if (options.cut_is_given())
                    kept_[c].add(observation);
                else
                    results_[c].observations.push_back(std::move(observation));
            }
    }

    const PointRun& run_;
    std::mutex guard_;
    std::vector<PolicyResults> results_;  // of rows whose cut is to be found
    std::vector<KeptRuns> kept_;          // of rows whose cut is given
    std::vector<PolicyResults> row_;      // the last one
    std::vector<std::map<std::uint64_t, Observation>>
        ahead_;  // of runs that end before their row is complete, by policy
    std::optional<Stopping> stopping_;
    std::size_t asked_ = 0, rows_ = 0;
};

/// The unit of this place in the folder, when it is there and right.
std::optional<Unit> kept_unit(const PointRun& run, const Folder& folder, const UnitPlace& place) {
    const std::string name = unit_file(place);
    const auto text = folder.read(name);
    if (!text) return std::nullopt;
    try {
        Unit unit = parse_unit(*text, folder.path(name));
        const auto wrong = mismatch(unit, *run.study, place);
        if (!wrong) return unit;
        if (run.discarded) run.discarded(folder.path(name), *wrong);
    } catch (const InputError& error) {
        if (run.discarded) run.discarded(folder.path(name), error.expected());
    }
    return std::nullopt;
}

/// Makes those of replications from..to-1 of every policy that are the shard's and missing.
void fill(const PointRun& run, const Folder& folder, const Shard& shard, std::size_t before, std::size_t from,
          std::size_t to) {
    std::vector<UnitPlace> missing;
    const std::size_t policies = run.experiments.size();
    for (std::size_t r = from; r < to; ++r)
        for (std::size_t c = 0; c < policies; ++c)
            if (const UnitPlace place{run.point, c, r};
                shard.has(before + r * policies + c) && !kept_unit(run, folder, place))
                missing.push_back(place);
    run_units(run, missing, [&](std::size_t i, Observation observation) {
        folder.write(unit_file(missing[i]), to_text(unit_of(run, missing[i], std::move(observation))));
    });
}

/// The bytes of a unit: of the first folder that has it, the same in all.
std::optional<std::pair<std::string, std::string>> only_bytes(const std::vector<Folder>& folders,
                                                              const std::string& name) {
    std::optional<std::pair<std::string, std::string>> found;
    for (const Folder& folder : folders) {
        auto text = folder.read(name);
        if (!text) continue;
        if (!found)
            found.emplace(folder.path(name), *std::move(text));
        else if (found->second != *text)
            throw OracleConflict(fmt::format("{} and {} are of one unit and differ: two runs of one command disagree",
                                             found->first, folder.path(name)));
    }
    return found;
}

bool alike(const std::vector<simulation::Quantity>& a, const std::vector<simulation::Quantity>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
        return x.name == y.name && x.unit == y.unit && x.distributed == y.distributed && x.tick == y.tick &&
               x.expectation == y.expectation;
    });
}

/// How a unit differs in shape from those of the same policy before it: it would be of another build.
std::optional<std::string> other_shape(const Unit& unit, const PolicyResults& before) {
    if (before.observations.empty()) return std::nullopt;
    if (!alike(unit.quantities, before.quantities) || unit.time_unit != before.time_unit)
        return "it measures other quantities than the replications before it";
    if (unit.observation.batches.size() != before.observations.front().batches.size())
        return "it has another number of batches than the replications before it";
    return std::nullopt;
}

}  // namespace

std::vector<KeptRuns> run_point(const PointRun& run) {
    Rows rows(run);
    const StudyPoint& point = point_of(run);
    if (!point.precision)
        rows.extend(point.replications);
    else
        while (!rows.suffices() && rows.asked() < point.precision->most)
            rows.extend(next_target(*point.precision, rows.asked()));
    return rows.finish();
}

void run_point(const PointRun& run, const Folder& folder, const Shard& shard, std::size_t before) {
    const StudyPoint& point = point_of(run);
    if (!point.precision) {
        fill(run, folder, shard, before, 0, point.replications);
        return;
    }
    std::vector<PolicyResults> results = without_observations(run);
    Stopping stopping(point.options, *point.precision);
    for (std::size_t now = 0; now < point.precision->most && !stopping.look(results);) {
        const std::size_t target = next_target(*point.precision, now);
        fill(run, folder, shard, before, now, target);
        for (std::size_t c = 0; c < results.size(); ++c)
            for (std::size_t r = now; r < target; ++r) {
                auto unit = kept_unit(run, folder, {run.point, c, r});
                if (!unit)
                    throw InputError::in_file(folder.path(unit_file({run.point, c, r})),
                                              "expected this result to stay as it was written");
                results[c].observations.push_back(std::move(unit->observation));
            }
        now = target;
    }
}

Faults read_point(const Study& study, std::size_t point, const std::vector<Folder>& folders,
                  std::vector<PolicyResults>& results) {
    const StudyPoint& of = study.points[point];
    Faults faults;
    results.assign(of.policies.size(), {});
    const auto read = [&](const UnitPlace& place) {
        const std::string name = unit_file(place);
        const auto found = only_bytes(folders, name);
        if (!found) {
            const std::string command = base::command_line(unit_command(of, place));
            faults.missing.push_back(fmt::format("{}: schedproof {}", name, command));
            return;
        }
        try {
            Unit unit = parse_unit(found->second, found->first);
            if (const auto wrong = mismatch(unit, study, place)) throw InputError::in_file(found->first, *wrong);
            PolicyResults& policy = results[place.policy];
            if (const auto wrong = other_shape(unit, policy)) throw InputError::in_file(found->first, *wrong);
            policy.time_unit = std::move(unit.time_unit);
            policy.quantities = std::move(unit.quantities);
            policy.observations.push_back(std::move(unit.observation));
        } catch (const InputError& error) {
            faults.damaged.emplace_back(error.what());
        }
    };
    // With a precision the number follows from the results themselves, read portion by portion as they were made.
    auto stopping = of.precision ? std::optional<Stopping>(std::in_place, of.options, *of.precision) : std::nullopt;
    for (std::size_t now = 0; now < of.most() && faults.none();) {
        const std::size_t target = of.precision ? next_target(*of.precision, now) : of.replications;
        for (std::size_t r = now; r < target; ++r)
            for (std::size_t c = 0; c < of.policies.size(); ++c) read({point, c, r});
        now = target;
        if (!of.precision || !faults.none()) continue;
        if (const auto n = stopping->look(results)) {
            for (PolicyResults& policy : results) policy.observations.resize(*n);
            break;
        }
    }
    return faults;
}

}  // namespace schedproof::runs
