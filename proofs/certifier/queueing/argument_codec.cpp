/// Theorems that carry arithmetic of their own: loads, constants, polynomial identities.
///
/// Values are filled member by member: g++ 12 destroys a half-built aggregate when an initialiser throws.
#include <fmt/core.h>

#include "proofs/certifier/proof_codec.hpp"
#include "proofs/certifier/queueing/theorem_codec.hpp"

namespace schedproof::certify {

namespace {

using capacity::CapacityCertificate;

// Slots are not named.
constexpr const char* events = queueing::timing_words[1];
constexpr const char* interruptions = queueing::timing_words[2];

std::string load_json(const CapacityCertificate& capacity) {
    const auto entry = [](const capacity::Assignment& x) {
        return fmt::format("{{\"type\": {}, \"server\": {}, \"amount\": {}}}", x.type.index(), x.server.index(),
                           to_json(x.amount));
    };
    const auto price = [](const Rational& p) { return to_json(p); };
    return "{\"lower\": " + to_json(capacity.lower) + ", \"upper\": " + to_json(capacity.upper) +
           ",\n      \"decomposition\": " + json_list(capacity.decomposition, entry) +
           ",\n      \"type-price\": " + json_list(capacity.type_price, price) +
           ",\n      \"server-price\": " + json_list(capacity.server_price, price) + "}";
}

CapacityCertificate read_capacity(const StrictCursor& at) {
    CapacityCertificate capacity;
    capacity.lower = at.member("lower").number();
    capacity.upper = at.member("upper").number();
    const StrictCursor entries = at.member("decomposition");
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const StrictCursor entry = entries.item(i);
        capacity::Assignment assignment;
        assignment.type = TaskTypeId(entry.member("type").index(max_index));
        assignment.server = ServerId(entry.member("server").index(max_index));
        assignment.amount = entry.member("amount").number();
        capacity.decomposition.push_back(std::move(assignment));
    }
    capacity.type_price = read_numbers(at.member("type-price"));
    capacity.server_price = read_numbers(at.member("server-price"));
    return capacity;
}

Shape load_shape() {
    const Shape entry = record_shape({member("type", index_shape(), "Number of the task type."),
                                      member("server", index_shape(), "Number of the server."),
                                      member("amount", number_shape(), "Of the type at the server.")});
    return named(
        record_shape({member("lower", number_shape(), "Lower bound."), member("upper", number_shape(), "Upper bound."),
                      member("decomposition", list_shape(entry), "Loads of types at servers."),
                      member("type-price", list_shape(number_shape()), "By type."),
                      member("server-price", list_shape(number_shape()), "By server.")}),
        "load", "Decomposition and prices that certify rho*; types and servers by number.");
}

Shape slack_shape() {
    return named(record_shape({member("routing", index_shape(), "Of routing."),
                               member("serving", index_shape(), "Of serving.")}),
                 "slack", "By how many tasks a decision may miss the best one, for thresholds in the policy's rules.");
}

/// Only where W has a table.
std::string table_json(const std::optional<queueing::QueueTable>& table) {
    if (!table) return "";
    return fmt::format(",\n     \"table\": {{\"queue\": {}, \"increments\": {}}}", table->queue.index(),
                       json_list(table->increments, [](const Rational& step) { return to_json(step); }));
}

queueing::QueueTable read_table(const StrictCursor& at) {
    queueing::QueueTable table;
    table.queue = QueueId(at.member("queue").index(max_index));
    table.increments = read_numbers(at.member("increments"));
    return table;
}

base::Member table_member() {
    return optional("table",
                    named(record_shape({member("queue", index_shape(), "Number of the queue."),
                                        member("increments", list_shape(number_shape(), 1), "The last is repeated.")}),
                          "queue-table", "A function of one queue's length, zero at zero, by its increments."),
                    "What W has besides.");
}

/// Only where W is a least one.
std::string cone_json(const std::optional<queueing::Cone>& cone) {
    if (!cone) return "";
    const auto numbers = [](const std::vector<Rational>& of) {
        return json_list(of, [](const Rational& b) { return to_json(b); });
    };
    return fmt::format(
        ",\n     \"cone\": {{\"beside\": {},\n       \"bounds\": {},\n       \"excluded\": {},\n       \"offset\": {}, "
        "\"start\": {}, \"period\": {}}}",
        json_list(cone->beside, [](const queueing::LyapunovForm& w) { return to_json(w); }),
        json_list(cone->bounds, numbers),
        json_list(cone->excluded, [](const proof::LinearForm& form) { return to_json(form); }), to_json(cone->offset),
        cone->start, cone->period);
}

queueing::Cone read_cone(const StrictCursor& at) {
    queueing::Cone cone;
    const StrictCursor beside = at.member("beside"), bounds = at.member("bounds");
    for (std::size_t j = 0; j < beside.size(); ++j) cone.beside.push_back(read_lyapunov(beside.item(j)));
    for (std::size_t j = 0; j < bounds.size(); ++j) cone.bounds.push_back(read_numbers(bounds.item(j)));
    const StrictCursor excluded = at.member("excluded");
    for (std::size_t i = 0; i < excluded.size(); ++i) cone.excluded.push_back(read_form(excluded.item(i)));
    cone.offset = at.member("offset").number();
    cone.start = at.member("start").index(max_index);
    cone.period = at.member("period").index(max_index);
    return cone;
}

base::Member cone_member() {
    return optional(
        "cone",
        named(record_shape(
                  {member("beside", list_shape(lyapunov_shape()), "The functions that follow the first."),
                   member("bounds", list_shape(list_shape(number_shape()), 1), "By function, the bound of each term."),
                   member("excluded", list_shape(form_shape()), "Forms that are negative where W is at least w0."),
                   member("offset", number_shape(), "Of the heights in the climb."),
                   member("start", index_shape(), "Of the ray, in steps of the climb."),
                   member("period", index_shape(), "Of the ray, in steps.")}),
              "cone", "The least of several functions, all of which grow where all are large."),
        "Where W is the least of several functions, of which `w` is the first.");
}

}  // namespace

