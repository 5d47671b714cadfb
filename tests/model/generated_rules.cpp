#include "tests/model/generated_rules.hpp"

#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "model/queueing/language/decision_table.hpp"

namespace schedproof::queueing {
void showValue(const Rules& rules, std::ostream& out) { out << "Rules{" << to_string(rules) << "}"; }
}  // namespace schedproof::queueing

namespace schedproof::oracle {

using queueing::Arrangement;
using queueing::Rules;
using queueing::language::Node;
using queueing::language::Op;
using queueing::language::Tree;

namespace {

using Decider = queueing::language::Decider;

int below(int n) { return *rc::gen::inRange(0, n); }

/// Draws one rule. Runs inside a generator.
class RuleMaker {
  public:
    RuleMaker(Arrangement arrangement, Decider decider) : arrangement_(arrangement), decider_(decider) {}

    Tree rule() {
        const Tree any = below(2) == 0 ? composed(2) : set(3, true);
        return decider_ == Decider::task ? Tree::node(Op::first_of, 0, 0, any, base()) : any;
    }

    /// Of few primitives.
    Tree small_set() { return set(1, true); }

  private:
    static Tree leaf(Op op, std::int64_t a = 0, std::int64_t b = 0) { return Tree::node(op, a, b); }

    /// A set that is not empty and not drawn.
    Tree base() {
        const bool task = decider_ == Decider::task;
        switch (arrangement_) {
            case Arrangement::per_type:
                return leaf(task ? Op::own_type : Op::reachable);
            case Arrangement::single:
                return leaf(Op::common);
            case Arrangement::per_server_and_level:
                if (task) return leaf(below(2) == 0 ? Op::local : Op::servers);
                return leaf(below(3) == 0 ? Op::own : Op::own_levels);
            case Arrangement::per_server_and_common:
                if (below(3) == 0) return leaf(Op::common);
                if (below(3) == 0)
                    return Tree::node(Op::unite, 0, 0, leaf(task ? Op::local : Op::own), leaf(Op::common));
                [[fallthrough]];
            case Arrangement::per_server:
                if (task)
                    return leaf(arrangement_ == Arrangement::per_server && below(3) == 0 ? Op::servers : Op::local);
                switch (below(6)) {
                    case 0:
                        return leaf(Op::partner);
                    case 1:
                        return leaf(Op::ring, below(2), 1 + below(2));
                    case 2:
                        return leaf(Op::own);
                    default:
                        return leaf(Op::reachable);
                }
        }
        throw ContractViolation("unknown arrangement of queues");
    }
    /// A question for which simulators keep an index, in the words of some arrangements.
    Tree question() {
        const auto best = [](Op which, const Tree& set, const Tree& key) { return Tree::node(which, 0, 0, set, key); };
        const auto busy = [](const Tree& set) { return Tree::node(Op::where, 0, 0, set, leaf(Op::has_work)); };
        const Tree length = leaf(Op::length), weight = Tree::node(Op::times_rate, 0, 0, length);
        const bool task = decider_ == Decider::task;
        switch (arrangement_) {
            case Arrangement::per_type:
                if (task) return leaf(Op::own_type);
                return best(Op::argmax, busy(leaf(Op::reachable)),
                            Tree::node(Op::times_rate, 0, 0, leaf(Op::marginal_cost)));
            case Arrangement::single:
                return leaf(Op::common);
            case Arrangement::per_server_and_level: {
                if (!task) return Tree::node(Op::most_local, 0, 0, busy(leaf(Op::own_levels)));
                const Tree work = Tree::node(Op::over_rate, 0, 0, leaf(Op::server_workload));
                return below(2) == 0
                           ? best(Op::argmin, leaf(Op::servers), work)
                           : best(below(2) == 0 ? Op::argmin : Op::argmax, leaf(Op::servers), leaf(Op::server_length));
            }
            case Arrangement::per_server_and_common:
                if (task)
                    return best(Op::argmin, Tree::node(Op::unite, 0, 0, leaf(Op::local), leaf(Op::common)), length);
                return below(2) == 0 ? busy(leaf(Op::own)) : leaf(Op::common);
            case Arrangement::per_server:
                break;
        }
        switch (below(task ? 5 : 4)) {
            case 0:
                return task ? best(Op::argmin, leaf(Op::local), length) : busy(leaf(Op::own));
            case 1:
                return best(Op::argmin, leaf(task ? Op::servers : Op::reachable), length);
            case 2:
                return task ? best(Op::argmax, leaf(Op::servers), length)
                            : best(Op::argmax, busy(leaf(Op::reachable)), length);
            case 3:
                return task ? leaf(Op::local) : best(Op::argmax, busy(leaf(Op::reachable)), weight);
            default:
                return best(Op::argmin, Tree::node(Op::sample, 2, 0, leaf(Op::servers)), length);
        }
    }
    /// Questions with an index as the parts of a rule: alternatives, gates and filters.
    Tree composed(int depth) {
        if (depth == 0 || below(3) == 0) return question();
        switch (below(4)) {
            case 0:
                return Tree::node(Op::when, 0, 0, gate(), composed(depth - 1), composed(depth - 1));
            case 1:
                return Tree::node(Op::where, 0, 0, question(), test(1));
            default:
                return Tree::node(Op::first_of, 0, 0, composed(depth - 1), composed(depth - 1));
        }
    }
    /// On how long all queues are, or one is.
    Tree gate() {
        if (arrangement_ == Arrangement::per_type || arrangement_ == Arrangement::single || below(3) == 0)
            return condition();
        const bool levels = arrangement_ == Arrangement::per_server_and_level;
        const bool listed = arrangement_ == Arrangement::per_server_and_common;  // where a route names all servers
        const Tree of = leaf(decider_ == Decider::server ? Op::own
                             : listed                    ? Op::local
                                                         : Op::servers),
                   key = leaf(levels ? Op::server_length : Op::length);
        const Op over[] = {Op::least, Op::greatest, Op::total, Op::mean};
        const Tree value = Tree::node(over[below(4)], 0, 0, of, key), some = leaf(Op::constant, below(4));
        return below(2) == 0 ? Tree::node(comparison(), 0, 0, value, some)
                             : Tree::node(comparison(), 0, 0, some, value);
    }
    Tree set(int depth, bool may_draw) {
        if (depth == 0) return enclosed_ > 0 && below(2) == 0 ? leaf(Op::it) : base();
        const auto part = [&] { return set(depth - 1, may_draw); };
        switch (below(may_draw ? 16 : 11)) {
            case 0:
                return base();
            case 1:
                return Tree::node(Op::where, 0, 0, part(), test(1));
            case 2:
                return Tree::node(Op::where, 0, 0, part(), leaf(Op::has_work));
            case 3:
                return Tree::node(Op::argmin, 0, 0, part(), key());
            case 4:
                return Tree::node(Op::argmax, 0, 0, part(), key());
            case 5:
                return Tree::node(Op::argmax, 0, 0, Tree::node(Op::where, 0, 0, base(), leaf(Op::has_work)), key());
            case 6:
                return Tree::node(Op::most_local, 0, 0, part());
            case 7:
                return Tree::node(Op::first_of, 0, 0, part(), part());
            case 8:
                return Tree::node(Op::when, 0, 0, condition(), part(), part());
            case 9:
                return Tree::node(below(2) == 0 ? Op::unite : Op::intersect, 0, 0, part(), part());
            case 10:
                return Tree::node(Op::lowest, 1 + below(2), 0, part());
            case 11:
            case 12:
                return Tree::node(Op::sample, 1 + below(2), 0, part());
            case 13:
                return Tree::node(Op::best, 1 + below(2), 0, part(), key());
            case 14:
                return Tree::node(Op::mix, 1 + below(2), 3, part(), part());
            default: {
                // Drawn from a set that is not empty, so that a value over it exists.
                const Tree drawn = Tree::node(Op::sample, 1 + below(2), 0, base());
                ++enclosed_;
                const Tree body = set(depth - 1, may_draw);
                --enclosed_;
                return Tree::node(Op::among, 0, 0, drawn, body);
            }
        }
    }

