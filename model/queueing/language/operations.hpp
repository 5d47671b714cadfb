/// The table of the language's primitives (operations.def) as data: what parsing, typing, printing, mutation, the page
/// of words, the fragment for every number of servers and the export to Rocq know of each.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>

#include "model/queueing/language/expression_tree.hpp"

namespace schedproof::queueing::language {

/// What an expression denotes.
enum class Sort : std::uint8_t { number, multiplier, set, key, test, table };

/// Who decides: an arriving task, an idle server; `anyone` for what both may name.
enum class Decider : std::uint8_t { anyone, task, server };

/// Of a key. Only like is compared with like or added.
enum class Unit : std::uint8_t {
    none,
    tasks,
    weight,         ///< rate times tasks
    work,           ///< tasks over rate: expected slots
    weighted_work,  ///< work over rate
    marginal_cost,
    cost,  ///< marginal cost times rate
    distance
};

/// Of `draws`: the sequences of what is new are enumerated.
inline constexpr std::int64_t most_draws = 16;

/// What stands in a place of an operation: an expression, or one of the node's constants `a` and `b`.
enum class Part : std::uint8_t {
    none,
    set,
    key,
    test,
    condition,    ///< a test that does not depend on a candidate
    count,        ///< a, at least 1
    natural,      ///< a, at least 0
    not_below,    ///< b, at least a
    probability,  ///< a / b, above 0 and below 1
    number,       ///< a / b
    table         ///< a, of a decision table
};
[[nodiscard]] constexpr bool is_expression(Part part) { return part >= Part::set && part <= Part::condition; }

/// How an operation is written; see operations.def.
enum class Form : std::uint8_t { word, call1, call2, call3, infix, prefix, rate, factor };

/// What the arrangement of queues must have (Rules).
enum class Needs : std::uint8_t {
    nothing,
    common,
    servers,
    types,
    levels,
    known_levels,
    helping,
    splits,
    workloads,
    owners,
    costs
};

/// What leaving servers out of a cluster, and adding some, does to a set, or which part a key has in it
/// (proofs/queueing/theorems/fragment.cpp, where the numbers c and e are explained).
enum class Fragment : std::uint8_t {
    outside,
    // Sets: those with a name, (c, e) being (0, 0), (1, 0) and twice (1, 0) under a condition; then those made of sets.
    own,
    others,
    others_with_work,
    others_if_growing,
    filtered,
    compared,
    united,
    first_of,
    chosen,
    // Keys and tests: of the candidate and of their parts alone; values that a member attains.
    candidate,
    attained
};

/// Whether a key exceeds every bound as the queue of its candidate does.
enum class Growth : std::uint8_t { unknown, unbounded, bounded, of_part, of_sum };

/// At most two primitives.
struct Ops {
    std::array<Op, 2> list{};
    std::size_t size = 0;
    constexpr Ops() = default;
    constexpr Ops(std::initializer_list<Op> ops) {
        for (const Op op : ops) list[size++] = op;
    }
    [[nodiscard]] constexpr const Op* begin() const { return list.data(); }
    [[nodiscard]] constexpr const Op* end() const { return list.data() + size; }
};

/// A constructor of the theory in Rocq; negative if there is none.
struct Constructor {
    int number = -1;
    std::string_view name{};
};

/// A row of the table.
struct Operation {
    Op op;
    Sort sort;
    Form form;
    std::string_view written, meaning;
    Decider by = Decider::anyone;   ///< who may name it
    Unit unit = Unit::none;         ///< of a key without keys in it
    std::array<Part, 3> parts{};    ///< in the order of their mention
    Needs needs = Needs::nothing;   ///< of the arrangement
    bool draws = false;             ///< its value is random
    bool numbers = false;           ///< depends on how servers or types are numbered
    bool plans = false;             ///< follows a plan, which speaks of certain servers and types
    bool leaves_local = false;      ///< a task may so join a queue of a server that does not hold its data
    bool of_candidate = false;      ///< differs between candidates whatever its parts
    bool of_a_level = false;        ///< names the rate of a level
    bool of_all = false;            ///< depends on every member of a set
    bool in_texts = true;           ///< has a word in policies as texts
    Ops swaps{};                    ///< what a mutant has in its place
    std::string_view stands_for{};  ///< the children, by their numbers, that a mutant has in its place
    Fragment fragment = Fragment::outside;
    Growth growth = Growth::unknown;
    Constructor rocq{};
};

inline constexpr auto operations = std::to_array<Operation>({
#define OPERATION(sort_, form_, id, written_, meaning_, evaluated, ...) \
    {.op = Op::id, .sort = Sort::sort_, .form = Form::form_, .written = #written_, .meaning = meaning_, __VA_ARGS__},
#include "model/queueing/language/operations.def"
#undef OPERATION
});

[[nodiscard]] constexpr const Operation& operation(Op op) { return operations[static_cast<std::size_t>(op)]; }

[[nodiscard]] constexpr std::size_t parts_of(const Operation& row) {
    std::size_t count = 0;
    while (count < row.parts.size() && row.parts[count] != Part::none) ++count;
    return count;
}
[[nodiscard]] constexpr bool has_part(const Operation& row, Part part) {
    return row.parts[0] == part || row.parts[1] == part || row.parts[2] == part;
}
/// A value of a key over a set.
[[nodiscard]] constexpr bool is_value(const Operation& row) {
    return row.sort == Sort::key && has_part(row, Part::set);
}
/// Whether it names queues that are not those of another set.
[[nodiscard]] constexpr bool names_queues(const Operation& row) {
    return row.sort == Sort::set && row.op != Op::it && (!has_part(row, Part::set) || has_part(row, Part::table));
}

}  // namespace schedproof::queueing::language
