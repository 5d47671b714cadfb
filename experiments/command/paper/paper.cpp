/// `schedproof paper`: the ledger of one paper, its claims, its figures, and where the print does not hold.
///
/// Claims are those that `check` examines whose source names the paper. Whether one holds as printed is what `check`
/// expects of its instances; where these differ, the word is that of the ledger of claims. Verdicts on figures are
/// those that `reproduce` has left in a directory, where they are of this version and of the declaration as it is;
/// nothing is run here.
#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "checks/families.hpp"
#include "experiments/command/core/answer_fields.hpp"
#include "experiments/command/core/options.hpp"
#include "experiments/command/core/output.hpp"
#include "experiments/command/report/assets.hpp"
#include "experiments/command/report/library.hpp"
#include "experiments/command/reproduce/catalogue.hpp"
#include "experiments/command/reproduce/figure_answer.hpp"
#include "model/base/cursor.hpp"
#include "model/base/nearest.hpp"
#include "model/base/text.hpp"

namespace schedproof::cli {

struct PaperRequest {
    std::string name;
    std::string results = "reproduced";
    Destination to;
};

namespace {

struct Examined {
    std::string id, statement, source;
    std::string printed;  ///< the word for whether it holds in the form in which the paper prints it
    std::string failing;  ///< why it fails somewhere; empty where it is expected to hold everywhere
};

/// The ledger's words for a claim about a paper, each once.
std::string words_of_ledger(const std::string& paper, const std::string& claim) {
    static const std::vector<site::Section> ledger = site::sections(site::asset("docs/ledger.md"));
    std::vector<std::string> words;
    for (const site::Section& section : ledger) {
        if (std::find(section.keys.begin(), section.keys.end(), paper) == section.keys.end()) continue;
        for (const site::LedgerRow& row : section.rows)
            if (std::find(row.ids.begin(), row.ids.end(), claim) != row.ids.end() && !row.printed.empty() &&
                std::find(words.begin(), words.end(), row.printed) == words.end())
                words.push_back(row.printed);
    }
    return fmt::format("{}", fmt::join(words, "; "));
}

Examined examined(const checks::Claim& claim, const std::string& paper) {
    Examined one{claim.id, claim.statement, claim.source, "holds", ""};
    std::size_t fails = 0;
    for (const checks::Line& line : claim.lines) {
        if (line.expectation != checks::Expectation::fails) continue;
        if (fails++ == 0) one.failing = line.why.empty() ? claim.statement : line.why;
    }
    if (fails == 0) return one;
    one.printed = "fails";
    if (fails == claim.lines.size()) return one;
    one.printed = words_of_ledger(paper, claim.id);
    if (one.printed.empty() || one.printed == "holds") one.printed = "holds in part";
    return one;
}

std::vector<Examined> claims_of(const std::string& paper, std::set<std::string>& known) {
    std::vector<Examined> claims;
    for (const checks::Claim& claim : checks::all_claims()) {
        const std::vector<std::string> papers = site::cited(claim.source);
        known.insert(papers.begin(), papers.end());
        if (std::find(papers.begin(), papers.end(), paper) != papers.end()) claims.push_back(examined(claim, paper));
    }
    return claims;
}

/// What `reproduce` has left of a figure, if it is of this version and declaration.
struct Found {
    std::string scale, title;
    std::map<std::string, std::string> verdicts;  ///< by claim
};

std::optional<Found> found_of(const FigureDeclaration& figure, const std::string& results) {
    const std::string path = (std::filesystem::path(results) / figure.id / "claims.json").string();
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error)) return std::nullopt;
    const base::Node document =
        base::parse_document(base::read_text(path, base::max_json_bytes), base::Format::json, path);
    const base::Cursor root(document, path);
    const auto text = [](const base::Cursor& at, const char* key) { return at.require(key, "text").text("text"); };
    if (text(root, "version") != SCHEDPROOF_VERSION || text(root, "declaration_sha256") != figure.file.sha256)
        return std::nullopt;
    Found found{text(root, "scale"), text(root, "title"), {}};
    for (const base::Cursor& claim : root.require("claims", "a list of claims").items("a list of claims"))
        found.verdicts[text(claim, "id")] = text(claim, "verdict");
    return found;
}

