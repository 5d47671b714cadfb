/// Task types with rates of their own: what an instance demands of them, which policies run on one, and the kernel's
/// law at states where it is known.
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "model/core/errors.hpp"
#include "policies/queueing/exact.hpp"
#include "policies/queueing/registry.hpp"
#include "tests/support/instances.hpp"

namespace schedproof::queueing {
namespace {

using testing_support::q;

/// Two servers, the first of which holds the data of both types; C runs at the second half as fast, A much slower.
InstanceData one_home() {
    InstanceData data;
    data.name = "one-home";
    data.levels = {{"local", q("2/5")}, {"remote", q("1/40")}};
    data.servers = {{"s0", {}}, {"s1", {}}};
    data.types = {{"A", {ServerId(0)}}, {"C", {ServerId(0)}}};
    data.types[1].rates = {q("2/5"), q("1/5")};
    const std::vector<Rational> lambda{q("3/10"), q("1/4")};
    data.arrivals = ArrivalLaw::single(lambda);
    return data;
}

std::string key_of_error(const std::function<void()>& use) {
    try {
        use();
    } catch (const InputError& error) {
        return error.place().key;
    }
    return "none";
}

TEST(TypeRates, AreThoseOfTheTypeAtItsLevels) {
    const Instance instance(one_home());
    const TaskTypeId a(0), c(1);
    EXPECT_TRUE(instance.rates_by_type());
    EXPECT_EQ(instance.rate(a, Level(1)), q("1/40"));
    EXPECT_EQ(instance.rate(c, Level(1)), q("1/5"));
    EXPECT_EQ(instance.rate(c, ServerId(0)), q("2/5"));
    EXPECT_EQ(instance.rate(c, ServerId(1)), q("1/5"));
    EXPECT_EQ(instance.rate_table(), (std::vector<Rational>{q("2/5"), q("1/40"), q("2/5"), q("1/5")}));
}

TEST(TypeRates, ThatAreThoseOfTheLevelsAreNone) {
    InstanceData data = one_home();
    data.types[1].rates = {q("2/5"), q("1/40")};
    const Instance instance(std::move(data));
    EXPECT_FALSE(instance.rates_by_type());
    EXPECT_TRUE(instance.type(TaskTypeId(1)).rates.empty());
    EXPECT_EQ(instance.rate_table(), (std::vector<Rational>{q("2/5"), q("1/40")}));
}

TEST(TypeRates, AreAsThoseOfLevels) {
    const auto key = [](std::vector<Rational> rates) {
        return key_of_error([&] {
            InstanceData data = one_home();
            data.types[1].rates = std::move(rates);
            static_cast<void>(Instance(std::move(data)));
        });
    };
    EXPECT_EQ(key({q("1"), q("1/5")}), "none");
    EXPECT_NE(key({q("2/5")}), "none");
    EXPECT_NE(key({q("2/5"), q("1/5"), q("1/10")}), "none");
    EXPECT_NE(key({q("2/5"), q("2/5")}), "none");
    EXPECT_NE(key({q("1/5"), q("2/5")}), "none");
    EXPECT_NE(key({q("6/5"), q("2/5")}), "none");
    EXPECT_NE(key({q("2/5"), q("0")}), "none");
}

TEST(TypeRates, AreOneRowOfTheTableForEachListOfRates) {
    const auto rows = [](const std::vector<std::vector<Rational>>& rates) {
        InstanceData data = one_home();
        data.types.clear();
        for (const auto& own : rates) {
            data.types.push_back({"t" + std::to_string(data.types.size()), {ServerId(0)}});
            data.types.back().rates = own;
        }
        data.arrivals.reset();
        data.rates.assign(rates.size(), q("1/10"));
        return Instance(std::move(data));
    };
    const std::vector<Rational> slow{q("1/5"), q("1/10")}, fast{q("1"), q("1/2")};
    const Instance three = rows({slow, {}, fast, slow, {}});
    EXPECT_EQ(three.rate_rows(), 3U);
    std::vector<std::size_t> row;
    for (const TaskTypeId type : three.types()) row.push_back(three.row(type));
    EXPECT_EQ(row, (std::vector<std::size_t>{0, 1, 2, 0, 1}));
    EXPECT_EQ(three.first_type(2), TaskTypeId(2));
    EXPECT_EQ(three.rate_table(), (std::vector<Rational>{q("1/5"), q("1/10"), q("2/5"), q("1/40"), q("1"), q("1/2")}));
    const Instance one = rows({slow, slow});
    EXPECT_TRUE(one.rates_by_type());
    EXPECT_EQ(one.rate_table(), slow);
    EXPECT_EQ(rows(std::vector<std::vector<Rational>>(2)).rate_table(), (std::vector<Rational>{q("2/5"), q("1/40")}));
}

TEST(TypeRates, RunUnderPoliciesWhoseQueuesTellThem) {
    const Instance instance(one_home());
    for (const PolicyInfo& info : policies()) {
        const Rules* rules = find_rules(info.id);
        if (rules == nullptr) continue;  // the rules of a plan's policy are made with the plan
        const std::string key = key_of_error([&] { static_cast<void>(rules->layout(instance)); });
        const bool tell =
            rules->arrangement() == Arrangement::per_type || rules->arrangement() == Arrangement::per_server_and_level;
        EXPECT_EQ(key == "none", tell) << info.id << ' ' << key;
    }
}

TEST(TypeRates, AreThoseOfAQueueOfItsOwnAtEveryServerAndLevel) {
    const Instance instance(one_home());
    const Layout layout = find_rules("balanced-pandas")->layout(instance);
    std::vector<std::string> names;
    std::vector<Rational> rates;
    for (const QueueId queue : IdRange<QueueId>(layout.queues())) {
        names.push_back(layout.name(instance, queue));
        const ServerId m = layout.owner(queue);
        rates.push_back(layout.service_rate(instance, queue, m));
        EXPECT_EQ(layout.queue(m, layout.service_level(instance, queue, m), layout.row(queue)), queue);
    }
    EXPECT_EQ(names, (std::vector<std::string>{"s0.local.A", "s0.remote.A", "s0.local.C", "s0.remote.C", "s1.local.A",
                                               "s1.remote.A", "s1.local.C", "s1.remote.C"}));
    const std::vector<Rational> of_a_server{q("2/5"), q("1/40"), q("2/5"), q("1/5")};
    std::vector<Rational> expected = of_a_server;
    expected.insert(expected.end(), of_a_server.begin(), of_a_server.end());
    EXPECT_EQ(rates, expected);
    EXPECT_THROW(static_cast<void>(layout.queue(ServerId(0), Level(0))), ContractViolation);
    std::vector<std::size_t> own;
    for (const QueueId queue : layout.queues_of(ServerId(1))) own.push_back(queue.index());
    EXPECT_EQ(own, (std::vector<std::size_t>{4, 5, 6, 7}));
    // With one list of rates the queues are those of the levels, whichever rates these are.
    InstanceData alike = one_home();
    alike.types[0].rates = alike.types[1].rates;
    const Instance same(std::move(alike));
    const Layout plain = find_rules("balanced-pandas")->layout(same);
    ASSERT_EQ(plain.queues(), 4U);
    EXPECT_EQ(plain.name(same, QueueId(3)), "s1.remote");
    EXPECT_EQ(plain.service_rate(same, QueueId(3), ServerId(1)), q("1/5"));
}

TEST(TypeRates, RefuseRulesThatNameTheRateOfALevel) {
    using namespace language;
    const Instance instance(one_home());
    const auto rules = [](const auto& served) {
        return Rules{keep(Arrangement::per_type), language::route(own_type), language::serve(served)};
    };
    EXPECT_NO_THROW(static_cast<void>(rules(argmax(nonempty(reachable), rate * length)).layout(instance)));
    const auto local = rules(argmax(nonempty(reachable), local_rate * length));
    EXPECT_THROW(static_cast<void>(local.layout(instance)), InputError);
    const auto remote = rules(where(nonempty(reachable), rate * length >= remote_rate * tasks(9)));
    EXPECT_THROW(static_cast<void>(remote.layout(instance)), InputError);
    const Instance plain = testing_support::two_servers("4/5", "1/5", "1/2", "1/2");
    EXPECT_NO_THROW(static_cast<void>(local.layout(plain)));
}

/// Probability that a task completes in a slot from the state.
Rational completes(const Instance& instance, const ExactState& state, const std::string& policy = "generalized-cmu") {
    const ExactSystem system(instance, make_policy(policy, instance, {}));
    Rational sum;
    for (const Move& move : system.moves(state))
        if (move.slot.completed > 0) sum += move.probability;
    return sum;
}

TEST(TypeRates, DecideWhatCompletesInASlot) {
    InstanceData data = one_home();
    const std::vector<Rational> none{q("0"), q("0")};
    data.arrivals = ArrivalLaw::bernoulli(none);
    const Instance instance(std::move(data));
    const auto served_remotely = [&](std::size_t type) {
        ExactState state;
        state.length.assign(2, CheckedInt(0));
        state.length[type] = CheckedInt(1);
        state.serving.assign(2, Service{});
        state.serving[1] = {Service::Status::busy, Level(1), QueueId(type)};
        return state;
    };
    EXPECT_EQ(completes(instance, served_remotely(0)), q("1/40"));
    EXPECT_EQ(completes(instance, served_remotely(1)), q("1/5"));
}

TEST(TypeRates, DecideWhomAServerServes) {
    const Instance instance(one_home());
    const ExactSystem system(instance, make_policy("generalized-cmu", instance, {}));
    const auto served = [&](std::int64_t of_a, std::int64_t of_c) {
        ExactState state = system.initial();
        state.length[0] = CheckedInt(of_a);
        state.length[1] = CheckedInt(of_c);
        std::vector<std::size_t> queues;
        for (const Candidate& c : system.serve(state, ServerId(1))) queues.push_back(c.queue.index());
        return queues;
    };
    // Server 1: Q_A / 40 against Q_C / 5.
    EXPECT_EQ(served(7, 1), (std::vector<std::size_t>{1}));
    EXPECT_EQ(served(8, 1), (std::vector<std::size_t>{0, 1}));
    EXPECT_EQ(served(9, 1), (std::vector<std::size_t>{0}));
}

// ---- Balanced-Pandas ----

using Names = std::vector<std::string>;

/// Two servers under Balanced-Pandas: what is asked of it at lengths by name.
class Balanced {
  public:
    explicit Balanced(const std::string& policy = "balanced-pandas")
        : instance_(one_home()), system_(instance_, make_policy(policy, instance_, {})) {}

