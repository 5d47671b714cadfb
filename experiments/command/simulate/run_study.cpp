/// Studies of `simulate`: which runs there are, where their results lie, and what they come to.
///
/// A unit is one replication of one policy at one point. Its command line leaves out what it does not depend on
/// (`evaluation`: how many replications, how they are evaluated), so that a study may ask for more of them later and
/// find the others there. A directory belongs to one study: the same words and inputs, whatever their evaluation.
#include "experiments/command/simulate/run_study.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <mutex>
#include <set>

#include "experiments/command/core/certified_mean.hpp"
#include "experiments/command/core/output.hpp"
#include "experiments/command/simulate/answer/study_answer.hpp"
#include "experiments/command/simulate/answer/study_picture.hpp"
#include "experiments/input/text/real_text.hpp"
#include "model/base/output_file.hpp"
#include "model/base/parallel.hpp"
#include "model/base/text.hpp"
#include "model/core/errors.hpp"

namespace schedproof::cli {

namespace {

/// Exit code when a limit kept a question undecided.
constexpr int unknown = 3;

/// Options that a single run does not depend on: which runs there are, and how they are evaluated.
constexpr std::array<std::string_view, 9> evaluation{"policy",     "policy-file", "replications", "first",  "precision",
                                                     "confidence", "warm-up",     "most",         "control"};

double number_of(const std::string& text, const char* option, double from, double below, const std::string& expected) {
    const auto value = input::real_number(text);
    if (!value || !(*value >= from) || !(*value < below))
        throw InputError::at_key(option, fmt::format("expected {}, not '{}'", expected, text));
    return *value;
}

double precision_of(const std::string& text) {
    const bool percent = text.ends_with('%');
    const auto value = input::real_number(percent ? text.substr(0, text.size() - 1) : text);
    const double relative = value ? *value / (percent ? 100 : 1) : 0;
    if (!(relative > 0 && relative < 1))
        throw InputError::at_key("--precision", fmt::format("expected a precision above 0 and below 1, such as 1%, "
                                                            "not '{}'",
                                                            text));
    return relative;
}

void add_words(std::vector<std::string>& command, const std::string& name, const std::vector<std::string>& values) {
    if (name.empty()) {
        command.insert(command.end(), values.begin(), values.end());
        return;
    }
    if (values.empty()) command.push_back("--" + name);
    for (const std::string& value : values) {
        command.push_back("--" + name);
        command.push_back(value);
    }
}

std::vector<std::string> policy_command(const SimulateRequest& request, const SimulationSetting& setting,
                                        const SimulatedPolicy& policy) {
    std::vector<std::string> command{"simulate"};
    for (const auto& [name, values] : request.given) {
        const bool varied =
            std::find(setting.varied.begin(), setting.varied.end(), "--" + name) != setting.varied.end();
        if (!varied && std::find(evaluation.begin(), evaluation.end(), name) == evaluation.end())
            add_words(command, name, values);
    }
    command.insert(command.end(), policy.words.begin(), policy.words.end());
    return command;
}

void read_replications(const SimulateRequest& request, const SimulationSetting& setting, runs::StudyPoint& point) {
    point.seed = request.seed;
    point.first = request.first;
    point.replications = request.replications.value_or(setting.nothing_random.empty() ? 10 : 1);
    if (point.replications != 1 && !setting.nothing_random.empty())
        throw InputError::at_key("--replications", "expected 1: " + setting.nothing_random);
    if (point.replications < 1 || point.replications > runs::most_replications)
        throw InputError::at_key("--replications", fmt::format("expected at least 1 and at most {}, not {}",
                                                               runs::most_replications, point.replications));
    if (request.precision.empty()) return;
    point.precision = runs::Precision{precision_of(request.precision), point.replications, request.most};
    if (point.replications < 2) throw InputError::at_key("--replications", "expected at least 2 with --precision");
    if (point.replications > request.most)
        throw InputError::at_key("--most", fmt::format("expected at least the {} of --replications, not {}",
                                                       point.replications, request.most));
    if (point.replications < runs::few_replications)
        point.warnings.push_back(
            fmt::format("with --precision from {} replications on, chance may end a study early: intervals cover less "
                        "often than they say; {} or more are safer",
                        point.replications, runs::few_replications));
}

/// What the recorder in slots calls the quantity.
std::string simulated_name(const queueing::StateFunction& of) {
    using Kind = queueing::StateFunction::Kind;
    if (of.kind == Kind::tasks) return "tasks in system";
    if (of.kind == Kind::waiting) return "tasks waiting";
    throw InputError::at_key("--control", "expected a certificate of the mean of tasks or of waiting");
}

void read_control(const SimulateRequest& request, const SimulationSetting& setting, runs::StudyPoint& point) {
    if (request.control.empty()) return;
    if (setting.instance_digest.empty())
        throw InputError::at_key("--control",
                                 "expected policies on an instance file, in slots and without truncation: the "
                                 "certificate is of such a mean");
    const CertifiedMean mean = read_certified_mean(request.control, "--control");
    if (mean.digest != setting.instance_digest)
        throw InputError::at_key("--control", fmt::format("expected a mean of the instance that is simulated, with its "
                                                          "load and options, not of '{}'",
                                                          mean.instance));
    const auto of = std::find_if(setting.policies.begin(), setting.policies.end(),
                                 [&](const SimulatedPolicy& policy) { return policy.label == mean.policy; });
    if (of == setting.policies.end())
        throw InputError::at_key("--control", fmt::format("expected a mean under one of the policies that are "
                                                          "simulated: add --policy {}",
                                                          mean.policy));
    point.options.known = runs::KnownMean{static_cast<std::size_t>(of - setting.policies.begin()),
                                          simulated_name(mean.of), mean.lower.approximate(), mean.upper.approximate()};
    point.lines.emplace_back("control",
                             fmt::format("{} under {}, certified in [{}, {}]", simulated_name(mean.of), mean.policy,
                                         queueing::exact_decimal(mean.lower), queueing::exact_decimal(mean.upper)));
}

std::string progress_name(const runs::Study& study, std::size_t point) {
    return study.points.size() == 1 ? "simulate" : fmt::format("point {} of {}", point + 1, study.points.size());
}

/// What is said on the terminal while a point runs, from several threads.
class PointProgress {
  public:
    PointProgress(const runs::Study& study, std::size_t point, unsigned threads)
        : point_(study.points[point]), progress_(progress_name(study, point)) {
        if (study.points.size() == 1) progress_.say(plan_of(point_, threads));
    }
    void report(double done, double all) {
        const std::lock_guard lock(guard_);
        part_ = all > 0 ? done / all : 0;
        progress_.report("runs", done, all);
    }
    /// A preliminary answer, where the final one lets wait.
    void say_first(std::size_t policy, const std::vector<simulation::Quantity>& quantities,
                   const runs::Summary& summary) {
        constexpr double soon = 5;  // seconds
        const std::lock_guard lock(guard_);
        if (part_ > 0 && watch_.seconds() / part_ > soon)
            progress_.say(preliminary_line(point_, policy, quantities, summary));
    }

