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
#include <vector>

#include "model/base/notation.hpp"
#include "model/queueing/language/decision_table.hpp"
#include "model/queueing/layout.hpp"

namespace schedproof::queueing {

using language::Op;
using language::Tree;

Layout Rules::layout(const Instance& instance) const {
    if ((instance.rates_by_type() || instance.rates_at_servers()) && names_rates_of_levels())
        throw InputError::at_key("types",
                                 "expected no type with rates of its own under a policy that speaks of local_rate or "
                                 "remote_rate: a level has no one rate then");
    Layout layout = tracked(instance);
    for (std::size_t i = 0; i < serve_.size(); ++i)
        if (serve_[i].op == Op::tabulated)
            language::DecisionTable::numbered(serve_[i].a)
                .require_fits(instance.servers().size(), layout.queues(),
                              [&](ServerId m, QueueId q) { return layout.serves(instance, m, q); });
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
    return {instance, arrangement_, own, shared, leaves_local() ? Joining::anywhere : Joining::local};
}

// ---- text ----

namespace {

/// How tightly an expression binds, loosest first.
enum Binding { alternative, conjunction, equality, relation, sum, product, primary };

struct Written {
    std::string text;
    Binding binding = primary;
};

Binding binding_of(std::string_view sign) {
    static constexpr std::pair<std::string_view, Binding> signs[] = {
        {"|", alternative}, {"||", alternative}, {"&", conjunction}, {"&&", conjunction},
        {"==", equality},   {"<", relation},     {"<=", relation},   {"+", sum},
        {"-", sum},         {"*", product},      {"/", product}};
    for (const auto& [known, binding] : signs)
        if (known == sign) return binding;
    throw ContractViolation("unknown operator of the policy language");
}

std::string within(const Written& part, Binding binding) {
    return part.binding < binding ? "(" + part.text + ")" : part.text;
}

Written write(const Tree& tree, std::size_t at);

std::string ratio(const language::Node& node) {
    return node.b == 1 ? std::to_string(node.a) : fmt::format("Ratio({}, {})", node.a, node.b);
}

/// What stands in each place of the operation's row.
std::vector<Written> places(const Tree& tree, std::size_t at, const language::Operation& row) {
    using language::Part;
    const language::Node& node = tree[at];
    std::vector<Written> places;
    std::size_t child = 0;
    for (std::size_t k = 0; k < parts_of(row); ++k) {
        const Part part = row.parts[k];
        if (is_expression(part))
            places.push_back(write(tree, tree.child(at, child++)));
        else if (part == Part::probability || part == Part::number)
            places.push_back({ratio(node)});
        else if (part == Part::table)
            places.push_back({"\"" + language::DecisionTable::numbered(node.a).text() + "\""});
        else
            places.push_back({std::to_string(part == Part::not_below ? node.b : node.a)});
    }
    return places;
}

Written write(const Tree& tree, std::size_t at) {
    using language::Form;
    const language::Operation& row = language::operation(tree[at].op);
    std::vector<Written> parts = places(tree, at, row);
    std::string_view sign = row.written;
    switch (row.form) {
        case Form::word:
            return {std::string(row.written)};
        case Form::prefix:
            return {std::string(sign) + within(parts[0], primary)};
        case Form::call1:
        case Form::call2:
        case Form::call3:
            if (row.op == Op::where && tree[tree.child(at, 1)].op == Op::has_work)
                return {"nonempty(" + parts[0].text + ")"};
            return {fmt::format("{}({})", row.written,
                                base::joined(parts, ", ", [](const Written& part) { return part.text; }))};
        case Form::rate:
            parts.insert(parts.begin(), {std::string(row.written)});
            sign = "*";
            break;
        case Form::factor:
            if (parts.size() == 1) parts.push_back({"rate"});
            break;
        case Form::infix:
            break;
    }
    const Binding binding = binding_of(sign);
    return {
        fmt::format("{} {} {}", within(parts[0], binding), sign, within(parts[1], static_cast<Binding>(binding + 1))),
        binding};
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
