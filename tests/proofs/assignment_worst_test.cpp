/// The adversary: exact suprema against known ratios and against random problems of the shape, two kinds of competitor
/// against each other, grids, and ratios that are claimed too small.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <functional>
#include <set>

#include "policies/assignment/registry.hpp"
#include "proofs/assignment/least_makespan.hpp"
#include "proofs/assignment/theorems/competitors.hpp"
#include "proofs/assignment/theorems/shape_range.hpp"
#include "proofs/assignment/theorems/symbolic_shape.hpp"
#include "proofs/assignment/worst.hpp"
#include "proofs/certifier/binding.hpp"
#include "tests/proofs/assignment_generators.hpp"

namespace schedproof::assignment {
namespace {

using namespace testing_support;

SystemUnderTest registered(const std::string& name, Counted counted = Counted::events) {
    return registered_system(name, Rational(3), counted);
}

/// Every task to the core where it ends first by then, ties to the first core.
struct Greedy {
    template <Number N>
    ScheduleResult<N> operator()(const Problem<N>& p) const {
        ScheduleResult<N> outcome;
        std::vector<N> load = p.initial;
        std::vector<std::size_t> remote(p.shape->servers().size(), 0);
        for (const TaskId t : p.shape->tasks()) {
            std::optional<std::pair<CoreId, N>> best;
            for (const CoreId c : p.shape->cores()) {
                const ServerId s = p.shape->server_of(c);
                const N end = load[c.index()] + (p.shape->is_local(t, s) ? p.local : p.cost(s)(remote[s.index()] + 1));
                if (!best || end < best->second) best.emplace(c, end);
            }
            const ServerId s = p.shape->server_of(best->first);
            if (!p.shape->is_local(t, s)) ++remote[s.index()];
            load[best->first.index()] = best->second;
            outcome.assignment.push_back(best->first);
        }
        return outcome;
    }
};

Costs table(const std::vector<std::vector<const char*>>& functions) {
    Costs costs;
    for (const auto& values : functions) {
        std::vector<Rational> of_server;
        for (const char* value : values) of_server.push_back(q(value));
        costs.functions.emplace_back(std::move(of_server));
    }
    return costs;
}
/// 1 + n/2.
Costs half() {
    Costs costs;
    costs.functions = {CostFunction<Rational>({q("3/2")}, q("1/2"))};
    return costs;
}
Costs symbolic(Costs::Kind kind) {
    Costs costs;
    costs.kind = kind;
    return costs;
}

RatioSpace over(const char* shape, Costs costs) { return {parse_family(shape).shape, std::move(costs)}; }

struct Expected {
    const char *policy, *shape;
    Costs costs;
    std::optional<const char*> ratio;  ///< none: unbounded
    bool attained;
};

TEST(Worst, ExactSuprema) {
    const std::vector<Expected> table{
        // One core each, blocks where tasks wait: one policy that never errs here, one that waits too long.
        {"dyndloff", "1,1:0/0", symbolic(Costs::Kind::common), "1", true},
        {"delay", "1,1:0/1", half(), "11/5", true},
        {"hadoop", "1,1:0/1", symbolic(Costs::Kind::by_server), std::nullopt, false},
        {"hadoop", "1,1:0/1", half(), "5/4", false},
        // Worse than another pair of tasks on these cores, 5/4.
        {"dyndloff", "2,1:0/1", half(), "4/3", true},
        {"dyndloff", "1,1,1:01/2", symbolic(Costs::Kind::common), "3/2", true},
    };
    for (const Expected& e : table) {
        const SystemUnderTest policy = registered(e.policy);
        for (const Competitor competitor : {Competitor::enumerated, Competitor::free}) {
            const Worst worst = worst_over_loads(policy, e.shape, e.costs, competitor);
            const std::string what = std::string(e.policy) + " on " + e.shape;
            EXPECT_EQ(worst.proved, Worst::Proved::supremum) << what;
            EXPECT_EQ(worst.ratio, e.ratio ? std::optional(q(*e.ratio)) : std::nullopt) << what;
            EXPECT_EQ(worst.attained, e.attained) << what;
            ASSERT_TRUE(worst.witness) << what;
            const Rational measured = worst.witness->ratio();
            EXPECT_GE(measured, e.ratio ? q(*e.ratio) * q("0.999") : q("1000")) << what;
            if (e.attained) {
                EXPECT_EQ(measured, q(*e.ratio)) << what;
            }
            EXPECT_EQ(evaluate(worst.witness->problem, worst.witness->optimal).makespan, worst.witness->optimum);
        }
    }
}

/// Twice the optimum, DynDLOff's proved bound, is the supremum already for two tasks on three single cores.
TEST(Worst, TwiceTheOptimumIsApproached) {
    const Worst worst =
        worst_over_loads(registered("dyndloff"), "1,1,1:01/2", symbolic(Costs::Kind::by_server), Competitor::free);
    EXPECT_EQ(worst.proved, Worst::Proved::supremum);
    EXPECT_EQ(worst.ratio, Rational(2));
    EXPECT_FALSE(worst.attained);
    // The family behind it: a flexible task prefers by a little the core that the remote one needs.
    const auto near = problem({{"1/302"}, {"0"}, {"301/302"}}, {{0, 1}, {2}}, {{"2"}, {"303/302"}, {"2"}});
    EXPECT_EQ(measure(registered("dyndloff"), near).ratio(), q("201/101"));
}

/// The family with one cost function for all servers: k cores that are free at k, one that is free at once, k tasks
/// with blocks on both, and one task at home where the load is 2k. Remote tasks cost k + 1. The optimum is k + 1: the
/// last task is remote on the free core, for at home it ends at 2k + 1. DynDLOff gives all k tasks to the free core,
/// where they end by k, before any position of the others, and then has no place for the last task that ends before 2k
/// + 1.
Problem<Rational> tight(std::size_t k) {
    Problem<Rational> p;
    Replicas replicas;
    for (std::size_t t = 0; t < k; ++t) replicas.add(std::vector{ServerId(0), ServerId(1)});
    replicas.add(std::vector{ServerId(2)});
    p.initial.assign(k, Rational(k));
    p.initial.emplace_back(0);
    p.initial.emplace_back(2 * k);
    p.costs = {CostFunction<Rational>({Rational(k + 1)})};
    p.shape = std::make_shared<const Shape>(std::vector<std::uint32_t>{static_cast<std::uint32_t>(k), 1, 1}, replicas);
    return p;
}

TEST(Worst, TightFamily) {
    const SystemUnderTest dyndloff = registered("dyndloff");
    for (std::size_t k = 1; k <= 5; ++k)
        EXPECT_EQ(measure(dyndloff, tight(k)).ratio(), Rational(Integer(2 * k + 1), Integer(k + 1))) << k;
    // Too large for divisions: the optimum is attained below, and no remote task costs less.
    const Problem<Rational> large = tight(100);
    Assignment best;
    for (std::size_t t = 0; t <= 100; ++t) best.emplace_back(t);
    EXPECT_EQ(evaluate(large, best).makespan, Rational(101));
    EXPECT_EQ(evaluate(large, dyndloff.exact(large).assignment).makespan, Rational(201));
}

/// Max-min as printed: worse than the witness's 8/7 on its shape and costs, where the exact placement is optimal.
TEST(Worst, PrintedPlacementOnAGrid) {
    const std::vector<std::shared_ptr<const Shape>> shape{parse_family("1,2,1:0/0/0").shape};
    const Grid grid{{q("0"), q("3/2"), q("7/2"), q("11")}, {table({{"2"}, {"3/2", "3/2", "4"}, {"2"}})}, 256, {}};
    const Worst printed = worst_on_grid(registered("dyndloff:max-min"), shape, grid);
    EXPECT_EQ(printed.proved, Worst::Proved::grid);
    EXPECT_EQ(printed.ratio, q("16/11"));
    EXPECT_EQ(printed.cases, 256U);
    EXPECT_LT(printed.programs, 256U);  // bounds spare some optima
    EXPECT_EQ(worst_on_grid(registered("dyndloff"), shape, grid).ratio, Rational(1));
    const auto witness = problem({{"9"}, {"0", "2"}, {"5"}}, {{0}, {0}, {0}}, {{"2"}, {"3/2", "3/2", "4"}, {"2"}});
    EXPECT_EQ(measure(registered("dyndloff:max-min"), witness).ratio(), q("8/7"));
    const auto two = problem({{"1", "1/2"}, {"4"}}, {{0}, {1}}, {{"3/2", "2"}});
    EXPECT_EQ(measure(registered("dyndloff"), two).ratio(), q("5/4"));
}

/// A grid with all its problems, none of them skipped, has the same largest ratio.
TEST(Worst, GridLooksAtEveryProblem) {
    ShapeRange range = parse_shape_range("servers=2 cores=1 tasks=2");
    const auto all = shapes(range);
    const Grid grid{{q("0"), q("1/2"), q("1"), q("3")}, {half(), table({{"2"}, {"5/4"}})}, 1000, {}};
    const SystemUnderTest greedy = system_under_test("greedy", Counted::map, Greedy{});
    const Worst worst = worst_on_grid(greedy, all, grid);
    EXPECT_EQ(worst.cases, all.size() * 16 * 2);
    Rational largest;
    for (const auto& shape : all)
        for (const Costs& costs : grid.costs)
            for (const Rational& a : grid.loads)
                for (const Rational& b : grid.loads) {
                    Problem<Rational> p;
                    p.shape = shape;
                    p.initial = {a, b};
                    p.costs = costs.functions;
                    if (p.costs.size() > 1) p.cost_of = {0, 1};
                    largest = std::max(largest,
                                       *evaluate(p, greedy.exact(p).assignment).makespan / *optimum_by_maps(p).value);
                }
    EXPECT_EQ(worst.ratio, largest);
    Grid too_large = grid;
    too_large.limit = 10;
    EXPECT_THROW((void)worst_on_grid(greedy, all, too_large), LimitExceeded);
}

/// No problem of the shape exceeds the supremum, whoever found it.
TEST(Worst, NoProblemExceedsTheSupremum) {
    const SystemUnderTest greedy = system_under_test("greedy", Counted::map, Greedy{});
    const RatioSpace space = over("1,1:0/01/1", half());
    const Worst worst = worst_over_loads(greedy, "1,1:0/01/1", half(), Competitor::enumerated);
    ASSERT_EQ(worst.proved, Worst::Proved::supremum);
    ASSERT_TRUE(worst.ratio);
    EXPECT_EQ(worst_over_loads(greedy, "1,1:0/01/1", half(), Competitor::free).ratio, worst.ratio);
    EXPECT_TRUE(rc::check("below the supremum", [&] {
        const std::vector<Rational> point{quarters(*rc::gen::inRange(0, 40)), quarters(*rc::gen::inRange(0, 40)),
                                          quarters(*rc::gen::inRange(1, 8))};
        RC_ASSERT(measure(greedy, space.at(point)).ratio() <= *worst.ratio);
    }));
}

/// A claimed ratio is proved when it is the supremum, by a proof that binds the code, and refuted when it is smaller.
TEST(Worst, ClaimedRatios) {
    const SystemUnderTest dyndloff = registered("dyndloff");
    WorstTheorem theorem;
    theorem.shapes = "1,1,1:01/2";
    theorem.costs = symbolic(Costs::Kind::common);
    theorem.ratio = q("3/2");
    const RatioProof proved = prove_ratio(dyndloff, theorem);
    EXPECT_EQ(proved.ended, "");
    ASSERT_FALSE(proved.counterexample);
    EXPECT_EQ(certify::rejection(questions(dyndloff, theorem), proved.proofs), "");
    theorem.ratio = q("149/100");
    const RatioProof refuted = prove_ratio(dyndloff, theorem);
    ASSERT_TRUE(refuted.counterexample);
    EXPECT_GT(measure(dyndloff, *refuted.counterexample).ratio(), q("149/100"));
}

/// The certificate that belongs to a search, before it is checked.
WorstCertificate certificate_of(const std::string& policy, const std::string& shapes, const Costs& costs, Worst worst) {
    WorstCertificate certificate{policy, {}, std::move(worst.proofs)};
    certificate.theorem.shapes = shapes;
    certificate.theorem.costs = costs;
    certificate.theorem.wait = wait_of(make_policy(policy));
    certificate.theorem.counted = make_policy(policy).is_online() ? Counted::events : Counted::map;
    certificate.theorem.ratio = worst.ratio;
    certificate.theorem.approach = worst.approach;
    return certificate;
}
WorstCertificate certificate_of(const std::string& policy, const std::string& shapes, const Costs& costs) {
    return certificate_of(policy, shapes, costs,
                          worst_over_loads(registered(policy), shapes, costs, Competitor::automatic));
}

/// Two tasks of hadoop on two single cores: which of them comes first decides the ratio, and a range has both orders.
TEST(Worst, ARangeCoversEveryOrder) {
    Costs one_more;
    one_more.functions = {CostFunction<Rational>({q("2")}, q("1"))};
    const SystemUnderTest hadoop = registered("hadoop");
    const auto of = [&](const std::string& shape) {
        return worst_over_loads(hadoop, shape, one_more, Competitor::enumerated).ratio;
    };
    EXPECT_NE(of("1,1:0/01"), of("1,1:01/0"));
    std::optional<Rational> largest;
    for (const auto& shape : shapes_of("servers=2 cores=1 tasks=2")) largest = std::max(largest, of(name(*shape)));
    const Worst range = worst_over_loads(hadoop, "servers=2 cores=1 tasks=2", one_more, Competitor::enumerated);
    EXPECT_EQ(range.ratio, largest);
    EXPECT_EQ(range.ratio, Rational(2));
    EXPECT_EQ(rejection(certificate_of("hadoop", "servers=2 cores=1 tasks=2", one_more, range)), "");
}

TEST(WorstCertificates, OfEveryKindAreAccepted) {
    for (const WorstCertificate& certificate : {
             certificate_of("dyndloff", "1,1,1:01/2", symbolic(Costs::Kind::common)),     // attained
             certificate_of("hadoop", "1,1:0/1", half()),                                 // approached
             certificate_of("dyndloff", "1,1,1:01/2", symbolic(Costs::Kind::by_server)),  // approached, far off
             certificate_of("hadoop", "1,1:0/1", symbolic(Costs::Kind::by_server)),       // unbounded
         }) {
        EXPECT_EQ(rejection(certificate), "") << sentence(certificate);
        ASSERT_TRUE(certificate.theorem.approach);
    }
}

/// What the approach and the bound say holds each other in place: no other number in their places is accepted unless
/// its inequalities hold.
TEST(WorstCertificates, OtherTheoremsAreRejected) {
    const WorstCertificate attained = certificate_of("dyndloff", "1,1,1:01/2", symbolic(Costs::Kind::common)),
                           approached = certificate_of("hadoop", "1,1:0/1", half());
    const auto altered = [](const WorstCertificate& from, const std::function<void(WorstCertificate&)>& change) {
        WorstCertificate other = from;
        change(other);
        return rejection(other);
    };
    for (const WorstCertificate& from : {attained, approached}) {
        EXPECT_EQ(rejection(from), "");
        for (const char* ratio : {"1", "6/5", "7/4", "5"})
            EXPECT_NE(altered(from, [&](WorstCertificate& c) { c.theorem.ratio = q(ratio); }), "") << ratio;
        EXPECT_NE(altered(from, [](WorstCertificate& c) { c.theorem.ratio.reset(); }), "");
        EXPECT_NE(altered(from, [](WorstCertificate& c) { c.theorem.approach->far = true; }), "");
        EXPECT_NE(altered(from, [](WorstCertificate& c) { c.theorem.approach->from.pop_back(); }), "");
        EXPECT_NE(altered(from, [](WorstCertificate& c) { c.theorem.approach->competitor.pop_back(); }), "");
        EXPECT_NE(altered(from, [](WorstCertificate& c) { c.theorem.approach->competitor[0] = CoreId(99); }), "");
        EXPECT_NE(altered(from, [](WorstCertificate& c) { c.theorem.approach->shape = "1,1:0/0"; }), "");
        EXPECT_NE(altered(from,
                          [](WorstCertificate& c) {
                              c.theorem.costs = half(),
                              c.theorem.costs.functions[0] = CostFunction<Rational>({Rational(9)});
                          }),
                  "");
        EXPECT_NE(altered(from, [](WorstCertificate& c) { c.theorem.wait = Rational(3); }), "");
        EXPECT_NE(altered(from, [](WorstCertificate& c) { c.proofs.clear(); }), "");
        EXPECT_NE(altered(from, [](WorstCertificate& c) { c.policy = "list"; }), "");
        // Every load, cost and direction: the ratio at the end of the line is another, or the line leaves the problems.
        for (std::size_t x = 0; x < from.theorem.approach->from.size(); ++x) {
            const auto with = [&](const Rational& change) {
                WorstCertificate other = from;
                other.theorem.approach->from[x] += change;
                const RatioSpace space(parse_family(other.theorem.approach->shape).shape, other.theorem.costs);
                std::string wrong = rejection(other);
                if (wrong.empty() && other.theorem.attained()) {
                    EXPECT_EQ(measure(registered(other.policy), space.at(other.theorem.approach->from)).ratio(),
                              *other.theorem.ratio);
                }
                return wrong;
            };
            (void)with(q("1/7"));
            EXPECT_NE(with(-from.theorem.approach->from[x] - q("1/7")), "") << "a negative " << x;
        }
    }
    // A ratio that is approached is not called attained: equality must be forbidden too.
    EXPECT_NE(altered(approached, [](WorstCertificate& c) { c.theorem.approach.reset(); }), "");
}

/// A mutant: the greedy policy's cores, given to the tasks in the opposite order.
struct Backwards {
    template <Number N>
    ScheduleResult<N> operator()(const Problem<N>& p) const {
        ScheduleResult<N> outcome = Greedy{}(p);
        std::reverse(outcome.assignment.begin(), outcome.assignment.end());
        return outcome;
    }
};

/// The same theorem of a mutant is not proved by the certificate.
TEST(WorstCertificates, AreNotThoseOfAMutant) {
    const SystemUnderTest greedy = system_under_test("greedy", Counted::map, Greedy{}),
                          mutant = system_under_test("greedy", Counted::map, Backwards{});
    const Worst worst = worst_over_loads(greedy, "1,1:0/1", half(), Competitor::enumerated);
    WorstTheorem theorem;
    theorem.shapes = "1,1:0/1";
    theorem.costs = half();
    theorem.ratio = worst.ratio;
    theorem.approach = worst.approach;
    ASSERT_EQ(worst.proved, Worst::Proved::supremum);
    EXPECT_EQ(certify::rejection(questions(greedy, theorem), worst.proofs), "");
    EXPECT_EQ(approach_rejection(greedy, theorem), "");
    EXPECT_NE(certify::rejection(questions(mutant, theorem), worst.proofs), "");
    EXPECT_NE(approach_rejection(mutant, theorem), "");
}

/// Greedy, but for one order of two tasks: then both go to the first core. It passes on every other order.
struct FailsInOneOrder {
    template <Number N>
    ScheduleResult<N> operator()(const Problem<N>& p) const {
        ScheduleResult<N> outcome = Greedy{}(p);
        const Shape& shape = *p.shape;
        if (shape.tasks().size() == 2 && shape.replicas(TaskId(0))[0] == ServerId(1) &&
            shape.replicas(TaskId(1))[0] == ServerId(0))
            outcome.assignment.assign(2, CoreId(0));
        return outcome;
    }
};

TEST(Worst, APolicyThatFailsInOneOrderIsCaught) {
    const SystemUnderTest policy = system_under_test("fails-in-one-order", Counted::map, FailsInOneOrder{});
    const auto ratio = [&](const char* shapes) {
        return worst_over_loads(policy, shapes, half(), Competitor::enumerated).ratio;
    };
    EXPECT_TRUE(ratio("1,1:0/1"));
    EXPECT_EQ(ratio("1,1:1/0"), std::nullopt);
    EXPECT_EQ(ratio("servers=2 cores=1 tasks=2 replicas=1"), std::nullopt);
}

/// A policy that compares with an absolute time is no matter of ratios over all scales.
TEST(Worst, RefusesAbsoluteTimes) {
    const auto absolute = [](const auto& p) {
        ScheduleResult<std::decay_t<decltype(p.local)>> outcome;
        outcome.assignment.assign(p.shape->tasks().size(), CoreId(p.load(CoreId(0)) > 3 ? 1 : 0));
        return outcome;
    };
    EXPECT_THROW((void)worst_over_loads(system_under_test("absolute", Counted::map, absolute), "1,1:0", half(),
                                        Competitor::enumerated),
                 OracleConflict);
}

TEST(Worst, ABudgetLeavesALowerBound) {
    explore::Budget few;
    few.paths = 20;
    for (const Competitor competitor : {Competitor::enumerated, Competitor::free}) {
        const Worst worst = worst_over_loads(registered("dyndloff"), "2,1:0/1", half(), competitor, few);
        EXPECT_EQ(worst.proved, Worst::Proved::lower_bound);
        EXPECT_NE(worst.ended, "");
        ASSERT_TRUE(worst.ratio);
        EXPECT_LE(*worst.ratio, q("4/3"));
    }
}

/// The competitors kept are enough: no map beats all of them, whatever loads and costs.
RC_GTEST_PROP(Competitors, IncludeAnOptimum, ()) {
    const auto p = *small_problem({3, 2, 4});
    RC_PRE(p.shape->tasks().size() > 0);
    RC_LOG(text(p));
    std::optional<Rational> best;
    for (const Assignment& map : competitors(*p.shape))
        best = best ? std::min(*best, *evaluate(p, map).makespan) : *evaluate(p, map).makespan;
    RC_ASSERT(best == optimum_by_maps(p).value);
}

TEST(Shapes, InEveryOrder) {
    const auto two = shapes(parse_shape_range("servers=2 cores=1 tasks=2"));
    std::set<std::string> names;
    for (const auto& shape : two) names.insert(name(*shape));
    EXPECT_EQ(names, (std::set<std::string>{"1,1:0/0", "1,1:0/1", "1,1:1/0", "1,1:1/1", "1,1:0/01", "1,1:01/0",
                                            "1,1:1/01", "1,1:01/1", "1,1:01/01"}));
    EXPECT_EQ(two.size(), names.size());
    EXPECT_EQ(shapes(parse_shape_range("cores=1..2 servers=2 tasks=1 replicas=1")).size(), 8U);
    EXPECT_THROW((void)shapes(parse_shape_range("servers=2 cores=1 tasks=2"), 8), LimitExceeded);
    for (const char* range : {"servers=2 cores=1 tasks=2", "servers=1..2 cores=1..3 tasks=1..2 replicas=1..2"})
        EXPECT_EQ(name(parse_shape_range(range)), range);
    EXPECT_EQ(name(parse_shape_range("tasks=2 replicas=1..8  cores=1 servers=2")), "servers=2 cores=1 tasks=2");
    for (const char* bad : {"servers=2 cores=1", "server=2 cores=1 tasks=1", "servers=0 cores=1 tasks=1", "tasks",
                            "servers=2 cores=2..1 tasks=1", "servers=2 cores=1 tasks=1 tasks=2"})
        EXPECT_THROW((void)parse_shape_range(bad), InputError) << bad;
}

/// Renaming servers and tasks of a problem in the range leads to a shape that is there: no order is left out.
RC_GTEST_PROP(Shapes, ContainEveryRenamedProblem, ()) {
    static const auto all = shapes(parse_shape_range("servers=1..3 cores=1..2 tasks=1..3"));
    const auto p = *small_problem({3, 2, 3});
    RC_PRE(p.shape->tasks().size() > 0);
    const std::size_t servers = p.shape->servers().size(), tasks = p.shape->tasks().size();
    const auto permuted = [](std::size_t n) {
        std::vector<std::size_t> order(n);
        for (std::size_t i = 0; i < n; ++i) order[i] = i;
        for (std::size_t i = n; i > 1; --i) std::swap(order[i - 1], order[*rc::gen::inRange<std::size_t>(0, i)]);
        return order;
    };
    const std::vector<std::size_t> server = permuted(servers), task = permuted(tasks);
    std::vector<std::uint32_t> cores(servers);
    for (const ServerId s : p.shape->servers())
        cores[server[s.index()]] = static_cast<std::uint32_t>(p.shape->cores_of(s));
    Replicas replicas;
    for (const std::size_t t : task) {
        std::vector<ServerId> holders;
        for (const ServerId s : p.shape->replicas(TaskId(t))) holders.emplace_back(server[s.index()]);
        std::sort(holders.begin(), holders.end());
        replicas.add(holders);
    }
    const Shape renamed(cores, replicas);
    RC_ASSERT(std::any_of(all.begin(), all.end(), [&](const auto& shape) { return *shape == renamed; }));
}

TEST(WorstSentences, NameEveryParameter) {
    WorstCertificate certificate{"delay", {}, {}};
    WorstTheorem& theorem = certificate.theorem;
    theorem.shapes = "1,1:0/1";
    theorem.costs = half();
    theorem.ratio = Rational(2);
    std::set<std::string> sentences;
    for (const char* wait : {"0", "1/2", "3"})
        for (const Counted counted : {Counted::events, Counted::map}) {
            theorem.wait = q(wait);
            theorem.counted = counted;
            sentences.insert(sentence(certificate));
        }
    EXPECT_EQ(sentences.size(), 6U);
    theorem.wait = Rational(3);
    theorem.counted = Counted::events;
    EXPECT_EQ(sentence(certificate),
              "the makespan of the event loop of delay (W = 3, pick lowest) is at most 2 times the least, for all "
              "initial loads: "
              "servers with 1, 1 cores, tasks with replicas on {0}, {1}; remote tasks that cost 1 + 1/2 n.");
    theorem.costs = symbolic(Costs::Kind::common);
    EXPECT_NE(sentence(certificate).find("the same on all servers"), std::string::npos);
    theorem.shapes = "servers=2 cores=1 tasks=2";
    EXPECT_NE(sentence(certificate)
                  .find("all 9 shapes of servers=2 cores=1 tasks=2, in every order of servers and "
                        "tasks, replicas in the order of the servers"),
              std::string::npos);
}

}  // namespace
}  // namespace schedproof::assignment
