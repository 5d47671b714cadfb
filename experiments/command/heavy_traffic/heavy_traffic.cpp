/// `heavy-traffic`: what is known about an instance near the boundary of its capacity region.
///
/// The universal lower bound on the workload from the line queue at this slack; the hypotheses of the papers' theorems,
/// each as a checked item; the ray to which the queues collapse; and, with a cap, exact means of the truncated chain
/// beside the bound.
///
/// Long: the fields of the answer stand in one list, a line or two for each, beside what they are made of.
#include "experiments/command/heavy_traffic/heavy_traffic.hpp"

#include <fmt/core.h>

#include "experiments/command/core/answer_fields.hpp"
#include "experiments/command/core/options.hpp"
#include "experiments/command/core/output.hpp"
#include "experiments/command/core/state_json.hpp"
#include "experiments/command/core/system.hpp"
#include "experiments/command/core/table.hpp"
#include "model/core/errors.hpp"
#include "model/queueing/codec/codec.hpp"
#include "policies/queueing/registry.hpp"
#include "proofs/queueing/capacity/region.hpp"
#include "proofs/queueing/chains/heavy_traffic_chain.hpp"
#include "proofs/queueing/duality/policy_data.hpp"
#include "proofs/queueing/heavy_traffic/collapse.hpp"
#include "proofs/queueing/heavy_traffic/line_queue.hpp"

