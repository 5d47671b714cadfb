/// Policies that nobody wrote: the evaluator against a second implementation, the number types against each other, and
/// renamed clusters against the original.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>

#include "model/core/errors.hpp"
#include "model/queueing/language/decision_table.hpp"
#include "policies/queueing/exact.hpp"
#include "tests/model/generated_rules.hpp"
#include "tests/model/queueing_generators.hpp"
#include "tests/model/rule_oracle.hpp"

namespace schedproof::queueing {
namespace {

using language::Asker;

struct GeneratedCase {
    Rules rules;
    Instance instance;
    ExactState state;
    [[nodiscard]] AnyPolicy policy() const { return {{"generated", "test", "drawn at random"}, rules}; }
};

GeneratedCase generated_case(const Rules& rules) {
    const std::string like = oracle::policy_of_layout(rules);
    oracle::InstanceWish wish;
    wish.own_rates = !rules.names_rates_of_levels();
    Instance instance = *oracle::small_instance(like, wish);
    ExactState state = *oracle::valid_state(instance, oracle::queue_shape(instance, like));
    return {rules, std::move(instance), std::move(state)};
}

oracle::RuleCase in_rationals(const GeneratedCase& c) {
    oracle::RuleCase numbers{c.instance, c.rules.arrangement(), {}, std::vector<Rational>(c.state.length.size())};
    for (const CheckedInt n : c.state.length) numbers.length.emplace_back(n.value());
    for (const Service& s : c.state.serving)
        if (s.status == Service::Status::busy) numbers.in_service[s.queue.index()] += Rational(1);
    return numbers;
}

oracle::Pmf<oracle::Members> law_of_decision(const Decision& decision) {
    oracle::Pmf<oracle::Members> law;
    for (std::size_t i = 0; i < decision.size(); ++i) {
        oracle::Members members;
        for (const Candidate& c : decision[i]) members.insert({c.queue.index(), c.level.index()});
        law[members] += decision.probability(i);
    }
    return law;
}

TEST(GeneratedPolicies, AnswerAsTheSecondImplementationSays) {
    EXPECT_TRUE(rc::check("the law of every answer, on integers and on rationals", [] {
        const GeneratedCase c = generated_case(*oracle::any_rules());
        const oracle::RuleCase at = in_rationals(c);
        const Kernel<CheckedInt> integers(c.instance, c.policy());
        const Kernel<Rational> rationals(c.instance, c.policy());
        const State<Rational> exact = detail::from_exact<Rational>(c.state);
        for (const TaskTypeId type : c.instance.types()) {
            const auto expected = oracle::law_of_route(c.rules.route(), at, type.index());
            RC_ASSERT(law_of_decision(integers.route(c.state, type)) == expected);
            RC_ASSERT(law_of_decision(rationals.route(exact, type)) == expected);
            RC_ASSERT(integers.route(c.state, type) == integers.route(c.state, type));
            RC_ASSERT(rationals.route(exact, type) == rationals.route(exact, type));
        }
        for (const ServerId m : c.instance.servers()) {
            const auto expected = oracle::law_of_serve(c.rules.serve(), at, m.index());
            RC_ASSERT(law_of_decision(integers.serve(c.state, m)) == expected);
            RC_ASSERT(law_of_decision(rationals.serve(exact, m)) == expected);
            RC_ASSERT(integers.serve(c.state, m) == integers.serve(c.state, m));
            RC_ASSERT(rationals.serve(exact, m) == rationals.serve(exact, m));
        }
    }));
}

language::Tree over(language::Op op, const language::Node& node, const std::vector<language::Tree>& children) {
    std::vector<const language::Tree*> list;
    for (const language::Tree& child : children) list.push_back(&child);
    return language::Tree::over(op, node.a, node.b, list);
}

/// The tree with the parts that have the primitive at their root made to say nothing: an empty set, the difference of a
/// key and itself, the opposite of a test.
language::Tree without(const language::Tree& tree, std::size_t at, const language::Operation& row) {
    using language::Op, language::Sort, language::Tree;
    if (tree[at].op == row.op) {
        const Tree part = tree.subtree(at), level = Tree::node(Op::distance, 0, 0);
        if (row.sort == Sort::key) return Tree::node(Op::minus, 0, 0, part, part);
        if (row.sort == Sort::test) return Tree::node(Op::negation, 0, 0, part);
        return Tree::node(Op::where, 0, 0, part, Tree::node(Op::less, 0, 0, level, level));
    }
    std::vector<Tree> children;
    for (std::size_t k = 0; k < tree[at].children; ++k) children.push_back(without(tree, tree.child(at, k), row));
    return over(tree[at].op, tree[at], children);
}

/// Whether every answer is that of the second implementation, for rules of which one may be another tree.
bool answers_as_oracle(const GeneratedCase& c, const language::Tree& route, const language::Tree& serve) {
    const oracle::RuleCase at = in_rationals(c);
    const Kernel<CheckedInt> kernel(c.instance, c.policy());
    bool same = true;
    for (const TaskTypeId type : c.instance.types())
        same = same && law_of_decision(kernel.route(c.state, type)) == oracle::law_of_route(route, at, type.index());
    for (const ServerId m : c.instance.servers())
        same = same && law_of_decision(kernel.serve(c.state, m)) == oracle::law_of_serve(serve, at, m.index());
    return same;
}

/// Each row of the table, and that the comparison sees its primitive. Plans have no second implementation; tables
/// follow.
TEST(GeneratedPolicies, EveryPrimitiveAnswersAsTheSecondImplementationSays) {
    for (const language::Operation& row : language::operations) {
        if (row.plans || has_part(row, language::Part::table)) continue;
        SCOPED_TRACE(std::string(row.written));
        int noticed = 0;
        EXPECT_TRUE(rc::check("rules with the primitive", [&] {
            const GeneratedCase c = generated_case(*oracle::rules_with(row));
            const language::Tree &route = c.rules.route(), &serve = c.rules.serve();
            RC_ASSERT(answers_as_oracle(c, route, serve));
            try {
                if (!answers_as_oracle(c, without(route, route.root(), row), without(serve, serve.root(), row)))
                    ++noticed;
            } catch (const char*) {              // more primitives than a tree holds
            } catch (const std::logic_error&) {  // a value over a set that was made empty
            }
        }));
        EXPECT_GT(noticed, 0);
    }
}

/// Every other state is near the empty one, where tables are.
ExactState valid_state_for_table(const Instance& instance) {
    ExactState state = *oracle::valid_state(instance, oracle::queue_shape(instance, "generalized-cmu"));
    if (*rc::gen::arbitrary<bool>()) return state;
    for (std::size_t q = 0; q < state.length.size(); ++q) {
        std::int64_t executing = 0;
        for (const Service& s : state.serving)
            executing += s.status == Service::Status::busy && s.queue.index() == q ? 1 : 0;
        state.length[q] = CheckedInt(executing + (state.length[q].value() - executing) % 2);
    }
    return state;
}

TEST(GeneratedPolicies, LookDecisionsUpAsTheSecondImplementationSays) {
    int named = 0, beyond = 0;
    EXPECT_TRUE(rc::check("the law of every answer of a table, on integers and on rationals", [&] {
        const Instance instance = *oracle::small_instance("generalized-cmu");
        const Rules rules = *oracle::tabulated_rules(instance);
        const auto most = std::int64_t{language::DecisionTable::numbered(rules.serve()[rules.serve().root()].a).most()};
        for (int states = 0; states < 4; ++states) {
            const GeneratedCase c{rules, instance, valid_state_for_table(instance)};
            const oracle::RuleCase at = in_rationals(c);
            const Kernel<CheckedInt> integers(c.instance, c.policy());
            const Kernel<Rational> rationals(c.instance, c.policy());
            Rational waiting;
            for (std::size_t q = 0; q < at.length.size(); ++q) waiting += at.length[q] - at.in_service[q];
            for (const ServerId m : c.instance.servers()) {
                if (c.state.serving[m.index()].status != Service::Status::idle) continue;
                const auto expected = oracle::law_of_serve(rules.serve(), at, m.index());
                RC_ASSERT(law_of_decision(integers.serve(c.state, m)) == expected);
                RC_ASSERT(law_of_decision(rationals.serve(detail::from_exact<Rational>(c.state), m)) == expected);
                ++(waiting > Rational(most) ? beyond : named);
            }
        }
    }));
    EXPECT_GT(named, 50);
    EXPECT_GT(beyond, 50);
}

/// Greatest for least, everywhere in a rule.
language::Tree upside_down(const language::Tree& tree, std::size_t at) {
    using language::Op, language::Tree;
    const language::Node& node = tree[at];
    const Op op = node.op == Op::argmin ? Op::argmax : node.op == Op::argmax ? Op::argmin : node.op;
    std::vector<Tree> children;
    for (std::size_t k = 0; k < node.children; ++k) children.push_back(upside_down(tree, tree.child(at, k)));
    return over(op, node, children);
}

TEST(GeneratedPolicies, AnsweredUpsideDownDifferFromTheSecondImplementation) {
    int differ = 0;
    EXPECT_TRUE(rc::check("an evaluator that takes the greatest for the least is noticed", [&] {
        const GeneratedCase c = generated_case(*oracle::any_rules());
        const Kernel<CheckedInt> wrong(
            c.instance, AnyPolicy({"upside-down", "test", "greatest for least"},
                                  c.rules.with(language::Route{upside_down(c.rules.route(), c.rules.route().root())})));
        for (const TaskTypeId type : c.instance.types())
            differ += law_of_decision(wrong.route(c.state, type)) ==
                              oracle::law_of_route(c.rules.route(), in_rationals(c), type.index())
                          ? 0
                          : 1;
    }));
    EXPECT_GT(differ, 5);
}

// ---- renamed servers ----

/// The cluster in which server m is called `name[m]`.
GeneratedCase with_servers_renamed(const GeneratedCase& c, const std::vector<std::size_t>& name) {
    InstanceData data = c.instance.data();
    for (std::size_t m = 0; m < name.size(); ++m) data.servers[name[m]] = c.instance.data().servers[m];
    for (TaskType& type : data.types) {
        for (ServerId& m : type.replicas) m = ServerId(name[m.index()]);
        std::sort(type.replicas.begin(), type.replicas.end());
    }
    Instance instance(std::move(data));
    const Layout layout = c.rules.layout(instance);
    const auto queue = [&](QueueId q) {
        if (layout.arrangement() == Arrangement::per_type || layout.is_shared(q)) return q;
        const Level level = layout.arrangement() == Arrangement::per_server_and_level
                                ? layout.service_level(instance, q, layout.owner(q))
                                : instance.local();
        return layout.queue(ServerId(name[layout.owner(q).index()]), level, layout.row(q));
    };
    ExactState state = c.state;
    for (std::size_t q = 0; q < state.length.size(); ++q) {
        state.length[queue(QueueId(q)).index()] = c.state.length[q];
        if (!state.waiting.empty()) state.waiting[queue(QueueId(q)).index()] = c.state.waiting[q];
    }
    for (std::size_t m = 0; m < name.size(); ++m) {
        Service service = c.state.serving[m];
        if (service.status != Service::Status::idle) service.queue = queue(service.queue);
        state.serving[name[m]] = service;
    }
    return {c.rules, std::move(instance), std::move(state)};
}

/// The law of the answers of every asker, with servers called by their names before the renaming.
std::vector<oracle::Pmf<oracle::Members>> all_answers(const GeneratedCase& c, const std::vector<std::size_t>& name) {
    const Kernel<CheckedInt> kernel(c.instance, c.policy());
    const Layout& layout = kernel.layout();
    const auto queue = [&](std::size_t q) {
        if (layout.arrangement() == Arrangement::per_type || layout.is_shared(QueueId(q))) return q;
        const std::size_t m = layout.owner(QueueId(q)).index();
        const auto before = static_cast<std::size_t>(std::find(name.begin(), name.end(), m) - name.begin());
        const bool several = layout.arrangement() == Arrangement::per_server_and_level;
        const std::size_t own = several ? layout.queues() / name.size() : 1;  // queues of a server
        return before * own + q % own;
    };
    std::vector<oracle::Pmf<oracle::Members>> laws;
    const auto add = [&](const Decision& decision) {
        oracle::Pmf<oracle::Members> law;
        for (const auto& [members, p] : law_of_decision(decision)) {
            oracle::Members called;
            for (const auto& [q, level] : members) called.insert({queue(q), level});
            law[called] += p;
        }
        laws.push_back(std::move(law));
    };
    for (const TaskTypeId type : c.instance.types()) add(kernel.route(c.state, type));
    for (const std::size_t m : name) add(kernel.serve(c.state, ServerId(m)));
    return laws;
}

/// How many of some rules change under a random renaming; those that name servers by number may.
int changed_by_renaming(const std::function<Rules()>& rules, int cases) {
    int changed = 0;
    for (int i = 0; i < cases; ++i) {
        const GeneratedCase c = generated_case(rules());
        std::vector<std::size_t> same(c.instance.servers().size());
        std::iota(same.begin(), same.end(), 0U);
        std::vector<std::size_t> name = same;
        for (std::size_t k = name.size(); k > 1; --k)
            std::swap(name[k - 1], name[*rc::gen::inRange<std::size_t>(0, k)]);
        changed += all_answers(c, same) == all_answers(with_servers_renamed(c, name), name) ? 0 : 1;
    }
    return changed;
}

TEST(GeneratedPolicies, AreTheSameWhenServersAreRenamedUnlessTheyNumberThem) {
    EXPECT_TRUE(rc::check("renaming servers renames the answers", [] {
        const Rules rules = *oracle::any_rules();
        RC_PRE(!rules.numbered());
        RC_ASSERT(changed_by_renaming([&] { return rules; }, 1) == 0);
    }));
}

TEST(GeneratedPolicies, ThatNumberServersAreToldApartByRenaming) {
    using namespace language;
    int changed = 0;
    EXPECT_TRUE(rc::check("a policy of the first server, of partners, of a ring", [&] {
        for (const Rules& rules :
             {Rules{keep(Arrangement::per_server), language::route(lowest(1, local)), language::serve(own)},
              Rules{keep(Arrangement::per_server), language::route(local), language::serve(partner)},
              Rules{keep(Arrangement::per_server), language::route(local), language::serve(ring(1, 1))}}) {
            EXPECT_TRUE(rules.numbered());
            changed += changed_by_renaming([&] { return rules; }, 1);
        }
    }));
    EXPECT_GT(changed, 10);
}

// ---- what is refused ----

TEST(GeneratedPolicies, AreRefusedWithTheStateWhereARouteIsEmpty) {
    using namespace language;
    const Rules rules{keep(Arrangement::per_server), language::route(where(local, length < tasks(2))),
                      language::serve(own)};
    InstanceData data;
    data.name = "one";
    data.levels = {{"local", Rational(1)}, {"remote", Rational(Integer(1), Integer(2))}};
    data.servers = {{"s0", {}}};
    data.types = {{"A", {ServerId(0)}}};
    const std::vector<Rational> rates{Rational(Integer(1), Integer(2))};
    data.arrivals = ArrivalLaw::bernoulli(rates);
    const Instance instance(std::move(data));
    const ExactSystem system(instance, AnyPolicy({"full", "test", "test"}, rules));
    ExactState state = system.initial();
    EXPECT_EQ(system.moves(state).size(), 2U);
    state.length[0] = CheckedInt(2);
    try {
        static_cast<void>(system.moves(state));
        FAIL() << "a task with no queue to join";
    } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("leaves a task of type 'A' none at Q = (2)"), std::string::npos)
            << error.what();
    }
}

TEST(GeneratedPolicies, PrintAsTheTextThatMakesThem) {
    using namespace language;
    const Rules rules{keep(Arrangement::per_server),
                      language::route(when(greatest(servers, length) - least(servers, length) > tasks(64) &&
                                               2 * greatest(servers, length) > 3 * least(servers, length),
                                           argmin(servers, length), argmin(local, length))),
                      language::serve(mix(Ratio(1, 3), own,
                                          first_of(where(reachable, rate * length >= local_rate * tasks(2)), own)))};
    EXPECT_EQ(
        to_string(rules),
        "keep(Arrangement::per_server), route(when(tasks(64) < greatest(servers, length) - least(servers, length) "
        "&& 3 * least(servers, length) < 2 * greatest(servers, length), argmin(servers, length), argmin(local, "
        "length))), serve(mix(Ratio(1, 3), own, first_of(where(reachable, local_rate * tasks(2) <= rate * "
        "length), own)))");
}

}  // namespace
}  // namespace schedproof::queueing