struct Ledger {
    std::vector<Examined> claims;
    std::vector<FigureDeclaration> figures;
    std::vector<std::optional<Found>> found;
};

Ledger ledger_of(const PaperRequest& request) {
    Ledger ledger;
    std::set<std::string> known;
    ledger.claims = claims_of(request.name, known);
    for (FigureDeclaration& figure : catalogue()) {
        known.insert(figure.paper);
        if (figure.paper == request.name) ledger.figures.push_back(std::move(figure));
    }
    if (!known.contains(request.name))
        throw InputError::at_key("NAME", fmt::format("expected the key of a paper, such as xu2017, not '{}'{}",
                                                     request.name, base::did_you_mean(request.name, known)));
    for (FigureDeclaration& figure : ledger.figures) {
        ledger.found.push_back(found_of(figure, request.results));
        if (figure.fluid && ledger.found.back() && ledger.found.back()->title == figure.fluid->title)
            figure.take_fluid();
    }
    return ledger;
}

/// A figure of the ledger, or a claim of one.
struct LedgerFigure {
    const FigureDeclaration& figure;
    const std::optional<Found>& found;
};
struct LedgerClaim {
    LedgerFigure at;
    const FigureClaim& claim;

    [[nodiscard]] std::optional<std::string> verdict() const {
        if (!at.found) return {};
        const auto verdict = at.found->verdicts.find(claim.id);
        return verdict == at.found->verdicts.end() ? std::nullopt : std::optional(verdict->second);
    }
};
struct Departure {
    std::string claim, kind, departs;
};

struct PaperAnswer {
    const PaperRequest& request;
    const Ledger& ledger;

    [[nodiscard]] std::vector<LedgerFigure> figures() const {
        std::vector<LedgerFigure> list;
        for (std::size_t f = 0; f < ledger.figures.size(); ++f) list.push_back({ledger.figures[f], ledger.found[f]});
        return list;
    }
    [[nodiscard]] std::vector<Departure> deviations() const {
        std::vector<Departure> list;
        for (const Examined& claim : ledger.claims)
            if (!claim.failing.empty()) list.push_back({claim.id, "claim", claim.failing});
        for (const FigureDeclaration& figure : ledger.figures)
            for (const FigureClaim& claim : figure.claims)
                if (const auto expected = figure.expected(claim, false); expected != reproduction::Verdict::reproduced)
                    list.push_back(
                        {figure.id + ": " + claim.id, "figure", fmt::format("{}: {}", name_of(expected), claim.says)});
        return list;
    }
};

std::string ledger_text(const PaperRequest& request, const Ledger& ledger);

Record<LedgerFigure> ledger_figure_record() {
    using C = LedgerClaim;
    using F = LedgerFigure;
    const Record<C> claim{
        field(
            "claim", [](const C& c) { return c.claim.id; }, "Id within the figure."),
        field(
            "place", [](const C& c) { return c.claim.place; }, "Where it stands in the paper."),
        field(
            "says", [](const C& c) { return c.claim.says; }, "What the paper says."),
        field(
            "expected", [](const C& c) { return name_of(c.at.figure.expected(c.claim, false)); }, "At full scale.")
            .words(figure_verdict_names()),
        field("verdict", &C::verdict, "Found; null where no results of this version and declaration are there.")
            .words(figure_verdict_names())};
    return Record<F>{field(
                         "id", [](const F& f) { return f.figure.id; }, "Of the figure."),
                     field(
                         "number", [](const F& f) { return f.figure.number; }, "In the paper."),
                     field(
                         "title", [](const F& f) { return f.figure.title; }, "What it shows."),
                     field(
                         "note", [](const F& f) { return if_any(f.figure.note); }, "What to know of it."),
                     field(
                         "scale", [](const F& f) { return f.found ? std::optional(f.found->scale) : std::nullopt; },
                         "Of the results; null where there are none.")
                         .words({"quick", "full"}),
                     field(
                         "claims",
                         [](const F& f) {
                             std::vector<C> claims;
                             for (const FigureClaim& one : f.figure.claims) claims.push_back({f, one});
                             return claims;
                         },
                         "What is said of it.", claim),
                     field(
                         "assumptions", [](const F& f) { return f.figure.assumptions; }, "What the paper leaves out.",
                         assumption_record())};
}

