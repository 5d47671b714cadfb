/// `capacity`: the least load rho* of the busiest server over all ways to split the arrivals, with its certificate.
///
/// The linear program and its dual are solved to exact optimality (proofs/queueing/capacity/); all that is printed is
/// derived from decomposition and prices after these have been verified by multiplication: position, headroom, what is
/// lost to placement, the bottleneck as servers of equal price, and a growing function when no policy is stable.
///
/// Long: the fields of the answer stand in one list, a line or two for each, beside what they are made of.
#include <fmt/core.h>

#include <algorithm>

#include "checks/pictures/capacity_picture.hpp"
#include "experiments/command/capacity/load_file.hpp"
#include "experiments/command/core/answer_fields.hpp"
#include "experiments/command/core/options.hpp"
#include "experiments/command/core/output.hpp"
#include "experiments/command/core/picture_file.hpp"
#include "experiments/command/core/state_json.hpp"
#include "experiments/command/core/system.hpp"
#include "model/core/errors.hpp"
#include "model/queueing/codec/codec.hpp"
#include "policies/queueing/registry.hpp"
#include "proofs/certifier/queueing/load_certificate.hpp"
#include "proofs/queueing/capacity/activities.hpp"
#include "proofs/queueing/capacity/along_slack.hpp"
#include "proofs/queueing/capacity/region.hpp"
#include "proofs/queueing/duality/policy_data.hpp"
#include "proofs/queueing/theorems/about.hpp"

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
struct CapacityReport {
    const Instance& instance;
    const CapacityCertificate& certificate;
    Position where;
    PlacementLoss loss;
    std::optional<Activities> activities;  // of an exact certificate
    std::optional<InstabilityWitness> witness;
    std::optional<duality::StabilityCertificate> stability;
    std::vector<LoadPiece> along_slack;  // of an instance with a family of loads
    std::size_t rows;                    ///< longest table in text
};

