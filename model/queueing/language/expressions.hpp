/// The vocabulary in which a policy is written: sets of queues, keys of queues, conditions.
///
///     route(argmin(local, length))
///     serve(first_of(argmax(nonempty(reachable), rate * length), own))
///
/// A set is named, filtered, compared and drawn from; the environment picks one member of the set that is left, each
/// equally likely. The words, functions and operators are those of the table (operations.def), and so is their typing:
/// an expression carries its sort and its unit as data, and `made` holds what an operation is given to the table's row.
/// The rules of a policy in C++ are constants, so the compiler runs `made` and refuses, at the line of the policy, what
/// a policy as a text (typing.hpp) is refused for in the same words: `rate * length > length` compares unlike units.
///
/// Rates enter numbers as integers times a common denominator (rate_weights.hpp); like units have like denominators, so
/// a comparison means the same in every mode, symbolic rates included.
/// Long: one header is the whole vocabulary that a policy file includes.
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <string_view>

#include "model/queueing/language/operations.hpp"

namespace schedproof::queueing::language {

/// A quotient of whole numbers, the denominator positive: coefficients are never machine reals.
struct Ratio {
    std::int64_t numerator = 1, denominator = 1;
    constexpr Ratio(std::int64_t n, std::int64_t d = 1)  // NOLINT(google-explicit-constructor): 2 is 2/1
        : numerator(n), denominator(d) {
        if (d <= 0) throw "the denominator of a coefficient is positive";
    }
    template <std::floating_point F>
    Ratio(F) = delete;  // a coefficient is a fraction, Ratio(1, 2), and no machine real
};

/// A part of a rule: a tree, or a constant of one, with its type. Numbers are expressions too, machine reals are none.
struct Expression {
    Sort sort = Sort::number;
    Unit unit = Unit::none;  ///< of a key
    Decider by = Decider::anyone;
    bool shared = false;           ///< of a key or a test: the same for all candidates
    Ratio ratio{0, 1};             ///< of a number; of a table its number
    Op multiplies = Op::constant;  ///< of a rate: `times_rate`, `times_local` or `times_remote`
    Tree tree{};                   ///< of a set, a key or a test

