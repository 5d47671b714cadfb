/// Single changes of a policy's trees.
///
/// A change replaces the subtree of one primitive by a subtree of the same sort and unit, so that most changes are
/// policies again. What the language does not allow after all (a key of another unit, a set that the arrangement does
/// not have) is left out: the mutant is printed and read back by the reader of policy texts, which checks both.
#include "checks/queueing/rule_mutants.hpp"

#include <algorithm>
#include <optional>

#include "model/core/errors.hpp"
#include "model/queueing/codec/policy_text.hpp"

namespace schedproof::checks {

namespace {

using namespace queueing;
using language::Node;
using language::Op;
using language::Tree;

/// The node at i with its constants over these children: at most three.
Tree over(const Node& node, const std::vector<Tree>& children) {
    switch (children.size()) {
        case 0:
            return Tree::node(node.op, node.a, node.b);
        case 1:
            return Tree::node(node.op, node.a, node.b, children[0]);
        case 2:
            return Tree::node(node.op, node.a, node.b, children[0], children[1]);
        default:
            return Tree::node(node.op, node.a, node.b, children[0], children[1], children[2]);
    }
}

std::vector<Tree> children_of(const Tree& tree, std::size_t at) {
    std::vector<Tree> children;
    for (std::size_t k = 0; k < tree[at].children; ++k) children.push_back(tree.subtree(tree.child(at, k)));
    return children;
}

/// The subtree at `at`, in which the one at `target` is another.
Tree replaced(const Tree& tree, std::size_t at, std::size_t target, const Tree& by) {
    if (at == target) return by;
    if (target > at || target + tree[at].span <= at) return tree.subtree(at);
    std::vector<Tree> children;
    for (std::size_t k = 0; k < tree[at].children; ++k)
        children.push_back(replaced(tree, tree.child(at, k), target, by));
    return over(tree[at], children);
}

/// The primitives that stand for another one with the same children.
std::vector<Op> relatives(Op op) {
    switch (op) {
        case Op::argmin:
            return {Op::argmax};
        case Op::argmax:
            return {Op::argmin};
        case Op::least:
            return {Op::greatest, Op::mean};
        case Op::greatest:
            return {Op::least, Op::mean};
        case Op::mean:
            return {Op::least, Op::greatest};
        case Op::less:
            return {Op::less_equal};
        case Op::less_equal:
            return {Op::less};
        case Op::both:
            return {Op::either};
        case Op::either:
            return {Op::both};
        case Op::times_rate:
            return {Op::times_local, Op::times_remote};
        case Op::times_local:
            return {Op::times_remote};
        case Op::times_remote:
            return {Op::times_local};
        case Op::plus:
            return {Op::minus};
        case Op::minus:
            return {Op::plus};
        default:
            return {};
    }
}

/// Which children may stand for the whole.
std::vector<std::size_t> parts(Op op) {
    switch (op) {
        case Op::where:
        case Op::most_local:
        case Op::argmin:
        case Op::argmax:
        case Op::multiple:
        case Op::negation:
            return {0};
        case Op::unite:
        case Op::intersect:
        case Op::first_of:
        case Op::mix:
        case Op::both:
        case Op::either:
            return {0, 1};
        case Op::when:
            return {1, 2};
        default:
            return {};
    }
}

/// What may stand in the place of the primitive at `at`.
std::vector<Tree> alternatives(const Tree& tree, std::size_t at) {
    const Node& node = tree[at];
    const std::vector<Tree> children = children_of(tree, at);
    std::vector<Tree> found;
    for (const Op op : relatives(node.op))
        found.push_back(over({op, node.children, node.span, node.a, node.b}, children));
    for (const std::size_t k : parts(node.op)) found.push_back(children[k]);
    if (node.op == Op::constant || node.op == Op::sample || node.op == Op::best || node.op == Op::lowest)
        found.push_back(over({node.op, node.children, node.span, node.a + 1, node.b}, children));
    return found;
}

/// The same rules if the language has them, as it does not say of a tree.
bool is_of_the_language(const Rules& rules) {
    try {
        return codec::read_rules(to_string(rules), "mutant") == rules;
    } catch (const InputError&) {
        return false;
    }
}

class Mutants {
  public:
    explicit Mutants(const Rules& rules) : rules_(rules) {}

    template <class Rule>
    void add(const char* rule, const Tree& tree) {
        for (std::size_t at = 0; at < tree.size(); ++at)
            for (const Tree& by : alternatives(tree, at))
                consider(std::string(rule) + ": " + queueing::to_string(by) + " for " +
                             queueing::to_string(tree.subtree(at)),
                         Rule{replaced(tree, tree.root(), at, by)});
    }
    [[nodiscard]] std::vector<RuleMutant> take() { return std::move(found_); }

  private:
    template <class Rule>
    void consider(std::string change, const Rule& rule) {
        try {
            const Rules mutant = rules_.with(rule);
            const auto same = [&](const RuleMutant& other) { return other.rules == mutant; };
            if (mutant == rules_ || std::any_of(found_.begin(), found_.end(), same)) return;
            if (is_of_the_language(mutant)) found_.push_back({std::move(change), mutant});
        } catch (const ContractViolation&) {
            // The arrangement of queues does not have it.
        }
    }

    const Rules& rules_;
    std::vector<RuleMutant> found_;
};

}  // namespace

std::vector<RuleMutant> rule_mutants(const Rules& rules) {
    Mutants mutants(rules);
    mutants.add<language::Route>("route", rules.route());
    mutants.add<language::Serve>("serve", rules.serve());
    return mutants.take();
}

}  // namespace schedproof::checks
