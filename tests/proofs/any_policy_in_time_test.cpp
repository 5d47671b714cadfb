/// Bounds over all policies in continuous time: against a second central scheduler, against value iteration, against
/// optima that are known from books, and against the events of policies; and that no altered bound passes.
///
/// The second scheduler and the value iteration are written from docs/models/queueing.md. They share the instance with
/// what they check, and nothing else.
///
/// Long: they stand beside the tests that they serve.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <utility>

#include "model/base/sha256.hpp"
#include "model/core/errors.hpp"
#include "policies/queueing/exact.hpp"
#include "policies/queueing/registry.hpp"
#include "proofs/queueing/bounds/any_policy_proof.hpp"
#include "proofs/queueing/bounds/mean_proof.hpp"
#include "proofs/queueing/bounds/naming_advice.hpp"
#include "proofs/queueing/bounds/tabulated_policy.hpp"
#include "proofs/queueing/theorems/theorem.hpp"
#include "tests/model/event_oracle.hpp"
#include "tests/support/instances.hpp"

namespace schedproof::queueing {
namespace {

using namespace language;
using testing_support::q;

/// Rates by type and server; empty where a server cannot serve the type.
Instance cluster(const std::vector<std::vector<const char*>>& rates, const std::vector<const char*>& arrivals,
                 Preemption preemption = Preemption::none) {
    InstanceData data;
    data.name = "cluster";
    data.time = ContinuousTime{};
    data.options.preemption = preemption;
    for (std::size_t m = 0; m < rates.front().size(); ++m) data.servers.push_back({"s" + std::to_string(m), {}});
    for (std::size_t t = 0; t < rates.size(); ++t) {
        data.types.push_back({std::string(1, static_cast<char>('A' + t)), {}});
        for (const char* rate : rates[t])
            data.types.back().at_servers.push_back(*rate == 0 ? std::optional<Rational>() : q(rate));
        data.rates.push_back(q(arrivals[t]));
    }
    return Instance(std::move(data));
}

/// [lin1984]: a fast server and a slow one, of the rate given, and 4/5 of a task per unit of time.
Instance slow_server(const char* rate, Preemption preemption = Preemption::none) {
    return cluster({{"1", rate}}, {"4/5"}, preemption);
}
/// [cobham1954]: two classes before one server.
Instance two_classes(Preemption preemption) { return cluster({{"1"}, {"3/5"}}, {"3/10", "3/10"}, preemption); }
/// A server for one type, and one for both.
Instance n_system(Preemption preemption) { return cluster({{"1", "1/2"}, {"", "1"}}, {"7/10", "3/10"}, preemption); }

// ------------------------------------------------------------------------------------------------- second scheduler

/// Changes of functions per unit of time under every choice, one choice after another, on rationals.
class ChangesByForce {
  public:
    struct State {
        std::vector<int> waiting;    // per type; with preemption all tasks
        std::vector<Rational> rate;  // per server, 0 when idle
        friend bool operator<(const State& a, const State& b) {
            return std::tie(a.waiting, a.rate) < std::tie(b.waiting, b.rate);
        }
        [[nodiscard]] int tasks() const {
            int sum = 0;
            for (const int n : waiting) sum += n;
            for (const Rational& r : rate) sum += r.sign() > 0 ? 1 : 0;
            return sum;
        }
    };
    using Function = std::function<Rational(const State&)>;

    explicit ChangesByForce(const Instance& instance) : instance_(instance) {
        for (const ServerId m : instance.servers()) {
            std::vector<Rational> all;
            for (const TaskTypeId type : instance.types())
                for (const Rational& rate : rates_of(m.index(), type)) all.push_back(rate);
            std::sort(all.begin(), all.end(), [](const Rational& a, const Rational& b) { return b < a; });
            all.erase(std::unique(all.begin(), all.end()), all.end());
            clock_.push_back(all.empty() ? Rational(0) : all.front());
            all.insert(all.begin(), Rational(0));
            if (instance.preemptive()) all = {Rational(0)};
            statuses_.push_back(std::move(all));
        }
    }
    /// States with at most so many tasks: servers outermost, the fastest rates first, then waiting tasks with those in
    /// execution counted in the first place, ascending.
    [[nodiscard]] std::vector<State> states(int most) const {
        std::vector<State> all;
        State state{std::vector<int>(instance_.types().size(), 0), {}};
        add_servers(state, most, all);
        return all;
    }
    /// The least over all choices of the sum over events of rate times change.
    [[nodiscard]] Rational least_change(const State& x, const Function& h) const {
        const Rational here = h(x);
        if (instance_.preemptive()) {
            std::vector<int> left = x.waiting;
            return arrivals(x, h, here) + least_allocation(x, 0, left, h);
        }
        std::optional<Rational> least;
        each_start(x, 0, [&](const State& y) {
            const Rational change = arrivals(y, h, here) + completions(y, h, here);
            if (!least || change < *least) least = change;
        });
        return *least;
    }

