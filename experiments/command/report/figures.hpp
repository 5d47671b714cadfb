/// Figures of papers as `schedproof reproduce` leaves them: a folder each, with data, pictures and claims.json.
#pragma once

#include <string>
#include <vector>

namespace schedproof::cli::site {

/// What one statement about a figure was compared with.
struct Comparison {
    std::string what;   ///< such as `fair+r minus srpt+r at 2.5`
    std::string value;  ///< with its interval, or `not seen`
    std::string bound;  ///< `above 0`, or empty
    std::string truth;  ///< `holds`, `fails`, `open`
};

struct FigureClaim {
    std::string id, place, says, verdict, expected;
    std::vector<Comparison> comparisons;
    /// The same with other values of what the paper leaves out: the choice, and what the statement came to.
    std::vector<std::pair<std::string, std::string>> sensitivity;
};

struct Figure {
    std::string id, paper, number, title, place, note, scale;
    std::vector<FigureClaim> claims;
    std::vector<std::pair<std::string, std::string>> assumptions;  ///< parameter, value taken
    /// Names in its folder, without claims.json, and without PNG, which is as large as all else.
    std::vector<std::string> files;
    std::string declaration = {};  ///< its path in the source tree, or empty
};

/// The name of its picture for a page; empty where it has none.
[[nodiscard]] std::string picture_of(const Figure& figure);

/// `Figure 5`, or the id where no number is known.
[[nodiscard]] std::string number_of(const Figure& figure);

/// The figures below the directory, by paper and id; none where there is no directory. Of members that a file lacks
/// nothing is shown. Throws InputError where a claims.json is no JSON object.
[[nodiscard]] std::vector<Figure> read_figures(const std::string& directory);

}  // namespace schedproof::cli::site
