/// Symbolic execution against exact enumeration, for every registered policy, under default and flipped options:
/// a random state lies in exactly one cell, and what the cell says of it is what exact enumeration says.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <tuple>

#include "model/core/errors.hpp"
#include "policies/queueing/exact.hpp"
#include "proofs/explore/explorer.hpp"
#include "proofs/explore/farkas.hpp"
#include "proofs/queueing/drift/drift_proof.hpp"
#include "proofs/queueing/theorems/lyapunov.hpp"
#include "tests/model/queueing_generators.hpp"
#include "tests/support/instances.hpp"
#include "tests/support/test_name.hpp"

namespace schedproof::queueing {
namespace {

using explore::Affine;
using proof::Constraint;
using proof::LinearForm;

/// One random case: a cluster that the policy can run on, and a state of it.
struct Case {
    Instance instance;
    AnyPolicy policy;
    ExactState state;
};

Case random_case(const std::string& id, oracle::InstanceWish wish) {
    const Instance made = *oracle::small_instance(id, wish);
    InstanceData data = made.data();
    if (*rc::gen::arbitrary<bool>()) data.options = {};
    // Marginal costs of a higher degree are no affine forms; see CostsOfHigherDegree.
    for (TaskType& type : data.types) type.exponent = 1;
    Instance instance(std::move(data));
    const auto plan = *oracle::plan_for(id, instance);
    const Planner planner = [&](const Instance&) {
        FluidPlan fluid{plan->load, {}};
        for (const auto& a : plan->activities)
            fluid.activities.push_back({TaskTypeId(a.type), ServerId(a.server), a.x});
        return fluid;
    };
    AnyPolicy policy = make_policy(id, instance, planner);
    ExactState state = *oracle::valid_state(instance, oracle::queue_shape(instance, id, plan));
    return {std::move(instance), std::move(policy), std::move(state)};
}

/// The functions that are defined for the policy's queues.
std::vector<LyapunovForm> functions(const Instance& instance, const Layout& layout) {
    std::vector<LyapunovForm> all;
    for (const LyapunovInfo& info : lyapunov_functions()) try {
            all.push_back(named_lyapunov(info.id, instance, layout));
        } catch (const InputError&) {}
    return all;
}

using Books = std::tuple<ExactState, std::uint32_t, std::uint32_t, std::uint32_t>;

/// The law of next states and counts at a point, from moves whose lengths are forms.
Law<Books> law_at(const std::vector<SymbolicMove>& moves, const std::vector<Rational>& point) {
    Law<Books> law;
    const auto integer = [&](const Affine& n) { return NumberTraits<CheckedInt>::coefficient(n.form().at(point)); };
    for (const SymbolicMove& move : moves) {
        ExactState next;
        for (const Affine& n : move.slot.next.length) next.length.push_back(integer(n));
        next.serving = move.slot.next.serving;
        next.waiting = move.slot.next.waiting;
        for (const Affine& n : move.slot.next.memory) next.memory.push_back(integer(n));
        law.add({next, move.slot.arrived, move.slot.blocked, move.slot.completed}, move.probability);
    }
    return law;
}

Law<Books> exact_law(const ExactSystem& system, const ExactState& state) {
    Law<Books> law;
    for (const Move& move : system.moves(state))
        law.add({move.slot.next, move.slot.arrived, move.slot.blocked, move.slot.completed}, move.probability);
    return law;
}

/// Leaves of the tree whose constraints hold at the point.
std::vector<std::uint32_t> cells_of(const proof::Space& space, const proof::Tree& tree,
                                    const std::vector<Rational>& point) {
    std::vector<std::uint32_t> found;
    proof::for_each_leaf(space, tree, [&](std::uint32_t leaf, const std::vector<Constraint>& path) {
        if (std::all_of(path.begin(), path.end(), [&](const Constraint& c) { return c.holds(point); }))
            found.push_back(leaf);
    });
    return found;
}

/// What a body gives on a cell: the slot's outcomes, the drifts, what the policy answers.
struct Symbolic {
    std::vector<SymbolicMove> moves;
    std::vector<LinearForm> drifts;
    std::vector<std::vector<Candidate>> answers;
};

Symbolic read(const SymbolicSystem& system, const SymbolicState& state, const std::vector<LyapunovForm>& functions) {
    Symbolic symbolic{system.moves(state), {}, {}};
    for (const LyapunovForm& v : functions) symbolic.drifts.push_back(symbolic_drift(system, state, v));
    for (const TaskTypeId type : system.instance().types()) symbolic.answers.push_back(system.route(state, type));
    for (const ServerId m : system.instance().servers())
        if (state.serving[m.index()].status == Service::Status::idle)
            symbolic.answers.push_back(system.serve(state, m));
    return symbolic;
}

void expect_agreement(const Symbolic& symbolic, const ExactSystem& exact, const ExactState& state,
                      const std::vector<LyapunovForm>& functions, const std::vector<Rational>& point) {
    RC_ASSERT(law_at(symbolic.moves, point) == exact_law(exact, state));
    for (std::size_t i = 0; i < functions.size(); ++i)
        RC_ASSERT(symbolic.drifts[i].at(point) == drift(exact, state, functions[i]));
    std::vector<std::vector<Candidate>> answers;
    for (const TaskTypeId type : exact.instance().types()) answers.push_back(exact.route(state, type));
    for (const ServerId m : exact.instance().servers())
        if (state.serving[m.index()].status == Service::Status::idle) answers.push_back(exact.serve(state, m));
    RC_ASSERT(symbolic.answers == answers);
}

class EveryPolicyExplored : public testing::TestWithParam<std::string> {};

TEST_P(EveryPolicyExplored, AtAPointTheSymbolicSlotIsTheExactOne) {
    EXPECT_TRUE(rc::check(GetParam() + ": law, drifts and answers at a point", [&] {
        const Case c = random_case(GetParam(), oracle::with_own_rates());
        const SymbolicSystem system(c.instance, c.policy);
        const ExactSystem exact(c.instance, c.policy);
        const std::vector<LyapunovForm> v = functions(c.instance, system.layout());
        const proof::Space space = system.space(c.state);
        const std::vector<Rational> point = system.point(c.state);
        RC_ASSERT(system.at(c.state, point) == c.state);
        explore::PointDecider decider(space, point);
        expect_agreement(read(system, system.state(c.state, explore::symbols(decider)), v), exact, c.state, v, point);
    }));
}

TEST_P(EveryPolicyExplored, AStateLiesInOneCellAndThereTheModesAgree) {
    explore::Budget budget;
    budget.paths = 120;
    std::size_t complete = 0;
    EXPECT_TRUE(rc::check(GetParam() + ": one cell, same law, drifts and answers", [&] {
        const Case c = random_case(GetParam(), {{2, std::nullopt, *rc::gen::inRange<std::size_t>(1, 3)}});
        const SymbolicSystem system(c.instance, c.policy);
        const ExactSystem exact(c.instance, c.policy);
        const std::vector<LyapunovForm> v = functions(c.instance, system.layout());
        const proof::Space space = system.space(c.state);
        const auto body = [&](const std::vector<Affine>& symbols) {
            return read(system, system.state(c.state, symbols), v);
        };
        const auto cells = explore::explore(space, body, budget);
        if (cells.ended) return;  // counted below
        ++complete;
        const std::vector<Rational> point = system.point(c.state);
        const std::vector<std::uint32_t> found = cells_of(space, cells.tree, point);
        RC_ASSERT(found.size() == std::size_t{1});
        const Symbolic& here = cells.leaves[found.front()];
        expect_agreement(here, exact, c.state, v, point);
        // A point decider walks the same path, so it meets the same forms.
        explore::PointDecider decider(space, point);
        RC_ASSERT(body(explore::symbols(decider)).drifts == here.drifts);
        proof::Tree tree = cells.tree;
        explore::close(space, tree);
        RC_ASSERT(proof::rejection(space, tree) == std::string());
    }));
    EXPECT_GT(complete, 40U) << "most explorations must end within the budget";
}

INSTANTIATE_TEST_SUITE_P(
    Registry, EveryPolicyExplored,
    [] {
        std::vector<std::string> ids;
        for (const PolicyInfo& registered : policies()) ids.emplace_back(registered.id);
        return testing::ValuesIn(ids);
    }(),
    testing_support::named_by_id);

TEST(Explore, CostsOfHigherDegreeCannotBeExecutedSymbolically) {
    InstanceData data = testing_support::two_servers("4/5", "1/5", "1/2", "1/2").data();
    data.types[0].exponent = 2;
    const Instance instance(std::move(data));
    const SymbolicSystem system(instance, make_policy("generalized-cmu", instance, {}));
    Shape idle;
    idle.serving.resize(2);
    const proof::Space space = system.space(idle);
    const auto body = [&](const std::vector<Affine>& symbols) {
        return system.serve(system.state(idle, symbols), ServerId(0));
    };
    EXPECT_THROW((void)explore::explore(space, body), LimitExceeded);
}

// Trees of random bodies: comparisons of random forms in a random order.

/// A body that compares forms one after another; each answer decides where it goes on.
struct RandomBody {
    std::vector<LinearForm> forms;
    std::vector<bool> strict;
    std::size_t operator()(const std::vector<Affine>& symbols) const {
        std::size_t at = 0, taken = 0;
        for (std::size_t step = 0; step < 6; ++step) {
            Affine left(0);
            for (const auto& [x, c] : forms[at].terms()) left += c * symbols[x];
            left += Affine(forms[at].constant());
            const bool answer = strict[at] ? left > Affine(0) : left >= Affine(0);
            taken = 2 * taken + (answer ? 1 : 0);
            at = (2 * at + (answer ? 1 : 2)) % forms.size();
        }
        return taken;
    }
};

Rational small_rational(int low, int high) {
    return {Integer(*rc::gen::inRange(low, high)), Integer(*rc::gen::inRange(1, 4))};
}

RandomBody random_body(std::size_t symbols) {
    RandomBody body;
    const auto count = *rc::gen::inRange<std::size_t>(2, 8);
    for (std::size_t i = 0; i < count; ++i) {
        LinearForm form(small_rational(-9, 9));
        for (proof::Variable x = 0; x < symbols; ++x) form.add(small_rational(-3, 4), LinearForm::variable(x));
        body.forms.push_back(form);
        body.strict.push_back(*rc::gen::arbitrary<bool>());
    }
    return body;
}

proof::Space random_space() {
    proof::Space space;
    const auto symbols = *rc::gen::inRange<std::size_t>(1, 4);
    for (std::size_t x = 0; x < symbols; ++x) {
        const bool integer = *rc::gen::arbitrary<bool>();
        const bool bounded = *rc::gen::arbitrary<bool>();
        space.add("x" + std::to_string(x), integer,
                  bounded ? std::optional(Rational(*rc::gen::inRange(-2, 3))) : std::nullopt);
    }
    return space;
}

std::vector<Rational> random_point(const proof::Space& space) {
    std::vector<Rational> point;
    for (const proof::Space::Symbol& symbol : space.symbols) {
        Rational value = symbol.integer ? Rational(*rc::gen::inRange(-12, 13)) : small_rational(-30, 31);
        if (symbol.lower && value < *symbol.lower) value = *symbol.lower + *symbol.lower - value;
        point.push_back(value);
    }
    return point;
}

/// The side that a point reaches; exactly one side of each node holds on the way.
const proof::Side& side_of(const proof::Tree& tree, const std::vector<Rational>& point) {
    const proof::Side* side = &tree.root;
    while (const auto* to = std::get_if<proof::ToNode>(side)) {
        const proof::Tree::Node& node = tree.nodes[to->node];
        const bool yes = node.atom.side(true).holds(point);
        RC_ASSERT(yes != node.atom.side(false).holds(point));
        side = yes ? &node.yes : &node.no;
    }
    return *side;
}

RC_GTEST_PROP(Explore, TreesCoverTheSpaceAndClosedSidesAreEmpty, ()) {
    const proof::Space space = random_space();
    const RandomBody body = random_body(space.symbols.size());
    auto cells = explore::explore(space, body);
    RC_ASSERT(!cells.ended);
    for (int i = 0; i < 20; ++i) {
        const std::vector<Rational> point = random_point(space);
        const auto* leaf = std::get_if<proof::ToLeaf>(&side_of(cells.tree, point));
        RC_ASSERT(leaf != nullptr);
        std::vector<Affine> constants;
        for (const Rational& value : point) constants.emplace_back(value);
        RC_ASSERT(body(constants) == cells.leaves[leaf->leaf]);
    }
    explore::close(space, cells.tree);
    RC_ASSERT(proof::rejection(space, cells.tree) == std::string());
    RC_ASSERT(cells.statistics.cells == cells.leaves.size());
}

RC_GTEST_PROP(Explore, AnAtomStandsOnceOnAPathAndNoneFollowsFromEarlierOnesOfItsForm, ()) {
    const proof::Space space = random_space();
    const auto cells = explore::explore(space, random_body(space.symbols.size()));
    const auto& nodes = cells.tree.nodes;
    const std::function<void(const proof::Side&, std::vector<Constraint>)> walk = [&](const proof::Side& side,
                                                                                      std::vector<Constraint> path) {
        const auto* to = std::get_if<proof::ToNode>(&side);
        if (!to) return;
        const proof::Atom& atom = nodes[to->node].atom;
        RC_ASSERT(proof::rejection(space, atom) == std::string());
        for (const bool holds : {true, false}) {
            const Constraint here = atom.side(holds);
            // A constraint of the same direction that is at least as strong would have settled the atom.
            for (const Constraint& c : path) {
                const LinearForm gap = here.form - c.form;
                RC_ASSERT(!gap.is_constant() || gap.constant().sign() < 0 ||
                          (gap.constant().sign() == 0 && here.strict && !c.strict));
            }
            path.push_back(here);
            walk(holds ? nodes[to->node].yes : nodes[to->node].no, path);
            path.pop_back();
        }
    };
    walk(cells.tree.root, {});
}

TEST(Explore, APathWithoutIntegerPointEndsWithoutALeaf) {
    // x = 2 and 10 y = x leave the real point y = 1/5, until y is compared with zero.
    proof::Space space;
    space.add("x", true, Rational(0));
    space.add("y", true, Rational(0));
    const auto body = [](const std::vector<Affine>& s) {
        if (!(s[0] == Affine(2)) || !(Rational(10) * s[1] == s[0])) return 0;
        return s[1] > Affine(0) ? 1 : 2;
    };
    auto cells = explore::explore(space, body);
    ASSERT_FALSE(cells.ended);
    for (const int leaf : cells.leaves) EXPECT_EQ(leaf, 0);
    explore::close(space, cells.tree);
    EXPECT_EQ(proof::rejection(space, cells.tree), "");
}

// Budgets.

TEST(Explore, ABudgetThatEndsIsNamed) {
    proof::Space space;
    space.add("x", true, Rational(0));
    const auto body = [](const std::vector<Affine>& x) { return x[0] > Affine(3) ? 1 : 0; };
    explore::Budget no_solver;
    no_solver.solver = 0;
    const auto first = explore::explore(space, body, no_solver);
    ASSERT_TRUE(first.ended);
    EXPECT_NE(first.ended->find("solver"), std::string::npos) << *first.ended;
    explore::Budget one_path;
    one_path.paths = 1;
    const auto second = explore::explore(space, body, one_path);
    ASSERT_TRUE(second.ended);
    EXPECT_NE(second.ended->find("1 cells"), std::string::npos) << *second.ended;
    explore::Budget no_path;
    no_path.paths = 0;
    EXPECT_TRUE(explore::explore(space, body, no_path).ended);
    one_path.paths = 2;
    EXPECT_FALSE(explore::explore(space, body, one_path).ended);
}

TEST(Explore, AFloorWithoutBoundEndsAtTheBudget) {
    proof::Space space;
    space.add("x", true, Rational(0));
    explore::Budget budget;
    budget.atoms = 30;
    const auto body = [](const std::vector<Affine>& x) { return explore::floor(Rational(1, 3) * x[0]).constant(); };
    const auto cells = explore::explore(space, body, budget);
    ASSERT_TRUE(cells.ended);
    EXPECT_NE(cells.ended->find("30 questions"), std::string::npos) << *cells.ended;
}

TEST(Explore, EndedProofsAreUnknownAndNeverProved) {
    const Instance instance = testing_support::two_servers("4/5", "1/5", "1/2", "1/2");
    const AnyPolicy policy = make_policy("wang-jsq-maxweight", instance, {});
    const SymbolicSystem system(instance, policy);
    const ExactSystem exact(instance, policy);
    Shape idle;
    idle.serving.resize(2);
    const LyapunovForm v = named_lyapunov("regret", instance, system.layout());
    explore::Budget budget;
    budget.paths = 2;
    EXPECT_TRUE(drift_cells(system, idle, v, budget).ended);
    budget = {};
    budget.solver = 0;
    EXPECT_TRUE(drift_cells(system, idle, v, budget).ended);
}

TEST(Explore, ABodyThatIsNotAFunctionOfItsDecisionsIsCaught) {
    proof::Space space;
    space.add("x", true, Rational(0));
    int runs = 0;
    const auto body = [&](const std::vector<Affine>& x) { return x[0] > Affine(++runs) && x[0] > Affine(10 + runs); };
    EXPECT_THROW((void)explore::explore(space, body), ContractViolation);
}

}  // namespace
}  // namespace schedproof::queueing
