/// Runs of the redundancy family as experiments of a study.
///
/// A run ends with its jobs and is one batch, in which every job counts, those too that are done after the horizon. In
/// each replication every policy meets the same jobs. Lines of `--flowtimes` are written as runs end, in the order of
/// the runs, for they may be many.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <mutex>
#include <utility>

#include "experiments/command/core/output.hpp"
#include "experiments/command/core/policy_file.hpp"
#include "experiments/command/simulate/redundancy/setting.hpp"
#include "experiments/command/simulate/simulate.hpp"
#include "model/base/output_file.hpp"
#include "model/base/text.hpp"
#include "model/core/errors.hpp"
#include "policies/core/definition.hpp"

namespace schedproof::cli {

namespace {

/// The lines of `--flowtimes`. Runs end in any order; the file is there once all of them have.
class FlowtimeTable {
  public:
    FlowtimeTable(std::string path, std::uint64_t first, std::uint64_t replications, std::size_t policies)
        : path_(std::move(path)), first_(first), runs_(replications * policies), policies_(policies) {}

    void add(std::uint64_t replication, std::size_t policy, std::string lines) {
        const std::lock_guard lock(guard_);
        waiting_.emplace((replication - first_) * policies_ + policy, std::move(lines));
        if (!file_) file_.emplace(path_).stream() << "policy,replication,job,arrival,size,flowtime\n";
        for (; !waiting_.empty() && waiting_.begin()->first == written_; ++written_)
            file_->stream() << waiting_.extract(waiting_.begin()).mapped();
        if (written_ < runs_) return;
        file_->close();
        file_->commit();
    }

  private:
    std::string path_;
    std::uint64_t first_, runs_;
    std::size_t policies_;
    std::mutex guard_;
    std::optional<base::OutputFile> file_;
    std::map<std::uint64_t, std::string> waiting_;  // by run
    std::uint64_t written_ = 0;
};

class RunsOfJobs final : public simulation::Experiment {
  public:
    RunsOfJobs(std::shared_ptr<const RedundancySetting> setting, std::size_t contender,
               std::shared_ptr<FlowtimeTable> table)
        : setting_(std::move(setting)), contender_(contender), table_(std::move(table)) {
        // A power of two, so that whole times are borders of bins; of a slot, or of a mean size in continuous time.
        const double tick =
            setting_->in_slots() ? 1.0 / 8 : std::exp2(std::floor(std::log2(setting_->mean_size() / 512)));
        quantities_ = {{"flowtime", time_unit(), true, tick},
                       {fmt::format("done within {:g}", setting_->within()), "1"},
                       {"active jobs", "job"}};
    }

    [[nodiscard]] const std::vector<simulation::Quantity>& quantities() const override { return quantities_; }
    [[nodiscard]] std::string time_unit() const override { return setting_->in_slots() ? "slot" : "second"; }
    [[nodiscard]] std::string engine() const override {
        return setting_->in_slots() ? "slots: machine by machine" : "events: mean service";
    }
    [[nodiscard]] simulation::Observation run(const statistics::Replication& replication,
                                              const simulation::Done& done) const override {
        const redundancy::Jobs<Real> jobs = setting_->jobs(replication);
        if (jobs.empty())
            throw InputError::at_key("--horizon", "expected a horizon within which jobs arrive, in each replication");
        const Contender& contender = setting_->contenders()[contender_];
        const simulation::Run run = setting_->run(contender, jobs, replication, [&](std::size_t so_far) {
            if (done) done(static_cast<double>(so_far) / static_cast<double>(jobs.size()));
        });
        simulation::Batch batch{std::vector<simulation::Tally>(3), std::vector<statistics::Histogram>(3)};
        double end = 0;
        for (std::size_t j = 0; j < jobs.size(); ++j) {
            batch.tallies[0].add(run.flowtime[j]);
            // A flowtime on a border belongs below it.
            batch.histograms[0].add(static_cast<std::uint64_t>(std::ceil(run.flowtime[j] / quantities_[0].tick)));
            batch.tallies[1].add(run.flowtime[j] <= setting_->within() ? 1 : 0);
            end = std::max(end, jobs[j].arrival.value() + run.flowtime[j]);
        }
        batch.tallies[2].add(run.active);
        if (table_) table_->add(replication.number, contender_, lines_of(contender, replication.number, jobs, run));
        return {std::max(end, 1.0), {std::move(batch)}, run.events};
    }

