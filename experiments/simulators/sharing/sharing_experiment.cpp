/// The sharing simulator as an experiment: settings checked at once, quantities named, one run per replication.
///
/// The world is built once and shared by all replications, which read it only; trace and listing are read once. What a
/// run draws comes from streams named by seed and replication, so that replications are independent and can run in any
/// order and on any thread.
#include "experiments/simulators/sharing/sharing_experiment.hpp"

#include <fmt/core.h>

#include <cmath>
#include <utility>

#include "experiments/simulators/sharing/sharing_world.hpp"
#include "model/base/split.hpp"
#include "model/base/text.hpp"
#include "model/core/errors.hpp"
#include "policies/core/definition.hpp"

namespace schedproof::simulation {

namespace {

using sharing::Locality;

class SharingExperiment final : public Experiment {
  public:
    SharingExperiment(std::shared_ptr<const SharingWorld> world, std::string id, sharing::AnyPolicy policy)
        : world_(std::move(world)),
          id_(std::move(id)),
          policy_(std::move(policy)),
          quantities_(SharingRecorder::quantities(time_unit(), world_->tick)) {}

    [[nodiscard]] const std::vector<Quantity>& quantities() const override { return quantities_; }
    [[nodiscard]] std::string time_unit() const override { return world_->heartbeat == 0 ? "slot" : "second"; }
    [[nodiscard]] std::string engine() const override { return "events: jobs and tasks by node and rack"; }
    [[nodiscard]] Observation run(const statistics::Replication& replication, const Done& done) const override {
        try {
            return run_sharing(*world_, policy_, replication, done);
        } catch (const ContractViolation& broken) {
            if (!sharing::is_added(id_)) throw;
            throw OracleConflict(id_ + " is refused: it breaks a contract: " + broken.what());
        }
    }