    constexpr Expression() = default;
    constexpr Expression(const Ratio& number) : ratio(number) {}  // NOLINT(google-explicit-constructor)
    template <std::integral I>
    requires(!std::same_as<I, bool>) constexpr Expression(I number)  // NOLINT(google-explicit-constructor)
        : ratio(static_cast<std::int64_t>(number)) {}
    template <std::floating_point F>
    Expression(F) = delete;  // a coefficient is a fraction, Ratio(1, 2), and no machine real
};

namespace typing {

/// Where a sign has an expression; empty of a function's arguments.
struct Place {
    std::string_view side{};  ///< "before" or "after" the sign
    std::string_view sign{};
};

// Throw TypeError (typing.hpp). None is a constant expression, so a compiler that meets one quotes the call, which says
// what was expected.
[[noreturn]] void expected(std::string_view what, const Expression& instead, const Place& at = {});
[[noreturn]] void expected_rule(std::string_view what);
[[noreturn]] void unlike(std::string_view what, const Place& at, Unit first, Unit second);
[[noreturn]] void wrong_unit(std::string_view what, Unit instead);

/// Who may name what is made of two parts.
[[nodiscard]] constexpr Decider joint(Decider a, Decider b) {
    if (a != b && a != Decider::anyone && b != Decider::anyone)
        expected_rule("words of one rule; those of an arriving task and of an idle server are not mixed");
    return a == Decider::anyone ? b : a;
}

[[nodiscard]] constexpr Unit unit_times_rate(Unit unit) {
    if (unit == Unit::tasks) return Unit::weight;
    if (unit != Unit::marginal_cost) wrong_unit("tasks or a marginal cost times a rate", unit);
    return Unit::cost;
}
[[nodiscard]] constexpr Unit unit_over_rate(Unit unit) {
    if (unit == Unit::tasks) return Unit::work;
    if (unit != Unit::work) wrong_unit("tasks or work over a rate", unit);
    return Unit::weighted_work;
}
[[nodiscard]] constexpr Unit unit_as_work(Unit unit) {
    if (unit != Unit::tasks) wrong_unit("tasks to be taken as work", unit);
    return Unit::work;
}

[[nodiscard]] constexpr bool is_whole(const Expression& part, std::int64_t least) {
    return part.sort == Sort::number && part.ratio.denominator == 1 && part.ratio.numerator >= least;
}

/// The unit of the first key among the parts; none where there is no key.
[[nodiscard]] constexpr Unit unit_among(std::initializer_list<const Expression*> parts) {
    for (const Expression* part : parts)
        if (part->sort == Sort::key) return part->unit;
    return Unit::none;
}

/// Says what is written in place of a number beside a key of the unit, where the part is one.
constexpr void expect_no_number(const Expression& part, Unit beside) {
    if (part.sort != Sort::number) return;
    if (beside == Unit::weight) expected_rule("a weight; that of n tasks is written rate * tasks(n)");
    if (beside == Unit::work) expected_rule("work; that of n tasks is written tasks(n) / rate");
    if (beside == Unit::weighted_work)
        expected_rule("weighted work; that of n tasks is written tasks(n) / rate / rate");
    if (beside == Unit::distance) expected_rule("a level, which is a whole number of at least 0");
    if (beside == Unit::marginal_cost || beside == Unit::cost) expected_rule("a cost, which no number is");
    expected_rule("a key; a number of tasks is written tasks(n)");
}

/// How keys of two units are brought to one.
[[nodiscard]] constexpr std::string_view cure(Unit first, Unit second) {
    const auto are = [&](Unit one, Unit other) {
        return (first == one && second == other) || (first == other && second == one);
    };
    if (are(Unit::tasks, Unit::weight)) return "rate * turns tasks into weight";
    if (are(Unit::tasks, Unit::work)) return "/ rate turns tasks into work, and as_work takes each as 1";
    if (are(Unit::tasks, Unit::weighted_work)) return "/ rate / rate turns tasks into weighted work";
    if (are(Unit::work, Unit::weighted_work)) return "/ rate turns work into weighted work";
    if (are(Unit::marginal_cost, Unit::cost)) return "rate * turns a marginal cost into a cost";
    return "no factor turns one into the other";
}

}  // namespace typing

/// The operation on these parts, as many as its row has. This is the typing of the language: nothing else makes a tree
/// of a policy. `sign`: another one than the row's if the parts are exchanged.
///
/// A number that is compared with a level is the level of that number: `distance <= 1`.
///
/// Long: each kind of part is held against what the row asks of it, in one pass that the compiler runs.
[[nodiscard]] constexpr Expression made(Op op, std::initializer_list<const Expression*> parts,
                                        std::string_view sign = {}) {
    using namespace typing;
    const Operation& row = operation(op);
    const bool exchanged = !sign.empty();
    if (!exchanged && (row.form == Form::infix || row.form == Form::prefix)) sign = row.written;
    Expression result;
    result.sort = row.sort;
    result.by = row.by;
    result.unit = row.unit;
    result.shared = row.sort != Sort::set && row.form != Form::word && !row.of_candidate;
    std::int64_t a = 0, b = 0;
    std::array<const Tree*, 3> trees{};
    std::size_t children = 0;
    const Unit compared = row.sort == Sort::test ? unit_among(parts) : Unit::none;
    Tree level;
    const Part* kind = row.parts.data();
    for (const Expression* const* next = parts.begin(); next != parts.end(); ++next, ++kind) {
        const Expression& part = **next;
        const Place at{(next + 1 == parts.end()) == exchanged ? "before" : "after", sign};
        switch (*kind) {
            case Part::set:
                if (part.sort != Sort::set) expected("a set of queues", part, at);
                break;
            case Part::key:
                if (compared == Unit::distance && is_whole(part, 0)) {
                    level = Tree::node(Op::level, part.ratio.numerator, 0);
                    break;
                }
                expect_no_number(part, compared);
                if (part.sort != Sort::key) expected("a key", part, at);
                if (result.unit != Unit::none && result.unit != part.unit)
                    unlike("quantities of one unit", at, exchanged ? part.unit : result.unit,
                           exchanged ? result.unit : part.unit);
                result.unit = part.unit;
                break;
            case Part::test:
                if (part.sort != Sort::test) expected("a test", part, at);
                break;
            case Part::condition:
                if (part.sort != Sort::test) expected("a condition", part);
                if (!part.shared)
                    expected_rule("a condition on values; one of a single candidate belongs into where(set, test)");
                break;
            case Part::count:
                if (!is_whole(part, 1)) expected("a whole number of at least 1", part);
                if (op == Op::draws && part.ratio.numerator > most_draws) expected("at most 16 draws", part);
                a = part.ratio.numerator;
                break;
            case Part::natural:
                if (!is_whole(part, 0)) expected("a whole number of at least 0", part);
                a = part.ratio.numerator;
                break;
            case Part::not_below:
                if (!is_whole(part, a)) expected("a whole number not below the one before", part);
                b = part.ratio.numerator;
                break;
            case Part::probability:
                if (part.sort != Sort::number || part.ratio.numerator <= 0 ||
                    part.ratio.numerator >= part.ratio.denominator)
                    expected("a probability above 0 and below 1", part);
                [[fallthrough]];
            case Part::number:
                a = part.ratio.numerator;
                b = part.ratio.denominator;
                break;
            case Part::table:
                if (part.sort != Sort::table) expected("a decision table in quotes", part);
                a = part.ratio.numerator;
                break;
            case Part::none:
                break;
        }
        if (!is_expression(*kind)) continue;
        result.by = joint(result.by, part.by);
        if (part.sort != Sort::set) result.shared = result.shared && part.shared;
        trees[children++] = part.sort == Sort::number ? &level : &part.tree;
    }
    if (is_value(row)) result.shared = true;
    if (row.sort != Sort::key) result.unit = Unit::none;
    if (row.form == Form::rate) result.unit = unit_times_rate(result.unit);
    if (op == Op::over_rate) result.unit = unit_over_rate(result.unit);
    if (op == Op::as_work) result.unit = unit_as_work(result.unit);
    result.tree = Tree::over(op, a, b, std::span<const Tree* const>(trees.data(), children));
    return result;
}

// ---- words, functions and signs of the table ----

/// A rate, which multiplies a key: the operation that it makes of one.
[[nodiscard]] constexpr Expression multiplier(Op op) {
    Expression word;
    word.sort = Sort::multiplier;
    word.multiplies = op;
    return word;
}

#define DECLARED_word(id, name) inline constexpr Expression name = made(Op::id, {});
#define DECLARED_rate(id, name) inline constexpr Expression name = multiplier(Op::id);
#define DECLARED_call1(id, name) \
    [[nodiscard]] constexpr Expression name(const Expression& a) { return made(Op::id, {&a}); }
#define DECLARED_call2(id, name) \
    [[nodiscard]] constexpr Expression name(const Expression& a, const Expression& b) { return made(Op::id, {&a, &b}); }
#define DECLARED_call3(id, name)                                                                             \
    [[nodiscard]] constexpr Expression name(const Expression& a, const Expression& b, const Expression& c) { \
        return made(Op::id, {&a, &b, &c});                                                                   \
    }
// NOLINTBEGIN(bugprone-macro-parentheses): the sign of an operator stands in none
#define DECLARED_infix(id, sign) DECLARED_call2(id, operator sign)
#define DECLARED_prefix(id, sign) DECLARED_call1(id, operator sign)
// NOLINTEND(bugprone-macro-parentheses)
#define DECLARED_factor(id, sign)
#define OPERATION(sort, form, id, written, ...) DECLARED_##form(id, written)
#include "model/queueing/language/operations.def"
#undef OPERATION
#undef DECLARED_word
#undef DECLARED_rate
#undef DECLARED_call1
#undef DECLARED_call2
#undef DECLARED_call3
#undef DECLARED_infix
#undef DECLARED_prefix
#undef DECLARED_factor

// ---- what is said in other words ----

[[nodiscard]] constexpr Expression operator>(const Expression& a, const Expression& b) {
    return made(Op::less, {&b, &a}, ">");
}
[[nodiscard]] constexpr Expression operator>=(const Expression& a, const Expression& b) {
    return made(Op::less_equal, {&b, &a}, ">=");
}
/// The queues that an idle server may choose: not empty, or, under empty-target = conserved, with a task that waits.
[[nodiscard]] constexpr Expression nonempty(const Expression& set) { return where(set, has_work); }
/// The queues of the servers that are nearer to the task's data than remote: its own rack and closer.
inline constexpr Expression rack = where(servers, distance < remote_level);
template <class... More>
[[nodiscard]] constexpr Expression first_of(const Expression& first, const Expression& second, const More&... more) {
    return first_of(first, first_of(second, more...));
}

namespace typing {

/// A fraction in lowest terms.
[[nodiscard]] constexpr Ratio reduced(std::int64_t numerator, std::int64_t denominator) {
    if (denominator == 0) expected_rule("a denominator above 0");
    const std::int64_t divisor = std::gcd(numerator, denominator) * (denominator < 0 ? -1 : 1);
    return {numerator / divisor, denominator / divisor};
}
[[nodiscard]] constexpr std::int64_t product(std::int64_t a, std::int64_t b) {
    std::int64_t product = 0;
    if (__builtin_mul_overflow(a, b, &product) || product == std::numeric_limits<std::int64_t>::min())
        expected_rule("numbers whose product is below 2^63");
    return product;
}

}  // namespace typing

[[nodiscard]] constexpr Expression operator*(const Expression& first, const Expression& second) {
    using namespace typing;
    const Ratio &p = first.ratio, &q = second.ratio;
    if (first.sort == Sort::number && second.sort == Sort::number)
        return reduced(product(p.numerator, q.numerator), product(p.denominator, q.denominator));
    if (second.sort != Sort::key) expected("a key after '*', as in rate * length or 2 * length", second);
    if (first.sort == Sort::number) return made(Op::multiple, {&first, &second});
    if (first.sort != Sort::multiplier) expected("a rate or a number before '*'", first);
    return made(first.multiplies, {&second});
}
[[nodiscard]] constexpr Expression operator/(const Expression& first, const Expression& second) {
    using namespace typing;
    const Ratio &p = first.ratio, &q = second.ratio;
    if (first.sort == Sort::number && second.sort == Sort::number) {
        if (q.numerator == 0) expected_rule("a denominator above 0");
        return reduced(product(p.numerator, q.denominator), product(p.denominator, q.numerator));
    }
    if (first.sort != Sort::key) expected("a key before '/', as in length / rate", first);
    if (second.sort != Sort::multiplier || second.multiplies != Op::times_rate) expected("'rate' after '/'", second);
    return made(Op::over_rate, {&first});
}

/// What a rule of the decider may be.
[[nodiscard]] constexpr const Tree& rule_of(Decider decider, const Expression& expression) {
    using namespace typing;
    if (expression.sort != Sort::set) expected("a set of queues", expression);
    if (expression.by != Decider::anyone && expression.by != decider) {
        if (decider == Decider::task) expected_rule("words of an arriving task, not of an idle server");
        expected_rule("words of an idle server, not of an arriving task");
    }
    return expression.tree;
}

}  // namespace schedproof::queueing::language
