/// The queues that rules ask for, and rules as text.
///
/// The text of a rule is the C++ that makes it, with no more parentheses than its operators need: what prints in a
/// theorem, a complaint or a shrunk counterexample can be pasted into a policy. An operator binds as in C++; `>` and
/// `>=` are kept as `<` and `<=` with their sides exchanged, and nonempty(A) stands for where(A, has_work).
#include "model/queueing/language/rules.hpp"

#include <fmt/core.h>

#include <array>
#include <string_view>
#include <utility>

#include "model/queueing/language/decision_table.hpp"

namespace schedproof::queueing {

using language::Op;
using language::Tree;

Layout Rules::layout(const Instance& instance) const {
    if (instance.rates_by_type() && (names(Op::times_local) || names(Op::times_remote)))
        throw InputError::at_key("types",
                                 "expected no type with rates of its own under a policy that speaks of local_rate or "
                                 "remote_rate: a level has no one rate then");
    Layout layout = tracked(instance);
    for (std::size_t i = 0; i < serve_.size(); ++i)
        if (serve_[i].op == Op::tabulated)
            language::DecisionTable::numbered(serve_[i].a).require_fits(instance.servers().size(), layout.queues());
    return layout;
}

Layout Rules::tracked(const Instance& instance) const {
    const Tracking own =
        leaves_local() && arrangement_ != Arrangement::per_server_and_level ? Tracking::listed : Tracking::counted;
    Tracking shared = Tracking::counted;
    if (arrangement_ == Arrangement::single)
        shared = instance.options().reveal == Reveal::on_start ? Tracking::revealed : Tracking::listed;
    if (arrangement_ == Arrangement::per_server_and_common && instance.options().common_rate == CommonRate::by_type)
        shared = Tracking::listed;
    return {instance, arrangement_, own, shared};
}

// ---- text ----

namespace {

/// How tightly an expression binds, loosest first.
enum Binding { alternative, conjunction, equality, relation, sum, product, primary };

struct Written {
    std::string text;
    Binding binding = primary;
};

struct Form {
    std::string_view name;
    enum Kind { word, call, call_with_count, infix } kind;
    Binding binding = primary;
};

constexpr std::pair<Op, Form> forms[] = {
    {Op::local, {"local", Form::word}},
    {Op::servers, {"servers", Form::word}},
    {Op::own_type, {"own_type", Form::word}},
    {Op::own, {"own", Form::word}},
    {Op::own_levels, {"own_levels", Form::word}},
    {Op::reachable, {"reachable", Form::word}},
    {Op::common, {"common", Form::word}},
    {Op::it, {"it", Form::word}},
    {Op::partner, {"partner", Form::word}},
    {Op::planned, {"planned", Form::word}},
    {Op::furthest_behind, {"furthest_behind", Form::word}},
    {Op::length, {"length", Form::word}},
    {Op::servable, {"servable", Form::word}},
    {Op::server_length, {"server_length", Form::word}},
    {Op::server_workload, {"server_workload", Form::word}},
    {Op::marginal_cost, {"marginal_cost", Form::word}},
    {Op::distance, {"distance", Form::word}},
    {Op::has_work, {"has_work", Form::word}},
    {Op::where, {"where", Form::call}},
    {Op::argmin, {"argmin", Form::call}},
    {Op::argmax, {"argmax", Form::call}},
    {Op::most_local, {"most_local", Form::call}},
    {Op::first_of, {"first_of", Form::call}},
    {Op::when, {"when", Form::call}},
    {Op::among, {"among", Form::call}},
    {Op::least, {"least", Form::call}},
    {Op::greatest, {"greatest", Form::call}},
    {Op::total, {"total", Form::call}},
    {Op::mean, {"mean", Form::call}},
    {Op::lowest, {"lowest", Form::call_with_count}},
    {Op::sample, {"sample", Form::call_with_count}},
    {Op::best, {"best", Form::call_with_count}},
    {Op::unite, {" | ", Form::infix, alternative}},
    {Op::intersect, {" & ", Form::infix, conjunction}},
    {Op::either, {" || ", Form::infix, alternative}},
    {Op::both, {" && ", Form::infix, conjunction}},
    {Op::equal, {" == ", Form::infix, equality}},
    {Op::less, {" < ", Form::infix, relation}},
    {Op::less_equal, {" <= ", Form::infix, relation}},
    {Op::plus, {" + ", Form::infix, sum}},
    {Op::minus, {" - ", Form::infix, sum}},
};

constexpr Form form(Op op) {
    for (const auto& [known, shape] : forms)
        if (known == op) return shape;
    return {"", Form::word};
}

std::string within(const Written& part, Binding binding) {
    return part.binding < binding ? "(" + part.text + ")" : part.text;
}

Written write(const Tree& tree, std::size_t at);

/// The children at most, separated by commas.
std::string arguments(const Tree& tree, std::size_t at) {
    std::string text;
    for (std::size_t k = 0; k < tree[at].children; ++k)
        text += (k > 0 ? ", " : "") + write(tree, tree.child(at, k)).text;
    return text;
}

std::string ratio(const language::Node& node) {
    return node.b == 1 ? std::to_string(node.a) : fmt::format("Ratio({}, {})", node.a, node.b);
}

Written write(const Tree& tree, std::size_t at) {
    const language::Node& node = tree[at];
    const auto child = [&](std::size_t k) { return write(tree, tree.child(at, k)); };
    switch (node.op) {
        case Op::constant:
            return {fmt::format("tasks({})", node.a)};
        case Op::ring:
            return {fmt::format("ring({}, {})", node.a, node.b)};
        case Op::mix:
            return {fmt::format("mix({}, {})", ratio(node), arguments(tree, at))};
        case Op::times_rate:
            return {"rate * " + within(child(0), primary), product};
        case Op::times_local:
            return {"local_rate * " + within(child(0), primary), product};
        case Op::times_remote:
            return {"remote_rate * " + within(child(0), primary), product};
        case Op::over_rate:
            return {within(child(0), product) + " / rate", product};
        case Op::multiple:
            return {ratio(node) + " * " + within(child(0), primary), product};
        case Op::negation:
            return {"!" + within(child(0), primary)};
        case Op::tabulated:
            return {fmt::format("tabulated(\"{}\", {})", language::DecisionTable::numbered(node.a).text(),
                                arguments(tree, at))};
        case Op::where:
            if (tree[tree.child(at, 1)].op == Op::has_work) return {"nonempty(" + child(0).text + ")"};
            break;
        default:
            break;
    }
    const Form shape = form(node.op);
    switch (shape.kind) {
        case Form::word:
            return {std::string(shape.name)};
        case Form::call:
            return {fmt::format("{}({})", shape.name, arguments(tree, at))};
        case Form::call_with_count:
            return {fmt::format("{}({}, {})", shape.name, node.a, arguments(tree, at))};
        case Form::infix:
            return {within(child(0), shape.binding) + std::string(shape.name) +
                        within(child(1), static_cast<Binding>(shape.binding + 1)),
                    shape.binding};
    }
    throw ContractViolation("unknown primitive of the policy language");
}

}  // namespace

std::string_view to_string(Arrangement arrangement) {
    constexpr std::array<std::string_view, 5> names{"per_server", "per_server_and_common", "per_server_and_level",
                                                    "per_type", "single"};
    return names[static_cast<std::size_t>(arrangement)];
}

std::string to_string(const Tree& tree) { return write(tree, tree.root()).text; }

std::string to_string(const Rules& rules) {
    return fmt::format("keep(Arrangement::{}), route({}), serve({})", to_string(rules.arrangement()),
                       to_string(rules.route()), to_string(rules.serve()));
}

}  // namespace schedproof::queueing
