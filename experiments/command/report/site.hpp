/// All that the site's pages tell, read once, and where each page is.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "checks/core/claim.hpp"
#include "experiments/command/report/evidence.hpp"
#include "experiments/command/report/figures.hpp"
#include "experiments/command/report/html.hpp"
#include "experiments/command/report/library.hpp"
#include "experiments/command/report/markdown.hpp"
#include "experiments/command/report/means.hpp"

namespace schedproof::cli::site {

/// Files by their paths below the site's folder.
using Files = std::map<std::string, std::string>;

struct Policy {
    std::string family, id, summary, source;
};

struct Site {
    std::vector<checks::Claim> claims;  ///< those of the site, by id
    Verdicts verdicts;                  ///< of these claims
    std::vector<Policy> policies;       ///< of every family, in its order
    std::vector<Work> works;
    std::vector<Section> ledger;
    std::vector<Figure> figures;
    std::vector<CertifiedMean> means;
    std::string reproduced;  ///< directory of the figures
    std::string about = {};  ///< the policy that the site is about, or empty

    /// Leaves the pages of all other policies out.
    void keep_alone(const std::string& policy);
    [[nodiscard]] const checks::Claim* claim(std::string_view id) const;
    [[nodiscard]] std::vector<const Checked*> rows_of_claim(std::string_view id) const;
    [[nodiscard]] std::vector<const Checked*> rows_of_policy(const Policy& policy) const;
    /// The section of the ledger that examines a work; null where none does.
    [[nodiscard]] const Section* section(std::string_view key) const;
};

/// What the program knows by itself, with these claims of it, their verdicts, and the figures of the directory.
[[nodiscard]] Site read_site(std::vector<checks::Claim> claims, Verdicts verdicts, const std::string& reproduced);

// Pages by their paths below the site's folder.
[[nodiscard]] std::string claim_page(std::string_view id);
[[nodiscard]] std::string policy_page(std::string_view family, std::string_view id);
[[nodiscard]] std::string figure_page(std::string_view id);
/// Of the works of a section together.
[[nodiscard]] std::string paper_page(const Section& section);

/// The family that the id of a claim begins with.
[[nodiscard]] std::string family_of(std::string_view claim);

/// One page: its heading, where it is, and what it holds.
struct Page {
    std::string path;
    std::string title;
    std::string part;                       ///< the entry of the navigation that it belongs to, such as `Claims`
    Html main;                              ///< what follows the heading
    Html above = {};                        ///< above the heading: what the page is of
    std::vector<std::string> scripts = {};  ///< paths below the site's folder
};
/// The whole document.
[[nodiscard]] std::string document(const Page& page);

/// From one page to another, as a link says it.
[[nodiscard]] std::string relative(std::string_view from, std::string_view to);

/// What texts refer to, seen from a page: claims, works, and the texts that are pages here.
[[nodiscard]] References references(const Site& site, const std::string& from);
/// A source in words, the works in it linked: `[wang2013], Section II`.
[[nodiscard]] Html source_text(const Site& site, const std::string& from, std::string_view source);

// Small parts.
/// The kind of a verdict, by a word and a mark of its own; with a number, how many of them.
[[nodiscard]] Html badge(std::string_view verdict, std::optional<std::size_t> number = {});
/// `speaks against the policy` where it does what was feared, else the outcome.
[[nodiscard]] std::string outcome_of(const Checked& row);
/// `as expected`, `not as expected`, ...
[[nodiscard]] Html outcome_badge(std::string_view outcome);
/// Seconds with three digits at most, and `ms` below one; empty for none.
[[nodiscard]] std::string duration(const std::optional<double>& seconds);
/// Badges of the verdicts of some rows, each kind once with its number.
[[nodiscard]] Html tally(const std::vector<const Checked*>& rows);
/// A table with a caption for those who do not see it, in a box of its own that scrolls.
[[nodiscard]] Html table(const std::string& caption, const std::vector<std::string>& head, const Html& rows,
                         const Attributes& attributes = {});
/// `term` and what it is, for a list of descriptions.
[[nodiscard]] Html described(std::string_view term, const Html& what);

}  // namespace schedproof::cli::site
