/// Each step keeps the answer in every state, which is tested on random rules and states
/// (tests/experiments/queueing_parts_test.cpp). Factors that are the same for all candidates leave the best ones as
/// they are; an alternative to a set that is never empty is never asked; a set that was empty once is empty when it is
/// asked again, unless it draws.
#include "experiments/simulators/slotted/simplified_rule.hpp"

#include "model/queueing/language/evaluate.hpp"

namespace schedproof::simulation {

namespace {

using queueing::language::Node;
using queueing::language::Op;
using queueing::language::Tree;

bool never_empty(const Tree& tree, std::size_t at, bool it_is_not) {
    const auto child = [&](std::size_t k) { return never_empty(tree, tree.child(at, k), it_is_not); };
    switch (tree[at].op) {
        case Op::local:
        case Op::servers:
        case Op::own_type:
        case Op::own:
        case Op::own_levels:
        case Op::reachable:
        case Op::common:
        case Op::ring:
        case Op::partner:
        case Op::planned:
            return true;
        case Op::it:
            return it_is_not;
        case Op::unite:
        case Op::first_of:
            return child(0) || child(1);
        case Op::argmin:
        case Op::argmax:
        case Op::most_local:
        case Op::lowest:
        case Op::sample:
        case Op::best:
            return child(0);
        case Op::mix:
            return child(0) && child(1);
        case Op::when:
            return child(1) && child(2);
        case Op::among:
            return never_empty(tree, tree.child(at, 1), child(0));
        default:
            return false;
    }
}

/// The key without factors that are positive and the same for all candidates. Of candidates with work, `servable` is
/// the length.
Tree without_factors(const Tree& tree, std::size_t key, bool with_work) {
    const Node& node = tree[key];
    if (node.op == Op::times_local || node.op == Op::times_remote || (node.op == Op::multiple && node.a > 0))
        return without_factors(tree, tree.child(key, 0), with_work);
    if (node.op == Op::times_rate || node.op == Op::over_rate)
        return Tree::node(node.op, 0, 0, without_factors(tree, tree.child(key, 0), with_work));
    if (node.op == Op::servable && with_work) return Tree::node(Op::length, 0, 0);
    return tree.subtree(key);
}

/// Whether the key is 0 or more, whatever the lengths.
bool never_negative(const Tree& tree, std::size_t key) {
    switch (tree[key].op) {
        case Op::length:
        case Op::servable:
        case Op::server_length:
        case Op::server_workload:
            return true;
        case Op::constant:
            return tree[key].a >= 0;
        case Op::multiple:
            return tree[key].a >= 0 && never_negative(tree, tree.child(key, 0));
        case Op::times_rate:
        case Op::over_rate:
        case Op::times_local:
        case Op::times_remote:
            return never_negative(tree, tree.child(key, 0));
        default:
            return false;
    }
}
bool always_holds(const Tree& tree, std::size_t test) {
    if (tree[test].op != Op::less_equal) return false;
    const std::size_t lesser = tree.child(test, 0);
    return tree[lesser].op == Op::constant && tree[lesser].a <= 0 && never_negative(tree, tree.child(test, 1));
}

/// The first of two sets that are simple already.
Tree first_of_two(const Tree& first, const Tree& second) {
    if (!queueing::language::is_random(first)) {
        if (first == second) return first;
        const std::size_t root = second.root();
        if (second[root].op == Op::first_of && second.subtree(second.child(root, 0)) == first) return second;
    }
    return Tree::node(Op::first_of, 0, 0, first, second);
}

Tree simplified_at(const Tree& tree, std::size_t at) {
    const Node& node = tree[at];
    const auto child = [&](std::size_t k) { return simplified_at(tree, tree.child(at, k)); };
    switch (node.op) {
        case Op::first_of:
            return never_empty(tree, tree.child(at, 0), false) ? child(0) : first_of_two(child(0), child(1));
        case Op::where:
            if (tests_work(tree, at) && tests_work(tree, tree.child(at, 0))) return child(0);
            if (always_holds(tree, tree.child(at, 1))) return child(0);
            break;
        case Op::when:
            if (always_holds(tree, tree.child(at, 0))) return child(1);
            break;
        case Op::negation: {
            const Tree of = child(0);
            const Op op = of[of.root()].op;
            if (op == Op::negation) return of.subtree(of.child(of.root(), 0));
            if (op != Op::less && op != Op::less_equal) break;
            return Tree::node(op == Op::less ? Op::less_equal : Op::less, 0, 0, of.subtree(of.child(of.root(), 1)),
                              of.subtree(of.child(of.root(), 0)));
        }
        case Op::argmin:
        case Op::argmax:
            return Tree::node(node.op, 0, 0, child(0),
                              without_factors(tree, tree.child(at, 1), tests_work(tree, tree.child(at, 0))));
        default:
            break;
    }
    switch (node.children) {
        case 0:
            return tree.subtree(at);
        case 1:
            return Tree::node(node.op, node.a, node.b, child(0));
        case 2:
            return Tree::node(node.op, node.a, node.b, child(0), child(1));
        default:
            return Tree::node(node.op, node.a, node.b, child(0), child(1), child(2));
    }
}

}  // namespace

bool tests_work(const Tree& tree, std::size_t at) {
    return tree[at].op == Op::where && tree[tree.child(at, 1)].op == Op::has_work;
}

Tree simplified(const Tree& rule) { return simplified_at(rule, rule.root()); }

}  // namespace schedproof::simulation
