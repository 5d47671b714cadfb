/// Figures as they were left: read with patience, since a folder may be of another version of the program.
#include "experiments/command/report/figures.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include "model/base/cursor.hpp"
#include "model/base/text.hpp"

namespace schedproof::cli::site {

namespace {

namespace fs = std::filesystem;
using base::Cursor;

/// The text of a member; empty where there is none.
std::string figure_text(const Cursor& at, const char* key) {
    if (!at.is_table()) return "";
    const auto found = at.find(key);
    return found && found->is_text() ? found->text("text") : "";
}

bool is_number(const Cursor& at) {
    const auto* literal = std::get_if<base::Literal>(&at.node().value);
    return at.is_integer() || (literal != nullptr && literal->kind == "float");
}

/// The number of a member with few digits; empty where there is none.
std::string numeral_of(const Cursor& at, const char* key) {
    const auto found = at.find(key);
    return found && is_number(*found) ? fmt::format("{:.4g}", found->real("a number")) : "";
}

/// The items of a member; none where it is no list.
std::vector<Cursor> items_of(const Cursor& at, const char* key) {
    if (!at.is_table()) return {};
    const auto found = at.find(key);
    return found && found->is_array() ? found->items("a list") : std::vector<Cursor>();
}

/// What was compared: the first text that does not say how it came out.
std::string compared_of(const Cursor& at) {
    for (const base::Field& field : at.table("a comparison"))
        if (const auto* text = std::get_if<std::string>(&field.value.value); text != nullptr && field.key != "truth")
            return *text;
    return "";
}

Comparison comparison(const Cursor& at) {
    Comparison compared{compared_of(at), numeral_of(at, "value"), "", figure_text(at, "truth")};
    const std::string half = numeral_of(at, "half_width"), above = numeral_of(at, "above"),
                      below = numeral_of(at, "below");
    if (compared.value.empty())
        compared.value = "not seen";
    else if (half == "0")
        compared.value += ", exact";
    else if (!half.empty())
        compared.value += " ± " + half;
    if (!above.empty()) compared.bound = "above " + above;
    if (!below.empty()) compared.bound += (above.empty() ? "below " : ", below ") + below;
    return compared;
}

FigureClaim claim(const Cursor& at) {
    FigureClaim read{figure_text(at, "id"),
                     figure_text(at, "place"),
                     figure_text(at, "says"),
                     figure_text(at, "verdict"),
                     figure_text(at, "expected"),
                     {},
                     {}};
    for (const Cursor& one : items_of(at, "comparisons"))
        if (one.is_table()) read.comparisons.push_back(comparison(one));
    for (const Cursor& one : items_of(at, "sensitivity"))
        read.sensitivity.emplace_back(figure_text(one, "parameter") + ": " + figure_text(one, "taken"),
                                      figure_text(one, "truth"));
    return read;
}

Figure figure(const fs::path& folder, const std::string& file) {
    const base::Node document =
        base::parse_document(base::read_text(file, base::max_json_bytes), base::Format::json, file);
    const Cursor root(document, file);
    Figure read{folder.filename().string(),
                figure_text(root, "paper"),
                figure_text(root, "number"),
                figure_text(root, "title"),
                figure_text(root, "place"),
                figure_text(root, "note"),
                figure_text(root, "scale"),
                {},
                {},
                {}};
    for (const Cursor& at : items_of(root, "claims")) read.claims.push_back(claim(at));
    for (const Cursor& at : items_of(root, "assumptions"))
        read.assumptions.emplace_back(figure_text(at, "parameter"), figure_text(at, "taken"));
    for (const fs::directory_entry& entry : fs::directory_iterator(folder))
        if (entry.is_regular_file() && entry.path() != file && entry.path().extension() != ".png")
            read.files.push_back(entry.path().filename().string());
    std::sort(read.files.begin(), read.files.end());
    read.declaration = figure_text(root, "declaration");
    return read;
}

}  // namespace

std::string number_of(const Figure& figure) {
    if (figure.number.empty()) return figure.id;
    const bool bare = figure.number.front() >= '0' && figure.number.front() <= '9';
    return (bare ? "Figure " : "") + figure.number;
}

std::string picture_of(const Figure& figure) {
    const auto found = std::find_if(figure.files.begin(), figure.files.end(),
                                    [](const std::string& file) { return file.ends_with(".svg"); });
    return found == figure.files.end() ? "" : *found;
}

std::vector<Figure> read_figures(const std::string& directory) {
    std::vector<Figure> figures;
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(directory, error))
        if (const std::string file = (entry.path() / "claims.json").string(); fs::is_regular_file(file, error))
            figures.push_back(figure(entry.path(), file));
    std::sort(figures.begin(), figures.end(),
              [](const Figure& a, const Figure& b) { return std::pair(a.paper, a.id) < std::pair(b.paper, b.id); });
    return figures;
}

}  // namespace schedproof::cli::site