namespace schedproof::cli {

namespace {

using namespace queueing;
using namespace heavy_traffic;

/// Exact values of one truncated chain.
struct ChainValues {
    std::string truncation;
    std::size_t states = 0;
    Rational tasks;
    LemmaOne lemma;
    std::vector<std::pair<std::string, Moments>> directions;
};

struct Report {
    std::unique_ptr<const Instance> instance;
    std::optional<LoadedSystem> loaded;  // with a policy; it then owns the instance
    heavy_traffic::Slack slack;
    std::optional<LineQueue> line;
    std::optional<Conditions> conditions;
    std::optional<Workload> workload;
    std::optional<CollapseRay> ray;
    std::optional<WorkloadRay> workloads;  // of Balanced-Pandas
    std::optional<ChainValues> chain;
    [[nodiscard]] const Instance& cluster() const { return loaded ? *loaded->instance : *instance; }
    [[nodiscard]] std::string queue(std::size_t q) const { return loaded->system.layout().name(cluster(), QueueId(q)); }
};

ChainValues chain_values(const Report& report, std::uint64_t max_states) {
    const ExactSystem& system = report.loaded->system;
    const Chain chain = system.chain({max_states, {}});
    const ChainAnalysis analysis = analyse(system, chain);
    ChainValues values{describe(chain.truncation, system.instance()),
                       chain.states.size(),
                       analysis.means.tasks,
                       lemma_one(system, chain, analysis.law, report.slack),
                       {}};
    if (values.lemma.residual().sign() != 0)
        throw OracleConflict("Lemma 1 does not balance: residual " + display(values.lemma.residual()));
    std::vector<Rational> direction;
    if (system.layout().arrangement() == Arrangement::per_server_and_common) {
        direction = wang_direction(system);
        values.directions.emplace_back("Wang's direction", moments(chain, analysis.law, direction));
    }
    if (report.ray && report.ray->direction != direction)
        values.directions.emplace_back("price ray", moments(chain, analysis.law, report.ray->direction));
    return values;
}

/// What a task more in a queue costs, by queue, but for a common factor; 1 where queues are not of types.
std::vector<Rational> costs_of(const queueing::DecisionClass& decisions, const Instance& instance) {
    std::vector<Rational> costs;
    if (decisions.serving == queueing::ServingRule::largest_marginal_cost)
        for (const TaskTypeId type : instance.types()) costs.push_back(instance.type(type).cost);
    return costs;
}

Report make_report(const HeavyTrafficRequest& request) {
    Report report;
    if (request.policy.empty()) {
        if (request.cap_total || request.cap_queue)
            throw InputError::at_key("--policy", "expected a policy, whose chain a cap would truncate");
        report.instance = std::make_unique<const Instance>(queueing::read_instance(request.instance));
    } else {
        report.loaded = load({request.instance, request.policy, request.cap_total, request.cap_queue});
    }
    const Instance& instance = report.cluster();
    queueing::require_slots(instance, "the analysis of heavy traffic");
    try {
        report.slack = slack(instance);
    } catch (const InputError& error) {
        throw error.within({request.instance, 0, ""});
    }
    report.conditions = conditions(instance, report.slack);
    if (report.slack.epsilon.sign() > 0 && instance.servers().size() <= max_line_servers)
        report.line = line_queue(instance, report.slack);
    const capacity::CapacityCertificate certificate = capacity::solve(instance);
    if (certificate.exact()) report.workload = heavy_traffic::workload(instance, certificate);
    if (report.loaded && report.workload) {
        const queueing::DecisionClass& decisions = report.loaded->system.decisions();
        const auto data = duality::max_weight_data(instance, decisions);
        if (data && report.loaded->system.layout().arrangement() == queueing::Arrangement::per_server_and_level)
            report.workloads = workload_ray(instance, *report.workload);
        else if (data)
            report.ray = collapse_ray(*data, *report.workload, costs_of(decisions, instance));
    }
    if (request.cap_total || request.cap_queue) report.chain = chain_values(report, request.max_states);
    return report;
}

std::vector<std::string> names(const Instance& instance, const std::vector<ServerId>& servers) {
    std::vector<std::string> list;
    for (const ServerId m : servers) list.push_back(instance.server(m).name);
    return list;
}

std::string to_text(const Instance& instance, const Conditions& c) {
    const auto list = [&](const std::vector<ServerId>& servers) {
        std::string words;
        for (std::size_t i = 0; i < servers.size() && i < 12; ++i)
            words += (i > 0 ? ", " : "") + instance.server(servers[i]).name;
        return words + (servers.size() > 12 ? ", ..." : "");
    };
    const HeavyLocalTraffic& twelve = c.local_traffic;
    std::string text = "conditions of Wang's heavy-traffic theorems\n";
    text += twelve.holds ? fmt::format("  (12) holds      every set of the {} local servers is sent its local rate\n",
                                       c.local.size())
                         : fmt::format("  (12) FAILS      servers {{{}}}: local tasks {} < {}\n",
                                       list(twelve.violating), display(twelve.arriving), display(twelve.required));
    text += c.remote.empty() ? "  Mr > 0 FAILS    every server is local to some type\n"
                             : fmt::format("  Mr > 0 holds    {} of {} servers are local to no type\n", c.remote.size(),
                                           instance.servers().size());
    text += fmt::format("  (20) {}      eps < min{{", c.small_slack.holds ? "holds" : "FAILS");
    for (std::size_t i = 0; i < c.small_slack.limits.size(); ++i)
        text += (i > 0 ? ", " : "") + c.small_slack.limits[i].to_string();
    return text + "}\n";
}

std::string ray_text(const Report& report) {
    std::string text = "of MaxWeight:";
    for (std::size_t q = 0; q < report.ray->direction.size(); ++q)
        if (report.ray->direction[q].sign() > 0)
            text += fmt::format(" Q[{}] = {}", report.queue(q), report.ray->direction[q].to_string());
    return text;
}

/// Queues whose place between two multiples of the workload the policy leaves to the past.
std::vector<std::string> loose_queues(const Report& report) {
    std::vector<std::string> names;
    for (std::size_t q = 0; q < report.ray->direction.size(); ++q)
        if (report.ray->is_loose(q)) names.push_back(report.queue(q));
    return names;
}

std::string loose_text(const Report& report) {
    std::string list;
    for (std::size_t q = 0; q < report.ray->direction.size(); ++q)
        if (report.ray->is_loose(q))
            list += fmt::format("{}Q[{}] from {} to {}", list.empty() ? "" : ", ", report.queue(q),
                                report.ray->least[q].to_string(), report.ray->direction[q].to_string());
    return list.empty() ? "" : list + ": neither joined nor served between, so that there is no collapse to the ray";
}

std::string workload_text(const Report& report) {
    const Instance& instance = report.cluster();
    std::string text = "  Z =";
    std::size_t shown = 0;
    for (const TaskTypeId t : instance.types())
        if (instance.arrival_rate(t).sign() > 0 && shown++ < 12)
            text += fmt::format("{}{} * type {}", shown > 1 ? " + " : " ",
                                report.workload->type_price[t.index()].to_string(), instance.type(t).name);
    return text + (shown > 12 ? " + ...\n" : "\n");
}

std::string conditions_text(const Report& report) {
    if (report.conditions) return to_text(report.cluster(), *report.conditions);
    return report.cluster().rates_by_type()
               ? "conditions (12), (20): stated for types without rates of their own only\n"
               : "conditions (12), (20): stated for two levels only\n";
}

Record<Report> conditions_record() {
    using R = Report;
    const Record<R> violating{
        field(
            "servers", [](const R& r) { return names(r.cluster(), r.conditions->local_traffic.violating); },
            "A set that misses the condition by most.")
            .items(1),
        field(
            "arriving", [](const R& r) { return r.conditions->local_traffic.arriving; }, "Local tasks to the set.")
            .unit("tasks a slot"),
        field(
            "required", [](const R& r) { return r.conditions->local_traffic.required; },
            "Size of the set times the local rate.")
            .unit("tasks a slot")};
    const Record<R> twelve{field(
                               "holds", [](const R& r) { return r.conditions->local_traffic.holds; },
                               "Verdict on (12), decided by a maximum flow."),
                           field(
                               "violating", [](const R& r) { return r.conditions->local_traffic.holds ? nullptr : &r; },
                               "Null when it holds.", violating)};
    const Record<R> small_slack{
        field(
            "holds", [](const R& r) { return r.conditions->small_slack.holds; }, "Verdict on (20)."),
        field(
            "limits",
            [](const R& r) {
                const auto& limits = r.conditions->small_slack.limits;
                return std::vector<Rational>(limits.begin(), limits.end());
            },
            "epsilon must be below each.")
            .items(4)};
    return Record<R>{
        field(
            "local_servers", [](const R& r) { return names(r.cluster(), r.conditions->local); },
            "Servers local to a type that arrives."),
        field(
            "remote_servers", [](const R& r) { return names(r.cluster(), r.conditions->remote); }, "The others."),
        field(
            "heavy_local_traffic", [](const R& r) -> const R& { return r; }, "Condition (12).", twelve),
        field(
            "some_remote", [](const R& r) { return !r.conditions->remote.empty(); }, "Mr > 0."),
        field(
            "small_slack", [](const R& r) -> const R& { return r; }, "Condition (20).", small_slack),
        field(
            "all_hold", [](const R& r) { return r.conditions->hold(); }, "All three.")};
}

Record<Report> workload_record() {
    using R = Report;
    return Record<R>{
        lines("prices_text", workload_text),
        field(
            "load", [](const R& r) { return r.workload->load; }, "rho*."),
        field(
            "prices",
            [](const R& r) {
                std::vector<std::pair<std::string, Rational>> prices;
                for (const TaskTypeId t : r.cluster().types())
                    prices.emplace_back(r.cluster().type(t).name, r.workload->type_price[t.index()]);
                return prices;
            },
            "Per type, the dearest 1.")
            .items(1)
            .hidden(),
        field(
            "slack", [](const R& r) { return r.workload->slack; },
            "Sum of the servers' prices less the value that arrives.")
            .unit("value a slot"),
        field(
            "unique", [](const R& r) { return r.workload->pooled; },
            "Complete resource pooling: the prices are the only ones.")
            .hidden(),
        words("prices",
              [](const R& r) {
                  return r.workload->pooled ? "unique (complete resource pooling)" : "not shown to be unique";
              }),
        field(
            "constant", [](const R& r) { return r.workload->constant(); },
            "Limit, at the least, of slack * E Z, by the formula at these rates.")
            .form("{}   slack * E Z is at least this in the limit, at these rates"),
        field(
            "arrival_variance", [](const R& r) { return r.workload->arrival_variance; }, "Of the value that arrives.")
            .hidden(),
        field(
            "service_variance", [](const R& r) { return r.workload->service_variance; },
            "Of the value that leaves, at the boundary.")
            .hidden()}
        .column(16);
}

Record<Report> collapse_record() {
    using R = Report;
    return Record<R>{words("  collapse ray", ray_text),
                     field(
                         "queue_names", [](const R& r) { return queue_names(r.cluster(), r.loaded->system.layout()); },
                         "Names of the queues.")
                         .items(1)
                         .hidden(),
                     field(
                         "direction", [](const R& r) { return r.ray->direction; },
                         "In the order of `queue_names`: lengths on the ray, the price of each queue over its cost.")
                         .items(1)
                         .hidden(),
                     field("loose_queues", loose_queues,
                           "Names of the queues that are neither joined nor served between a lower multiple of the "
                           "workload and their price. If there are some, the state does not collapse to the ray.")
                         .hidden(),
                     words("  loose", loose_text),
                     field(
                         "factor", [](const R& r) { return r.ray->factor; },
                         "sum Q on the ray over the least sum Q of the same workload. Null where a queue is loose.")
                         .or_null()
                         .label("  limit factor")
                         .form("{}   sum Q on the ray over the least sum Q of the same workload")
                         .none("none"),
                     field(
                         "tasks_constant",
                         [](const R& r) {
                             return r.ray->factor ? std::optional(*r.ray->factor * r.workload->constant())
                                                  : std::nullopt;
                         },
                         "Limit of slack * E sum Q on the ray, by the formula at these rates. Null where a queue is "
                         "loose.")
                         .or_null()
                         .label("  constant")
                         .form("{}   slack * E sum Q on the ray, at these rates")
                         .none("none")};
}

std::string workload_ray_text(const Report& report) {
    std::string text = "of workloads:";
    for (const ServerId m : report.cluster().servers())
        text += fmt::format(" W[{}] = {}", report.cluster().server(m).name,
                            report.workload->server_price[m.index()].to_string());
    return text;
}

Record<Report> workload_ray_record() {
    using R = Report;
    return Record<R>{words("  collapse ray", workload_ray_text),
                     field(
                         "direction", [](const R& r) { return r.workload->server_price; },
                         "The workload of each server on the ray, which is the price of its slot.")
                         .items(1)
                         .hidden(),
                     field(
                         "slowest", [](const R& r) { return r.workloads->slowest; },
                         "The least rate at which what a server does is worth its price.")
                         .items(1)
                         .hidden(),
                     field(
                         "factor", [](const R& r) { return r.workloads->factor; },
                         "sum Q near the ray over the least sum Q of the same workload, at least.")
                         .label("  limit factor")
                         .form("{} or more   sum Q near the ray over the least sum Q of the same workload")};
}

using NamedMoments = std::pair<std::string, Moments>;

Record<ChainValues> chain_record() {
    using C = ChainValues;
    const auto of = [](const char* name, Rational LemmaOne::*part, const char* meaning) {
        return field(name, part, meaning);
    };
    const Record<LemmaOne> lemma =
        Record<LemmaOne>{
            of("left", &LemmaOne::left, "2 eps E sum Q.").label("2 eps E sum Q"),
            of("spread", &LemmaOne::spread, "sigma^2 + nu^2 + eps^2."),
            of("turned_away", &LemmaOne::turned_away, "Of the truncation."),
            of("unused", &LemmaOne::unused, "Of the policy."),
            field("residual", &LemmaOne::residual,
                  "left - spread - turned_away - unused; another value would have ended the run with exit code 4.")
                .words({"0"})
                .hidden()}
            .column(14);
    const Record<NamedMoments> moments{
        field(
            "name", [](const NamedMoments& m) { return m.first; }, "Which direction."),
        field(
            "parallel", [](const NamedMoments& m) { return m.second.parallel; }, "E |Q_parallel|^2."),
        field(
            "perpendicular", [](const NamedMoments& m) { return m.second.perpendicular; }, "E |Q_perpendicular|^2.")};
    return Record<C>{field("truncation", &C::truncation, "Which arrivals are lost, in words.").hidden(),
                     field("states", &C::states, "Reachable states.").least(1).hidden(),
                     field("tasks", &C::tasks, "E sum Q of the truncated chain.").unit("tasks").label("E sum Q"),
                     field("lemma_1", &C::lemma, "Balance of the squared sum of the queues.", lemma)
                         .label("Lemma 1")
                         .below("2 eps E sum Q = spread + turned away + unused, residual exactly zero"),
                     field("second_moments", &C::directions, "Second moments along and across each direction.", moments)
                         .table("", "{name}\n    E |Q_par|^2   {parallel}\n    E |Q_perp|^2  {perpendicular}")}
        .column(16);
}

/// Long: a line or two for each field of the answer.
const Answer<Report>& heavy_traffic_answer() {
    using R = Report;
    const auto slack = [](const char* name, auto heavy_traffic::Slack::*part, const char* meaning) {
        return field(
            name, [part](const R& r) { return r.slack.*part; }, meaning);
    };
    const Record<LineQueue> line{
        field("lower", &LineQueue::lower, "At most E Phi, and so at most E sum Q.").unit("tasks"),
        field("upper", &LineQueue::upper, "At least E Phi.").unit("tasks"),
        field("cut_at", &LineQueue::cap, "Length of the finite chain that the bounds rest on.").least(1)};
    static const Answer<R> answer{
        "heavy-traffic",
        "How long queues must be near the boundary of the capacity region. Answer of `schedproof heavy-traffic "
        "--format "
        "json`.",
        Record<R>{
            instance_field([](const R& r) { return r.cluster().name(); }),
            field(
                "policy",
                [](const R& r) {
                    return r.loaded ? std::optional<std::string>(r.loaded->system.info().id) : std::nullopt;
                },
                "Id of the policy; null without one."),
            slack("offered", &heavy_traffic::Slack::offered,
                  "Sum over servers of the rate of their best level to a type that arrives.")
                .unit("tasks a slot")
                .label("offered service"),
            slack("arriving", &heavy_traffic::Slack::arriving, "All arrivals.").unit("tasks a slot").label("arrivals"),
            slack("epsilon", &heavy_traffic::Slack::epsilon, "offered - arriving.").unit("tasks a slot").label("eps"),
            slack("arrival_variance", &heavy_traffic::Slack::arrival_variance, "sigma^2, of the tasks of a slot.")
                .label("sigma^2")
                .form("{}   of the arrivals"),
            slack("service_variance", &heavy_traffic::Slack::service_variance, "nu^2, of the offered service.")
                .label("nu^2")
                .form("{}   of the offered service"),
            slack("lower_bound", &heavy_traffic::Slack::lower_bound,
                  "(14): E sum Q is at least this under every policy. Null unless epsilon > 0.")
                .unit("tasks")
                .label("bound (14)")
                .form("{}   tasks: E sum Q is at least this under every policy")
                .none("none: eps is not positive"),
            field("line_queue", &R::line,
                  "Proved interval of the mean of the queue on the line. Null unless epsilon > 0, or for many servers.",
                  line)
                .form("{lower} <= E Phi <= {upper}   tasks: a sharper bound, E sum Q >= E Phi"),
            field(
                "conditions", [](const R& r) { return r.conditions ? &r : nullptr; },
                "Assumptions of Wang's heavy-traffic theorems. Null unless there are two levels.", conditions_record())
                .hidden(),
            lines("conditions_text", conditions_text),
            field(
                "workload", [](const R& r) { return r.workload ? &r : nullptr; },
                "Workload direction, from the prices of the capacity program. Null without an exact load.",
                workload_record())
                .label("workload near the boundary (prices of the capacity program, the dearest task 1)"),
            field(
                "collapse", [](const R& r) { return r.ray ? &r : nullptr; },
                "Ray of a MaxWeight policy whose weights are queue lengths, or lengths times costs. Null for others.",
                collapse_record())
                .among(),
            field(
                "workload_collapse", [](const R& r) { return r.workloads ? &r : nullptr; },
                "Ray of Balanced-Pandas, whose weights are workloads. Null for others.", workload_ray_record())
                .among(),
            field("chain", &R::chain,
                  "Exact values of the truncated chain, which say nothing about stability. Null without a cap.",
                  chain_record())
                .label("truncated chain only")
                .below(" ({truncation}; {states} states)")}
            .column(18)};
    return answer;
}

}  // namespace

int run(const HeavyTrafficRequest& request) {
    if (!request.rho.empty() || !request.slacks.empty()) return draw_curve(request);
    require_writable({request.to.path});
    if (!request.to.json() && request.to.format != "text")
        throw InputError::at_key("--format", "expected text or json; tables and csv are of --rho and --slack");
    for (const auto& [given, option] :
         {std::pair(!request.picture.path.empty(), "--picture"), std::pair(request.slots.has_value(), "--slots"),
          std::pair(request.seed.has_value(), "--seed")})
        if (given) throw InputError::at_key(option, "expected --rho or --slack with it");
    const Report report = make_report(request);
    return write_answer(request.to, heavy_traffic_answer(), report);
}

namespace {

OptionTable options(HeavyTrafficRequest& r) {
    return joined(
        {{instance_argument(r.instance),
          {.names = "-p,--policy",
           .value = "POLICY",
           .target = &r.policy,
           .meaning =
               "policy whose collapse ray is computed as well and, with a cap, exact values of its truncated chain",
           .offers = ids_of<queueing::policies>}},
         cap_options(r.cap_total, r.cap_queue),
         {max_states_option(r.max_states),
          {.names = "--rho",
           .value = "LOADS",
           .target = &r.rho,
           .meaning = "draw eps E sum Q of the policy along these loads, as FROM:TO:STEP or a list: certified where a "
                      "box of --max-states suffices, else simulated",
           .needs = {"--policy"},
           .excludes = {"--cap-total", "--cap-queue"}},
          {.names = "--slack",
           .value = "SLACKS",
           .target = &r.slacks,
           .meaning = "the same along slacks of the family that the instance states, between bounds that are proved "
                      "for all its slacks at once",
           .needs = {"--policy"},
           .excludes = {"--cap-total", "--cap-queue", "--rho"}},
          {.names = "--seed",
           .value = "N",
           .target = &r.seed,
           .meaning = "seed of the random numbers along a curve (default: 1)"},
          {.names = "--slots",
           .target = &r.slots,
           .meaning = "slots of each of five simulated runs along a curve (default: 200000)",
           .range = Interval{200, 1'000'000'000}}},
         plot_options(r.picture, "the curve"),
         budget_options(r.budget),
         table_destination_options(r.to, true)});
}

}  // namespace

Subcommand heavy_traffic() {
    return make_subcommand<HeavyTrafficRequest>(
        "heavy-traffic", "how long queues must be near the boundary of the capacity region",
        "schedproof heavy-traffic experiments/instances/heavy-traffic-eps01.toml -p wang-jsq-maxweight --cap-total "
        "10\n  "
        "schedproof heavy-traffic experiments/instances/m2-half.toml -p jsq-maxweight --rho 1/4,1/2 --picture "
        "curve.svg\n  "
        "schedproof heavy-traffic experiments/instances/slack-one-type.toml -p wang-jsq-maxweight --slack 1/10,1/20 "
        "--slots 20000",
        options, forms_of({forms(heavy_traffic_answer), curve_forms()}));
}

}  // namespace schedproof::cli
