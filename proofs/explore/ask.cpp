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

namespace {

/// Refutes the obligations of leaves one after the other, up to the first that has a point.
class Settlement {
  public:
    Settlement(const Question& question, ExploredProof& proof) : question_(question), proof_(proof) {}

    /// False when an obligation of the leaf is not refuted; then `failure` says why.
    bool take(std::size_t leaf, const std::vector<Constraint>& path, std::vector<Forbidden> obligations) {
        if (proof_.leaves.size() <= leaf) proof_.leaves.resize(leaf + 1);
        for (Forbidden& against : obligations) {
            std::vector<Constraint> all = path;
            all.insert(all.end(), against.begin(), against.end());
            auto multipliers = refute(proof::with_products(question_.space, all));
            if (!multipliers) return fails(all);
            proof_.leaves[leaf].push_back({std::move(against), std::move(*multipliers)});
        }
        return true;
    }
    [[nodiscard]] const std::optional<decltype(Reply::result)>& failure() const { return failure_; }

  private:
    bool fails(const std::vector<Constraint>& all) {
        if (question_.space.has_products()) {
            failure_ = Ended{question_.name + ": products of two constraints do not show it"};
            return false;
        }
        std::optional<Counterpoint> point = find_point(question_.space, all);
        if (!point) throw OracleConflict("constraints without a refutation have no point: " + question_.name);
        failure_ = std::move(*point);
        return false;
    }

    const Question& question_;
    ExploredProof& proof_;
    std::optional<decltype(Reply::result)> failure_;
};

/// The reply when every obligation is refuted.
decltype(Reply::result) closed(ExploredProof proof) {
    close(proof.space, proof.tree);
    if (const std::string wrong = proof::rejection(proof); !wrong.empty())
        throw OracleConflict("a proof just found does not check: " + wrong);
    return proof;
}

}  // namespace

Reply ask(const Question& question, const Budget& budget) {
    Reply reply;
    ExploredProof proof{question.name, question.space, {}, {}};
    Settlement settlement(question, proof);
    auto exploration =
        explore_while(question.space, question.body, budget, [&](auto& leaves, const Explorer& explorer) {
            return settlement.take(leaves.size() - 1, explorer.path(), std::move(leaves.back()));
        });
    reply.statistics = exploration.statistics;
    proof.tree = std::move(exploration.tree);
    if (settlement.failure())
        reply.result = *settlement.failure();
    else if (exploration.ended)
        reply.result = Ended{question.name + ": " + *exploration.ended};
    else
        reply.result = closed(std::move(proof));
    return reply;
}

Reply settle(const Question& question, Exploration<std::vector<Forbidden>> exploration) {
    Reply reply;
    reply.statistics = exploration.statistics;
    if (exploration.ended) {
        reply.result = Ended{question.name + ": " + *exploration.ended};
        return reply;
    }
    ExploredProof proof{question.name, question.space, std::move(exploration.tree), {}};
    Settlement settlement(question, proof);
    proof::for_each_leaf(proof.space, proof.tree, [&](std::uint32_t leaf, const std::vector<Constraint>& path) {
        if (!settlement.failure()) settlement.take(leaf, path, std::move(exploration.leaves[leaf]));
    });
    if (settlement.failure())
        reply.result = *settlement.failure();
    else
        reply.result = closed(std::move(proof));
    return reply;
}

}  // namespace schedproof::explore
