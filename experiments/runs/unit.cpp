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

#include "model/base/sha256.hpp"
#include "model/core/errors.hpp"

namespace schedproof::runs {

namespace {

using nlohmann::ordered_json;
using simulation::Batch;
using simulation::Observation;
using simulation::Quantity;

constexpr const char* schema = "simulation-unit";

/// JSON has no other numbers. The shortest decimal that reads back as the same double is what the library writes.
double finite(double value) {
    if (!std::isfinite(value)) throw Error("a simulator measured a number that is not finite");
    return value;
}

ordered_json to_json(const Quantity& quantity) {
    return {
        {"name", quantity.name},
        {"unit", quantity.unit},
        {"distributed", quantity.distributed},
        {"tick", finite(quantity.tick)},
        {"expectation", quantity.expectation ? ordered_json(finite(*quantity.expectation)) : ordered_json(nullptr)}};
}

Quantity quantity_of(const ordered_json& json) {
    Quantity quantity{json.at("name"), json.at("unit"), json.at("distributed"), json.at("tick"), {}};
    if (!json.at("expectation").is_null()) quantity.expectation = json.at("expectation").get<double>();
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

Batch batch_of(const ordered_json& json) {
    Batch batch;
    const ordered_json& tallies = json.at("tallies");
    for (std::size_t i = 0; i + 1 < tallies.size(); i += 2)
        batch.tallies.push_back({tallies[i].get<double>(), tallies[i + 1].get<double>()});
    for (const ordered_json& bins : json.at("histograms")) {
        statistics::Histogram histogram;
        for (std::size_t i = 0; i + 1 < bins.size(); i += 2)
            histogram.add(bins[i].get<std::uint64_t>(), bins[i + 1].get<std::uint64_t>());
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

Observation observation_of(const ordered_json& json) {
    Observation observation{json.at("batch_length").get<double>(), {}, json.at("work").get<std::uint64_t>()};
    for (const ordered_json& batch : json.at("batches")) observation.batches.push_back(batch_of(batch));
    return observation;
}

/// A path may hold bytes that are no text; they are replaced, the same ones by the same.
std::string dumped(const ordered_json& json) {
    return json.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

/// Everything but the fingerprint.
ordered_json body_of(const Unit& unit) {
    ordered_json inputs = ordered_json::array(), quantities = ordered_json::array();
    for (const InputFile& input : unit.inputs) inputs.push_back({{"file", input.path}, {"sha256", input.sha256}});
    for (const Quantity& quantity : unit.quantities) quantities.push_back(to_json(quantity));
    return {{"schema", schema},
            {"version", unit.version},
            {"command", unit.command},
            {"seed", unit.replication.seed},
            {"replication", unit.replication.number},
            {"inputs", std::move(inputs)},
            {"time_unit", unit.time_unit},
            {"quantities", std::move(quantities)},
            {"observation", to_json(unit.observation)}};
}

Unit unit_of(const ordered_json& json) {
    Unit unit;
    unit.version = json.at("version");
    unit.command = json.at("command").get<std::vector<std::string>>();
    unit.replication = {json.at("seed").get<std::uint64_t>(), json.at("replication").get<std::uint64_t>()};
    for (const ordered_json& input : json.at("inputs")) unit.inputs.push_back({input.at("file"), input.at("sha256")});
    unit.time_unit = json.at("time_unit");
    for (const ordered_json& quantity : json.at("quantities")) unit.quantities.push_back(quantity_of(quantity));
    unit.observation = observation_of(json.at("observation"));
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
    const std::string fingerprint = input::sha256(dumped(json));
    json["sha256"] = fingerprint;
    return dumped(json) + "\n";
}

Unit parse_unit(std::string_view text, const std::string& file) {
    const auto damaged = [&](const char* how) {
        return InputError({file, 0, ""}, std::string("expected a result of `schedproof simulate`, ") + how);
    };
    ordered_json json = ordered_json::parse(text, nullptr, false);
    try {
        if (!json.is_object() || json.at("schema") != schema) throw damaged("not another file or a part of one");
        const std::string fingerprint = json.at("sha256");
        json.erase("sha256");
        if (input::sha256(dumped(json)) != fingerprint) throw damaged("as it was written; this one has been altered");
        Unit unit = unit_of(json);
        if (!is_whole(unit)) throw damaged("with a batch at least, and in each all of its quantities");
        // What the fingerprint cannot see: blanks, members that nobody reads.
        if (to_text(unit) != text) throw damaged("byte by byte as it is written");
        return unit;
    } catch (const ordered_json::exception&) {
        throw damaged("with all its members");
    }
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
