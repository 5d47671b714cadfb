#include "experiments/command/reproduce/catalogue.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <string_view>

#include "model/base/document.hpp"
#include "model/base/nearest.hpp"
#include "model/base/text.hpp"

namespace schedproof::cli {

namespace {

struct EmbeddedFile {
    const char* path;
    const char* text;
};
constexpr EmbeddedFile embedded[] = {
#include "experiments/embedded.inc"
};

constexpr std::string_view figures_folder = "experiments/reproduction/";

/// Numbers in a name count as numbers: 9 stands before 10.
std::vector<std::pair<std::uint64_t, std::string>> parts_of(const std::string& id) {
    std::vector<std::pair<std::uint64_t, std::string>> parts;
    for (std::size_t i = 0; i < id.size();) {
        std::uint64_t number = 0;
        std::string word;
        while (i < id.size() && id[i] >= '0' && id[i] <= '9')
            number = 10 * number + static_cast<unsigned>(id[i++] - '0');
        while (i < id.size() && (id[i] < '0' || id[i] > '9')) word += id[i++];
        parts.emplace_back(number, word);
    }
    return parts;
}

}  // namespace

const char* embedded_file(const std::string& path) {
    const auto* const found = std::find_if(std::begin(embedded), std::end(embedded),
                                           [&](const EmbeddedFile& file) { return path == file.path; });
    return found == std::end(embedded) ? nullptr : found->text;
}

std::vector<FigureDeclaration> catalogue() {
    std::vector<FigureDeclaration> figures;
    for (const EmbeddedFile& file : embedded)
        if (std::string_view(file.path).starts_with(figures_folder))
            figures.push_back(read_declaration(file.text, file.path));
    std::sort(figures.begin(), figures.end(), [](const FigureDeclaration& a, const FigureDeclaration& b) {
        return std::pair(a.paper, parts_of(a.id)) < std::pair(b.paper, parts_of(b.id));
    });
    return figures;
}

std::vector<std::string> figure_ids() {
    std::vector<std::string> ids;
    for (const FigureDeclaration& figure : catalogue()) ids.push_back(figure.id);
    return ids;
}

std::vector<FigureDeclaration> figures_named(const std::vector<std::string>& names) {
    std::vector<FigureDeclaration> known = catalogue(), chosen;
    const auto add = [&](const FigureDeclaration& figure) {
        const bool there = std::any_of(chosen.begin(), chosen.end(), [&](const auto& c) { return c.id == figure.id; });
        if (!there) chosen.push_back(figure);
    };
    for (const std::string& name : names) {
        if (name.ends_with(".toml")) {
            add(read_declaration(base::read_text(name, base::max_toml_bytes), base::display_name(name)));
            continue;
        }
        bool found = false;
        std::vector<std::string_view> words;
        for (const FigureDeclaration& figure : known) {
            words.emplace_back(figure.id);
            words.emplace_back(figure.paper);
            if (figure.id != name && figure.paper != name) continue;
            found = true;
            add(figure);
        }
        if (!found)
            throw InputError::at_key(
                "FIGURE", fmt::format("expected a figure or a paper of `schedproof reproduce --list`, or a file .toml, "
                                      "not '{}'{}",
                                      name, base::did_you_mean(name, words)));
    }
    return chosen;
}

}  // namespace schedproof::cli