    [[nodiscard]] QueueId named(const std::string& name) const {
        for (const QueueId queue : IdRange<QueueId>(system_.layout().queues()))
            if (system_.layout().name(instance_, queue) == name) return queue;
        throw ContractViolation("unknown queue");
    }
    [[nodiscard]] ExactState at(const std::vector<std::pair<std::string, std::int64_t>>& lengths) const {
        ExactState state = system_.initial();
        for (const auto& [name, length] : lengths) state.length[named(name).index()] = CheckedInt(length);
        return state;
    }
    [[nodiscard]] Names route(const ExactState& state, std::size_t type) const {
        return names(system_.route(state, TaskTypeId(type)));
    }
    [[nodiscard]] Names serve(const ExactState& state, std::size_t server) const {
        return names(system_.serve(state, ServerId(server)));
    }

  private:
    [[nodiscard]] Names names(const std::vector<Candidate>& answer) const {
        Names all;
        for (const Candidate& c : answer) all.push_back(system_.layout().name(instance_, c.queue));
        return all;
    }

    const Instance instance_;
    const ExactSystem system_;
};

TEST(TypeRates, DecideWhichServerATaskJoins) {
    const Balanced policy;
    // n tasks of A at server 0, one of C at server 1: W = (5/2 n, 5). A compares 5/2 W_0 with 40 W_1, C with 5 W_1.
    const auto joins = [&](std::int64_t n, std::size_t type) {
        return policy.route(policy.at({{"s0.local.A", n}, {"s1.remote.C", 1}}), type);
    };
    EXPECT_EQ(joins(3, 1), (Names{"s0.local.C"}));
    EXPECT_EQ(joins(4, 1), (Names{"s0.local.C", "s1.remote.C"}));
    EXPECT_EQ(joins(5, 1), (Names{"s1.remote.C"}));
    EXPECT_EQ(joins(31, 0), (Names{"s0.local.A"}));
    EXPECT_EQ(joins(32, 0), (Names{"s0.local.A", "s1.remote.A"}));
    EXPECT_EQ(joins(33, 0), (Names{"s1.remote.A"}));
    // One of A at server 1 is as much work as eight of C: W_1 = 40.
    const auto beside_a = [&](std::int64_t n, std::size_t type) {
        return policy.route(policy.at({{"s0.local.C", n}, {"s1.remote.A", 1}}), type);
    };
    EXPECT_EQ(beside_a(31, 1), (Names{"s0.local.C"}));
    EXPECT_EQ(beside_a(32, 1), (Names{"s0.local.C", "s1.remote.C"}));
    EXPECT_EQ(beside_a(256, 0), (Names{"s0.local.A", "s1.remote.A"}));
}

TEST(TypeRates, AreNoPriorityWithinALevel) {
    const Balanced policy;
    EXPECT_EQ(policy.serve(policy.at({{"s1.remote.A", 1}, {"s1.remote.C", 9}}), 1),
              (Names{"s1.remote.A", "s1.remote.C"}));
    EXPECT_EQ(policy.serve(policy.at({{"s0.local.C", 1}, {"s0.remote.A", 9}}), 0), (Names{"s0.local.C"}));
    EXPECT_EQ(policy.serve(policy.at({}), 1), (Names{"s1.local.A", "s1.local.C"}));
    const Balanced idle("balanced-pandas:idle");
    EXPECT_EQ(idle.serve(idle.at({}), 1), Names{});
}

TEST(TypeRates, DecideWhatCompletesAtAServerWithQueuesPerLevel) {
    InstanceData data = one_home();
    const std::vector<Rational> none{q("0"), q("0")};
    data.arrivals = ArrivalLaw::bernoulli(none);
    const Instance instance(std::move(data));
    const Balanced names;
    const auto served = [&](const std::string& queue, std::size_t server, Level level) {
        ExactState state = names.at({{queue, 1}});
        state.serving[server] = {Service::Status::busy, level, names.named(queue)};
        return completes(instance, state, "balanced-pandas");
    };
    EXPECT_EQ(served("s1.remote.A", 1, Level(1)), q("1/40"));
    EXPECT_EQ(served("s1.remote.C", 1, Level(1)), q("1/5"));
    EXPECT_EQ(served("s0.local.C", 0, Level(0)), q("2/5"));
}

}  // namespace
}  // namespace schedproof::queueing
