/// Queueing policies under `simulate`: the cluster, its load rho*, and an experiment per policy.
///
/// The cluster is that of an instance file or one with random replicas, whose task types are not listed. Of an instance
/// rho* is the exact value of the capacity program. Of a random cluster it has a closed form, arrivals over the sum of
/// the servers' best rates, alpha at servers with data and gamma elsewhere: all servers of a kind are alike, so a
/// balanced optimum exists. With more than two levels and servers without data no load is given. In slots the horizon
/// is rounded up to whole batches.
/// Source: [wang2013], Sections III-A and V; docs/models/queueing.md, Capacity region.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "experiments/command/core/exact_option.hpp"
#include "experiments/command/core/output.hpp"
#include "experiments/command/core/policy_file.hpp"
#include "experiments/command/core/system.hpp"
#include "experiments/command/simulate/queueing/request.hpp"
#include "experiments/simulators/slotted/settled_start.hpp"
#include "experiments/simulators/slotted/slotted_experiment.hpp"
#include "experiments/simulators/splitting/tail_experiment.hpp"
#include "model/base/nearest.hpp"
#include "model/base/numeral.hpp"
#include "model/base/sha256.hpp"
#include "model/base/split.hpp"
#include "model/base/text.hpp"
#include "model/core/errors.hpp"
#include "model/queueing/codec/codec.hpp"
#include "model/queueing/load.hpp"
#include "policies/queueing/registry.hpp"
#include "proofs/certifier/certificate_codec.hpp"
#include "proofs/queueing/capacity/plan.hpp"
#include "proofs/queueing/capacity/region.hpp"

