#include "tests/model/generated_rules.hpp"

#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "model/queueing/instance.hpp"
#include "model/queueing/language/decision_table.hpp"

namespace schedproof::queueing {
void showValue(const Rules& rules, std::ostream& out) { out << "Rules{" << to_string(rules) << "}"; }
}  // namespace schedproof::queueing

namespace schedproof::oracle {

using queueing::Arrangement;
using queueing::Rules;
using queueing::language::Decider;
using queueing::language::Form;
using queueing::language::Op;
using queueing::language::Operation;
using queueing::language::Part;
using queueing::language::Sort;
using queueing::language::Tree;
using queueing::language::Unit;

namespace {

int below(int n) { return *rc::gen::inRange(0, n); }

/// Draws one rule from the rows of the language's table. Runs inside a generator.
class RuleMaker {
  public:
    RuleMaker(Arrangement arrangement, Decider decider) : arrangement_(arrangement), decider_(decider) {}

    Tree rule() {
        const Tree any = below(2) == 0 ? composed(2) : set(3);
        return decider_ == Decider::task ? Tree::node(Op::first_of, 0, 0, any, base()) : any;
    }
    /// Of few primitives.
    Tree small_set() { return set(1); }
    /// With this primitive where it is always asked.
    Tree rule_with(const Operation& row) {
        const Unit unit = row.sort == Sort::key ? unit_made(row) : any_unit();
        const Tree part = made(row, 1, false, unit);
        Tree asked = part;
        if (row.sort == Sort::key && below(2) == 0)
            asked = Tree::node(Op::argmin, 0, 0, base(), part);
        else if (row.sort == Sort::key)
            asked = Tree::node(Op::where, 0, 0, base(), Tree::node(Op::less, 0, 0, part, key(unit, 0)));
        else if (row.sort == Sort::test)
            asked = Tree::node(Op::where, 0, 0, base(), part);
        else if (row.op == Op::it)
            asked = Tree::node(Op::among, 0, 0, drawn(), part);
        return decider_ == Decider::task ? Tree::node(Op::first_of, 0, 0, asked, base()) : asked;
    }
    /// Whether the queues, and the decider, have the primitive. Plans and tables are of one cluster; queues may be
    /// joined from outside where the layout of `policy_of_layout` has it.
    [[nodiscard]] bool allows(const Operation& row) const {
        const bool joins = !row.leaves_local || arrangement_ == Arrangement::per_server ||
                           arrangement_ == Arrangement::per_server_and_level;
        return row.in_texts && !has_part(row, Part::table) && joins && provides(arrangement_, row.needs) &&
               (row.by == Decider::anyone || row.by == decider_);
    }

  private:
    template <class Fits>
    const Operation& any(Fits&& fits) {
        std::vector<const Operation*> rows;
        for (const Operation& row : queueing::language::operations)
            if (allows(row) && fits(row)) rows.push_back(&row);
        return *rows.at(static_cast<std::size_t>(below(static_cast<int>(rows.size()))));
    }