Shape transience_shape() {
    return record_shape({member("w", lyapunov_shape(), "The function that grows."), table_member(),
                         member("delta", number_shape(), "Bound of the drift."),
                         member("threshold", number_shape(), "Where the bound begins."),
                         member("jump", number_shape(), "Largest change in a slot."),
                         member("statuses", statuses_shape(), "Of the servers."), empty_member(),
                         optional("modes", list_shape(number_shape()), "Of a proof by modes, the bound of each term."),
                         cone_member(), member("load", load_shape(), "Of the cluster.")});
}

Shape max_weight_shape() {
    return record_shape(
        {member("load", load_shape(), "Of the cluster."), member("delta", number_shape(), "Bound of the drift."),
         member("slack", slack_shape(), "Of decisions."), member("slope", number_shape(), "Growth beyond the values."),
         member("constant", number_shape(), "Of the bound."),
         member("coverage", number_shape(), "Of the servers by the types."),
         member("lemmas", lemmas_shape(), "Their identities.")});
}

Shape regret_shape() {
    Shape rates = index_shape();
    rates.least = 1, rates.most = 2;
    return record_shape({member("tasks", number_shape(),
                                "n of n / gamma^2, by which work over the rate may exceed kappa times the least."),
                         optional("ratio", number_shape(), "A factor of kappa; 1 without."),
                         optional("rates", rates, "So many factors alpha / gamma of kappa; none without.")});
}

std::string to_json(const queueing::RegretTheorem& theorem) {
    std::string text = "{\"tasks\": " + to_json(theorem.tasks);
    if (theorem.ratio != Rational(1)) text += ", \"ratio\": " + to_json(theorem.ratio);
    if (theorem.rates > 0) text += ", \"rates\": " + std::to_string(theorem.rates);
    return text + "}";
}

queueing::RegretTheorem read_regret(const StrictCursor& at) {
    queueing::RegretTheorem theorem{at.member("tasks").number()};
    if (at.has("ratio")) theorem.ratio = at.member("ratio").number();
    if (at.has("rates")) theorem.rates = at.member("rates").index(2);
    return theorem;
}

Shape uniform_shape() {
    Shape levels = index_shape();
    levels.least = 2, levels.most = 3;
    return record_shape(
        {member("levels", levels, "How many."), member("slack", slack_shape(), "Of decisions."),
         member("lemmas", lemmas_shape(), "Their identities."),
         optional("time", word_shape({events, interruptions}),
                  "Continuous time, where tasks run to their end or are interrupted; slots if absent.")});
}

