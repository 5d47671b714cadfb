/// The table of the language's operations, by sort and unit of their parts.
///
/// Each entry is the run-time form of one operator or function
/// of expressions.hpp, with the same condition: units are alike where like is asked for, what a task knows is not mixed
/// with what an idle server knows, and a value is shared if it cannot depend on a candidate. tests/model/
/// policy_text_test.cpp holds the two against each other.
/// Long: the table of operations is one.
#include "model/queueing/language/typing.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "model/queueing/language/decision_table.hpp"

namespace schedproof::queueing::language {

namespace {

constexpr std::array<std::string_view, 8> quantity_names{"a number",
                                                         "tasks",
                                                         "weight (rate * tasks)",
                                                         "work (tasks / rate)",
                                                         "weighted work (work / rate)",
                                                         "marginal cost",
                                                         "cost (rate * marginal cost)",
                                                         "distance"};

std::string_view name(Quantity quantity) { return quantity_names[static_cast<std::size_t>(quantity)]; }

std::string described(const Typed& part) {
    switch (part.sort) {
        case Sort::number:
            return "a number";
        case Sort::multiplier:
            return "a rate";
        case Sort::set:
            return "a set of queues";
        case Sort::key:
            return fmt::format("a key in {}", name(part.quantity));
        case Sort::test:
            return "a test";
        case Sort::table:
            return "a decision table";
    }
    throw ContractViolation("unknown sort of expression");
}

[[noreturn]] void expected(std::string_view what, const Typed& instead) {
    throw TypeError(fmt::format("expected {}, not {}", what, described(instead)));
}

Decider joint_of(Decider a, Decider b) {
    if (a == b || b == Decider::anyone) return a;
    if (a == Decider::anyone) return b;
    throw TypeError(
        "expected words of one rule: what an arriving task may name and what an idle server may name are "
        "not mixed");
}

Typed set_of(Decider by, const Tree& tree) { return {.sort = Sort::set, .by = by, .tree = tree}; }
Typed key_of(Quantity quantity, Decider by, bool shared, const Tree& tree) {
    return {.sort = Sort::key, .quantity = quantity, .by = by, .shared = shared, .tree = tree};
}
Typed test_of(Decider by, bool shared, const Tree& tree) {
    return {.sort = Sort::test, .by = by, .shared = shared, .tree = tree};
}
Typed rate_word(Op op) { return {.sort = Sort::multiplier, .multiplies = op}; }
template <Decider by>
Typed word(const Set<by>& set) {
    return set_of(by, set.tree);
}
template <class Unit>
Typed word(Quantity quantity, const Key<Unit>& key) {
    return key_of(quantity, Decider::anyone, false, key.tree);
}

const auto& words() {
    // Without `planned` and `furthest_behind`, which answer from a plan that a text does not have.
    static const std::array<std::pair<std::string_view, Typed>, 19> all{{
        {"local", word(local)},
        {"servers", word(servers)},
        {"own_type", word(own_type)},
        {"own", word(own)},
        {"own_levels", word(own_levels)},
        {"reachable", word(reachable)},
        {"partner", word(partner)},
        {"common", word(common)},
        {"it", word(it)},
        {"length", word(Quantity::of_tasks, length)},
        {"servable", word(Quantity::of_tasks, servable)},
        {"server_length", word(Quantity::of_tasks, server_length)},
        {"server_workload", word(Quantity::of_work, server_workload)},
        {"marginal_cost", word(Quantity::of_marginal_cost, marginal_cost)},
        {"distance", word(Quantity::of_distance, distance)},
        {"has_work", test_of(Decider::anyone, false, has_work.tree)},
        {"rate", rate_word(Op::times_rate)},
        {"local_rate", rate_word(Op::times_local)},
        {"remote_rate", rate_word(Op::times_remote)},
    }};
    return all;
}

// ---- operators ----

std::int64_t times(std::int64_t a, std::int64_t b) {
    std::int64_t product = 0;
    if (__builtin_mul_overflow(a, b, &product) || product == std::numeric_limits<std::int64_t>::min())
        throw TypeError("expected numbers whose product is below 2^63");
    return product;
}

Quantity times_rate(Quantity quantity) {
    if (quantity == Quantity::of_tasks) return Quantity::of_weight;
    if (quantity == Quantity::of_marginal_cost) return Quantity::of_cost;
    throw TypeError(fmt::format("expected tasks or a marginal cost times a rate, not {}", name(quantity)));
}
Quantity over_rate(Quantity quantity) {
    if (quantity == Quantity::of_tasks) return Quantity::of_work;
    if (quantity == Quantity::of_work) return Quantity::of_weighted_work;
    throw TypeError(fmt::format("expected tasks or work over a rate, not {}", name(quantity)));
}

Typed product(const Typed& first, const Typed& second) {
    if (first.sort == Sort::number && second.sort == Sort::number)
        return number(times(first.ratio.numerator, second.ratio.numerator),
                      times(first.ratio.denominator, second.ratio.denominator));
    if (second.sort != Sort::key) expected("a key after '*', as in rate * length or 2 * length", second);
    if (first.sort == Sort::number)
        return key_of(second.quantity, second.by, second.shared,
                      Tree::node(Op::multiple, first.ratio.numerator, first.ratio.denominator, second.tree));
    if (first.sort != Sort::multiplier) expected("a rate or a number before '*'", first);
    return key_of(times_rate(second.quantity), second.by, second.shared && first.multiplies != Op::times_rate,
                  Tree::node(first.multiplies, 0, 0, second.tree));
}

Typed quotient(const Typed& first, const Typed& second) {
    if (first.sort == Sort::number && second.sort == Sort::number) {
        if (second.ratio.numerator == 0) throw TypeError("expected a denominator above 0");
        return number(times(first.ratio.numerator, second.ratio.denominator),
                      times(first.ratio.denominator, second.ratio.numerator));
    }
    if (first.sort != Sort::key) expected("a key before '/', as in length / rate", first);
    if (second.sort != Sort::multiplier || second.multiplies != Op::times_rate) expected("'rate' after '/'", second);
    return key_of(over_rate(first.quantity), first.by, false, Tree::node(Op::over_rate, 0, 0, first.tree));
}

void require_alike(std::string_view sign, const Typed& first, const Typed& second) {
    for (const Typed* part : {&first, &second})
        if (part->sort == Sort::number)
            throw TypeError(fmt::format("expected keys around '{}'; a number of tasks is written tasks(n)", sign));
    if (first.sort != Sort::key) expected(fmt::format("a key before '{}'", sign), first);
    if (second.sort != Sort::key) expected(fmt::format("a key after '{}'", sign), second);
    if (first.quantity != second.quantity)
        throw TypeError(fmt::format("expected quantities of one unit around '{}', not {} and {}", sign,
                                    name(first.quantity), name(second.quantity)));
}

Typed added(std::string_view sign, Op op, const Typed& first, const Typed& second) {
    require_alike(sign, first, second);
    return key_of(first.quantity, joint_of(first.by, second.by), first.shared && second.shared,
                  Tree::node(op, 0, 0, first.tree, second.tree));
}

Typed compared(std::string_view sign, Op op, const Typed& first, const Typed& second) {
    require_alike(sign, first, second);
    return test_of(joint_of(first.by, second.by), first.shared && second.shared,
                   Tree::node(op, 0, 0, first.tree, second.tree));
}

Typed connected(std::string_view sign, Op op, const Typed& first, const Typed& second) {
    if (first.sort != Sort::test) expected(fmt::format("a test before '{}'", sign), first);
    if (second.sort != Sort::test) expected(fmt::format("a test after '{}'", sign), second);
    return test_of(joint_of(first.by, second.by), first.shared && second.shared,
                   Tree::node(op, 0, 0, first.tree, second.tree));
}

Typed combined(std::string_view sign, Op op, const Typed& first, const Typed& second) {
    if (first.sort != Sort::set) expected(fmt::format("a set of queues before '{}'", sign), first);
    if (second.sort != Sort::set) expected(fmt::format("a set of queues after '{}'", sign), second);
    return set_of(joint_of(first.by, second.by), Tree::node(op, 0, 0, first.tree, second.tree));
}

// ---- functions ----

using Arguments = std::span<const Typed>;

const Typed& a_set(const Typed& part) {
    if (part.sort != Sort::set) expected("a set of queues", part);
    return part;
}
const Typed& a_key(const Typed& part) {
    if (part.sort == Sort::number) throw TypeError("expected a key; a number of tasks is written tasks(n)");
    if (part.sort != Sort::key) expected("a key", part);
    return part;
}
std::int64_t a_count(const Typed& part, std::int64_t least) {
    if (part.sort != Sort::number || part.ratio.denominator != 1) expected("a whole number", part);
    if (part.ratio.numerator < least)
        throw TypeError(fmt::format("expected a whole number of at least {}, not {}", least, part.ratio.numerator));
    return part.ratio.numerator;
}

/// A set and a key of its members.
Typed chosen(Op op, Arguments at) {
    const Typed &set = a_set(at[0]), &key = a_key(at[1]);
    return set_of(joint_of(set.by, key.by), Tree::node(op, 0, 0, set.tree, key.tree));
}
Typed value_over(Op op, Arguments at) {
    const Typed &set = a_set(at[0]), &key = a_key(at[1]);
    return key_of(key.quantity, joint_of(set.by, key.by), true, Tree::node(op, 0, 0, set.tree, key.tree));
}
Typed filtered(Arguments at) {
    if (at[1].sort != Sort::test) expected("a test", at[1]);
    return set_of(joint_of(a_set(at[0]).by, at[1].by), Tree::node(Op::where, 0, 0, at[0].tree, at[1].tree));
}
Typed first_of(Arguments at) {
    Typed result = a_set(at.back());
    for (std::size_t k = at.size() - 1; k-- > 0;)
        result = set_of(joint_of(a_set(at[k]).by, result.by), Tree::node(Op::first_of, 0, 0, at[k].tree, result.tree));
    return result;
}
Typed conditional(Arguments at) {
    if (at[0].sort != Sort::test) expected("a condition", at[0]);
    if (!at[0].shared)
        throw TypeError(
            "expected a condition on values, such as least(local, length): one of a single candidate "
            "belongs into where(set, test)");
    const Decider sets = joint_of(a_set(at[1]).by, a_set(at[2]).by);
    return set_of(joint_of(sets, at[0].by), Tree::node(Op::when, 0, 0, at[0].tree, at[1].tree, at[2].tree));
}
Typed among(Arguments at) { return combined(",", Op::among, at[0], at[1]); }
Typed counted(Op op, Arguments at) {
    const std::int64_t count = a_count(at[0], 1);
    return set_of(a_set(at[1]).by, Tree::node(op, count, 0, at[1].tree));
}
Typed best_few(Arguments at) {
    const std::int64_t count = a_count(at[0], 1);
    const Typed &set = a_set(at[1]), &key = a_key(at[2]);
    return set_of(joint_of(set.by, key.by), Tree::node(Op::best, count, 0, set.tree, key.tree));
}
Typed mixed(Arguments at) {
    if (at[0].sort != Sort::number) expected("a probability", at[0]);
    const Ratio p = at[0].ratio;
    if (p.numerator <= 0 || p.numerator >= p.denominator)
        throw TypeError(
            fmt::format("expected a probability above 0 and below 1, not {}/{}", p.numerator, p.denominator));
    return set_of(joint_of(a_set(at[1]).by, a_set(at[2]).by),
                  Tree::node(Op::mix, p.numerator, p.denominator, at[1].tree, at[2].tree));
}
/// Not in lowest terms, as in C++.
Typed as_written(Arguments at) {
    if (at[0].sort != Sort::number || at[0].ratio.denominator != 1) expected("a whole number", at[0]);
    return {.sort = Sort::number, .ratio = {at[0].ratio.numerator, a_count(at[1], 1)}};
}
Typed circle(Arguments at) {
    const std::int64_t first = a_count(at[0], 0);
    return set_of(Decider::server, Tree::node(Op::ring, first, a_count(at[1], first)));
}

Typed looked_up(Arguments at) {
    if (at[0].sort != Sort::table) expected("a decision table in quotes", at[0]);
    if (joint_of(a_set(at[1]).by, Decider::server) != Decider::server)
        throw TypeError("expected a set of an idle server beyond the table");
    return set_of(Decider::server, Tree::node(Op::tabulated, at[0].ratio.numerator, 0, at[1].tree));
}

struct Function {
    std::string_view name;
    std::size_t least, most;  ///< arguments
    Typed (*make)(Arguments);
};

template <Op op, Typed (*make)(Op, Arguments)>
Typed with(Arguments at) {
    return make(op, at);
}

constexpr std::size_t any_number = Tree::capacity;
constexpr std::array functions{
    Function{
        "tasks", 1, 1,
        [](Arguments at) { return key_of(Quantity::of_tasks, Decider::anyone, true, tasks(a_count(at[0], 0)).tree); }},
    Function{"Ratio", 2, 2, as_written},
    Function{"where", 2, 2, filtered},
    Function{
        "nonempty", 1, 1,
        [](Arguments at) { return set_of(a_set(at[0]).by, Tree::node(Op::where, 0, 0, at[0].tree, has_work.tree)); }},
    Function{"argmin", 2, 2, with<Op::argmin, chosen>},
    Function{"argmax", 2, 2, with<Op::argmax, chosen>},
    Function{"most_local", 1, 1,
             [](Arguments at) { return set_of(a_set(at[0]).by, Tree::node(Op::most_local, 0, 0, at[0].tree)); }},
    Function{"first_of", 2, any_number, first_of},
    Function{"when", 3, 3, conditional},
    Function{"among", 2, 2, among},
    Function{"least", 2, 2, with<Op::least, value_over>},
    Function{"greatest", 2, 2, with<Op::greatest, value_over>},
    Function{"total", 2, 2, with<Op::total, value_over>},
    Function{"mean", 2, 2, with<Op::mean, value_over>},
    Function{"sample", 2, 2, with<Op::sample, counted>},
    Function{"best", 3, 3, best_few},
    Function{"mix", 3, 3, mixed},
    Function{"lowest", 2, 2, with<Op::lowest, counted>},
    Function{"ring", 2, 2, circle},
    Function{"tabulated", 2, 2, looked_up},
};

const Function* find_function(std::string_view name) {
    const auto* found = std::find_if(functions.begin(), functions.end(),
                                     [&](const Function& function) { return function.name == name; });
    return found == functions.end() ? nullptr : found;
}

/// A constant expression throws a text where the language forbids a tree, such as one that is too long.
template <class Make>
Typed typed(Make&& make) {
    try {
        return make();
    } catch (const char* reason) {
        throw TypeError(reason);
    }
}

}  // namespace

Typed number(std::int64_t numerator, std::int64_t denominator) {
    if (denominator == 0) throw TypeError("expected a denominator above 0");
    const std::int64_t divisor = std::gcd(numerator, denominator) * (denominator < 0 ? -1 : 1);
    return {.sort = Sort::number, .ratio = {numerator / divisor, denominator / divisor}};
}

Typed quoted(std::string_view text) {
    try {
        return {.sort = Sort::table, .ratio = {DecisionTable::kept(text), 1}};
    } catch (const InputError& error) {
        throw TypeError(error.expected());
    }
}

const Typed* find_word(std::string_view name) {
    for (const auto& [word, meaning] : words())
        if (word == name) return &meaning;
    return nullptr;
}

bool is_function(std::string_view name) { return find_function(name) != nullptr; }

std::span<const std::string_view> vocabulary() {
    static const std::vector<std::string_view> all = [] {
        std::vector<std::string_view> names;
        for (const auto& [word, meaning] : words()) names.push_back(word);
        for (const Function& function : functions) names.push_back(function.name);
        return names;
    }();
    return all;
}

Typed binary(std::string_view sign, const Typed& first, const Typed& second) {
    return typed([&]() -> Typed {
        if (sign == "*") return product(first, second);
        if (sign == "/") return quotient(first, second);
        if (sign == "+") return added(sign, Op::plus, first, second);
        if (sign == "-") return added(sign, Op::minus, first, second);
        if (sign == "<") return compared(sign, Op::less, first, second);
        if (sign == "<=") return compared(sign, Op::less_equal, first, second);
        if (sign == ">") return compared(sign, Op::less, second, first);
        if (sign == ">=") return compared(sign, Op::less_equal, second, first);
        if (sign == "==") return compared(sign, Op::equal, first, second);
        if (sign == "&&") return connected(sign, Op::both, first, second);
        if (sign == "||") return connected(sign, Op::either, first, second);
        if (sign == "&") return combined(sign, Op::intersect, first, second);
        if (sign == "|") return combined(sign, Op::unite, first, second);
        throw ContractViolation("unknown operator of the policy language");
    });
}

Typed negation(const Typed& test) {
    if (test.sort != Sort::test) expected("a test after '!'", test);
    return typed([&] { return test_of(test.by, test.shared, Tree::node(Op::negation, 0, 0, test.tree)); });
}

Typed call(std::string_view function, std::span<const Typed> arguments) {
    const Function* known = find_function(function);
    require(known != nullptr, "expected a function of the language");
    if (arguments.size() < known->least || arguments.size() > known->most)
        throw TypeError(fmt::format("expected {}{} argument{} of '{}', not {}",
                                    known->most > known->least ? "at least " : "", known->least,
                                    known->least == 1 ? "" : "s", function, arguments.size()));
    return typed([&] { return known->make(arguments); });
}

Tree rule_of(Decider decider, const Typed& expression) {
    if (expression.sort != Sort::set) expected("a set of queues", expression);
    if (expression.by != Decider::anyone && expression.by != decider)
        throw TypeError(decider == Decider::task ? "expected words of an arriving task, not of an idle server"
                                                 : "expected words of an idle server, not of an arriving task");
    return expression.tree;
}

const Arrangement* find_arrangement(std::string_view name) {
    static constexpr std::array all{Arrangement::per_server, Arrangement::per_server_and_common,
                                    Arrangement::per_server_and_level, Arrangement::per_type, Arrangement::single};
    const auto* found = std::find_if(all.begin(), all.end(), [&](Arrangement a) { return to_string(a) == name; });
    return found == all.end() ? nullptr : found;
}

}  // namespace schedproof::queueing::language