    /// A set that is not empty and not drawn.
    Tree base() {
        return made(any([](const Operation& row) { return names_queues(row); }), 0);
    }
    Tree set(int depth) {
        if (depth == 0) return enclosed_ > 0 && below(2) == 0 ? Tree::node(Op::it, 0, 0) : base();
        switch (below(10)) {
            case 0:
                return base();
            case 1:  // which the evaluator computes in another way
                return Tree::node(Op::argmax, 0, 0, with_work(base()), key(any_unit(), 1));
            case 2:
                return with_work(set(depth - 1));
            default:
                return made(any([](const Operation& row) { return row.sort == Sort::set && has_part(row, Part::set); }),
                            depth);
        }
    }
    static Tree leaf(Op op, std::int64_t a = 0) { return Tree::node(op, a, 0); }
    static Tree with_work(const Tree& of) { return Tree::node(Op::where, 0, 0, of, Tree::node(Op::has_work, 0, 0)); }

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
                return Tree::node(Op::where, 0, 0, question(), test(1, false));
            default:
                return Tree::node(Op::first_of, 0, 0, composed(depth - 1), composed(depth - 1));
        }
    }
    /// On how long all queues are, or one is.
    Tree gate() {
        if (arrangement_ == Arrangement::per_type || arrangement_ == Arrangement::single || below(3) == 0)
            return test(1, true);
        const bool levels = arrangement_ == Arrangement::per_server_and_level;
        const bool listed = arrangement_ == Arrangement::per_server_and_common;  // where a route names all servers
        const Tree of = leaf(decider_ == Decider::server ? Op::own
                             : listed                    ? Op::local
                                                         : Op::servers),
                   key = leaf(levels ? Op::server_length : Op::length);
        const Op over[] = {Op::least, Op::greatest, Op::total, Op::mean};
        const Tree value = Tree::node(over[below(4)], 0, 0, of, key), some = leaf(Op::constant, below(4));
        const Op comparison = *rc::gen::element(Op::less, Op::less_equal, Op::equal);
        return below(2) == 0 ? Tree::node(comparison, 0, 0, value, some) : Tree::node(comparison, 0, 0, some, value);
    }

    // Keys of one unit.
    Unit any_unit() {
        const bool costs = arrangement_ == Arrangement::per_type && below(3) == 0;
        return costs ? *rc::gen::element(Unit::marginal_cost, Unit::cost)
                     : *rc::gen::element(Unit::tasks, Unit::tasks, Unit::weight, Unit::weight, Unit::work, Unit::work,
                                         Unit::weighted_work, Unit::distance);
    }
    /// A unit that the primitive may have.
    Unit unit_made(const Operation& row) {
        for (;;)
            if (const Unit unit = any_unit(); part_unit(row, unit)) return unit;
    }
    /// The unit of the keys that the primitive needs for one of this unit.
    static std::optional<Unit> part_unit(const Operation& row, Unit unit) {
        if (row.unit != Unit::none) return row.unit == unit ? std::optional(unit) : std::nullopt;
        if (row.form == Form::rate)
            return unit == Unit::weight ? std::optional(Unit::tasks)
                   : unit == Unit::cost ? std::optional(Unit::marginal_cost)
                                        : std::nullopt;
        if (row.op == Op::over_rate)
            return unit == Unit::work            ? std::optional(Unit::tasks)
                   : unit == Unit::weighted_work ? std::optional(Unit::work)
                                                 : std::nullopt;
        if (row.op == Op::as_work) return unit == Unit::work ? std::optional(Unit::tasks) : std::nullopt;
        return unit;
    }
    Tree key(Unit unit, int depth) {
        const Operation& row = any([&](const Operation& other) {
            const bool deep = other.unit == Unit::none && part_unit(other, unit) == unit;
            return other.sort == Sort::key && part_unit(other, unit) && (depth > 0 || !deep);
        });
        return made(row, depth, false, unit);
    }
    /// The same for all candidates.
    Tree value(Unit unit) {
        if (unit == Unit::tasks && below(3) == 0) return Tree::node(Op::constant, below(5), 0);
        return made(any([](const Operation& row) { return is_value(row); }), 0, true, unit);
    }
    Tree test(int depth, bool shared) {
        const Operation& row = any([&](const Operation& other) {
            return other.sort == Sort::test && (depth > 0 || !has_part(other, Part::test)) &&
                   !(shared && other.form == Form::word);
        });
        return made(row, depth, shared, any_unit());
    }