CapacityReport make_report(const Instance& instance, const CapacityCertificate& certificate, const std::string& policy,
                           std::size_t rows) {
    CapacityReport report{instance,
                          certificate,
                          position(certificate),
                          placement_loss(instance, certificate),
                          std::nullopt,
                          instability(certificate),
                          std::nullopt,
                          {},
                          rows};
    if (instance.data().slack) report.along_slack = load_along_slack(instance);
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

std::string percent(const Rational& share) { return fmt::format("{:.4g}%", 100 * share.approximate()); }

std::string position_text(const CapacityReport& report) {
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

std::string bottleneck_text(const CapacityReport& report, std::size_t rows) {
    if (report.loss.classes.size() <= 1)
        return "bottleneck    the whole cluster: every server's time has the same price\n";
    std::string text = fmt::format("bottleneck    price of a server's {}, relative to the cheapest\n",
                                   report.instance.continuous() ? "time" : "slot");
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

std::string activity_text(const CapacityReport& report, std::size_t rows) {
    const Activities& activities = *report.activities;
    std::string text =
        fmt::format("optimum       {} basic activities, {}; {}\n", activities.basic.size(),
                    activities.unique ? "unique" : "one of several optima",
                    activities.complete_resource_pooling()
                        ? "complete resource pooling"
                        : fmt::format("no complete resource pooling: {} separate parts", activities.parts));
    for (std::size_t i = 0; i < activities.basic.size() && i < rows; ++i) {
        const Assignment& a = activities.basic[i];
        text += fmt::format("  {} on {} ({})  {} tasks {}\n", report.instance.type(a.type).name,
                            report.instance.server(a.server).name,
                            report.instance.data().levels[report.instance.level(a.type, a.server).index()].name,
                            display(a.amount), per_time(report.instance));
    }
    if (activities.basic.size() > rows) text += fmt::format("  ... and {} more\n", activities.basic.size() - rows);
    return text;
}

std::string unstable_text(const CapacityReport& report, std::size_t rows) {
    std::string text = fmt::format(
        "unstable      under every policy: sum of value times tasks grows by {} {} on average, with values\n",
        display(report.witness->drift), per_time(report.instance));
    for (std::size_t t = 0; t < report.witness->value.size() && t < rows; ++t)
        text += fmt::format("  {}: {}\n", report.instance.type(TaskTypeId(t)).name, display(report.witness->value[t]));
    if (report.witness->value.size() > rows)
        text += fmt::format("  ... and {} more types\n", report.witness->value.size() - rows);
    return text;
}

std::string headroom_text(const CapacityReport& report) {
    const bool exact = report.certificate.exact();
    const Rational& scaling = *report.loss.scaling;
    return fmt::format("arrivals {} by a factor of {}{}, to {} tasks {}", scaling < 1 ? "must shrink" : "may grow",
                       exact ? "" : "at least ", display(scaling),
                       display(scaling * report.instance.total_arrival_rate()), per_time(report.instance));
}

/// A piece of the load along the slack, with the instance that has the names of its types.
struct PieceOf {
    const Instance& instance;
    const LoadPiece& piece;

    /// Prices of a task by type, the dearest type's 1.
    [[nodiscard]] std::vector<std::pair<std::string, Rational>> prices() const {
        const Rational dearest = *std::max_element(piece.type_price.begin(), piece.type_price.end());
        std::vector<std::pair<std::string, Rational>> list;
        for (const TaskTypeId t : instance.types())
            list.emplace_back(instance.type(t).name, piece.type_price[t.index()] / dearest);
        return list;
    }
};

std::vector<PieceOf> pieces(const CapacityReport& report) {
    std::vector<PieceOf> list;
    for (const LoadPiece& piece : report.along_slack) list.push_back({report.instance, piece});
    return list;
}

Record<PieceOf> piece_record() {
    using P = PieceOf;
    return Record<P>{
        field(
            "from", [](const P& p) { return p.piece.from; }, "Least slack.")
            .least(0)
            .unit("none"),
        field(
            "to", [](const P& p) { return p.piece.to; }, "Largest slack.")
            .least(0)
            .unit("none"),
        field(
            "load_from", [](const P& p) { return p.piece.at_from; }, "rho* at the least slack.")
            .unit("fraction of a server's time"),
        field(
            "load_to", [](const P& p) { return p.piece.at_to; },
            "rho* at the largest slack; between the two it is linear.")
            .unit("fraction of a server's time"),
        field("price_per_task", &P::prices, "Price of a task by type, the dearest type's 1.").items(1).unit("none")};
}

/// Each piece a line: where, rho* as a function of the slack, and the prices that prove it.
std::string along_slack_text(const CapacityReport& report) {
    std::string text = "along slack   rho* as a function of the slack eps, with the prices of tasks that prove it\n";
    for (const PieceOf& one : pieces(report)) {
        const LoadPiece& piece = one.piece;
        const Rational rise = (piece.at_to - piece.at_from) / (piece.to - piece.from);
        const Rational at_zero = piece.at_from - rise * piece.from;
        const Rational size = rise.sign() < 0 ? -rise : rise;
        std::string load = at_zero.to_string();
        if (rise.sign() != 0)
            load += fmt::format(" {} {}eps", rise.sign() < 0 ? "-" : "+",
                                size == Rational(1) ? "" : size.to_string() + " ");
        std::string prices;
        const auto list = one.prices();
        for (std::size_t t = 0; t < list.size() && t < report.rows; ++t)
            prices += fmt::format("{}{} {}", t > 0 ? ", " : "", list[t].first, list[t].second.to_string());
        if (list.size() > report.rows) prices += fmt::format(" and {} more types", list.size() - report.rows);
        text += fmt::format("  {} to {}: {}; {}\n", piece.from.to_string(), piece.to.to_string(), load, prices);
    }
    return text;
}

struct LoadInterval {
    Rational lower, upper;
};

Record<LoadInterval> load_record() {
    return Record<LoadInterval>{field("lower", &LoadInterval::lower, "The load is at least this."),
                                field("upper", &LoadInterval::upper, "And at most this."),
                                aside("width", [](const LoadInterval& i) { return i.upper - i.lower; })};
}

/// A price, or an activity, with the instance that has the names.
struct PriceOf {
    const Instance& instance;
    const PriceClass& price;

    [[nodiscard]] std::vector<std::string> servers() const {
        std::vector<std::string> names;
        for (const ServerId m : price.servers) names.push_back(instance.server(m).name);
        return names;
    }
};
struct ActivityOf {
    const Instance& instance;
    const Assignment& assignment;
};

std::vector<ActivityOf> basic(const CapacityReport& report) {
    std::vector<ActivityOf> list;
    for (const Assignment& a : report.activities->basic) list.push_back({report.instance, a});
    return list;
}

Record<CapacityReport> activities_record() {
    using A = ActivityOf;
    const Record<A> activity{
        field(
            "type", [](const A& a) { return a.instance.type(a.assignment.type).name; }, "Name of the task type."),
        field(
            "server", [](const A& a) { return a.instance.server(a.assignment.server).name; }, "Name of the server."),
        field(
            "amount", [](const A& a) { return a.assignment.amount; }, "How much of the work.")
            .unit("tasks a slot, or per unit of time")};
    return Record<CapacityReport>{
        field("basic", basic, "The activities.", activity),
        field(
            "unique", [](const CapacityReport& r) { return r.activities->unique; },
            "Whether no other split is optimal."),
        field(
            "complete_resource_pooling",
            [](const CapacityReport& r) { return r.activities->complete_resource_pooling(); },
            "Whether the activities of all optimal splits connect all servers, so that the prices are unique.")};
}

Record<CapacityReport> instability_record() {
    return Record<CapacityReport>{field(
                                      "value_per_task",
                                      [](const CapacityReport& r) {
                                          std::vector<std::pair<std::string, Rational>> values;
                                          for (const TaskTypeId t : r.instance.types())
                                              values.emplace_back(r.instance.type(t).name, r.witness->value[t.index()]);
                                          return values;
                                      },
                                      "Value of a task of each type, by name.")
                                      .items(1)
                                      .unit("one server's slot, all servers together weighing 1"),
                                  field(
                                      "drift", [](const CapacityReport& r) { return r.witness->drift; },
                                      "Least mean growth of the sum of value times tasks, under every policy.")
                                      .unit("value a slot")};
}

Record<CapacityReport> stability_record() {
    return Record<CapacityReport>{
        field(
            "value", [](const CapacityReport& r) { return r.stability->value; },
            "Value of the program; null when it is infinite.")
            .unit("fraction of a server's time"),
        field(
            "equals_load",
            [](const CapacityReport& r) {
                return r.certificate.exact() ? std::optional(r.stability->value == r.certificate.load()) : std::nullopt;
            },
            "Whether that is rho*; null when only an interval for rho* is known.")};
}

std::string stability_text(const CapacityReport& report) {
    const auto& value = report.stability->value;
    const bool exact = report.certificate.exact(), equal = exact && value == report.certificate.load();
    return fmt::format("stability program {}: {}", value ? display(*value) : "infinite",
                       !exact  ? "undecided whether that is rho*"
                       : equal ? "equal to rho*: for these proportions of arrivals the drift argument reaches the "
                                 "boundary of the region"
                               : "not rho*: the drift argument does not reach the boundary of the region");
}

/// The report where it has a part, which a record of the part describes.
std::optional<CapacityReport> where(bool there, const CapacityReport& report) {
    return there ? std::optional(report) : std::nullopt;
}

/// Long: a line or two for each field of the answer.
const Answer<CapacityReport>& capacity_answer() {
    using R = CapacityReport;
    const Record<PriceOf> price{field(
                                    "relative_price", [](const PriceOf& p) { return p.price.relative_price; },
                                    "Price of a slot over the least price above 0. Range: at least 1, or 0.")
                                    .least(0)
                                    .unit("none"),
                                field("servers", &PriceOf::servers, "Names of the servers.").items(1)};
    static const Answer<R> answer{
        "capacity",
        "How much load a cluster can carry. Answer of `schedproof capacity --format json`; its proof is the file that "
        "--certificate writes.",
        Record<R>{
            aside("per_time", [](const R& r) { return per_time(r.instance); }),
            instance_field([](const R& r) {
                return r.instance.name();
            }).form("{}: {servers} servers, {types} task types, {arrival_rate} tasks {per_time}"),
            field(
                "servers", [](const R& r) { return r.instance.servers().size(); }, "Number of servers.")
                .least(1)
                .hidden(),
            field(
                "types", [](const R& r) { return r.instance.types().size(); }, "Number of task types.")
                .least(1)
                .hidden(),
            field(
                "arrival_rate", [](const R& r) { return r.instance.total_arrival_rate(); }, "Sum over the types.")
                .unit("tasks a slot, or per unit of time")
                .hidden(),
            field(
                "exact", [](const R& r) { return r.certificate.exact(); }, "Whether `load` is one number.")
                .hidden(),
            field(
                "load", [](const R& r) { return r.certificate.load(); },
                "rho*: the load of the busiest server under the best split of the work.")
                .unit("fraction of a server's time")
                .only_when("exact", {"true"})
                .label("load rho*")
                .form("{}"),
            field(
                "load",
                [](const R& r) {
                    return LoadInterval{r.certificate.lower, r.certificate.upper};
                },
                "A proved interval of rho*.", load_record())
                .unit("fraction of a server's time")
                .only_when("exact", {"false"})
                .label("load rho*")
                .form("between {lower} and {upper}, width {width:.3g}"),
            words(" ", position_text),
            field(
                "position", [](const R& r) { return to_string(r.where); },
                "rho* below, at or above 1; unknown when the interval contains 1 and more.")
                .words({"inside", "boundary", "outside", "unknown"})
                .hidden(),
            field(
                "scaling", [](const R& r) { return r.loss.scaling; },
                "Factor by which all arrivals may grow: 1 / rho*, of an interval its upper end; null when rho* is 0.")
                .unit("none")
                .hidden(),
            words("headroom", [](const R& r) { return r.loss.scaling ? headroom_text(r) : ""; }),
            field(
                "balanced_load", [](const R& r) { return r.loss.balanced; }, "rho* if every server held all data.")
                .unit("fraction of a server's time")
                .hidden(),
            field(
                "lost_to_placement", [](const R& r) { return r.loss.lost; },
                "1 - balanced_load / rho*, of an interval its upper end.")
                .unit("fraction of the capacity")
                .hidden(),
            words("placement",
                  [](const R& r) {
                      return fmt::format(
                          "perfect balance would carry this at load {}; {}{} of the capacity is lost to placement",
                          display(r.loss.balanced), r.certificate.exact() ? "" : "at most ", percent(r.loss.lost));
                  }),
            field(
                "price_classes",
                [](const R& r) {
                    std::vector<PriceOf> list;
                    for (const PriceClass& one : r.loss.classes) list.push_back({r.instance, one});
                    return list;
                },
                "Servers by the price of their slot, dearest first: the bottleneck is the first class.", price)
                .hidden(),
            lines("bottleneck", [](const R& r) { return bottleneck_text(r, r.rows); }),
            field(
                "activities", [](const R& r) { return where(r.activities.has_value(), r); },
                "An optimal basic split of the work; only when `exact`.", activities_record())
                .only_when("exact", {"true"})
                .hidden(),
            lines("optimum",
                  [](const R& r) {
                      return r.activities && r.certificate.load().sign() > 0 ? activity_text(r, r.rows) : "";
                  }),
            field(
                "along_slack",
                [](const R& r) { return r.along_slack.empty() ? std::nullopt : std::optional(pieces(r)); },
                "rho* along the instance's family of loads; only of an instance with `slack`.", piece_record())
                .optional()
                .hidden(),
            lines("along slack", [](const R& r) { return r.along_slack.empty() ? "" : along_slack_text(r); }),
            field(
                "instability", [](const R& r) { return where(r.witness.has_value(), r); },
                "Why no policy is stable; only when rho* > 1.", instability_record())
                .optional()
                .hidden(),
            lines("unstable", [](const R& r) { return r.witness ? unstable_text(r, r.rows) : ""; }),
            field(
                "stability_program", [](const R& r) { return where(r.stability.has_value(), r); },
                "Only with --policy: the load at which the policy's MaxWeight drift argument ends.", stability_record())
                .optional()
                .hidden(),
            words("policy", [](const R& r) { return r.stability ? stability_text(r) : ""; }),
            words("verified",
                  [](const R&) { return "decomposition and prices, by multiplication and comparison only"; })}
            .column(14)};
    return answer;
}

struct Rejected {
    std::string instance, rejected;
};

const Answer<Rejected>& rejected_answer() {
    static const Answer<Rejected> answer{
        "capacity-rejected",
        "Answer of `schedproof capacity --verify FILE --format json` when the certificate proves nothing of the "
        "instance; exit code 1.",
        Record<Rejected>{instance_field(&Rejected::instance).hidden(),
                         field("rejected", &Rejected::rejected, "The first condition that fails, in words.")}
            .column(14)};
    return answer;
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
    if (const std::string rejection = capacity::rejection(instance, certificate); !rejection.empty())
        return write_answer(request.to, rejected_answer(), {instance.name(), rejection}, 1);
    const CapacityReport report = make_report(instance, certificate, policy, request.rows);
    if (!request.certificate.empty()) write_file(request.certificate, load_file(), {instance, certificate});
    if (!request.picture.empty())
        write_dot_picture(graph::capacity_dot(instance, certificate,
                                              report.activities ? report.activities->basic : certificate.decomposition),
                          request.picture);
    return write_answer(request.to, capacity_answer(), report);
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
                     .offers = ids_of<queueing::policies>},
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
        "schedproof capacity experiments/instances/example-cluster.toml --picture cluster.svg", options,
        forms(capacity_answer, rejected_answer, load_file));
}

}  // namespace schedproof::cli
