/// What a rule answers at a state: the set that its expression denotes, as seen by one decider.
///
/// One evaluator serves every mode. It knows a state through a view (the exact one of view.hpp, or the simulators' over
/// their counts), compares numbers of the view's type, and draws from whatever randomness it is given: a kernel that
/// enumerates gets every outcome, a simulator one. So what a primitive means is said once: in the table
/// (operations.def), by the functions below.
///
/// Members are compared in the order in which a set lists them and no earlier than needed: a condition's second part is
/// not asked when the first decides, and where two sets are the same the one that asks fewer comparisons is computed
/// (`heaviest`, `nearest`). Symbolic execution forks on each comparison, so this decides how many cells a proof has.
/// Whoever keeps the answer of a part of the rule otherwise, as the simulators do in indexes, gives it as `Known`.
///
/// Cost: O(members of the sets named), times the size of the keys.
/// Long: sets, keys and tests evaluate one another.
#pragma once

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "model/core/errors.hpp"
#include "model/core/number.hpp"
#include "model/core/randomness.hpp"
#include "model/queueing/language/decision_table.hpp"
#include "model/queueing/language/expressions.hpp"
#include "model/queueing/ties.hpp"

namespace schedproof::queueing::language {

/// Who asks: an arriving task of a type, or an idle server.
struct Asker {
    TaskTypeId type;
    ServerId server;
    bool is_server = false;
    static Asker task(TaskTypeId type) { return {type, {}, false}; }
    static Asker idle(ServerId server) { return {{}, server, true}; }
};

/// Throws InputError: a policy asks for the least or the mean of a key over no queues.
[[noreturn]] void throw_no_queues(Op op);

/// For a rule that is known to draw nothing.
struct NoRandomness {
    static std::size_t draw(const DiscreteDistribution&) { return refuse(); }
    static std::size_t uniform(std::size_t) { return refuse(); }
    static std::size_t proportional(std::span<const std::uint64_t>) { return refuse(); }

  private:
    [[noreturn]] static std::size_t refuse();
};
static_assert(Randomness<NoRandomness>);

/// value / over
template <class N>
struct Amount {
    N value;
    std::int64_t over = 1;
};

/// Parts of the rule whose answers are kept elsewhere: none. Otherwise `set` and `value` give those of the node at
/// `at` of which `knows_set` or `knows_value` holds.
struct NothingKnown {};

template <class View, Randomness R, class Known = NothingKnown>
class Evaluation {
  public:
    using N = typename View::Value;
    using Quantity = Amount<N>;

    /// Borrows everything but `known`.
    Evaluation(const Tree& tree, const View& now, Asker asker, R& randomness, Known known = {})
        : tree_(tree), now_(now), asker_(asker), randomness_(randomness), known_(known) {}

    [[nodiscard]] Ties answer() { return set(tree_.root()); }
    /// Of the parts at a node that name no `it` from outside: a set, a test of a candidate, a key of a candidate.
    [[nodiscard]] Ties set_at(std::size_t at) { return set(at); }
    [[nodiscard]] bool holds(std::size_t at, const Candidate& c) { return test(at, c); }
    [[nodiscard]] Quantity amount(std::size_t at, const Candidate& c) { return quantity(at, c); }

  private:
    static constexpr bool knows = !std::same_as<Known, NothingKnown>;

    [[nodiscard]] std::size_t part(std::size_t at, std::size_t k) const { return tree_.child(at, k); }

    // ---- sets ----

    [[nodiscard]] Ties child(std::size_t at, std::size_t k) { return set(part(at, k)); }
    /// Both parts, the first one first: braces fix the order of comparisons and draws, which the arguments of a call
    /// would leave to the compiler.
    [[nodiscard]] std::array<Ties, 2> sets(std::size_t at) { return {child(at, 0), child(at, 1)}; }

#define EVALUATED_set(id, evaluated) \
    case Op::id:                     \
        return evaluated;
#define EVALUATED_key(id, evaluated)
#define EVALUATED_test(id, evaluated)
#define OPERATION(sort, form, id, written, meaning, evaluated, ...) EVALUATED_##sort(id, evaluated)

