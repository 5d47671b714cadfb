/// Pictures of bundles within pages.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace schedproof::cli::site {

/// Where links of a picture lead, by their targets in it.
using LinkTargets = std::map<std::string, std::string, std::less<>>;

/// The picture as markup of a page: the `svg` element alone, of known drawing elements and attributes, every id that is
/// referred to and every reference with `prefix` before it, so that several pictures stand in one page. Links lead
/// where `targets` says; others stay where they are relative. Nothing where the text is no such picture: it holds a
/// script, a style, a foreign element, or tags that do not match.
[[nodiscard]] std::optional<std::string> inline_svg(std::string_view svg, std::string_view prefix,
                                                    const LinkTargets& targets = {});

}  // namespace schedproof::cli::site
