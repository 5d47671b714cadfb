/// Results of a study for programs: everything that the text says, unrounded, with the means of single replications.
///
/// What has no value is null, so that every object of a kind has the same members.
#include <algorithm>

#include "experiments/command/core/answer_fields.hpp"
#include "experiments/command/core/output.hpp"
#include "experiments/command/core/table.hpp"
#include "experiments/command/simulate/answer/study_answer.hpp"
#include "model/base/text.hpp"

namespace schedproof::cli {

namespace {

using runs::PointReport;
using runs::PolicyReport;
using statistics::Estimate;

struct PolicyOf;

/// A quantity under a policy.
struct QuantityOf {
    const PolicyOf* policy;
    const simulation::Quantity* quantity;
    const runs::QuantitySummary* summary;
};

struct LeftOutOf {
    std::string control, quantity;
    const runs::LeftOut* left_out;
};

/// A policy of a point.
struct PolicyOf {
    const PointReport* point;
    const PolicyReport* report;

    [[nodiscard]] const runs::StudyPolicy& study() const {
        return point->point.policies[static_cast<std::size_t>(report - point->policies.data())];
    }
    [[nodiscard]] const std::string& label() const { return report->label; }
    [[nodiscard]] const std::string& definition() const { return study().definition; }
    [[nodiscard]] const std::optional<double>& parameter() const { return report->parameter; }
    [[nodiscard]] std::string command() const { return base::command_line(study().command); }
    [[nodiscard]] const std::string& time_unit() const { return report->time_unit; }
    [[nodiscard]] const runs::Summary& summary() const { return report->summary; }
    [[nodiscard]] std::size_t batches() const { return summary().batches; }
    [[nodiscard]] std::size_t replications() const { return summary().replications; }
    [[nodiscard]] std::uint64_t work() const { return summary().work; }
    [[nodiscard]] std::vector<LeftOutOf> left_out() const {
        std::vector<LeftOutOf> list;
        for (const runs::LeftOut& one : summary().left_out)
            list.push_back({report->quantities[one.control].name, report->quantities[one.shown].name, &one});
        return list;
    }
    [[nodiscard]] std::vector<QuantityOf> quantities() const {
        std::vector<QuantityOf> list;
        for (std::size_t q = 0; q < report->quantities.size(); ++q)
            list.push_back({this, &report->quantities[q], &summary().quantities[q]});
        return list;
    }
};

struct QuantileOf {
    double part;
    Estimate value;
};

/// A mean by regression, with the names of the controls.
struct ControlledOf {
    const statistics::Controlled* controlled;
    std::vector<std::string> used;
};

struct DifferenceOf {
    std::string policy, minus;
    const simulation::Quantity* quantity;
    const statistics::PairedDifference* difference;
};

/// By name, the last value of a name that stands twice.
std::vector<std::pair<std::string, std::string>> by_name(const std::vector<std::pair<std::string, std::string>>& all) {
    std::vector<std::pair<std::string, std::string>> once;
    for (const auto& line : all) {
        const auto known =
            std::find_if(once.begin(), once.end(), [&](const auto& one) { return one.first == line.first; });
        if (known == once.end())
            once.push_back(line);
        else
            known->second = line.second;
    }
    return once;
}

template <class Get>
auto half_width(Get get) {
    return field("half_width", get,
                 "The Student-t interval is the mean +- this; null where it takes two replications or more, as of a "
                 "run with an end of its own.")
        .least(0);
}

const Record<QuantileOf>& quantile_record() {
    static const Record<QuantileOf> record{
        field("part", &QuantileOf::part, "Range: above 0, below 1.").least(0).most(1).open(),
        field(
            "value", [](const QuantileOf& q) { return q.value.mean; },
            "Mean over replications of the value that this part does not exceed.")
            .least(0),
        half_width([](const QuantileOf& q) { return q.value.half_width; })};
    return record;
}

const Record<ControlledOf>& controlled_record() {
    static const Record<ControlledOf> record{
        field(
            "mean", [](const ControlledOf& c) { return c.controlled->estimate.mean; }, "The corrected mean."),
        half_width([](const ControlledOf& c) { return c.controlled->estimate.half_width; }),
        field("controls", &ControlledOf::used, "Quantities with an exact mean that were used.").items(1),
        field(
            "variance_ratio", [](const ControlledOf& c) { return c.controlled->variance_ratio; },
            "Residual variance over variance.")
            .least(0)};
    return record;
}

std::optional<ControlledOf> controlled_of(const QuantityOf& q) {
    const auto& controlled = q.summary->controlled;
    if (!controlled) return {};
    ControlledOf of{&*controlled, {}};
    const auto& quantities = q.policy->report->quantities;
    for (const std::size_t used : controlled->used)
        of.used.push_back(used < quantities.size() ? quantities[used].name : name_of_known(q.policy->point->point));
    return of;
}

std::vector<QuantileOf> quantiles_of(const QuantityOf& q) {
    std::vector<QuantileOf> list;
    const auto& quantiles = q.summary->quantiles;
    for (std::size_t p = 0; p < quantiles.size(); ++p) list.push_back({runs::quantile_parts[p], quantiles[p]});
    return list;
}

const Record<QuantityOf>& quantity_record() {
    static const Record<QuantityOf> record{
        field(
            "name", [](const QuantityOf& q) { return q.quantity->name; }, "What is measured."),
        field(
            "unit", [](const QuantityOf& q) { return q.quantity->unit; }, "1: a fraction or a ratio."),
        field(
            "expectation", [](const QuantityOf& q) { return q.quantity->expectation; },
            "Exact mean where theory knows it: a control.")
            .least(0),
        field(
            "mean",
            [](const QuantityOf& q) {
                const auto& estimate = q.summary->estimate;
                return estimate ? std::optional(estimate->mean) : std::nullopt;
            },
            "Mean of the means of the replications that saw it; null: never seen."),
        half_width([](const QuantityOf& q) {
            const auto& estimate = q.summary->estimate;
            return estimate ? estimate->half_width : std::nullopt;
        }),
        field(
            "weight", [](const QuantityOf& q) { return q.summary->weight; },
            "What the mean is taken over, all replications together: tasks, slots, seconds.")
            .least(0),
        field(
            "means", [](const QuantityOf& q) { return q.summary->means; }, "By replication.")
            .items(1),
        field("controlled", controlled_of, "The same mean by regression on the controls.", controlled_record()),
        field("quantiles", quantiles_of,
              "Those beyond which every replication has a value; empty without a distribution.", quantile_record()),
        field(
            "largest",
            [](const QuantityOf& q) {
                return q.summary->quantiles.empty() ? std::nullopt : std::optional(q.summary->largest);
            },
            "Value seen; null without a distribution.")
            .least(0)};
    return record;
}

const Record<LeftOutOf>& left_out_record() {
    static const Record<LeftOutOf> record{
        field("control", &LeftOutOf::control, "The control."),
        field("quantity", &LeftOutOf::quantity, "What has another mean in stationary runs."),
        field(
            "mean", [](const LeftOutOf& l) { return l.left_out->seen.mean; }, "Of that quantity, in these runs."),
        half_width([](const LeftOutOf& l) { return l.left_out->seen.half_width; }),
        field(
            "confidence", [](const LeftOutOf&) { return runs::stationarity_confidence; }, "Of the interval.")
            .least(0)
            .most(1)
            .open(),
        field(
            "lower", [](const LeftOutOf& l) { return l.left_out->lower; },
            "Lower bound of the mean in stationary runs, which the interval misses."),
        field(
            "upper", [](const LeftOutOf& l) { return l.left_out->upper; }, "Upper bound of it.")};
    return record;
}

const Record<runs::Summary>& warm_up_record() {
    static const Record<runs::Summary> record{
        field(
            "time", [](const runs::Summary& s) { return static_cast<double>(s.cut.batches) * s.batch_length; },
            "Left out at the start of each run; found, it is the longest that a policy of the point needs. Unit: "
            "time_unit.")
            .least(0),
        field(
            "method", [](const runs::Summary& s) { return method_of(s.cut); },
            "MSER: fewer than 100 batches, not in groups of five.")
            .words({"MSER-5", "MSER", "given", "none"}),
        field(
            "found", [](const runs::Summary& s) { return s.cut.found; },
            "False: the first quantity shows no level in the first half of the runs, and half of each was left out "
            "as a makeshift."),
        field(
            "unsettled", [](const runs::Summary& s) { return s.cut.unsettled; },
            "Other quantities that show no level.")};
    return record;
}

/// What the runs of a policy were.
std::vector<FieldOf<PolicyOf>> run_fields() {
    const auto length = [](const PolicyOf& p) { return p.summary().batch_length * static_cast<double>(p.batches()); };
    return {field("time_unit", &PolicyOf::time_unit, "Such as slot or second."),
            field("run", length,
                  "Length of a run as planned, warm-up included; one of a trace goes on until its last task ends. "
                  "Unit: time_unit.")
                .least(0)
                .open(),
            field("batches", &PolicyOf::batches,
                  "Equal parts of a run as planned; the last one of a trace takes what comes later.")
                .least(1),
            field("replications", &PolicyOf::replications, "Independent runs.").least(1),
            field("work", &PolicyOf::work, "Tasks, jobs, events or slots simulated, all replications together."),
            field("warm_up", &PolicyOf::summary, "What is left out at the start of each run.", warm_up_record())};
}

const Record<PolicyOf>& policy_record() {
    static const Record<PolicyOf> record = [] {
        std::vector<FieldOf<PolicyOf>> fields{
            field("policy", &PolicyOf::label, "Its id, with its parameters."),
            field("definition", &PolicyOf::definition, "What the policy is: rules, or the values of its parameters."),
            field("parameter", &PolicyOf::parameter, "A number that tells policies of one kind apart.").least(0),
            field("command", &PolicyOf::command, "Arguments that run this policy alone.").pattern("^simulate .+$")};
        for (FieldOf<PolicyOf>& of_runs : run_fields()) fields.push_back(std::move(of_runs));
        fields.push_back(field("left_out", &PolicyOf::left_out,
                               "Controls that were not used, since these runs are not stationary: drifts (--variance "
                               "control), or a certified mean (--control).",
                               left_out_record()));
        fields.push_back(field("quantities", &PolicyOf::quantities, "What was measured.", quantity_record()).items(1));
        return Record<PolicyOf>(fields);
    }();
    return record;
}

const Record<DifferenceOf>& difference_record() {
    static const Record<DifferenceOf> record{
        field("policy", &DifferenceOf::policy, "One of the others."),
        field("minus", &DifferenceOf::minus, "The first policy."),
        field(
            "quantity", [](const DifferenceOf& d) { return d.quantity->name; }, "What is compared."),
        field(
            "unit", [](const DifferenceOf& d) { return d.quantity->unit; }, "1: a fraction or a ratio."),
        field(
            "mean", [](const DifferenceOf& d) { return d.difference->difference.mean; }, "Of the difference."),
        half_width([](const DifferenceOf& d) { return d.difference->difference.half_width; }),
        field(
            "relative", [](const DifferenceOf& d) { return d.difference->relative; },
            "Over the first policy's mean; null when that is 0."),
        field(
            "correlation", [](const DifferenceOf& d) { return d.difference->correlation; },
            "Of the two policies' means.")
            .least(-1.000001)
            .most(1.000001)};
    return record;
}

const Record<runs::InputFile>& input_record() {
    static const Record<runs::InputFile> record{
        field("file", &runs::InputFile::path, "As it was named; <stdin> for the standard input."),
        field("sha256", &runs::InputFile::sha256, "Of the bytes that were read.").pattern("^[0-9a-f]{64}$")};
    return record;
}

std::vector<DifferenceOf> differences_of(const PointReport& report) {
    std::vector<DifferenceOf> list;
    for (const runs::DifferenceReport& one : report.differences) {
        const PolicyReport& policy = report.policies[one.policy];
        list.push_back(
            {policy.label, report.policies.front().label, &policy.quantities[one.quantity], &one.difference});
    }
    return list;
}

const Record<PointReport>& point_record() {
    const Record<PointReport> precision{
        field(
            "relative", [](const PointReport& r) { return r.point.precision->relative; },
            "Asked for, of the first quantity under every policy.")
            .least(0)
            .most(1)
            .open(),
        field(
            "most", [](const PointReport& r) { return r.point.precision->most; }, "Replications at most.")
            .least(2),
        field("reached", &PointReport::precise, "False: the replications ended first.")};
    static const Record<PointReport> record{
        field(
            "variables", [](const PointReport& r) { return r.point.variables; }, "Options of the grid here."),
        field(
            "description", [](const PointReport& r) { return by_name(r.point.lines); },
            "System and workload, in words."),
        field(
            "warnings", [](const PointReport& r) { return r.point.warnings; }, "Such as a load above capacity."),
        field(
            "inputs", [](const PointReport& r) { return r.point.inputs; }, "Files that the results depend on.",
            input_record()),
        field(
            "seed", [](const PointReport& r) { return r.point.seed; }, "Seed of the random numbers."),
        field(
            "first", [](const PointReport& r) { return r.point.first; }, "Number of the first replication."),
        field(
            "confidence", [](const PointReport& r) { return r.point.options.confidence; }, "Of every interval.")
            .least(0)
            .most(1)
            .open(),
        field(
            "precision", [](const PointReport& r) { return r.point.precision ? &r : nullptr; },
            "Null: a fixed number of replications.", precision),
        field(
            "policies",
            [](const PointReport& r) {
                std::vector<PolicyOf> list;
                for (const PolicyReport& policy : r.policies) list.push_back({&r, &policy});
                return list;
            },
            "In the order of the command line.", policy_record())
            .items(1),
        field("differences", differences_of,
              "Of the other policies from the first, replication by replication, on the same random numbers.",
              difference_record())};
    return record;
}

}  // namespace

std::string name_of_known(const runs::StudyPoint& point) {
    const runs::KnownMean& known = *point.options.known;
    return known.quantity + " under " + point.policies[known.policy].label;
}

std::string method_of(const runs::Cut& cut) {
    if (cut.automatic) return cut.in_fives ? "MSER-5" : "MSER";
    return cut.batches == 0 ? "none" : "given";
}

const Answer<SimulationAnswer>& simulation_answer() {
    using A = SimulationAnswer;
    static const Answer<A> answer{
        "simulate",
        "Measurements of simulated policies with confidence intervals; none of these numbers is exact. Every mean "
        "stands in the unit of its quantity. Answer of `schedproof simulate`, `sweep` and `merge` with `--format "
        "json`.",
        Record<A>{field(
                      "command", [](const A& a) { return "schedproof " + base::command_line(a.study.command); },
                      "Command line that describes the study, without the options that say where answers go.")
                      .pattern("^schedproof .+$"),
                  field(
                      "study_version", [](const A& a) { return a.study.version; },
                      "Version of the command that ran the simulations."),
                  field(
                      "inputs", [](const A& a) { return a.study.inputs; },
                      "The specification of a sweep; empty for simulate.", input_record()),
                  field(
                      "points", [](const A& a) -> const std::vector<PointReport>& { return a.reports; },
                      "One for simulate; of a sweep one for each combination of the grid, the first key varying "
                      "slowest.",
                      point_record())
                      .items(1)}
            .told_by([](const A& a) { return simulation_text(a.study, a.reports); })};
    return answer;
}

void write_simulation(const Destination& to, const std::string& quantity, const runs::Study& study,
                      const std::vector<PointReport>& reports) {
    if (to.format == "csv") return write_text(to.path, simulation_csv(study, reports));
    if (is_table_format(to.format)) return write_text(to.path, simulation_tables(to.format, quantity, study, reports));
    static_cast<void>(write_answer(to, simulation_answer(), {study, reports}));
}

}  // namespace schedproof::cli