    [[nodiscard]] Ties set(std::size_t at) {
        if constexpr (knows)
            if (known_.knows_set(at)) return known_.set(at);
        const Node& node = tree_[at];
        switch (node.op) {
#include "model/queueing/language/operations.def"
            default:
                throw ContractViolation("a primitive that names no set stands where a set is expected");
        }
    }
#undef EVALUATED_set
#undef EVALUATED_key

    /// The queues that the task joins at those of these servers that can serve it.
    template <class Servers>
    [[nodiscard]] Ties joined(const Servers& these) const {
        Ties members;
        for (const ServerId m : these)
            if (now_.can_serve(m, asker_.type))
                members.add(now_.own(m, now_.level(asker_.type, m), now_.row(asker_.type)));
        return members;
    }
    /// Of these queues those that the idle server can serve, with the level at which it would.
    template <class Queues>
    [[nodiscard]] Ties reached(const Queues& queues) const {
        Ties members;
        for (const QueueId q : queues)
            if (now_.serves(asker_.server, q)) members.add(now_.reached(q, asker_.server));
        return members;
    }
    /// The idle server's own queues: of several levels, those for its local tasks, one for each row of rates.
    [[nodiscard]] Ties own_local() const {
        Ties members = reached(now_.queues_of(asker_.server));
        return now_.keeps_levels() ? members.where([&](const Candidate& c) { return c.level == now_.local(); })
                                   : members;
    }
    [[nodiscard]] Ties common() const {
        return asker_.is_server ? reached(std::array{now_.common().queue}) : Ties(now_.common());
    }
    /// The queue for its local tasks of another server, if the idle one can serve it. Requires a queue per server.
    [[nodiscard]] Ties of(ServerId other) const { return reached(now_.queues_of(other)); }
    [[nodiscard]] Ties ring(const Node& node) const {
        const std::size_t count = now_.servers().size();
        Ties members;
        const std::size_t first = asker_.server.index() + static_cast<std::size_t>(node.a) % count;
        for (std::size_t k = 0; k < ring_length(node, count); ++k)
            members = united({members, of(ServerId((first + k) % count))});
        return members;
    }
    [[nodiscard]] Ties partner() const {
        const ServerId other(asker_.server.index() ^ 1U);
        return other.index() < now_.servers().size() ? of(other) : of(asker_.server);
    }
    [[nodiscard]] Ties planned() {
        const Split& split = now_.planned(asker_.type);
        return split.candidates[randomness_.draw(split.distribution)];
    }
    [[nodiscard]] Ties unless_empty(std::size_t at) {
        Ties first = child(at, 0);
        return first.empty() ? child(at, 1) : first;
    }