  private:
    const runs::StudyPoint& point_;
    std::mutex guard_;
    Progress progress_;
    Stopwatch watch_;
    double part_ = 0;  // of the runs
};

runs::PointRun point_run(const runs::Study& study, std::size_t point, const SimulationSetting& setting,
                         unsigned threads, PointProgress& progress) {
    runs::PointRun run{&study, point, {}, threads};
    for (const SimulatedPolicy& policy : setting.policies) run.experiments.push_back(policy.experiment.get());
    run.progress = [&progress](double done, double all) { progress.report(done, all); };
    run.first = [&progress, &setting](std::size_t policy, const runs::Summary& summary) {
        progress.say_first(policy, setting.policies[policy].experiment->quantities(), summary);
    };
    run.discarded = [](const std::string& file, const std::string& why) {
        fmt::print(stderr, "schedproof: note: {} is made again: {}\n", file, why);
    };
    return run;
}

unsigned threads_of(std::uint64_t asked) { return asked == 0 ? base::default_threads() : static_cast<unsigned>(asked); }

[[noreturn]] void refuse_incomplete(const std::string& where, const runs::Faults& all) {
    constexpr std::size_t shown = 10;
    std::string text =
        fmt::format("expected a complete study: {} missing, {} damaged", all.missing.size(), all.damaged.size());
    for (const auto* list : {&all.missing, &all.damaged})
        for (std::size_t i = 0; i < std::min(shown, list->size()); ++i)
            text += fmt::format("\nschedproof: {} {}", list == &all.missing ? "missing" : "damaged", (*list)[i]);
    if (all.missing.size() > shown || all.damaged.size() > shown) text += "\nschedproof: and more";
    throw InputError::in_file(where, text);
}

}  // namespace

runs::StudyPoint study_point(const SimulateRequest& request, const SimulationSetting& setting) {
    runs::StudyPoint point;
    point.warnings = setting.warnings;
    read_replications(request, setting, point);
    point.options.confidence = number_of(request.confidence, "--confidence", 1e-6, 1 - 1e-6,
                                         "a number above 0 and below 1, by a millionth at least");
    point.options.terminating = setting.terminating;
    if (request.warm_up != "auto")
        point.options.warm_up = number_of(request.warm_up, "--warm-up", 0, 1e300, "auto, or a time of at least 0");
    point.lines = setting.lines;
    read_control(request, setting, point);
    point.inputs = setting.inputs;
    std::set<std::string> labels;
    for (const SimulatedPolicy& policy : setting.policies) {
        if (!labels.insert(policy.label).second)
            throw InputError::at_key("--policy",
                                     fmt::format("expected each policy once, but {} stands twice", policy.label));
        point.policies.push_back({policy.label, policy_command(request, setting, policy), policy.parameter,
                                  policy.parameter_name, policy.definition});
    }
    return point;
}

std::vector<std::string> request_command(const SimulateRequest& request) {
    std::vector<std::string> command{"simulate"};
    for (const auto& [name, values] : request.given) add_words(command, name, values);
    return command;
}

runs::PointReport outline(const runs::StudyPoint& point, const SimulationSetting& setting) {
    runs::PointReport report{point, {}, {}, true};
    for (const SimulatedPolicy& policy : setting.policies) {
        const simulation::Experiment& experiment = *policy.experiment;
        const std::size_t quantities = experiment.quantities().size();
        runs::PolicyReport of{policy.label,
                              policy.parameter,
                              policy.parameter_name,
                              experiment.time_unit(),
                              experiment.quantities(),
                              {},
                              {},
                              {}};
        of.summary.quantities.resize(quantities);
        of.series.resize(quantities);
        of.distributions.resize(quantities);
        report.policies.push_back(std::move(of));
    }
    return report;
}

namespace {

/// The files that two studies read with another content each, in words with their verb.
std::string changed_inputs(const runs::Study& before, const runs::Study& now) {
    std::set<std::string> changed;
    const auto compare = [&](const std::vector<runs::InputFile>& files, const std::vector<runs::InputFile>& old) {
        for (const runs::InputFile& file : files)
            for (const runs::InputFile& then : old)
                if (file.path == then.path && file.sha256 != then.sha256) changed.insert(file.path);
    };
    for (std::size_t p = 0; p < std::min(before.points.size(), now.points.size()); ++p)
        compare(now.points[p].inputs, before.points[p].inputs);
    // What a specification says shows in its points, unless they have become others.
    if (changed.empty()) compare(now.inputs, before.inputs);
    return changed.empty() ? "a file has"
                           : fmt::format("{} {}", fmt::join(changed, ", "), changed.size() == 1 ? "has" : "have");
}

}  // namespace

void claim_folder(const runs::Folder& folder, const runs::Study& study) {
    const std::string text = runs::to_text(study);
    if (!folder.read(runs::study_file) && folder.create(runs::study_file, text)) return;
    expect_claimed(folder, study);
    if (folder.read(runs::study_file) != text) folder.write(runs::study_file, text);
}

void expect_claimed(const runs::Folder& folder, const runs::Study& study) {
    const auto there = folder.read(runs::study_file);
    const std::string file = folder.path(runs::study_file);
    if (!there)
        throw InputError::in_file(file, "expected a directory that `simulate --resume` or `sweep` has written into");
    if (*there == runs::to_text(study)) return;
    const runs::Study other = runs::parse_study(*there, file);
    if (runs::same_units(other, study)) return;
    if (other.version != study.version)
        throw InputError::in_file(file,
                                  fmt::format("expected results of version {}, not {}", study.version, other.version));
    if (other.command != study.command)
        throw InputError::in_file(file, fmt::format("expected a directory of this study, not of `schedproof {}`; name "
                                                    "another directory, or continue that study with its own options",
                                                    base::command_line(other.command)));
    throw InputError::in_file(file,
                              fmt::format("expected the inputs of the results that are there, but {} changed since; "
                                          "name another directory with --resume, or delete this one",
                                          changed_inputs(other, study)));
}

std::string plan_of(const runs::StudyPoint& point, unsigned threads) {
    std::string policies;
    for (const runs::StudyPolicy& policy : point.policies) policies += (policies.empty() ? "" : ", ") + policy.label;
    const std::size_t count = point.policies.size(),
                      least = point.precision ? point.precision->least : point.replications;
    const std::string most = point.precision ? fmt::format(" to {}", point.precision->most * count) : "";
    return fmt::format("{}{} runs on {} {}, {}{} replications of each of {}", least * count, most, threads,
                       threads == 1 ? "thread" : "threads", least,
                       point.precision ? fmt::format(" to {}", point.precision->most) : "", policies);
}

std::string preliminary_line(const runs::StudyPoint& point, std::size_t policy,
                             const std::vector<simulation::Quantity>& quantities, const runs::Summary& summary) {
    std::string means;
    const auto add = [&](std::size_t q) {
        if (q < quantities.size() && summary.quantities[q].estimate)
            means += fmt::format("{} {} {:.4g}{}", means.empty() ? "" : ",", quantities[q].name,
                                 summary.quantities[q].estimate->mean,
                                 quantities[q].unit == "1" ? "" : " " + quantities[q].unit);
    };
    add(0);
    std::size_t other = 1;
    while (other < quantities.size() && (quantities[other].distributed || quantities[other].expectation)) ++other;
    add(other);
    return fmt::format("preliminary, {} after one replication:{}", point.policies[policy].label,
                       means.empty() ? " nothing was seen" : means);
}

std::vector<runs::KeptRuns> run_in_memory(const runs::Study& study, std::size_t point, const SimulationSetting& setting,
                                          std::uint64_t threads) {
    PointProgress progress(study, point, threads_of(threads));
    return runs::run_point(point_run(study, point, setting, threads_of(threads), progress));
}

void run_into(const runs::Folder& folder, const runs::Study& study, std::size_t point, const SimulationSetting& setting,
              std::uint64_t threads, const runs::Shard& shard) {
    PointProgress progress(study, point, threads_of(threads));
    runs::run_point(point_run(study, point, setting, threads_of(threads), progress), folder, shard,
                    units_before(study, point));
}

std::vector<runs::PointReport> read_reports(const runs::Study& study, const std::vector<runs::Folder>& folders) {
    std::vector<runs::PointReport> reports;
    runs::Faults all;
    for (std::size_t p = 0; p < study.points.size(); ++p) {
        std::vector<runs::PolicyResults> results;
        runs::Faults faults = runs::read_point(study, p, folders, results);
        if (faults.none() && all.none()) reports.push_back(runs::report(study.points[p], results));
        std::move(faults.missing.begin(), faults.missing.end(), std::back_inserter(all.missing));
        std::move(faults.damaged.begin(), faults.damaged.end(), std::back_inserter(all.damaged));
    }
    if (!all.none()) refuse_incomplete(folders.front().path(""), all);
    return reports;
}

std::size_t units_before(const runs::Study& study, std::size_t point) {
    std::size_t units = 0;
    for (std::size_t p = 0; p < point; ++p)
        units += study.points[p].policies.size() * static_cast<std::size_t>(study.points[p].most());
    return units;
}

std::string runs_of(const runs::Study& study) {
    std::string text;
    for (std::size_t p = 0; p < study.points.size(); ++p) {
        const runs::StudyPoint& point = study.points[p];
        for (std::size_t r = 0; r < (point.precision ? point.precision->least : point.replications); ++r)
            for (std::size_t c = 0; c < point.policies.size(); ++c)
                text += fmt::format("{}  schedproof {}\n", runs::unit_file({p, c, r}),
                                    base::command_line(runs::unit_command(point, {p, c, r})));
    }
    return text;
}

int write_answers(const FigureRequest& figure, const std::string& series, const Destination& to,
                  const runs::Study& study, const std::vector<runs::PointReport>& reports) {
    if (!series.empty() && !series.ends_with(".csv"))
        throw InputError::in_file(series, "--series", "expected a name that ends in .csv");
    if (!figure.path.empty()) base::write_file(figure.path, draw_simulation(figure, study, reports));
    if (!series.empty()) base::write_file(series, series_csv(study, reports));
    write_simulation(to, figure.y, study, reports);
    if (std::all_of(reports.begin(), reports.end(), [](const auto& report) { return report.precise; })) return 0;
    fmt::print(stderr, "schedproof: the precision was not reached within the replications allowed by --most\n");
    return unknown;
}

void expect_full_disks() { std::signal(SIGXFSZ, SIG_IGN); }

void print_warnings(const runs::Study& study) {
    std::set<std::string> said;
    for (const runs::StudyPoint& point : study.points)
        for (const std::string& warning : point.warnings)
            if (said.insert(warning).second) fmt::print(stderr, "schedproof: warning: {}\n", warning);
}

}  // namespace schedproof::cli
