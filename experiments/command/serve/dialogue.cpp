/// Each kind of question has a word and the keys that it takes; a question is read against these, so that a key of
/// another kind is an error and not passed over. What was read before an error stays in the question: an answer can
/// then repeat its id and its kind.
#include "experiments/command/serve/dialogue.hpp"

#include <fmt/core.h>
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "model/base/cursor.hpp"
#include "model/base/document.hpp"
#include "model/base/nearest.hpp"
#include "model/base/text.hpp"
#include "model/core/errors.hpp"

namespace schedproof::cli {

namespace {

using base::Cursor;

/// A kind of question: its word, and the keys that it takes besides `id`, `ask` and `budget`.
struct Kind {
    Ask ask;
    std::string_view word;
    std::vector<std::string_view> keys;
};

const std::vector<Kind>& kinds() {
    static const std::vector<Kind> all{
        {Ask::capacity, "capacity", {"instance"}},
        {Ask::stable, "stable", {"policy", "values", "instance", "certificate"}},
        {Ask::every_cluster, "every-cluster", {"policy", "values", "levels", "certificate"}},
        {Ask::mean, "mean", {"policy", "values", "instance", "digits", "certificate"}},
        {Ask::counterexample, "counterexample", {"policy", "values", "instance", "claim", "oracle", "certificate"}},
        {Ask::hunt, "hunt", {"policy", "values", "certificate"}},
        {Ask::simulate, "simulate", {"policy", "values", "instance", "slots", "replications", "seed"}}};
    return all;
}

const Kind& kind_of(const Cursor& root) {
    const Cursor at = root.require("ask", "what is asked");
    const std::string& word = at.text("a word in quotes");
    std::vector<std::string_view> words;
    for (const Kind& kind : kinds()) {
        if (kind.word == word) return kind;
        words.push_back(kind.word);
    }
    at.fail(fmt::format("expected one of {}, not {}{}", fmt::join(words, ", "), base::shown(word),
                        base::did_you_mean(word, words)));
}

/// Throws at a key that the kind does not take.
void require_keys(const Cursor& root, const Kind& kind) {
    std::vector<std::string_view> known{"id", "ask", "budget"};
    known.insert(known.end(), kind.keys.begin(), kind.keys.end());
    for (const base::Field& field : root.table("a question"))
        if (std::find(known.begin(), known.end(), field.key) == known.end())
            root.entry(field).fail(fmt::format("expected no such key where \"ask\" is \"{}\"{}", kind.word,
                                               base::did_you_mean(field.key, known)));
}

/// Cells are of explorations, of which a load and a simulation have none.
void read_budget(const Cursor& at, Question& question) {
    at.expect_table("limits: seconds, megabytes, cells");
    at.allow_only({"seconds", "megabytes", "cells"});
    if (const auto cells = at.find("cells"); cells && (question.ask == Ask::capacity || question.ask == Ask::simulate))
        cells->fail(fmt::format("expected no such limit where \"ask\" is \"{}\"", to_string(*question.ask)));
    const auto read = [&](std::string_view key, std::uint64_t most, std::uint64_t& into) {
        if (const auto limit = at.find(key)) into = limit->count(1, most, "an integer");
    };
    read("seconds", 1'000'000, question.seconds);
    read("megabytes", 1'000'000, question.megabytes);
    read("cells", 1'000'000'000, question.cells);
}

}  // namespace

std::string_view to_string(Ask ask) {
    return std::find_if(kinds().begin(), kinds().end(), [&](const Kind& kind) { return kind.ask == ask; })->word;
}

void read_question(std::string_view line, Question& into) {
    static const std::string file = "request";
    const base::Node document = base::parse_document(line, base::Format::json, file);
    const Cursor root(document, file);
    root.expect_table("a question");
    const auto text = [&](std::string_view key, std::string& value) {
        if (const auto at = root.find(key)) value = at->text("a text in quotes");
    };
    const auto count = [&](std::string_view key, std::uint64_t least, std::uint64_t most, std::uint64_t& value) {
        if (const auto at = root.find(key)) value = at->count(least, most, "an integer");
    };
    text("id", into.id);
    const Kind& kind = kind_of(root);
    into.ask = kind.ask;
    require_keys(root, kind);
    const auto takes = [&](std::string_view key) {
        return std::find(kind.keys.begin(), kind.keys.end(), key) != kind.keys.end();
    };
    text("policy", into.policy);
    text("values", into.values);
    text("instance", into.instance);
    text("claim", into.claim);
    text("oracle", into.oracle);
    count("levels", 2, 3, into.levels);
    count("digits", 0, 22, into.digits);
    count("slots", 10, 1'000'000'000, into.slots);
    count("replications", 2, 10'000, into.replications);
    count("seed", 0, std::numeric_limits<std::int64_t>::max(), into.seed);
    if (const auto at = root.find("certificate")) into.certificate = at->flag("true or false");
    if (const auto at = root.find("budget")) read_budget(*at, into);
    for (const char* needed : {"policy", "instance", "claim"})
        if (takes(needed) && root.require(needed, "a text in quotes").text("a text in quotes").empty())
            root.find(needed)->fail("expected a text that is not empty");
}

const Answer<Reply>& serve_reply() {
    static const Record<Sampled> sampled{
        field("quantity", &Sampled::quantity, "What was measured."),
        field("unit", &Sampled::unit, "Its unit.").or_empty(),
        field("mean", &Sampled::mean, "Mean over the replications; null where none was seen."),
        field("half_width", &Sampled::half_width, "Of its 95 % confidence interval; null where there is none.")};
    static const Answer<Reply> answer{
        "serve", "A line of `schedproof serve --stdio`.",
        Record<Reply>{
            field("id", &Reply::id, "That of the request; empty where it had none.").or_empty(),
            field("ask", &Reply::ask, "What was asked; empty where that is not known.").or_empty(),
            field("verdict", &Reply::verdict,
                  "stable, transient, proved, exhausted, survived, refuted, measured, inside, boundary, outside, "
                  "unknown, or error where the request is wrong."),
            field("says", &Reply::says, "The theorem, what was seen, or the reason.").or_empty(),
            field(
                "by", [](const Reply& r) { return if_any(r.by); }, "The argument that settled it."),
            field("why_not", &Reply::why_not, "Arguments that settled nothing, each with its reason."),
            field("load", &Reply::load, "rho* of the instance: above 1 no policy is stable."),
            field("lower", &Reply::lower, "Lower bound on the mean number of tasks. Unit: tasks."),
            field("upper", &Reply::upper, "Upper bound on the mean number of tasks. Unit: tasks."),
            field("sampled", &Reply::sampled, "Sampled means, which prove nothing.", sampled),
            field(
                "instance", [](const Reply& r) { return if_any(r.instance); },
                "Text of the cluster that a hunt found, as TOML; null where none was."),
            field(
                "certificate", [](const Reply& r) { return if_any(r.certificate); },
                "Text of the certificate, for `schedproof certify`; null where none was asked for or found.")},
        false};
    return answer;
}

std::string written(const Reply& reply) {
    Json line{{"schema", serve_reply().schema}, {"version", SCHEDPROOF_VERSION}};
    line.update(serve_reply().record.value(reply, false));
    return to_text(line) + "\n";
}

}  // namespace schedproof::cli
