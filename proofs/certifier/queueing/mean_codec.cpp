/// Theorems about means, and their tables, as JSON.
///
/// A table is too long for a text: the certificate names it by its digest, and it lies beside the certificate in a file
/// of that name.
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
constexpr std::array<std::string_view, 8> function_names{"tasks", "waiting", "delay",         "queue",
                                                         "busy",  "tail",    "tasks-squared", "squares"};

std::string function_to_json(const StateFunction& f) {
    std::string text = fmt::format("{{\"kind\": \"{}\"", function_names[static_cast<std::size_t>(f.kind)]);
    if (f.kind == StateFunction::Kind::queue) text += fmt::format(", \"queue\": {}", f.queue.index());
    if (f.kind == StateFunction::Kind::tail) text += fmt::format(", \"above\": {}", f.above);
    if (f.kind == StateFunction::Kind::squares)
        text += ", \"weights\": " + json_list(f.weights, [](std::uint32_t w) { return std::to_string(w); }) +
                ", \"unit\": " + to_json(f.unit);
    return text + "}";
}

StateFunction read_function(const StrictCursor& at) {
    const std::string& kind = at.member("kind").text();
    const auto* name = std::find(function_names.begin(), function_names.end(), kind);
    if (name == function_names.end()) at.member("kind").fail("expected a known function of the state");
    StateFunction f{static_cast<StateFunction::Kind>(name - function_names.begin())};
    const bool squares = f.kind == StateFunction::Kind::squares;
    if (at.has("queue") != (f.kind == StateFunction::Kind::queue) ||
        at.has("above") != (f.kind == StateFunction::Kind::tail) || at.has("weights") != squares ||
        at.has("unit") != squares)
        at.fail(
            "expected 'queue' for the tasks of a queue, 'above' for a tail, 'weights' and 'unit' for squares, and "
            "none of them else");
    if (at.has("queue")) f.queue = QueueId(at.member("queue").index(max_index));
    if (at.has("above")) f.above = at.member("above").index(std::numeric_limits<std::uint32_t>::max());
    if (!squares) return f;
    const StrictCursor weights = at.member("weights");
    for (std::size_t q = 0; q < weights.size(); ++q) f.weights.push_back(weights.item(q).index(max_index));
    f.unit = at.member("unit").number();
    return f;
}

/// A table's file beside the certificate.
struct TableFile {
    std::string digest;  ///< that the certificate names
    std::string name, bytes;
};

TableFile read_table_file(const StrictCursor& table) {
    const std::string& digest = table.text();
    constexpr std::string_view digits = "0123456789abcdef";
    if (digest.size() != 64 || digest.find_first_not_of(digits) != std::string::npos)
        table.fail("expected a SHA-256 digest of 64 lower-case hexadecimal digits");
    const std::filesystem::path beside = std::filesystem::path(table.file()).parent_path() / table_name(digest);
    std::error_code error;
    if (!std::filesystem::is_regular_file(beside, error))
        throw InputError::in_file(
            table.file(), "statement.table",
            fmt::format("expected the table of the certificate beside it, as {}", beside.string()));
    return {digest, beside.string(), base::read_file(beside.string())};
}

}  // namespace

std::string table_name(const std::string& digest) { return digest + ".table"; }

Shape mean_shape() {
    const Shape of = record_shape(
        {member("kind", word_shape({function_names.begin(), function_names.end()}), "The function of the state."),
         optional("queue", index_shape(), "Of kind queue."),
         optional("above", index_shape(), "Of kind tail. Unit: tasks."),
         optional("weights", list_shape(index_shape(), 1), "Of kind squares, by queue."),
         optional("unit", number_shape(), "Of kind squares: what a weight of 1 is. Range: above 0.")});
    Shape weight = index_shape();
    weight.least = 1;
    Shape mean = record_shape(
        {member("of", of, "What the mean is of."), member("v", lyapunov_shape(), "The function V."),
         optional("factor", form_shape(), "Linear in the queues: W = factor times V stands where V does without one."),
         member("kappa", number_shape(), "Factor of V."), member("offset", number_shape(), "Added to kappa V."),
         member("scale", number_shape(), "Denominator of the tables."),
         member("weights", list_shape(weight, 1), "Of the queues in the measure."),
         member("radius", index_shape(), "Largest measure in the tables."),
         member("lower", number_shape(), "Lower bound."), member("upper", number_shape(), "Upper bound."),
         optional("uniform",
                  record_shape({member("eta", number_shape(), "Factor of the measure."),
                                member("bound", number_shape(), "What the form is compared with.")}),
                  "The drift of V is at most bound - eta times the measure at all states; the inequalities outside the "
                  "box follow from it."),
         member("statuses", statuses_shape(), "Of the servers."), empty_member(),
         renamings_member("Of servers and queues, under which the table is the same."),
         member("table", digest_shape(),
                "SHA-256 of the file of the tables, whose name is this with the ending .table.")});
    mean.meaning =
        "Two bounds of a stationary mean: tables on the states of measure up to radius, and kappa V + offset beyond "
        "them. The tables are in a file beside the certificate, named by their digest.";
    return mean;
}

