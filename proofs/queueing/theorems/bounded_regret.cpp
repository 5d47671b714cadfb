/// The two properties by recursion over the expressions of the rules.
///
/// A set has a regret where each of its members keeps the property; parts of a set keep it, and a set that is one of
/// two has the larger. A member of `argmin(servers, key)`, and one of a set narrowed by a test that bounds the
/// candidate's key by the least of all, has a key X with X <= b L + c, L the least X of all servers; for X, which is
/// W / mu, W, N / mu or N, with N the tasks of a server,
///   gamma^d w <= X <= alpha^d w up to the same factor, w = W / mu and d = 0, 1, 1 and 2,
/// since N lies between gamma W and alpha W. So w <= b (alpha / gamma)^d (least w) + c / gamma^d. Whatever is not seen
/// to keep a property is taken not to.
#include "proofs/queueing/theorems/bounded_regret.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <tuple>

#include "model/core/errors.hpp"
#include "proofs/queueing/theorems/narrowing.hpp"

namespace schedproof::queueing {

namespace {

using language::Op;
using language::Tree;

/// What a key counts: the work of a server or its tasks, over so many rates of the candidate.
struct Counted {
    bool work = false;
    int over = 0;
    /// d of the head of the file; none where that is not known.
    [[nodiscard]] std::optional<std::uint32_t> rates() const {
        const int missing = (work ? 1 : 2) - over;
        return over <= 1 && missing >= 0 ? std::optional(static_cast<std::uint32_t>(missing)) : std::nullopt;
    }
    friend bool operator==(const Counted&, const Counted&) = default;
};

/// a X + b L + c for the X of one kind, where c tasks are taken over as many rates as the units of the key say.
struct KeySum {
    Rational own{}, least{}, tasks{};
    std::optional<Counted> counted{};
};

using Regret = std::optional<RegretTheorem>;

/// What a set is known to be for an arriving task.
struct Joinable {
    Regret regret{};  ///< of every member
    bool never_empty = false;
};

/// Of either.
Regret larger(const Regret& a, const Regret& b) {
    if (!a || !b) return std::nullopt;
    return RegretTheorem{std::max(a->tasks, b->tasks), std::max(a->ratio, b->ratio), std::max(a->rates, b->rates)};
}
/// One of two that both hold.
Regret smaller(const Regret& a, const Regret& b) {
    const auto rank = [](const RegretTheorem& r) { return std::tuple(r.rates, r.ratio, r.tasks); };
    return a && b ? rank(*b) < rank(*a) ? b : a : a ? a : b;
}

/// Of a set that must not be empty.
bool takes_value(Op op) { return op == Op::least || op == Op::greatest || op == Op::mean; }

/// The routing rule.
class RouteReader {
  public:
    explicit RouteReader(const Tree& tree) : tree_(tree) {}
    [[nodiscard]] Joinable answer() const { return set(tree_.root(), {}); }
    /// Whether no value is taken over a set that may be empty, of which there is none.
    [[nodiscard]] bool has_all_values() const { return has_values(tree_.root(), {}); }

  private:
    [[nodiscard]] Op op(std::size_t at) const { return tree_[at].op; }
    [[nodiscard]] std::size_t part(std::size_t at, std::size_t k) const { return tree_.child(at, k); }

    /// `it`: what the nearest `among` around the set has drawn.
    [[nodiscard]] Joinable set(std::size_t at, const Joinable& it) const {
        const auto of = [&](std::size_t k) { return set(part(at, k), it); };
        if (op(at) == Op::argmin && op(part(at, 0)) == Op::servers) return {of_least(part(at, 1)), true};
        if (narrows(op(at))) return of(0);
        switch (op(at)) {
            case Op::servers:  // some server can serve each type
                return {{}, true};
            case Op::it:
                return it;
            case Op::where:
                return {smaller(of(0).regret, passed(part(at, 1), true)), false};
            case Op::first_of:
            case Op::unite: {
                const Joinable a = of(0), b = of(1);
                return {larger(a.regret, b.regret), a.never_empty || b.never_empty};
            }
            case Op::intersect:
                return {smaller(of(0).regret, of(1).regret), false};
            case Op::when:
                return one_of(of(1), of(2));
            case Op::mix:
                return one_of(of(0), of(1));
            case Op::among:
                return set(part(at, 1), of(0));
            default:
                return {};
        }
    }
    [[nodiscard]] bool has_values(std::size_t at, const Joinable& it) const {
        if (takes_value(op(at)) && !set(part(at, 0), it).never_empty) return false;
        for (std::size_t k = 0; k < tree_[at].children; ++k)
            if (!has_values(part(at, k), op(at) == Op::among && k == 1 ? set(part(at, 0), it) : it)) return false;
        return true;
    }
    [[nodiscard]] static Joinable one_of(const Joinable& a, const Joinable& b) {
        return {larger(a.regret, b.regret), a.never_empty && b.never_empty};
    }