  private:
    std::shared_ptr<const SharingWorld> world_;
    std::string id_;
    sharing::AnyPolicy policy_;
    std::vector<Quantity> quantities_;
};

/// Tasks of a trace, and the ticks from the first to the last submission.
std::pair<double, double> tasks_and_span(const std::vector<TracedJob>& jobs) {
    double tasks = 0;
    for (const TracedJob& job : jobs) tasks += static_cast<double>(job.tasks);
    return {tasks, static_cast<double>(jobs.back().submit)};
}

std::string words_of(const std::vector<TracedJob>& jobs, const SharingSettings& s, double tick) {
    const auto [tasks, span] = tasks_and_span(jobs);
    return fmt::format("{} of {} tasks within {:g} seconds, of {}", jobs.size(), tasks, span * tick, s.trace);
}

std::string words_of(const GeneratedJobs& jobs, const SharingSettings& s, double tick) {
    const double mean = jobs.sizes.mean().approximate();
    if (jobs.at_once) return fmt::format("{} at time 0, {} tasks a job, mean {:g}", *jobs.at_once, s.sizes, mean);
    return fmt::format("Poisson, {:g} tasks a {}, {} tasks a job, mean {:g}", jobs.rate * mean / tick,
                       s.heartbeat == "0" ? "slot" : "second", s.sizes, mean);
}

}  // namespace

std::vector<std::string> skip_counts(const std::string& skips) {
    if (skips.empty()) return {};
    const auto parts = base::split(skips, ',');
    std::vector<std::string> all(parts.begin(), parts.end());
    for (std::string& d : all) {
        if (d.empty()) throw InputError::at_key("--skips", "expected numbers between commas, not " + skips);
        const auto value = Rational::parse(d, 30);
        if (value && value->is_integer()) d = value->to_string();  // what else it is, `under` complains of
    }
    return all;
}

SharingSystem::SharingSystem(SharingSettings settings)
    : settings_(std::move(settings)),
      world_(std::make_shared<const SharingWorld>(detail::world_of(settings_, &inputs_))) {}

namespace {

sharing::AnyPolicy policy_of(SharingSettings settings, const std::string& policy, const std::string& skips) {
    settings.policy = policy;
    settings.skips = skips;
    return detail::policy_of(settings);
}

}  // namespace

std::unique_ptr<Experiment> SharingSystem::under(const std::string& policy, const std::string& skips) const {
    sharing::AnyPolicy made = policy_of(settings_, policy, skips);
    const auto routes = [](const auto& p) { return sharing::RoutingPolicy<std::decay_t<decltype(p)>>; };
    if (world_->network && std::visit(routes, made))
        throw InputError::at_key("--network", fmt::format("expected cost-functions with {}, whose tasks of the common "
                                                          "queue read no block of a node",
                                                          policy));
    return std::make_unique<SharingExperiment>(world_, policy, std::move(made));
}
std::string SharingSystem::definition(const std::string& policy, const std::string& skips) const {
    return schedproof::definition(policy_of(settings_, policy, skips));
}

std::vector<std::pair<std::string, std::string>> SharingSystem::lines() const {
    const sharing::Cluster& cluster = world_->cluster;
    const std::string jobs =
        std::visit([&](const auto& j) { return words_of(j, settings_, world_->tick); }, world_->jobs);
    const std::string racks = cluster.racks() == 1 ? "one rack" : fmt::format("{} racks", cluster.racks());
    std::vector<std::pair<std::string, std::string>> all{
        {"cluster", fmt::format("{} nodes of {} slots, {}", cluster.nodes(), cluster.slots, racks)},
        {"jobs", jobs},
        {"offers", world_->heartbeat == 0 ? std::string("every free slot in every slot of time")
                                          : fmt::format("heartbeats every {} seconds", settings_.heartbeat)}};
    if (const auto load = this->load())
        all.emplace(all.begin() + 2, "load", fmt::format("{:.3g} of the slots, were every task local", *load));
    if (!settings_.transfer.empty())
        all.emplace_back("network", world_->network ? "links shared as fluids, by SimGrid" : "cost functions");
    if (cluster.routing == sharing::Routing::batch || cluster.counting == sharing::Counting::waiting)
        all.emplace_back(
            "queues",
            fmt::format("where a policy has them, a task sees those {}; lengths count {}",
                        cluster.routing == sharing::Routing::batch ? "at the start of its slot"
                                                                   : "as the tasks before it have left them",
                        cluster.counting == sharing::Counting::waiting ? "waiting tasks" : "tasks in execution too"));
    if (world_->initial_loads) all.emplace_back("initial loads", "every slot busy at first: " + settings_.initial_load);
    if (world_->end)
        all.emplace_back("end", "at the horizon; delays are those of tasks and jobs that are done by then");
    return all;
}

std::optional<double> SharingSystem::load() const {
    const double local = world_->laws.times.mean() / static_cast<double>(world_->cluster.all_slots());
    const auto* generated = std::get_if<GeneratedJobs>(&world_->jobs);
    if (generated != nullptr && generated->at_once) return {};
    if (generated != nullptr) return generated->rate * generated->sizes.mean().approximate() * local;
    const auto [tasks, span] = tasks_and_span(std::get<std::vector<TracedJob>>(world_->jobs));
    return tasks * local / std::max(1.0, span);
}

std::vector<workload::Submission> SharingSystem::submissions() const {
    std::vector<workload::Submission> list;
    if (const auto* traced = std::get_if<std::vector<TracedJob>>(&world_->jobs))
        for (const TracedJob& job : *traced)
            list.push_back({static_cast<double>(job.submit) * world_->tick, static_cast<double>(job.tasks)});
    return list;
}

Rational SharingSystem::capacity() const {
    const double seconds = world_->laws.times.mean() * world_->tick;
    std::int64_t parts = 1'000'000;  // of a second, of which a task takes a million at least
    while (seconds * static_cast<double>(parts) < 1e6 && parts < 1'000'000'000'000'000) parts *= 1000;
    return Rational(Integer(world_->cluster.all_slots()) * parts,
                    Integer(std::max<std::int64_t>(1, std::llround(seconds * static_cast<double>(parts)))));
}

std::vector<std::string> SharingSystem::warnings() const {
    std::vector<std::string> all;
    if (world_->without_bytes > 0)
        all.push_back(fmt::format("{}: {} jobs without bytes are passed over", base::display_name(settings_.trace),
                                  world_->without_bytes));
    const double load = this->load().value_or(0);
    if (load >= 1 && (world_->end || std::get<std::vector<TracedJob>>(world_->jobs).size() >= 100))
        all.push_back(fmt::format("the jobs bring {:.3g} times what the slots can do, were every task local", load));
    return all;
}

std::unique_ptr<Experiment> make_sharing_experiment(const SharingSettings& settings) {
    return SharingSystem(settings).under(settings.policy, settings.skips);
}

}  // namespace schedproof::simulation
