/// From a declaration to numbers: the runs of each setting, kept in a folder, and the measures of each run.
///
/// A setting is the values taken, or one of them replaced by an alternative. Each is a study of its own in
/// OUT/ID/runs/, so a killed figure resumes where it stopped, and shards of it may run anywhere. Instances that
/// the program brings along are put beside the runs, so that the folder holds what they were made of.
#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "experiments/command/reproduce/assignment_runs.hpp"
#include "experiments/command/reproduce/catalogue.hpp"
#include "experiments/command/reproduce/reproduce.hpp"
#include "experiments/command/simulate/run_study.hpp"
#include "experiments/command/sweep/spec.hpp"
#include "experiments/input/text/real_text.hpp"
#include "experiments/runs/point_run.hpp"
#include "model/base/output_file.hpp"
#include "model/base/parallel.hpp"
#include "model/core/rational.hpp"

namespace schedproof::cli {

namespace {

constexpr const char* policy_parameter = "parameter";

std::optional<double> as_number(const std::string& text) {
    if (const auto decimal = input::real_number(text)) return decimal;
    const auto exact = Rational::parse(text);
    return exact ? std::optional(exact->approximate()) : std::nullopt;
}

/// One setting's study, its points and where its runs lie.
struct Prepared {
    SweepSpec spec;
    runs::Study study;
    std::string folder;
};

SimulationSetting setting_at(const SweepSpec& spec, const SweepPoint& point) {
    try {
        return make_setting(point.request);
    } catch (const InputError& error) {
        throw spec.located(error, &point);
    }
}

/// The option `instance` as the tables give it, its files of this program put into the folder; none when no table has
/// it. Of several tables the last one counts.
std::optional<base::Field> own_instances(const std::vector<base::Cursor>& tables, const std::filesystem::path& folder) {
    std::optional<base::Field> found;
    const auto own = [&](const base::Cursor& at) {
        base::Node node = at.node();
        auto* path = std::get_if<std::string>(&node.value);
        const char* text = path == nullptr ? nullptr : embedded_file(*path);
        if (text == nullptr) return node;
        const std::filesystem::path copy = folder / std::filesystem::path(*path).filename();
        std::filesystem::create_directories(folder);
        base::OutputFile file(copy.string());
        file.leave_out_of_logs();
        file.stream() << text;
        file.close();
        file.commit();
        *path = copy.string();
        return node;
    };
    for (const base::Cursor& table : tables)
        if (const auto at = table.find("instance")) {
            found = base::Field{"instance", own(*at)};
            if (!at->is_array()) continue;
            base::Node::Array list;
            for (const base::Cursor& item : at->items("a list")) list.push_back(own(item));
            found->value.value = std::move(list);
        }
    return found;
}

Prepared prepared(const FigureDeclaration& figure, const ReproduceRequest& request, const Alternative* alternative,
                  std::size_t number) {
    const base::Cursor root(*figure.document, figure.file.path);
    const std::filesystem::path own_folder = folder_of(figure, request.out);
    std::vector<base::Cursor> over = figure.options(!request.full, alternative), tables = over;
    for (const char* table : {"simulate", "grid"})
        if (const auto at = root.find(table)) tables.insert(tables.begin(), *at);
    base::Node instances;
    if (auto field = own_instances(tables, own_folder / "runs" / "instances")) {
        instances.value = base::Node::Table{*std::move(field)};
        over.emplace_back(instances, figure.file.path);
    }
    SweepSpec spec(root, figure.file, over);
    const std::string scale = request.full ? "full" : "quick", network = figure.fluid_taken ? "-fluid" : "";
    runs::Study study{SCHEDPROOF_VERSION, {"reproduce", figure.id, "--" + scale}, {figure.file}, {}};
    for (const SweepPoint& point : spec.points()) {
        const SimulationSetting setting = setting_at(spec, point);
        try {
            study.points.push_back(study_point(point.request, setting));
        } catch (const InputError& error) {
            throw spec.located(error, &point);
        }
        study.points.back().variables = point.variables;
    }
    const std::filesystem::path folder =
        own_folder / "runs" / (scale + network + (number == 0 ? "" : fmt::format("-{}", number)));
    return {std::move(spec), std::move(study), folder.string()};
}

void run_missing(const Prepared& one, const runs::Folder& folder, const ReproduceRequest& request,
                 const std::function<void(double)>& done) {
    const runs::Shard shard = runs::parse_shard(request.shard);
    const auto points = static_cast<double>(one.study.points.size());
    for (std::size_t p = 0; p < one.study.points.size(); ++p) {
        const SimulationSetting setting = setting_at(one.spec, one.spec.points()[p]);
        runs::PointRun run{
            &one.study, p, {}, request.threads == 0 ? base::default_threads() : static_cast<unsigned>(request.threads)};
        for (const SimulatedPolicy& policy : setting.policies) run.experiments.push_back(policy.experiment.get());
        run.progress = [&](double now, double all) {
            done((static_cast<double>(p) + (all > 0 ? now / all : 1)) / points);
        };
        run.discarded = [](const std::string& file, const std::string& why) {
            fmt::print(stderr, "schedproof: note: {} is made again: {}\n", file, why);
        };
        runs::run_point(run, folder, shard, units_before(one.study, p));
    }
}

/// A policy of a point: its curve, and where it stands on the x axis; none where it has no such place, as a policy
/// without the parameter that varies.
struct CurvePoint {
    std::string curve;
    std::optional<double> x;
};

CurvePoint curve_point(const FigureDeclaration& figure, const runs::StudyPoint& point,
                       const runs::StudyPolicy& policy) {
    CurvePoint at{policy.label, {}};
    if (figure.x == policy_parameter) {
        at.x = policy.parameter;
        if (policy.parameter) at.curve = at.curve.substr(0, at.curve.find_first_of(" ="));
    }
    for (const auto& [name, value] : point.variables) {
        const std::filesystem::path path(value);
        const std::string shown = path.has_extension() && !as_number(value) ? path.stem().string() : value;
        if (name != figure.x) {
            at.curve += fmt::format(", {} {}", name, shown);
            continue;
        }
        at.x = as_number(value);
        for (const auto& [named, x] : figure.places)
            if (named == shown) at.x = x;
    }
    if (figure.x.empty()) at.x = 0;
    return at;
}

/// Adds the values of one policy at one point, at each of these places.
void add_values(const FigureDeclaration& figure, const runs::PolicyResults& results, std::size_t cut,
                const std::string& curve, const std::vector<double>& places, reproduction::Measurements& into) {
    for (const reproduction::Measure& measure : figure.measures) {
        reproduction::Sample sample;
        for (const simulation::Observation& observation : results.observations)
            sample.values.push_back(value_of(measure, results.quantities, observation, cut)
                                        .value_or(std::numeric_limits<double>::quiet_NaN()));
        for (const double x : places) into.add({measure.name, curve, x}, sample);
    }
}

/// The places that curves have which vary along the axis.
std::vector<double> places_of(const FigureDeclaration& figure, const runs::Study& study) {
    std::set<double> places;
    for (const runs::StudyPoint& point : study.points)
        for (const runs::StudyPolicy& policy : point.policies)
            if (const auto x = curve_point(figure, point, policy).x) places.insert(*x);
    return {places.begin(), places.end()};
}

MeasuredSetting measured(const FigureDeclaration& figure, const Prepared& one, const runs::Folder& folder) {
    MeasuredSetting setting;
    const std::vector<double> places = places_of(figure, one.study);
    if (places.empty())
        throw InputError::in_file(figure.file.path, "figure.x",
                                  fmt::format("expected a key of the grid that is a number, not '{}'", figure.x));
    for (std::size_t p = 0; p < one.study.points.size(); ++p) {
        const runs::StudyPoint& point = one.study.points[p];
        std::vector<runs::PolicyResults> results;
        const runs::Faults faults = runs::read_point(one.study, p, {folder}, results);
        if (!faults.none())
            throw InputError::in_file(one.folder, fmt::format("expected all runs to be there: {} missing, {} damaged",
                                                              faults.missing.size(), faults.damaged.size()));
        setting.reports.push_back(runs::report(point, results));
        for (std::size_t c = 0; c < results.size(); ++c) {
            const CurvePoint at = curve_point(figure, point, point.policies[c]);
            if (std::find(setting.curves.begin(), setting.curves.end(), at.curve) == setting.curves.end())
                setting.curves.push_back(at.curve);
            const std::size_t cut = setting.reports.back().policies[c].summary.cut.batches;
            add_values(figure, results[c], cut, at.curve, at.x ? std::vector{*at.x} : places, setting.measurements);
            setting.replications = results[c].observations.size();
            setting.time_unit = results[c].time_unit;
        }
    }
    return setting;
}

void add_references(const FigureDeclaration& figure, reproduction::Measurements& into) {
    for (const ReferenceCurve& reference : figure.references)
        for (const auto& [x, y] : reference.points) into.add({reference.measure, reference.name, x}, {{y}, true});
}

/// Of an alternative that leaves places out there is nothing to fit.
void add_fits(const FigureDeclaration& figure, bool alternative, reproduction::Measurements& into) {
    for (const reproduction::Fit& fit : figure.fits) {
        try {
            reproduction::add_coefficients(fit, into);
        } catch (const InputError& error) {
            if (!alternative) throw InputError::in_file(figure.file.path, "fit." + error.place().key, error.expected());
        }
    }
}

/// None with a shard, which leaves runs and measures nothing.
std::optional<MeasuredSetting> measure_study(const FigureDeclaration& figure, const ReproduceRequest& request,
                                             const Alternative* alternative, std::size_t number,
                                             const std::function<void(double)>& done) {
    const Prepared one = prepared(figure, request, alternative, number);
    std::filesystem::create_directories(one.folder);
    const runs::Folder folder = runs::Folder::open(one.folder);
    claim_folder(folder, one.study);
    run_missing(one, folder, request, done);
    if (!request.shard.empty()) return std::nullopt;
    return measured(figure, one, folder);
}

}  // namespace

std::string folder_of(const FigureDeclaration& figure, const std::string& out) {
    return (std::filesystem::path(out) / figure.id).string();
}

std::vector<MeasuredSetting> measure_figure(const FigureDeclaration& figure, const ReproduceRequest& request,
                                            const std::function<void(double)>& done) {
    std::vector<std::pair<const Assumption*, const Alternative*>> choices{{nullptr, nullptr}};
    for (const Assumption& assumption : figure.assumptions)
        for (const Alternative& alternative : assumption.alternatives) choices.emplace_back(&assumption, &alternative);
    std::vector<MeasuredSetting> settings;
    KnownRuns known;
    for (std::size_t i = 0; i < choices.size(); ++i) {
        const auto so_far = [&](double part) {
            done((static_cast<double>(i) + part) / static_cast<double>(choices.size()));
        };
        if (is_assignment_figure(figure)) {
            if (request.shard.empty())
                settings.push_back(measure_assignment(figure, request, choices[i].second, known, so_far));
        } else if (auto setting = measure_study(figure, request, choices[i].second, i, so_far)) {
            settings.push_back(*std::move(setting));
        }
        if (!request.shard.empty()) continue;
        add_references(figure, settings.back().measurements);
        add_fits(figure, choices[i].second != nullptr, settings.back().measurements);
        settings.back().alternative = choices[i].second;
        if (choices[i].first != nullptr) settings.back().assumption = choices[i].first->parameter;
    }
    return settings;
}

}  // namespace schedproof::cli
