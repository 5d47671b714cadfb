/// `heavy-traffic`: what is known about an instance near the boundary of its capacity region.
///
/// The universal lower bound on the workload from the line queue at this slack; the hypotheses of the papers' theorems,
/// each as a checked item; the ray to which the queues collapse; and, with a cap, exact means of the truncated chain
/// beside the bound.
#include <fmt/core.h>

#include "checks/queueing/heavy_traffic_chain.hpp"
#include "experiments/command/core/json.hpp"
#include "experiments/command/core/options.hpp"
#include "experiments/command/core/output.hpp"
#include "experiments/command/core/state_json.hpp"
#include "experiments/command/core/system.hpp"
#include "model/core/errors.hpp"
#include "model/queueing/codec/codec.hpp"
#include "proofs/queueing/capacity/region.hpp"
#include "proofs/queueing/duality/policy_data.hpp"
#include "proofs/queueing/heavy_traffic/collapse.hpp"
#include "proofs/queueing/heavy_traffic/line_queue.hpp"

namespace schedproof::cli {

struct HeavyTrafficRequest {
    std::string instance;
    std::string policy;  ///< or empty: the instance alone
    std::optional<std::uint32_t> cap_total;
    std::optional<std::uint32_t> cap_queue;
    std::uint64_t max_states = queueing::default_max_states;
    Destination to;
};

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
    Slack slack;
    std::optional<LineQueue> line;
    std::optional<Conditions> conditions;
    std::optional<Workload> workload;
    std::optional<CollapseRay> ray;
    std::optional<ChainValues> chain;
    [[nodiscard]] const Instance& cluster() const { return loaded ? *loaded->instance : *instance; }
    [[nodiscard]] std::string queue(std::size_t q) const { return loaded->system.layout().name(cluster(), QueueId(q)); }
};