    Tree made(const Operation& row, int depth) { return made(row, depth, false, any_unit()); }
    /// Keys in it have one unit: for a key of this unit. A set of which a value is taken is not drawn.
    Tree made(const Operation& row, int depth, bool shared, Unit unit) {
        const Unit of_parts = row.sort == Sort::key ? part_unit(row, unit).value() : unit;
        const bool values = shared && row.sort == Sort::test;
        std::int64_t a = 0, b = 0;
        std::vector<Tree> children;
        for (const Part part : row.parts) switch (part) {
                case Part::set:
                    children.push_back(is_value(row)                             ? set(0)
                                       : row.op == Op::among && children.empty() ? drawn()
                                                                                 : set(depth - 1));
                    if (row.op == Op::among) enclosed_ += children.size() == 1 ? 1 : -1;
                    break;
                case Part::key:
                    children.push_back(values ? value(of_parts) : key(of_parts, row.sort == Sort::key ? depth - 1 : 1));
                    break;
                case Part::test:
                    children.push_back(test(row.sort == Sort::test ? depth - 1 : 1, shared));
                    break;
                case Part::condition:
                    children.push_back(test(1, true));
                    break;
                case Part::count:
                    a = 1 + below(2);
                    break;
                case Part::natural:
                    a = below(2);
                    break;
                case Part::not_below:
                    b = a + below(2);
                    break;
                case Part::probability:
                    a = 1 + below(2);
                    b = 3;
                    break;
                case Part::number:
                    a = 1 + below(3);
                    b = 1 + below(3);
                    break;
                case Part::table:
                case Part::none:
                    break;
            }
        return over(row.op, a, b, children);
    }
    /// From a set that is not empty, so that a value over it exists.
    Tree drawn() { return Tree::node(Op::sample, 1 + below(2), 0, base()); }

    Arrangement arrangement_;
    Decider decider_;
    int enclosed_ = 0;

  public:
    static Tree over(Op op, std::int64_t a, std::int64_t b, const std::vector<Tree>& children) {
        std::vector<const Tree*> list;
        for (const Tree& child : children) list.push_back(&child);
        return Tree::over(op, a, b, list);
    }
};

// ---- shrinking ----

Sort sort_of(Op op) { return queueing::language::operation(op).sort; }
/// The tree with the node at `at` replaced by a subtree of it.
Tree replaced(const Tree& tree, std::size_t i, std::size_t at, std::size_t by) {
    if (i == at) return tree.subtree(by);
    std::vector<Tree> children;
    for (std::size_t k = 0; k < tree[i].children; ++k) children.push_back(replaced(tree, tree.child(i, k), at, by));
    return RuleMaker::over(tree[i].op, tree[i].a, tree[i].b, children);
}
std::vector<Tree> smaller(const Tree& tree) {
    std::vector<Tree> all;
    for (std::size_t i = 0; i < tree.size(); ++i)
        for (std::size_t k = 0; k < tree[i].children; ++k) {
            const std::size_t by = tree.child(i, k);
            const bool same_unit = tree[i].op == Op::multiple || tree[i].op == Op::plus || tree[i].op == Op::minus ||
                                   tree[i].op == Op::minimum || tree[i].op == Op::maximum;
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

rc::Gen<Rules> rules_with(const Operation& row) {
    return rc::gen::resize(rc::kNominalSize, rc::gen::noShrink(rc::gen::exec([&row] {
                               for (int queues = below(5);; queues = (queues + 1) % 5) {
                                   const auto arrangement = static_cast<Arrangement>(queues);
                                   const bool of_task =
                                       row.by == Decider::task ||
                                       (row.by == Decider::anyone && row.op != Op::has_work && below(2) == 0);
                                   RuleMaker task(arrangement, Decider::task), server(arrangement, Decider::server);
                                   if (!(of_task ? task : server).allows(row)) continue;
                                   try {
                                       const Tree route = of_task ? task.rule_with(row) : task.rule();
                                       const Tree serve = of_task ? server.rule() : server.rule_with(row);
                                       return Rules({arrangement}, {route}, {serve});
                                   } catch (const char*) {  // more primitives than a tree holds
                                   }
                               }
                           })));
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
