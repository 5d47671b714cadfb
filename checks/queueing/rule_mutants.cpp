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

/// The node with its constants over these children.
Tree over(const Node& node, const std::vector<Tree>& children) {
    std::vector<const Tree*> list;
    for (const Tree& child : children) list.push_back(&child);
    return Tree::over(node.op, node.a, node.b, list);
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

/// What may stand in the place of the primitive at `at`.
std::vector<Tree> alternatives(const Tree& tree, std::size_t at) {
    const Node& node = tree[at];
    const std::vector<Tree> children = children_of(tree, at);
    std::vector<Tree> found;
    const language::Operation& row = language::operation(node.op);
    for (const Op op : row.swaps) found.push_back(over({op, node.children, node.span, node.a, node.b}, children));
    for (const char child : row.stands_for) found.push_back(children[static_cast<std::size_t>(child - '0')]);
    if (has_part(row, language::Part::count) || row.op == Op::constant)
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
