/// The simulator in continuous time against recursions and known runs; what must not depend on how it is run.
///
/// Longer than 400 lines because every test plays runs of the small clusters that stand first.
#include "experiments/simulators/events/event_loop.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <limits>
#include <thread>

#include "experiments/command/families/instance_file.hpp"
#include "model/core/errors.hpp"
#include "model/queueing/chain.hpp"
#include "model/queueing/codec/codec.hpp"
#include "policies/queueing/balanced_pandas.hpp"
#include "policies/queueing/fifo.hpp"
#include "policies/queueing/fluid_model_planning.hpp"
#include "policies/queueing/generalized_cmu.hpp"
#include "policies/queueing/join_shortest_queue.hpp"
#include "policies/queueing/jsq_maxweight.hpp"
#include "policies/queueing/pandas.hpp"
#include "policies/queueing/random_baselines.hpp"
#include "policies/queueing/wang_jsq_maxweight.hpp"
#include "tests/support/changed_policy.hpp"

namespace schedproof::simulation {
namespace {

using namespace queueing;

/// Servers in racks of two; type t has data on servers t and t + 1; rates 1, 1/2, 1/4.
System racks(std::size_t servers) {
    InstanceData data;
    data.name = "racks";
    data.levels = {{"local", Rational(1)},
                   {"rack", Rational(Integer(1), Integer(2))},
                   {"remote", Rational(Integer(1), Integer(4))}};
    for (std::size_t m = 0; m < servers; ++m) {
        data.servers.push_back({"s" + std::to_string(m), {"r" + std::to_string(m / 2)}});
        data.types.push_back({"t" + std::to_string(m), {ServerId(m)}});
        if (m + 1 < servers) data.types.back().replicas.emplace_back(m + 1);
        data.rates.emplace_back(Integer(m + 1), Integer(10));
    }
    return {std::make_shared<const Instance>(std::move(data))};
}

/// Servers of rate 1, data everywhere.
System alike(std::size_t servers) {
    InstanceData data;
    data.name = "alike";
    data.levels = {{"local", Rational(1)}, {"remote", Rational(Integer(1), Integer(2))}};
    data.types = {{"any", {}}};
    for (std::size_t m = 0; m < servers; ++m) {
        data.servers.push_back({"s" + std::to_string(m), {}});
        data.types[0].replicas.emplace_back(m);
    }
    data.rates = {Rational(1)};
    return {std::make_shared<const Instance>(std::move(data))};
}

EventSettings settings(System system, AnyPolicy policy, double mean_gap, double duration) {
    EventSettings s{std::move(system), std::move(policy)};
    s.gap = workload::Exponential{mean_gap};
    s.size = workload::Gamma{2, 0.5};
    s.duration = duration;
    s.batches = 10;
    return s;
}

Tally total(const Observation& seen, std::size_t quantity) {
    Tally sum;
    for (const Batch& batch : seen.batches) sum.add(batch.tallies[quantity].sum, batch.tallies[quantity].weight);
    return sum;
}
double mean(const Observation& seen, std::size_t quantity) {
    const Tally sum = total(seen, quantity);
    return sum.sum / sum.weight;
}

/// Tasks in order of arrival on servers that are alike: each starts when it is there and a server is free.
struct InOrder {
    double delay = 0, wait = 0, busy = 0, area = 0;
    std::uint64_t tasks = 0;
    InOrder(const EventSettings& s, std::size_t servers, const statistics::Replication& replication) {
        workload::Draws gap(s.gap, statistics::Stream(replication, "arrivals")),
            size(s.size, statistics::Stream(replication, "sizes"));
        std::vector<double> free(servers, 0);
        for (double now = gap(); now < s.duration; now += gap()) {
            double& server = *std::min_element(free.begin(), free.end());
            const double start = std::max(now, server);
            server = start + size();
            busy += std::max(0.0, std::min(server, s.duration) - std::min(start, s.duration));
            area += std::min(server, s.duration) - now;
            if (server >= s.duration) continue;
            ++tasks;
            delay += server - now;
            wait += start - now;
        }
    }
};

TEST(EventLoop, AgreesWithTheRecursionOfQueuesInOrderOfArrival) {
    for (const std::size_t servers : {1U, 2U, 7U})
        for (std::uint64_t r = 0; r < 3; ++r) {
            const EventSettings s = settings(alike(servers), Fifo{}, 1.2 / static_cast<double>(servers), 2000);
            const Observation seen = make_event_experiment(s)->run({5, r}, {});
            const InOrder oracle(s, servers, {5, r});
            EXPECT_EQ(seen.work, oracle.tasks);
            EXPECT_EQ(total(seen, 0).weight, static_cast<double>(oracle.tasks));
            EXPECT_NEAR(total(seen, 0).sum, oracle.delay, 1e-6);
            EXPECT_NEAR(total(seen, 1).sum, oracle.wait, 1e-6);
            EXPECT_NEAR(total(seen, 2).sum, oracle.area, 1e-6);
            EXPECT_NEAR(total(seen, 4).sum, oracle.busy, 1e-6);
            std::uint64_t counted = 0;
            for (const Batch& batch : seen.batches) counted += batch.histograms[0].total();
            EXPECT_EQ(counted, oracle.tasks);
        }
}

/// Lengths and services of the start for a policy with a queue per server.
StartState tasks_at(std::vector<std::int64_t> tasks, const std::vector<bool>& busy) {
    ExactState start;
    for (const std::int64_t n : tasks) start.length.emplace_back(n);
    for (std::size_t m = 0; m < busy.size(); ++m)
        start.serving.push_back(busy[m] ? Service{Service::Status::busy, Level(0), QueueId(m)} : Service{});
    return std::make_shared<const ExactState>(start);
}

/// A task comes at 1, 2, ... and takes a unit of time: seven of the start leave at 1, ..., 7, and the i-th that comes
/// starts at i + 6. Only tasks that come have a delay.
TEST(EventLoop, TasksOfTheStartCountInTheSystemAndNotInDelays) {
    for (const bool busy : {false, true}) {
        EventSettings s = settings(alike(1), JoinShortestQueue{}, 1, 20.5);
        s.gap = s.size = workload::Constant{1};
        s.batches = 1;
        s.start = tasks_at({7}, {busy});
        const Observation seen = make_event_experiment(s)->run({1, 0}, {});
        EXPECT_EQ(seen.work, 20U);
        EXPECT_EQ(total(seen, 0), (Tally{7 * 13, 13}));
        EXPECT_EQ(total(seen, 1), (Tally{6 * 13, 13}));
        EXPECT_EQ(total(seen, 2), (Tally{7 * 20.5, 20.5}));
        EXPECT_EQ(total(seen, 3), (Tally{0, 20.5}));
        EXPECT_EQ(total(seen, 4), (Tally{20.5, 20.5}));
    }
}

/// All tasks at one server of two: the other helps at once where the policy lets it, and never where it does not.
TEST(EventLoop, IdleServersAreAskedAtTheStart) {
    for (const bool helps : {false, true}) {
        const AnyPolicy policy = helps ? AnyPolicy(JsqMaxWeight{}) : AnyPolicy(JoinShortestQueue{});
        EventSettings s = settings(alike(2), policy, 1, 12);
        s.gap = workload::Constant{100};
        s.size = workload::Constant{1};
        s.batches = 1;
        s.start = tasks_at({6, 0}, {false, false});
        const Observation seen = make_event_experiment(s)->run({1, 0}, {});
        // With help, at half the rate, four tasks end at 1, 2, 3, 4 and two at 2, 4.
        EXPECT_EQ(seen.work, 6U);
        EXPECT_EQ(total(seen, 4), (helps ? Tally{8, 24} : Tally{6, 24}));
        EXPECT_EQ(total(seen, 0).weight, 0);
    }
    EventSettings s = settings(alike(2), JoinShortestQueue{}, 1, 12);
    ExactState phantom = *tasks_at({1, 0}, {true, false});
    phantom.serving[1] = {Service::Status::phantom, Level(0), QueueId(1)};
    s.start = std::make_shared<const ExactState>(phantom);
    EXPECT_THROW(static_cast<void>(make_event_experiment(s)), InputError);
    s.start = tasks_at({1, 0}, {true, false});
    s.trace = std::make_shared<const input::JobTrace>(input::JobTrace{{{0, 3, 2}}, 0, 0, {}});
    EXPECT_THROW(static_cast<void>(make_event_experiment(s)), InputError);
}

TEST(EventLoop, PlaysATraceByHand) {
    EventSettings s = settings(alike(2), Fifo{}, 1, 20);
    // At 0 three tasks of 2 s: on two servers they end at 2, 2, 4. At 3 one of 5 s on the free server: 8.
    s.trace = std::make_shared<const input::JobTrace>(input::JobTrace{{{0, 3, 2}, {3, 1, 5}}, 0, 0, {}});
    s.batches = 2;
    const auto experiment = make_event_experiment(s);
    const Observation seen = experiment->run({1, 0}, {});
    EXPECT_EQ(seen.work, 4U);
    EXPECT_EQ(seen.batches[0].tallies[0], (Tally{2 + 2 + 4 + 5, 4}));
    EXPECT_EQ(seen.batches[0].tallies[1], (Tally{2, 4}));
    EXPECT_EQ(seen.batches[0].tallies[2], (Tally{3 * 2 + 1 * 2 + 1 + 4, 10}));
    EXPECT_EQ(seen.batches[0].tallies[4], (Tally{4 + 2 + 5, 20}));
    EXPECT_EQ(seen.batches[1].tallies[0], (Tally{0, 0}));
    EXPECT_EQ(experiment->quantities()[0].tick, 11.0 / 4 / 1000);
}

TEST(EventLoop, ATraceEndsWithItsLastTask) {
    EventSettings s = settings(alike(1), Fifo{}, 1, 4);
    // On one server: 0-1; 2-4, 4-6, 6-8; 8-9. The last job comes after the duration, so not at all.
    s.trace = std::make_shared<const input::JobTrace>(
        input::JobTrace{{{0, 1, 1}, {2, 3, 2}, {4, 1, 1}, {4.5, 1, 1}}, 0, 0, {}});
    s.batches = 2;
    const Observation seen = make_event_experiment(s)->run({1, 0}, {});
    EXPECT_EQ(seen.work, 5U);
    ASSERT_EQ(seen.batches.size(), 2U);
    const auto tallies = [&](std::size_t batch) {
        const auto& all = seen.batches[batch].tallies;
        return std::vector<Tally>(all.begin(), all.begin() + 5);
    };
    EXPECT_EQ(tallies(0), (std::vector<Tally>{{1, 1}, {0, 1}, {1, 2}, {0, 2}, {1, 2}}));
    EXPECT_EQ(tallies(1),
              (std::vector<Tally>{{2 + 4 + 6 + 5, 4}, {2 + 4 + 4, 4}, {3 * 4 + 2 * 2 + 1, 7}, {0, 7}, {7, 7}}));
}

TEST(EventLoop, TellsHowFastTheNumberOfTasksGrows) {
    EventSettings s = settings(alike(1), Fifo{}, 1, 100);
    s.gap = workload::Constant{0.5};
    s.size = workload::Constant{1};
    const auto experiment = make_event_experiment(s);
    EXPECT_EQ(experiment->quantities()[3].name, "growth of tasks in system");
    // Tasks come at 1/2, 1, ..., 99 1/2 and complete at 3/2, 5/2, ..., 99 1/2.
    EXPECT_EQ(total(experiment->run({1, 0}, {}), 3), (Tally{199 - 99, 100}));
}

/// Data on servers 23..39 of two racks of twenty: too many to ask each, and the nearest are found all the same.
TEST(EventLoop, AsksTheNearestOfManyReplicas) {
    InstanceData data;
    data.name = "many";
    data.levels = {{"local", Rational(1)},
                   {"rack", Rational(Integer(1), Integer(2))},
                   {"remote", Rational(Integer(1), Integer(4))}};
    data.types = {{"any", {}}};
    for (std::size_t m = 0; m < 40; ++m) {
        data.servers.push_back({"s" + std::to_string(m), {"r" + std::to_string(m / 20)}});
        if (m >= 23) data.types[0].replicas.emplace_back(m);
    }
    data.rates = {Rational(1)};
    const System system{std::make_shared<const Instance>(std::move(data))};
    for (const AnyPolicy& policy : {AnyPolicy(Fifo{}), AnyPolicy(GeneralizedCmu{})}) {
        EventSettings s = settings(system, policy, 1, 10);
        s.trace = std::make_shared<const input::JobTrace>(input::JobTrace{{{0, 22, 1}}, 0, 0, {}});
        const Observation seen = make_event_experiment(s)->run({1, 0}, {});
        const std::size_t first = seen.batches[0].tallies.size() - 3;
        EXPECT_EQ(total(seen, first).sum, 17);
        EXPECT_EQ(total(seen, first + 1).sum, 3);
        EXPECT_EQ(total(seen, first + 2).sum, 2);
    }
}

TEST(EventLoop, EveryIdleServerHelpsAQueueThatIsWorthIt) {
    InstanceData data;
    data.name = "helpers";
    data.levels = {{"local", Rational(1)}, {"remote", Rational(Integer(1), Integer(4))}};
    for (std::size_t m = 0; m < 4; ++m) data.servers.push_back({"s" + std::to_string(m), {}});
    data.types = {{"A", {ServerId(0)}}};
    data.rates = {Rational(1)};
    EventSettings s = settings({std::make_shared<const Instance>(std::move(data))}, PandasPlain{}, 1, 10);
    // Help pays from four tasks on: then the three other servers start one each.
    s.trace = std::make_shared<const input::JobTrace>(input::JobTrace{{{0, 4, 1}}, 0, 0, {}});
    const Observation seen = make_event_experiment(s)->run({1, 0}, {});
    EXPECT_EQ(total(seen, 0), (Tally{1 + 3 * 4, 4}));
    EXPECT_EQ(total(seen, 1), (Tally{0, 4}));
}

TEST(EventLoop, CompletionsComeBeforeTheArrivalOfTheSameInstant) {
    EventSettings s = settings(alike(1), Fifo{}, 1, 10);
    s.gap = workload::Constant{1};
    s.size = workload::Constant{1};
    const Observation seen = make_event_experiment(s)->run({1, 0}, {});
    EXPECT_EQ(total(seen, 1).sum, 0);
    EXPECT_EQ(mean(seen, 2), 0.9);
}

std::vector<AnyPolicy> simulated(const Instance& instance, bool types) {
    std::vector<AnyPolicy> all{WangJsqMaxWeight{}, JsqMaxWeight{},       PandasPlain{}, PandasRackaware{},
                               BalancedPandas{},   BalancedPandasIdle{}, Fifo{},        RandomLocal{},
                               RandomAny{},        JoinShortestQueue{}};
    static_cast<void>(instance);
    if (types) all.emplace_back(GeneralizedCmu{});
    return all;
}

std::string id_of(const AnyPolicy& policy) { return std::string(policy.info().id); }

TEST(EventLoop, KeepsTheLawsOfQueuesUnderEveryPolicy) {
    RandomCluster random;
    random.servers = 20;
    random.data_servers = 16;
    random.rack_size = 5;
    random.rates = {Rational(1), Rational(Integer(1), Integer(2)), Rational(Integer(1), Integer(4))};
    for (const System& system : {racks(8), random_cluster(random, PoissonArrivals{Rational(1)})})
        for (const AnyPolicy& policy : simulated(*system.instance, !system.random)) {
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
          source_(plan.settings, plan.types, plan.shares.front(), replication),
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
System uneven_racks() {
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

TEST(EventLoop, HelpsAsPandasSays) {
    for (const bool rackaware : {false, true}) {
        const AnyPolicy policy = rackaware ? AnyPolicy(PandasRackaware{}) : PandasPlain{};
        for (const System& system : {racks(8), uneven_racks()}) {
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
void asks_nobody_in_vain(const System& system) {
    const AnyPolicy policy = Policy{}, unknown = testing_support::in_other_words(Policy{});
    ASSERT_NE(policy.decisions().serving, ServingRule::unspecified);
    ASSERT_EQ(unknown.decisions().serving, ServingRule::unspecified);
    const EventPlan plan = make_event_plan(settings(system, policy, 0.5, 3000));
    EXPECT_EQ(EventLoop<AnyRules>(plan, policy, {9, 0}).run({}), EventLoop<AnyRules>(plan, unknown, {9, 0}).run({}))
        << Policy::info.id;
}

TEST(EventLoop, AsksNobodyInVain) {
    asks_nobody_in_vain<JoinShortestQueue>(racks(8));
    asks_nobody_in_vain<RandomLocal>(racks(8));
    asks_nobody_in_vain<RandomAny>(racks(8));
    asks_nobody_in_vain<BalancedPandas>(racks(8));
    asks_nobody_in_vain<BalancedPandasIdle>(racks(8));
    // Not Wang: which of several idle servers takes a task of the common queue, the nearest or the first, is a choice.
}

TEST(EventLoop, GivesTheSameOnAnyThreadWhateverRanBefore) {
    const auto experiment = make_event_experiment(settings(racks(8), JsqMaxWeight{}, 0.4, 2000));
    const Observation first = experiment->run({2, 0}, {}), other = experiment->run({2, 1}, {});
    EXPECT_FALSE(first == other);
    Observation on_thread;
    std::vector<double> parts;
    std::thread thread([&] { on_thread = experiment->run({2, 0}, [&](double part) { parts.push_back(part); }); });
    EXPECT_EQ(experiment->run({2, 1}, {}), other);
    thread.join();
    EXPECT_EQ(on_thread, first);
    EXPECT_EQ(parts.size(), 10U);
    EXPECT_EQ(parts.back(), 1);
}

/// The cluster on which every other type is slower by a thousandth: two rows of rates, that differ by next to nothing.
System in_two_rows(const System& system) {
    InstanceData data = system.instance->data();
    for (std::size_t t = 0; t < data.types.size(); t += 2)
        for (const LevelInfo& level : data.levels)
            data.types[t].rates.push_back(level.rate * Rational(Integer(1000), Integer(1001)));
    return {std::make_shared<const Instance>(std::move(data))};
}

TEST(EventLoop, AsksNobodyInVainWhereTypesHaveRatesOfTheirOwn) {
    const System system = in_two_rows(racks(8));
    ASSERT_EQ(system.instance->rate_rows(), 2U);
    asks_nobody_in_vain<BalancedPandasIdle>(system);
}

/// A cluster on which all types have rates of their own is the one whose levels have these rates.
TEST(EventLoop, ServesTypesAtTheirOwnRates) {
    const System by_level = racks(6);
    const auto by_type = [&](const std::vector<Rational>& rates) {
        InstanceData data = by_level.instance->data();
        for (LevelInfo& level : data.levels) level.rate /= Rational(2);
        for (TaskType& type : data.types) type.rates = rates;
        return System{std::make_shared<const Instance>(std::move(data))};
    };
    std::vector<Rational> rates, slower;
    for (const LevelInfo& level : by_level.instance->data().levels) {
        rates.push_back(level.rate);
        slower.push_back(level.rate * Rational(Integer(2), Integer(3)));
    }
    for (const AnyPolicy& policy : {AnyPolicy(GeneralizedCmu{}), AnyPolicy(BalancedPandas{})}) {
        const auto delay_of = [&](const System& system) {
            return mean(make_event_experiment(settings(system, policy, 1, 40'000))->run({2, 0}, {}), 0);
        };
        const double expected = delay_of(by_level);
        EXPECT_NEAR(delay_of(by_type(rates)) / expected, 1, 0.05) << policy.info().id;
        EXPECT_GT(delay_of(by_type(slower)) / expected, 1.2) << policy.info().id;
        EXPECT_NEAR(delay_of(in_two_rows(by_level)) / expected, 1, 0.05) << policy.info().id;
    }
}

/// One row of rates is one queue per level: the run is the same, number by number.
TEST(EventLoop, IsTheSameWhereverARowOfRatesStands) {
    const System by_level = racks(6);
    InstanceData data = by_level.instance->data();
    for (TaskType& type : data.types)
        for (const LevelInfo& level : data.levels) type.rates.push_back(level.rate);
    for (LevelInfo& level : data.levels) level.rate /= Rational(2);
    const System by_type{std::make_shared<const Instance>(std::move(data))};
    const auto run = [](const System& system) {
        return make_event_experiment(settings(system, BalancedPandas{}, 1, 4000))->run({2, 0}, {});
    };
    EXPECT_EQ(run(by_type), run(by_level));
}

TEST(EventLoop, RefusesWhatItCannotRun) {
    const auto complaint = [](const EventSettings& s) -> std::string {
        try {
            static_cast<void>(make_event_experiment(s));
        } catch (const InputError& error) {
            return error.place().key;
        }
        return "none";
    };
    const EventSettings sound = settings(racks(4), Fifo{}, 1, 100);
    EXPECT_EQ(complaint(sound), "none");
    const auto with = [&](auto change) {
        EventSettings s = sound;
        change(s);
        return complaint(s);
    };
    EXPECT_EQ(with([](auto& s) { s.duration = 0; }), "duration");
    EXPECT_EQ(with([](auto& s) { s.batches = 0; }), "batches");
    EXPECT_EQ(with([](auto& s) { s.tick = -1; }), "tick");
    EXPECT_EQ(with([](auto& s) { s.trace = std::make_shared<const input::JobTrace>(); }), "trace");
    EXPECT_EQ(with([](auto& s) { s.system.instance = nullptr; }), "system");
    EXPECT_EQ(with([](auto& s) {
                  s.system = alike(2);
                  s.system.random = RandomReplicas{2, 1};
                  s.policy = GeneralizedCmu{};
              }),
              "policy");
    const System two = alike(2);
    const FluidPlan plan{Rational(Integer(1), Integer(2)),
                         {{TaskTypeId(0), ServerId(0), Rational(Integer(1), Integer(2))},
                          {TaskTypeId(0), ServerId(1), Rational(Integer(1), Integer(2))}}};
    EXPECT_EQ(complaint(settings(two, FluidModelPlanningDeficit(*two.instance, plan), 1, 100)), "policy");
    EXPECT_EQ(complaint(settings(two, FluidModelPlanningStatic(*two.instance, plan), 1, 100)), "none");
    EXPECT_EQ(with([](auto& t) {
                  t.system = alike(2);
                  t.system.random = RandomReplicas{2, 1};
                  const FluidPlan whole{Rational(1), {{TaskTypeId(0), ServerId(0), Rational(1)}}};
                  t.policy = FluidModelPlanningStatic(*t.system.instance, whole);
              }),
              "policy");
    const auto halves = make_event_experiment(settings(two, FluidModelPlanningStatic(*two.instance, plan), 1, 4000));
    EXPECT_NEAR(mean(halves->run({1, 0}, {}), 4), 0.5, 0.05);
}

}  // namespace
}  // namespace schedproof::simulation
