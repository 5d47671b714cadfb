#include <fmt/core.h>

#include <filesystem>

#include "model/base/numeral.hpp"
#include "model/base/text.hpp"
#include "model/core/errors.hpp"
#include "proofs/certifier/proof_codec.hpp"
#include "proofs/certifier/queueing/theorem_codec.hpp"

namespace schedproof::certify {

using queueing::MeanTheorem;
using queueing::StateFunction;

namespace {

/// By kind of function.
constexpr std::array<std::string_view, 6> function_names{"tasks", "waiting", "delay", "queue", "busy", "tail"};

std::string to_json(const StateFunction& f) {
    std::string text = fmt::format("{{\"kind\": \"{}\"", function_names[static_cast<std::size_t>(f.kind)]);
    if (f.kind == StateFunction::Kind::queue) text += fmt::format(", \"queue\": {}", f.queue.index());
    if (f.kind == StateFunction::Kind::tail) text += fmt::format(", \"above\": {}", f.above);
    return text + "}";
}

StateFunction read_function(const Spot& at) {
    at.members({"kind"}, {"queue", "above"});
    const std::string& kind = at.member("kind").text();
    const auto* name = std::find(function_names.begin(), function_names.end(), kind);
    if (name == function_names.end()) at.member("kind").fail("expected a known function of the state");
    StateFunction f{static_cast<StateFunction::Kind>(name - function_names.begin())};
    if (at.has("queue") != (f.kind == StateFunction::Kind::queue) ||
        at.has("above") != (f.kind == StateFunction::Kind::tail))
        at.fail("expected 'queue' for the tasks of a queue, 'above' for a tail, and neither else");
    if (at.has("queue")) f.queue = QueueId(at.member("queue").index(max_index));
    if (at.has("above")) f.above = at.member("above").index(std::numeric_limits<std::uint32_t>::max());
    return f;
}

}  // namespace

std::string table_name(const std::string& digest) { return digest + ".table"; }

std::string to_json(const MeanTheorem& theorem) {
    const queueing::MeanSetting& setting = theorem.setting;
    return "{\"of\": " + to_json(setting.of) + ",\n     \"v\": " + to_json(setting.w) +
           ",\n     \"kappa\": " + to_json(setting.kappa) + ", \"offset\": " + to_json(setting.offset) +
           ", \"scale\": " + to_json(Rational(setting.scale)) +
           ",\n     \"weights\": " + json_list(theorem.weights, [](std::uint32_t w) { return std::to_string(w); }) +
           fmt::format(", \"radius\": {}", theorem.radius) + ",\n     \"lower\": " + to_json(theorem.lower) +
           ", \"upper\": " + to_json(theorem.upper) + ",\n     \"statuses\": " + to_json(theorem.statuses) +
           ",\n     \"table\": \"" + theorem.digest + "\"}";
}

MeanTheorem read_mean(const Spot& at) {
    at.members({"of", "v", "kappa", "offset", "scale", "weights", "radius", "lower", "upper", "statuses", "table"});
    MeanTheorem theorem;
    theorem.setting.of = read_function(at.member("of"));
    theorem.setting.w = read_lyapunov(at.member("v"));
    theorem.setting.kappa = at.member("kappa").number();
    theorem.setting.offset = at.member("offset").number();
    const Rational scale = at.member("scale").number();
    if (!scale.is_integer()) at.member("scale").fail("expected an integer");
    theorem.setting.scale = scale.numerator();
    const Spot weights = at.member("weights");
    for (std::size_t q = 0; q < weights.size(); ++q) theorem.weights.push_back(weights.item(q).index(max_index));
    theorem.radius = at.member("radius").index(max_index);
    theorem.lower = at.member("lower").number();
    theorem.upper = at.member("upper").number();
    theorem.statuses = read_statuses(at.member("statuses"));
    const Spot table = at.member("table");
    theorem.digest = table.text();
    constexpr std::string_view digits = "0123456789abcdef";
    if (theorem.digest.size() != 64 || theorem.digest.find_first_not_of(digits) != std::string::npos)
        table.fail("expected a SHA-256 digest of 64 lower-case hexadecimal digits");
    const std::filesystem::path beside = std::filesystem::path(at.file()).parent_path() / table_name(theorem.digest);
    std::error_code error;
    if (!std::filesystem::is_regular_file(beside, error))
        table.fail(fmt::format("expected the table of the certificate beside it, in {}", beside.string()));
    theorem.table = std::make_shared<const queueing::MeanTable>(
        queueing::read_table(base::read_file(beside.string()), beside.string()));
    return theorem;
}

}  // namespace schedproof::certify
