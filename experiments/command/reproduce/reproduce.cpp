/// `schedproof reproduce`: the figures of the papers, run again, with a verdict on what is said of each.
///
/// A figure is declared in one file (experiments/reproduction/). Its runs are those of a study: each leaves a file, so
/// a killed run resumes where it stopped, and shards may run anywhere. All figures that are asked for are read and
/// their options checked before anything runs. The minutes that declarations state make the plan, and how long the
/// figures so far took beside theirs makes the remaining time.
#include "experiments/command/reproduce/reproduce.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include "experiments/command/core/options.hpp"
#include "experiments/command/reproduce/catalogue.hpp"
#include "experiments/command/reproduce/figure_answer.hpp"
#include "experiments/command/simulate/run_study.hpp"
#include "experiments/figures/gnuplot.hpp"
#include "experiments/simulators/sharing/links/fluid_network.hpp"

namespace schedproof::cli {

bool ReproduceRequest::wants(std::string_view format) const {
    const bool pictures = std::any_of(formats.begin(), formats.end(), [](const auto& f) { return f != "json"; });
    if (!pictures) return format != "tikz" && format != "markdown" && format != "json";
    return std::find(formats.begin(), formats.end(), format) != formats.end();
}

namespace {

bool answers_in_json(const ReproduceRequest& request) {
    return std::find(request.formats.begin(), request.formats.end(), "json") != request.formats.end();
}

int list(const ReproduceRequest& request) {
    return write_answer({answers_in_json(request) ? "json" : "text", "-"}, figure_list(),
                        {request.figures.empty() ? catalogue() : figures_named(request.figures)});
}

std::vector<FigureDeclaration> asked_for(const ReproduceRequest& request) {
    if (request.all) return catalogue();
    if (request.figures.empty())
        throw InputError::at_key("FIGURE", "expected a figure of `schedproof reproduce --list`, or --all");
    return figures_named(request.figures);
}

/// Figures that can share links as fluids do where the program for it is there, or when they must.
void choose_network(std::vector<FigureDeclaration>& figures, const ReproduceRequest& request) {
    if (request.network == "cost-functions" || (request.network.empty() && !simulation::links_program())) return;
    for (FigureDeclaration& figure : figures) figure.take_fluid();
}

double minutes_of(const FigureDeclaration& figure, const ReproduceRequest& request) {
    return request.full ? figure.full_minutes : figure.quick_minutes;
}

/// 1 when a verdict is another than expected, 3 when runs of this scale leave one open that was expected to be decided.
int exit_code(const std::vector<ReproducedFigure>& figures) {
    int code = 0;
    for (const ReproducedFigure& figure : figures)
        for (const AssessedClaim& claim : figure.claims)
            if (!claim.as_expected()) {
                if (claim.verdict != reproduction::Verdict::inconclusive) return 1;
                code = 3;
            }
    return code;
}

std::string summary_of(const std::vector<ReproducedFigure>& figures, const std::string& out) {
    std::size_t claims = 0, otherwise = 0;
    for (const ReproducedFigure& figure : figures)
        for (const AssessedClaim& claim : figure.claims) ++claims, otherwise += claim.as_expected() ? 0 : 1;
    return fmt::format("{} figure{}, {} claims, {} not as expected; tables, pictures and verdicts in {}\n",
                       figures.size(), figures.size() == 1 ? "" : "s", claims, otherwise, out);
}

}  // namespace

int run(const ReproduceRequest& request) {
    if (request.list) return list(request);
    expect_full_disks();
    std::vector<FigureDeclaration> figures = asked_for(request);
    choose_network(figures, request);
    if (request.wants("svg") || request.wants("pdf") || request.wants("png") || request.wants("tikz"))
        figures::require_gnuplot();
    Progress progress("reproduce");
    double all = 0, before = 0;
    for (const FigureDeclaration& figure : figures) all += minutes_of(figure, request);
    progress.say(
        fmt::format("{} figure{}, about {:.1f} min on two cores", figures.size(), figures.size() == 1 ? "" : "s", all));
    std::vector<ReproducedFigure> done;
    done.reserve(figures.size());
    ReproduceAnswer answer{{}, request.out, ""};
    for (FigureDeclaration& declared : figures) {
        const double minutes = minutes_of(declared, request);
        done.push_back({std::move(declared), {}, {}, {}, 0});
        ReproducedFigure& figure = done.back();
        figure.settings = measure_figure(figure.figure, request, [&](double part) {
            progress.report(figure.figure.id, before + part * minutes, all);
        });
        before += minutes;
        if (!request.shard.empty()) continue;
        figure.claims = assess_claims(figure.figure, figure.settings, !request.full);
        write_figure(figure, request);
        answer.figures.push_back({figure, request});
    }
    if (!request.shard.empty()) return 0;
    const Destination to{answers_in_json(request) ? "json" : "text", "-"};
    answer.summary = summary_of(done, request.out);
    return write_answer(to, reproduce_answer(), answer, exit_code(done));
}

namespace {

OptionTable options(ReproduceRequest& r) {
    return {
        {.names = "FIGURE",
         .target = &r.figures,
         .meaning = "figures of --list, such as xu2017-7; a paper, such as xu2017, stands for all of its figures; or "
                    "files of declarations (.toml)",
         .offers = figure_ids},
        {.names = "--all", .target = &r.all, .meaning = "every figure", .excludes = {"FIGURE"}},
        {.names = "--list", .target = &r.list, .meaning = "list the figures and run nothing"},
        {.names = "--quick",
         .target = &r.quick,
         .meaning = "run at a scale of minutes (the default)",
         .excludes = {"--full"}},
        {.names = "--full", .target = &r.full, .meaning = "run at the scale of the papers"},
        {.names = "--out",
         .value = "DIR",
         .target = &r.out,
         .meaning = "directory of the results, a folder per figure; finished runs are kept",
         .show_default = true},
        {.names = "--format",
         .value = "LIST",
         .target = &r.formats,
         .meaning =
             "files to write, separated by commas (default: csv,svg,pdf,png); markdown: a page with the verdicts "
             "and the means; json: the answer in JSON",
         .words = {"csv", "svg", "pdf", "png", "tikz", "markdown", "json"},
         .separator = ','},
        {.names = "--width",
         .value = "MM",
         .target = &r.width,
         .meaning = "width of a picture as printed, in millimetres",
         .show_default = true,
         .positive = true},
        {.names = "--font-size",
         .value = "PT",
         .target = &r.font_size,
         .meaning = "font size in points",
         .show_default = true,
         .positive = true},
        {.names = "--network",
         .target = &r.network,
         .meaning = "network in figures of many jobs at once: cost functions, or links shared as fluids, by SimGrid "
                    "(default: fluid where the build has SimGrid)",
         .words = {"cost-functions", "fluid"}},
        {.names = "--title", .target = &r.title, .meaning = "put the figure's title above the picture"},
        {.names = "--threads",
         .target = &r.threads,
         .meaning = "runs at a time (default: one per core)",
         .range = Interval{1, 4096}},
        {.names = "--shard",
         .value = "I/N",
         .target = &r.shard,
         .meaning =
             "make only part i/n of the runs, and assess nothing; slurm: the part that the array job's task names"}};
}

}  // namespace

Subcommand reproduce() {
    return make_subcommand<ReproduceRequest>(
        "reproduce", "run the figures of the papers again, with a verdict on each claim about them",
        "schedproof reproduce jin2018-2 --out reproduced\n"
        "  schedproof reproduce --quick --all\n"
        "  schedproof reproduce xu2017 --full --format csv,pdf,tikz --width 120",
        options, forms(reproduce_answer, figure_list, figure_file));
}

}  // namespace schedproof::cli
