/// What one slot, or one event, does to V, server by server, as polynomial inequalities with the number of servers as a
/// symbol at most; see max_weight.hpp for their place in the argument.
///
/// A lemma lists symbols and hypotheses, each a polynomial that is not negative, and says that its conclusion is one
/// too. That the conclusion is a sum of products of hypotheses is found by a search and checked by multiplying out.
#include <initializer_list>

#include "proofs/queueing/theorems/max_weight.hpp"

namespace schedproof::queueing {

namespace {

using proof::Polynomial;
using proof::PolynomialLemma;

/// Collects symbols, hypotheses and the conclusion of one lemma.
class LemmaOf {
  public:
    LemmaOf(std::string name, std::string statement) {
        lemma_.name = std::move(name);
        lemma_.statement = std::move(statement);
    }
    /// A symbol that is not negative, which is a hypothesis of its own.
    Polynomial nonnegative(const std::string& name) {
        Polynomial symbol = any(name);
        lemma_.hypotheses.push_back(symbol);
        return symbol;
    }
    Polynomial any(const std::string& name) {
        lemma_.symbols.push_back(name);
        return Polynomial::symbol(static_cast<std::uint32_t>(lemma_.symbols.size() - 1));
    }
    /// 1/symbol, not negative, for a symbol that is positive.
    Polynomial reciprocal(const Polynomial& symbol) {
        lemma_.hypotheses.push_back(inverse(symbol));
        return lemma_.hypotheses.back();
    }
    static Polynomial inverse(const Polynomial& symbol) {
        return Polynomial(proof::Monomial::symbol(symbol.terms().begin()->first.powers().front().first, -1));
    }
    LemmaOf& at_most(const Polynomial& smaller, const Polynomial& larger) {
        lemma_.hypotheses.push_back(larger - smaller);
        return *this;
    }
    PolynomialLemma implies_at_most(const Polynomial& smaller, const Polynomial& larger) {
        lemma_.conclusion = larger - smaller;
        return lemma_;
    }

