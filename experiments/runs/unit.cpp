/// One replication as a file: exact numbers, its command, and a fingerprint of the text.
///
/// Doubles are written in the shortest decimal form that reads back to the same bits, histograms as runs of counts, so
/// that a unit read back equals the unit that was written. A fingerprint covers everything else in the file, so a file
/// that was cut or altered does not parse. The same unit is the same text everywhere, which makes copies comparable
/// byte by byte.
#include "experiments/runs/unit.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "experiments/runs/json_parts.hpp"
#include "model/base/cursor.hpp"
#include "model/base/sha256.hpp"
#include "model/core/errors.hpp"

namespace schedproof::runs {

namespace {

using base::Cursor;
using nlohmann::ordered_json;
using simulation::Batch;
using simulation::Observation;
using simulation::Quantity;

constexpr const char* unit_schema = "simulation-unit";

/// JSON has no other numbers. The shortest decimal that reads back as the same double is what the library writes.
double finite(double value) {
    if (!std::isfinite(value)) throw Error("a simulator measured a number that is not finite");
    return value;
}

ordered_json to_json(const Quantity& quantity) {
    ordered_json json{
        {"name", quantity.name},
        {"unit", quantity.unit},
        {"distributed", quantity.distributed},
        {"tick", finite(quantity.tick)},
        {"expectation", quantity.expectation ? ordered_json(finite(*quantity.expectation)) : ordered_json(nullptr)}};
    if (!quantity.stationary_if.empty()) json["stationary_if"] = quantity.stationary_if;
    if (quantity.rare) json["rare"] = true;
    return json;
}

Quantity quantity_of(const Cursor& at) {
    Quantity quantity{at.require("name", "a name").text("a name"),
                      at.require("unit", "a unit").text("a unit"),
                      at.require("distributed", "whether it has a distribution").flag("true or false"),
                      at.require("tick", "a width").real("a width"),
                      {}};
    const Cursor expectation = at.require("expectation", "a number or null");
    if (!expectation.is_null()) quantity.expectation = expectation.real("a number or null");
    if (const auto condition = at.find("stationary_if")) quantity.stationary_if = condition->text("a name");
    if (const auto rare = at.find("rare")) quantity.rare = rare->flag("true or false");
    return quantity;
}

/// Tallies as sum, weight, sum, weight; histograms as largest value of a bin, count, and so on.
ordered_json to_json(const Batch& batch) {
    ordered_json tallies = ordered_json::array(), histograms = ordered_json::array();
    for (const simulation::Tally& tally : batch.tallies) {
        tallies.push_back(finite(tally.sum));
        tallies.push_back(finite(tally.weight));
    }
    for (const statistics::Histogram& histogram : batch.histograms) {
        ordered_json bins = ordered_json::array();
        for (const auto& [largest, count] : histogram.bins()) {
            bins.push_back(largest);
            bins.push_back(count);
        }
        histograms.push_back(std::move(bins));
    }
    return {{"tallies", std::move(tallies)}, {"histograms", std::move(histograms)}};
}

Batch batch_of(const Cursor& at) {
    Batch batch;
    const std::vector<double> tallies = at.require("tallies", "sums and weights").reals("sums and weights");
    for (std::size_t i = 0; i + 1 < tallies.size(); i += 2) batch.tallies.push_back({tallies[i], tallies[i + 1]});
    for (const Cursor& item : at.require("histograms", "a list of histograms").items("a list of histograms")) {
        const std::vector<std::uint64_t> bins = item.counts("the bins of a histogram");
        statistics::Histogram histogram;
        for (std::size_t i = 0; i + 1 < bins.size(); i += 2) histogram.add(bins[i], bins[i + 1]);
        batch.histograms.push_back(std::move(histogram));
    }
    return batch;
}

ordered_json to_json(const Observation& observation) {
    ordered_json batches = ordered_json::array();
    for (const Batch& batch : observation.batches) batches.push_back(to_json(batch));
    return {{"batch_length", finite(observation.batch_length)},
            {"work", observation.work},
            {"batches", std::move(batches)}};
}

Observation observation_of(const Cursor& at) {
    Observation observation{
        at.require("batch_length", "a length of time").real("a length of time"), {}, number_of(at, "work")};
    for (const Cursor& batch : at.require("batches", "a list of batches").items("a list of batches"))
        observation.batches.push_back(batch_of(batch));
    return observation;
}

/// A path may hold bytes that are no text; they are replaced, the same ones by the same.
std::string dumped(const ordered_json& json) {
    return json.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

/// Everything but the fingerprint.
ordered_json body_of(const Unit& unit) {
    ordered_json quantities = ordered_json::array();
    for (const Quantity& quantity : unit.quantities) quantities.push_back(to_json(quantity));
    return {{"schema", unit_schema},
            {"version", unit.version},
            {"command", unit.command},
            {"seed", unit.replication.seed},
            {"replication", unit.replication.number},
            {"inputs", inputs_json(unit.inputs)},
            {"time_unit", unit.time_unit},
            {"quantities", std::move(quantities)},
            {"observation", to_json(unit.observation)}};
}

Unit unit_of(const Cursor& root) {
    Unit unit;
    unit.version = root.require("version", "a version").text("a version");
    unit.command = root.require("command", "the words of a command").texts("the words of a command");
    unit.replication = {number_of(root, "seed"), number_of(root, "replication")};
    unit.inputs = inputs_of(root.require("inputs", "a list of inputs"));
    unit.time_unit = root.require("time_unit", "a unit of time").text("a unit of time");
    for (const Cursor& quantity : root.require("quantities", "a list of quantities").items("a list of quantities"))
        unit.quantities.push_back(quantity_of(quantity));
    unit.observation = observation_of(root.require("observation", "what was observed"));
    return unit;
}

/// Whether every batch has what the quantities say.
bool is_whole(const Unit& unit) {
    const auto& batches = unit.observation.batches;
    const bool plain = std::none_of(unit.quantities.begin(), unit.quantities.end(),
                                    [](const Quantity& quantity) { return quantity.distributed; });
    return !unit.quantities.empty() && !batches.empty() && unit.observation.batch_length > 0 &&
           std::all_of(batches.begin(), batches.end(), [&](const Batch& batch) {
               return batch.tallies.size() == unit.quantities.size() &&
                      (batch.histograms.size() == unit.quantities.size() || (plain && batch.histograms.empty()));
           });
}

}  // namespace

std::string to_text(const Unit& unit) {
    ordered_json json = body_of(unit);
    const std::string fingerprint = base::sha256(dumped(json));
    json["sha256"] = fingerprint;
    return dumped(json) + "\n";
}

Unit parse_unit(std::string_view text, const std::string& file) {
    const base::Node document = base::parse_json(text, file);
    const Cursor root(document, file);
    const auto damaged = [&](const char* how) {
        return InputError::in_file(file, std::string("expected a result of `schedproof simulate`, ") + how);
    };
    const auto own = root.find("schema");
    if (!own || !own->is_text() || own->text("") != unit_schema) throw damaged("not another file or a part of one");
    Unit unit = unit_of(root);
    if (base::sha256(dumped(body_of(unit))) != root.require("sha256", "a fingerprint").text("a fingerprint"))
        throw damaged("as it was written; this one has been altered");
    if (!is_whole(unit)) throw damaged("with a batch at least, and in each all of its quantities");
    // What the fingerprint cannot see: blanks, members that nobody reads.
    if (to_text(unit) != text) throw damaged("byte by byte as it is written");
    return unit;
}

std::string command_line(const std::vector<std::string>& words) {
    constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=+./:,@%^";
    std::string line;
    for (const std::string& word : words) {
        if (!line.empty()) line += ' ';
        if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) {
            line += word;
            continue;
        }
        line += '\'';
        for (const char c : word) line += c == '\'' ? std::string("'\\''") : std::string(1, c);
        line += '\'';
    }
    return line;
}

}  // namespace schedproof::runs
