/// `heavy-traffic --rho` and `--slack`: eps times the mean number of tasks, along loads that approach the boundary.
///
/// With loads, eps is what all servers offer at their best levels less what arrives; with slacks it is the parameter of
/// the instance's family. Where a certificate can be had within the box that is allowed, the mean is an exact interval;
/// elsewhere it is simulated, and called Measured. Beside both stands what no policy is below: (14), and the mean of
/// the queue on the line; along a family also what is proved for all its slacks at once (docs/heavy-traffic.md), of
/// every policy and of this one. Source: [wang2013], Section IV-A.
#include <fmt/core.h>

#include <algorithm>

#include "checks/suite/policy_proofs.hpp"
#include "experiments/command/core/budget.hpp"
#include "experiments/command/core/exact_option.hpp"
#include "experiments/command/core/output.hpp"
#include "experiments/command/core/policy_file.hpp"
#include "experiments/command/core/state_json.hpp"
#include "experiments/command/core/system.hpp"
#include "experiments/command/core/table.hpp"
#include "experiments/command/heavy_traffic/heavy_traffic.hpp"
#include "experiments/runs/compare.hpp"
#include "experiments/simulators/slotted/slotted_experiment.hpp"
#include "model/base/output_file.hpp"
#include "model/base/parallel.hpp"
#include "model/base/text.hpp"
#include "model/core/errors.hpp"
#include "model/queueing/load.hpp"
#include "proofs/queueing/capacity/plan.hpp"
#include "proofs/queueing/capacity/region.hpp"
#include "proofs/queueing/heavy_traffic/family_bounds.hpp"
#include "proofs/queueing/heavy_traffic/line_queue.hpp"

namespace schedproof::cli {

namespace {

using queueing::exact_decimal;
using queueing::Instance;
using queueing::rounded_down;
using queueing::rounded_up;

/// What is known of the mean number of tasks at one load.
struct BoundaryPoint {
    Rational rho, eps;
    std::optional<Rational> bound, line;                     ///< no policy's mean is below
    std::optional<std::pair<Rational, Rational>> certified;  ///< an interval that holds it
    std::optional<statistics::Estimate> simulated;           ///< where there is no certificate
    std::string reason = {};                                 ///< why there is none
    // Proved for all slacks of the family: of every policy, and of this one.
    std::optional<Rational> every_policy = {}, least = {}, most = {};

    [[nodiscard]] std::string verdict() const { return certified ? "Proved" : simulated ? "Measured" : "Unknown"; }
    /// Of eps times the mean, for people.
    [[nodiscard]] std::string shown() const {
        if (certified)
            return fmt::format("[{}, {}]", exact_decimal(rounded_down(eps * certified->first, 6)),
                               exact_decimal(rounded_up(eps * certified->second, 6)));
        if (!simulated) return "never seen";
        const double scale = eps.approximate();
        return fmt::format("{:.4f} +- {:.4f}", scale * simulated->mean, scale * simulated->half_width.value_or(0));
    }
};

struct Curve {
    std::string instance, policy;
    std::vector<BoundaryPoint> points;

    [[nodiscard]] bool is_of_family() const { return !points.empty() && points.front().least.has_value(); }
};

class BoundaryCurve {
  public:
    explicit BoundaryCurve(const HeavyTrafficRequest& request)
        : request_(request), policy_(policy_id(request.policy)), progress_("heavy-traffic") {}

    [[nodiscard]] Curve curve() {
        const auto given = read_instance_with_law(request_.instance);
        Curve curve{given->name(), policy_, {}};
        if (!request_.slacks.empty()) {
            along_family(given, curve);
            return curve;
        }
        for (const Rational& rho : option_numbers(request_.rho, "--rho"))
            curve.points.push_back(
                point(std::make_shared<const Instance>(capacity::at_load(*given, rho, "--rho")), rho, {}));
        return curve;
    }