    /// The regret of a candidate for which the test comes out so.
    [[nodiscard]] Regret passed(std::size_t test, bool holds) const {
        const auto first = [&](bool h) { return passed(part(test, 0), h); };
        const auto second = [&](bool h) { return passed(part(test, 1), h); };
        switch (op(test)) {
            case Op::less:
            case Op::less_equal:
                return holds ? at_most(part(test, 0), part(test, 1)) : at_most(part(test, 1), part(test, 0));
            case Op::equal:
                return holds ? smaller(at_most(part(test, 0), part(test, 1)), at_most(part(test, 1), part(test, 0)))
                             : std::nullopt;
            case Op::both:
                return holds ? smaller(first(true), second(true)) : larger(first(false), second(false));
            case Op::either:
                return holds ? larger(first(true), second(true)) : smaller(first(false), second(false));
            case Op::negation:
                return passed(part(test, 0), !holds);
            default:
                return std::nullopt;
        }
    }
    /// Where the first key is at most the second.
    [[nodiscard]] Regret at_most(std::size_t smaller_key, std::size_t larger_key) const {
        const auto difference = combined(sum(smaller_key), sum(larger_key), Rational(-1));
        if (!difference || difference->own.sign() <= 0) return std::nullopt;
        return regret_of(difference->counted, -difference->tasks / difference->own,
                         -difference->least / difference->own);
    }
    /// Of the servers whose key is the least of all.
    [[nodiscard]] Regret of_least(std::size_t key) const {
        const auto value = sum(key);
        if (!value || value->own.sign() <= 0) return std::nullopt;
        return regret_of(value->counted, magnitude(value->tasks / value->own), Rational(1));
    }
    [[nodiscard]] static Rational magnitude(const Rational& x) { return x.sign() < 0 ? -x : x; }
    /// Of candidates with X <= multiple * (the least X) + tasks over as many rates as X is.
    [[nodiscard]] static Regret regret_of(const std::optional<Counted>& x, const Rational& tasks,
                                          const Rational& multiple) {
        const auto rates = x ? x->rates() : std::nullopt;
        if (!rates) return std::nullopt;
        return RegretTheorem{std::max(Rational(0), tasks), std::max(Rational(1), multiple), *rates};
    }

    /// A key as such a sum, under so many divisions by the candidate's rate; nothing where it is none.
    [[nodiscard]] std::optional<KeySum> sum(std::size_t key, int over = 0) const {
        switch (op(key)) {
            case Op::over_rate:
                return sum(part(key, 0), over + 1);
            case Op::server_workload:
            case Op::server_length:
                return KeySum{Rational(1), {}, {}, Counted{op(key) == Op::server_workload, over}};
            case Op::constant:
                return KeySum{{}, {}, Rational(tree_[key].a), {}};
            case Op::least:
                return over == 0 ? least_of_all(key) : std::nullopt;
            case Op::multiple:
                return combined(KeySum{}, sum(part(key, 0), over), Rational(tree_[key].a) / Rational(tree_[key].b));
            case Op::plus:
            case Op::minus:
                return combined(sum(part(key, 0), over), sum(part(key, 1), over),
                                Rational(op(key) == Op::plus ? 1 : -1));
            default:
                return std::nullopt;
        }
    }
    [[nodiscard]] std::optional<KeySum> least_of_all(std::size_t value) const {
        const auto of = sum(part(value, 1));
        if (op(part(value, 0)) != Op::servers || !of || !of->counted || of->own != Rational(1) ||
            of->least.sign() != 0 || of->tasks.sign() != 0)
            return std::nullopt;
        return KeySum{{}, Rational(1), {}, of->counted};
    }
    /// The first and a multiple of the second.
    [[nodiscard]] static std::optional<KeySum> combined(const std::optional<KeySum>& a, const std::optional<KeySum>& b,
                                                        const Rational& by) {
        if (!a || !b || (a->counted && b->counted && *a->counted != *b->counted)) return std::nullopt;
        return KeySum{a->own + by * b->own, a->least + by * b->least, a->tasks + by * b->tasks,
                      a->counted ? a->counted : b->counted};
    }