  private:
    [[nodiscard]] std::vector<Rational> rates_of(std::size_t m, TaskTypeId type) const {
        std::vector<Rational> rates;
        if (!instance_.can_serve(ServerId(m), type)) return rates;
        for (std::size_t l = instance_.level(type, ServerId(m)).index(); l < instance_.levels().size(); ++l) {
            if (!rates.empty() && instance_.preemptive()) break;
            rates.push_back(instance_.rate(type, Level(l)));
        }
        return rates;
    }
    void add_servers(State& state, int most, std::vector<State>& all) const {
        if (state.rate.size() == statuses_.size()) return add_tasks(state, 0, most - state.tasks(), all);
        for (const Rational& rate : statuses_[state.rate.size()]) {
            state.rate.push_back(rate);
            add_servers(state, most, all);
            state.rate.pop_back();
        }
    }
    static void add_tasks(State& state, std::size_t type, int left, std::vector<State>& all) {
        if (left < 0) return;
        if (type == state.waiting.size()) return all.push_back(state);
        for (int n = 0; n <= left; ++n) {
            state.waiting[type] = n;
            add_tasks(state, type + 1, left - n, all);
        }
        state.waiting[type] = 0;
    }
    void each_start(const State& x, std::size_t m, const std::function<void(const State&)>& use) const {
        if (m == x.rate.size()) return use(x);
        each_start(x, m + 1, use);
        if (x.rate[m].sign() > 0) return;
        for (const TaskTypeId type : instance_.types())
            for (const Rational& rate : rates_of(m, type)) {
                State y = x;
                if (--y.waiting[type.index()] < 0) continue;
                y.rate[m] = rate;
                each_start(y, m + 1, use);
            }
    }
    [[nodiscard]] Rational arrivals(const State& y, const Function& h, const Rational& from) const {
        Rational sum;
        for (const TaskTypeId type : instance_.types()) {
            Rational single(1), mean(1), change;
            const auto come = [&](int tasks, const Rational& probability) {
                State next = y;
                next.waiting[type.index()] += tasks;
                change += probability * (h(next) - from);
                mean += Rational(tasks - 1) * probability;
            };
            if (!instance_.data().batches.empty())
                for (const BatchSize& batch : instance_.data().batches[type.index()]) {
                    come(static_cast<int>(batch.tasks), batch.probability);
                    single -= batch.probability;
                }
            come(1, single);
            sum += instance_.arrival_rate(type) / mean * change;
        }
        return sum;
    }
    /// What a clock rings for without effect counts as a change from `from` to the state after the choice.
    [[nodiscard]] Rational completions(const State& y, const Function& h, const Rational& from) const {
        Rational sum;
        for (std::size_t m = 0; m < y.rate.size(); ++m) {
            State next = y;
            next.rate[m] = Rational(0);
            sum += y.rate[m] * (h(next) - from) + (clock_[m] - y.rate[m]) * (h(y) - from);
        }
        return sum;
    }
    [[nodiscard]] Rational least_allocation(const State& x, std::size_t m, std::vector<int>& left,
                                            const Function& h) const {
        if (m == x.rate.size()) return Rational(0);
        Rational least = least_allocation(x, m + 1, left, h);
        for (const TaskTypeId type : instance_.types()) {
            if (left[type.index()] == 0 || !instance_.can_serve(ServerId(m), type)) continue;
            State next = x;
            --next.waiting[type.index()];
            --left[type.index()];
            least = std::min(least, rates_of(m, type).front() * (h(next) - h(x)) + least_allocation(x, m + 1, left, h));
            ++left[type.index()];
        }
        return least;
    }

