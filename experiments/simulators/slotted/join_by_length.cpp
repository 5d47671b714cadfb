#include "experiments/simulators/slotted/join_by_length.hpp"

namespace schedproof::simulation {

using queueing::language::Op;

std::optional<JoinByLength> JoinByLength::make(const RulePlan& route) {
    const auto joins = [&](std::size_t at) {
        return route[at] == Question::shortest_server || route[at] == Question::shortest_local_server;
    };
    JoinByLength made(route);
    const std::size_t root = route.rule().root();
    if (joins(root)) return made;
    if (route[root] != Question::when || !joins(route.child(root, 1)) || !joins(route.child(root, 2)) ||
        !made.speaks_of_these(route.child(root, 0)))
        return std::nullopt;
    return made;
}

/// Whether a test or a value is made of the least and the greatest number of tasks, and of constants.
bool JoinByLength::speaks_of_these(std::size_t at) const {
    if (plan_[at] == Question::least_length || plan_[at] == Question::greatest_length) return true;
    switch (plan_.rule()[at].op) {
        case Op::constant:
            return true;
        case Op::multiple:
        case Op::plus:
        case Op::minus:
        case Op::less:
        case Op::less_equal:
        case Op::equal:
        case Op::both:
        case Op::either:
        case Op::negation:
            break;
        default:
            return false;
    }
    for (std::size_t k = 0; k < plan_.rule()[at].children; ++k)
        if (!speaks_of_these(plan_.child(at, k))) return false;
    return true;
}

void JoinByLength::decide(std::uint32_t least, std::uint32_t greatest) const {
    least_ = least;
    greatest_ = greatest;
    std::size_t at = plan_.rule().root();
    if (plan_[at] == Question::when) at = plan_.child(at, holds(plan_.child(at, 0)) ? 1 : 2);
    any_ = plan_[at] == Question::shortest_server;
}

bool JoinByLength::holds(std::size_t at) const {
    const auto part = [&](std::size_t k) { return plan_.child(at, k); };
    const Op op = plan_.rule()[at].op;
    if (op == Op::both) return holds(part(0)) && holds(part(1));
    if (op == Op::either) return holds(part(0)) || holds(part(1));
    if (op == Op::negation) return !holds(part(0));
    const Quotient a = value(part(0)), b = value(part(1));
    const CheckedInt first = a.value * CheckedInt(b.over), second = b.value * CheckedInt(a.over);
    return op == Op::less ? first < second : op == Op::less_equal ? first <= second : first == second;
}

JoinByLength::Quotient JoinByLength::value(std::size_t at) const {
    if (plan_[at] == Question::least_length) return {CheckedInt(least_)};
    if (plan_[at] == Question::greatest_length) return {CheckedInt(greatest_)};
    const queueing::language::Node& node = plan_.rule()[at];
    if (node.op == Op::constant) return {CheckedInt(node.a)};
    const Quotient a = value(plan_.child(at, 0));
    if (node.op == Op::multiple)
        return {CheckedInt(node.a) * a.value, (CheckedInt(node.b) * CheckedInt(a.over)).value()};
    const Quotient b = value(plan_.child(at, 1));
    const CheckedInt first = a.value * CheckedInt(b.over), second = b.value * CheckedInt(a.over);
    return {node.op == Op::plus ? first + second : first - second, (CheckedInt(a.over) * CheckedInt(b.over)).value()};
}

}  // namespace schedproof::simulation
