/// From the settings of a user to the world of a simulation: every check of an option, every unit, every default.
///
/// A setting is a text, as it was given. It becomes an exact rational, is checked against its range with the option's
/// name in the error, and is converted to whole ticks; a time that is no multiple of the tick is an error, never
/// rounded. What an option may be depends on the others (slotted or heartbeats, a trace or a generator, a listing or
/// placement at random), so the world is built part by part: cluster and placement, run times, laws of jobs, the length
/// of the run.
///
/// The remote times that policies see (`Cluster::remote_time`) are computed from the same factors as the run times that
/// the simulator draws, so that a policy's estimate and the simulated time agree in the mean.
#include "experiments/simulators/sharing/sharing_world.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <utility>

#include "experiments/input/fsck/reader.hpp"
#include "model/base/nearest.hpp"
#include "model/base/split.hpp"
#include "model/base/text.hpp"
#include "model/core/errors.hpp"

namespace schedproof::simulation::detail {

namespace {

using sharing::Cluster;
using sharing::RackId;
using sharing::Ticks;

[[noreturn]] void expected(const char* option, const std::string& what) {
    throw InputError::at_key(option, "expected " + what);
}

/// An exact number within bounds.
Rational number(const char* option, const std::string& text, const Rational& least, const Rational& most) {
    const auto value = Rational::parse(text, 30);
    if (!value) throw InputError::at_key(option, value.error());
    if (*value < least || *value > most)
        expected(option, fmt::format("a number from {} to {}, not {}", least.to_string(), most.to_string(), text));
    return *value;
}

std::int64_t whole(const char* option, const std::string& text, std::int64_t most) {
    const Rational value = number(option, text, 0, most);
    if (!value.is_integer()) expected(option, "a whole number, not " + text);
    return value.numerator().convert_to<std::int64_t>();
}

template <class Choice>
Choice one_of(const char* option, const std::string& word, const std::vector<std::pair<std::string, Choice>>& choices) {
    std::vector<std::string> words;
    for (const auto& [name, choice] : choices) {
        if (name == word) return choice;
        words.push_back(name);
    }
    expected(option, fmt::format("{} or {}, not {}{}", words.front(), words.back(), base::shown(word),
                                 base::did_you_mean(word, words)));
}

Rational power_of_ten(unsigned digits) { return Rational(boost::multiprecision::pow(Integer(10), digits)); }

Factor factor_of(const Rational& value) {
    return {value.numerator().convert_to<std::int64_t>(), value.denominator().convert_to<std::int64_t>()};
}

/// What the parts of a plan have in common.
struct Scale {
    bool slotted;
    Rational tick;  // seconds or slots
    const char* unit() const { return slotted ? "slot" : "second"; }
    /// A time of at least `least` ticks, not rounded.
    [[nodiscard]] Rational ticks(const char* option, const std::string& text, const Rational& least) const {
        Rational value = number(option, text, 0, power_of_ten(9)) / tick;
        if (value < least)
            expected(option, fmt::format("at least {} {}, not {}", (least * tick).to_string(), unit(), text));
        return value;
    }
    [[nodiscard]] Ticks whole_ticks(const char* option, const std::string& text, const Rational& least) const {
        const Rational value = ticks(option, text, least);
        if (!value.is_integer())
            expected(option, fmt::format("a multiple of the tick {}, not {}", tick.to_string(), text));
        return value.numerator().convert_to<Ticks>();
    }
};

Scale scale_of(const SharingSettings& s) {
    const bool slotted = number("--heartbeat", s.heartbeat, 0, power_of_ten(6)).sign() == 0;
    if (slotted && !s.tick.empty()) expected("--tick", "heartbeats above 0 with a tick; slotted, a tick is a slot");
    if (slotted) return {true, 1};
    return {false, number("--tick", s.tick.empty() ? "1/1000" : s.tick, Rational(1) / power_of_ten(9), 3600)};
}

/// The cluster and where data is placed.
std::pair<Cluster, Placements> listed(const SharingSettings& s, std::vector<input::InputFile>& inputs) {
    if (s.racks) expected("--racks", "none beside --placement, whose listing names them");
    if (s.data_nodes) expected("--data-nodes", "none beside --placement");
    input::HashedInput in(s.placement);
    const input::Listing listing = input::read_fsck(in.stream(), base::display_name(s.placement));
    inputs.push_back(in.file());
    if (s.nodes && *s.nodes != listing.servers.size())
        expected("--nodes",
                 fmt::format("the {} servers of {}, or none, not {}", listing.servers.size(), s.placement, *s.nodes));
    Cluster cluster;
    std::map<std::string, std::size_t> racks;
    for (const input::ListedServer& server : listing.servers)
        cluster.rack.emplace_back(racks.emplace(server.rack, racks.size()).first->second);
    try {
        return {cluster, Placements(listing)};
    } catch (const InputError& error) {
        throw error.within({s.placement, 0, ""});
    }
}

std::pair<Cluster, Placements> made(const SharingSettings& s) {
    const std::uint64_t nodes = s.nodes.value_or(100), racks = s.racks.value_or(1);
    if (nodes < 1 || nodes > 10'000'000) expected("--nodes", fmt::format("1 to 10000000, not {}", nodes));
    if (racks < 1 || racks > nodes) expected("--racks", fmt::format("1 to the {} nodes, not {}", nodes, racks));
    const std::uint64_t with_data = s.data_nodes.value_or(nodes);
    if (with_data < 1 || with_data > nodes)
        expected("--data-nodes", fmt::format("1 to the {} nodes, not {}", nodes, with_data));
    if (s.replicas < 1 || s.replicas > with_data || s.replicas > 100)
        expected("--block-replicas",
                 fmt::format("1 to the {} nodes with data, and at most 100, not {}", with_data, s.replicas));
    Cluster cluster;
    for (std::uint64_t n = 0; n < nodes; ++n) cluster.rack.emplace_back(n * racks / nodes);
    return {cluster, Placements(s.replicas, with_data)};
}

/// A law that a text names.
TimeLaw named_law(const char* option, const std::string& text, const char* forms, const Scale& scale) {
    const std::string kind = text.substr(0, text.find(':'));
    const auto fail = [&] { expected(option, fmt::format("{}, not {}", forms, base::shown(text))); };
    if (kind.size() == text.size()) fail();
    const std::vector<std::string_view> words = base::split(std::string_view(text).substr(kind.size() + 1), ',');
    if (words.size() != (kind == "uniform" ? 2U : 1U)) fail();
    const auto time = [&](std::size_t i) { return scale.ticks(option, std::string(words[i]), 0).approximate(); };
    if (time(words.size() - 1) <= 0) expected(option, "a time above 0");
    if (kind == "constant") return ConstantTime{time(0)};
    if (kind == "exponential") return ExponentialTime{time(0)};
    if (kind == "blocks") return BlockTime{time(0)};
    if (kind != "uniform") fail();
    if (time(0) >= time(1)) expected(option, "uniform:FROM,TO with FROM below TO");
    return UniformTime{time(0), time(1)};
}

TimeLaw law_of(const SharingSettings& s, const Scale& scale, const std::vector<Rational>& rates) {
    const std::string text = !s.run_time.empty() ? s.run_time
                             : !s.rates.empty()  ? "geometric"
                             : scale.slotted     ? "constant:1"
                                                 : "constant:30";
    if (text == "geometric") {
        if (!scale.slotted) expected("--run-time", "geometric times in slots only: --heartbeat 0");
        return GeometricByLevel{{GeometricTimes(rates[0]), GeometricTimes(rates[1]), GeometricTimes(rates[2])}};
    }
    if (!s.rates.empty()) expected("--rates", "none with a run time that is not geometric");
    return named_law("--run-time", text, "constant:T, exponential:MEAN, uniform:FROM,TO, blocks:T or geometric", scale);
}

std::optional<RunTimes> initial_loads_of(const SharingSettings& s, const Scale& scale) {
    if (s.initial_load.empty()) return {};
    const TimeLaw law =
        named_law("--initial-load", s.initial_load, "constant:T, exponential:MEAN or uniform:FROM,TO", scale);
    if (std::holds_alternative<BlockTime>(law)) expected("--initial-load", "a law of times, not of blocks");
    return RunTimes(law, {}, {});
}

/// Rates by level: those of the geometric law, else what factors make of 1.
std::vector<Rational> rates_of(const SharingSettings& s, const Rational& rack, const Rational& remote) {
    if (s.rates.empty() && s.run_time != "geometric") return {1, Rational(1) / rack, Rational(1) / remote};
    std::vector<Rational> rates;
    for (const std::string_view word : base::split(s.rates.empty() ? std::string_view("4/5,1/5") : s.rates, ','))
        rates.push_back(number("--rates", std::string(word), Rational(1) / power_of_ten(4), 1));
    if (rates.size() == 2) rates.insert(rates.begin() + 1, rates[1]);
    if (rates.size() != 3 || rates[0] < rates[1] || rates[1] < rates[2])
        expected("--rates", "ALPHA,GAMMA or ALPHA,BETA,GAMMA, falling, not " + s.rates);
    return rates;
}

/// Remote tasks that share the link of their node: r of them read their blocks in r times the time of one.
RunTimes times_with_transfer(const SharingSettings& s, const Scale& scale, const Rational& rack, Cluster& cluster) {
    if (!s.contention.empty()) expected("--contention", "none beside --transfer");
    if (!s.remote_factor.empty()) expected("--remote-factor", "none beside --transfer");
    if (rack != Rational(1)) expected("--rack-factor", "1 beside --transfer, not " + rack.to_string());
    if (!s.rates.empty() || s.run_time == "geometric") expected("--transfer", "none with geometric times");
    const Ticks transfer = scale.whole_ticks("--transfer", s.transfer, 1);
    RunTimes times(law_of(s, scale, {}), {Factor{}, Factor{}, Factor{}}, {}, transfer);
    const auto mean = static_cast<Ticks>(std::max(1.0, times.mean()));
    const std::vector<Rational> rates{1, 1, Rational(Integer(mean), Integer(mean) + transfer)};
    const Integer common = common_denominator(rates);
    for (std::size_t l = 0; l < sharing::localities; ++l)
        cluster.rate[l] = (rates[l] * Rational(common)).numerator().convert_to<std::int64_t>();
    cluster.remote_time.clear();
    for (std::uint64_t r = 1; r <= cluster.slots; ++r)
        cluster.remote_time.push_back(mean + transfer * static_cast<Ticks>(r));
    return times;
}

/// Run times, and what the policies are told of them.
RunTimes times_of(const SharingSettings& s, const Scale& scale, Cluster& cluster) {
    const Rational million = power_of_ten(6);
    const Rational rack = number("--rack-factor", s.rack_factor.empty() ? "1" : s.rack_factor, 1, million);
    if (!s.transfer.empty()) return times_with_transfer(s, scale, rack, cluster);
    if (!s.contention.empty() && !s.remote_factor.empty()) expected("--remote-factor", "none beside --contention");
    std::vector<Rational> factors{
        number("--remote-factor", s.remote_factor.empty() ? "2" : s.remote_factor, 1, million)};
    std::vector<Factor> contended;
    if (!s.contention.empty()) {
        const Rational theta = number("--contention", s.contention, 0, 1000);
        factors.clear();
        for (std::uint64_t r = 1; r <= cluster.slots; ++r) {
            factors.push_back(Rational(1) + theta * Rational(r));
            contended.push_back(factor_of(factors.back()));
        }
    }
    if (rack > factors.front())
        expected("--rack-factor",
                 fmt::format("at most the {} of a remote task, not {}", factors.front().to_string(), rack.to_string()));
    const std::vector<Rational> rates = rates_of(s, rack, factors.front());
    const Integer common = common_denominator(rates);
    for (std::size_t l = 0; l < sharing::localities; ++l) {
        const Integer scaled = (rates[l] * Rational(common)).numerator();
        if (scaled > (Integer(1) << 24)) expected("--rates", "rates, or factors, of smaller common denominator");
        cluster.rate[l] = scaled.convert_to<std::int64_t>();
    }
    const TimeLaw law = law_of(s, scale, rates);
    const bool geometric = std::holds_alternative<GeometricByLevel>(law);
    if (geometric && !(s.contention.empty() && s.remote_factor.empty() && s.rack_factor.empty()))
        expected("--rates", "rates alone with geometric times, no factors");
    RunTimes times(law, {Factor{}, factor_of(rack), factor_of(factors.front())}, contended);
    cluster.remote_time.clear();
    if (geometric) factors = {Rational(1) / rates[2]};
    const auto mean = geometric ? Ticks{1} : static_cast<Ticks>(std::max(1.0, times.mean()));
    for (const Rational& f : factors) cluster.remote_time.push_back(factor_of(f).of(mean));
    return times;
}

/// None where cost functions say what remote tasks take.
std::shared_ptr<const FluidNetwork> network_of(const SharingSettings& s, const Scale& scale, const Cluster& cluster) {
    const bool fluid = one_of<bool>("--network", s.network, {{"cost-functions", false}, {"fluid", true}});
    if (!fluid) return {};
    if (s.transfer.empty()) expected("--transfer", "the time in which a block is read, with --network fluid");
    const auto program = links_program();
    if (!program)
        throw InputError::at_key("--network",
                                 "expected cost-functions: fluid needs the program schedproof-links beside this one, "
                                 "which is built where SimGrid is (Debian package libsimgrid-dev)");
    return std::make_shared<const FluidNetwork>(*program, cluster.nodes(),
                                                scale.whole_ticks("--transfer", s.transfer, 1));
}

JobLaws laws_of(const SharingSettings& s, Placements placements, RunTimes times) {
    JobLaws laws{std::move(placements), std::move(times)};
    const std::vector<std::string_view> weights = base::split(s.priorities, ',');
    if (weights.size() != sharing::priorities) expected("--priorities", "five weights, not " + s.priorities);
    std::uint64_t sum = 0;
    for (std::size_t p = 0; p < weights.size(); ++p)
        sum += laws.priority_weights[p] =
            static_cast<std::uint64_t>(whole("--priorities", std::string(weights[p]), 1'000'000));
    if (sum == 0) expected("--priorities", "a weight above 0");
    if (s.probes < 1 || s.probes > 1000) expected("--probes", fmt::format("1 to 1000, not {}", s.probes));
    laws.probes = s.probes;
    return laws;
}

/// How long the slots are about busy on so many tasks if all are remote, and one more each. Unit: tick.
Ticks busy_on_remote_tasks(double tasks, const Cluster& cluster) {
    const auto slots = static_cast<double>(cluster.all_slots());
    const double busy = (tasks + slots) / slots * static_cast<double>(cluster.remote_time.back());
    constexpr Ticks most = latest_tick / 2;
    if (!(busy < static_cast<double>(most)))
        throw LimitExceeded("time", "the slots would be busy for more than 2^61 ticks");
    return static_cast<Ticks>(busy);
}

/// The jobs of a trace; returns the length of their run.
Ticks add_traced_jobs(const SharingSettings& s, const Scale& scale, std::vector<input::InputFile>& inputs,
                      SharingWorld& world) {
    if (s.at_once) expected("--at-once", "none beside --trace");
    if (!s.load.empty()) expected("--load", "none beside --trace");
    if (!s.horizon.empty())
        expected("--horizon", "none beside --trace, which runs to its end; --until leaves out later jobs");
    const double ticks = (Rational(1) / scale.tick).approximate();
    input::HashedInput in(s.trace);
    TracedJobs traced = read_traced_jobs(in.stream(), base::display_name(s.trace), ticks);
    std::vector<TracedJob>& jobs = traced.jobs;
    inputs.insert(inputs.begin(), in.file());
    if (s.until)
        std::erase_if(jobs, [&](const TracedJob& job) { return static_cast<double>(job.submit) > *s.until * ticks; });
    if (jobs.empty()) expected("--until", "a time up to which jobs arrive");
    double tasks = 0;
    for (const TracedJob& job : jobs) tasks += static_cast<double>(job.tasks);
    const Ticks span = jobs.back().submit + busy_on_remote_tasks(tasks, world.cluster);
    world.jobs = std::move(jobs);
    world.without_bytes = traced.without_bytes;
    return span;
}

/// Jobs, and the length of the run, which lasts longer than jobs come.
void add_jobs(const SharingSettings& s, const Scale& scale, std::vector<input::InputFile>& inputs,
              SharingWorld& world) {
    if (s.batches < 1 || s.batches > 1'000'000) expected("--batches", fmt::format("1 to 1000000, not {}", s.batches));
    Ticks span = 0;
    if (!s.trace.empty()) {
        span = add_traced_jobs(s, scale, inputs, world);
    } else if (s.at_once) {
        for (const auto& [option, text] : {std::pair("--load", s.load), std::pair("--horizon", s.horizon)})
            if (!text.empty()) expected(option, "none beside --at-once: a run ends when every job is done");
        if (*s.at_once < 1 || *s.at_once > 10'000'000)
            expected("--at-once", fmt::format("1 to 10000000, not {}", *s.at_once));
        const JobSizes sizes(s.sizes);
        const double tasks = static_cast<double>(*s.at_once) * sizes.mean().approximate();
        span = busy_on_remote_tasks(tasks, world.cluster);
        world.jobs = GeneratedJobs{0, sizes, *s.at_once};
    } else {
        span = scale.whole_ticks("--horizon", s.horizon.empty() ? "10000" : s.horizon, 1);
        world.end = span;
        const JobSizes sizes(s.sizes);
        const Rational load =
            number("--load", s.load.empty() ? "1" : s.load, Rational(1) / power_of_ten(6), power_of_ten(9));
        world.jobs = GeneratedJobs{(load * scale.tick / sizes.mean()).approximate(), sizes};
    }
    const auto batches = static_cast<Ticks>(s.batches);
    world.cut.length = std::max(Ticks{1}, span / batches + (span % batches != 0));
    world.cut.batches = static_cast<std::size_t>(span / world.cut.length + (span % world.cut.length != 0));
}

}  // namespace

sharing::AnyPolicy policy_of(const SharingSettings& s) {
    const Scale scale = scale_of(s);
    constexpr std::int64_t most = 1'000'000'000;
    sharing::Parameters parameters = sharing::usual_parameters(s.policy);
    if (!s.skips.empty()) parameters.d = parameters.d1 = whole("--skips", s.skips, most);
    if (s.rack_skips == "inf")
        parameters.d2.reset();
    else if (!s.rack_skips.empty())
        parameters.d2 = whole("--rack-skips", s.rack_skips, most);
    if (!s.wait.empty()) parameters.w = scale.whole_ticks("--wait", s.wait, 0);
    if (!s.job_order.empty())
        parameters.order = one_of<sharing::Order>("--job-order", s.job_order,
                                                  {{"fifo", sharing::Order::fifo}, {"fair", sharing::Order::fair}});
    return sharing::make_policy(s.policy, parameters);
}

SharingWorld world_of(const SharingSettings& s, std::vector<input::InputFile>* inputs) {
    std::vector<input::InputFile> read;
    const Scale scale = scale_of(s);
    if (s.slots < 1 || s.slots > 10'000) expected("--slots", fmt::format("1 to 10000, not {}", s.slots));
    auto [cluster, placements] = s.placement.empty() ? made(s) : listed(s, read);
    cluster.slots = s.slots;
    if (cluster.all_slots() > 100'000'000) expected("--slots", "at most 100 million slots in all");
    RunTimes times = times_of(s, scale, cluster);
    SharingWorld world{std::move(cluster),
                       laws_of(s, std::move(placements), std::move(times)),
                       std::vector<TracedJob>(),
                       0,
                       OfferOrder::index,
                       {},
                       scale.tick.approximate(),
                       {},
                       {}};
    world.heartbeat = scale.slotted ? 0 : scale.whole_ticks("--heartbeat", s.heartbeat, 1);
    world.order =
        one_of<OfferOrder>("--order", s.order, {{"index", OfferOrder::index}, {"random", OfferOrder::random}});
    world.initial_loads = initial_loads_of(s, scale);
    world.wait_from =
        one_of<WaitFrom>("--wait-from", s.wait_from, {{"free", WaitFrom::free}, {"launch", WaitFrom::launch}});
    world.cluster.routing = one_of<sharing::Routing>(
        "--routing", s.routing, {{"sequential", sharing::Routing::sequential}, {"batch", sharing::Routing::batch}});
    world.cluster.counting = one_of<sharing::Counting>(
        "--counting", s.counting,
        {{"in-system", sharing::Counting::in_system}, {"waiting", sharing::Counting::waiting}});
    world.network = network_of(s, scale, world.cluster);
    if (s.small < 1 || s.medium < s.small || s.medium > 10'000'000)
        expected("--medium", "1 <= small <= medium <= 10000000 tasks");
    world.classes = {static_cast<std::uint32_t>(s.small), static_cast<std::uint32_t>(s.medium)};
    add_jobs(s, scale, read, world);
    if (inputs != nullptr) inputs->insert(inputs->end(), read.begin(), read.end());
    return world;
}

}  // namespace schedproof::simulation::detail