  private:
    PolynomialLemma lemma_;
};

const Polynomial one(Rational(1));

Polynomial times(std::int64_t factor, const Polynomial& p) { return Polynomial(Rational(factor)) * p; }

/// mu times the two terms of a server busy at rate mu: -2 mu x from departures, 2 (1-mu) R' - 2 R from its regret
/// times mu, where R = w - x now and R' <= R + B in expectation if the task stays.
PolynomialLemma busy() {
    LemmaOf lemma("busy server", "mu (-2 x) + 2 (1-mu) R' - 2 (w-x) <= -2 mu w + 2 (1-mu) B when R' <= (w-x) + B");
    const Polynomial mu = lemma.nonnegative("mu"), w = lemma.any("w"), x = lemma.any("x"), next = lemma.any("R'"),
                     b = lemma.nonnegative("B");
    lemma.at_most(mu, one).at_most(x, w).at_most(next, w - x + b);
    return lemma.implies_at_most(times(-2, mu * x) + times(2, (one - mu) * next) - times(2, w - x),
                                 times(-2, mu * w) + times(2, (one - mu) * b));
}

/// The same for a server that starts a task of nearly the greatest value, and has no regret before.
PolynomialLemma starting() {
    LemmaOf lemma("starting server",
                  "mu (-2 x) + 2 (1-mu) R' <= -2 mu w + 2 (1-mu) B + 2 b when R' <= (w-x) + B, w <= x + b");
    const Polynomial mu = lemma.nonnegative("mu"), w = lemma.any("w"), x = lemma.any("x"), next = lemma.any("R'"),
                     growth = lemma.nonnegative("B"), slack = lemma.nonnegative("b");
    lemma.at_most(mu, one).at_most(w, x + slack).at_most(next, w - x + growth);
    return lemma.implies_at_most(times(-2, mu * x) + times(2, (one - mu) * next),
                                 times(-2, mu * w) + times(2, (one - mu) * growth) + times(2, slack));
}

PolynomialLemma greatest_value() {
    LemmaOf lemma("greatest value", "r (Q + a - d) <= w + alpha S when r Q <= w, a <= S, r <= alpha");
    const Polynomial r = lemma.nonnegative("r"), alpha = lemma.any("alpha"), q = lemma.any("Q"),
                     a = lemma.nonnegative("a"), d = lemma.nonnegative("d"), s = lemma.any("S"), w = lemma.any("w");
    lemma.at_most(r * q, w).at_most(a, s).at_most(r, alpha);
    return lemma.implies_at_most(r * (q + a - d), w + alpha * s);
}

PolynomialLemma regret() {
    LemmaOf lemma("regret", "w' - mu (Q + a - d) <= w - mu Q + alpha S + mu d when w' <= w + alpha S");
    const Polynomial mu = lemma.nonnegative("mu"), alpha = lemma.any("alpha"), q = lemma.any("Q"),
                     a = lemma.nonnegative("a"), d = lemma.nonnegative("d"), s = lemma.any("S"), w = lemma.any("w"),
                     next = lemma.any("w'");
    lemma.at_most(next, w + alpha * s);
    return lemma.implies_at_most(next - mu * (q + a - d), w - mu * q + alpha * s + mu * d);
}

PolynomialLemma unmatched() {
    LemmaOf lemma("unmatched server",
                  "w <= alpha N + b when w <= r Q + b, Q <= N, r <= alpha: 0 <= -2 w + 2 alpha N + 2 b");
    const Polynomial r = lemma.nonnegative("r"), alpha = lemma.any("alpha"), q = lemma.any("Q"),
                     n = lemma.nonnegative("N"), w = lemma.any("w"), slack = lemma.nonnegative("b");
    lemma.at_most(w, r * q + slack).at_most(q, n).at_most(r, alpha);
    return lemma.implies_at_most(w, alpha * n + slack);
}

PolynomialLemma squares() {
    LemmaOf lemma("squares", "(a - d)^2 + (b - e)^2 <= (a + b)^2 + (d + e)^2");
    const Polynomial a = lemma.nonnegative("a"), b = lemma.nonnegative("b"), d = lemma.nonnegative("d"),
                     e = lemma.nonnegative("e");
    return lemma.implies_at_most((a - d) * (a - d) + (b - e) * (b - e), (a + b) * (a + b) + (d + e) * (d + e));
}

PolynomialLemma pairing() {
    LemmaOf lemma("weak duality", "(y mu) v <= y w for each pair of type and server, when mu v <= w");
    const Polynomial y = lemma.nonnegative("y"), mu = lemma.any("mu"), v = lemma.any("v"), w = lemma.any("w");
    lemma.at_most(mu * v, w);
    return lemma.implies_at_most(y * mu * v, y * w);
}

PolynomialLemma workload_step() {
    LemmaOf lemma("workload", "2 W (a - 1) + E(a - d)^2 <= 2 W a - 2 W + a2 + 1/gamma, where E d = 1, E d^2 = 1/r");
    const Polynomial r = lemma.any("r"), gamma = lemma.any("gamma"), w = lemma.any("W"), a = lemma.nonnegative("a"),
                     a2 = lemma.any("E a^2");
    const Polynomial over_r = lemma.reciprocal(r), over_gamma = lemma.reciprocal(gamma);
    lemma.at_most(gamma, r);
    // E(a - d)^2 = E a^2 - 2 a E d + E d^2 with d = 1/r at probability r, independent of a.
    const Polynomial square = a2 - times(2, a * r * over_r) + r * over_r * over_r;
    return lemma.implies_at_most(times(2, w * (a - r * over_r)) + square,
                                 times(2, w * a) - times(2, w) + a2 + over_gamma);
}

PolynomialLemma arriving_work() {
    LemmaOf lemma("arriving work", "(a/r)^2 + (b/s)^2 <= (a + b)^2/gamma^2 when gamma <= r, s");
    const Polynomial r = lemma.any("r"), s = lemma.any("s"), gamma = lemma.any("gamma"), a = lemma.nonnegative("a"),
                     b = lemma.nonnegative("b");
    const Polynomial over_r = lemma.reciprocal(r), over_s = lemma.reciprocal(s), over_gamma = LemmaOf::inverse(gamma);
    // 1/r <= 1/gamma and 1/s <= 1/gamma follow from gamma <= r, s; they enter multiplied out.
    lemma.at_most(over_r, over_gamma).at_most(over_s, over_gamma);
    return lemma.implies_at_most(a * a * over_r * over_r + b * b * over_s * over_s,
                                 (a + b) * (a + b) * over_gamma * over_gamma);
}

/// Of events: T = t Q of the queue in execution, x = mu T. All rates are per unit of time.
PolynomialLemma own_end() {
    LemmaOf lemma("own end", "mu (t - 2 T) - 2 (w - mu T) <= -2 w + alpha t when mu <= alpha");
    const Polynomial mu = lemma.nonnegative("mu"), alpha = lemma.any("alpha"), t = lemma.nonnegative("t"),
                     in_queue = lemma.any("T"), w = lemma.any("w");
    lemma.at_most(mu, alpha);
    return lemma.implies_at_most(mu * (t - times(2, in_queue)) - times(2, w - mu * in_queue), alpha * t - times(2, w));
}

PolynomialLemma interrupted_end() {
    LemmaOf lemma("end under interruption", "mu (t - 2 T) <= -2 w + alpha t + 2 b when w <= mu T + b, mu <= alpha");
    const Polynomial mu = lemma.nonnegative("mu"), alpha = lemma.any("alpha"), t = lemma.nonnegative("t"),
                     in_queue = lemma.any("T"), w = lemma.any("w"), b = lemma.nonnegative("b");
    lemma.at_most(mu, alpha).at_most(w, mu * in_queue + b);
    return lemma.implies_at_most(mu * (t - times(2, in_queue)), alpha * t - times(2, w) + times(2, b));
}

PolynomialLemma other_end() {
    LemmaOf lemma("another's end", "nu (2/mu) (mu t) <= 2 alpha t when nu <= alpha");
    const Polynomial nu = lemma.any("nu"), mu = lemma.any("mu"), alpha = lemma.any("alpha"), t = lemma.nonnegative("t");
    const Polynomial over_mu = lemma.reciprocal(mu);
    lemma.at_most(nu, alpha);
    return lemma.implies_at_most(times(2, nu * over_mu * mu * t), times(2, alpha * t));
}

/// What an arrival adds to the regret over rate of a busy server, and what a start may leave there.
PolynomialLemma regret_over_rate() {
    LemmaOf lemma("regret over rate", "lambda 2 R/mu <= lambda 2 B/gamma when R <= B, gamma <= mu");
    const Polynomial lambda = lemma.nonnegative("lambda"), mu = lemma.any("mu"), gamma = lemma.any("gamma"),
                     left = lemma.any("R"), b = lemma.nonnegative("B");
    const Polynomial over_mu = lemma.reciprocal(mu), over_gamma = LemmaOf::inverse(gamma);
    lemma.at_most(over_mu, over_gamma).at_most(left, b);
    return lemma.implies_at_most(times(2, lambda * left * over_mu), times(2, lambda * b * over_gamma));
}

PolynomialLemma workload_end() {
    LemmaOf lemma("workload at an end", "r ((W - 1/r)^2 - W^2) <= -2 W + 1/gamma when gamma <= r");
    const Polynomial r = lemma.any("r"), gamma = lemma.any("gamma"), w = lemma.any("W");
    const Polynomial over_r = LemmaOf::inverse(r), over_gamma = LemmaOf::inverse(gamma);
    lemma.at_most(over_r, over_gamma);
    return lemma.implies_at_most(r * ((w - over_r) * (w - over_r) - w * w), over_gamma - times(2, w));
}

PolynomialLemma workload_arrival() {
    LemmaOf lemma("workload at an arrival", "(W + 1/r)^2 - W^2 <= 2 W/r + 1/gamma^2 when gamma <= r");
    const Polynomial r = lemma.any("r"), gamma = lemma.any("gamma"), w = lemma.any("W");
    const Polynomial over_r = lemma.reciprocal(r), over_gamma = LemmaOf::inverse(gamma);
    lemma.at_most(over_r, over_gamma);
    return lemma.implies_at_most((w + over_r) * (w + over_r) - w * w, times(2, w * over_r) + over_gamma * over_gamma);
}

std::vector<PolynomialLemma> lemmas_of_events(Arrangement arrangement, bool interrupted) {
    if (arrangement == Arrangement::per_server_and_level) return {workload_end(), workload_arrival(), pairing()};
    if (interrupted) return {interrupted_end(), unmatched(), pairing()};
    return {own_end(), other_end(), greatest_value(), regret(), regret_over_rate(), unmatched(), pairing()};
}

}  // namespace

std::vector<PolynomialLemma> kernel_lemmas(Arrangement arrangement, Timing timing) {
    if (timing != Timing::slots) return lemmas_of_events(arrangement, timing == Timing::interruptions);
    if (arrangement == Arrangement::per_server_and_level) return {workload_step(), arriving_work(), pairing()};
    return {busy(), starting(), greatest_value(), regret(), unmatched(), squares(), pairing()};
}

}  // namespace schedproof::queueing
