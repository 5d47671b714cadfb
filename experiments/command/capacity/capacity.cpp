/// `capacity`: the least load rho* of the busiest server over all ways to split the arrivals, with its certificate.
///
/// The linear program and its dual are solved to exact optimality (proofs/queueing/capacity/); all that is printed is
/// derived from decomposition and prices after these have been verified by multiplication: position, headroom, what is
/// lost to placement, the bottleneck as servers of equal price, and a growing function when no policy is stable.
#include <fmt/core.h>

#include <algorithm>

#include "checks/pictures/capacity_picture.hpp"
#include "experiments/command/core/json.hpp"
#include "experiments/command/core/options.hpp"
#include "experiments/command/core/output.hpp"
#include "experiments/command/core/picture_file.hpp"
#include "experiments/command/core/system.hpp"
#include "model/core/errors.hpp"
#include "model/queueing/codec/codec.hpp"
#include "proofs/certifier/queueing/load_certificate.hpp"
#include "proofs/queueing/capacity/activities.hpp"
#include "proofs/queueing/capacity/region.hpp"
#include "proofs/queueing/duality/policy_data.hpp"

namespace schedproof::cli {

struct CapacityRequest {
    std::string instance;
    std::string certificate;  ///< file to write the certificate to, or empty
    std::string verify;       ///< certificate file to check instead of solving, or empty
    std::string picture;      ///< .dot, .svg or .png to draw, or empty
    std::string policy;       ///< policy whose stability program to compare, or empty
    std::uint64_t rows = 10;  ///< longest table in text output
    Destination to;
};

namespace {

using namespace queueing;
using namespace capacity;

/// Everything the command says, derived from one verified certificate.
struct Report {
    const Instance& instance;
    const CapacityCertificate& certificate;
    Position where;
    PlacementLoss loss;
    std::optional<Activities> activities;  // of an exact certificate
    std::optional<InstabilityWitness> witness;
    std::optional<duality::StabilityCertificate> stability;
};

Report make_report(const Instance& instance, const CapacityCertificate& certificate, const std::string& policy) {
    Report report{instance,
                  certificate,
                  position(certificate),
                  placement_loss(instance, certificate),
                  std::nullopt,
                  instability(certificate),
                  std::nullopt};
    if (certificate.exact()) report.activities = basic_activities(instance, certificate);
    if (policy.empty()) return report;
    const auto data = duality::max_weight_data(instance, policy);
    if (!data)
        throw InputError::at_key("--policy",
                                 "expected a MaxWeight-type policy: wang-jsq-maxweight, jsq-maxweight, "
                                 "balanced-pandas, or generalized-cmu with quadratic costs");
    report.stability = duality::solve(*data);
    if (const std::string wrong = duality::rejection(*data, *report.stability); !wrong.empty())
        throw OracleConflict("the stability program's certificate does not verify: " + wrong);
    return report;
}

Json load_json(const CapacityCertificate& certificate) {
    if (certificate.exact()) return number(certificate.load());
    return {{"lower", number(certificate.lower)}, {"upper", number(certificate.upper)}};
}

Json to_json(const Report& report) {
    const Instance& instance = report.instance;
    Json classes = Json::array();
    for (const PriceClass& price : report.loss.classes) {
        Json servers = Json::array();
        for (const ServerId m : price.servers) servers.push_back(instance.server(m).name);
        classes.push_back({{"relative_price", number(price.relative_price)}, {"servers", servers}});
    }
    Json answer{{"instance", instance.name()},
                {"servers", instance.servers().size()},
                {"types", instance.types().size()},
                {"arrival_rate", number(instance.total_arrival_rate())},
                {"load", load_json(report.certificate)},
                {"exact", report.certificate.exact()},
                {"position", to_string(report.where)},
                {"scaling", number(report.loss.scaling)},
                {"balanced_load", number(report.loss.balanced)},
                {"lost_to_placement", number(report.loss.lost)},
                {"price_classes", classes}};
    if (report.activities) {
        Json basic = Json::array();
        for (const Assignment& a : report.activities->basic)
            basic.push_back({{"type", instance.type(a.type).name},
                             {"server", instance.server(a.server).name},
                             {"amount", number(a.amount)}});
        answer["activities"] = {{"basic", basic},
                                {"unique", report.activities->unique},
                                {"complete_resource_pooling", report.activities->complete_resource_pooling()}};
    }
    if (report.witness) {
        Json value = Json::object();
        for (const TaskTypeId t : instance.types())
            value[instance.type(t).name] = number(report.witness->value[t.index()]);
        answer["instability"] = {{"value_per_task", value}, {"drift", number(report.witness->drift)}};
    }
    if (report.stability)
        answer["stability_program"] = {
            {"value", number(report.stability->value)},
            {"equals_load",
             report.certificate.exact() ? Json(report.stability->value == report.certificate.load()) : Json(nullptr)}};
    return answer;
}

std::string percent(const Rational& share) { return fmt::format("{:.4g}%", 100 * share.approximate()); }

std::string position_text(const Report& report) {
    switch (report.where) {
        case Position::inside:
            return "inside the capacity region: some policy is stable";
        case Position::boundary:
            return "on the boundary of the capacity region";
        case Position::outside:
            return "outside the capacity region: no policy is stable";
        case Position::unknown:
            return "undecided: the certified interval contains 1";
    }
    throw ContractViolation("unknown position");
}

std::string bottleneck_text(const Report& report, std::size_t rows) {
    if (report.loss.classes.size() <= 1)
        return "bottleneck    the whole cluster: every server's time has the same price\n";
    std::string text = "bottleneck    price of a server's slot, relative to the cheapest\n";
    for (std::size_t i = 0; i < report.loss.classes.size() && i < rows; ++i) {
        const PriceClass& price = report.loss.classes[i];
        std::string names;
        for (std::size_t k = 0; k < price.servers.size() && k < rows; ++k)
            names += " " + report.instance.server(price.servers[k]).name;
        if (price.servers.size() > rows) names += fmt::format(" ... ({} servers)", price.servers.size());
        text += fmt::format("  {:<28}{}\n", display(price.relative_price), names);
    }
    if (report.loss.classes.size() > rows)
        text += fmt::format("  ... and {} more prices\n", report.loss.classes.size() - rows);
    return text;
}

std::string activity_text(const Report& report, std::size_t rows) {
    const Activities& activities = *report.activities;
    std::string text =
        fmt::format("optimum       {} basic activities, {}; {}\n", activities.basic.size(),
                    activities.unique ? "unique" : "one of several optima",
                    activities.complete_resource_pooling()
                        ? "complete resource pooling"
                        : fmt::format("no complete resource pooling: {} separate parts", activities.components));
    for (std::size_t i = 0; i < activities.basic.size() && i < rows; ++i) {
        const Assignment& a = activities.basic[i];
        text += fmt::format("  {} on {} ({})  {} tasks a slot\n", report.instance.type(a.type).name,
                            report.instance.server(a.server).name,
                            report.instance.data().levels[report.instance.level(a.type, a.server).index()].name,
                            display(a.amount));
    }
    if (activities.basic.size() > rows) text += fmt::format("  ... and {} more\n", activities.basic.size() - rows);
    return text;
}

std::string to_text(const Report& report, std::size_t rows) {
    const Instance& instance = report.instance;
    const CapacityCertificate& c = report.certificate;
    std::string text =
        fmt::format("instance      {}: {} servers, {} task types, {} tasks a slot\n", instance.name(),
                    instance.servers().size(), instance.types().size(), display(instance.total_arrival_rate()));
    text += c.exact() ? fmt::format("load rho*     {}\n", display(c.load()))
                      : fmt::format("load rho*     between {} and {}, width {:.3g}\n", display(c.lower),
                                    display(c.upper), c.width().approximate());
    text += fmt::format("              {}\n", position_text(report));
    if (report.loss.scaling)
        text +=
            fmt::format("headroom      arrivals {} by a factor of {}{}, to {} tasks a slot\n",
                        *report.loss.scaling < 1 ? "must shrink" : "may grow", c.exact() ? "" : "at least ",
                        display(*report.loss.scaling), display(*report.loss.scaling * instance.total_arrival_rate()));
    text += fmt::format(
        "placement     perfect balance would carry this at load {}; {}{} of the capacity is lost to placement\n",
        display(report.loss.balanced), c.exact() ? "" : "at most ", percent(report.loss.lost));
    text += bottleneck_text(report, rows);
    if (report.activities && c.load().sign() > 0) text += activity_text(report, rows);
    if (report.witness) {
        text += fmt::format(
            "unstable      under every policy: sum of value times tasks grows by {} a slot on average, with values\n",
            display(report.witness->drift));
        for (std::size_t t = 0; t < report.witness->value.size() && t < rows; ++t)
            text += fmt::format("  {}: {}\n", instance.type(TaskTypeId(t)).name, display(report.witness->value[t]));
    }
    if (report.stability) {
        const auto& value = report.stability->value;
        const bool equal = c.exact() && value == c.load();
        text += fmt::format("policy        stability program {}: {}\n", value ? display(*value) : "infinite",
                            !c.exact() ? "undecided whether that is rho*"
                            : equal ? "equal to rho*: for these proportions of arrivals the drift argument reaches the "
                                      "boundary of the region"
                                    : "not rho*: the drift argument does not reach the boundary of the region");
    }
    return text + "verified      decomposition and prices, by multiplication and comparison only\n";
}

}  // namespace

int run(const CapacityRequest& request) {
    if (!request.picture.empty()) check_picture_path(request.picture);
    require_writable({request.to.path, request.certificate, request.picture});
    const std::string policy = request.policy.empty() ? "" : policy_id(request.policy);
    const Instance instance = queueing::read_instance(request.instance);
    Progress progress("capacity");
    progress.report("solving", 0, 0);
    const CapacityCertificate certificate =
        request.verify.empty() ? capacity::solve(instance) : certify::read_load(request.verify, instance);
    if (const std::string rejection = capacity::rejection(instance, certificate); !rejection.empty()) {
        if (request.to.json())
            write_json_answer(request.to.path, "capacity-rejected",
                              {{"instance", instance.name()}, {"rejected", rejection}});
        else
            write_text(request.to.path, "rejected      " + rejection + "\n");
        return 1;
    }
    const Report report = make_report(instance, certificate, policy);
    if (!request.certificate.empty()) certify::write_load(request.certificate, instance, certificate);
    if (!request.picture.empty())
        write_dot_picture(graph::capacity_dot(instance, certificate,
                                              report.activities ? report.activities->basic : certificate.decomposition),
                          request.picture);
    if (request.to.json())
        write_json_answer(request.to.path, "capacity", to_json(report));
    else
        write_text(request.to.path, to_text(report, request.rows));
    return 0;
}

namespace {

OptionTable options(CapacityRequest& r) {
    return joined({{instance_argument(r.instance),
                    {.names = "--certificate",
                     .value = "FILE",
                     .target = &r.certificate,
                     .meaning = "write decomposition and prices to this file"},
                    {.names = "--verify",
                     .value = "FILE",
                     .target = &r.verify,
                     .meaning = "check this certificate by multiplication instead of solving"},
                    {.names = "--picture",
                     .value = "FILE",
                     .target = &r.picture,
                     .meaning = "draw the cluster and its optimal work split (.dot, .svg or .png)"},
                    {.names = "-p,--policy",
                     .value = "POLICY",
                     .target = &r.policy,
                     .meaning = "compare with the stability program of this MaxWeight-type policy",
                     .offers = policy_ids({"queueing"})},
                    {.names = "--rows",
                     .value = "N",
                     .target = &r.rows,
                     .meaning = "longest table in the text answer",
                     .show_default = true}},
                   destination_options(r.to)});
}

}  // namespace

Subcommand capacity() {
    return make_subcommand<CapacityRequest>(
        "capacity", "how much load a cluster can carry, with a certificate",
        "schedproof capacity experiments/instances/example-cluster.toml --picture cluster.svg", options);
}

}  // namespace schedproof::cli
