/// `schedproof zoo`: the rules that production runs, and what is known of each on each of a list of clusters.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "experiments/command/core/answer_fields.hpp"
#include "model/queueing/any_policy.hpp"

namespace schedproof::cli {

struct ZooRequest {
    std::vector<std::string> rules;      ///< names of the zoo, or files; empty: all
    bool table = false;                  ///< verdicts, and not the texts
    std::optional<std::uint64_t> guard;  ///< texts with a guard of so many requests, and not as they are
    std::vector<std::string> instances;  ///< files; empty: those of the table
    std::string evidence;                ///< directory for certificates, or empty
    bool means = false;                  ///< certified means too
    std::uint64_t slots = 200'000;       ///< of each simulated run; 0: none
    std::uint64_t seed = 1;
    std::optional<unsigned> threads;  ///< none: as many as the machine runs
    Destination to;
};

/// A text of the zoo, or of the user.
struct ZooRule {
    std::string name, path, source, summary;
    std::string asked;    ///< how it is named on the command line: by name, or as a file
    std::string comment;  ///< the lines that begin with #: where it is from, what is counted, what is left out
    std::string text;     ///< the whole file
};

/// What is known of a rule on a cluster, strongest first.
enum class ZooLetter : std::uint8_t {
    every,       ///< E: proved stable, on every cluster with so many levels whose load is below 1
    stable,      ///< P: proved stable
    transient,   ///< T: proved transient
    seen,        ///< s: seen stable, from the empty state and from a large one
    growing,     ///< g: seen to grow from the empty state
    metastable,  ///< d: seen stable from the empty state, and to grow from a large one
    open,        ///< ?
    none,        ///< the rule does not run there
};

struct ZooCell {
    std::string instance;
    ZooLetter letter = ZooLetter::open;
    std::string says = {};      ///< by which argument, what was seen, or why it does not run
    std::string mean = {};      ///< the interval, or empty
    std::string evidence = {};  ///< certificate file, or empty
    std::string again = {};     ///< the command line that repeats it
    double seconds = 0;
};

struct ZooRow {
    ZooRule rule;
    std::vector<ZooCell> cells;
};

/// The instances of the table, as files of this project.
[[nodiscard]] const std::vector<std::string>& zoo_instances();
/// The rules of the zoo by name; throws InputError with the nearest name when one is unknown and no file.
[[nodiscard]] std::vector<ZooRule> zoo_rules(const std::vector<std::string>& named);
/// A row for each rule. Requires rules of `zoo_rules`.
[[nodiscard]] std::vector<ZooRow> zoo_table(const ZooRequest& request, const std::vector<ZooRule>& rules);

[[nodiscard]] char letter_of(ZooLetter letter);

int run(const ZooRequest& request);

}  // namespace schedproof::cli
