/// A reproduced figure in JSON and in words.
///
/// JSON holds every comparison with its interval and its bounds; the text shows one for each claim, the first that
/// comes out as the whole claim does, with the mean to the digits that its interval supports. Bounds that a comparison
/// does not have are left out, and what no run has seen is null.
#include "experiments/command/reproduce/figure_answer.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace schedproof::cli {

namespace {

using reproduction::Assessment;
using reproduction::Truth;

const std::vector<std::string> truths{"holds", "fails", "open"},
    figure_verdicts{"reproduced", "not reproduced", "depends on an unstated parameter", "inconclusive"};

std::optional<double> finite(double value) { return std::isfinite(value) ? std::optional(value) : std::nullopt; }

const Record<reproduction::Comparison>& comparison_record() {
    using C = reproduction::Comparison;
    static const Record<C> record =
        Record<C>{field("what", &C::what, "What is compared, such as `fair+r minus srpt+r at 2.5`."),
                  field(
                      "value", [](const C& c) { return finite(c.estimate.mean); },
                      "Mean over the replications; null where none saw it."),
                  field(
                      "half_width",
                      [](const C& c) { return c.estimate.half_width ? finite(*c.estimate.half_width) : std::nullopt; },
                      "Of the interval; null for a single run, 0 for what was computed exactly.")
                      .least(0),
                  field("above", &C::above, "It is to be above; absent: no such bound.").optional(),
                  field("below", &C::below, "It is to be below; absent: no such bound.").optional(),
                  field(
                      "truth", [](const C& c) { return word(c.truth); },
                      "Whether the whole interval keeps the bounds, lies beyond one, or neither.")
                      .words(truths)}
            .named("comparison", "An estimate, and what it is held against.");
    return record;
}

/// What a thing that holds an assessment says of it. `assessment` is the way there.
template <class T>
std::vector<FieldOf<T>> assessment_fields(const Assessment& (*assessment)(const T&)) {
    return {field(
                "truth", [assessment](const T& of) { return word(assessment(of).truth); },
                "Of the statements with the values taken: all hold, one fails, or neither is decided.")
                .words(truths),
            field(
                "comparisons", [assessment](const T& of) { return assessment(of).comparisons; },
                "What the statements come to.", comparison_record())
                .items(1)};
}

template <class T>
Record<T> joined_record(std::vector<FieldOf<T>> fields, const std::vector<FieldOf<T>>& more) {
    fields.insert(fields.end(), more.begin(), more.end());
    return Record<T>(fields);
}

Record<AssessedClaim> assessed_record() {
    using C = AssessedClaim;
    using O = AssessedClaim::Other;
    const Record<O> other =
        joined_record<O>({field("parameter", &O::parameter, "The parameter that the paper leaves out."),
                          field("taken", &O::taken, "The other choice.")},
                         assessment_fields<O>([](const O& o) -> const Assessment& { return o.assessment; }));
    std::vector<FieldOf<C>> fields{
        field(
            "id", [](const C& c) { return c.claim->id; }, "Of the claim, within its figure."),
        field(
            "place", [](const C& c) { return c.claim->place; }, "Where it stands in the paper."),
        field(
            "says", [](const C& c) { return c.claim->says; }, "What the paper says."),
        field(
            "interpretation", [](const C& c) { return if_any(c.claim->interpretation); },
            "How the words were made statements; null where they are plain."),
        field(
            "verdict", [](const C& c) { return name_of(c.verdict); }, "Found.")
            .words(figure_verdicts),
        field(
            "expected", [](const C& c) { return name_of(c.expected); }, "Expected at this scale.")
            .words(figure_verdicts),
        field("as_expected", &C::as_expected, "Whether they are the same.")};
    const auto assessed = assessment_fields<C>([](const C& c) -> const Assessment& { return c.assessment; });
    fields.insert(fields.end(), assessed.begin(), assessed.end());
    fields.push_back(
        field("sensitivity", &C::others, "The same with each alternative that shows what the claim is about.", other));
    return Record<C>(fields);
}

/// What a thing that holds a figure says of it first. `figure` is the way there.
template <class T>
std::vector<FieldOf<T>> identity_fields(const FigureDeclaration& (*figure)(const T&)) {
    const auto text = [figure](const char* name, std::string FigureDeclaration::*of, const char* meaning) {
        return field(
            name, [figure, of](const T& t) { return figure(t).*of; }, meaning);
    };
    return {text("id", &FigureDeclaration::id, "Of the figure."),
            text("paper", &FigureDeclaration::paper, "Key of the bibliography."),
            text("number", &FigureDeclaration::number, "In the paper."),
            text("title", &FigureDeclaration::title, "What it shows."),
            text("place", &FigureDeclaration::place, "Where the paper speaks of it."),
            field(
                "note", [figure](const T& t) { return if_any(figure(t).note); }, "What to know of it."),
            field(
                "declaration", [figure](const T& t) { return figure(t).file.path; }, "The file that declares it."),
            field(
                "declaration_sha256", [figure](const T& t) { return figure(t).file.sha256; }, "Of that file.")
                .pattern("^[0-9a-f]{64}$"),
            field(
                "assumptions", [figure](const T& t) { return figure(t).assumptions; }, "What the paper leaves out.",
                assumption_record())};
}

Record<FigureOf> figure_record() {
    using F = FigureOf;
    return joined_record<F>(
        identity_fields<F>([](const F& f) -> const FigureDeclaration& { return f.reproduced.figure; }),
        {field(
             "scale", [](const F& f) { return f.request.full ? "full" : "quick"; },
             "How long and how often it was run.")
             .words({"quick", "full"}),
         field(
             "confidence", [](const F& f) { return f.reproduced.figure.confidence; },
             "With which all intervals of a claim hold at once.")
             .least(0)
             .most(1)
             .open(),
         field(
             "replications", [](const F& f) { return f.reproduced.settings.front().replications; }, "Of each point."),
         field(
             "claims", [](const F& f) { return f.reproduced.claims; }, "In the order of the declaration.",
             assessed_record()),
         field(
             "files", [](const F& f) { return f.reproduced.files; }, "Files of the figure, in its folder.")});
}

/// Lines of at most this many characters below each other, indented.
std::string wrapped(const std::string& text, std::size_t indent) {
    constexpr std::size_t width = 118;
    std::string result, line(indent, ' ');
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t end = std::min(text.find(' ', i), text.size());
        const std::string next = text.substr(i, end - i);
        if (line.size() > indent && line.size() + 1 + next.size() > width) {
            result += line + "\n";
            line.assign(indent, ' ');
        }
        line += (line.size() > indent ? " " : "") + next;
        i = end + 1;
    }
    return result + line + "\n";
}