    const Tree& tree_;
};

/// Whether the serving rule names queues of the server alone.
bool is_own(const Tree& tree, std::size_t at) {
    if (narrows(tree[at].op)) return is_own(tree, tree.child(at, 0));
    switch (tree[at].op) {
        case Op::own:
        case Op::own_levels:
            return true;
        case Op::where:
            return is_own(tree, tree.child(at, 0));
        case Op::first_of:
        case Op::unite:
        case Op::mix:
            return is_own(tree, tree.child(at, 0)) && is_own(tree, tree.child(at, 1));
        case Op::when:
            return is_own(tree, tree.child(at, 1)) && is_own(tree, tree.child(at, 2));
        default:
            return false;
    }
}

/// Whether a set of own queues holds queues with work, and those alone, wherever the server has some.
bool works(const Tree& tree, std::size_t at) {
    if (narrows(tree[at].op)) return works(tree, tree.child(at, 0));
    switch (tree[at].op) {
        case Op::where:
            return tree[tree.child(at, 0)].op == Op::own_levels && tree[tree.child(at, 1)].op == Op::has_work;
        case Op::first_of:
            return works(tree, tree.child(at, 0)) && is_own(tree, tree.child(at, 1));
        case Op::unite:
        case Op::mix:
            return works(tree, tree.child(at, 0)) && works(tree, tree.child(at, 1));
        case Op::when:
            return works(tree, tree.child(at, 1)) && works(tree, tree.child(at, 2));
        default:
            return false;
    }
}

}  // namespace

std::variant<RegretTheorem, std::string> bounded_regret(const Rules& rules) {
    if (rules.arrangement() != Arrangement::per_server_and_level)
        return "the queues are not per server and level, of which work is counted";
    if (!works(rules.serve(), rules.serve().root()))
        return "the serving rule is not seen to start a task of the server's own wherever there is one";
    if (rules.names_rates_of_levels()) return "the rules name rates of levels, and types or servers may have their own";
    const RouteReader route(rules.route());
    // A server may have no queue at all.
    if (!route.has_all_values() || rules.serve().any(takes_value))
        return "a value may be taken over a set without a member, where the rules have no answer";
    const Joinable joinable = route.answer();
    if (!joinable.regret)
        return "the routing rule is not seen to keep the work over the rate of a task's server near a multiple of the "
               "least of all";
    if (!joinable.never_empty) return "the routing rule is not seen to name a server for every task";
    return *joinable.regret;
}

std::vector<explore::Question> questions(const AnyPolicy&, const RegretTheorem&) { return {}; }

std::string arithmetic_rejection(const AnyPolicy& policy, const RegretTheorem& theorem) {
    const auto found = bounded_regret(policy.rules());
    if (const auto* why_not = std::get_if<std::string>(&found)) return *why_not;
    return theorem == std::get<RegretTheorem>(found) ? "" : "the rules keep another bound";
}

namespace {

/// kappa in letters; nothing where it is 1.
std::string kappa_in_words(const RegretTheorem& theorem) {
    const bool plain = theorem.ratio == Rational(1);
    std::string text = plain ? "" : theorem.ratio.to_string() + (theorem.rates > 0 ? " " : "");
    if (theorem.rates == 1) text += plain ? "alpha / gamma" : "(alpha / gamma)";
    if (theorem.rates == 2) text += "(alpha / gamma)^2";
    return text;
}

}  // namespace

Rational RegretTheorem::kappa(const Instance& instance) const {
    const std::vector<Rational> all = instance.rate_table();
    const auto [least, greatest] = std::minmax_element(all.begin(), all.end());
    Rational kappa = ratio;
    for (std::uint32_t i = 0; i < rates; ++i) kappa *= *greatest / *least;
    return kappa;
}

std::string sentence(const AnyPolicy& policy, const RegretTheorem& theorem) {
    const std::string kappa = kappa_in_words(theorem);
    const bool optimal = theorem.throughput_optimal();
    return fmt::format(
        "For every number of servers, every set of task types, all rates of levels, types or servers, alpha the "
        "greatest and gamma the least, and all arrivals, alike and independent from slot to slot or Poisson, with a "
        "load rho* < {} and a finite mean square, in slots or in continuous time, with unmatched servers idle: under "
        "{} a task joins a server whose work, as the rules see it, over the task's rate is at most {}the least of all "
        "servers that can serve it and {} / gamma^2 more, and an idle server starts a task of its own where it has "
        "one; so the drift of the sum of W^2 per slot or unit of time, W the work of a server, is at most "
        "-2 (1 - {}rho*) sum of W + a constant, and the {}.",
        optimal ? "1" : "1 / kappa, kappa = " + kappa, policy.info().id, optimal ? "" : "kappa times ",
        theorem.tasks.to_string(), optimal ? "" : "kappa ",
        optimal ? "policy is throughput optimal" : "cluster is stable");
}

}  // namespace schedproof::queueing
