/// The works that claims cite, and what of each is examined: the bibliography and the ledger of the documentation.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace schedproof::cli::site {

struct Work {
    std::string key;   ///< as in `[wang2013], Section II`
    std::string text;  ///< its entry, in Markdown
};

struct LedgerRow {
    /// In Markdown; `found` counts the verdicts on the claims by kind.
    std::string statement, claims, found, printed, departure;
    std::vector<std::string> ids;       ///< of the claims
    std::vector<std::string> policies;  ///< of whose verdicts the row speaks; empty: of all

    [[nodiscard]] bool speaks_of(std::string_view policy) const;
};

/// A section of the ledger: papers that are examined together, and a row for each of their statements.
struct Section {
    std::vector<std::string> keys;
    std::vector<LedgerRow> rows;
};

/// The entries of a text such as docs/bibliography.md, in its order.
[[nodiscard]] std::vector<Work> works(std::string_view bibliography);
/// The sections of a text such as docs/ledger.md.
[[nodiscard]] std::vector<Section> sections(std::string_view ledger);
/// The keys that a source names, `[wang2013], Section V`, each once.
[[nodiscard]] std::vector<std::string> cited(std::string_view source);

}  // namespace schedproof::cli::site