/// Of each way in which choices turn a verdict at most two, and how many more there are.
std::string why_otherwise(const AssessedClaim& claim) {
    const bool open_to_others =
        claim.verdict == reproduction::Verdict::inconclusive && claim.assessment.truth == Truth::fails;
    if (claim.verdict != reproduction::Verdict::depends && !open_to_others) return "";
    constexpr std::size_t most = 2;
    std::string text;
    std::size_t left = 0;
    for (const Truth truth : {Truth::holds, Truth::fails, Truth::open}) {
        std::size_t shown = 0;
        for (const AssessedClaim::Other* other : otherwise(claim)) {
            if (other->assessment.truth != truth) continue;
            if (++shown > most)
                ++left;
            else
                text += wrapped(fmt::format("{}: {}: {}: {}", other->parameter, other->taken, word(truth),
                                            to_text(telling(other->assessment))),
                                18);
        }
    }
    return left == 0 ? text : text + wrapped(fmt::format("{} more such choices: claims.json", left), 18);
}

}  // namespace

const char* word(Truth truth) { return truth == Truth::holds ? "holds" : truth == Truth::fails ? "fails" : "open"; }

const reproduction::Comparison& telling(const Assessment& assessment) {
    for (const reproduction::Comparison& comparison : assessment.comparisons)
        if (comparison.truth == assessment.truth) return comparison;
    return assessment.comparisons.front();
}

std::vector<const AssessedClaim::Other*> otherwise(const AssessedClaim& claim) {
    std::vector<const AssessedClaim::Other*> found;
    for (const AssessedClaim::Other& other : claim.others) {
        const Truth truth = other.assessment.truth;
        if (truth == claim.assessment.truth) continue;
        if (claim.verdict != reproduction::Verdict::depends || truth != Truth::open) found.push_back(&other);
    }
    return found;
}

std::string to_text(const statistics::Estimate& estimate) {
    const auto& half = estimate.half_width;
    if (!half || *half <= 1e-12 * std::abs(estimate.mean)) return fmt::format("{:.5g}", estimate.mean);
    const int digits = std::clamp(1 - static_cast<int>(std::floor(std::log10(*half))), 0, 12);
    return fmt::format("{:.{}f} +- {:.{}f}", estimate.mean, digits, *half, digits);
}

