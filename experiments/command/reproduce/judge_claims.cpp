/// Claims about a figure, judged in every setting.
///
/// A claim of several statements holds when all do, each judged with its part of what the confidence allows. An
/// alternative whose runs leave out the places that a claim speaks of says nothing about it.
#include <algorithm>

#include "experiments/command/reproduce/reproduce.hpp"

namespace schedproof::cli {

namespace {

using reproduction::Judgement;
using reproduction::Truth;

Judgement judged(const FigureDeclaration& figure, const FigureClaim& claim, const MeasuredSetting& setting) {
    const double each = 1 - (1 - figure.confidence) / static_cast<double>(claim.statements.size());
    Judgement all{Truth::holds, {}};
    for (const reproduction::Statement& statement : claim.statements) {
        Judgement one = judge(statement, setting.measurements, each);
        if (one.truth == Truth::fails || all.truth == Truth::fails)
            all.truth = Truth::fails;
        else if (one.truth == Truth::open)
            all.truth = Truth::open;
        std::move(one.comparisons.begin(), one.comparisons.end(), std::back_inserter(all.comparisons));
    }
    return all;
}

/// None when these runs do not show what the claim is about.
std::optional<Judgement> judged_if_shown(const FigureDeclaration& figure, const FigureClaim& claim,
                                         const MeasuredSetting& setting) {
    try {
        return judged(figure, claim, setting);
    } catch (const InputError&) {
        return std::nullopt;
    }
}

}  // namespace

std::vector<JudgedClaim> judge_claims(const FigureDeclaration& figure, const std::vector<MeasuredSetting>& settings,
                                      bool quick) {
    std::vector<JudgedClaim> all;
    for (const FigureClaim& claim : figure.claims) {
        JudgedClaim result;
        result.claim = &claim;
        result.expected = quick ? claim.expected_quick.value_or(claim.expected) : claim.expected;
        try {
            result.judgement = judged(figure, claim, settings.front());
        } catch (const InputError& error) {
            throw figure.located(error, claim);
        }
        std::vector<Truth> others;
        for (std::size_t i = 1; i < settings.size(); ++i)
            if (auto judgement = judged_if_shown(figure, claim, settings[i])) {
                others.push_back(judgement->truth);
                result.others.push_back(
                    {settings[i].assumption, settings[i].alternative->taken, *std::move(judgement)});
            }
        result.verdict = reproduction::combine(result.judgement.truth, others);
        all.push_back(std::move(result));
    }
    return all;
}

}  // namespace schedproof::cli