    const Instance& instance_;
    std::vector<Rational> clock_;
    std::vector<std::vector<Rational>> statuses_;
};

/// A cluster of one or two servers with levels or rates at servers, one or two types, both preemptions.
Instance small_cluster() {
    oracle::InstanceWish wish = oracle::with_own_rates();
    wish.servers = *rc::gen::inRange<std::size_t>(1, 3);
    wish.types = *rc::gen::inRange<std::size_t>(1, 3);
    const Instance instance = *oracle::small_cluster_in_time("generalized-cmu", wish);
    return *rc::gen::arbitrary<bool>() ? *oracle::with_rates_at_servers(instance, false) : instance;
}

TEST(AnyPolicyInTime, TheBoundOfAnyTableIsThatOfBruteForce) {
    EXPECT_TRUE(rc::check("exact bounds", [] {
        const Instance instance = small_cluster();
        const auto radius = *rc::gen::inRange<std::uint32_t>(0, 4);
        const ChangesByForce brute(instance);
        const std::vector<ChangesByForce::State> inside = brute.states(static_cast<int>(radius));
        const auto values = *rc::gen::container<std::vector<int>>(inside.size(), rc::gen::inRange(-100, 101));
        const Rational outside(Integer(*rc::gen::inRange(-100, 101)), Integer(8));
        AnyPolicyTheorem theorem;
        theorem.radius = radius;
        theorem.bits = 3;
        theorem.outside = outside;
        theorem.table = std::make_shared<const std::vector<Fixed>>(values.begin(), values.end());
        std::map<ChangesByForce::State, Rational> h;
        for (std::size_t i = 0; i < inside.size(); ++i) h[inside[i]] = Rational(Integer(values[i]), Integer(8));
        const auto function = [&](const ChangesByForce::State& x) {
            const auto at = h.find(x);
            return at == h.end() ? outside : at->second;
        };
        // Two tasks beyond the layer: there the inequality is the same everywhere.
        std::optional<Rational> least;
        for (const ChangesByForce::State& x : brute.states(static_cast<int>(radius) + 3)) {
            const Rational here = brute.least_change(x, function) + Rational(x.tasks());
            if (!least || here < *least) least = here;
        }
        const CentralBox box(CentralModel(instance, theorem.mode), radius + 1, 1'000'000, 1);
        RC_ASSERT(bound_of_table(box, theorem) == Rational(floor(*least * Rational(8)), Integer(8)));
    }));
}

// ------------------------------------------------------------------------------------------------- value iteration

/// The least mean number of tasks, in floating point: relative value iteration on up to `most` tasks, more being lost.
double optimum_by_value_iteration(const Instance& instance, int most) {
    using State = std::vector<int>;  // per type those that wait, or with preemption all; per server its type + 1, or 0
    const std::size_t types = instance.types().size(), servers = instance.servers().size();
    const auto rate = [&](std::size_t m, std::size_t t) {
        return instance.rate(TaskTypeId(t), ServerId(m)).approximate();
    };
    std::map<State, double> h;
    const std::function<void(State)> reach = [&](State x) {
        int tasks = 0;
        for (std::size_t k = 0; k < x.size(); ++k) tasks += k < types ? x[k] : (x[k] > 0 ? 1 : 0);
        if (tasks > most || !h.emplace(x, 0).second) return;
        for (std::size_t t = 0; t < types; ++t) {
            State next = x;
            ++next[t];
            reach(next);
            for (std::size_t m = 0; m < servers && !instance.preemptive(); ++m) {
                if (next[types + m] > 0 || rate(m, t) == 0) continue;
                State started = next;
                --started[t];
                started[types + m] = static_cast<int>(t) + 1;
                reach(started);
            }
        }
    };
    reach(State(types + servers, 0));
    double clock = 0;
    for (std::size_t t = 0; t < types; ++t) clock += instance.arrival_rate(TaskTypeId(t)).approximate();
    for (std::size_t m = 0; m < servers; ++m) clock += instance.fastest(ServerId(m)).approximate();
    const auto after_event = [&](const State& y) {  // y is the state between events, servers working as it says
        const double here = h.at(y);
        double sum = clock * here;
        State next = y;
        for (std::size_t t = 0; t < types; ++t) {
            ++next[t];
            const auto at = h.find(next);
            if (at != h.end()) sum += instance.arrival_rate(TaskTypeId(t)).approximate() * (at->second - here);
            --next[t];
        }
        for (std::size_t m = 0; m < servers; ++m) {
            if (y[types + m] == 0) continue;
            next[types + m] = 0;
            sum += rate(m, static_cast<std::size_t>(y[types + m]) - 1) * (h.at(next) - here);
            next[types + m] = y[types + m];
        }
        return sum / clock;
    };
    const std::function<double(State&, std::size_t)> least = [&](State& x, std::size_t m) -> double {
        if (m == servers) return after_event(x);
        double best = least(x, m + 1);
        for (std::size_t t = 0; t < types && x[types + m] == 0; ++t) {
            if (x[t] == 0 || rate(m, t) == 0) continue;
            --x[t];
            x[types + m] = static_cast<int>(t) + 1;
            best = std::min(best, least(x, m + 1));
            x[types + m] = 0;
            ++x[t];
        }
        return best;
    };
    // With preemption an allocation changes h by the sum over servers: those of the state itself are never busy.
    const std::function<double(const State&, State&, std::size_t)> allocated = [&](const State& x, State& left,
                                                                                   std::size_t m) -> double {
        if (m == servers) return 0;
        double best = allocated(x, left, m + 1);
        for (std::size_t t = 0; t < types; ++t) {
            if (left[t] == 0 || rate(m, t) == 0) continue;
            State next = x;
            --next[t];
            --left[t];
            best = std::min(best, rate(m, t) * (h.at(next) - h.at(x)) + allocated(x, left, m + 1));
            ++left[t];
        }
        return best;
    };
    const State empty(types + servers, 0);
    for (int round = 0;; ++round) {
        std::map<State, double> next;
        double low = 1e300, high = -1e300;
        for (const auto& [x, value] : h) {
            double tasks = 0;
            for (std::size_t k = 0; k < x.size(); ++k) tasks += k < types ? x[k] : (x[k] > 0 ? 1 : 0);
            State y = x, left = x;
            const double mean = instance.preemptive() ? after_event(x) + allocated(x, left, 0) / clock : least(y, 0);
            next[x] = tasks / clock + mean;
            low = std::min(low, (next[x] - value) * clock);
            high = std::max(high, (next[x] - value) * clock);
        }
        const double least_value = next.at(empty);
        for (auto& [x, value] : next) value -= least_value;
        h = std::move(next);
        if (high - low < 1e-7 || round == 20'000) return (low + high) / 2;
    }
}

AnyPolicyProof bound_on(const Instance& instance, const char* width = "1/100000000") {
    AnyPolicyGoal goal;
    goal.width = q(width);
    return bound_any_policy(instance, goal);
}
double lower(const Instance& instance) { return bound_on(instance).theorem.lower.approximate(); }

TEST(AnyPolicyInTime, TheBoundIsTheOptimumOfValueIteration) {
    for (const Preemption preemption : {Preemption::none, Preemption::resume}) {
        // Light loads, for what is lost beyond the tasks of the iteration.
        const Instance instances[] = {cluster({{"1", "1/4"}}, {"1/2"}, preemption),
                                      cluster({{"1", "1/2"}, {"", "1"}}, {"2/5", "1/5"}, preemption),
                                      cluster({{"2", "1"}, {"1/2", "1"}}, {"3/5", "2/5"}, preemption),
                                      cluster({{"1"}, {"3"}}, {"1/4", "1/2"}, preemption)};
        for (const Instance& instance : instances)
            EXPECT_NEAR(lower(instance), optimum_by_value_iteration(instance, 20), 5e-5)
                << instance.types().size() << " types, preemption " << instance.preemptive();
    }
}

// ----------------------------------------------------------------------------------------------------- known answers

struct CertifiedMean {
    Rational lower, upper;
};

/// The mean of rules is at most this, by a theorem that the checker accepts.
Rational most_under(const Instance& instance, const Rules& rules, const char* width = "1e-8") {
    const AnyPolicy policy({"of-test", "test", "of this test"}, rules);
    MeanGoal goal;
    goal.width = q(width);
    const SymbolicSystem symbolic(instance, policy);
    const MeanOutcome outcome = prove_mean(symbolic, ExactSystem(instance, policy), goal);
    if (const auto* unknown = std::get_if<MeanUnknown>(&outcome)) throw ContractViolation(unknown->reason);
    const MeanTheorem& mean = std::get<MeanProof>(outcome).theorem;
    EXPECT_EQ(arithmetic_rejection(symbolic, mean), "");
    return mean.upper;
}
/// What no policy is below, and what one has at most: that of the table with so many waiting tasks, or of other rules.
CertifiedMean optimum(const Instance& instance, const std::function<Rules(const AnyPolicyTheorem&)>& rules) {
    AnyPolicyProof proof = bound_on(instance);
    const Rational upper = most_under(instance, rules(proof.theorem));
    const Certificate certificate{std::make_shared<const Instance>(instance), "", std::move(proof.theorem), {}};
    EXPECT_EQ(rejection(certificate), "");
    EXPECT_NE(sentence(certificate).find("in continuous time, the mean number of tasks in the system is"),
              std::string::npos);
    return {std::get<AnyPolicyTheorem>(certificate.theorem).lower, upper};
}
void expect_optimum(const CertifiedMean& found, const Rational& known, const char* error) {
    EXPECT_LE(found.lower, known + q(error));
    EXPECT_GE(found.lower, known - q(error) - q("1e-7"));
    EXPECT_GE(found.upper, known - q(error));
    EXPECT_LE(found.upper, known + q(error) + q("1e-7"));
}

constexpr Rules faster_class_first{keep(Arrangement::per_type), route(own_type),
                                   serve(argmax(nonempty(reachable), rate* tasks(1)))};

/// [cobham1954]: the faster class first, which no policy that interrupts none improves on. Interrupting, it has
/// 25/7 tasks, the least of all ([cox1961], [buyukkoc1985]). So 4 % is the price of non-preemption.
TEST(AnyPolicyInTime, TwoClassesHaveTheMeansOfPriorities) {
    for (const auto& [preemption, known] :
         {std::pair(Preemption::none, q("26/7")), std::pair(Preemption::resume, q("25/7"))}) {
        const Instance instance = two_classes(preemption);
        expect_optimum(optimum(instance, [](const auto&) { return faster_class_first; }), known, "0");
        // The table decides alike, whatever MaxWeight does beyond it.
        const Rational tabulated =
            most_under(instance, tabulated_rules(instance, bound_on(instance, "1/1000").theorem, 20, 1), "1e-2");
        EXPECT_GE(tabulated, known);
        EXPECT_LT(tabulated, known + q("3/100"));
    }
}

/// [lin1984]: the slow server is used from a number of waiting tasks on. The means are those of a value iteration in
/// another language, to all digits given.
TEST(AnyPolicyInTime, ASlowServerWaitsForAQueue) {
    struct Case {
        const char *rate, *mean;
        std::uint32_t from;
    };
    for (const Case& one : {Case{"1/5", "2.4039900249", 2}, Case{"1/10", "3.0869598417", 4}}) {
        const Instance instance = slow_server(one.rate);
        const auto rules = [&](const AnyPolicyTheorem& theorem) { return tabulated_rules(instance, theorem, 12, 1); };
        expect_optimum(optimum(instance, rules), q(one.mean), "1e-9");
        const AnyPolicyProof proof = bound_on(instance);
        const NamingAdvice advice(instance, proof.theorem, 1);
        for (std::uint32_t waiting = 1; waiting <= 8; ++waiting)
            // The fast server is busy: status 1 is its one rate.
            EXPECT_EQ(advice.best(*advice.at({waiting}, {1, 0})), (Names{0, waiting < one.from ? 0U : 1U})) << waiting;
        // At once, the fast one takes a task, and the slow one too where enough others wait then.
        EXPECT_EQ(advice.best(*advice.with_waiting({1})), (Names{1, 0}));
        EXPECT_EQ(advice.best(*advice.with_waiting({one.from + 1})), (Names{1, 1}));
    }
}

/// One server has the mean of M/M/1, whatever may be interrupted, and several alike have Erlang's.
TEST(AnyPolicyInTime, ServersAlikeHaveErlangsMean) {
    for (const Preemption preemption : {Preemption::none, Preemption::resume}) {
        EXPECT_NEAR(lower(cluster({{"7"}}, {"7/2"}, preemption)), 1, 1e-7);
        EXPECT_NEAR(lower(cluster({{"1", "1"}}, {"1"}, preemption)), 4.0 / 3, 1e-7);
    }
}

TEST(AnyPolicyInTime, PreemptionLowersTheBound) {
    for (const auto& make : std::vector<std::function<Instance(Preemption)>>{
             two_classes, n_system, [](Preemption preemption) { return slow_server("1/5", preemption); }})
        EXPECT_LT(lower(make(Preemption::resume)) + 0.01, lower(make(Preemption::none)));
}

TEST(AnyPolicyInTime, NoCertifiedMeanIsBelowTheBound) {
    for (const Preemption preemption : {Preemption::none, Preemption::resume}) {
        const Instance instance = n_system(preemption);
        const Rational least = bound_on(instance).theorem.lower;
        const AnyPolicy policy = make_policy("generalized-cmu", instance, no_planner);
        MeanGoal goal;
        goal.width = q("1/1000");
        const MeanOutcome outcome = prove_mean(SymbolicSystem(instance, policy), ExactSystem(instance, policy), goal);
        ASSERT_TRUE(std::holds_alternative<MeanProof>(outcome));
        EXPECT_LE(least, std::get<MeanProof>(outcome).theorem.upper);
    }
}

// ------------------------------------------------------------------------------------------------- events of policies

/// The state of a policy as the central scheduler sees it; nothing where the types of waiting tasks are unknown.
std::optional<ExactState> projected(const ExactSystem& system, const CentralModel& model, const ExactState& state) {
    const Layout& layout = system.layout();
    const bool by_type = layout.arrangement() == Arrangement::per_type;
    if (model.types() > 1 && !by_type) return {};
    ExactState central;
    central.length.assign(model.types(), CheckedInt(0));
    for (std::size_t queue = 0; queue < state.length.size(); ++queue)
        central.length[by_type ? queue : 0] = central.length[by_type ? queue : 0] + state.length[queue];
    for (std::size_t m = 0; m < state.serving.size(); ++m) {
        const Service& service = state.serving[m];
        central.serving.push_back(Service{});
        if (service.status != Service::Status::busy) continue;
        const Rational& rate = layout.rate(system.instance(), service.queue, service.level);
        const auto at = std::find(model.rates(m).begin(), model.rates(m).end(), rate);
        RC_ASSERT(at != model.rates(m).end());
        central.serving[m] = {Service::Status::busy, Level(static_cast<std::size_t>(at - model.rates(m).begin())),
                              QueueId(std::size_t{0})};
        if (!by_type) continue;
        // One in execution counts in the first place.
        central.length[service.queue.index()] = central.length[service.queue.index()] - CheckedInt(1);
        central.length[0] = central.length[0] + CheckedInt(1);
    }
    return central;
}

/// The rate of change of a random function under a policy from a settled state, less the least over all choices that
/// the central scheduler has after the event, or with preemption before it. Numbers are integers, and exact.
std::optional<Rational> above_least(const Instance& instance, const std::string& id, const ExactState& state,
                                    std::size_t seed) {
    const ExactSystem system(instance, make_policy(id, instance, {}));
    const CentralModel model(instance, DecisionMode::knows_arrivals);
    const auto start = projected(system, model, state);
    if (!start) return {};
    std::uint32_t tasks = 0;
    for (const CheckedInt n : state.length) tasks += static_cast<std::uint32_t>(n.value());
    const std::uint32_t radius = tasks + 4;
    const CentralBox box(model, radius, 10'000'000, 1);
    std::vector<long double> h(box.size(), 7);
    for (std::size_t i = 0; i < h.size(); ++i)
        if (box.tasks()[i] < radius)
            h[i] = static_cast<long double>((i + 1) * seed * 2654435761U % 4294967291U % 201U) - 100;
    const StateBox numbered = model.box(radius);
    const auto place = [&](const ExactState& of) {
        return static_cast<CentralBox::Index>(*numbered.index(*projected(system, model, of)));
    };
    const CentralBox::Index i = place(state);
    const std::vector<long double> value = box.after_choices(h, 7.0L), after_step = box.least_mean(h, 7.0L);
    const auto exact = [](long double number) { return rational(static_cast<Fixed>(number)); };
    const Rational pace = instance.event_rate(), time = rational(model.common_of_time());
    Rational above;
    for (const Move& move : system.moves(state))
        above += pace * move.probability * (exact(value[place(move.slot.next)]) - exact(value[i]));
    if (model.preemptive())
        return above - (exact(after_step[i]) - rational(model.common_of_step()) * exact(h[i])) / time;
    box.each_event(i, {}, [&](CentralBox::Index next, std::int64_t weight) {
        if (next != i) above -= Rational(weight) * (exact(after_step[next]) - exact(value[i])) / time;
    });
    return above;
}

TEST(AnyPolicyInTime, NoEventOfARegisteredPolicyFallsBelowTheLeastChange) {
    std::size_t compared = 0;
    for (const std::string& id : oracle::policies_in_continuous_time()) {
        EXPECT_TRUE(rc::check(id + ": an event is a choice of the central scheduler", [&] {
            oracle::InstanceWish wish = oracle::with_own_rates();
            if (id != "generalized-cmu") wish.types = 1;
            const Instance instance = *oracle::small_cluster_in_time(id, wish);
            const auto seed = *rc::gen::inRange<std::size_t>(1, 1'000'000);
            const ExactSystem system(instance, make_policy(id, instance, {}));
            Sampler randomness(StreamKey{seed});
            ExactState state = system.initial();
            for (int events = *rc::gen::inRange(0, 12); events > 0; --events) state = system.sample(state, randomness);
            const auto above = above_least(instance, id, state, seed);
            if (!above) return;
            ++compared;
            RC_ASSERT(*above >= Rational(0));
        }));
    }
    EXPECT_GT(compared, 500U);
}

// -------------------------------------------------------------------------------------------------------- alterations

TEST(AnyPolicyInTime, AlteredTheoremsAreRejected) {
    const std::string fails = "an inequality of the lower bound fails";
    for (const Preemption preemption : {Preemption::none, Preemption::resume}) {
        const Instance instance = n_system(preemption);
        AnyPolicyGoal goal;
        goal.radius = 14;
        AnyPolicyTheorem right = bound_any_policy(instance, goal).theorem;
        const CentralBox box(CentralModel(instance, right.mode), right.radius + 1, 100'000, 1);
        right.lower = bound_of_table(box, right);
        EXPECT_EQ(arithmetic_rejection(instance, right), "");
        const auto with = [&](const std::function<void(AnyPolicyTheorem&, std::vector<Fixed>&)>& change) {
            AnyPolicyTheorem wrong = right;
            std::vector<Fixed> table = *right.table;
            change(wrong, table);
            wrong.digest = base::sha256(to_bytes({&table}));
            wrong.table = std::make_shared<const std::vector<Fixed>>(std::move(table));
            return arithmetic_rejection(instance, wrong);
        };
        for (const std::size_t at : {std::size_t{0}, right.table->size() / 2, right.table->size() - 1})
            EXPECT_EQ(with([&](auto&, auto& table) { table[at] += 64; }), fails) << at;
        EXPECT_EQ(with([](auto& t, auto&) { t.lower += Rational(1) / Rational(t.scale()); }), fails);
        EXPECT_EQ(with([](auto& t, auto&) { t.outside -= Rational(1); }), fails);
        EXPECT_NE(with([](auto& t, auto&) { ++t.radius; }).find("states, the table"), std::string::npos);
        EXPECT_NE(with([](auto& t, auto&) { t.mode = DecisionMode::names_types; }).find("continuous time"),
                  std::string::npos);
        // Of faster servers, of more arrivals, in slots, and of the other preemption, the bound is another.
        EXPECT_NE(arithmetic_rejection(cluster({{"1", "1/2"}, {"", "11/10"}}, {"7/10", "3/10"}, preemption), right),
                  "");
        EXPECT_NE(arithmetic_rejection(cluster({{"1", "3/5"}, {"", "1"}}, {"7/10", "3/10"}, preemption), right), "");
        EXPECT_NE(arithmetic_rejection(cluster({{"1", "1/2"}, {"", "1"}}, {"3/5", "3/10"}, preemption), right), "");
        InstanceData slots = instance.data();
        slots.time.reset();
        slots.options.preemption = Preemption::none;
        slots.arrivals = ArrivalLaw::bernoulli(slots.rates);
        EXPECT_NE(arithmetic_rejection(Instance(std::move(slots)), right), "");
        const Preemption other = preemption == Preemption::none ? Preemption::resume : Preemption::none;
        EXPECT_NE(arithmetic_rejection(n_system(other), right), "");
    }
}

TEST(AnyPolicyInTime, NamesBeforeArrivalsAreRefused) {
    AnyPolicyGoal goal;
    goal.mode = DecisionMode::names_types;
    EXPECT_THROW(static_cast<void>(bound_any_policy(slow_server("1/5"), goal)), InputError);
}

}  // namespace
}  // namespace schedproof::queueing
