/// Names of a text to expressions, and why there is none.
///
/// What an operation makes of its parts is decided by `made` of expressions.hpp, which the compiler runs for a policy
/// in C++ and this file for a text; both throw the same complaint. Here are only the names: words and signs by the
/// table's rows, and how a part that does not fit is described.
#include "model/queueing/language/typing.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "model/queueing/language/decision_table.hpp"
#include "model/queueing/language/rules.hpp"

namespace schedproof::queueing::language {

namespace {

std::string_view name(Unit unit) {
    static constexpr std::array<std::string_view, 8> names{"a number",
                                                           "tasks",
                                                           "weight (rate * tasks)",
                                                           "work (tasks / rate)",
                                                           "weighted work (work / rate)",
                                                           "marginal cost",
                                                           "cost (rate * marginal cost)",
                                                           "distance"};
    return names[static_cast<std::size_t>(unit)];
}

std::string described(const Expression& part) {
    switch (part.sort) {
        case Sort::number:
            return std::to_string(part.ratio.numerator) +
                   (part.ratio.denominator == 1 ? "" : fmt::format("/{}", part.ratio.denominator));
        case Sort::multiplier:
            return "a rate";
        case Sort::set:
            return "a set of queues";
        case Sort::key:
            return fmt::format("a key in {}", name(part.unit));
        case Sort::test:
            return "a test";
        case Sort::table:
            return "a decision table";
    }
    throw ContractViolation("unknown sort of expression");
}

bool is_call(Form form) { return form == Form::call1 || form == Form::call2 || form == Form::call3; }

/// Of the primitives that a text may name. What a plan answers is none: a text has no plan.
template <class Holds>
const Operation* find(Holds&& holds) {
    const auto* found = std::find_if(operations.begin(), operations.end(),
                                     [&](const Operation& row) { return row.in_texts && holds(row); });
    return found == operations.end() ? nullptr : found;
}
const Operation* find_function(std::string_view name) {
    return find([&](const Operation& row) { return is_call(row.form) && row.written == name; });
}

struct Word {
    std::string_view name;
    Expression meaning;
};
const std::vector<Word>& words() {
    static const std::vector<Word> all = [] {
        std::vector<Word> found;
        for (const Operation& row : operations) {
            if (row.in_texts && row.form == Form::word) found.push_back({row.written, made(row.op, {})});
            if (row.form == Form::rate) found.push_back({row.written, multiplier(row.op)});
        }
        found.push_back({"rack", rack});
        return found;
    }();
    return all;
}

Expression made_of(const Operation& row, std::span<const Expression> at) {
    switch (at.size()) {
        case 0:
            return made(row.op, {});
        case 1:
            return made(row.op, {&at[0]});
        case 2:
            return made(row.op, {&at[0], &at[1]});
        default:
            return made(row.op, {&at[0], &at[1], &at[2]});
    }
}

/// A constant expression throws a text where the language forbids a tree, such as one that is too long.
template <class Make>
Expression checked(Make&& make) {
    try {
        return make();
    } catch (const char* reason) {
        throw TypeError(reason);
    }
}

void require_arguments(std::string_view function, std::size_t count, std::size_t least, bool more) {
    if (count == least || (more && count > least)) return;
    throw TypeError(fmt::format("expected {}{} argument{} of '{}', not {}", more ? "at least " : "", least,
                                least == 1 ? "" : "s", function, count));
}

}  // namespace

namespace typing {

void expected(std::string_view what, const Expression& instead, const Place& at) {
    if (at.sign.empty()) throw TypeError(fmt::format("expected {}, not {}", what, described(instead)));
    throw TypeError(fmt::format("expected {} {} '{}', not {}", what, at.side, at.sign, described(instead)));
}
void expected_rule(std::string_view what) { throw TypeError(fmt::format("expected {}", what)); }
void unlike(std::string_view what, const Place& at, Unit first, Unit second) {
    throw TypeError(fmt::format("expected {}{}, not {} and {}; {}", what,
                                at.sign.empty() ? "" : fmt::format(" around '{}'", at.sign), name(first), name(second),
                                cure(first, second)));
}
void wrong_unit(std::string_view what, Unit instead) {
    throw TypeError(fmt::format("expected {}, not {}", what, name(instead)));
}

}  // namespace typing

Expression quoted(std::string_view text) {
    try {
        Expression table(DecisionTable::kept(text));
        table.sort = Sort::table;
        return table;
    } catch (const InputError& error) {
        throw TypeError(error.expected());
    }
}

const Expression* find_word(std::string_view name) {
    for (const Word& word : words())
        if (word.name == name) return &word.meaning;
    return nullptr;
}

bool is_function(std::string_view name) {
    return name == "Ratio" || name == "nonempty" || find_function(name) != nullptr;
}

std::span<const std::string_view> vocabulary() {
    static const std::vector<std::string_view> all = [] {
        std::vector<std::string_view> names{"Ratio", "nonempty"};
        for (const Word& word : words()) names.push_back(word.name);
        for (const Operation& row : operations)
            if (is_call(row.form)) names.push_back(row.written);
        return names;
    }();
    return all;
}

Expression binary(std::string_view sign, const Expression& first, const Expression& second) {
    return checked([&] {
        if (sign == "*") return first * second;
        if (sign == "/") return first / second;
        if (sign == ">") return first > second;
        if (sign == ">=") return first >= second;
        const Operation* known =
            find([&](const Operation& row) { return row.form == Form::infix && row.written == sign; });
        require(known != nullptr, "unknown operator of the policy language");
        return made(known->op, {&first, &second});
    });
}

Expression negated(const Expression& test) {
    return checked([&] { return !test; });
}

Expression call(std::string_view function, std::span<const Expression> arguments) {
    return checked([&]() -> Expression {
        if (function == "Ratio") {  // not in lowest terms, as in C++
            require_arguments(function, arguments.size(), 2, false);
            for (const Expression& argument : arguments)
                if (!typing::is_whole(argument, std::numeric_limits<std::int64_t>::min()))
                    typing::expected("a whole number", argument);
            if (!typing::is_whole(arguments[1], 1)) typing::expected("a whole number of at least 1", arguments[1]);
            return Ratio(arguments[0].ratio.numerator, arguments[1].ratio.numerator);
        }
        if (function == "nonempty") {
            require_arguments(function, arguments.size(), 1, false);
            return nonempty(arguments[0]);
        }
        const Operation* known = find_function(function);
        require(known != nullptr, "expected a function of the language");
        const bool more = known->op == Op::first_of;
        require_arguments(function, arguments.size(), parts_of(*known), more);
        if (!more) return made_of(*known, arguments);
        Expression result = arguments.back();
        for (std::size_t k = arguments.size() - 1; k-- > 0;) result = first_of(arguments[k], result);
        return result;
    });
}

Expression typed(const Tree& tree) {
    const Node& root = tree[tree.root()];
    const Operation& row = operation(root.op);
    std::vector<Expression> parts;
    std::size_t child = 0;
    for (std::size_t k = 0; k < parts_of(row); ++k) {
        const Part part = row.parts[k];
        if (is_expression(part)) {
            if (child == root.children) throw TypeError("expected more parts of a primitive");
            parts.push_back(typed(tree.subtree(tree.child(tree.root(), child++))));
        } else if (part == Part::number || part == Part::probability) {
            parts.emplace_back(Ratio(root.a, root.b));
        } else {
            parts.emplace_back(part == Part::not_below ? root.b : root.a);
            if (part == Part::table) parts.back().sort = Sort::table;
        }
    }
    if (child != root.children) throw TypeError("expected fewer parts of a primitive");
    return checked([&] { return made_of(row, parts); });
}

const Arrangement* find_arrangement(std::string_view name) {
    static constexpr std::array all{Arrangement::per_server, Arrangement::per_server_and_common,
                                    Arrangement::per_server_and_level, Arrangement::per_type, Arrangement::single};
    const auto* found = std::find_if(all.begin(), all.end(), [&](Arrangement a) { return to_string(a) == name; });
    return found == all.end() ? nullptr : found;
}

}  // namespace schedproof::queueing::language
