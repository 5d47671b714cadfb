/// Pictures of bundles within pages.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace schedproof::cli::site {

/// The picture as markup of a page: the `svg` element alone, of known drawing elements and attributes, every id and
/// reference with `prefix` before it, so that several pictures stand in one page. Links stay where they are relative.
/// Nothing where the text is no such picture: it holds a script, a style, a foreign element, or tags that do not match.
[[nodiscard]] std::optional<std::string> inline_svg(std::string_view svg, std::string_view prefix);

}  // namespace schedproof::cli::site