Shape any_policy_shape() {
    Shape bits = index_shape();
    bits.most = queueing::AnyPolicyTheorem::most_bits;
    const auto& modes = queueing::decision_mode_names;
    Shape any_policy = record_shape(
        {member("mode", word_shape({modes.begin(), modes.end()}), "What choices may depend on."),
         member("radius", index_shape(), "Unit: tasks."), member("outside", number_shape(), "Beyond the table."),
         member("bits", bits, "Entries of the table are multiples of 2^-bits."),
         member("lower", number_shape(), "The bound. Unit: tasks."),
         member("table", digest_shape(),
                "SHA-256 of the file of the table, whose name is this with the ending .table.")});
    any_policy.meaning =
        "A lower bound of the mean number of tasks under every policy: a table on the states with up to radius tasks, "
        "and a constant beyond them. The table is in a file beside the certificate, named by its digest.";
    return any_policy;
}

std::string to_json(const MeanTheorem& theorem) {
    const queueing::MeanSetting& setting = theorem.setting;
    return "{\"of\": " + function_to_json(setting.of) + ",\n     \"v\": " + to_json(setting.w.v) +
           (setting.w.factor ? ",\n     \"factor\": " + to_json(*setting.w.factor) : "") +
           ",\n     \"kappa\": " + to_json(setting.kappa) + ", \"offset\": " + to_json(setting.offset) +
           ", \"scale\": " + to_json(Rational(setting.scale)) +
           ",\n     \"weights\": " + json_list(theorem.weights, [](std::uint32_t w) { return std::to_string(w); }) +
           fmt::format(", \"radius\": {}", theorem.radius) + ",\n     \"lower\": " + to_json(theorem.lower) +
           ", \"upper\": " + to_json(theorem.upper) +
           (theorem.uniform ? ",\n     \"uniform\": {\"eta\": " + to_json(theorem.uniform->eta) +
                                  ", \"bound\": " + to_json(theorem.uniform->bound) + "}"
                            : "") +
           ",\n     \"statuses\": " + to_json(theorem.statuses) + empty_to_json(theorem.empty) +
           renamings_to_json(theorem.renamings) + ",\n     \"table\": \"" + theorem.digest + "\"}";
}

MeanTheorem read_mean(const StrictCursor& at) {
    MeanTheorem theorem;
    theorem.setting.of = read_function(at.member("of"));
    theorem.setting.w.v = read_lyapunov(at.member("v"));
    if (at.has("factor")) theorem.setting.w.factor = read_form(at.member("factor"));
    theorem.setting.kappa = at.member("kappa").number();
    theorem.setting.offset = at.member("offset").number();
    const Rational scale = at.member("scale").number();
    if (!scale.is_integer()) at.member("scale").fail("expected an integer");
    theorem.setting.scale = scale.numerator();
    const StrictCursor weights = at.member("weights");
    for (std::size_t q = 0; q < weights.size(); ++q) theorem.weights.push_back(weights.item(q).index(max_index));
    theorem.radius = at.member("radius").index(max_index);
    theorem.lower = at.member("lower").number();
    theorem.upper = at.member("upper").number();
    if (at.has("uniform")) {
        const StrictCursor uniform = at.member("uniform");
        theorem.uniform = {uniform.member("eta").number(), uniform.member("bound").number()};
    }
    theorem.statuses = read_statuses(at.member("statuses"));
    theorem.empty = read_empty(at);
    theorem.renamings = read_renamings(at);
    const TableFile file = read_table_file(at.member("table"));
    theorem.digest = file.digest;
    theorem.table = std::make_shared<const queueing::MeanTable>(queueing::read_table(file.bytes, file.name));
    return theorem;
}

std::string to_json(const queueing::AnyPolicyTheorem& theorem) {
    const std::string_view mode = queueing::decision_mode_names[static_cast<std::size_t>(theorem.mode)];
    return fmt::format(
        "{{\"mode\": \"{}\", \"radius\": {}, \"outside\": {}, \"bits\": {}, \"lower\": {},\n     \"table\": \"{}\"}}",
        mode, theorem.radius, to_json(theorem.outside), theorem.bits, to_json(theorem.lower), theorem.digest);
}

queueing::AnyPolicyTheorem read_any_policy(const StrictCursor& at) {
    queueing::AnyPolicyTheorem theorem;
    const auto& names = queueing::decision_mode_names;
    const auto* mode = std::find(names.begin(), names.end(), at.member("mode").text());
    if (mode == names.end()) at.member("mode").fail("expected \"knows-arrivals\" or \"names-types\"");
    theorem.mode = static_cast<queueing::DecisionMode>(mode - names.begin());
    theorem.radius = at.member("radius").index(max_index);
    theorem.outside = at.member("outside").number();
    theorem.bits = at.member("bits").index(queueing::AnyPolicyTheorem::most_bits);
    theorem.lower = at.member("lower").number();
    const TableFile file = read_table_file(at.member("table"));
    theorem.digest = file.digest;
    theorem.table = std::make_shared<const std::vector<queueing::Fixed>>(
        std::move(queueing::read_columns(file.bytes, file.name, 1).front()));
    return theorem;
}

}  // namespace schedproof::certify