    // Keys of one unit: tasks, or rate times tasks, or tasks over rate, or rate times marginal cost.
    enum class Unit { tasks, weight, work, cost };
    Unit any_unit() {
        const auto unit = static_cast<Unit>(below(3));
        return unit == Unit::weight && arrangement_ == Arrangement::per_type && below(3) == 0 ? Unit::cost : unit;
    }
    Tree key() { return key(any_unit(), 1); }
    Tree key(Unit unit, int depth) {
        if (unit == Unit::cost) return Tree::node(Op::times_rate, 0, 0, leaf(Op::marginal_cost));
        if (unit == Unit::weight) return Tree::node(rate(), 0, 0, key(Unit::tasks, depth));
        if (unit == Unit::work) {
            if (arrangement_ == Arrangement::per_server_and_level && below(2) == 0) return leaf(Op::server_workload);
            return Tree::node(Op::over_rate, 0, 0, key(Unit::tasks, depth));
        }
        switch (depth == 0 ? below(3) : below(7)) {
            case 0:
                return leaf(Op::servable);
            case 1:
                if (arrangement_ == Arrangement::per_server || arrangement_ == Arrangement::per_server_and_level)
                    return leaf(Op::server_length);
                return leaf(Op::length);
            case 3:
                return Tree::node(Op::multiple, 1 + below(3), 1 + below(3), key(unit, depth - 1));
            case 4:
                return Tree::node(below(2) == 0 ? Op::plus : Op::minus, 0, 0, key(unit, depth - 1),
                                  leaf(Op::constant, below(4)));
            case 5:
                return value(depth - 1);
            default:
                return leaf(Op::length);
        }
    }
    Op rate() {
        switch (below(4)) {
            case 0:
                return Op::times_local;
            case 1:
                return Op::times_remote;
            default:
                return Op::times_rate;
        }
    }
    /// A number of tasks, the same for all candidates.
    Tree value(int depth) {
        constexpr Op over[] = {Op::least, Op::greatest, Op::total, Op::mean};
        return Tree::node(over[below(4)], 0, 0, enclosed_ > 0 && below(2) == 0 ? leaf(Op::it) : base(),
                          key(Unit::tasks, depth));
    }
    Op comparison() {
        constexpr Op ops[] = {Op::less, Op::less_equal, Op::equal};
        return ops[below(3)];
    }
    Tree test(int depth) {
        if (depth > 0 && below(3) == 0) return joined(test(depth - 1), test(depth - 1));
        if (below(4) == 0) return leaf(Op::has_work);
        if (below(5) == 0) return Tree::node(Op::less_equal, 0, 0, leaf(Op::distance), leaf(Op::distance));
        const Unit unit = any_unit();
        return Tree::node(comparison(), 0, 0, key(unit, 1), key(unit, 1));
    }
    Tree condition() {
        const Tree compared =
            Tree::node(comparison(), 0, 0, value(0), below(2) == 0 ? value(0) : leaf(Op::constant, below(5)));
        return below(4) == 0 ? Tree::node(Op::negation, 0, 0, compared) : compared;
    }
    static Tree joined(const Tree& a, const Tree& b) {
        switch (below(3)) {
            case 0:
                return Tree::node(Op::both, 0, 0, a, b);
            case 1:
                return Tree::node(Op::either, 0, 0, a, b);
            default:
                return Tree::node(Op::negation, 0, 0, a);
        }
    }

