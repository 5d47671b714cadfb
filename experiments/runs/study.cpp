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
#include <charconv>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "model/core/errors.hpp"

namespace schedproof::runs {

namespace {

using nlohmann::ordered_json;

constexpr const char* schema = "simulation-study";

template <class T>
ordered_json optional(const std::optional<T>& value) {
    return value ? ordered_json(*value) : ordered_json(nullptr);
}

template <class T>
std::optional<T> optional_of(const ordered_json& json) {
    return json.is_null() ? std::nullopt : std::optional<T>(json.get<T>());
}

using Pairs = std::vector<std::pair<std::string, std::string>>;

ordered_json to_json(const Pairs& pairs) {
    ordered_json list = ordered_json::array();
    for (const auto& [name, value] : pairs) list.push_back({name, value});
    return list;
}

Pairs pairs_of(const ordered_json& json) {
    Pairs pairs;
    for (const ordered_json& pair : json) pairs.emplace_back(pair.at(0), pair.at(1));
    return pairs;
}

ordered_json to_json(const std::vector<InputFile>& inputs) {
    ordered_json list = ordered_json::array();
    for (const InputFile& input : inputs) list.push_back({{"file", input.path}, {"sha256", input.sha256}});
    return list;
}

std::vector<InputFile> inputs_of(const ordered_json& json) {
    std::vector<InputFile> inputs;
    for (const ordered_json& input : json) inputs.push_back({input.at("file"), input.at("sha256")});
    return inputs;
}

ordered_json to_json(const StudyPoint& point) {
    ordered_json policies = ordered_json::array();
    for (const StudyPolicy& policy : point.policies)
        policies.push_back({{"label", policy.label},
                            {"command", policy.command},
                            {"parameter", optional(policy.parameter)},
                            {"parameter_name", policy.parameter_name}});
    ordered_json precision = nullptr;
    if (point.precision)
        precision = {{"relative", point.precision->relative},
                     {"least", point.precision->least},
                     {"most", point.precision->most}};
    return {{"variables", to_json(point.variables)},
            {"lines", to_json(point.lines)},
            {"warnings", point.warnings},
            {"inputs", to_json(point.inputs)},
            {"policies", std::move(policies)},
            {"seed", point.seed},
            {"first", point.first},
            {"replications", point.replications},
            {"precision", std::move(precision)},
            {"confidence", point.options.confidence},
            {"warm_up", optional(point.options.warm_up)},
            {"terminating", point.options.terminating}};
}

StudyPoint point_of(const ordered_json& json) {
    StudyPoint point;
    point.variables = pairs_of(json.at("variables"));
    point.lines = pairs_of(json.at("lines"));
    point.warnings = json.at("warnings").get<std::vector<std::string>>();
    point.inputs = inputs_of(json.at("inputs"));
    for (const ordered_json& policy : json.at("policies"))
        point.policies.push_back({policy.at("label"), policy.at("command").get<std::vector<std::string>>(),
                                  optional_of<double>(policy.at("parameter")), policy.at("parameter_name")});
    point.seed = json.at("seed");
    point.first = json.at("first");
    point.replications = json.at("replications");
    if (const ordered_json& precision = json.at("precision"); !precision.is_null())
        point.precision = Precision{precision.at("relative"), precision.at("least"), precision.at("most")};
    point.options = {json.at("confidence"), optional_of<double>(json.at("warm_up")), json.at("terminating")};
    return point;
}

/// Whether it is one that `to_text` may be given: read back, it must not lead to runs or reports that cannot be.
bool in_range(const StudyPoint& point) {
    const SummaryOptions& options = point.options;
    const auto& precision = point.precision;
    return !point.policies.empty() && point.replications >= 1 && point.replications <= most_replications &&
           options.confidence > 0 && options.confidence < 1 && (!options.warm_up || *options.warm_up >= 0) &&
           (!precision || (precision->relative > 0 && precision->least >= 2 && precision->least <= precision->most &&
                           precision->most <= most_replications));
}

std::optional<std::size_t> number(std::string_view text) {
    std::size_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

Shard slurm_task() {
    const auto variable = [](const char* name, std::optional<std::size_t> otherwise) {
        const char* text = std::getenv(name);
        const auto value = text == nullptr ? otherwise : number(text);
        if (!value)
            throw InputError({"", 0, "--shard"},
                             fmt::format("expected to run as a task of a Slurm array, with {} set to a number", name));
        return *value;
    };
    const std::size_t id = variable("SLURM_ARRAY_TASK_ID", {}), count = variable("SLURM_ARRAY_TASK_COUNT", {});
    const std::size_t least = variable("SLURM_ARRAY_TASK_MIN", {}), step = variable("SLURM_ARRAY_TASK_STEP", 1);
    if (id < least || step == 0 || (id - least) % step != 0 || (id - least) / step >= count)
        throw InputError({"", 0, "--shard"},
                         "expected a Slurm array of consecutive tasks; of another one say i/n yourself");
    return {(id - least) / step, count};
}

}  // namespace

std::string to_text(const Study& study) {
    ordered_json points = ordered_json::array();
    for (const StudyPoint& point : study.points) points.push_back(to_json(point));
    const ordered_json json{{"schema", schema},
                            {"version", study.version},
                            {"command", study.command},
                            {"inputs", to_json(study.inputs)},
                            {"points", std::move(points)}};
    return json.dump(1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

Study parse_study(std::string_view text, const std::string& file) {
    const ordered_json json = ordered_json::parse(text, nullptr, false);
    const InputError damaged({file, 0, ""},
                             "expected the study.json that `schedproof` writes into a study's directory");
    try {
        if (!json.is_object() || json.at("schema") != schema) throw damaged;
        Study study{
            json.at("version"), json.at("command").get<std::vector<std::string>>(), inputs_of(json.at("inputs")), {}};
        for (const ordered_json& point : json.at("points")) study.points.push_back(point_of(point));
        if (study.points.empty() || !std::all_of(study.points.begin(), study.points.end(), in_range) ||
            to_text(study) != text)
            throw damaged;
        return study;
    } catch (const ordered_json::exception&) {
        throw damaged;
    }
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
    const auto index = number(std::string_view(text).substr(0, slash));
    const auto count = slash == std::string::npos ? std::nullopt : number(std::string_view(text).substr(slash + 1));
    if (!index || !count || *index < 1 || *index > *count)
        throw InputError({"", 0, "--shard"},
                         fmt::format("expected a part i/n with i from 1 to n, such as 2/8, or slurm, not '{}'", text));
    return {*index - 1, *count};
}

}  // namespace schedproof::runs
