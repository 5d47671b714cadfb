/// Declarations of figures, in TOML: one small file per figure.
///
///     [figure]                    # id, paper, number, title, place; drawing, x, x-label, curves, note
///     [[measure]]                 # name, quantity, statistic (mean, share, quantile, growth), at, last
///     [[panel]]                   # measure, label, logarithmic, from, to
///     [simulate] and [grid]       # as in a sweep; or [assign] and [grid] (assignment_runs.cpp)
///     [quick] and [full]          # minutes; simulate: options that replace those above
///     [names]                     # what the picture calls curves
///     [places]                    # where on the x axis values of `x` stand that are no numbers, such as instances
///     [[reference]]               # name, measure, points: numbers that were not measured
///     [[fit]]                     # measure, curves, at, boundary, powers, coefficients, name: least squares
///     [[claim]]                   # id, place, says, interpretation, expected, expected-quick, expected-fluid;
///                                 # [[claim.statement]]
///     [[assumption]]              # parameter, taken; [[assumption.alternative]] with taken, simulate
///     [fluid]                     # title, network, simulate: where schedproof-links is there
///
/// Tables whose keys are options are kept as they stand: the specification of a sweep reads them (command/sweep/), so a
/// figure can ask for nothing that `simulate` could not.
#include "experiments/command/reproduce/declaration.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "model/base/nearest.hpp"
#include "model/base/sha256.hpp"
#include "model/base/text.hpp"

