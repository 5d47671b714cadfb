/// A study as a file, and the names, commands and shards of its units.
///
/// study.json lists all that determines the units: points with policies, commands, seeds and fingerprints of the
/// inputs. Two studies are of the same units when these agree, whatever number of replications each asks for, which is
/// why a study can be continued with more. A unit's file name is its place in the study, its command the policy's with
/// the replication added. A shard takes every n-th unit, shifted by one after each round, so that no shard gets the
/// units of one policy alone.
#include "experiments/runs/study.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "model/base/numeral.hpp"
#include "model/base/stored.hpp"
#include "model/base/text.hpp"
#include "model/core/errors.hpp"

namespace schedproof::runs {

namespace {

using base::Record;
using base::stored;
using Pairs = std::vector<std::pair<std::string, std::string>>;
using Words = std::array<std::string, 2>;

/// Pairs that keep their order, which the members of an object need not: each a list of two texts.
template <Pairs StudyPoint::*pairs>
base::FieldOf<StudyPoint> pairs_field(std::string name, std::string meaning) {
    const auto get = [](const StudyPoint& point) {
        std::vector<Words> all;
        for (const auto& [first, second] : point.*pairs) all.push_back({first, second});
        return all;
    };
    const auto put = [](StudyPoint& point, const std::vector<Words>& all) {
        for (const auto& [first, second] : all) (point.*pairs).emplace_back(first, second);
    };
    return stored(std::move(name), get, put, std::move(meaning)).or_empty();
}

Record<StudyPolicy> policy_record() {
    return {stored("label", &StudyPolicy::label, "Its name in results."),
            stored("command", &StudyPolicy::command, "Arguments without the choice of replications.").or_empty(),
            stored("parameter", &StudyPolicy::parameter, "A number that tells policies of one kind apart."),
            stored("parameter_name", &StudyPolicy::parameter_name, "What it is, with its unit.").or_empty(),
            stored("definition", &StudyPolicy::definition, "Its rules, or the values of its parameters.").or_empty()};
}

Record<Precision> precision_record() {
    return {stored("relative", &Precision::relative, "Half width over mean.").least(0).open(),
            stored("least", &Precision::least, "Replications.").least(2),
            stored("most", &Precision::most, "Replications.").most(most_replications)};
}

Record<KnownMean> mean_record() {
    return {stored("policy", &KnownMean::policy, "Position among the policies."),
            stored("quantity", &KnownMean::quantity, "Its name."),
            stored("lower", &KnownMean::lower, "Bound of the mean."),
            stored("upper", &KnownMean::upper, "Bound of the mean.")};
}

Record<StudyPoint> point_record() {
    const auto option = [](base::FieldOf<SummaryOptions> of) { return of_part(&StudyPoint::options, std::move(of)); };
    return {pairs_field<&StudyPoint::variables>("variables", "Of the grid, with their values."),
            pairs_field<&StudyPoint::lines>("lines", "The system and its workload in words."),
            stored("warnings", &StudyPoint::warnings, "What to know of the results.").or_empty(),
            stored("inputs", &StudyPoint::inputs, "The files that results depend on.", input_record()),
            stored("policies", &StudyPoint::policies, "Those that are compared.", policy_record()).items(1),
            stored("seed", &StudyPoint::seed, "Of the random numbers."),
            stored("first", &StudyPoint::first, "Number of the first replication."),
            stored("replications", &StudyPoint::replications, "How many.").least(1).most(most_replications),
            stored("precision", &StudyPoint::precision, "What ends the replications instead.", precision_record()),
            option(stored("confidence", &SummaryOptions::confidence, "Of intervals.").least(0).most(1).open()),
            option(stored("warm_up", &SummaryOptions::warm_up, "As given; null where it is found.").least(0)),
            option(stored("terminating", &SummaryOptions::terminating, "Whether runs end by themselves.")),
            option(stored("known_mean", &SummaryOptions::known, "A mean that is known otherwise.", mean_record()))};
}

const Record<Study>& study_record() {
    static const Record<Study> record{
        stored("command", &Study::command, "Arguments of `schedproof` that describe it.").or_empty(),
        stored("inputs", &Study::inputs, "The specification of a sweep.", input_record()),
        stored("points", &Study::points, "Systems and policies.", point_record()).items(1)};
    return record;
}

/// Whether its numbers go together: read back, it must not lead to runs or reports that cannot be.
bool is_consistent(const StudyPoint& point) {
    const auto& known = point.options.known;
    return (!known || (known->policy < point.policies.size() && known->lower <= known->upper)) &&
           (!point.precision || point.precision->least <= point.precision->most);
}

Shard slurm_task() {
    const auto variable = [](const char* name, std::optional<std::size_t> otherwise) {
        const char* text = std::getenv(name);
        const auto value = text == nullptr ? otherwise : base::parse_numeral<std::size_t>(text);
        if (!value)
            throw InputError::at_key(
                "--shard", fmt::format("expected to run as a task of a Slurm array, with {} set to a number", name));
        return *value;
    };
    const std::size_t id = variable("SLURM_ARRAY_TASK_ID", {}), count = variable("SLURM_ARRAY_TASK_COUNT", {});
    const std::size_t least = variable("SLURM_ARRAY_TASK_MIN", {}), most = variable("SLURM_ARRAY_TASK_MAX", {});
    const std::size_t step = variable("SLURM_ARRAY_TASK_STEP", 1);
    // Every task of an array with gaps must refuse: were it left to those behind the gap, the others would run, and the
    // parts of the missing ones would be in nobody's hands.
    if (step == 0 || id < least || id > most || (id - least) % step != 0 || (most - least) / step + 1 != count)
        throw InputError::at_key("--shard",
                                 "expected a Slurm array without gaps, as 1-8; of another one say i/n yourself");
    return {(id - least) / step, count};
}

}  // namespace

base::Form study_form() {
    return {"simulation-study",
            "Points, policies and replications that belong together. File study.json of a directory of `simulate "
            "--resume` or "
            "`sweep`.",
            false, study_record().shape()};
}

std::string to_text(const Study& study) {
    base::Json json{{"schema", study_form().schema}, {"version", study.version}};
    json.update(study_record().value(study, false));
    return base::to_text(json, 1) + "\n";
}

Study parse_study(std::string_view text, const std::string& file) {
    const base::Node document = base::parse_json(text, file);
    const base::Cursor root(document, file);
    require_form(root, study_form());
    Study study = study_record().read(root);
    study.version = root.require("version", "a version").text("a version");
    if (!std::all_of(study.points.begin(), study.points.end(), is_consistent))
        throw InputError::in_file(file,
                                  "expected a known mean of a policy of its point, the lower bound first, and a least "
                                  "number of replications that is not above the largest");
    return study;
}

bool same_units(const Study& a, const Study& b) {
    return a.version == b.version && std::equal(a.points.begin(), a.points.end(), b.points.begin(), b.points.end(),
                                                [](const StudyPoint& x, const StudyPoint& y) {
                                                    return x.variables == y.variables && x.inputs == y.inputs &&
                                                           x.policies == y.policies && x.seed == y.seed &&
                                                           x.first == y.first;
                                                });
}

std::string unit_file(const UnitPlace& place) {
    return fmt::format("p{:04}-c{:02}-r{:06}.json", place.point, place.policy, place.replication);
}

std::vector<std::string> unit_command(const StudyPoint& point, const UnitPlace& place) {
    std::vector<std::string> command = point.policies[place.policy].command;
    for (const std::string& word : {std::string("--first"), std::to_string(point.first + place.replication),
                                    std::string("--replications"), std::string("1")})
        command.push_back(word);
    return command;
}

std::optional<std::string> mismatch(const Unit& unit, const Study& study, const UnitPlace& place) {
    const StudyPoint& point = study.points[place.point];
    if (unit.version != study.version) return fmt::format("it is of version {}, not {}", unit.version, study.version);
    if (unit.command != unit_command(point, place))
        return fmt::format("it is of another command, `schedproof {}`", base::command_line(unit.command));
    if (unit.replication.seed != point.seed || unit.replication.number != point.first + place.replication)
        return "it is of another seed or replication";
    if (unit.inputs != point.inputs) return "it was made of other inputs";
    return std::nullopt;
}

Shard parse_shard(const std::string& text) {
    if (text.empty()) return {};
    if (text == "slurm") return slurm_task();
    const std::size_t slash = text.find('/');
    const auto index = base::parse_numeral<std::size_t>(std::string_view(text).substr(0, slash));
    const auto count = slash == std::string::npos
                           ? std::nullopt
                           : base::parse_numeral<std::size_t>(std::string_view(text).substr(slash + 1));
    if (!index || !count || *index < 1 || *index > *count)
        throw InputError::at_key(
            "--shard", fmt::format("expected a part i/n with i from 1 to n, such as 2/8, or slurm, not '{}'", text));
    return {*index - 1, *count};
}

}  // namespace schedproof::runs
