#include "experiments/command/core/picture_file.hpp"

#include <optional>

#include "checks/pictures/dot.hpp"
#include "checks/pictures/render.hpp"
#include "model/base/output_file.hpp"
#include "model/core/errors.hpp"

namespace schedproof::cli {

namespace {

/// None for DOT text.
std::optional<graph::PictureFormat> format_of(const std::string& path) {
    if (path.ends_with(".svg")) return graph::PictureFormat::svg;
    if (path.ends_with(".png")) return graph::PictureFormat::png;
    if (path.ends_with(".dot") || path == "-") return std::nullopt;
    throw InputError::in_file(path, "expected a file name that ends with .dot, .svg or .png");
}

}  // namespace

void check_picture_path(const std::string& path) { (void)format_of(path); }

void write_state_graph(const graph::StateGraph& graph, const std::string& path) {
    if (const auto format = format_of(path))
        graph::write_picture(graph, path, *format);
    else
        graph::write_dot(graph, path);
}

void write_dot_picture(const std::string& dot, const std::string& path) {
    const auto format = format_of(path);
    base::write_file(path, format ? graph::picture(dot, *format) : dot);
}

}  // namespace schedproof::cli
