/// How a leaf of an exploration is settled, and where an open one fails.
///
/// Every set of constraints that must not hold gets Farkas multipliers from an exact linear program. If there are none,
/// the constraints have a real point, and the question fails at it; but only a point with whole numbers of tasks is a
/// state. So points of several kinds are rounded and tried: a centre that keeps away from strict constraints, vertices
/// in every direction, fractions and multiples of unbounded rays, and midpoints of these. If no rounding satisfies the
/// constraints, the real point is returned and marked as such. No search over integers is complete here, and none is
/// needed: a proof rests on multipliers alone.
#include "proofs/explore/ask.hpp"

#include <algorithm>

#include "model/core/errors.hpp"
#include "proofs/explore/farkas.hpp"

namespace schedproof::explore {

using proof::Constraint;
using proof::ExploredProof;
using proof::LinearForm;

namespace {

bool all_hold(const std::vector<Constraint>& constraints, const std::vector<Rational>& point) {
    return std::all_of(constraints.begin(), constraints.end(), [&](const Constraint& c) { return c.holds(point); });
}

std::vector<Rational> rounded(const proof::Space& space, std::vector<Rational> point) {
    for (std::size_t x = 0; x < point.size(); ++x)
        if (space.symbols[x].integer) point[x] = Rational(nearest_integer(point[x]));
    return point;
}

}  // namespace

std::optional<Counterpoint> find_point(const proof::Space& space, const std::vector<Constraint>& constraints) {
    // Strict constraints: a point that keeps away from all of them, if only by a little.
    const auto slack = static_cast<proof::Variable>(space.symbols.size());
    std::vector<Constraint> away = constraints;
    for (Constraint& c : away)
        if (c.strict) c = {c.form - LinearForm::variable(slack), false};
    away.push_back({LinearForm::variable(slack), false});
    away.push_back({LinearForm(Rational(1)) - LinearForm::variable(slack), false});
    const Maximum centre = maximise(away, LinearForm::variable(slack), slack + 1);
    if (centre.kind != Maximum::Kind::attained) return std::nullopt;
    std::vector<Rational> real = centre.point;
    const bool strict_needed =
        std::any_of(constraints.begin(), constraints.end(), [](const Constraint& c) { return c.strict; });
    if (strict_needed && real.back().sign() == 0) return std::nullopt;
    real.pop_back();
    // Vertices in several directions, then roundings of them and of their midpoints.
    std::vector<std::vector<Rational>> candidates{real};
    for (proof::Variable x = 0; x < slack; ++x)
        for (const int sign : {1, -1}) {
            const Maximum end = maximise(away, Rational(sign) * LinearForm::variable(x), slack + 1);
            if (end.kind == Maximum::Kind::attained) {
                candidates.push_back(end.point);
                candidates.back().pop_back();
            } else if (end.kind == Maximum::Kind::unbounded) {
                // Fractions of the ray, which bring a point of an equality such as 4 a = b to integers.
                const Rational parts(common_denominator(real));
                const Rational whole(common_denominator(end.ray));
                for (std::int64_t j = 1; j < 64 && Rational(j) < parts; ++j) {
                    std::vector<Rational> point = real;
                    for (proof::Variable y = 0; y < slack; ++y) point[y] += Rational(j) / parts * whole * end.ray[y];
                    candidates.push_back(std::move(point));
                }
                for (const std::int64_t far : {1, 10, 100, 1000, 10000}) {
                    std::vector<Rational> point = real;
                    const Rational scale = Rational(common_denominator(end.ray)) * Rational(far);
                    for (proof::Variable y = 0; y < slack; ++y) point[y] += scale * end.ray[y];
                    candidates.push_back(std::move(point));
                }
            }
        }
    const std::size_t ends = candidates.size();
    for (std::size_t i = 1; i < ends; ++i) {
        std::vector<Rational> middle = candidates[i];
        for (std::size_t x = 0; x < middle.size(); ++x) middle[x] = (middle[x] + candidates[0][x]) / Rational(2);
        candidates.push_back(std::move(middle));
    }
    for (const std::vector<Rational>& candidate : candidates) {
        std::vector<Rational> point = rounded(space, candidate);
        if (all_hold(constraints, point)) return Counterpoint{std::move(point), true, constraints};
    }
    return Counterpoint{std::move(real), false, constraints};
}

Reply ask(const Question& question, const Budget& budget) {
    return settle(question, explore(question.space, question.body, budget));
}

Reply settle(const Question& question, Exploration<std::vector<Forbidden>> exploration) {
    Reply reply;
    reply.statistics = exploration.statistics;
    if (exploration.ended) {
        reply.result = Ended{question.name + ": " + *exploration.ended};
        return reply;
    }
    ExploredProof proof{question.name, question.space, std::move(exploration.tree), {}};
    proof.leaves.resize(exploration.leaves.size());
    std::optional<Counterpoint> counterpoint;
    bool failed = false;
    proof::for_each_leaf(proof.space, proof.tree, [&](std::uint32_t leaf, const std::vector<Constraint>& path) {
        if (counterpoint || failed) return;
        for (Forbidden& against : exploration.leaves[leaf]) {
            std::vector<Constraint> all = path;
            all.insert(all.end(), against.begin(), against.end());
            auto multipliers = refute(proof::with_products(proof.space, all));
            if (!multipliers && proof.space.has_products()) {
                reply.result = Ended{question.name + ": products of two constraints do not show it"};
                failed = true;
                return;
            }
            if (!multipliers) {
                counterpoint = find_point(proof.space, all);
                if (!counterpoint)
                    throw OracleConflict("constraints without a refutation have no point: " + question.name);
                return;
            }
            proof.leaves[leaf].push_back({std::move(against), std::move(*multipliers)});
        }
    });
    if (failed) return reply;
    if (counterpoint) {
        reply.result = std::move(*counterpoint);
        return reply;
    }
    close(proof.space, proof.tree);
    if (const std::string wrong = proof::rejection(proof); !wrong.empty())
        throw OracleConflict("a proof just found does not check: " + wrong);
    reply.result = std::move(proof);
    return reply;
}

}  // namespace schedproof::explore
