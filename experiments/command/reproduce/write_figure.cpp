/// The files of a reproduced figure: pictures for print, the numbers as a table, a page, and the verdicts.
#include <fmt/core.h>

#include <cmath>
#include <filesystem>

#include "experiments/command/core/answer_fields.hpp"
#include "experiments/command/core/csv.hpp"
#include "experiments/command/reproduce/figure_answer.hpp"
#include "experiments/command/reproduce/reproduce.hpp"
#include "model/base/output_file.hpp"

namespace schedproof::cli {

namespace {

std::string number_text(double value) { return std::isfinite(value) ? fmt::format("{}", value) : ""; }

std::string name_of_setting(const MeasuredSetting& setting) {
    return setting.alternative == nullptr ? "as taken"
                                          : fmt::format("{}: {}", setting.assumption, setting.alternative->taken);
}

/// A row per setting, measure, curve and place; mean and interval over the replications.
std::string table_of(const ReproducedFigure& reproduced) {
    const FigureDeclaration& figure = reproduced.figure;
    std::string text =
        fmt::format("# schedproof {}\n# figure: {}, {} of {}\n# declaration: {} sha256 {}\n", SCHEDPROOF_VERSION,
                    figure.id, figure.number, figure.paper, figure.file.path, figure.file.sha256);
    text += fmt::format("setting,measure,curve,{},mean,half-width,replications\n",
                        csv_field(figure.x.empty() ? "x" : figure.x));
    for (const MeasuredSetting& setting : reproduced.settings)
        for (const auto& [place, sample] : setting.measurements.all()) {
            std::vector<double> seen;
            for (const double value : sample.values)
                if (std::isfinite(value)) seen.push_back(value);
            if (seen.empty()) continue;
            const statistics::Estimate estimate = statistics::estimate(seen, figure.confidence);
            const bool interval = !sample.exact && estimate.half_width;
            text += fmt::format("{},{},{},{},{},{},{}\n", csv_field(name_of_setting(setting)), csv_field(place.measure),
                                csv_field(place.curve), figure.x.empty() ? "" : number_text(place.x),
                                number_text(estimate.mean), interval ? number_text(*estimate.half_width) : "",
                                sample.exact ? 0 : seen.size());
        }
    return text;
}

}  // namespace

void write_figure(ReproducedFigure& reproduced, const ReproduceRequest& request) {
    const std::filesystem::path folder = folder_of(reproduced.figure, request.out);
    std::filesystem::create_directories(folder);
    const auto write = [&](const std::string& name, const std::string& bytes) {
        base::write_file((folder / name).string(), bytes);
        reproduced.files.push_back(name);
    };
    if (request.wants("csv")) write("data.csv", table_of(reproduced));
    figures::Plot plot = plot_of(reproduced.figure, reproduced.settings.front());
    plot.print = figures::Print{request.width, request.font_size};
    if (request.title) plot.title = reproduced.figure.title;
    for (const auto& [name, kind] :
         {std::pair{"svg", figures::Picture::svg}, std::pair{"pdf", figures::Picture::pdf},
          std::pair{"png", figures::Picture::png}, std::pair{"tikz", figures::Picture::tikz}})
        if (request.wants(name)) write(fmt::format("figure.{}", name), figures::draw(plot, kind));
    if (request.wants("markdown")) write("figure.md", page_of(reproduced, request));
    reproduced.files.emplace_back("claims.json");
    write_file((folder / "claims.json").string(), figure_file(), {reproduced, request});
}

}  // namespace schedproof::cli