std::string to_text(const reproduction::Comparison& comparison) {
    std::string text = comparison.what + ": ";
    if (!std::isfinite(comparison.estimate.mean)) return text + "not seen";
    text += to_text(comparison.estimate);
    if (!comparison.estimate.half_width) text += ", a single run";
    if (comparison.above && comparison.below)
        return text + fmt::format(", to be between {:g} and {:g}", *comparison.above, *comparison.below);
    return text + (comparison.above ? fmt::format(", to be above {:g}", *comparison.above)
                                    : fmt::format(", to be below {:g}", *comparison.below));
}

const Record<Assumption>& assumption_record() {
    using A = Assumption;
    static const Record<A> record{field("parameter", &A::parameter, "What the paper leaves out."),
                                  field("taken", &A::taken, "What is taken for it."),
                                  field(
                                      "alternatives",
                                      [](const A& a) {
                                          std::vector<std::string> taken;
                                          for (const Alternative& alternative : a.alternatives)
                                              taken.push_back(alternative.taken);
                                          return taken;
                                      },
                                      "What else was run.")};
    return record;
}

const std::vector<std::string>& figure_verdict_names() { return figure_verdicts; }

const Answer<FigureOf>& figure_file() {
    static const Answer<FigureOf> file{
        "reproduced-figure",
        "Verdicts on what is said of a figure, and what they rest on. Written by `schedproof reproduce`.",
        figure_record(), false};
    return file;
}

const Answer<ReproduceAnswer>& reproduce_answer() {
    using A = ReproduceAnswer;
    static const Answer<A> answer{
        "reproduce", "What came out of the figures that were run. Answer of `schedproof reproduce --format json`.",
        Record<A>{field("figures", &A::figures, "In the order of the run.", figure_record()).items(1),
                  field("folder", &A::folder, "Directory of the results.")}
            .told_by([](const A& a) {
                std::string text;
                for (const FigureOf& figure : a.figures) text += to_text(figure.reproduced, figure.request);
                return text + a.summary;
            })};
    return answer;
}

std::string to_text(const ReproducedFigure& reproduced, const ReproduceRequest& request) {
    const FigureDeclaration& figure = reproduced.figure;
    const std::size_t runs = reproduced.settings.front().replications;
    std::string text = fmt::format("{}  {} of {}: {} ({}, {} replication{})\n", figure.id, figure.number, figure.paper,
                                   figure.title, request.full ? "full" : "quick", runs, runs == 1 ? "" : "s");
    for (const AssessedClaim& claim : reproduced.claims) {
        text += fmt::format("  {:<15} {}{}\n", name_of(claim.verdict), claim.claim->id,
                            claim.as_expected() ? "" : fmt::format("   NOT AS EXPECTED: {}", name_of(claim.expected)));
        text += wrapped(to_text(telling(claim.assessment)), 18);
        text += why_otherwise(claim);
    }
    return text;
}

const Answer<FigureList>& figure_list() {
    /// A claim, and the figure that knows what is expected of it.
    struct ClaimOf {
        const FigureDeclaration& figure;
        const FigureClaim& claim;
    };
    using C = ClaimOf;
    const auto expected = [](const char* name, bool quick, const char* meaning) {
        return field(
                   name, [quick](const C& c) { return name_of(c.figure.expected(c.claim, quick)); }, meaning)
            .words(figure_verdicts);
    };
    const Record<C> claim{field(
                              "id", [](const C& c) { return c.claim.id; }, "Of the claim, within its figure."),
                          field(
                              "place", [](const C& c) { return c.claim.place; }, "Where it stands in the paper."),
                          field(
                              "says", [](const C& c) { return c.claim.says; }, "What the paper says."),
                          expected("expected", false, "At full scale."),
                          expected("expected_quick", true, "At quick scale.")};
    using F = FigureDeclaration;
    static const Answer<FigureList> answer{
        "reproduce-list", "The figures that there are. Answer of `schedproof reproduce --list --format json`.",
        Record<FigureList>{field("figures", &FigureList::figures, "By paper.",
                                 joined_record<F>(identity_fields<F>([](const F& f) -> const F& { return f; }),
                                                  {field(
                                                      "claims",
                                                      [](const F& f) {
                                                          std::vector<C> claims;
                                                          for (const FigureClaim& one : f.claims)
                                                              claims.push_back({f, one});
                                                          return claims;
                                                      },
                                                      "In the order of the declaration.", claim)}))
                               .items(1)}
            .told_by([](const FigureList& list) {
                std::string text;
                for (const F& figure : list.figures) text += to_text(figure);
                return text;
            })};
    return answer;
}

std::string to_text(const FigureDeclaration& figure) {
    return fmt::format("{:<22} {:<24} {}\n", figure.id, fmt::format("{}, {}", figure.paper, figure.number),
                       figure.title);
}

}  // namespace schedproof::cli
