/// The two properties by recursion over the expressions of the rules.
///
/// A set has a regret where each of its members keeps the property; parts of a set keep it, and a set that is one of
/// two has the larger. A test gives its set one where it bounds a candidate's weighted work by the least of all: it is
/// a comparison of two sums of multiples of the candidate's weighted work w, of the least L of all servers and of
/// constants, so a w + b L + c <= 0 with a > 0 and -b <= a, whence w <= L - c / a, for L >= 0. Whatever is not seen to
/// keep a property is taken not to.
#include "proofs/queueing/theorems/bounded_regret.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <optional>

#include "model/core/errors.hpp"

namespace schedproof::queueing {

namespace {

using language::Op;
using language::Tree;

/// a w + b L + c in units of weighted work, of which c tasks are c / mu^2; of work, where w stands for the work itself
/// and c tasks are c / mu; or of tasks, where c alone is not 0.
struct WorkSum {
    Rational own, least, tasks;
};

/// What a set is known to be for an arriving task.
struct Joinable {
    std::optional<Rational> regret{};  ///< of every member
    bool never_empty = false;
};

std::optional<Rational> larger(const std::optional<Rational>& a, const std::optional<Rational>& b) {
    return a && b ? std::optional(std::max(*a, *b)) : std::nullopt;
}
std::optional<Rational> smaller(const std::optional<Rational>& a, const std::optional<Rational>& b) {
    return a && b ? std::optional(std::min(*a, *b)) : a ? a : b;
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

    [[nodiscard]] bool is_weighted_work(std::size_t key) const {
        return op(key) == Op::over_rate && op(part(key, 0)) == Op::server_workload;
    }

    /// `it`: what the nearest `among` around the set has drawn.
    [[nodiscard]] Joinable set(std::size_t at, const Joinable& it) const {
        const auto of = [&](std::size_t k) { return set(part(at, k), it); };
        switch (op(at)) {
            case Op::servers:  // some server can serve each type
                return {{}, true};
            case Op::it:
                return it;
            case Op::argmin:
                if (op(part(at, 0)) == Op::servers && is_weighted_work(part(at, 1))) return {Rational(0), true};
                return of(0);
            case Op::argmax:
            case Op::most_local:
            case Op::lowest:
            case Op::sample:
            case Op::best:
                return of(0);
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
    [[nodiscard]] std::optional<Rational> passed(std::size_t test, bool holds) const {
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
    [[nodiscard]] std::optional<Rational> at_most(std::size_t smaller_key, std::size_t larger_key) const {
        const auto x = sum(smaller_key), y = sum(larger_key);
        if (!x || !y) return std::nullopt;
        const Rational own = x->own - y->own, least = x->least - y->least, tasks = x->tasks - y->tasks;
        if (own.sign() <= 0 || own + least < Rational(0)) return std::nullopt;
        return std::max(Rational(0), -tasks / own);
    }

    /// A key in weighted work; none where it is another or not such a sum.
    [[nodiscard]] std::optional<WorkSum> sum(std::size_t key) const {
        return linear(key, [this](std::size_t at) -> std::optional<WorkSum> {
            if (op(at) == Op::over_rate) return work(part(at, 0));
            const bool of_all = op(at) == Op::least && op(part(at, 0)) == Op::servers && is_weighted_work(part(at, 1));
            return of_all ? std::optional(WorkSum{{}, Rational(1), {}}) : std::nullopt;
        });
    }
    /// A key in work, divided by a rate.
    [[nodiscard]] std::optional<WorkSum> work(std::size_t key) const {
        return linear(key, [this](std::size_t at) -> std::optional<WorkSum> {
            if (op(at) == Op::over_rate) return number(part(at, 0));
            return op(at) == Op::server_workload ? std::optional(WorkSum{Rational(1), {}, {}}) : std::nullopt;
        });
    }
    /// A constant number of tasks.
    [[nodiscard]] std::optional<WorkSum> number(std::size_t key) const {
        return linear(key, [this](std::size_t at) -> std::optional<WorkSum> {
            return op(at) == Op::constant ? std::optional(WorkSum{{}, {}, Rational(tree_[at].a)}) : std::nullopt;
        });
    }
    template <class Base>
    [[nodiscard]] std::optional<WorkSum> linear(std::size_t key, const Base& base) const {
        switch (op(key)) {
            case Op::multiple: {
                const auto of = linear(part(key, 0), base);
                if (!of) return std::nullopt;
                const Rational by = Rational(tree_[key].a) / Rational(tree_[key].b);
                return WorkSum{by * of->own, by * of->least, by * of->tasks};
            }
            case Op::plus:
            case Op::minus: {
                const auto a = linear(part(key, 0), base), b = linear(part(key, 1), base);
                if (!a || !b) return std::nullopt;
                const Rational by(op(key) == Op::plus ? 1 : -1);
                return WorkSum{a->own + by * b->own, a->least + by * b->least, a->tasks + by * b->tasks};
            }
            default:
                return base(key);
        }
    }

    const Tree& tree_;
};

/// Whether the serving rule names queues of the server alone.
bool is_own(const Tree& tree, std::size_t at) {
    switch (tree[at].op) {
        case Op::own:
        case Op::own_levels:
            return true;
        case Op::where:
        case Op::argmin:
        case Op::argmax:
        case Op::most_local:
        case Op::lowest:
        case Op::sample:
        case Op::best:
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
    switch (tree[at].op) {
        case Op::where:
            return tree[tree.child(at, 0)].op == Op::own_levels && tree[tree.child(at, 1)].op == Op::has_work;
        case Op::argmin:
        case Op::argmax:
        case Op::most_local:
        case Op::lowest:
        case Op::sample:
        case Op::best:
            return works(tree, tree.child(at, 0));
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

std::variant<Rational, std::string> bounded_regret(const Rules& rules) {
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
        return "the routing rule is not seen to keep the work over the rate of a task's server near the least of all";
    if (!joinable.never_empty) return "the routing rule is not seen to name a server for every task";
    return *joinable.regret;
}

std::vector<explore::Question> questions(const AnyPolicy&, const RegretTheorem&) { return {}; }

std::string arithmetic_rejection(const AnyPolicy& policy, const RegretTheorem& theorem) {
    const auto found = bounded_regret(policy.rules());
    if (const auto* why_not = std::get_if<std::string>(&found)) return *why_not;
    return theorem.tasks == std::get<Rational>(found) ? "" : "the rules keep another number of tasks";
}

std::string sentence(const AnyPolicy& policy, const RegretTheorem& theorem) {
    return fmt::format(
        "For every number of servers, every set of task types, all rates of levels, types or servers, and all "
        "arrivals, alike and independent from slot to slot or Poisson, with a load rho* < 1 and a finite mean square, "
        "in slots or in continuous time, with unmatched servers idle: under {} a task joins a server whose work, as "
        "the rules see it, over the task's rate mu exceeds the least of all servers that can serve it by at most "
        "{} / mu^2, and an idle server starts a task of its own where it has one; so the drift of the sum of W^2 per "
        "slot or unit of time, W the work of a server, is at most -2 (1 - rho*) sum of W + a constant, and the policy "
        "is throughput optimal.",
        policy.info().id, theorem.tasks.to_string());
}

}  // namespace schedproof::queueing
