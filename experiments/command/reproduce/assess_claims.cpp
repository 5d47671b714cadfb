/// Claims about a figure, assessed in every setting.
///
/// A claim of several statements holds when all do, each assessed with its part of what the confidence allows. An
/// alternative whose runs leave out the places that a claim speaks of says nothing about it.
#include <algorithm>

#include "experiments/command/reproduce/reproduce.hpp"

namespace schedproof::cli {

namespace {

using reproduction::Assessment;
using reproduction::Truth;

Assessment assessed(const FigureDeclaration& figure, const FigureClaim& claim, const MeasuredSetting& setting) {
    const double each = 1 - (1 - figure.confidence) / static_cast<double>(claim.statements.size());
    Assessment all{Truth::holds, {}};
    for (const reproduction::Statement& statement : claim.statements) {
        Assessment one = assess(statement, setting.measurements, each);
        if (one.truth == Truth::fails || all.truth == Truth::fails)
            all.truth = Truth::fails;
        else if (one.truth == Truth::open)
            all.truth = Truth::open;
        std::move(one.comparisons.begin(), one.comparisons.end(), std::back_inserter(all.comparisons));
    }
    return all;
}

/// None when these runs do not show what the claim is about.
std::optional<Assessment> assessed_if_shown(const FigureDeclaration& figure, const FigureClaim& claim,
                                            const MeasuredSetting& setting) {
    try {
        return assessed(figure, claim, setting);
    } catch (const InputError&) {
        return std::nullopt;
    }
}

}  // namespace

std::vector<AssessedClaim> assess_claims(const FigureDeclaration& figure, const std::vector<MeasuredSetting>& settings,
                                         bool quick) {
    std::vector<AssessedClaim> all;
    for (const FigureClaim& claim : figure.claims) {
        AssessedClaim result;
        result.claim = &claim;
        result.expected = figure.expected(claim, quick);
        try {
            result.assessment = assessed(figure, claim, settings.front());
        } catch (const InputError& error) {
            throw figure.located(error, claim);
        }
        std::vector<Truth> others;
        for (std::size_t i = 1; i < settings.size(); ++i)
            if (auto assessment = assessed_if_shown(figure, claim, settings[i])) {
                others.push_back(assessment->truth);
                result.others.push_back(
                    {settings[i].assumption, settings[i].alternative->taken, *std::move(assessment)});
            }
        result.verdict = reproduction::combine(result.assessment.truth, others);
        all.push_back(std::move(result));
    }
    return all;
}

}  // namespace schedproof::cli
