/// The drift theorem for every number of servers, leaf by leaf with symbolic rates.
///
/// Each leaf is a question about the policy's code on one small cluster, whose rates are symbols. Where a leaf fails,
/// it is asked again with some concrete rates: a point that fails there is a state of a real cluster, which a user can
/// run; no such point proves nothing, and the answer is unknown. Rules with constants decide exactly only up to a
/// slack, which the drift bound pays for. It is guessed from the constants of the rule, and the leaves are then proved
/// with it, so a bad guess can lose a proof but not make a false one.
#include "proofs/queueing/every_cluster/uniform_proof.hpp"

#include <algorithm>
#include <cstdlib>

#include "model/core/errors.hpp"
#include "proofs/explore/polynomial_search.hpp"
#include "proofs/queueing/capacity/region.hpp"
#include "proofs/queueing/theorems/fragment.hpp"

namespace schedproof::queueing {

namespace {

/// Rates that differ clearly, and rates that hardly do: a leaf that fails for some rates fails for one of these as a
/// rule; when it does not, nothing is claimed.
std::vector<std::vector<Rational>> rate_sets(std::size_t levels) {
    std::vector<std::vector<Rational>> sets(3);
    Rational halved(Integer(4), Integer(5)), close(Integer(9), Integer(10)), far(Integer(9), Integer(10));
    for (std::size_t i = 0; i < levels; ++i) {
        sets[0].push_back(halved);
        sets[1].push_back(close);
        sets[2].push_back(far);
        halved /= Rational(2);
        close -= Rational(Integer(1), Integer(20));
        far /= Rational(10);
    }
    return sets;
}

std::string describe(const SmallModel& model, const explore::Counterpoint& point) {
    std::string text = "at";
    const std::vector<Rational> lengths = model.lengths(point.point);
    for (const QueueId q : IdRange<QueueId>(lengths.size()))
        text += " Q[" + model.layout().name(model.instance(), q) + "]=" + lengths[q.index()].to_string();
    text += " this holds, which the argument excludes: ";
    const proof::Constraint& violated = point.constraints.back();
    return text + to_string(violated.form, model.space()) + (violated.strict ? " > 0" : " >= 0");
}

/// A leaf without a proof, by its number, and why there is none.
struct OpenLeaf {
    std::size_t number;
    std::string reason;
    bool may_fail;  ///< no budget ended: a concrete cluster may show a failure
};

/// The failure of an open leaf at concrete rates, where one is found.
UniformOutcome failure_of(const OpenLeaf& open, const ParametricPolicy& policy, std::size_t levels, Timing timing,
                          const explore::Budget& budget) {
    if (!open.may_fail) return UniformUnknown{open.reason};
    for (const std::vector<Rational>& rates : rate_sets(levels)) {
        const Leaf leaf = leaves(policy, levels, {}, rates, timing).at(open.number);
        const explore::Reply reply = explore::ask(leaf.question, budget);
        const auto* point = std::get_if<explore::Counterpoint>(&reply.result);
        if (!point || !point->integral) continue;
        if (timing != Timing::slots)  // no state of the chain where the servers beside are idle
            return UniformUnknown{"the leaf '" + leaf.question.name + "' fails: " + describe(leaf.model, *point)};
        return LeafFailure{leaf.question.name, std::make_shared<const Instance>(leaf.model.instance()),
                           leaf.model.lengths(point->point), describe(leaf.model, *point)};
    }
    return UniformUnknown{open.reason};
}

std::variant<UniformProof, OpenLeaf> prove_leaves(const ParametricPolicy& policy, std::size_t levels,
                                                  const Slack& slack, Timing timing, const explore::Budget& budget) {
    UniformProof proof{{levels, slack, {}, timing}, {}, {}};
    const std::vector<Leaf> all = leaves(policy, levels, slack, {}, timing);
    for (std::size_t i = 0; i < all.size(); ++i) {
        const explore::Question& question = all[i].question;
        explore::Reply reply;
        try {
            reply = explore::ask(question, budget);
        } catch (const LimitExceeded& limit) {  // the policy compares something that symbolic rates do not cover
            return OpenLeaf{i, question.name + ": " + limit.what(), true};
        }
        proof.statistics += reply.statistics;
        if (const auto* ended = std::get_if<explore::Ended>(&reply.result)) return OpenLeaf{i, ended->reason, false};
        if (!reply.proof())
            return OpenLeaf{
                i, "the leaf '" + question.name + "' is not proved for symbolic rates, nor refuted at the rates tried",
                true};
        proof.proofs.push_back(std::get<proof::ExploredProof>(std::move(reply.result)));
    }
    proof.theorem.lemmas = prove_kernel_lemmas(all.front().model.layout().arrangement(), timing);
    return proof;
}

/// What thresholds in a rule may cost, in tasks: the sum of its constants, or that times its coefficients. Nothing
/// rests on this guess, for the leaves are proved with it.
std::vector<std::uint64_t> guesses(const language::Tree& rule) {
    constexpr std::uint64_t most = 100'000'000;  // as certificates are read
    std::uint64_t sum = 0, product = 1;
    for (std::size_t i = 0; i < rule.size(); ++i) {
        const auto a = static_cast<std::uint64_t>(std::abs(rule[i].a)), b = static_cast<std::uint64_t>(rule[i].b);
        if (rule[i].op == language::Op::constant) sum = std::min(most, sum + std::min(a, most));
        if (rule[i].op == language::Op::multiple)
            product = std::min(most, product * std::max<std::uint64_t>(std::min(a, most) * std::min(b, most), 1));
    }
    return {sum, std::min(most, sum * product)};
}

}  // namespace

std::vector<proof::PolynomialProof> prove_kernel_lemmas(Arrangement arrangement, Timing timing) {
    std::vector<proof::PolynomialProof> proofs;
    for (const proof::PolynomialLemma& lemma : kernel_lemmas(arrangement, timing)) {
        std::optional<proof::PolynomialProof> found;
        for (unsigned degree = 2; degree <= 4 && !found; ++degree) found = explore::prove(lemma, degree);
        if (!found) throw LimitExceeded("polynomial identities", "no identity of degree 4 proves '" + lemma.name + "'");
        proofs.push_back(std::move(*found));
    }
    return proofs;
}

UniformOutcome prove_uniform(const ParametricPolicy& policy, std::size_t levels, const explore::Budget& budget,
                             Timing timing) {
    // A decision table is of one cluster, so small ones have no state to ask it about.
    if (policy.rules().tabulated()) return UniformUnknown{outside_fragment_reason(outside_fragment(policy.rules()))};
    auto exactly = prove_leaves(policy, levels, {}, timing, budget);
    const std::string part = outside_fragment(policy.rules());
    if (auto* proof = std::get_if<UniformProof>(&exactly)) {
        if (!part.empty()) return UniformUnknown{outside_fragment_reason(part)};
        return std::move(*proof);
    }
    const Arrangement arrangement = policy.rules().arrangement();
    if (arrangement != Arrangement::per_type && arrangement != Arrangement::single && part.empty()) {
        const auto routing = guesses(policy.rules().route()), serving = guesses(policy.rules().serve());
        Slack tried;
        for (std::size_t i = 0; i < routing.size(); ++i) {
            const Slack slack{routing[i], arrangement == Arrangement::per_server_and_level ? 0 : serving[i]};
            if (slack == tried) continue;
            tried = slack;
            auto nearly = prove_leaves(policy, levels, slack, timing, budget);
            if (auto* proof = std::get_if<UniformProof>(&nearly)) return std::move(*proof);
        }
    }
    return failure_of(std::get<OpenLeaf>(exactly), policy, levels, timing, budget);
}

MaxWeightOutcome prove_max_weight(const SymbolicSystem& system, const Rational& delta, const explore::Budget& budget) {
    const Instance& instance = system.instance();
    require(delta.sign() > 0, "a drift bound must be positive");
    if (instance.rates_by_type() || instance.rates_at_servers())
        return UniformUnknown{"types have rates of their own: the argument is about rates of levels"};
    if (instance.batches())
        return UniformUnknown{
            "tasks come in batches: the argument in continuous time is about tasks that come one by one"};
    const auto capacity = capacity::solve(instance);
    if (capacity.upper >= Rational(1))
        return UniformUnknown{"the load is at least " + capacity.lower.to_string() +
                              ": the argument needs one below 1"};
    UniformOutcome uniform =
        prove_uniform(ParametricPolicy(system.policy()), instance.data().levels.size(), budget, timing_of(instance));
    if (auto* failure = std::get_if<LeafFailure>(&uniform)) return std::move(*failure);
    if (auto* unknown = std::get_if<UniformUnknown>(&uniform)) return std::move(*unknown);
    auto& leaves = std::get<UniformProof>(uniform);
    MaxWeightTheorem theorem{capacity, delta, leaves.theorem.slack, {}, std::move(leaves.theorem.lemmas)};
    theorem.bound = drift_bound(instance, system.layout(), theorem.capacity.upper, theorem.slack);
    return MaxWeightProof{std::move(theorem), std::move(leaves.proofs), leaves.statistics};
}

}  // namespace schedproof::queueing
