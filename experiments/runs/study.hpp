/// A study: points, policies at each point, replications of each policy, and how the results are evaluated.
///
/// It is written into the study's directory, as study.json, so that whoever continues, shares or merges the study
/// knows which units belong to it and how they are evaluated. A directory belongs to one study, which may be extended
/// by more replications later.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "experiments/runs/stopping.hpp"
#include "experiments/runs/unit.hpp"

namespace schedproof::runs {

/// Of a point, at most.
inline constexpr std::uint64_t most_replications = 1'000'000;

struct StudyPolicy {
    std::string label;
    std::vector<std::string> command;  ///< arguments of `schedproof`, without the choice of replications
    std::optional<double> parameter;   ///< a number that tells policies of one kind apart, where there is one
    std::string parameter_name = {};   ///< of an axis, with its unit; empty without a parameter
    std::string definition = {};       ///< its rules, or the values of its parameters
    friend bool operator==(const StudyPolicy&, const StudyPolicy&) = default;
};

struct StudyPoint {
    std::vector<std::pair<std::string, std::string>> variables;  ///< of the grid
    std::vector<std::pair<std::string, std::string>> lines;      ///< a description of system and workload
    std::vector<std::string> warnings;
    std::vector<InputFile> inputs;
    std::vector<StudyPolicy> policies;
    std::uint64_t seed = 1, first = 0, replications = 1;  ///< replications first, first + 1, ...
    std::optional<Precision> precision;                   ///< then as many as it needs, not `replications`
    SummaryOptions options;

    /// Replications at most.
    [[nodiscard]] std::uint64_t most() const { return precision ? precision->most : replications; }
};

struct Study {
    std::string version;
    std::vector<std::string> command;  ///< arguments of `schedproof` that describe it
    std::vector<InputFile> inputs;     ///< the specification of a sweep; what runs depend on stands at the points
    std::vector<StudyPoint> points;    ///< at least one
};

/// What study.json holds.
[[nodiscard]] base::Form study_form();
/// The bytes of study.json.
[[nodiscard]] std::string to_text(const Study& study);
/// Throws InputError with the file's name when these are not the bytes of a study.
[[nodiscard]] Study parse_study(std::string_view text, const std::string& file);

/// Whether they are of the same units, more or fewer of them: how many replications there are and how they are judged
/// may differ, and what the specification says besides.
[[nodiscard]] bool same_units(const Study& a, const Study& b);

/// Name of the file in a study's directory.
inline constexpr const char* study_file = "study.json";

/// Which unit: indices into the study, and the replication's place from 0.
struct UnitPlace {
    std::size_t point = 0, policy = 0;
    std::uint64_t replication = 0;
    friend bool operator==(const UnitPlace&, const UnitPlace&) = default;
};

/// File of a unit: `p0003-c01-r000012.json`, the third from 0 of the points, and so on.
[[nodiscard]] std::string unit_file(const UnitPlace& place);
/// The command that makes this unit alone.
[[nodiscard]] std::vector<std::string> unit_command(const StudyPoint& point, const UnitPlace& place);

/// Whether a unit read back is the one of this place of the study; else why not.
[[nodiscard]] std::optional<std::string> mismatch(const Unit& unit, const Study& study, const UnitPlace& place);

/// One of `count` equal parts of the units of a study: one of each `count` that follow each other, not always the same
/// one, so that no part gets the units of one slow policy alone.
struct Shard {
    std::size_t index = 0, count = 1;
    [[nodiscard]] bool has(std::size_t unit) const { return (unit + unit / count) % count == index; }
};

/// `i/n` with i from 1 to n; `slurm`: the task of a Slurm array without gaps, by SLURM_ARRAY_TASK_ID, _COUNT, _MIN,
/// _MAX and _STEP; empty: all. Throws InputError otherwise.
[[nodiscard]] Shard parse_shard(const std::string& text);

}  // namespace schedproof::runs