    Arrangement arrangement_;
    Decider decider_;
    int enclosed_ = 0;
};

// ---- shrinking ----

enum class Sort { set, key, test };
Sort sort_of(Op op) {
    if (op >= Op::length && op <= Op::mean) return Sort::key;
    return op >= Op::has_work ? Sort::test : Sort::set;
}
/// The tree with the node at `at` replaced by a subtree of it.
Tree replaced(const Tree& tree, std::size_t i, std::size_t at, std::size_t by) {
    if (i == at) return tree.subtree(by);
    const Node& node = tree[i];
    switch (node.children) {
        case 0:
            return tree.subtree(i);
        case 1:
            return Tree::node(node.op, node.a, node.b, replaced(tree, tree.child(i, 0), at, by));
        case 2:
            return Tree::node(node.op, node.a, node.b, replaced(tree, tree.child(i, 0), at, by),
                              replaced(tree, tree.child(i, 1), at, by));
        default:
            return Tree::node(node.op, node.a, node.b, replaced(tree, tree.child(i, 0), at, by),
                              replaced(tree, tree.child(i, 1), at, by), replaced(tree, tree.child(i, 2), at, by));
    }
}
std::vector<Tree> smaller(const Tree& tree) {
    std::vector<Tree> all;
    for (std::size_t i = 0; i < tree.size(); ++i)
        for (std::size_t k = 0; k < tree[i].children; ++k) {
            const std::size_t by = tree.child(i, k);
            const bool same_unit = tree[i].op == Op::multiple || tree[i].op == Op::plus || tree[i].op == Op::minus;
            if (sort_of(tree[i].op) == sort_of(tree[by].op) && (sort_of(tree[i].op) != Sort::key || same_unit))
                all.push_back(replaced(tree, tree.root(), i, by));
        }
    return all;
}
std::vector<Rules> smaller(const Rules& rules) {
    std::vector<Rules> all;
    const auto add = [&](const queueing::language::Route& route, const queueing::language::Serve& serve) {
        try {
            all.push_back(rules.with(route).with(serve));
        } catch (const ContractViolation&) {  // `it` lost its set
        }
    };
    // A route keeps its second part, the queue that it falls back on.
    for (const Tree& route : smaller(rules.route()))
        if (route[route.root()].op == Op::first_of) add({route}, {rules.serve()});
    for (const Tree& serve : smaller(rules.serve())) add({rules.route()}, {serve});
    return all;
}

}  // namespace

rc::Gen<Rules> any_rules(Arrangement arrangement) {
    const rc::Gen<Rules> drawn = rc::gen::exec([=] {
        for (;;) {
            try {
                const Tree route = RuleMaker(arrangement, Decider::task).rule();
                const Tree serve = RuleMaker(arrangement, Decider::server).rule();
                return Rules({arrangement}, {route}, {serve});
            } catch (const char*) {  // more primitives than a tree holds
            }
        }
    });
    return [=](const rc::Random& random, int size) {
        return rc::shrinkable::shrinkRecur(drawn(random, size).value(),
                                           [](const Rules& rules) { return rc::seq::fromContainer(smaller(rules)); });
    };
}

rc::Gen<Rules> any_rules() {
    return rc::gen::mapcat(rc::gen::inRange(0, 5),
                           [](int arrangement) { return any_rules(static_cast<Arrangement>(arrangement)); });
}

rc::Gen<Rules> tabulated_rules(const queueing::Instance& instance) {
    const std::size_t servers = instance.servers().size(), types = instance.types().size();
    return rc::gen::exec([servers, types] {
        const int most = below(4);
        const auto lists = [&](int sum) {
            int count = 1;
            for (int i = 1; i <= static_cast<int>(types); ++i) count = count * (sum + i) / i;
            return count;
        };
        std::string text = std::to_string(most) + " " + std::to_string(servers) + " " + std::to_string(types);
        for (int word = 0; word < lists(static_cast<int>(servers) - 1) * static_cast<int>(servers); ++word) {
            text += " ";
            for (int letter = 0; letter < lists(most); ++letter)
                text += below(5) == 0 ? '.' : static_cast<char>('0' + below(static_cast<int>(types)));
        }
        const Tree beyond = RuleMaker(Arrangement::per_type, Decider::server).small_set();
        return Rules({Arrangement::per_type}, {Tree::node(Op::own_type, 0, 0)},
                     {Tree::node(Op::tabulated, queueing::language::DecisionTable::kept(text), 0, beyond)});
    });
}

bool may_have_own_rates(const Rules& rules) {
    const auto of_a_level = [](Op op) { return op == Op::times_local || op == Op::times_remote; };
    return !rules.route().any(of_a_level) && !rules.serve().any(of_a_level);
}

std::string policy_of_layout(const Rules& rules) {
    switch (rules.arrangement()) {
        case Arrangement::per_server:
            return rules.leaves_local() ? "random-any" : "jsq-maxweight";
        case Arrangement::per_server_and_common:
            return "wang-jsq-maxweight";
        case Arrangement::per_server_and_level:
            return "balanced-pandas";
        case Arrangement::per_type:
            return "generalized-cmu";
        case Arrangement::single:
            return "fifo";
    }
    throw ContractViolation("unknown arrangement of queues");
}

}  // namespace schedproof::oracle