  private:
    static std::string lines_of(const Contender& contender, std::uint64_t replication,
                                const redundancy::Jobs<Real>& jobs, const simulation::Run& run) {
        std::string lines;
        for (std::size_t j = 0; j < jobs.size(); ++j)
            lines += fmt::format("{},{},{},{},{},{}\n", contender.name, replication, j, jobs[j].arrival.value(),
                                 jobs[j].size.value(), run.flowtime[j]);
        return lines;
    }

    std::shared_ptr<const RedundancySetting> setting_;
    std::size_t contender_;
    std::shared_ptr<FlowtimeTable> table_;
    std::vector<simulation::Quantity> quantities_;
};

/// None unless it is asked for. Throws InputError that names the option.
std::shared_ptr<FlowtimeTable> table_of(const std::string& path, const SimulateRequest& request,
                                        const RedundancySetting& system) {
    if (path.empty()) return nullptr;
    if (!path.ends_with(".csv")) throw InputError::in_file(path, "--flowtimes", "expected a name that ends in .csv");
    if (!request.resume.empty() || !request.precision.empty())
        throw InputError::at_key("--flowtimes",
                                 "cannot be used with --resume or --precision: the runs write it, each once");
    require_writable({path});
    const std::uint64_t replications = request.replications.value_or(system.nothing_random().empty() ? 10 : 1);
    return std::make_shared<FlowtimeTable>(path, request.first, replications, system.contenders().size());
}

/// What may be said beside an instance file, which holds the jobs and the machines.
constexpr std::array<std::string_view, 7> beside_instance{"INSTANCE", "--policy", "--policy-file", "--beta",
                                                          "--speed",  "--format", "--output"};

class RedundancyRuns final : public FamilySimulation {
  public:
    [[nodiscard]] OptionTable options() override { return redundancy_options(options_); }
    [[nodiscard]] std::vector<std::pair<std::string, std::string>> meaningless() const override {
        const std::string why = "its runs end with their last job";
        return {{"--batches", why}, {"--warm-up", why}, {"--control", why}};
    }
    [[nodiscard]] std::optional<int> answer(const SimulateRequest& request) const override {
        if (options_.instance.empty()) return {};
        for (const std::string& option : request.given_names)
            if (std::find(beside_instance.begin(), beside_instance.end(), option) == beside_instance.end())
                throw InputError::at_key(option,
                                         fmt::format("cannot be used with {}: the file gives all jobs and machines, "
                                                     "and nothing is random",
                                                     base::display_name(options_.instance)));
        if (request.to.format == "csv")
            throw InputError::at_key("--format", "expected text or json with an instance of the family");
        return answer_schedules(options_, request.policies, request.to);
    }
    [[nodiscard]] Forms forms() const override { return schedule_forms(); }
    [[nodiscard]] SimulationSetting setting(const SimulateRequest& request) const override {
        if (!options_.instance.empty())
            throw InputError::at_key("INSTANCE", "cannot be used in a study: the schedules of an instance are exact");
        const auto system =
            std::make_shared<const RedundancySetting>(options_, request.policies, request.length.horizon);
        const auto table = table_of(options_.flowtimes, request, *system);
        SimulationSetting setting;
        setting.lines = {{"jobs", system->workload_line()}, {"machines", system->machines_line()}};
        setting.inputs = system->inputs();
        setting.varied = {"--beta"};
        setting.terminating = true;
        setting.nothing_random = system->nothing_random();
        for (std::size_t c = 0; c < system->contenders().size(); ++c) {
            const Contender& contender = system->contenders()[c];
            SimulatedPolicy policy{.label = contender.name,
                                   .words = policy_words(contender.policy),
                                   .experiment = std::make_unique<RunsOfJobs>(system, c, table),
                                   .definition = definition(contender.algorithm)};
            if (contender.beta) {
                policy.words.insert(policy.words.end(), {"--beta", contender.beta->to_string()});
                policy.parameter = contender.beta->approximate();
                policy.parameter_name = "beta";
            }
            setting.policies.push_back(std::move(policy));
        }
        return setting;
    }

  private:
    RedundancySimulation options_;
};

}  // namespace

std::shared_ptr<FamilySimulation> redundancy_simulation() { return std::make_shared<RedundancyRuns>(); }

}  // namespace schedproof::cli