    /// What a decision table names, and beyond it the set. Where numbers are symbols, each comparison halves what the
    /// length of a queue may be.
    [[nodiscard]] Ties looked_up(std::size_t at) {
        const DecisionTable& table = DecisionTable::numbered(tree_[at].a);
        N waiting(0);
        for (const QueueId q : now_.queues()) waiting = waiting + now_.waiting(q);
        std::uint32_t room = table.most();
        if (waiting > N(std::int64_t{room})) return child(at, 0);
        std::vector<std::uint32_t> lengths, executing;
        for (const QueueId q : now_.queues()) {
            executing.push_back(now_.executing(q));
            lengths.push_back(integer_up_to(room, now_.waiting(q)));
            room -= lengths.back();
        }
        Ties named;
        if (const auto queue = table.named(asker_.server, executing, lengths))
            named.add(now_.reached(*queue, asker_.server));
        return named;
    }
    /// The value, an integer from 0 to `most`.
    [[nodiscard]] static std::uint32_t integer_up_to(std::uint32_t most, const N& value) {
        std::uint32_t low = 0;
        while (low < most) {
            const std::uint32_t middle = low + (most - low) / 2;
            if (value <= N(std::int64_t{middle}))
                most = middle;
            else
                low = middle + 1;
        }
        return low;
    }
    [[nodiscard]] Ties filtered(const Ties& from, std::size_t condition) {
        Ties kept;
        for (const Candidate& c : from)
            if (test(condition, c)) kept.add(c);
        return kept;
    }
    /// The candidates of least or greatest key; of those that an idle server may choose if `choosable`.
    [[nodiscard]] Ties extreme(const Ties& from, std::size_t key, bool greatest, bool choosable = false) {
        std::optional<Quantity> value;
        Ties tied;
        for (const Candidate& c : from) {
            if (choosable && !now_.has_work(c.queue)) continue;
            Quantity here = quantity(key, c);
            if (!value || (greatest ? less(*value, here) : less(here, *value))) {
                value = std::move(here);
                tied.clear();
                tied.add(c);
            } else if (equal(here, *value)) {
                tied.add(c);
            }
        }
        return tied;
    }
    /// Whether the node is argmax(nonempty(S), key) for a key that is positive where a queue has work and zero
    /// elsewhere.
    [[nodiscard]] bool heaviest_applies(std::size_t at) const {
        const std::size_t filter = part(at, 0);
        if (tree_[filter].op != Op::where || tree_[part(filter, 1)].op != Op::has_work) return false;
        std::size_t key = part(at, 1);
        while (tree_[key].op == Op::times_rate || (tree_[key].op == Op::multiple && tree_[key].a > 0))
            key = part(key, 0);
        return tree_[key].op == Op::length || tree_[key].op == Op::marginal_cost;
    }
    /// That set: queues without work have key zero, so the largest key tells whether any has work.
    [[nodiscard]] Ties heaviest(std::size_t at) {
        Ties tied = extreme(child(part(at, 0), 0), part(at, 1), true, now_.conserved());
        if (!tied.empty() && !(quantity(part(at, 1), *tied.begin()).value > N(0))) tied.clear();
        return tied;
    }
    /// The members of the least level; of a filtered set, those behind a member that passes are not tested.
    [[nodiscard]] Ties nearest(std::size_t of) {
        const bool tested = tree_[of].op == Op::where;
        Ties from = set(tested ? part(of, 0) : of);
        std::vector<Candidate> sorted(from.begin(), from.end());
        std::stable_sort(sorted.begin(), sorted.end(),
                         [](const Candidate& a, const Candidate& b) { return a.level < b.level; });
        Ties kept;
        for (const Candidate& c : sorted) {
            if (!kept.empty() && kept.begin()->level < c.level) break;
            if (!tested || test(part(of, 1), c)) kept.add(c);
        }
        return kept;
    }
    [[nodiscard]] static bool contains(const Ties& set, const Candidate& c) {
        return std::find(set.begin(), set.end(), c) != set.end();
    }
    [[nodiscard]] static Ties united(const std::array<Ties, 2>& of) {
        Ties all = of[0];
        for (const Candidate& c : of[1])
            if (!contains(of[0], c)) all.add(c);
        return all;
    }
    [[nodiscard]] static Ties common_members(const std::array<Ties, 2>& of) {
        return of[0].where([&](const Candidate& c) { return contains(of[1], c); });
    }
    [[nodiscard]] Ties enclosed(std::size_t at) {
        std::optional<Ties> here = child(at, 0);
        std::swap(it_, here);
        Ties answer = child(at, 1);
        std::swap(it_, here);
        return answer;
    }
    [[nodiscard]] static Ties first_few(const Ties& from, std::int64_t count) {
        std::vector<Candidate> sorted(from.begin(), from.end());
        std::sort(sorted.begin(), sorted.end(),
                  [](const Candidate& a, const Candidate& b) { return a.queue < b.queue; });
        return first_of_sorted(sorted, count);
    }

