/// Texts of the project's documentation as HTML: the part of Markdown that they use.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/command/report/html.hpp"

namespace schedproof::cli::site {

/// What Markdown refers to, on this site.
struct References {
    /// The page of a link's target; nothing where the site has none, and the link becomes its text.
    std::function<std::optional<std::string>(std::string_view)> page;
    /// The page of what stands in a machine's type, such as the id of a claim.
    std::function<std::optional<std::string>(std::string_view)> name;
};

/// Text in a line: `code`, **strong**, *emphasis*, [text](target). Everything else is text, markup of HTML too.
[[nodiscard]] Html inline_markdown(std::string_view text, const References& references);

/// Headings, paragraphs, lists with `*`, `-` or numbers, tables with `|`, fenced code; no others. The first heading,
/// of the first level, becomes one of the level `top`, and those below it follow.
[[nodiscard]] Html markdown(std::string_view text, const References& references, int top = 1);

/// The cells of a table's row, `| a | b |`; a bar within `code` is part of its cell.
[[nodiscard]] std::vector<std::string> cells(std::string_view row);

}  // namespace schedproof::cli::site
