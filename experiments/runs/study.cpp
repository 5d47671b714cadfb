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
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "experiments/runs/json_parts.hpp"
#include "model/base/cursor.hpp"
#include "model/base/numeral.hpp"
#include "model/core/errors.hpp"

namespace schedproof::runs {

namespace {

using base::Cursor;
using nlohmann::ordered_json;

constexpr const char* study_schema = "simulation-study";

template <class T>
ordered_json optional(const std::optional<T>& value) {
    return value ? ordered_json(*value) : ordered_json(nullptr);
}

std::optional<double> optional_real(const Cursor& at) {
    return at.is_null() ? std::nullopt : std::optional(at.real("a number or null"));
}

using Pairs = std::vector<std::pair<std::string, std::string>>;

ordered_json to_json(const Pairs& pairs) {
    ordered_json list = ordered_json::array();
    for (const auto& [name, value] : pairs) list.push_back({name, value});
    return list;
}

Pairs pairs_of(const Cursor& at) {
    Pairs pairs;
    for (const Cursor& pair : at.items("a list of pairs")) {
        const std::vector<std::string> words = pair.texts("a pair");
        if (words.size() != 2) pair.fail("expected a name and a value");
        pairs.emplace_back(words[0], words[1]);
    }
    return pairs;
}

ordered_json to_json(const StudyPoint& point) {
    ordered_json policies = ordered_json::array();
    for (const StudyPolicy& policy : point.policies)
        policies.push_back({{"label", policy.label},
                            {"command", policy.command},
                            {"parameter", optional(policy.parameter)},
                            {"parameter_name", policy.parameter_name},
                            {"definition", policy.definition}});
    ordered_json precision = nullptr;
    if (point.precision)
        precision = {{"relative", point.precision->relative},
                     {"least", point.precision->least},
                     {"most", point.precision->most}};
    ordered_json known = nullptr;
    if (const auto& mean = point.options.known)
        known = {
            {"policy", mean->policy}, {"quantity", mean->quantity}, {"lower", mean->lower}, {"upper", mean->upper}};
    return {{"variables", to_json(point.variables)},
            {"lines", to_json(point.lines)},
            {"warnings", point.warnings},
            {"inputs", inputs_json(point.inputs)},
            {"policies", std::move(policies)},
            {"seed", point.seed},
            {"first", point.first},
            {"replications", point.replications},
            {"precision", std::move(precision)},
            {"confidence", point.options.confidence},
            {"warm_up", optional(point.options.warm_up)},
            {"terminating", point.options.terminating},
            {"known_mean", std::move(known)}};
}

StudyPolicy policy_of(const Cursor& at) {
    return {at.require("label", "a label").text("a label"),
            at.require("command", "the words of a command").texts("the words of a command"),
            optional_real(at.require("parameter", "a number or null")),
            at.require("parameter_name", "a name").text("a name"),
            at.require("definition", "a policy's definition").text("a policy's definition")};
}

StudyPoint point_of(const Cursor& at) {
    StudyPoint point;
    point.variables = pairs_of(at.require("variables", "a list of pairs"));
    point.lines = pairs_of(at.require("lines", "a list of pairs"));
    point.warnings = at.require("warnings", "a list of texts").texts("a list of texts");
    point.inputs = inputs_of(at.require("inputs", "a list of inputs"));
    for (const Cursor& policy : at.require("policies", "a list of policies").items("a list of policies"))
        point.policies.push_back(policy_of(policy));
    point.seed = number_of(at, "seed");
    point.first = number_of(at, "first");
    point.replications = number_of(at, "replications");
    if (const Cursor precision = at.require("precision", "a table or null"); !precision.is_null()) {
        precision.expect_table("a table or null");
        point.precision = Precision{precision.require("relative", "a number").real("a number"),
                                    number_of(precision, "least"), number_of(precision, "most")};
    }
    point.options = {at.require("confidence", "a number").real("a number"),
                     optional_real(at.require("warm_up", "a number or null")),
                     at.require("terminating", "true or false").flag("true or false")};
    if (const Cursor known = at.require("known_mean", "a table or null"); !known.is_null()) {
        known.expect_table("a table or null");
        point.options.known = KnownMean{
            static_cast<std::size_t>(number_of(known, "policy")), known.require("quantity", "a name").text("a name"),
            known.require("lower", "a number").real("a number"), known.require("upper", "a number").real("a number")};
    }
    return point;
}

/// Whether it is one that `to_text` may be given: read back, it must not lead to runs or reports that cannot be.
bool in_range(const StudyPoint& point) {
    const SummaryOptions& options = point.options;
    const auto& precision = point.precision;
    return !point.policies.empty() && point.replications >= 1 && point.replications <= most_replications &&
           options.confidence > 0 && options.confidence < 1 && (!options.warm_up || *options.warm_up >= 0) &&
           (!options.known ||
            (options.known->policy < point.policies.size() && options.known->lower <= options.known->upper)) &&
           (!precision || (precision->relative > 0 && precision->least >= 2 && precision->least <= precision->most &&
                           precision->most <= most_replications));
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
    const std::size_t least = variable("SLURM_ARRAY_TASK_MIN", {}), step = variable("SLURM_ARRAY_TASK_STEP", 1);
    if (id < least || step == 0 || (id - least) % step != 0 || (id - least) / step >= count)
        throw InputError::at_key("--shard",
                                 "expected a Slurm array of consecutive tasks; of another one say i/n yourself");
    return {(id - least) / step, count};
}

}  // namespace

std::string to_text(const Study& study) {
    ordered_json points = ordered_json::array();
    for (const StudyPoint& point : study.points) points.push_back(to_json(point));
    const ordered_json json{{"schema", study_schema},
                            {"version", study.version},
                            {"command", study.command},
                            {"inputs", inputs_json(study.inputs)},
                            {"points", std::move(points)}};
    return json.dump(1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

Study parse_study(std::string_view text, const std::string& file) {
    const base::Node document = base::parse_json(text, file);
    const Cursor root(document, file);
    const auto damaged =
        InputError::in_file(file, "expected the study.json that `schedproof` writes into a study's directory");
    const auto own = root.find("schema");
    if (!own || !own->is_text() || own->text("") != study_schema) throw damaged;
    Study study{root.require("version", "a version").text("a version"),
                root.require("command", "the words of a command").texts("the words of a command"),
                inputs_of(root.require("inputs", "a list of inputs")),
                {}};
    for (const Cursor& point : root.require("points", "a list of points").items("a list of points"))
        study.points.push_back(point_of(point));
    if (study.points.empty() || !std::all_of(study.points.begin(), study.points.end(), in_range) ||
        to_text(study) != text)
        throw damaged;
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
        return fmt::format("it is of another command, `schedproof {}`", command_line(unit.command));
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