    [[nodiscard]] Ties first_preferred(const Ties& from, std::int64_t count) const {
        std::vector<Candidate> sorted(from.begin(), from.end());
        std::sort(sorted.begin(), sorted.end(), [this](const Candidate& a, const Candidate& b) {
            const std::size_t first = now_.place(asker_.type, a), second = now_.place(asker_.type, b);
            return first != second ? first < second : a.queue < b.queue;
        });
        return first_of_sorted(sorted, count);
    }
    [[nodiscard]] static Ties first_of_sorted(const std::vector<Candidate>& sorted, std::int64_t count) {
        Ties kept;
        for (const Candidate& c : sorted)
            if (count-- > 0) kept.add(c);
        return kept;
    }

    // ---- random sets ----

    [[nodiscard]] bool drawn(std::int64_t in_favour, std::int64_t against) {
        const std::array odds{static_cast<std::uint64_t>(in_favour), static_cast<std::uint64_t>(against)};
        return randomness_.proportional(odds) == 0;
    }
    /// Of `left` members still needed among so many not yet considered, this one is taken with probability their
    /// quotient: every subset is equally likely.
    [[nodiscard]] Ties sampled(const Ties& from, std::int64_t count) {
        Ties kept;
        auto considered = static_cast<std::int64_t>(from.size());
        std::int64_t left = std::min(count, considered);
        for (const Candidate& c : from) {
            if (left == considered || (left > 0 && drawn(left, considered - left))) {
                kept.add(c);
                --left;
            }
            --considered;
        }
        return kept;
    }
    /// After k of n members each further draw finds another one with probability (n - k) / n; by symmetry those found
    /// are any k of them.
    [[nodiscard]] Ties drawn_again(const Ties& from, std::int64_t draws) {
        const auto members = static_cast<std::int64_t>(from.size());
        std::int64_t found = std::min<std::int64_t>(members, 1);
        for (; draws > 1 && found < members; --draws)
            if (drawn(members - found, found)) ++found;
        return sampled(from, found);
    }
    [[nodiscard]] Ties best(Ties from, std::size_t key, std::int64_t count) {
        Ties kept;
        while (count > 0 && !from.empty()) {
            const Ties next = extreme(from, key, false);
            for (const Candidate& c : sampled(next, count)) kept.add(c);
            count -= static_cast<std::int64_t>(next.size());
            from = from.where([&](const Candidate& c) { return !contains(next, c); });
        }
        return kept;
    }

    // ---- keys ----

#define EVALUATED_set(id, evaluated)
#define EVALUATED_key(id, evaluated) \
    case Op::id:                     \
        return evaluated;

    [[nodiscard]] Quantity quantity(std::size_t at, const Candidate& c) {
        const Node& node = tree_[at];
        switch (node.op) {
#include "model/queueing/language/operations.def"
            default:
                throw ContractViolation("a primitive that is no key stands where a key is expected");
        }
    }
#undef EVALUATED_key
#undef EVALUATED_test

