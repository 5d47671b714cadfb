/// What `schedproof check --evidence DIR` has left: the verdicts, and the files that they rest on.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace schedproof::cli::site {

/// What one oracle said.
struct Finding {
    std::string oracle;
    std::string verdict;   ///< `Proved`, `Exhausted`, ...
    std::string detail;    ///< one sentence
    std::string expected;  ///< verdict, or empty where none is stated
    std::string numbers;   ///< `200 cases, seed 1`, or empty
    std::optional<double> seconds;
    std::string evidence;  ///< name of a file or folder of the directory, or empty
};

/// One claim for one policy on one instance.
struct Checked {
    std::string claim, policy, instance;
    std::string expectation;  ///< `holds`, `fails`, `open`, `unstated`
    std::string outcome;      ///< `expected`, `unexpected`, `unsettled`, `vacuous`
    std::string witness;
    std::vector<Finding> findings;
    std::string folder = {};  ///< directory of what the findings rest on
};

struct Verdicts {
    std::string version;  ///< of the program that wrote them
    std::uint64_t seed = 0, cases = 0;
    std::vector<Checked> rows;  ///< by claim, policy, instance
    std::vector<std::string> conflicts;
};

/// The file of the verdicts in such a directory.
[[nodiscard]] std::string verdicts_file(const std::string& evidence);

/// Throws InputError with file, line and key where it is no answer of `check`.
[[nodiscard]] Verdicts read_verdicts(const std::string& file);

/// The text of a file of the directory; empty where there is none.
[[nodiscard]] std::string text_of(const std::string& directory, const std::string& name);

}  // namespace schedproof::cli::site
