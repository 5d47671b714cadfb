/// The tables of a figure of the assignment family.
///
///     [assign]     # policy (a list); tasks, servers, cores, replicas, alpha, beta, theta of the instances, or one
///                  # instance; wait of delay and dyndlon, timeout of hta in seconds, threshold of ltfpa, pick of the
///                  # online policies, replications, seed; in-place, a table of those that run for others;
///                  # only-at, a table of policies with the places along the x axis at which alone they run;
///                  # wait-of, a table of policies with waits of their own; quantity, a table of measures with the
///                  # quantities that stand for theirs;
///                  # steps of DynDLOff to show beside policies: greedy, balanced, remote-1, remote-2, ...
///     [grid]       # lists of those that are numbers: one along the x axis, and one curve for each value of another
///
/// Tables are taken one after another, and what a later one says replaces what an earlier one does: the scale, then an
/// alternative.
#include "experiments/command/reproduce/assignment_plan.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <limits>
#include <map>

#include "experiments/command/reproduce/catalogue.hpp"
#include "model/assignment/codec/codec.hpp"
#include "model/base/nearest.hpp"
#include "model/base/numeral.hpp"

namespace schedproof::cli {

namespace {

using base::Cursor;
constexpr std::array<std::string_view, 20> parameters{"policy", "in-place", "only-at",      "wait-of", "quantity",
                                                      "steps",  "instance", "tasks",        "servers", "cores",
                                                      "beta",   "replicas", "alpha",        "theta",   "wait",
                                                      "seed",   "timeout",  "replications", "pick",    "threshold"};

std::shared_ptr<const assignment::Instance> instance_of(const Cursor& at) {
    const std::string& path = at.text("the path of an instance");
    const char* own = embedded_file(path);
    return std::make_shared<const assignment::Instance>(
        own != nullptr ? assignment::parse_instance(own, base::Format::toml, path) : assignment::read_instance(path));
}

/// Sets the parameter of a key.
void set(AssignmentPoint& point, const std::string& key, const Cursor& at) {
    const auto whole = [&](std::uint64_t most) { return at.count(1, most, "a whole number above 0"); };
    if (key == "instance") {
        point.instance = instance_of(at);
    } else if (key == "tasks") {
        point.workload.tasks = whole(1'000'000);
    } else if (key == "servers") {
        point.workload.servers = whole(1'000'000);
    } else if (key == "cores") {
        point.workload.cores = static_cast<std::uint32_t>(whole(100'000));
    } else if (key == "replicas") {
        point.workload.replicas = static_cast<std::uint32_t>(whole(1'000));
    } else if (key == "alpha") {
        point.workload.alpha = at.rate(false);
    } else if (key == "beta") {
        point.workload.beta = at.rate(false);
    } else if (key == "theta") {
        point.workload.theta = at.rate(false);
    } else if (key == "wait") {
        point.options.wait = at.rate(false);
    } else if (key == "timeout") {
        point.options.timeout = std::chrono::seconds(whole(100'000));
    } else if (key == "threshold") {
        point.options.threshold = at.rate(false);
    } else if (key == "pick") {
        const std::string& pick = at.text("lowest or random");
        if (pick != "lowest" && pick != "random") at.fail(fmt::format("expected lowest or random, not '{}'", pick));
        point.options.pick = pick == "lowest" ? assignment::Pick::lowest : assignment::Pick::random;
    } else if (key == "replications") {
        point.replications = whole(100'000);
    } else if (key == "seed") {
        point.workload.seed = whole(std::numeric_limits<std::int64_t>::max());
    } else {
        at.fail(fmt::format("expected a parameter of an assignment figure, not '{}'{}", key,
                            base::did_you_mean(key, parameters)));
    }
}

void expect_policy(const std::string& name, const Cursor& at) {
    std::vector<std::string_view> known;
    for (const auto& info : assignment::policies()) known.push_back(info.id);
    if (assignment::resolve_policy(name).empty())
        at.fail(fmt::format("expected a policy of `schedproof list policies --family assignment`, not '{}'{}", name,
                            base::did_you_mean(name, known)));
}

std::vector<AssignmentCurve> policies_of(const Cursor& at) {
    std::vector<AssignmentCurve> curves;
    for (const std::string& name : at.texts("a list of policies")) {
        expect_policy(name, at);
        curves.push_back({name});
    }
    return curves;
}

/// `{dyndlon = "dyndlon:one-remote"}`: the curve keeps its name, so that claims speak of it.
std::map<std::string, std::string> others_of(const Cursor& at) {
    std::map<std::string, std::string> others;
    for (const base::Field& field : at.table("a table of policies")) {
        const Cursor other = at.entry(field);
        expect_policy(field.key, other);
        expect_policy(other.text("a policy"), other);
        others[field.key] = other.text("a policy");
    }
    return others;
}

/// `{hta = [200, 2000]}`: elsewhere the curve has no values.
std::map<std::string, std::vector<double>> places_of(const Cursor& at) {
    std::map<std::string, std::vector<double>> places;
    for (const base::Field& field : at.table("a table of policies")) {
        const Cursor list = at.entry(field);
        expect_policy(field.key, list);
        for (const Cursor& place : list.items("a list of places along the x axis"))
            places[field.key].push_back(place.number().approximate());
    }
    return places;
}

/// `{dyndlon = 0}`: others wait as long as the point says.
std::map<std::string, Rational> waits_of(const Cursor& at) {
    std::map<std::string, Rational> waits;
    for (const base::Field& field : at.table("a table of policies")) {
        const Cursor wait = at.entry(field);
        expect_policy(field.key, wait);
        waits[field.key] = wait.rate(false);
    }
    return waits;
}

/// `{"makespan by events" = "makespan"}`: the measure keeps its name, so that claims speak of it.
std::map<std::string, std::string> quantities_of(const Cursor& at, const FigureDeclaration& figure) {
    std::map<std::string, std::string> quantities;
    for (const base::Field& field : at.table("a table of measures")) {
        const Cursor quantity = at.entry(field);
        std::vector<std::string_view> known;
        for (const reproduction::Measure& measure : figure.measures) known.emplace_back(measure.name);
        if (std::find(known.begin(), known.end(), field.key) == known.end())
            quantity.fail(fmt::format("expected a measure of the figure, not '{}'{}", field.key,
                                      base::did_you_mean(field.key, known)));
        quantities[field.key] = quantity.text("a quantity");
    }
    return quantities;
}

std::vector<AssignmentCurve> steps_of(const Cursor& at) {
    constexpr std::string_view moved = "remote-";
    std::vector<AssignmentCurve> curves;
    for (const std::string& name : at.texts("a list of steps")) {
        const auto remote = name.starts_with(moved) ? base::parse_numeral<std::uint32_t>(name.substr(moved.size()))
                                                    : std::optional<std::uint32_t>();
        if (name != "greedy" && name != "balanced" && !remote)
            at.fail(fmt::format("expected greedy, balanced or remote-N, not '{}'", name));
        const AssignmentCurve::Step step = remote             ? AssignmentCurve::Step::remote
                                           : name == "greedy" ? AssignmentCurve::Step::greedy
                                                              : AssignmentCurve::Step::balanced;
        curves.push_back({name, step, remote.value_or(0)});
    }
    return curves;
}

/// The tables so far.
class Tables {
  public:
    explicit Tables(const FigureDeclaration& figure) : figure_(figure) { fixed_.options.wait = Rational(3); }

    void take(const Cursor& table) {
        for (const base::Field& field : table.table("a table of parameters")) {
            const Cursor at = table.entry(field);
            if (field.key == "policy") {
                policies_ = policies_of(at);
            } else if (field.key == "in-place") {
                others_ = others_of(at);
            } else if (field.key == "only-at") {
                places_ = places_of(at);
            } else if (field.key == "wait-of") {
                waits_ = waits_of(at);
            } else if (field.key == "quantity") {
                quantities_ = quantities_of(at, figure_);
            } else if (field.key == "steps") {
                steps_ = steps_of(at);
            } else if (at.is_array()) {
                for (const Cursor& value : at.items("a list of values")) set(fixed_, field.key, value);
                lists_.insert_or_assign(field.key, at.items("a list of values"));
            } else {
                set(fixed_, field.key, at);
                if (field.key == figure_.x) fixed_.x = at.number().approximate();
                lists_.erase(field.key);
            }
        }
    }

    [[nodiscard]] AssignmentPlan plan(const Cursor& table) const {
        AssignmentPlan plan{steps_, {fixed_}, quantities_};
        plan.curves.insert(plan.curves.end(), policies_.begin(), policies_.end());
        if (plan.curves.empty()) table.fail("expected policies");
        for (AssignmentCurve& curve : plan.curves) {
            if (const auto other = others_.find(curve.name); other != others_.end()) curve.policy = other->second;
            if (const auto places = places_.find(curve.name); places != places_.end()) curve.only_at = places->second;
            if (const auto wait = waits_.find(curve.name); wait != waits_.end()) curve.wait = wait->second;
        }
        for (const auto& [key, values] : lists_) {
            std::vector<AssignmentPoint> grown;
            for (const AssignmentPoint& point : plan.points)
                for (const Cursor& at : values) grown.push_back(moved(point, key, at));
            plan.points = std::move(grown);
        }
        for (const AssignmentPoint& point : plan.points) expect_possible(point, table);
        return plan;
    }

  private:
    [[nodiscard]] AssignmentPoint moved(AssignmentPoint point, const std::string& key, const Cursor& at) const {
        set(point, key, at);
        const Rational value = at.number();
        if (key == figure_.x)
            point.x = value.approximate();
        else
            point.suffix += fmt::format(", {} {}", key, value.to_string());
        return point;
    }
    void expect_possible(const AssignmentPoint& point, const Cursor& table) const {
        const std::size_t tasks =
            point.instance ? point.instance->shape().tasks().size() : std::size_t{point.workload.tasks};
        for (const AssignmentCurve& curve : steps_)
            if (curve.remote > tasks)
                table.require("steps", "").fail(fmt::format("expected at most the {} tasks to be remote", tasks));
    }

    const FigureDeclaration& figure_;
    std::vector<AssignmentCurve> policies_, steps_;
    AssignmentPoint fixed_;
    std::map<std::string, std::string> others_;
    std::map<std::string, std::vector<double>> places_;
    std::map<std::string, Rational> waits_;
    std::map<std::string, std::string> quantities_;
    std::map<std::string, std::vector<Cursor>> lists_;
};

}  // namespace

AssignmentPlan assignment_plan(const FigureDeclaration& figure, bool quick, const Alternative* alternative) {
    const Cursor root(*figure.document, figure.file.path);
    const Cursor own = root.require("assign", "a table of parameters");
    Tables tables(figure);
    tables.take(own);
    if (const auto grid = root.find("grid")) tables.take(*grid);
    for (const Cursor& over : figure.options(quick, alternative)) tables.take(over);
    return tables.plan(own);
}

}  // namespace schedproof::cli