    [[nodiscard]] std::array<Quantity, 2> quantities(std::size_t at, const Candidate& c) {
        return {quantity(part(at, 0), c), quantity(part(at, 1), c)};
    }
    [[nodiscard]] Quantity multiple(std::size_t at, const Candidate& c) {
        const Quantity of = quantity(part(at, 0), c);
        return {times(tree_[at].a, of.value), product(of.over, tree_[at].b)};
    }
    [[nodiscard]] Quantity sum(std::size_t at, const Candidate& c, int sign) {
        const auto [j, k] = quantities(at, c);
        const auto [a, b, over] = alike(j, k);
        return {sign > 0 ? a + b : a - b, over};
    }
    [[nodiscard]] Quantity lesser_or_greater(std::size_t at, const Candidate& c) {
        if constexpr (knows)
            if (known_.knows_value(at)) return known_.value(at);
        const auto [j, k] = quantities(at, c);
        return less(j, k) == (tree_[at].op == Op::minimum) ? j : k;
    }
    template <class C>
    [[nodiscard]] Quantity scaled(const C& coefficient, std::size_t at, const Candidate& c) {
        const Quantity of = quantity(part(at, 0), c);
        return {coefficient * of.value, of.over};
    }
    /// Least, greatest, total or mean of a key over a set.
    [[nodiscard]] Quantity over_set(std::size_t at) {
        if constexpr (knows)
            if (known_.knows_value(at)) return known_.value(at);
        const Op op = tree_[at].op;
        const Ties members = child(at, 0);
        if (members.empty() && op != Op::total) throw_no_queues(op);
        std::optional<Quantity> value;
        for (const Candidate& c : members) {
            Quantity here = quantity(part(at, 1), c);
            if (value && (op == Op::total || op == Op::mean)) {
                const auto [a, b, over] = alike(*value, here);
                value = Quantity{a + b, over};
            } else if (!value || (op == Op::least ? less(here, *value) : less(*value, here))) {
                value = std::move(here);
            }
        }
        if (!value) return {N(0)};
        if (op == Op::mean) value->over = product(value->over, static_cast<std::int64_t>(members.size()));
        return *value;
    }
    [[nodiscard]] static std::int64_t product(std::int64_t a, std::int64_t b) {
        return (CheckedInt(a) * CheckedInt(b)).value();
    }
    struct Alike {
        N a, b;
        std::int64_t over;
    };
    /// Both over their least common denominator.
    [[nodiscard]] static Alike alike(const Quantity& a, const Quantity& b) {
        if (a.over == b.over) return {a.value, b.value, a.over};
        const std::int64_t over = product(a.over / std::gcd(a.over, b.over), b.over);
        return {times(over / a.over, a.value), times(over / b.over, b.value), over};
    }
    [[nodiscard]] static bool less(const Quantity& x, const Quantity& y) {
        const auto [a, b, over] = alike(x, y);
        return a < b;
    }
    [[nodiscard]] static bool equal(const Quantity& x, const Quantity& y) {
        const auto [a, b, over] = alike(x, y);
        return a == b;
    }

    // ---- tests ----

#define EVALUATED_key(id, evaluated)
#define EVALUATED_test(id, evaluated) \
    case Op::id:                      \
        return evaluated;

    [[nodiscard]] bool test(std::size_t at, const Candidate& c) {
        switch (tree_[at].op) {
#include "model/queueing/language/operations.def"
            default:
                throw ContractViolation("a primitive that tests nothing stands where a test is expected");
        }
    }
#undef EVALUATED_set
#undef EVALUATED_key
#undef EVALUATED_test
#undef OPERATION

    template <class Holds>
    [[nodiscard]] bool compared(std::size_t at, const Candidate& c, Holds&& holds) {
        const auto [j, k] = quantities(at, c);
        const auto [a, b, over] = alike(j, k);
        return holds(a, b);
    }

    const Tree& tree_;
    const View& now_;
    const Asker asker_;
    R& randomness_;
    const Known known_;
    std::optional<Ties> it_;
};

/// Whether the rule draws.
[[nodiscard]] constexpr bool is_random(const Tree& tree) {
    return tree.any([](Op op) { return operation(op).draws; });
}

/// The set that a rule leaves after its own random choices.
template <class View, Randomness R>
[[nodiscard]] Ties evaluate(const Tree& tree, const View& now, Asker asker, R& randomness) {
    return Evaluation<View, R>(tree, now, asker, randomness).answer();
}

/// The law of that set: every outcome of the rule's random choices, equal ones merged.
template <class View>
[[nodiscard]] Decision decide(const Tree& tree, const View& now, Asker asker) {
    if (!is_random(tree)) {
        NoRandomness none;
        return Decision(evaluate(tree, now, asker, none));
    }
    std::vector<std::pair<Ties, Rational>> outcomes;
    enumerate_each([&](auto& randomness) { return evaluate(tree, now, asker, randomness); },
                   [&](Ties&& tied, const Fraction& p) {
                       const auto known = std::find_if(outcomes.begin(), outcomes.end(),
                                                       [&](const auto& outcome) { return outcome.first == tied; });
                       if (known != outcomes.end())
                           known->second += p.rational();
                       else
                           outcomes.emplace_back(std::move(tied), p.rational());
                   });
    return Decision(std::move(outcomes));
}

}  // namespace schedproof::queueing::language