std::string to_json(const queueing::TransienceTheorem& theorem) {
    return "{\"w\": " + to_json(theorem.w) + table_json(theorem.table) +
           ",\n     \"delta\": " + to_json(theorem.delta) + ", \"threshold\": " + to_json(theorem.threshold) +
           ", \"jump\": " + to_json(theorem.jump) + ",\n     \"statuses\": " + to_json(theorem.statuses) +
           empty_to_json(theorem.empty) +
           (theorem.modes
                ? ",\n     \"modes\": " + json_list(*theorem.modes, [](const Rational& b) { return to_json(b); })
                : "") +
           cone_json(theorem.cone) + ",\n     \"load\": " + load_json(theorem.capacity) + "}";
}

queueing::TransienceTheorem read_transience(const StrictCursor& at) {
    queueing::TransienceTheorem theorem;
    theorem.w = read_lyapunov(at.member("w"));
    if (at.has("table")) theorem.table = read_table(at.member("table"));
    theorem.delta = at.member("delta").number();
    theorem.threshold = at.member("threshold").number();
    theorem.jump = at.member("jump").number();
    theorem.statuses = read_statuses(at.member("statuses"));
    theorem.empty = read_empty(at);
    if (at.has("modes")) theorem.modes = read_numbers(at.member("modes"));
    if (at.has("cone")) theorem.cone = read_cone(at.member("cone"));
    theorem.capacity = read_capacity(at.member("load"));
    return theorem;
}

namespace {

std::string slack_json(const queueing::Slack& slack) {
    return fmt::format("{{\"routing\": {}, \"serving\": {}}}", slack.routing, slack.serving);
}
queueing::Slack read_slack(const StrictCursor& at) {
    return {at.member("routing").index(max_index), at.member("serving").index(max_index)};
}

}  // namespace

std::string to_json(const queueing::MaxWeightTheorem& theorem) {
    return "{\"load\": " + load_json(theorem.capacity) + ",\n     \"delta\": " + to_json(theorem.delta) +
           ", \"slack\": " + slack_json(theorem.slack) + ", \"slope\": " + to_json(theorem.bound.slope) +
           ", \"constant\": " + to_json(theorem.bound.constant) + ", \"coverage\": " + to_json(theorem.bound.coverage) +
           ",\n     \"lemmas\": " + to_json(theorem.lemmas) + "}";
}

queueing::MaxWeightTheorem read_max_weight(const StrictCursor& at) {
    queueing::MaxWeightTheorem theorem;
    theorem.capacity = read_capacity(at.member("load"));
    theorem.delta = at.member("delta").number();
    theorem.slack = read_slack(at.member("slack"));
    theorem.bound.slope = at.member("slope").number();
    theorem.bound.constant = at.member("constant").number();
    theorem.bound.coverage = at.member("coverage").number();
    theorem.lemmas = read_lemmas(at.member("lemmas"));
    return theorem;
}

std::string to_json(const queueing::UniformTheorem& theorem) {
    return fmt::format("{{\"levels\": {}, \"slack\": {},\n     \"lemmas\": ", theorem.levels,
                       slack_json(theorem.slack)) +
           to_json(theorem.lemmas) +
           (theorem.timing == queueing::Timing::slots
                ? "}"
                : fmt::format(",\n     \"time\": \"{}\"}}",
                              theorem.timing == queueing::Timing::events ? events : interruptions));
}

queueing::UniformTheorem read_uniform(const StrictCursor& at) {
    queueing::UniformTheorem theorem;
    theorem.levels = at.member("levels").index(max_index);
    theorem.slack = read_slack(at.member("slack"));
    theorem.lemmas = read_lemmas(at.member("lemmas"));
    if (at.has("time")) {
        const StrictCursor time = at.member("time");
        const std::string word = time.text();
        if (word != events && word != interruptions)
            time.fail(std::string("expected \"") + events + "\" or \"" + interruptions + "\"");
        theorem.timing = word == events ? queueing::Timing::events : queueing::Timing::interruptions;
    }
    return theorem;
}

}  // namespace schedproof::certify
