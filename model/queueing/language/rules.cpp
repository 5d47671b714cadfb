#include "model/queueing/language/rules.hpp"

#include <fmt/core.h>

#include <array>
#include <string_view>
#include <utility>

namespace schedproof::queueing {

using language::Op;
using language::Tree;

Layout Rules::layout(const Instance& instance) const {
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

constexpr Form form(Op op) {
    switch (op) {
        case Op::local:
            return {"local", Form::word};
        case Op::servers:
            return {"servers", Form::word};
        case Op::own_type:
            return {"own_type", Form::word};
        case Op::own:
            return {"own", Form::word};
        case Op::own_levels:
            return {"own_levels", Form::word};
        case Op::reachable:
            return {"reachable", Form::word};
        case Op::common:
            return {"common", Form::word};
        case Op::it:
            return {"it", Form::word};
        case Op::partner:
            return {"partner", Form::word};
        case Op::planned:
            return {"planned", Form::word};
        case Op::furthest_behind:
            return {"furthest_behind", Form::word};
        case Op::length:
            return {"length", Form::word};
        case Op::servable:
            return {"servable", Form::word};
        case Op::server_length:
            return {"server_length", Form::word};
        case Op::workload:
            return {"workload", Form::word};
        case Op::marginal_cost:
            return {"marginal_cost", Form::word};
        case Op::distance:
            return {"distance", Form::word};
        case Op::has_work:
            return {"has_work", Form::word};
        case Op::where:
            return {"where", Form::call};
        case Op::argmin:
            return {"argmin", Form::call};
        case Op::argmax:
            return {"argmax", Form::call};
        case Op::most_local:
            return {"most_local", Form::call};
        case Op::first_of:
            return {"first_of", Form::call};
        case Op::when:
            return {"when", Form::call};
        case Op::among:
            return {"among", Form::call};
        case Op::least:
            return {"least", Form::call};
        case Op::greatest:
            return {"greatest", Form::call};
        case Op::total:
            return {"total", Form::call};
        case Op::mean:
            return {"mean", Form::call};
        case Op::lowest:
            return {"lowest", Form::call_with_count};
        case Op::sample:
            return {"sample", Form::call_with_count};
        case Op::best:
            return {"best", Form::call_with_count};
        case Op::unite:
            return {" | ", Form::infix, alternative};
        case Op::intersect:
            return {" & ", Form::infix, conjunction};
        case Op::either:
            return {" || ", Form::infix, alternative};
        case Op::both:
            return {" && ", Form::infix, conjunction};
        case Op::equal:
            return {" == ", Form::infix, equality};
        case Op::less:
            return {" < ", Form::infix, relation};
        case Op::less_equal:
            return {" <= ", Form::infix, relation};
        case Op::plus:
            return {" + ", Form::infix, sum};
        case Op::minus:
            return {" - ", Form::infix, sum};
        default:
            return {"", Form::word};
    }
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

std::string_view arrangement_name(Arrangement arrangement) {
    constexpr std::array<std::string_view, 5> names{"per_server", "per_server_and_common", "per_server_and_level",
                                                    "per_type", "single"};
    return names[static_cast<std::size_t>(arrangement)];
}

}  // namespace

std::string to_string(const Tree& tree) { return write(tree, tree.root()).text; }

std::string to_string(const Rules& rules) {
    return fmt::format("keep(Arrangement::{}), route({}), serve({})", arrangement_name(rules.arrangement()),
                       to_string(rules.route()), to_string(rules.serve()));
}

}  // namespace schedproof::queueing
