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
using reproduction::Comparison;
using reproduction::Truth;

const char* word(Truth truth) { return truth == Truth::holds ? "holds" : truth == Truth::fails ? "fails" : "open"; }

Json number_or_null(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json to_json(const Comparison& comparison) {
    Json result{{"what", comparison.what},
                {"value", number_or_null(comparison.estimate.mean)},
                {"half_width",
                 comparison.estimate.half_width ? number_or_null(*comparison.estimate.half_width) : Json(nullptr)}};
    if (comparison.above) result["above"] = *comparison.above;
    if (comparison.below) result["below"] = *comparison.below;
    result["truth"] = word(comparison.truth);
    return result;
}

Json to_json(const Assessment& assessment) {
    Json list = Json::array();
    for (const Comparison& comparison : assessment.comparisons) list.push_back(to_json(comparison));
    return {{"truth", word(assessment.truth)}, {"comparisons", list}};
}

Json to_json(const AssessedClaim& assessed) {
    Json others = Json::array();
    for (const AssessedClaim::Other& other : assessed.others) {
        Json one{{"parameter", other.parameter}, {"taken", other.taken}};
        one.update(to_json(other.assessment));
        others.push_back(std::move(one));
    }
    Json result{{"id", assessed.claim->id},
                {"place", assessed.claim->place},
                {"says", assessed.claim->says},
                {"interpretation", text_or_null(assessed.claim->interpretation)},
                {"verdict", name_of(assessed.verdict)},
                {"expected", name_of(assessed.expected)},
                {"as_expected", assessed.as_expected()}};
    result.update(to_json(assessed.assessment));
    result["sensitivity"] = others;
    return result;
}

Json to_json(const Assumption& assumption) {
    Json alternatives = Json::array();
    for (const Alternative& alternative : assumption.alternatives) alternatives.push_back(alternative.taken);
    return {{"parameter", assumption.parameter}, {"taken", assumption.taken}, {"alternatives", alternatives}};
}

Json identity(const FigureDeclaration& figure) {
    Json assumptions = Json::array();
    for (const Assumption& assumption : figure.assumptions) assumptions.push_back(to_json(assumption));
    return {{"id", figure.id},
            {"paper", figure.paper},
            {"number", figure.number},
            {"title", figure.title},
            {"place", figure.place},
            {"note", text_or_null(figure.note)},
            {"declaration", figure.file.path},
            {"declaration_sha256", figure.file.sha256},
            {"assumptions", assumptions}};
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

}  // namespace

const Comparison& telling(const Assessment& assessment) {
    for (const Comparison& comparison : assessment.comparisons)
        if (comparison.truth == assessment.truth) return comparison;
    return assessment.comparisons.front();
}

std::string to_text(const Comparison& comparison) {
    std::string text = comparison.what + ": ";
    const auto& half = comparison.estimate.half_width;
    if (!std::isfinite(comparison.estimate.mean)) return text + "not seen";
    if (half && *half > 1e-12 * std::abs(comparison.estimate.mean)) {
        const int digits = std::clamp(1 - static_cast<int>(std::floor(std::log10(*half))), 0, 12);
        text += fmt::format("{:.{}f} +- {:.{}f}", comparison.estimate.mean, digits, *half, digits);
    } else {
        text += fmt::format("{:.5g}{}", comparison.estimate.mean, half ? "" : ", a single run");
    }
    if (comparison.above && comparison.below)
        return text + fmt::format(", to be between {:g} and {:g}", *comparison.above, *comparison.below);
    return text + (comparison.above ? fmt::format(", to be above {:g}", *comparison.above)
                                    : fmt::format(", to be below {:g}", *comparison.below));
}

Json to_json(const ReproducedFigure& reproduced, const ReproduceRequest& request) {
    Json claims = Json::array();
    for (const AssessedClaim& claim : reproduced.claims) claims.push_back(to_json(claim));
    Json result = identity(reproduced.figure);
    result["scale"] = request.full ? "full" : "quick";
    result["confidence"] = reproduced.figure.confidence;
    result["replications"] = reproduced.settings.front().replications;
    result["claims"] = claims;
    result["files"] = reproduced.files;
    return result;
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
        if (claim.verdict == reproduction::Verdict::depends)
            for (const AssessedClaim::Other& other : claim.others)
                if (other.assessment.truth != claim.assessment.truth)
                    text += wrapped(fmt::format("{}: {}: {}: {}", other.parameter, other.taken,
                                                word(other.assessment.truth), to_text(telling(other.assessment))),
                                    18);
    }
    return text;
}

Json to_json(const FigureDeclaration& figure) {
    Json claims = Json::array();
    for (const FigureClaim& claim : figure.claims)
        claims.push_back({{"id", claim.id},
                          {"place", claim.place},
                          {"says", claim.says},
                          {"expected", name_of(figure.expected(claim, false))},
                          {"expected_quick", name_of(figure.expected(claim, true))}});
    Json result = identity(figure);
    result["claims"] = claims;
    return result;
}

std::string to_text(const FigureDeclaration& figure) {
    return fmt::format("{:<22} {:<24} {}\n", figure.id, fmt::format("{}, {}", figure.paper, figure.number),
                       figure.title);
}

}  // namespace schedproof::cli
