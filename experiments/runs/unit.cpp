/// One replication as a file: exact numbers, its command, and a fingerprint of the text.
///
/// Doubles are written in the shortest decimal form that reads back to the same bits, histograms as runs of counts, so
/// that a unit read back equals the unit that was written. The fingerprint is that of the bytes before it, so a file
/// that was cut or altered does not parse. The same unit is the same text everywhere, which makes copies comparable
/// byte by byte.
#include "experiments/runs/unit.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "model/base/sha256.hpp"
#include "model/base/stored.hpp"
#include "model/core/errors.hpp"

namespace schedproof::runs {

namespace {

using base::Json;
using base::Record;
using base::stored;
using simulation::Batch;
using simulation::Observation;
using simulation::Quantity;
using Bins = std::vector<std::uint64_t>;

/// Pairs as a list of their numbers in turn, and back.
template <class Number, class Pair>
std::vector<Number> in_turn(const std::vector<Pair>& pairs) {
    std::vector<Number> numbers;
    for (const auto& [first, second] : pairs) numbers.insert(numbers.end(), {first, second});
    return numbers;
}

std::vector<double> tallies_of(const Batch& batch) { return in_turn<double>(batch.tallies); }

void set_tallies(Batch& batch, const std::vector<double>& numbers) {
    for (std::size_t i = 0; i + 1 < numbers.size(); i += 2) batch.tallies.push_back({numbers[i], numbers[i + 1]});
}

std::vector<Bins> histograms_of(const Batch& batch) {
    std::vector<Bins> all;
    for (const statistics::Histogram& histogram : batch.histograms)
        all.push_back(in_turn<std::uint64_t>(histogram.bins()));
    return all;
}

void set_histograms(Batch& batch, const std::vector<Bins>& all) {
    for (const Bins& bins : all) {
        statistics::Histogram& histogram = batch.histograms.emplace_back();
        for (std::size_t i = 0; i + 1 < bins.size(); i += 2) histogram.add(bins[i], bins[i + 1]);
    }
}

Record<Quantity> quantity_record() {
    return {
        stored("name", &Quantity::name, "What is measured."),
        stored("unit", &Quantity::unit, "Its unit."),
        stored("distributed", &Quantity::distributed, "Whether a histogram is kept."),
        stored("tick", &Quantity::tick, "Of the histogram: units per whole number."),
        stored("expectation", &Quantity::expectation, "Its exact mean, where theory knows it."),
        stored(
            "stationary_if",
            [](const Quantity& q) { return q.stationary_if.empty() ? std::nullopt : std::optional(q.stationary_if); },
            [](Quantity& q, std::optional<std::string> name) { q.stationary_if = *std::move(name); },
            "The quantity whose mean is 0 where the exact mean holds.")
            .optional(),
        stored(
            "rare", [](const Quantity& q) { return q.rare ? std::optional(true) : std::nullopt; },
            [](Quantity& q, std::optional<bool> rare) { q.rare = *rare; },
            "Seen so seldom that no warm-up shows in it.")
            .optional()};
}

Record<Observation> observation_record() {
    const Record<Batch> batch{
        stored("tallies", tallies_of, set_tallies, "By quantity its sum and weight."),
        stored("histograms", histograms_of, set_histograms,
               "By quantity the bins that hold something: largest value and count. Empty without distributions.")};
    return {stored("batch_length", &Observation::batch_length, "Of a batch, in the unit of time.").least(0).open(),
            stored("work", &Observation::work, "Tasks, jobs or events simulated."),
            stored("batches", &Observation::batches, "In the order of time.", batch).items(1)};
}

const Record<Unit>& unit_record() {
    static const Record<Unit> record{
        stored("command", &Unit::command, "Arguments of `schedproof` that make this unit alone.").or_empty(),
        of_part(&Unit::replication, stored("seed", &statistics::Replication::seed, "Of the random numbers.")),
        of_part(&Unit::replication, stored("replication", &statistics::Replication::number, "Its number.")),
        stored("inputs", &Unit::inputs, "The files that it depends on.", input_record()),
        stored("time_unit", &Unit::time_unit, "Of batches."),
        stored("quantities", &Unit::quantities, "What is measured.", quantity_record()).items(1),
        stored("observation", &Unit::observation, "What was seen.", observation_record())};
    return record;
}

/// JSON has no other numbers than these.
bool is_finite(const Unit& unit) {
    bool finite = std::isfinite(unit.observation.batch_length);
    for (const Quantity& q : unit.quantities)
        finite = finite && std::isfinite(q.tick) && std::isfinite(q.expectation.value_or(0));
    for (const Batch& batch : unit.observation.batches)
        for (const auto& [sum, weight] : batch.tallies) finite = finite && std::isfinite(sum) && std::isfinite(weight);
    return finite;
}

/// The end of the file, behind the bytes of which it has the fingerprint when closed by a brace.
std::string end_of(std::string_view body) {
    return fmt::format(",\"sha256\":\"{}\"}}\n", base::sha256(std::string(body) + "}"));
}
constexpr std::size_t end_bytes = std::string_view(",\"sha256\":\"\"}\n").size() + 64;

/// Whether every batch has what the quantities say.
bool is_whole(const Unit& unit) {
    const auto& batches = unit.observation.batches;
    const bool plain = std::none_of(unit.quantities.begin(), unit.quantities.end(),
                                    [](const Quantity& quantity) { return quantity.distributed; });
    return std::all_of(batches.begin(), batches.end(), [&](const Batch& batch) {
        return batch.tallies.size() == unit.quantities.size() &&
               (batch.histograms.size() == unit.quantities.size() || (plain && batch.histograms.empty()));
    });
}

}  // namespace

const Record<InputFile>& input_record() {
    static const Record<InputFile> record{stored("file", &InputFile::path, "Its path."),
                                          stored("sha256", &InputFile::sha256, "Its fingerprint.")};
    return record;
}

base::Form unit_form() {
    base::Shape shape = unit_record().shape();
    shape.members.push_back({.name = "sha256",
                             .meaning = "Of the bytes before it, closed by a brace.",
                             .shape = {.pattern = "^[0-9a-f]{64}$"}});
    return {"simulation-unit",
            "One replication of one policy of a study. Files that `simulate --resume` and `sweep` keep.", false, shape};
}

std::string to_text(const Unit& unit) {
    if (!is_finite(unit)) throw Error("a simulator measured a number that is not finite");
    Json json{{"schema", unit_form().schema}, {"version", unit.version}};
    json.update(unit_record().value(unit, false));
    std::string text = base::to_text(json);
    text.pop_back();
    return text + end_of(text);
}

Unit parse_unit(std::string_view text, const std::string& file) {
    const auto damaged = [&](const char* how) {
        return InputError::in_file(file, std::string("expected a result of `schedproof simulate`, ") + how);
    };
    if (!text.starts_with("{\"schema\":\"simulation-unit\",") || text.size() < end_bytes)
        throw damaged("not another file or a part of one");
    const std::string_view body = text.substr(0, text.size() - end_bytes);
    if (!text.ends_with(end_of(body))) throw damaged("as it was written; this one has been altered");
    const base::Node document = base::parse_json(text, file);
    const base::Cursor root(document, file);
    require_form(root, unit_form());
    Unit unit = unit_record().read(root);
    unit.version = root.require("version", "a version").text("a version");
    if (!is_whole(unit)) throw damaged("with all of its quantities in each batch");
    return unit;
}

}  // namespace schedproof::runs