namespace schedproof::cli {

namespace {

using base::Cursor;
using reproduction::Measure;
using reproduction::Statement;
using reproduction::StatementKind;
using reproduction::Statistic;
using reproduction::Verdict;

constexpr std::array<std::string_view, 5> drawings{"curves", "distribution", "bars", "series", "schedules"};

std::string text_of(const Cursor& table, const char* key) { return table.require(key, "text").text("text"); }
std::string text_or(const Cursor& table, const char* key, const std::string& otherwise = {}) {
    const auto at = table.find(key);
    return at ? at->text("text") : otherwise;
}
std::optional<double> number_or_none(const Cursor& table, const char* key) {
    const auto at = table.find(key);
    return at ? std::optional(at->real("a number")) : std::nullopt;
}
bool flag_or(const Cursor& table, const char* key, bool otherwise) {
    const auto at = table.find(key);
    return at ? at->flag("true or false") : otherwise;
}

/// A word of a list, with the nearest one in the complaint.
template <class Value, class Find, class Words>
Value word_of(const Cursor& at, Find&& find, const Words& words) {
    const std::string& word = at.text("a word");
    if (const std::optional<Value> found = find(word)) return *found;
    std::string list;
    for (const std::string_view known : words) list += fmt::format("{}{}", list.empty() ? "" : ", ", known);
    at.fail(fmt::format("expected one of {}, not '{}'{}", list, word, base::did_you_mean(word, words)));
}

Verdict verdict_of(const Cursor& at) {
    constexpr std::array all{Verdict::reproduced, Verdict::not_reproduced, Verdict::depends, Verdict::inconclusive};
    std::vector<std::string_view> words;
    for (const Verdict verdict : all) words.push_back(name_of(verdict));
    return word_of<Verdict>(
        at, [](const std::string& word) { return reproduction::verdict_of(word); }, words);
}

Measure measure_of(const Cursor& at) {
    at.allow_only({"name", "quantity", "statistic", "at", "last"});
    Measure measure{text_of(at, "name"), text_of(at, "quantity"), Statistic::mean, 0, number_or_none(at, "last")};
    constexpr std::array<std::string_view, 5> words{"mean", "share", "quantile", "growth", "rate"};
    if (const auto statistic = at.find("statistic"))
        measure.statistic = word_of<Statistic>(
            *statistic, [](const std::string& word) { return reproduction::statistic_of(word); }, words);
    if (measure.statistic == Statistic::share || measure.statistic == Statistic::quantile)
        measure.at =
            at.require("at", "the value that a share does not exceed, or the part of a quantile").real("a number");
    else if (const auto unused = at.find("at"))
        unused->fail("expected this key with the statistics share and quantile only");
    if (measure.last && !(*measure.last > 0 && *measure.last <= 1))
        at.require("last", "").fail("expected a part of the run above 0 and at most 1");
    return measure;
}

FigurePanel panel_of(const Cursor& at) {
    at.allow_only({"measure", "label", "logarithmic", "from", "to"});
    return {text_of(at, "measure"), text_of(at, "label"), flag_or(at, "logarithmic", false), number_or_none(at, "from"),
            number_or_none(at, "to")};
}

/// The key `measure` of a table: one of these names.
std::string measure_named(const Cursor& table, const std::vector<std::string_view>& measures) {
    return word_of<std::string>(
        table.require("measure", "the name of a measure"),
        [&](const std::string& word) {
            return std::find(measures.begin(), measures.end(), word) != measures.end() ? std::optional(word)
                                                                                       : std::nullopt;
        },
        measures);
}

ReferenceCurve reference_of(const Cursor& at) {
    at.allow_only({"name", "measure", "points"});
    ReferenceCurve curve{text_of(at, "name"), text_of(at, "measure"), {}};
    for (const Cursor& point : at.require("points", "a list of pairs").items("a list of pairs")) {
        const std::vector<double> pair = point.reals("a pair of numbers");
        if (pair.size() != 2) point.fail("expected a pair of numbers");
        curve.points.emplace_back(pair[0], pair[1]);
    }
    return curve;
}

reproduction::Fit fit_of(const Cursor& at, const std::vector<std::string_view>& measures) {
    at.allow_only({"measure", "curves", "at", "boundary", "powers", "coefficients", "name"});
    reproduction::Fit fit;
    fit.measure = measure_named(at, measures);
    fit.curves = at.require("curves", "a list of curves").texts("a list of curves");
    if (const auto places = at.find("at")) fit.at = places->reals("a list of places");
    fit.boundary = at.require("boundary", "the place of the boundary").real("a number");
    fit.powers = at.require("powers", "powers of the distance").reals("a list of powers");
    const Cursor names = at.require("coefficients", "a name for each power's coefficient");
    fit.coefficients = names.texts("a list of names");
    if (fit.powers.empty() || fit.coefficients.size() != fit.powers.size())
        names.fail("expected as many as powers, and one at least");
    for (const std::string& name : fit.coefficients)
        if (std::find(measures.begin(), measures.end(), name) != measures.end())
            names.fail(fmt::format("expected names that no measure has, not '{}'", name));
    fit.name = text_or(at, "name");
    return fit;
}

/// How many curves a kind speaks of, at least and at most.
std::pair<std::size_t, std::size_t> curves_of(const Statement& statement) {
    switch (statement.kind) {
        case StatementKind::ordering:
            return {2, 100};
        case StatementKind::ratio:
            return statement.over_at ? std::pair<std::size_t, std::size_t>{1, 1}
                                     : std::pair<std::size_t, std::size_t>{2, 2};
        case StatementKind::band:
            return {1, 100};
        case StatementKind::crossing:
            return {2, 2};
        case StatementKind::monotone:
        case StatementKind::minimum:
            break;
    }
    return {1, 1};
}

void check(const Cursor& at, const Statement& statement) {
    const auto [least, most] = curves_of(statement);
    if (statement.curves.size() < least || statement.curves.size() > most)
        at.require("curves", "")
            .fail(fmt::format("expected {}{} of {} {}", least, least == most ? "" : " or more", name_of(statement.kind),
                              least == 1 ? "curve" : "curves"));
    const bool bounds = statement.kind == StatementKind::ratio || statement.kind == StatementKind::band;
    if (bounds && !statement.above && !statement.below) at.fail("expected `above`, `below` or both");
    const bool region = statement.kind == StatementKind::crossing || statement.kind == StatementKind::minimum;
    if (region && (!statement.from || !statement.to || !(*statement.from <= *statement.to)))
        at.fail("expected `from` and `to`, not below it");
    if (statement.over_at && statement.at.size() != 1) at.fail("expected one place in `at` with `over-at`");
    for (const auto& [given, allowed, key] :
         {std::tuple{statement.above.has_value() || statement.below.has_value(), bounds, "above"},
          std::tuple{statement.from.has_value() || statement.to.has_value(), region, "from"},
          std::tuple{statement.over_at.has_value(), statement.kind == StatementKind::ratio, "over-at"}})
        if (given && !allowed) at.fail(fmt::format("expected no `{}` of kind {}", key, name_of(statement.kind)));
}

Statement statement_of(const Cursor& at, const std::vector<std::string_view>& measures) {
    at.allow_only({"kind", "measure", "curves", "at", "over-at", "above", "below", "from", "to", "rising"});
    Statement statement;
    constexpr std::array all{StatementKind::ordering, StatementKind::ratio,    StatementKind::band,
                             StatementKind::monotone, StatementKind::crossing, StatementKind::minimum};
    std::vector<std::string_view> words;
    for (const StatementKind kind : all) words.push_back(name_of(kind));
    statement.kind = word_of<StatementKind>(
        at.require("kind", "a kind of statement"), [](const std::string& word) { return reproduction::kind_of(word); },
        words);
    statement.measure = measure_named(at, measures);
    statement.curves = at.require("curves", "a list of curves").texts("a list of curves");
    if (const auto places = at.find("at")) statement.at = places->reals("a list of places");
    statement.over_at = number_or_none(at, "over-at");
    statement.above = number_or_none(at, "above");
    statement.below = number_or_none(at, "below");
    statement.from = number_or_none(at, "from");
    statement.to = number_or_none(at, "to");
    statement.rising = flag_or(at, "rising", true);
    check(at, statement);
    return statement;
}

FigureClaim claim_of(const Cursor& at, const std::vector<std::string_view>& measures) {
    at.allow_only(
        {"id", "place", "says", "interpretation", "statement", "expected", "expected-quick", "expected-fluid"});
    FigureClaim claim{
        text_of(at, "id"), text_of(at, "place"), text_of(at, "says"), text_or(at, "interpretation"), {}, {}, {}, {},
        at.node().line};
    for (const Cursor& statement : at.require("statement", "statements").items("a list of statements"))
        claim.statements.push_back(statement_of(statement, measures));
    if (claim.statements.empty()) at.fail("expected a statement");
    claim.expected = verdict_of(at.require("expected", "the verdict expected"));
    if (const auto quick = at.find("expected-quick")) claim.expected_quick = verdict_of(*quick);
    if (const auto fluid = at.find("expected-fluid")) claim.expected_fluid = verdict_of(*fluid);
    return claim;
}

Assumption assumption_of(const Cursor& at) {
    at.allow_only({"parameter", "taken", "alternative"});
    Assumption assumption{text_of(at, "parameter"), text_of(at, "taken"), {}};
    if (const auto list = at.find("alternative"))
        for (const Cursor& alternative : list->items("a list of alternatives")) {
            alternative.allow_only({"taken", "simulate", "assign", "quick"});
            const char* const options = alternative.find("assign") ? "assign" : "simulate";
            alternative.require(options, "a table of options").expect_table("a table of options");
            if (const auto quick = alternative.find("quick")) quick->expect_table("a table of options");
            assumption.alternatives.push_back({text_of(alternative, "taken")});
        }
    return assumption;
}

/// Every way to choose another value of several of these parameters at once.
Assumption combination_of(const Cursor& at, const std::vector<Assumption>& assumptions) {
    at.allow_only({"parameters"});
    const Cursor list = at.require("parameters", "a list of parameters");
    Assumption combination{"several of these at once", "none", {Alternative{""}}, list.texts("a list of parameters")};
    std::vector<Alternative>& all = combination.alternatives;
    for (const std::string& parameter : combination.combined) {
        const auto found = std::find_if(assumptions.begin(), assumptions.end(),
                                        [&](const Assumption& a) { return a.parameter == parameter; });
        if (found == assumptions.end())
            list.fail(fmt::format("expected the parameter of an assumption, not '{}'", parameter));
        for (std::size_t i = 0, before = all.size(); i < before; ++i)  // those before keep the value taken
            for (const Alternative& other : found->alternatives) {
                Alternative one = all[i];
                one.taken += fmt::format("{}{}", one.taken.empty() ? "" : "; ", other.taken);
                one.choices.push_back(other.choices.front());
                all.push_back(std::move(one));
            }
    }
    std::erase_if(all, [](const Alternative& one) { return one.choices.size() < 2; });
    return combination;
}

/// Of a file: its assumptions, each alternative with its place, and the combinations of them.
std::vector<Assumption> assumptions_of(const Cursor& root) {
    std::vector<Assumption> all;
    if (const auto list = root.find("assumption"))
        for (const Cursor& at : list->items("a list of tables")) {
            all.push_back(assumption_of(at));
            for (std::size_t i = 0; i < all.back().alternatives.size(); ++i)
                all.back().alternatives[i].choices = {{all.size() - 1, i}};
        }
    if (const auto at = root.find("combination")) all.push_back(combination_of(*at, all));
    return all;
}

constexpr const char* network_parameter = "network";

FluidVariant fluid_of(const Cursor& at, const FigureDeclaration& figure) {
    at.allow_only({"title", "network", "simulate"});
    at.require("simulate", "a table of options").expect_table("a table of options");
    const auto about_network = [](const Assumption& a) { return a.parameter == network_parameter; };
    if (std::none_of(figure.assumptions.begin(), figure.assumptions.end(), about_network))
        at.fail("expected an assumption `network` beside it");
    return {text_of(at, "title"), text_of(at, "network")};
}

double minutes_of(const Cursor& root, const char* scale) {
    const Cursor at = root.require(scale, "a table with the minutes that this scale takes");
    at.allow_only({"minutes", "simulate", "assign"});
    for (const char* table : {"simulate", "assign"})
        if (const auto options = at.find(table)) options->expect_table("a table of options");
    return at.require("minutes", "the minutes that this scale takes").real("a number of minutes");
}

template <class Item, class Read>
std::vector<Item> list_of(const Cursor& root, const char* key, Read&& read) {
    std::vector<Item> items;
    if (const auto list = root.find(key))
        for (const Cursor& at : list->items("a list of tables")) items.push_back(read(at));
    return items;
}

void read_figure(const Cursor& at, FigureDeclaration& figure) {
    at.allow_only({"id", "paper", "number", "title", "place", "note", "drawing", "x", "x-label", "logarithmic-x",
                   "curves", "confidence"});
    figure.id = text_of(at, "id");
    figure.paper = text_of(at, "paper");
    figure.number = text_of(at, "number");
    figure.title = text_of(at, "title");
    figure.place = text_of(at, "place");
    figure.note = text_or(at, "note");
    figure.drawing = word_of<Drawing>(
        at.require("drawing", "what is drawn"),
        [](const std::string& word) -> std::optional<Drawing> {
            const auto* const found = std::find(drawings.begin(), drawings.end(), word);
            return found == drawings.end() ? std::nullopt
                                           : std::optional(static_cast<Drawing>(found - drawings.begin()));
        },
        drawings);
    if (figure.drawing == Drawing::curves) figure.x = text_of(at, "x");
    figure.x_label = text_or(at, "x-label");
    figure.logarithmic_x = flag_or(at, "logarithmic-x", false);
    if (const auto curves = at.find("curves")) figure.drawn = curves->texts("a list of curves");
    figure.confidence = number_or_none(at, "confidence").value_or(0.95);
    if (!(figure.confidence > 0 && figure.confidence < 1))
        at.require("confidence", "").fail("expected a number above 0 and below 1");
}

}  // namespace

FigureDeclaration read_declaration(const std::string& text, const std::string& path) {
    FigureDeclaration figure;
    figure.file = {path, base::sha256(text)};
    figure.document = std::make_shared<const base::Node>(base::parse_document(text, base::Format::toml, path));
    const Cursor root(*figure.document, figure.file.path);
    root.allow_only({"figure", "measure", "panel", "simulate", "assign", "grid", "quick", "full", "names", "places",
                     "reference", "fit", "claim", "assumption", "combination", "fluid"});
    read_figure(root.require("figure", "a table that says which figure this is"), figure);
    figure.measures = list_of<Measure>(root, "measure", measure_of);
    figure.panels = list_of<FigurePanel>(root, "panel", panel_of);
    if (figure.panels.empty() != (figure.drawing == Drawing::schedules))
        root.fail(figure.panels.empty() ? "expected a [[panel]]" : "expected no [[panel]]: each curve has one");
    figure.references = list_of<ReferenceCurve>(root, "reference", reference_of);
    std::vector<std::string_view> measures;
    for (const Measure& measure : figure.measures) measures.emplace_back(measure.name);
    figure.fits = list_of<reproduction::Fit>(root, "fit", [&](const Cursor& at) { return fit_of(at, measures); });
    for (const reproduction::Fit& fit : figure.fits)
        measures.insert(measures.end(), fit.coefficients.begin(), fit.coefficients.end());
    figure.claims = list_of<FigureClaim>(root, "claim", [&](const Cursor& at) { return claim_of(at, measures); });
    figure.assumptions = assumptions_of(root);
    if (const auto fluid = root.find("fluid")) figure.fluid = fluid_of(*fluid, figure);
    if (const auto names = root.find("names"))
        for (const base::Field& field : names->table("a table of names"))
            figure.names.emplace_back(field.key, names->entry(field).text("a name"));
    if (const auto places = root.find("places"))
        for (const base::Field& field : places->table("a table of numbers"))
            figure.places.emplace_back(field.key, places->entry(field).real("a number"));
    figure.quick_minutes = minutes_of(root, "quick");
    figure.full_minutes = minutes_of(root, "full");
    return figure;
}

void FigureDeclaration::take_fluid() {
    if (!fluid || fluid_taken) return;
    fluid_taken = true;
    title = fluid->title;
    for (Assumption& assumption : assumptions) {
        if (assumption.parameter != network_parameter) continue;
        assumption.alternatives.push_back({assumption.taken, true});
        assumption.taken = fluid->network;
    }
}

Verdict FigureDeclaration::expected(const FigureClaim& claim, bool quick) const {
    if (fluid_taken && claim.expected_fluid) return *claim.expected_fluid;
    return quick ? claim.expected_quick.value_or(claim.expected) : claim.expected;
}

std::vector<Cursor> FigureDeclaration::options(bool quick, const Alternative* alternative) const {
    const Cursor root(*document, file.path);
    const char* const options = root.find("assign") ? "assign" : "simulate";
    std::vector<Cursor> tables;
    if (const auto scale = root.require(quick ? "quick" : "full", "").find(options)) tables.push_back(*scale);
    if (alternative != nullptr && alternative->cost_functions) return tables;
    if (fluid_taken) tables.push_back(root.require("fluid", "").require("simulate", ""));
    if (alternative == nullptr) return tables;
    for (const auto& [assumption, choice] : alternative->choices) {
        const Cursor at = root.require("assumption", "").item(assumption).require("alternative", "").item(choice);
        tables.push_back(at.require(options, ""));
        if (const auto at_quick = at.find("quick"); at_quick && quick) tables.push_back(*at_quick);
    }
    return tables;
}

std::string FigureDeclaration::shown(const std::string& curve) const {
    for (const auto& [name, as] : names)
        if (name == curve) return as;
    return curve;
}

bool FigureDeclaration::draws(const std::string& curve) const {
    return drawn.empty() || std::find(drawn.begin(), drawn.end(), curve) != drawn.end();
}

InputError FigureDeclaration::located(const InputError& error, const FigureClaim& claim) const {
    if (!error.place().file.empty()) return error;
    return InputError::at_line(file.path, claim.line, fmt::format("claim {}: {}", claim.id, error.place().key),
                               error.expected());
}

}  // namespace schedproof::cli