ChainValues chain_values(const Report& report, std::uint64_t max_states) {
    const ExactSystem& system = report.loaded->system;
    const Chain chain = system.chain({max_states, {}});
    const ChainAnalysis analysis = analyse(system, chain);
    ChainValues values{describe(chain.truncation),
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
    try {
        report.slack = slack(instance);
    } catch (const InputError& error) {
        throw error.within({request.instance, 0, ""});
    }
    report.conditions = conditions(instance, report.slack);
    if (report.slack.epsilon.sign() > 0 && instance.servers().size() <= max_line_servers)
        report.line = line_queue(instance, report.slack);
    const capacity::CapacityCertificate certificate = capacity::solve(instance);
    if (certificate.exact()) report.workload = workload(instance, certificate);
    if (report.loaded && report.workload) {
        const queueing::DecisionClass& decisions = report.loaded->system.decisions();
        const auto data = duality::max_weight_data(instance, decisions);
        // The weights of the others are not queue lengths.
        if (data && (decisions.serving == queueing::ServingRule::largest_weight ||
                     decisions.serving == queueing::ServingRule::largest_of_own_and_common))
            report.ray = collapse_ray(*data, *report.workload);
    }
    if (request.cap_total || request.cap_queue) report.chain = chain_values(report, request.max_states);
    return report;
}

Json names(const Instance& instance, const std::vector<ServerId>& servers) {
    Json list = Json::array();
    for (const ServerId m : servers) list.push_back(instance.server(m).name);
    return list;
}

Json to_json(const Instance& instance, const Conditions& c) {
    Json limits = Json::array();
    for (const Rational& limit : c.small_slack.limits) limits.push_back(number(limit));
    Json twelve{{"holds", c.local_traffic.holds}, {"violating", nullptr}};
    if (!c.local_traffic.holds)
        twelve["violating"] = {{"servers", names(instance, c.local_traffic.violating)},
                               {"arriving", number(c.local_traffic.arriving)},
                               {"required", number(c.local_traffic.required)}};
    return {{"local_servers", names(instance, c.local)},
            {"remote_servers", names(instance, c.remote)},
            {"heavy_local_traffic", twelve},
            {"some_remote", !c.remote.empty()},
            {"small_slack", {{"holds", c.small_slack.holds}, {"limits", limits}}},
            {"all_hold", c.hold()}};
}

Json to_json(const Instance& instance, const Workload& w) {
    Json prices = Json::object();
    for (const TaskTypeId t : instance.types()) prices[instance.type(t).name] = number(w.type_price[t.index()]);
    return {{"load", number(w.load)},
            {"prices", prices},
            {"slack", number(w.slack)},
            {"unique", w.pooled},
            {"constant", number(w.constant())},
            {"arrival_variance", number(w.arrival_variance)},
            {"service_variance", number(w.service_variance)}};
}

Json to_json(const ChainValues& chain) {
    Json directions = Json::array();
    for (const auto& [name, m] : chain.directions)
        directions.push_back(
            {{"name", name}, {"parallel", number(m.parallel)}, {"perpendicular", number(m.perpendicular)}});
    return {{"truncation", chain.truncation},
            {"states", chain.states},
            {"tasks", number(chain.tasks)},
            {"lemma_1",
             {{"left", number(chain.lemma.left)},
              {"spread", number(chain.lemma.spread)},
              {"turned_away", number(chain.lemma.turned_away)},
              {"unused", number(chain.lemma.unused)},
              {"residual", number(chain.lemma.residual())}}},
            {"second_moments", directions}};
}

Json to_json(const Report& report) {
    const Instance& instance = report.cluster();
    Json json{{"instance", instance.name()},
              {"policy", report.loaded ? Json(report.loaded->system.info().id) : Json(nullptr)},
              {"offered", number(report.slack.offered)},
              {"arriving", number(report.slack.arriving)},
              {"epsilon", number(report.slack.epsilon)},
              {"arrival_variance", number(report.slack.arrival_variance)},
              {"service_variance", number(report.slack.service_variance)},
              {"lower_bound", number(report.slack.lower_bound)}};
    json["line_queue"] = nullptr;
    if (report.line)
        json["line_queue"] = {
            {"lower", number(report.line->lower)}, {"upper", number(report.line->upper)}, {"cut_at", report.line->cap}};
    json["conditions"] = report.conditions ? to_json(instance, *report.conditions) : Json(nullptr);
    json["workload"] = report.workload ? to_json(instance, *report.workload) : Json(nullptr);
    json["collapse"] = nullptr;
    if (report.ray) {
        Json direction = Json::array();
        for (const Rational& price : report.ray->direction) direction.push_back(number(price));
        json["collapse"] = {{"queue_names", queue_names(instance, report.loaded->system.layout())},
                            {"direction", direction},
                            {"factor", number(report.ray->factor)},
                            {"tasks_constant", number(report.ray->tasks_constant)}};
    }
    json["chain"] = report.chain ? to_json(*report.chain) : Json(nullptr);
    return json;
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

std::string to_text(const Report& report, const CollapseRay& ray) {
    std::string text = "  collapse ray    of MaxWeight:";
    for (std::size_t q = 0; q < ray.direction.size(); ++q)
        if (ray.direction[q].sign() > 0)
            text += fmt::format(" Q[{}] = {}", report.queue(q), ray.direction[q].to_string());
    return text + fmt::format(
                      "\n  limit factor    {}   sum Q on the ray over the least sum Q of the same workload\n"
                      "  constant        {}   slack * E sum Q on the ray, at these rates\n",
                      display(ray.factor), display(ray.tasks_constant));
}

std::string to_text(const Instance& instance, const Workload& w) {
    std::string text = "workload near the boundary (prices of the capacity program, the dearest task 1)\n  Z =";
    std::size_t shown = 0;
    for (const TaskTypeId t : instance.types())
        if (instance.arrival_rate(t).sign() > 0 && shown++ < 12)
            text += fmt::format("{}{} * type {}", shown > 1 ? " + " : " ", w.type_price[t.index()].to_string(),
                                instance.type(t).name);
    text += shown > 12 ? " + ...\n" : "\n";
    text +=
        fmt::format("  load            {}\n  slack           {}   value a slot\n", display(w.load), display(w.slack));
    text += fmt::format("  prices          {}\n",
                        w.pooled ? "unique (complete resource pooling)" : "not shown to be unique");
    return text + fmt::format("  constant        {}   slack * E Z is at least this in the limit, at these rates\n",
                              display(w.constant()));
}

std::string to_text(const ChainValues& chain) {
    std::string text = fmt::format(
        "truncated chain only ({}; {} states)\n  E sum Q         {}   tasks\n  Lemma 1         2 eps E sum Q = spread "
        "+ turned away + unused, residual exactly zero\n    2 eps E sum Q {}\n    spread        {}\n    turned away   "
        "{}\n    unused        {}\n",
        chain.truncation, chain.states, display(chain.tasks), display(chain.lemma.left), display(chain.lemma.spread),
        display(chain.lemma.turned_away), display(chain.lemma.unused));
    for (const auto& [name, m] : chain.directions)
        text += fmt::format("  {}\n    E |Q_par|^2   {}\n    E |Q_perp|^2  {}\n", name, display(m.parallel),
                            display(m.perpendicular));
    return text;
}

std::string to_text(const Report& report) {
    const Slack& s = report.slack;
    std::string text = fmt::format("instance          {}\n", report.cluster().name());
    if (report.loaded) text += fmt::format("policy            {}\n", report.loaded->system.info().id);
    text += fmt::format("offered service   {}   tasks a slot\narrivals          {}   tasks a slot\n",
                        display(s.offered), display(s.arriving));
    text += fmt::format(
        "eps               {}\nsigma^2           {}   of the arrivals\nnu^2              {}   of the "
        "offered service\n",
        display(s.epsilon), display(s.arrival_variance), display(s.service_variance));
    if (s.lower_bound)
        text += fmt::format("bound (14)        {}   tasks: E sum Q is at least this under every policy\n",
                            display(*s.lower_bound));
    else
        text += "bound (14)        none: eps is not positive\n";
    if (report.line)
        text += fmt::format("line queue        {} <= E Phi <= {}   tasks: a sharper bound, E sum Q >= E Phi\n",
                            display(report.line->lower), display(report.line->upper));
    text += report.conditions ? to_text(report.cluster(), *report.conditions)
            : report.cluster().rates_by_type()
                ? "conditions (12), (20): stated for types without rates of their own only\n"
                : "conditions (12), (20): stated for two levels only\n";
    if (report.workload) text += to_text(report.cluster(), *report.workload);
    if (report.ray) text += to_text(report, *report.ray);
    if (report.chain) text += to_text(*report.chain);
    return text;
}

}  // namespace

int run(const HeavyTrafficRequest& request) {
    require_writable({request.to.path});
    const Report report = make_report(request);
    if (request.to.json())
        write_json_answer(request.to.path, "heavy-traffic", to_json(report));
    else
        write_text(request.to.path, to_text(report));
    return 0;
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
           .offers = policy_ids({"queueing"})}},
         cap_options(r.cap_total, r.cap_queue),
         {max_states_option(r.max_states)},
         destination_options(r.to)});
}

}  // namespace

Subcommand heavy_traffic() {
    return make_subcommand<HeavyTrafficRequest>(
        "heavy-traffic", "how long queues must be near the boundary of the capacity region",
        "schedproof heavy-traffic experiments/instances/heavy-traffic-eps01.toml -p wang-jsq-maxweight --cap-total 10",
        options);
}

}  // namespace schedproof::cli