  private:
    void along_family(const std::shared_ptr<const Instance>& family, Curve& curve) {
        const std::vector<Rational> slacks = option_slacks(request_.slacks, "--slack", family->slack().up_to);
        progress_.stage("bounds for all slacks");
        const queueing::SymbolicSystem symbolic(*family, queueing::make_policy(policy_, *family, capacity::fluid_plan));
        const heavy_traffic::FamilyBounds bounds =
            heavy_traffic::find_bounds(symbolic, budget_of(request_.budget, progress_));
        for (const Rational& eps : slacks) {
            const auto instance = std::make_shared<const Instance>(queueing::at_slack(*family, eps));
            const auto certificate = capacity::solve(*instance);
            BoundaryPoint& at = curve.points.emplace_back(point(instance, certificate.upper, eps));
            at.every_policy = std::max(bounds.lower.at_least(*family, eps), Rational(0));
            at.least = bounds.at_least(*family, eps);
            at.most = bounds.at_most(*family, eps);
        }
    }
    /// With a slack of a family, or the load's own.
    [[nodiscard]] BoundaryPoint point(const std::shared_ptr<const Instance>& instance, const Rational& rho,
                                      const std::optional<Rational>& eps) {
        const heavy_traffic::Slack slack = heavy_traffic::slack(*instance);
        if (slack.epsilon.sign() <= 0 || rho >= Rational(1))
            throw InputError::at_key(eps ? "--slack" : "--rho",
                                     fmt::format("expected loads inside the capacity region, not {}", display(rho)));
        BoundaryPoint point{rho, eps.value_or(slack.epsilon), slack.lower_bound, {}, {}, {}};
        if (instance->servers().size() <= heavy_traffic::max_line_servers)
            point.line = heavy_traffic::line_queue(*instance, slack).lower;
        certify(instance, point);
        if (!point.certified) simulate(instance, point);
        return point;
    }
    void certify(const std::shared_ptr<const Instance>& instance, BoundaryPoint& point) {
        queueing::MeanGoal goal;
        goal.width = Rational(Integer(1), Integer(1000));
        goal.max_states = request_.max_states;
        goal.threads = base::default_threads();
        progress_.stage("certify at " + display(point.rho));
        try {
            const checks::Verdict verdict =
                suite::prove_mean(instance, policy_, goal, budget_of(request_.budget, progress_));
            if (const queueing::MeanTheorem* theorem = suite::mean_of(verdict))
                point.certified = {theorem->at_least(), theorem->upper};
            else
                point.reason = checks::explanation(verdict);
        } catch (const InputError& error) {  // a policy whose states are more than counts
            point.reason = error.what();
        } catch (const LimitExceeded& limit) {
            point.reason = limit.what();
        }
    }
    void simulate(const std::shared_ptr<const Instance>& instance, BoundaryPoint& point) {
        simulation::SlottedSettings settings;
        settings.batches = 200;
        settings.slots =
            std::max<std::uint64_t>(request_.slots.value_or(200'000) / settings.batches, 1) * settings.batches;
        settings.delays = false;
        progress_.stage("simulate at " + display(point.rho));
        const auto experiment = simulation::slotted_experiment(
            {instance}, queueing::make_policy(policy_, *instance, capacity::fluid_plan), settings);
        const runs::PointReport report =
            runs::compare({{policy_, experiment.get()}}, {request_.seed.value_or(1), 5, 0.95, base::default_threads()});
        point.simulated = runs::summary_of(report, "tasks in system").estimate;
    }

    const HeavyTrafficRequest& request_;
    std::string policy_;
    Progress progress_;
};

Table table_of(const Curve& curve) {
    Table table{"eps E sum Q of " + curve.policy + " on " + curve.instance,
                {{"load rho*", true},
                 {"eps", true},
                 {"eps E sum Q", true},
                 {"verdict"},
                 {"eps times (14)", true},
                 {"eps times the line queue", true}},
                {}};
    const bool family = curve.is_of_family();
    if (family) {
        table.columns.push_back({"at least, all slacks", true});
        table.columns.push_back({"at most, all slacks", true});
    }
    const auto scaled = [](const BoundaryPoint& point, const std::optional<Rational>& bound) {
        return bound ? exact_decimal(rounded_down(point.eps * *bound, 6)) : "";
    };
    for (const BoundaryPoint& point : curve.points) {
        auto& row = table.rows.emplace_back();
        row = {point.rho.to_string(), point.eps.to_string(),      point.shown(),
               point.verdict(),       scaled(point, point.bound), scaled(point, point.line)};
        if (!family) continue;
        row.push_back(scaled(point, point.least));
        row.push_back(point.most ? exact_decimal(rounded_up(point.eps * *point.most, 6)) : "");
    }
    return table;
}

/// A line per load, means and not eps times them; empty where nothing is known.
std::string to_csv(const Curve& curve) {
    const auto number = [](const std::optional<Rational>& value) {
        return value ? fmt::format("{:.12g}", value->approximate()) : "";
    };
    std::string text = "rho,eps,lower,upper,simulated,half_width,bound_14,line_queue,every_policy,least,most\n";
    for (const BoundaryPoint& p : curve.points) {
        const auto& [lower, upper] = p.certified.value_or(std::pair<Rational, Rational>());
        text += fmt::format("{:.12g},{:.12g},{},{},{},{},{},{},{},{},{}\n", p.rho.approximate(), p.eps.approximate(),
                            p.certified ? exact_decimal(lower) : "", p.certified ? exact_decimal(upper) : "",
                            p.simulated ? fmt::format("{}", p.simulated->mean) : "",
                            p.simulated && p.simulated->half_width ? fmt::format("{}", *p.simulated->half_width) : "",
                            number(p.bound), number(p.line),
                            p.every_policy ? exact_decimal(rounded_down(*p.every_policy, 9)) : "",
                            p.least ? exact_decimal(rounded_down(*p.least, 9)) : "",
                            p.most ? exact_decimal(rounded_up(*p.most, 9)) : "");
    }
    return text;
}

figures::Plot plot_of(const Curve& curve) {
    figures::Curve bound{"(14): no policy is below", {}}, line{"line queue: no policy is below", {}},
        certified{curve.policy + ", certified", {}, figures::Style::error_points},
        simulated{curve.policy + ", simulated", {}, figures::Style::error_points},
        every{"proved: no policy is below", {}}, least{"proved: at least", {}}, most{"proved: at most", {}};
    for (const BoundaryPoint& p : curve.points) {
        const double eps = p.eps.approximate();
        if (p.bound) bound.points.push_back({eps, eps * p.bound->approximate()});
        if (p.line) line.points.push_back({eps, eps * p.line->approximate()});
        if (p.every_policy) every.points.push_back({eps, eps * p.every_policy->approximate()});
        if (p.least && p.least != p.every_policy) least.points.push_back({eps, eps * p.least->approximate()});
        if (p.most) most.points.push_back({eps, eps * p.most->approximate()});
        if (p.certified) {
            const double lower = eps * p.certified->first.approximate(),
                         upper = eps * p.certified->second.approximate();
            certified.points.push_back({eps, (lower + upper) / 2, (upper - lower) / 2});
        } else if (p.simulated) {
            simulated.points.push_back({eps, eps * p.simulated->mean, eps * p.simulated->half_width.value_or(0)});
        }
    }
    figures::Panel panel{"", "eps (tasks a slot)", "eps times the mean number of tasks", {}, {}, {}};
    for (figures::Curve* each : {&certified, &simulated, &most, &least, &every, &line, &bound})
        if (!each->points.empty()) {
            std::sort(each->points.begin(), each->points.end(), [](const auto& a, const auto& b) { return a.x < b.x; });
            panel.curves.push_back(std::move(*each));
        }
    return {curve.instance + " near the boundary", {std::move(panel)}};
}

const Answer<Curve>& curve_answer() {
    using P = BoundaryPoint;
    const auto part = [](const char* name, auto get, const char* meaning) {
        return field(name, get, meaning).unit("tasks");
    };
    const Record<P> point{
        field("rho", &P::rho, "Load of the capacity region."),
        field("eps", &P::eps, "Slack: of the family, or what all servers offer at their best levels less what arrives.")
            .unit("tasks a slot"),
        part(
            "bound", [](const P& p) { return p.bound; },
            "(14): no policy's mean is below; null where it says nothing."),
        part(
            "line_queue", [](const P& p) { return p.line; }, "A sharper bound of every policy; null for many servers."),
        field("verdict", &P::verdict, "Of the mean: Proved by a certificate, or Measured by simulation.")
            .words({"Proved", "Measured", "Unknown"}),
        part(
            "lower", [](const P& p) { return p.certified ? std::optional(p.certified->first) : std::nullopt; },
            "The mean is at least this; null unless proved."),
        part(
            "upper", [](const P& p) { return p.certified ? std::optional(p.certified->second) : std::nullopt; },
            "And at most this."),
        part(
            "simulated", [](const P& p) { return p.simulated ? std::optional(p.simulated->mean) : std::nullopt; },
            "Simulated mean; null where one is proved.")
            .least(0),
        part(
            "half_width", [](const P& p) { return p.simulated ? p.simulated->half_width : std::nullopt; },
            "Of its 95 % interval.")
            .least(0),
        field(
            "reason", [](const P& p) { return if_any(p.reason); }, "Why there is no certificate; null where there is."),
        part(
            "every_policy", [](const P& p) { return p.every_policy; },
            "No policy's mean is below, proved for all slacks of the family at once; null along loads."),
        part(
            "least", [](const P& p) { return p.least; },
            "The policy's mean is at least this, proved so; null along loads."),
        part(
            "most", [](const P& p) { return p.most; },
            "An upper bound of that kind; null along loads, and where none is proved.")};
    static const Answer<Curve> answer{
        "heavy-traffic-curve",
        "The mean number of tasks along loads that approach the boundary. Answer of `schedproof heavy-traffic --rho "
        "--format json`, and with `--slack`.",
        Record<Curve>{instance_field([](const Curve& c) { return c.instance; }),
                      policy_field([](const Curve& c) { return c.policy; }),
                      field(
                          "points", [](const Curve& c) { return c.points; }, "In the order of the command line.", point)
                          .items(1)}
            .told_by([](const Curve& c) {
                std::string text = fmt::format("instance      {}\npolicy        {}\n\n", c.instance, c.policy);
                return text + as_text(table_of(c)) +
                       "\nProved: an interval by a certificate. Measured: simulated, with its 95 % interval.\n";
            })};
    return answer;
}

}  // namespace

int draw_curve(const HeavyTrafficRequest& request) {
    if (request.policy.empty()) throw InputError::at_key("--policy", "expected the policy whose mean is asked for");
    require_writable({request.to.path, request.picture.path});
    check_plot(request.picture);
    const Curve curve = BoundaryCurve(request).curve();
    if (!request.picture.path.empty()) base::write_file(request.picture.path, draw(plot_of(curve), request.picture));
    if (request.to.format == "csv") {
        write_text(request.to.path, to_csv(curve));
        return 0;
    }
    if (is_table_format(request.to.format)) {
        write_text(request.to.path, as_tables(request.to.format, request.to.command, {table_of(curve)}));
        return 0;
    }
    return write_answer(request.to, curve_answer(), curve);
}

Forms curve_forms() { return forms(curve_answer); }

}  // namespace schedproof::cli