const Answer<PaperAnswer>& paper_answer() {
    using A = PaperAnswer;
    const Record<Examined> examined{
        field("id", &Examined::id, "Of the claim, as `check` knows it."),
        field("statement", &Examined::statement, "What it says."),
        field("as_printed", &Examined::printed,
              "Whether it holds as the paper prints it: what `check` expects, or where that "
              "differs by instance the word of the ledger of claims."),
        field("source", &Examined::source, "Where it stands.")};
    const Record<Departure> departure{
        field("claim", &Departure::claim, "Id."),
        field("kind", &Departure::kind, "Of `check`, or of a figure.").words({"claim", "figure"}),
        field("departs", &Departure::departs, "How the print is departed from.")};
    static const Answer<A> answer{
        "paper", "What is known of a paper. Answer of `schedproof paper --format json`.",
        Record<A>{field(
                      "paper", [](const A& a) { return a.request.name; }, "Key of the bibliography."),
                  field(
                      "claims", [](const A& a) { return a.ledger.claims; }, "Claims that `check` examines.", examined),
                  field("figures", &A::figures, "By number.", ledger_figure_record()),
                  field("deviations", &A::deviations, "What does not hold as printed.", departure)}
            .told_by([](const A& a) { return ledger_text(a.request, a.ledger); })};
    return answer;
}

std::string ledger_text(const PaperRequest& request, const Ledger& ledger) {
    std::string text =
        fmt::format("{}: {} claims, {} figures\n", request.name, ledger.claims.size(), ledger.figures.size());
    if (!ledger.claims.empty()) text += "\nclaims of `schedproof check`\n";
    for (const Examined& claim : ledger.claims)
        text += fmt::format("  {}: {}\n    {}\n", claim.id, claim.printed, claim.source);
    if (!ledger.figures.empty()) text += "\nfigures of `schedproof reproduce`: expected at full scale, and found\n";
    for (std::size_t f = 0; f < ledger.figures.size(); ++f) {
        const FigureDeclaration& figure = ledger.figures[f];
        const auto& found = ledger.found[f];
        text += fmt::format("  {}, {}: {}\n", figure.id, figure.number, figure.title);
        for (const FigureClaim& claim : figure.claims) {
            text += fmt::format("    {:<32} {}", name_of(figure.expected(claim, false)), claim.id);
            if (found && found->verdicts.contains(claim.id))
                text += fmt::format(" ({}: {})", found->scale, found->verdicts.at(claim.id));
            text += "\n";
        }
        for (const Assumption& assumption : figure.assumptions)
            text += fmt::format("    assumed: {}: {}\n", assumption.parameter, assumption.taken);
        if (!figure.note.empty()) text += fmt::format("    note: {}\n", figure.note);
    }
    std::string deviations;
    for (const Examined& claim : ledger.claims)
        if (!claim.failing.empty()) deviations += fmt::format("  {}: {}\n", claim.id, claim.failing);
    return deviations.empty() ? text : text + "\nnot as printed\n" + deviations;
}

}  // namespace

int run(const PaperRequest& request) {
    require_writable({request.to.path});
    const Ledger ledger = with_progress("paper", "collect the evidence", [&] { return ledger_of(request); });
    return write_answer(request.to, paper_answer(), {request, ledger});
}

namespace {

std::vector<std::string> papers() {
    std::set<std::string> keys;
    static_cast<void>(claims_of("", keys));
    for (const FigureDeclaration& figure : catalogue()) keys.insert(figure.paper);
    return {keys.begin(), keys.end()};
}

OptionTable options(PaperRequest& r) {
    return joined({{{.names = "NAME",
                     .target = &r.name,
                     .meaning = "key of the bibliography, such as xu2017",
                     .required = true,
                     .offers = papers},
                    {.names = "--results",
                     .value = "DIR",
                     .target = &r.results,
                     .meaning = "directory in which `reproduce` has left its results",
                     .show_default = true}},
                   destination_options(r.to)});
}

}  // namespace

Subcommand paper() {
    return make_subcommand<PaperRequest>("paper", "one paper's claims and figures, with verdicts and evidence",
                                         "schedproof paper xu2017\n  schedproof paper wang2013 --format json", options,
                                         forms(paper_answer));
}

}  // namespace schedproof::cli