namespace schedproof::cli {

namespace {

using queueing::Instance;
using simulation::SimulatedSystem;

Rational rational_option(const std::string& text, const char* option, const char* expected) {
    const auto value = Rational::parse(text);
    if (!value || value->sign() <= 0) throw InputError::at_key(option, fmt::format("expected {}", expected));
    return *value;
}

std::optional<queueing::Routing> routing_of(const std::string& text) {
    if (text.empty()) return {};
    return text == "batch" ? queueing::Routing::batch : queueing::Routing::sequential;
}

void choose_options(const QueueingSimulation& o, queueing::Options& options) {
    if (const auto routing = routing_of(o.routing)) options.routing = *routing;
    if (!o.counting.empty())
        options.counting = o.counting == "waiting" ? queueing::Counting::waiting : queueing::Counting::in_system;
}

/// Throws InputError where options name no cluster, or one's arrivals beside an instance.
void require_cluster(const QueueingSimulation& options) {
    if (!options.rate.empty() && !options.servers)
        throw InputError::at_key("--rate", "needs --servers; an instance has its own arrivals, which --rho scales");
    if (options.instance.empty() && !options.servers)
        throw InputError::at_key("INSTANCE", "expected an instance file, or --servers");
}

SimulatedSystem read_cluster(const QueueingSimulation& o, SimulationSetting& setting) {
    const std::string text = base::read_text(o.instance, base::max_json_bytes);
    Instance instance =
        queueing::parse_instance(text, base::detect_format(o.instance, text), base::display_name(o.instance));
    setting.inputs.push_back({base::display_name(o.instance), base::sha256(text)});
    queueing::InstanceData data = instance.data();
    choose_options(o, data.options);
    if (data.options != instance.options()) instance = Instance(std::move(data));
    if (!o.rho.empty())
        instance = capacity::at_load(instance, rational_option(o.rho, "--rho", "a load above 0"), "--rho");
    return {std::make_shared<const Instance>(std::move(instance))};
}

/// As many tasks come in a slot as `--rate` says; in continuous time it gives the gaps, where nothing else does.
std::variant<simulation::PoissonArrivals, simulation::FixedArrivals> arrivals_of(const QueueingSimulation& o) {
    const bool timed = !o.events.gaps.empty() || !o.events.trace.empty();
    if (timed && o.events.continuous()) {
        if (!o.rate.empty())
            throw InputError::at_key("--rate", "cannot be used with --gaps or --trace, which give every arrival time");
        return simulation::PoissonArrivals{Rational(1)};
    }
    if (o.rate.empty()) throw InputError::at_key("--rate", "expected the mean number of tasks in a slot");
    const Rational rate = rational_option(o.rate, "--rate", "a number above 0");
    if (o.arrivals == "poisson") return simulation::PoissonArrivals{rate};
    if (rate.denominator() != 1 || rate > Rational(1'000'000'000))
        throw InputError::at_key("--rate", "expected a whole number of tasks, at most 10^9, with --arrivals fixed");
    return simulation::FixedArrivals{rate.numerator().convert_to<std::uint64_t>()};
}

std::vector<Rational> service_rates(const QueueingSimulation& o) {
    const std::string text = !o.service_rates.empty() ? o.service_rates : o.rack_size > 0 ? "4/5,1/2,1/5" : "4/5,1/5";
    std::vector<Rational> rates;
    for (const std::string_view word : base::split(text, ','))
        rates.push_back(rational_option(std::string(word), "--service-rates", "rates above 0, separated by commas"));
    return rates;
}

SimulatedSystem make_cluster(const QueueingSimulation& o) {
    simulation::RandomCluster cluster;
    cluster.servers = *o.servers;
    cluster.data_servers = o.data_servers.value_or(cluster.servers);
    cluster.replicas = o.replicas;
    cluster.rack_size = o.rack_size;
    cluster.rates = service_rates(o);
    choose_options(o, cluster.options);
    return random_cluster(cluster, arrivals_of(o));
}

/// rho* of a cluster with random replicas. All servers with data are alike, and so are the others: with two levels a
/// balanced optimum serves locally whatever is served at servers with data; where all have data, it serves all locally.
std::optional<Rational> load_of(const SimulatedSystem& system) {
    const Instance& instance = *system.instance;
    if (!system.random) {
        const auto certificate = capacity::solve(instance);
        if (!certificate.exact()) return {};
        return certificate.load();
    }
    const auto with = static_cast<std::int64_t>(system.random->data_servers);
    const auto without = static_cast<std::int64_t>(instance.servers().size()) - with;
    if (instance.levels().size() != 2 && without > 0) return {};
    return system.arrival_rate() /
           (Rational(with) * instance.rate(instance.local()) + Rational(without) * instance.rate(instance.remote()));
}

void describe(const SimulatedSystem& system, SimulationSetting& setting) {
    const Instance& instance = *system.instance;
    setting.lines.emplace_back(
        "cluster", system.random
                       ? fmt::format("{} servers, {} of them with data; {} random replicas a task",
                                     instance.servers().size(), system.random->data_servers, system.random->replicas)
                       : fmt::format("{}: {} servers, {} task types", instance.name(), instance.servers().size(),
                                     instance.types().size()));
}

void describe_arrivals(const SimulatedSystem& system, const std::optional<Rational>& load, SimulationSetting& setting) {
    setting.lines.emplace_back("arrivals", fmt::format("{} tasks a slot", display(system.arrival_rate())));
    if (!load) return;
    setting.lines.emplace_back("load rho*", display(*load));
    if (*load >= Rational(1))
        setting.warnings.push_back(
            fmt::format("the load rho* is {}, not below 1: {}; `growth` estimates the drift", display(*load),
                        *load > Rational(1) ? "no policy is stable" : "on the boundary of the capacity region"));
}

/// Throws InputError where a pilot finds no level.
void require_level(const QueueingSimulation& o, const std::optional<Rational>& load) {
    if (o.events.continuous())
        throw InputError::at_key("--fill", "expected a number of tasks in continuous time: a pilot is one in slots");
    if (load && *load >= Rational(1))
        throw InputError::at_key("--fill", fmt::format("expected a number of tasks at the load {}: only a stationary "
                                                       "run has a level",
                                                       display(*load)));
}

/// Without a stationary law nothing is known of the mean of the drift.
bool records_drift(const QueueingSimulation& o, const std::optional<Rational>& load, SimulationSetting& setting) {
    if (o.variance == "plain") return false;
    if (load && *load >= Rational(1))
        throw InputError::at_key("--variance", fmt::format("expected plain at the load {}: only a stationary run has a "
                                                           "drift whose mean is known",
                                                           display(*load)));
    setting.lines.emplace_back("controls",
                               "drift of the number of tasks and of its square, mean 0 in a stationary run");
    return true;
}

/// The start of one policy, or of all.
void say_start(const std::string& id, const std::string& line, SimulationSetting& setting) {
    const auto known = std::find_if(setting.lines.begin(), setting.lines.end(),
                                    [](const auto& said) { return said.first == "start"; });
    if (known == setting.lines.end())
        setting.lines.emplace_back("start", line);
    else if (known->second != line)
        setting.lines.emplace_back("start, " + id, line);
}

simulation::StartState filled_start(const std::string& fill, const SimulatedSystem& system,
                                    const queueing::AnyPolicy& policy, const simulation::SlottedSettings& slotted,
                                    SimulationSetting& setting) {
    const bool pilot = fill == "auto";
    const auto tasks =
        pilot ? simulation::settled_level(system, policy, slotted) : base::parse_numeral<std::uint64_t>(fill);
    if (!tasks || *tasks < 1 || *tasks > simulation::most_tasks_at_start)
        throw InputError::at_key(
            "--fill", fmt::format("expected auto, or a number of tasks from 1 to {}", simulation::most_tasks_at_start));
    say_start(std::string(policy.info().id),
              fmt::format("{} tasks, queued by the policy{}", *tasks, pilot ? ": the level of a pilot" : ""), setting);
    return simulation::filled(system, policy, *tasks);
}

}  // namespace

simulation::StartState start_of(const QueueingSimulation& options, const SimulatedSystem& system,
                                const queueing::AnyPolicy& policy, const simulation::SlottedSettings& slotted,
                                SimulationSetting& setting) {
    if (!options.fill.empty()) return filled_start(options.fill, system, policy, slotted, setting);
    const StateRequest& words = options.start;
    if (words.queues.empty() && words.serving.empty() && words.counters.empty()) return nullptr;
    const std::string id(policy.info().id);
    try {
        const queueing::ExactSystem exact(*system.instance, policy, slotted.truncation);
        require_plain_names(exact);
        auto state = std::make_shared<const queueing::ExactState>(parse_state(exact, words));
        say_start(id, to_words(exact, *state).line(), setting);
        return state;
    } catch (const InputError& error) {
        throw InputError::at_key(error.place().key, fmt::format("{}, for a start under {}", error.expected(), id));
    }
}

void name_discipline(const SimulatedSystem& system, const queueing::AnyPolicy& policy, SimulationSetting& setting) {
    if (!simulation::takes_own_by_level(policy)) return;
    const bool fcfs = system.discipline == simulation::Discipline::fcfs;
    const std::pair<std::string, std::string> line{
        "discipline", fcfs ? "fcfs: a server with queues by level takes its oldest task"
                           : "local-first: a server with queues by level takes a task of the most local one"};
    if (std::find(setting.lines.begin(), setting.lines.end(), line) == setting.lines.end())
        setting.lines.push_back(line);
}

namespace {

/// Throws InputError that names the option, with the nearest event.
simulation::TailEvent read_tail(const std::string& text, const Instance& instance, const queueing::Layout& layout) {
    std::vector<std::string> measures{"tasks"};
    for (const QueueId q : IdRange<QueueId>(layout.queues())) measures.push_back("queue:" + layout.name(instance, q));
    for (std::size_t i = 0; i < measures.size(); ++i) {
        const std::string begin = "P(" + measures[i] + ">";
        if (!text.starts_with(begin) || !text.ends_with(")")) continue;
        const std::string_view number = std::string_view(text).substr(begin.size(), text.size() - begin.size() - 1);
        if (const auto above = base::parse_numeral<std::uint32_t>(number))
            return {i == 0 ? std::nullopt : std::optional(QueueId(i - 1)), *above, text};
    }
    for (std::string& measure : measures) measure = "P(" + measure + ">K)";
    std::vector<std::string_view> names(measures.begin(), measures.end());
    throw InputError::at_key("--tail", fmt::format("expected P(tasks>K) or P(queue:NAME>K) with a number K, not {}{}",
                                                   base::shown(text), base::did_you_mean(text, names)));
}

/// The policy with the tail alone, and a line that names the thresholds.
SimulatedPolicy tail_under(const queueing::AnyPolicy& policy, const SimulatedSystem& system,
                           const QueueingSimulation& o, const simulation::SlottedSettings& settings,
                           SimulationSetting& setting) {
    const std::string id(policy.info().id);
    if (system.discipline == simulation::Discipline::fcfs)
        throw InputError::at_key("--discipline",
                                 "expected local-first with --tail: paths are those of the exact kernel");
    if (system.view_age.sign() > 0)
        throw InputError::at_key("--view-age", "expected 0 with --tail: paths are those of the exact kernel");
    auto experiment = std::make_unique<const simulation::TailExperiment>(
        system.instance, policy, read_tail(o.tail, *system.instance, policy.layout(*system.instance)),
        simulation::TailSettings{
            settings.slots, settings.batches, settings.truncation, start_of(o, system, policy, settings, setting), {}});
    std::string thresholds;
    for (const simulation::Threshold& at : experiment->thresholds())
        thresholds += fmt::format("{}{} (x{})", thresholds.empty() ? "" : ", ", at.tasks, at.factor);
    setting.lines.emplace_back("splitting, " + id,
                               thresholds.empty() ? "none: the event is no rare one" : "at " + thresholds + " tasks");
    return {.label = id,
            .words = policy_words(id),
            .experiment = std::move(experiment),
            .definition = queueing::to_string(policy.rules())};
}

/// The time of the runs: that of the instance, or, where that has slots, also a continuous one.
/// Throws InputError against an instance whose time is continuous.
void settle_time(const Instance& instance, EventSimulation& events) {
    if (instance.continuous() && events.time == "slots")
        throw InputError::at_key("--time", "expected continuous, or none: time is continuous in the instance");
    if (instance.continuous()) events.time = "continuous";
}

/// Throws InputError that names an option of slots, for continuous time.
void require_no_slots(const QueueingSimulation& options) {
    if (options.counts_only || options.holding_cost || options.cap_total || options.cap_queue ||
        !options.routing.empty())
        throw InputError::at_key("--time",
                                 "expected slots with --counts-only, --holding-cost, --routing, --cap-total or "
                                 "--cap-queue");
    if (options.arrivals == "fixed")
        throw InputError::at_key("--arrivals",
                                 "expected slots with fixed arrivals; in continuous time, --gaps constant:T");
    if (options.variance != "plain")
        throw InputError::at_key("--variance", "expected plain in continuous time: the drift is that of a slot");
    if (!options.tail.empty()) throw InputError::at_key("--tail", "cannot be used in continuous time");
}

void settle_view(const QueueingSimulation& options, SimulatedSystem& system, SimulationSetting& setting) {
    system.view_age = option_number(options.view_age, "--view-age");
    if (system.view_age.sign() > 0)
        setting.lines.emplace_back("view", fmt::format("tasks see the queues of {} {} ago", system.view_age.to_string(),
                                                       options.events.continuous() ? "units of time" : "slots"));
}

SimulationSetting queueing_setting(QueueingSimulation options, const std::vector<std::string>& policies,
                                   const RunLength& length) {
    require_cluster(options);
    SimulationSetting setting;
    SimulatedSystem system = options.servers ? make_cluster(options) : read_cluster(options, setting);
    settle_time(*system.instance, options.events);
    if (options.discipline == "fcfs") system.discipline = simulation::Discipline::fcfs;
    describe(system, setting);
    settle_view(options, system, setting);
    const auto load = load_of(system);
    if (options.fill == "auto") require_level(options, load);
    if (options.events.continuous()) {
        require_no_slots(options);
        make_continuous(setting, system, options, policies, length, load);
        return setting;
    }
    if (options.events.given())
        throw InputError::at_key("--time", "expected continuous with --gaps, --task-sizes, --trace or --affinity");
    describe_arrivals(system, load, setting);

    simulation::SlottedSettings settings;
    const double horizon = std::ceil(length.horizon.value_or(10'000));
    if (!(horizon <= 4e9)) throw InputError::at_key("--horizon", "expected at most 4 * 10^9 slots");
    // A batch is a slot or more.
    settings.batches = std::min(length.batches, static_cast<std::uint64_t>(horizon));
    settings.slots = (static_cast<std::uint64_t>(horizon) + settings.batches - 1) / settings.batches * settings.batches;
    settings.delays = !options.counts_only;
    settings.costs = options.holding_cost;
    settings.drift = records_drift(options, load, setting);
    if (options.cap_total) settings.truncation = {queueing::Truncation::Rule::total, *options.cap_total};
    if (options.cap_queue) settings.truncation = {queueing::Truncation::Rule::queue, *options.cap_queue};
    if (!system.random && settings.truncation.rule == queueing::Truncation::Rule::none)
        setting.instance_digest = certify::digest_of(*system.instance);
    for (const std::string& policy : policies) {
        const std::string id = policy_id(policy);
        const queueing::AnyPolicy made = queueing::make_policy(id, *system.instance, capacity::fluid_plan);
        if (!options.tail.empty()) {
            setting.policies.push_back(tail_under(made, system, options, settings, setting));
            continue;
        }
        name_discipline(system, made, setting);
        settings.start = start_of(options, system, made, settings, setting);
        setting.policies.push_back({.label = id,
                                    .words = policy_words(id),
                                    .experiment = slotted_experiment(system, made, settings),
                                    .definition = queueing::to_string(made.rules())});
        warn_if_slow(*system.instance, made, *setting.policies.back().experiment, setting);
    }
    return setting;
}

class QueueingRuns final : public FamilySimulation {
  public:
    [[nodiscard]] OptionTable options() override { return queueing_options(options_); }
    /// A cluster.
    [[nodiscard]] bool needs_options() const override { return true; }
    [[nodiscard]] std::optional<int> answer(const SimulateRequest& request) const override {
        if (!options_.both_starts) return {};
        SimulationSetting unused;
        return answer_both_starts(read_cluster(options_, unused), request);
    }
    [[nodiscard]] Forms forms() const override { return both_starts_forms(); }
    [[nodiscard]] SimulationSetting setting(const SimulateRequest& request) const override {
        return queueing_setting(options_, request.policies, request.length);
    }

  private:
    QueueingSimulation options_;
};

}  // namespace

std::shared_ptr<FamilySimulation> queueing_simulation() { return std::make_shared<QueueingRuns>(); }

}  // namespace schedproof::cli
