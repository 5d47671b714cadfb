/// Theorems about families of loads: known bounds, the facts replayed at states and slacks in between by exact
/// enumeration, bounds against means of the chain, and certificates that are altered.
///
/// Long: the alterations are of the theorems that the tests before them prove.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <map>

#include "model/core/errors.hpp"
#include "model/queueing/codec/codec.hpp"
#include "model/queueing/load.hpp"
#include "policies/queueing/exact.hpp"
#include "policies/queueing/registry.hpp"
#include "proofs/explore/ask.hpp"
#include "proofs/queueing/drift/closed_set_search.hpp"
#include "proofs/queueing/heavy_traffic/lower_search.hpp"
#include "proofs/queueing/heavy_traffic/ray_search.hpp"
#include "proofs/queueing/heavy_traffic/upper_search.hpp"
#include "proofs/queueing/theorems/lyapunov.hpp"
#include "proofs/queueing/theorems/theorem.hpp"
#include "tests/support/instances.hpp"

namespace schedproof::queueing {
namespace {

using heavy_traffic::best_lower;
using heavy_traffic::best_upper;
using heavy_traffic::UpperProof;
using heavy_traffic::UpperUnknown;
using testing_support::q;

using InstancePtr = std::shared_ptr<const Instance>;

InstancePtr family(const std::string& name) {
    return std::make_shared<const Instance>(
        read_instance(SCHEDPROOF_SOURCE_DIR "/experiments/instances/slack-" + name + ".toml"));
}

Certificate bound_of(const InstancePtr& instance, const std::string& policy) {
    const SymbolicSystem system(*instance, make_policy(policy, *instance, no_planner));
    const heavy_traffic::SlackCells cells(system, {});
    auto outcome = best_upper(cells, heavy_traffic::boundary_prices(*instance));
    if (const auto* unknown = std::get_if<UpperUnknown>(&outcome))
        throw std::runtime_error(unknown->fact + ": " + unknown->reason + " " + unknown->cell);
    auto& proof = std::get<UpperProof>(outcome);
    Certificate certificate{instance, policy, std::move(proof.theorem), {}};
    for (const proof::ExploredProof& one : proof.proofs) certificate.proofs.push_back(canonical(one));
    return certificate;
}
const HeavyUpperTheorem& theorem_of(const Certificate& certificate) {
    return std::get<HeavyUpperTheorem>(certificate.theorem);
}

struct KnownBound {
    const char* family;
    const char* policy;
    const char* at_most;  ///< at slack 1/100
};

class HeavyTrafficBounds : public ::testing::TestWithParam<KnownBound> {};

Rational to_the(const Rational& base, std::int64_t exponent) {
    Rational power(1);
    for (std::int64_t i = 0; i < std::abs(exponent); ++i) power = exponent > 0 ? power * base : power / base;
    return power;
}

/// A state of the closed set: lengths of any scale, at least the tasks in execution, none where none can be.
ExactState random_state(const ClosedSet& closed, std::size_t queues) {
    ExactState state;
    std::vector<std::int64_t> least(queues, 0);
    for (const auto& own : closed.statuses) {
        state.serving.push_back(own[*rc::gen::inRange<std::size_t>(0, own.size())]);
        if (state.serving.back().status == Service::Status::busy) ++least[state.serving.back().queue.index()];
    }
    for (std::size_t i = 0; i < queues; ++i) {
        const bool empty = std::binary_search(closed.empty.begin(), closed.empty.end(), QueueId(i));
        const std::int64_t scale = *rc::gen::element<std::int64_t>(2, 5, 12, 300);
        state.length.emplace_back(empty ? 0 : least[i] + *rc::gen::inRange<std::int64_t>(0, scale));
    }
    return state;
}

/// The facts of a theorem at one state and one slack, by enumeration of the slot. Names the fact that fails.
std::string failing_fact(const HeavyUpperTheorem& theorem, const Instance& family, const AnyPolicy& policy,
                         const ExactState& state, const Rational& eps) {
    const Instance instance = at_slack(family, eps);
    const ExactSystem exact(instance, policy);
    const Rational sigma = value_slack(instance, theorem.prices), share = eps / family.slack().up_to;
    Rational charged = sigma, loss = sigma, squares, correction, rest, starving, mixed;
    const auto starves = [&](const ExactState& at) {
        Rational sum;
        for (const auto& [i, per_task] : theorem.starving.terms()) sum += per_task * Rational(at.length[i].value());
        return sum;
    };
    const CollapseTheorem& collapse = theorem.collapse;
    const auto exponent = [](const LyapunovForm& form, const ExactState& at) {
        return static_cast<std::int64_t>(value(form, at).numerator());
    };
    // Far from zero the exponentials are compared by their ratio to the largest.
    std::int64_t largest = 0;
    for (const CollapseForm& form : collapse.forms) largest = std::max(largest, exponent(form.form, state));
    const auto f = [&](const ExactState& at) {
        Rational sum;
        for (const CollapseForm& form : collapse.forms)
            sum += to_the(collapse.base, std::max<std::int64_t>(exponent(form.form, at) - largest, -400));
        return sum;
    };
    Rational mean;
    for (const auto& [next, p] : exact.kernel(state)) {
        for (const QueueId empty : collapse.closed.empty)
            if (next.length[empty.index()].value() != 0) return "closed set";
        for (std::size_t m = 0; m < next.serving.size(); ++m) {
            const auto& own = collapse.closed.statuses[m];
            if (std::find(own.begin(), own.end(), next.serving[m]) == own.end()) return "statuses";
        }
        const Rational change = value(theorem.h, next) - value(theorem.h, state);
        charged += p * change;
        loss += p * (value(theorem.h0, next) - value(theorem.h0, state));
        if (theorem.tasks && theorem.tasks->rest)
            rest += p * (value(theorem.tasks->rest->g, next) - value(theorem.tasks->rest->g, state));
        squares += p * change * change;
        starving += p * (starves(next) - starves(state));
        mixed += p * change * (starves(next) - starves(state));
        correction += p * (value(theorem.k, next) - value(theorem.k, state));
        mean += p * f(next);
    }
    if (loss.sign() < 0 || loss > theorem.largest_loss) return "U";
    std::optional<std::int64_t> form;
    for (const CollapseForm& one : collapse.forms)
        form = std::max(form.value_or(exponent(one.form, state)), exponent(one.form, state));
    const Rational c = theorem.constant[0] + share * (theorem.constant[1] - theorem.constant[0]);
    if ((charged + starving) * value(theorem.h, state) + charged * starves(state) + mixed + squares / Rational(2) +
            correction >
        c + theorem.with_loss * loss + theorem.with_slack * sigma + theorem.spread * loss * Rational(form.value_or(0)))
        return "B";
    // Each exponential that is cut off above counts at most q^-400 of the largest.
    const Rational tiny = Rational(Integer(collapse.forms.size())) * to_the(collapse.base, -300);
    if (form &&
        mean > (Rational(1) - collapse.rate) * f(state) + collapse.bound * to_the(collapse.base, -largest) + tiny)
        return "F";
    Rational tasks;
    for (const auto& length : state.length) tasks += Rational(length.value());
    if (theorem.tasks && theorem.tasks->rest) {
        Rational r;
        for (const auto& [i, per_task] : theorem.tasks->rest->tasks.terms())
            r += per_task * Rational(state.length[i].value());
        if (r + rest > theorem.tasks->rest->bound) return "Q";
        tasks -= r;
    }
    if (theorem.tasks && tasks > theorem.tasks->factor * value(theorem.h, state) + theorem.tasks->constant +
                                     theorem.tasks->spread * Rational(form.value_or(0)))
        return "T";
    return "";
}

TEST_P(HeavyTrafficBounds, AreProvedAndReplayedBetweenTheEnds) {
    const KnownBound known = GetParam();
    const InstancePtr instance = family(known.family);
    const Certificate certificate = bound_of(instance, known.policy);
    ASSERT_EQ(rejection(certificate), "");
    const HeavyUpperTheorem& theorem = theorem_of(certificate);
    const Rational at = q("1/100");
    EXPECT_LE(theorem.workload_at_most(*instance, at), q(known.at_most));
    const HeavyLowerTheorem lower = best_lower(*instance);
    EXPECT_EQ(theorem.constant[0], lower.constant[0]) << "the same limit on both sides";
    const AnyPolicy policy = make_policy(known.policy, *instance, no_planner);
    const std::size_t queues = policy.layout(*instance).queues();
    EXPECT_TRUE(rc::check("the facts hold at every slack between the ends", [&] {
        const Rational eps = instance->slack().up_to * Rational(Integer(*rc::gen::inRange(0, 13)), Integer(12));
        RC_ASSERT(failing_fact(theorem, *instance, policy, random_state(theorem.collapse.closed, queues), eps) == "");
    }));
    // The replay notices a theorem that says too much.
    HeavyUpperTheorem strong = theorem;
    strong.constant[0] -= q("1/20");
    strong.constant[1] -= q("1/20");
    std::size_t noticed = 0;
    (void)rc::check("", [&] {
        if (failing_fact(strong, *instance, policy, random_state(theorem.collapse.closed, queues), Rational(0)) == "B")
            ++noticed;
    });
    EXPECT_GT(noticed, 0U);
}

INSTANTIATE_TEST_SUITE_P(Known, HeavyTrafficBounds,
                         ::testing::Values(KnownBound{"one-type", "wang-jsq-maxweight", "32"},
                                           KnownBound{"one-type", "jsq-maxweight", "167/10"},
                                           KnownBound{"shared", "join-shortest-queue", "43"},
                                           KnownBound{"shared", "jsq-maxweight", "56"},
                                           KnownBound{"two-levels", "balanced-pandas", "90"},
                                           KnownBound{"two-levels", "pandas", "46"},
                                           KnownBound{"two-levels", "jsq-maxweight", "88"},
                                           KnownBound{"three-shared", "join-shortest-queue", "115"}));

TEST(HeavyTrafficTheorems, TasksMayBeAMultipleOfTheWorkload) {
    // On the ray Q_1 = Q_0 / 4: (1 + 1/4) / (1 + 1/16), the factor by which the limit is above the bound at least.
    const Certificate right = bound_of(family("two-levels"), "jsq-maxweight");
    ASSERT_EQ(rejection(right), "");
    const HeavyUpperTheorem& theorem = theorem_of(right);
    ASSERT_TRUE(theorem.tasks.has_value());
    EXPECT_EQ(theorem.tasks->factor, q("20/17"));
    EXPECT_FALSE(theorem.reaches(theorem.constant[0]));
    for (const Rational& factor : {q("20/17") - q("1/1000"), Rational(-1)}) {
        Certificate wrong = right;
        std::get<HeavyUpperTheorem>(wrong.theorem).tasks->factor = factor;
        EXPECT_NE(rejection(wrong), "");
    }
}

TEST(HeavyTrafficTheorems, PandasPaysForWhatAServiceMakesAnotherServerLose) {
    // A server whose only task is being served by the other idles, whatever waits there.
    const InstancePtr instance = family("two-levels");
    const Certificate right = bound_of(instance, "pandas");
    ASSERT_EQ(rejection(right), "");
    const HeavyUpperTheorem& theorem = theorem_of(right);
    EXPECT_NE(theorem.h.pieces, theorem.h0.pieces);
    ASSERT_TRUE(theorem.tasks && theorem.tasks->rest);
    EXPECT_EQ(theorem.constant[0], best_lower(*instance).constant[0]);
    // Simulated: 6.17 at slack 1/20, 21.6 at 1/100.
    EXPECT_GE(theorem.tasks_at_most(*instance, q("1/20")), q("61/10"));
    EXPECT_LE(theorem.tasks_at_most(*instance, q("1/20")), q("30"));
    const auto reason = [&](const std::function<void(HeavyUpperTheorem&)>& change) {
        Certificate wrong = right;
        change(std::get<HeavyUpperTheorem>(wrong.theorem));
        return rejection(wrong);
    };
    EXPECT_NE(reason([](auto& t) { t.h.pieces = t.h0.pieces; }), "");
    EXPECT_NE(reason([](auto& t) { t.h0.pieces = t.h.pieces; }), "");
    EXPECT_EQ(reason([](auto& t) { t.h0.name = "H"; }), "a function is not called H0");
    EXPECT_NE(reason([](auto& t) { t.tasks->rest->bound -= q("1/1000"); }), "");
    EXPECT_NE(reason([](auto& t) { t.tasks->rest->tasks *= q("2"); }), "");
    EXPECT_NE(reason([](auto& t) { t.tasks->rest->tasks *= q("1/2"); }), "");
    EXPECT_EQ(reason([](auto& t) { t.tasks->rest->tasks *= q("-1"); }),
              "the rest of the tasks is not a sum over queues");
    EXPECT_NE(reason([](auto& t) { t.tasks->rest.reset(); }), "");
    EXPECT_NE(reason([](auto& t) { t.tasks->rest->g.products.clear(); }).find("G is not shown to be bounded below"),
              std::string::npos);
    EXPECT_EQ(reason([](auto& t) { t.tasks->rest->g.name = "h"; }), "a function is not called G");
}

/// The mean number of tasks of the chain cut at some tasks, by iteration with doubles: below that of the whole chain,
/// by next to nothing.
double mean_of(const Instance& instance, const std::string& policy, std::uint32_t cap) {
    const ExactSystem exact(instance, make_policy(policy, instance, no_planner), {Truncation::Rule::total, cap});
    std::map<ExactState, std::size_t> number{{exact.initial(), 0}};
    std::vector<ExactState> states{exact.initial()};
    std::vector<std::vector<std::pair<std::size_t, double>>> to;
    for (std::size_t i = 0; i < states.size(); ++i) {
        to.emplace_back();
        for (const auto& [next, p] : exact.kernel(ExactState(states[i]))) {
            const auto [at, fresh] = number.try_emplace(next, states.size());
            if (fresh) states.push_back(next);
            to.back().emplace_back(at->second, p.approximate());
        }
    }
    std::vector<double> law(states.size(), 1.0 / static_cast<double>(states.size()));
    double mean = 0;
    for (int round = 0; round < 4000; ++round) {
        std::vector<double> next(states.size(), 0);
        for (std::size_t i = 0; i < states.size(); ++i)
            for (const auto& [j, p] : to[i]) next[j] += law[i] * p;
        law.swap(next);
    }
    for (std::size_t i = 0; i < states.size(); ++i)
        for (const auto& length : states[i].length) mean += law[i] * static_cast<double>(length.value());
    return mean;
}

TEST(HeavyTrafficTheorems, MeansLieBetweenTheBounds) {
    struct KnownMean {
        const char *family, *policy, *eps;
        double known;  // certified by `mean`, or computed by others
    };
    for (const KnownMean& one : {KnownMean{"one-type", "wang-jsq-maxweight", "1/10", 6.7017},
                                 KnownMean{"one-type", "jsq-maxweight", "1/10", 1.7816},
                                 KnownMean{"shared", "join-shortest-queue", "1/20", 8.162}}) {
        const InstancePtr instance = family(one.family);
        const Rational eps = q(one.eps);
        const double mean = mean_of(at_slack(*instance, eps), one.policy, 70);
        EXPECT_NEAR(mean, one.known, 0.02) << one.policy;
        EXPECT_LE(best_lower(*instance).at_least(*instance, eps).approximate(), mean);
        EXPECT_GE(theorem_of(bound_of(instance, one.policy)).tasks_at_most(*instance, eps).approximate(), mean);
    }
}

TEST(HeavyTrafficTheorems, ServersMayActOnTheArrivalsOfTheSlot) {
    // A bound that forgets it "proves" 4.6 where the mean of join the shortest queue is 4.3115.
    InstanceData data = family("shared")->data();
    data.slack->up_to = q("1/10");
    data.slack->end =
        ArrivalLaw({ArrivalFactor({TaskTypeId(0)}, {{{0}, q("3/20")}, {{1}, q("1/5")}, {{2}, q("13/20")}})});
    const Instance instance(data);
    const HeavyLowerTheorem lower = best_lower(instance);
    EXPECT_LE(lower.at_least(instance, q("1/10")), q("43115/10000"));
    HeavyLowerTheorem forgetful = lower;
    forgetful.deficit = (lower.constant[1] / q("1/10")) - q("46/10");
    EXPECT_EQ(arithmetic_rejection(instance, forgetful), "the inequality of the lower bound fails at slack 0");
}

TEST(HeavyTrafficTheorems, AlteredCertificatesAreRejected) {
    const InstancePtr instance = family("one-type");
    const Certificate right = bound_of(instance, "wang-jsq-maxweight");
    ASSERT_EQ(rejection(right), "");
    using Tamper = std::function<void(HeavyUpperTheorem&)>;
    const std::vector<std::pair<const char*, Tamper>> mutants{
        {"c at slack 0", [](auto& t) { t.constant[0] -= q("1/1000"); }},
        {"c at the far end", [](auto& t) { t.constant[1] -= q("1/1000"); }},
        {"the ends swapped", [](auto& t) { std::swap(t.constant[0], t.constant[1]); }},
        {"K", [](auto& t) { t.with_loss -= q("1/1000"); }},
        {"K'", [](auto& t) { t.with_slack -= q("1/1000"); }},
        {"kappa", [](auto& t) { t.spread -= q("1/1000"); }},
        {"u_max", [](auto& t) { t.largest_loss -= q("1/1000"); }},
        {"q", [](auto& t) { t.collapse.base += q("1/8"); }},
        {"q at 1", [](auto& t) { t.collapse.base = Rational(1); }},
        {"rho", [](auto& t) { t.collapse.rate += q("1/100"); }},
        {"b", [](auto& t) { t.collapse.bound -= q("1/2"); }},
        {"C of the tasks", [](auto& t) { t.tasks->constant -= q("1/1000"); }},
        {"a queue that is not empty", [](auto& t) { t.collapse.closed.empty.push_back(QueueId(2)); }},
        {"a closed set without the empty queue", [](auto& t) { t.collapse.closed.empty.clear(); }},
        {"a status left out", [](auto& t) { t.collapse.closed.statuses.front().pop_back(); }},
        {"a form left out", [](auto& t) { t.collapse.forms.pop_back(); }},
        {"a window", [](auto& t) { t.collapse.forms.front().high -= 6; }},
        {"the name of a form", [](auto& t) { t.collapse.forms.front().form.name = "l7"; }},
        {"the name of H", [](auto& t) { t.h.name = "the number of tasks"; }},
        {"a price", [](auto& t) { t.prices.server.front() += q("1/100"); }},
        {"H", [](auto& t) { t.h.pieces.front().coefficient *= q("9/10"); }},
        {"k", [](auto& t) { t.k.pieces.front().coefficient += Rational(1); }},
    };
    for (const auto& [name, tamper] : mutants) {
        Certificate wrong = right;
        tamper(std::get<HeavyUpperTheorem>(wrong.theorem));
        std::string reason;
        try {
            reason = rejection(wrong);
        } catch (const Error& error) {
            reason = error.what();
        }
        EXPECT_NE(reason, "") << name;
    }
    Certificate other = right;
    other.policy = "jsq-maxweight";
    EXPECT_NE(rejection(other), "");
    // Nothing is left unchecked where there is no form.
    Certificate plain = bound_of(instance, "jsq-maxweight");
    ASSERT_EQ(rejection(plain), "");
    std::get<HeavyUpperTheorem>(plain.theorem).collapse.bound = q("1/2");
    EXPECT_EQ(rejection(plain), "there is no form, and q, rho or b is not 1");
    // An eps0 beyond the ends: the same facts about a family that reaches further.
    InstanceData wider = instance->data();
    wider.slack = ArrivalSlack{q("1/5"), with_fewer(*wider.arrivals, TaskTypeId(0), q("1/5"))};
    Certificate beyond = right;
    beyond.instance = std::make_shared<const Instance>(wider);
    EXPECT_NE(rejection(beyond), "");
}

TEST(HeavyTrafficTheorems, AlteredLowerBoundsAreRejected) {
    const InstancePtr instance = family("two-levels");
    const HeavyLowerTheorem right = best_lower(*instance);
    ASSERT_EQ(arithmetic_rejection(*instance, right), "");
    const auto rejects = [&](const std::function<void(HeavyLowerTheorem&)>& change) {
        HeavyLowerTheorem wrong = right;
        change(wrong);
        return !arithmetic_rejection(*instance, wrong).empty();
    };
    EXPECT_TRUE(rejects([](auto& t) { t.deficit -= q("1/100"); }));
    EXPECT_TRUE(rejects([](auto& t) { t.constant[0] += q("1/1000"); }));
    EXPECT_TRUE(rejects([](auto& t) { t.constant[1] += q("1/100"); }));
    EXPECT_TRUE(rejects([](auto& t) { t.correction[1] += q("1/2"); }));
    EXPECT_TRUE(rejects([](auto& t) { t.correction.pop_back(); }));
    EXPECT_TRUE(rejects([](auto& t) { t.prices.type[1] *= Rational(2); }));
    EXPECT_TRUE(rejects([](auto& t) { t.prices.server[0] -= q("1/100"); }));
}

TEST(HeavyTrafficTheorems, FamiliesThatSayNothingAreRefused) {
    const auto complaint = [](const InstanceData& data) {
        try {
            (void)best_lower(Instance(data));
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    InstanceData inside = family("one-type")->data();
    inside.arrivals = ArrivalLaw::bernoulli(std::vector<Rational>{q("9/10")});
    inside.slack = ArrivalSlack{q("1/10"), with_fewer(*inside.arrivals, TaskTypeId(0), q("1/10"))};
    EXPECT_NE(complaint(inside).find("on the boundary of the capacity region at slack 0, where rho* = 1; it is 9/10"),
              std::string::npos);
    InstanceData apart = family("two-levels")->data();
    apart.arrivals = ArrivalLaw::bernoulli(std::vector<Rational>{q("4/5"), q("4/5")});
    apart.slack = ArrivalSlack{q("1/10"), with_fewer(*apart.arrivals, TaskTypeId(0), q("1/10"))};
    EXPECT_NE(complaint(apart).find("expected unique prices at slack 0 (complete resource pooling)"),
              std::string::npos);
    EXPECT_THROW((void)testing_support::two_servers("4/5", "1/5", "1/2", "1/2").slack(), InputError);
}

TEST(HeavyTrafficTheorems, ARayHasMoreTasksThanTheWorkloadNeeds) {
    const InstancePtr instance = family("two-levels");
    const SymbolicSystem system(*instance, make_policy("jsq-maxweight", *instance, no_planner));
    const heavy_traffic::SlackCells cells(system, {});
    auto outcome = heavy_traffic::best_ray(cells, best_lower(*instance));
    ASSERT_TRUE(std::holds_alternative<heavy_traffic::RayProof>(outcome)) << std::get<std::string>(outcome);
    auto& proof = std::get<heavy_traffic::RayProof>(outcome);
    // On the ray Q_1 = Q_0 / 4: (1 + 1/4) / (1 + 1/16).
    EXPECT_EQ(proof.theorem.factor, q("20/17"));
    // Certified by `mean` at slack 1/100: 28.10.
    EXPECT_LE(proof.theorem.tasks_at_least(*instance, q("1/100")), q("281/10"));
    EXPECT_GE(proof.theorem.tasks_at_least(*instance, q("1/1000")), q("195"));
    Certificate right{instance, "jsq-maxweight", proof.theorem, {}};
    for (const proof::ExploredProof& one : proof.proofs) right.proofs.push_back(canonical(one));
    EXPECT_EQ(rejection(right), "");
    const auto rejects = [&](const std::function<void(HeavyRayTheorem&)>& change) {
        Certificate wrong = right;
        change(std::get<HeavyRayTheorem>(wrong.theorem));
        return !rejection(wrong).empty();
    };
    EXPECT_TRUE(rejects([](auto& t) { t.factor += q("1/100"); }));
    EXPECT_TRUE(rejects([](auto& t) { t.spread -= q("1/100"); }));
    EXPECT_TRUE(rejects([](auto& t) { t.constant -= q("1/100"); }));
    EXPECT_TRUE(rejects([](auto& t) { t.price[0] -= q("1/100"); }));
    EXPECT_TRUE(rejects([](auto& t) { t.lower.deficit -= q("1/10"); }));
    EXPECT_TRUE(rejects([](auto& t) { t.collapse.bound -= q("1/10"); }));
    EXPECT_TRUE(rejects([](auto& t) { t.collapse.rate += q("1/10"); }));
}

/// Balanced-Pandas on two levels with the forms that it compares stated in the instance, and s the second type's tasks
/// at the first server, which waits for the first server's own.
struct Starving {
    InstancePtr instance;
    UpperProof upper;
};
Starving starving_bound() {
    InstanceData data = family("two-levels")->data();
    LyapunovText maximum{"apart", {}, {{q("1/2"), {}, std::nullopt}}};  // scaled to integers
    for (const std::int64_t sign : {1, -1}) {
        LyapunovText::Form& side = maximum.pieces.front().largest_of.emplace_back();
        for (const auto& [queue, weight] : std::map<std::string, std::int64_t>{
                 {"s0.local", 1}, {"s0.remote", 4}, {"s1.local", -4}, {"s1.remote", -16}})
            side.terms.push_back({queue, Rational(sign * weight)});
    }
    data.lyapunov.push_back(std::move(maximum));
    const auto instance = std::make_shared<const Instance>(std::move(data));
    const SymbolicSystem system(*instance, make_policy("balanced-pandas", *instance, no_planner));
    const heavy_traffic::SlackCells cells(system, {});
    const auto starving = proof::LinearForm::variable(
        static_cast<proof::Variable>(system.layout().queue(ServerId(0), instance->remote()).index()));
    auto outcome = heavy_traffic::upper_with_starving(cells, heavy_traffic::boundary_prices(*instance), starving);
    if (const auto* unknown = std::get_if<UpperUnknown>(&outcome))
        throw std::runtime_error(unknown->fact + ": " + unknown->reason);
    return {instance, std::move(std::get<UpperProof>(outcome))};
}

TEST(HeavyTrafficTheorems, QueuesThatStarveAreBoundedBesides) {
    const Starving found = starving_bound();
    const HeavyUpperTheorem& theorem = found.upper.theorem;
    ASSERT_FALSE(theorem.starving.is_constant());
    Certificate right{found.instance, "balanced-pandas", theorem, {}};
    for (const proof::ExploredProof& one : found.upper.proofs) right.proofs.push_back(canonical(one));
    EXPECT_EQ(rejection(right), "");
    const AnyPolicy policy = make_policy("balanced-pandas", *found.instance, no_planner);
    EXPECT_TRUE(rc::check("the facts hold at every state and slack", [&] {
        const ExactState state =
            random_state(theorem.collapse.closed, ExactSystem(*found.instance, policy).layout().queues());
        const Rational eps = found.instance->slack().up_to * Rational(Integer(*rc::gen::inRange(0, 11)), Integer(10));
        RC_ASSERT(failing_fact(theorem, *found.instance, policy, state, eps) == "");
    }));
    const auto rejects = [&](const std::function<void(HeavyUpperTheorem&)>& change) {
        Certificate wrong = right;
        change(std::get<HeavyUpperTheorem>(wrong.theorem));
        return !rejection(wrong).empty();
    };
    EXPECT_TRUE(rejects([](auto& t) { t.starving *= q("11/10"); }));
    EXPECT_TRUE(rejects([](auto& t) { t.starving *= Rational(-1); }));
    EXPECT_TRUE(rejects([](auto& t) { t.starving += proof::LinearForm(Rational(1)); }));
    EXPECT_TRUE(rejects([](auto& t) { t.spread -= q("1/1000"); }));
}

TEST(HeavyTrafficTheorems, ARayWithQueuesThatStarveRestsOnTheSameLimitAndForms) {
    const Starving found = starving_bound();
    const SymbolicSystem system(*found.instance, make_policy("balanced-pandas", *found.instance, no_planner));
    HeavyRayTheorem right;
    right.lower = best_lower(*found.instance);
    right.collapse = found.upper.theorem.collapse;
    right.starving = HeavyRayTheorem::Starving{found.upper.theorem, Rational(1)};
    right.price.assign(system.layout().queues(), Rational(0));
    EXPECT_EQ(arithmetic_rejection(system, right), "");
    // The logarithm of 1/sigma comes with the multiple.
    HeavyRayTheorem twice = right;
    twice.starving->multiple = Rational(2);
    const Rational eps = q("1/1000");
    EXPECT_EQ(right.tasks_at_least(*found.instance, eps) - twice.tasks_at_least(*found.instance, eps),
              right.lower.deficit + found.upper.theorem.beyond_limit(*found.instance, eps));
    const auto rejects = [&](const std::function<void(HeavyRayTheorem&)>& change) {
        HeavyRayTheorem wrong = right;
        change(wrong);
        return !arithmetic_rejection(system, wrong).empty();
    };
    EXPECT_TRUE(rejects([](auto& t) { t.starving->multiple = Rational(-1); }));
    EXPECT_TRUE(rejects([](auto& t) { t.starving->upper.constant[0] -= q("1/100"); }));
    EXPECT_TRUE(rejects([](auto& t) { t.starving->upper.prices.server[0] += q("1/100"); }));
    EXPECT_TRUE(rejects([](auto& t) { t.starving->upper.collapse.bound += Rational(1); }));
    EXPECT_TRUE(rejects([](auto& t) { t.starving->upper.tasks = HeavyUpperTheorem::Tasks{}; }));
    EXPECT_TRUE(rejects([](auto& t) { t.price.front() = Rational(100); }));
}

TEST(HeavyTrafficTheorems, ATypeThatArrivesAtTheFarEndAloneIsRoutedToo) {
    // The third type has no task at slack 0, and every tenth slot one at the far end.
    InstanceData data = family("two-levels")->data();
    TaskType third = data.types[1];
    third.name = "C";
    data.types.push_back(third);
    const auto law = [](const char* first_alone, std::vector<ArrivalOutcome> third_alone, const char* none) {
        third_alone.push_back({{1, 0}, q(first_alone)});
        third_alone.push_back({{0, 0}, q(none)});
        return ArrivalLaw({ArrivalFactor({TaskTypeId(0), TaskTypeId(2)}, std::move(third_alone)),
                           ArrivalFactor({TaskTypeId(1)}, {{{0}, q("1/2")}, {{1}, q("1/2")}})});
    };
    data.arrivals = law("7/8", {}, "1/8");
    data.slack = ArrivalSlack{q("1/20"), law("31/40", {{{0, 1}, q("1/10")}}, "1/8")};
    const Instance instance(data);
    EXPECT_EQ(types_of_slack(instance).size(), 3U);
    const SymbolicSystem system(instance, make_policy("generalized-cmu", instance, no_planner));
    HeavyRayTheorem theorem;
    theorem.collapse.closed = find_closed_set(system, types_of_slack(system.instance()), {});
    EXPECT_TRUE(theorem.collapse.closed.empty.empty()) << "a queue for each type";
    theorem.lower.prices = {{q("1"), q("1/4"), q("1/4")}, {q("4/5"), q("1/5")}};
    const auto routes_are_proved = [&](const char* price_of_third) {
        theorem.price = {q("1"), q("1/4"), q(price_of_third)};
        for (const explore::Question& question : questions(system, theorem))
            if (question.name.starts_with("routes") &&
                !std::holds_alternative<proof::ExploredProof>(explore::ask(question, {}).result))
                return false;
        return true;
    };
    EXPECT_TRUE(routes_are_proved("1/4"));
    EXPECT_FALSE(routes_are_proved("1/5"));
}

TEST(HeavyTrafficTheorems, PoliciesWithoutTheFactsAreNotBounded) {
    // Nobody helps the first server, so the cluster is not even stable at small slacks.
    const InstancePtr instance = family("two-levels");
    const SymbolicSystem system(*instance, make_policy("join-shortest-queue", *instance, no_planner));
    const heavy_traffic::SlackCells cells(system, {});
    const auto outcome = best_upper(cells, heavy_traffic::boundary_prices(*instance));
    ASSERT_TRUE(std::holds_alternative<UpperUnknown>(outcome));
    EXPECT_EQ(std::get<UpperUnknown>(outcome).fact, "B");
    EXPECT_NE(std::get<UpperUnknown>(outcome).cell, "");
}

TEST(HeavyTrafficTheorems, ExponentsAreTheLeastWithinTheirLimit) {
    EXPECT_TRUE(rc::check("q^n >= x, and q^(n-1) < x", [] {
        const Rational base(Integer(*rc::gen::inRange(9, 50)), Integer(8));
        const Rational x(Integer(*rc::gen::inRange(1, 100'000)), Integer(*rc::gen::inRange(1, 100'000)));
        const std::int64_t limit = *rc::gen::element<std::int64_t>(1, 3, 40, 10'000);
        const std::int64_t n = least_exponent(base, x, limit);
        RC_ASSERT(n >= -limit);
        if (n <= limit) RC_ASSERT(to_the(base, n) >= x);
        if (n > -limit && n <= limit) RC_ASSERT(to_the(base, n - 1) < x);
        if (n > limit) RC_ASSERT(to_the(base, limit) < x);
    }));
}

TEST(HeavyTrafficTheorems, OneTermOutweighsAllPositiveOnesFarEnoughOut) {
    EXPECT_TRUE(rc::check("n a_i <= -a_j q^D", [] {
        const Rational base(Integer(*rc::gen::inRange(9, 50)), Integer(8));
        std::vector<Rational> a;
        for (int i = 0; i < 4; ++i) a.emplace_back(Integer(*rc::gen::inRange(-50, 50)), Integer(7));
        const std::size_t positive = *rc::gen::inRange<std::size_t>(0, 4), by = *rc::gen::inRange<std::size_t>(0, 4);
        a[positive] = Rational(Integer(*rc::gen::inRange(1, 50)), Integer(7));
        const auto distance = outweighing_distance(base, a, positive, by);
        RC_ASSERT(distance.has_value() == (a[by].sign() < 0));
        if (!distance) return;
        Rational sum = a[by] * to_the(base, *distance);
        const auto count = std::count_if(a.begin(), a.end(), [](const Rational& one) { return one.sign() > 0; });
        sum += Rational(Integer(count)) * a[positive];
        RC_ASSERT(sum.sign() <= 0);
    }));
}

TEST(HeavyTrafficTheorems, LogarithmsAreRoundedUp) {
    EXPECT_TRUE(rc::check("q^r >= x, and not with 1/64 less", [] {
        const Rational base(Integer(*rc::gen::inRange(5, 50)), Integer(4));
        const Rational x(Integer(*rc::gen::inRange(1, 100'000)), Integer(*rc::gen::inRange(1, 1000)));
        const double log = std::log(x.approximate()) / std::log(base.approximate());
        const double found = log_above(base, x).approximate();
        RC_ASSERT(found >= log - 1e-9);
        RC_ASSERT(found <= log + 1.0 / 64 + 1e-9);
    }));
}

}  // namespace
}  // namespace schedproof::queueing
