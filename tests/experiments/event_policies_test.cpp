/// Policies in continuous time: Little's law and the work done under each, Pandas against an implementation of its own,
/// and clusters whose types have rates of their own.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <deque>
#include <limits>
#include <string>
#include <vector>

#include "experiments/simulators/events/own_queue_loop.hpp"
#include "policies/queueing/balanced_pandas.hpp"
#include "policies/queueing/fifo.hpp"
#include "policies/queueing/generalized_cmu.hpp"
#include "policies/queueing/join_shortest_queue.hpp"
#include "policies/queueing/jsq_maxweight.hpp"
#include "policies/queueing/pandas.hpp"
#include "policies/queueing/random_baselines.hpp"
#include "policies/queueing/wang_jsq_maxweight.hpp"
#include "tests/experiments/event_runs.hpp"
#include "tests/support/changed_policy.hpp"

namespace schedproof::simulation {
namespace {

using namespace queueing;
using namespace event_runs;

std::vector<AnyPolicy> simulated(bool types) {
    std::vector<AnyPolicy> all{WangJsqMaxWeight{}, JsqMaxWeight{},       PandasPlain{}, PandasRackaware{},
                               BalancedPandas{},   BalancedPandasIdle{}, Fifo{},        RandomLocal{},
                               RandomAny{},        JoinShortestQueue{}};
    if (types) all.emplace_back(GeneralizedCmu{});
    return all;
}

std::string id_of(const AnyPolicy& policy) { return std::string(policy.info().id); }

TEST(EventPolicies, KeepsTheLawsOfQueuesUnderEveryPolicy) {
    RandomCluster random;
    random.servers = 20;
    random.data_servers = 16;
    random.rack_size = 5;
    random.rates = {Rational(1), Rational(Integer(1), Integer(2)), Rational(Integer(1), Integer(4))};
    for (const SimulatedSystem& system : {racks(8), random_cluster(random, PoissonArrivals{Rational(1)})})
        for (const AnyPolicy& policy : simulated(!system.random)) {
            const bool small = system.instance->servers().size() == 8;
            EventSettings s = settings(system, policy, small ? 0.8 : 0.25, 40'000);
            const auto experiment = make_event_experiment(s);
            const Observation seen = experiment->run({3, 1}, {});
            // Little: tasks in the system are arrivals a second times the mean delay.
            const double rate = static_cast<double>(seen.work) / s.duration;
            EXPECT_NEAR(mean(seen, 2) / (rate * mean(seen, 0)), 1, 0.02) << id_of(policy);
            EXPECT_NEAR(rate * workload::mean(s.gap), 1, 0.03) << id_of(policy);
            // A task at a level keeps a server busy for its size over the rate.
            const auto& quantities = experiment->quantities();
            double shares = 0, busy = 0, offered = 0;
            const auto rates = std::array{1.0, 0.5, 0.25};
            for (std::size_t q = 3; q < quantities.size(); ++q)
                if (quantities[q].name.starts_with("utilisation")) busy += total(seen, q).sum / s.duration;
            for (std::size_t l = 0; l < 3; ++l) {
                const double share = mean(seen, quantities.size() - 3 + l);
                shares += share;
                offered += rate * share / rates[l];
            }
            EXPECT_NEAR(shares, 1, 1e-9) << id_of(policy);
            EXPECT_NEAR(busy / offered, 1, 0.03) << id_of(policy);
            EXPECT_NEAR(mean(seen, 0) - mean(seen, 1), offered / rate, 0.03 * offered / rate) << id_of(policy);
        }
}

/// Pandas by its text: after every event each idle server is asked, near the arrival first, until nobody starts a task.
class ReferencePandas {
  public:
    ReferencePandas(const EventPlan& plan, bool rackaware, const statistics::Replication& replication)
        : plan_(plan),
          instance_(*plan.settings.system.instance),
          rackaware_(rackaware),
          source_(plan, replication),
          ties_(replication, "ties of the oracle"),
          waiting_(instance_.servers().size()),
          in_service_(waiting_.size(), 0),
          end_(waiting_.size(), never),
          from_(waiting_.size(), 0) {}

    /// Tasks in the system, mean over time.
    double mean_tasks() {
        double area = 0, last = 0;
        std::size_t present = 0;
        for (;;) {
            const std::size_t m = static_cast<std::size_t>(std::min_element(end_.begin(), end_.end()) - end_.begin());
            const double now = std::min(end_[m], source_.time());
            if (now >= plan_.settings.duration) return area / last;
            area += static_cast<double>(present) * (now - last);
            last = now;
            if (now == end_[m]) {
                --present;
                --in_service_[from_[m]];
                end_[m] = never;
                ask(m, now);
                ask_all(now);
            } else {
                ++present;
                const std::size_t q = route(source_.type());
                waiting_[q].push_back(source_.size());
                source_.advance();
                ask(q, now);
                for (std::size_t n = 0; n < end_.size(); ++n)
                    if (instance_.group(ServerId(n), 0) == instance_.group(ServerId(q), 0)) ask(n, now);
                ask_all(now);
            }
        }
    }

  private:
    static constexpr double never = std::numeric_limits<double>::infinity();
    [[nodiscard]] std::size_t length(std::size_t q) const { return waiting_[q].size() + in_service_[q]; }
    std::size_t route(TaskTypeId type) {
        std::vector<std::size_t> best;
        for (const ServerId m : instance_.type(type).replicas) {
            if (!best.empty() && length(m.index()) < length(best[0])) best.clear();
            if (best.empty() || length(m.index()) == length(best[0])) best.push_back(m.index());
        }
        return best[ties_.below(best.size())];
    }
    [[nodiscard]] double rate(std::size_t m, std::size_t n) const {
        return plan_.rate[instance_.distance(ServerId(m), ServerId(n)).index()];
    }
    bool ask(std::size_t m, double now) {
        if (end_[m] != never) return false;
        std::vector<std::size_t> best;
        double most = 0;
        for (std::size_t n = 0; n < end_.size(); ++n) {
            if (waiting_[n].empty()) continue;
            const double key = static_cast<double>(length(n)) * (rackaware_ ? rate(m, n) : 1);
            if (key > most) best.clear();
            if (key >= most) best.push_back(n);
            most = std::max(most, key);
        }
        std::erase_if(best, [&](std::size_t n) { return rate(m, n) * static_cast<double>(length(n)) < rate(m, m); });
        if (!waiting_[m].empty()) best = {m};
        if (best.empty()) return false;
        const std::size_t q = best[ties_.below(best.size())];
        end_[m] = now + waiting_[q].front() / rate(m, q);
        from_[m] = q;
        waiting_[q].pop_front();
        ++in_service_[q];
        return true;
    }
    void ask_all(double now) {
        for (bool again = true; again;) {
            again = false;
            for (std::size_t m = 0; m < end_.size(); ++m) again = ask(m, now) || again;
        }
    }

    const EventPlan& plan_;
    const Instance& instance_;
    bool rackaware_;
    TaskSource source_;
    statistics::Stream ties_;
    std::vector<std::deque<double>> waiting_;  // by queue: sizes
    std::vector<std::size_t> in_service_;
    std::vector<double> end_;
    std::vector<std::size_t> from_;
};

/// Racks of two; half of all tasks have their data on the first two servers, the others on the first server of each
/// other rack: a queue that is the longest anywhere is often too far to help.
SimulatedSystem uneven_racks() {
    InstanceData data;
    data.name = "uneven";
    data.levels = {{"local", Rational(1)},
                   {"rack", Rational(Integer(1), Integer(2))},
                   {"remote", Rational(Integer(1), Integer(20))}};
    for (std::size_t m = 0; m < 12; ++m)
        data.servers.push_back({"s" + std::to_string(m), {"r" + std::to_string(m / 2)}});
    for (std::size_t rack = 0; rack < 6; ++rack) {
        data.types.push_back({"t" + std::to_string(rack), {ServerId(2 * rack)}});
        if (rack == 0) data.types.back().replicas.emplace_back(1);
        data.rates.emplace_back(Integer(rack == 0 ? 17 : 9), Integer(10));
    }
    return {std::make_shared<const Instance>(std::move(data))};
}

TEST(EventPolicies, HelpsAsPandasSays) {
    for (const bool rackaware : {false, true}) {
        const AnyPolicy policy = rackaware ? AnyPolicy(PandasRackaware{}) : PandasPlain{};
        for (const SimulatedSystem& system : {racks(8), uneven_racks()}) {
            const double rate = system.instance->servers().size() == 8 ? 5 : 6.2;
            const EventSettings s = settings(system, policy, 1 / rate, 60'000);
            const EventPlan plan = make_event_plan(s);
            const double tasks = mean(make_event_experiment(s)->run({4, 0}, {}), 2);
            EXPECT_NEAR(tasks / ReferencePandas(plan, rackaware, {4, 0}).mean_tasks(), 1, 0.01)
                << rackaware << " " << system.instance->name();
        }
    }
}

/// In other words, the policy's servers are all asked, since nothing is known about them.
template <class Policy>
void asks_nobody_in_vain(const SimulatedSystem& system) {
    const AnyPolicy policy = Policy{}, unknown = testing_support::in_other_words(Policy{});
    ASSERT_TRUE(QuestionPlan(*system.instance, policy).only_arrivals_wake);
    ASSERT_FALSE(QuestionPlan(*system.instance, unknown).only_arrivals_wake);
    const auto run = [&](const AnyPolicy& asked) {
        const EventPlan plan = make_event_plan(settings(system, asked, 0.5, 3000));
        return EventLoop(plan, {9, 0}).run({});
    };
    EXPECT_EQ(run(policy), run(unknown)) << Policy::info.id;
}

TEST(EventPolicies, AsksNobodyInVain) {
    asks_nobody_in_vain<JoinShortestQueue>(racks(8));
    asks_nobody_in_vain<RandomLocal>(racks(8));
    asks_nobody_in_vain<RandomAny>(racks(8));
    asks_nobody_in_vain<BalancedPandas>(racks(8));
    asks_nobody_in_vain<BalancedPandasIdle>(racks(8));
    // Not Wang: which of several idle servers takes a task of the common queue, the nearest or the first, is a choice.
}

/// A policy under which servers serve their own queues: of the literature, or with a routing rule of its own.
AnyPolicy of_own_queues(int which) {
    using namespace language;
    switch (which) {
        case 0:
            return JoinShortestQueue{};
        case 1:
            return RandomLocal{};
        case 2:
            return RandomAny{};
        case 3:
            return testing_support::with_route<JoinShortestQueue>(argmin(sample(2, servers), length));
        default:
            return testing_support::with_route<JoinShortestQueue>(argmax(servers, length));
    }
}

/// What a server's own queue makes easy changes nothing, neither the order of draws nor a sum.
RC_GTEST_PROP(EventPolicies, ServesOwnQueuesAsItServesAny, ()) {
    const auto servers = *rc::gen::inRange<std::uint32_t>(1, 12);
    RandomCluster random;
    random.servers = servers;
    random.rates = {Rational(1), Rational(Integer(1), Integer(2))};
    random.data_servers = *rc::gen::inRange(1U, servers + 1);
    random.replicas = *rc::gen::inRange(1U, random.data_servers + 1);
    // Of more than 16 servers that hold the data, the shortest queue comes from an index.
    SimulatedSystem system =
        *rc::gen::element(racks(servers), alike(servers + 16), random_cluster(random, PoissonArrivals{Rational(1)}));
    InstanceData data = system.instance->data();
    data.options.counting = *rc::gen::element(Counting::in_system, Counting::waiting);
    system.instance = std::make_shared<const Instance>(std::move(data));
    EventSettings s = settings(system, of_own_queues(*rc::gen::element(0, 0, 0, 1, 2, 3, 4)),
                               1 / static_cast<double>(system.instance->servers().size()), 300);
    s.size = *rc::gen::element<workload::RealLaw>(workload::Exponential{0.8}, workload::Constant{1},
                                                  workload::Pareto{1.5, 0.3});
    if (*rc::gen::arbitrary<bool>())
        s.trace =
            std::make_shared<const input::JobTrace>(input::JobTrace{{{0, 9, 1}, {0, 3, 2}, {2.5, 20, 0.7}}, 0, 0, {}});
    const EventPlan plan = make_event_plan(s);
    const statistics::Replication replication{*rc::gen::arbitrary<std::uint64_t>(), 0};
    RC_ASSERT(OwnQueueLoop::suits(plan));
    const Observation seen = OwnQueueLoop(plan, replication).run({});
    RC_ASSERT(seen.work > 0U);
    RC_ASSERT(seen == EventLoop(plan, replication).run({}));
}

TEST(EventPolicies, ServesOwnQueuesOnlyWhereServersDo) {
    const auto suits = [](const SimulatedSystem& system, const AnyPolicy& policy, auto change) {
        EventSettings s = settings(system, policy, 1, 10);
        change(s);
        return OwnQueueLoop::suits(make_event_plan(s));
    };
    const auto as_it_is = [](const EventSettings&) {};
    EXPECT_TRUE(suits(racks(4), RandomAny{}, as_it_is));
    for (const AnyPolicy& policy :
         {AnyPolicy(WangJsqMaxWeight{}), AnyPolicy(PandasPlain{}), AnyPolicy(BalancedPandas{}), AnyPolicy(Fifo{}),
          testing_support::in_other_words(JoinShortestQueue{})})
        EXPECT_FALSE(suits(racks(4), policy, as_it_is)) << id_of(policy);
    const auto with_a_task = [](EventSettings& s) {
        State<CheckedInt> start;
        start.length = {CheckedInt(1)};
        start.serving = {Service{}};
        s.start = std::make_shared<const State<CheckedInt>>(start);
    };
    EXPECT_FALSE(suits(alike(1), JoinShortestQueue{}, with_a_task));
}

/// The cluster on which every other type is slower by a thousandth: two rows of rates, that differ by next to nothing.
SimulatedSystem in_two_rows(const SimulatedSystem& system) {
    InstanceData data = system.instance->data();
    for (std::size_t t = 0; t < data.types.size(); t += 2)
        for (const LevelInfo& level : data.levels)
            data.types[t].rates.push_back(level.rate * Rational(Integer(1000), Integer(1001)));
    return {std::make_shared<const Instance>(std::move(data))};
}

TEST(EventPolicies, AsksNobodyInVainWhereTypesHaveRatesOfTheirOwn) {
    const SimulatedSystem system = in_two_rows(racks(8));
    ASSERT_EQ(system.instance->rate_rows(), 2U);
    asks_nobody_in_vain<BalancedPandasIdle>(system);
}

/// A cluster on which all types have rates of their own is the one whose levels have these rates.
TEST(EventPolicies, ServesTypesAtTheirOwnRates) {
    const SimulatedSystem by_level = racks(6);
    const auto by_type = [&](const std::vector<Rational>& rates) {
        InstanceData data = by_level.instance->data();
        for (LevelInfo& level : data.levels) level.rate /= Rational(2);
        for (TaskType& type : data.types) type.rates = rates;
        return SimulatedSystem{std::make_shared<const Instance>(std::move(data))};
    };
    std::vector<Rational> rates, slower;
    for (const LevelInfo& level : by_level.instance->data().levels) {
        rates.push_back(level.rate);
        slower.push_back(level.rate * Rational(Integer(2), Integer(3)));
    }
    for (const AnyPolicy& policy : {AnyPolicy(GeneralizedCmu{}), AnyPolicy(BalancedPandas{})}) {
        const auto delay_of = [&](const SimulatedSystem& system) {
            return mean(make_event_experiment(settings(system, policy, 1, 40'000))->run({2, 0}, {}), 0);
        };
        const double expected = delay_of(by_level);
        EXPECT_NEAR(delay_of(by_type(rates)) / expected, 1, 0.05) << policy.info().id;
        EXPECT_GT(delay_of(by_type(slower)) / expected, 1.2) << policy.info().id;
        EXPECT_NEAR(delay_of(in_two_rows(by_level)) / expected, 1, 0.05) << policy.info().id;
    }
}

/// One row of rates is one queue per level: the run is the same, number by number.
TEST(EventPolicies, IsTheSameWhereverARowOfRatesStands) {
    const SimulatedSystem by_level = racks(6);
    InstanceData data = by_level.instance->data();
    for (TaskType& type : data.types)
        for (const LevelInfo& level : data.levels) type.rates.push_back(level.rate);
    for (LevelInfo& level : data.levels) level.rate /= Rational(2);
    const SimulatedSystem by_type{std::make_shared<const Instance>(std::move(data))};
    const auto run = [](const SimulatedSystem& system) {
        return make_event_experiment(settings(system, BalancedPandas{}, 1, 4000))->run({2, 0}, {});
    };
    EXPECT_EQ(run(by_type), run(by_level));
}

}  // namespace
}  // namespace schedproof::simulation
