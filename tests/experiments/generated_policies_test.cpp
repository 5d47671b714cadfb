/// Policies that nobody wrote, in the simulators: the law of the queue lengths after some slots is the exact kernel's,
/// and means in equilibrium are those of exact chains, in slots and in continuous time.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <optional>
#include <unordered_map>

#include "experiments/simulators/events/event_experiment.hpp"
#include "experiments/simulators/slotted/dense_run.hpp"
#include "experiments/simulators/slotted/slotted.hpp"
#include "experiments/simulators/slotted/slotted_experiment.hpp"
#include "model/core/errors.hpp"
#include "policies/queueing/balanced_pandas.hpp"
#include "tests/experiments/queueing_laws.hpp"
#include "tests/experiments/slotted_oracle.hpp"
#include "tests/model/generated_rules.hpp"
#include "tests/model/queueing_generators.hpp"

namespace schedproof::simulation {
namespace {

/// A p-value below the bound would come by chance in one of ten million cases.
TEST(GeneratedPolicies, HaveTheKernelsLawInTheSlottedSimulators) {
    EXPECT_TRUE(rc::check("queue lengths after some slots follow the exact law", [] {
        const queueing::Rules rules = *oracle::any_rules();
        const std::string like = oracle::policy_of_layout(rules);
        const SimulatedSystem system{std::make_shared<const queueing::Instance>(*oracle::small_instance(
            like,
            {{std::nullopt, std::nullopt, *rc::gen::inRange<std::size_t>(1, 3)}, !rules.names_rates_of_levels()}))};
        const queueing::AnyPolicy policy({"generated", "test", "drawn at random"}, rules);
        const auto truncation = *oracle::any_truncation();
        const int slots = *rc::gen::inRange(1, 3);
        constexpr std::uint64_t runs = 300;
        const auto exact = exact_lengths(queueing::ExactSystem(*system.instance, policy, truncation), slots);
        for (const bool delays : {false, true}) {
            SeenLengths seen;
            for (std::uint64_t r = 0; r < runs; ++r) {
                SlottedRun<> run(system, policy, {100, 1, delays, truncation}, {41, r});
                for (int t = 0; t < slots; ++t) run.step();
                ++seen[lengths_of(run)];
            }
            RC_ASSERT(fit(exact, seen, static_cast<double>(runs)) > 1e-7);
        }
        const SlottedSettings settings{100, 1, slots % 2 == 0, truncation};
        if (!dense_suits(system, policy)) return;
        SeenLengths seen;
        for (std::uint64_t r = 0; r < runs; ++r) {
            DenseRun run(system, policy, settings, {43, r});
            for (int t = 0; t < slots; ++t) run.step();
            ++seen[lengths_of(run)];
        }
        RC_ASSERT(fit(exact, seen, static_cast<double>(runs)) > 1e-7);
    }));
}

// ---- means in equilibrium ----

/// So many intervals that one of them misses by chance once in a million runs of all of these tests.
constexpr int policies_in_equilibrium = 12;
constexpr double confidence_of_one = 1 - 1e-6 / (4 * policies_in_equilibrium);

struct InEquilibrium {
    std::shared_ptr<const queueing::Instance> instance;
    queueing::AnyPolicy policy;
};

/// Two servers under the policy of a seed; at these rates, tasks come seldom.
InEquilibrium of_seed(std::uint64_t seed) {
    const queueing::Rules rules = oracle::any_rules()(rc::Random(seed), rc::kNominalSize).value();
    const auto wish = oracle::small_instance(oracle::policy_of_layout(rules), {{2, 2, 2}});
    queueing::InstanceData data = wish(rc::Random(seed), rc::kNominalSize).value().data();
    data.options.unmatched = queueing::Unmatched::idle;
    data.options.reveal = queueing::Reveal::on_arrival;  // two tasks may come in a slot
    data.options.empty_target = queueing::EmptyTarget::conserved;
    data.levels = {{"local", Rational(4) / Rational(5)}, {"remote", Rational(2) / Rational(5)}};
    data.rates = {Rational(1) / Rational(10), Rational(1) / Rational(10)};
    data.arrivals = queueing::ArrivalLaw::bernoulli(data.rates);
    return {std::make_shared<const queueing::Instance>(std::move(data)), {{"generated", "test", "drawn"}, rules}};
}

TEST(GeneratedPolicies, HaveTheMeansOfTheirTruncatedChainsInSlots) {
    const queueing::Truncation truncation{queueing::Truncation::Rule::total, 3};
    int compared = 0, told_apart = 0;
    for (std::uint64_t seed = 1; compared < policies_in_equilibrium; ++seed) {
        ASSERT_LT(seed, 100U);
        const InEquilibrium c = of_seed(seed);
        SCOPED_TRACE("seed " + std::to_string(seed) + ": " + to_string(c.policy.rules()));
        const queueing::Chain chain = queueing::ExactSystem(*c.instance, c.policy, truncation).chain();
        if (chain.states.size() > 300) continue;
        double exact = 0;
        try {
            exact = exact_mean_tasks(chain.states, chain.matrix);
        } catch (const ContractViolation&) {  // tasks that nobody ever serves: several closed classes
            continue;
        }
        ++compared;
        for (const bool delays : {false, true}) {
            const auto experiment = slotted_experiment({c.instance}, c.policy, {60'000, 200, delays, truncation});
            const statistics::Estimate seen = mean_tasks_of(*experiment, 0, confidence_of_one);
            EXPECT_NEAR(seen.mean, exact, *seen.half_width + 1e-12) << delays;
            told_apart += std::abs(seen.mean - 1.2 * exact) > *seen.half_width ? 1 : 0;
        }
    }
    EXPECT_GT(told_apart, policies_in_equilibrium) << "a mean that is a fifth off must be told apart";
}

/// The chain of a cluster in continuous time, uniformised: Poisson arrivals, exponential sizes, and who is asked when
/// as docs/policy-language.md says. Every answer is the kernel's; at `cap` tasks no more come.
class ChainInTime {
  public:
    ChainInTime(const InEquilibrium& c, std::int64_t cap)
        : instance_(*c.instance), kernel_(instance_, c.policy), cap_(cap) {
        static_cast<void>(index_of(kernel_.initial()));
        for (std::size_t s = 0; s < states.size(); ++s) add_row(s);
    }
    /// Jumps of the uniformised chain come at this rate: every type's arrivals, and one for each server.
    [[nodiscard]] Rational rate() const {
        return instance_.total_arrival_rate() + Rational(static_cast<std::int64_t>(instance_.servers().size()));
    }

    std::vector<queueing::ExactState> states;
    markov::TransitionMatrix matrix;

  private:
    using State = queueing::ExactState;
    static constexpr auto busy = queueing::Service::Status::busy;

    [[nodiscard]] markov::StateIndex index_of(const State& state) {
        const auto [entry, is_new] = index_.try_emplace(state, static_cast<markov::StateIndex>(index_.size()));
        if (is_new) states.push_back(state);
        return entry->second;
    }
    [[nodiscard]] static std::int64_t present(const State& state) {
        std::int64_t tasks = 0;
        for (const CheckedInt length : state.length) tasks += length.value();
        return tasks;
    }
    [[nodiscard]] static std::int64_t busy_at(const State& state, std::optional<QueueId> q) {
        return std::count_if(state.serving.begin(), state.serving.end(),
                             [&](const auto& s) { return s.status == busy && (!q || s.queue == *q); });
    }

    template <class R>
    bool start(State& state, ServerId m, R& randomness) const {
        if (state.serving[m.index()].status == busy) return false;
        const queueing::Decision decision = kernel_.serve(state, m);
        const queueing::Ties& tied = decision.draw(randomness);
        if (tied.empty()) return false;
        const queueing::Candidate chosen = tied[randomness.uniform(tied.size())];
        if (state.length[chosen.queue.index()].value() == busy_at(state, chosen.queue)) return false;
        state.serving[m.index()] = {busy, chosen.level, chosen.queue};
        return true;
    }
    template <class R>
    State settled(State state, const std::vector<ServerId>& order, R& randomness) const {
        for (bool started = true; started && present(state) > busy_at(state, {});) {
            started = false;
            for (const ServerId m : order) started = start(state, m, randomness) || started;
        }
        return state;
    }
    template <class R>
    State arrived(State state, TaskTypeId type, R& randomness) const {
        const queueing::Decision decision = kernel_.route(state, type);
        const queueing::Ties& tied = decision.draw(randomness);
        const QueueId q = tied[randomness.uniform(tied.size())].queue;
        CheckedInt& length = state.length[q.index()];
        length = length + CheckedInt(1);
        const queueing::Layout& layout = kernel_.layout();
        const bool owned = layout.arrangement() != queueing::Arrangement::per_type && !layout.is_shared(q);
        const std::vector<ServerId> centre = owned ? std::vector{layout.owner(q)} : instance_.type(type).replicas;
        return settled(std::move(state), queueing::nearest_first(instance_, centre), randomness);
    }
    template <class R>
    State completed(State state, ServerId m, R& randomness) const {
        CheckedInt& length = state.length[state.serving[m.index()].queue.index()];
        length = length - CheckedInt(1);
        state.serving[m.index()] = {};
        std::vector<ServerId> order{m};
        for (const ServerId other : instance_.servers())
            if (other != m) order.push_back(other);
        return settled(std::move(state), order, randomness);
    }

    void add_row(std::size_t s) {
        const State now = states[s];
        std::map<markov::StateIndex, Rational> row;
        Rational stays(1);
        const auto jumps = [&](const Rational& at_rate, const Law<State>& law) {
            stays -= at_rate / rate();
            for (const auto& [to, p] : law) row[index_of(to)] += p * at_rate / rate();
        };
        for (const TaskTypeId type : instance_.types())
            if (present(now) < cap_)
                jumps(instance_.arrival_rate(type), enumerate([&](auto& r) { return arrived(now, type, r); }));
        for (const ServerId m : instance_.servers())
            if (const queueing::Service& service = now.serving[m.index()]; service.status == busy)
                jumps(kernel_.layout().rate(instance_, service.queue, service.level),
                      enumerate([&](auto& r) { return completed(now, m, r); }));
        row[static_cast<markov::StateIndex>(s)] += stays;
        std::vector<markov::Transition> transitions;
        for (const auto& [to, p] : row)
            if (p.sign() > 0) transitions.push_back({to, p});
        matrix.append_row(std::move(transitions));
    }

    const queueing::Instance& instance_;
    queueing::Kernel<CheckedInt> kernel_;
    std::int64_t cap_;
    std::unordered_map<State, markov::StateIndex, queueing::StateHash<CheckedInt>> index_;
};

/// Tasks are so few that a cap of `cap` instead of one more moves the mean by less than 1e-4 tasks.
std::optional<double> mean_in_time(const InEquilibrium& c, std::int64_t cap = 8) {
    double mean[2] = {0, 0};
    for (const int more : {0, 1}) {
        const ChainInTime chain(c, cap + more);
        if (chain.states.size() > 900) return {};
        try {
            mean[more] = exact_mean_tasks(chain.states, chain.matrix);
        } catch (const ContractViolation&) {  // tasks that nobody ever serves
            return {};
        }
    }
    return std::abs(mean[1] - mean[0]) < 1e-4 ? std::optional(mean[1]) : std::nullopt;
}

/// The simulator's mean number of tasks.
statistics::Estimate seen_in_time(const InEquilibrium& c, double duration) {
    EventSettings settings;
    settings.system = {c.instance};
    settings.policy = c.policy;
    settings.gap = workload::Exponential{1 / c.instance->total_arrival_rate().approximate()};
    settings.duration = duration;
    settings.batches = 200;
    const auto experiment = make_event_experiment(std::move(settings));
    return mean_tasks_of(*experiment, 2, confidence_of_one);
}

/// Rules under which only arrivals wake a server ask fewer, and are compared elsewhere (event_policies_test.cpp).
TEST(GeneratedPolicies, HaveTheMeansOfTheirChainsInContinuousTime) {
    int compared = 0, told_apart = 0;
    for (std::uint64_t seed = 1; compared < policies_in_equilibrium; ++seed) {
        ASSERT_LT(seed, 200U);
        const InEquilibrium c = of_seed(seed);
        SCOPED_TRACE("seed " + std::to_string(seed) + ": " + to_string(c.policy.rules()));
        if (c.policy.rules().arrangement() == queueing::Arrangement::single ||
            c.policy.layout(*c.instance).lists_tasks())
            continue;
        if (QuestionPlan(*c.instance, c.policy).only_arrivals_wake) continue;
        const std::optional<double> exact = mean_in_time(c);
        if (!exact) continue;
        ++compared;
        const statistics::Estimate seen = seen_in_time(c, 100'000);
        EXPECT_NEAR(seen.mean, *exact, *seen.half_width + 1e-4);
        told_apart += std::abs(seen.mean - 1.2 * *exact) > *seen.half_width ? 1 : 0;
    }
    EXPECT_GT(told_apart, policies_in_equilibrium / 2) << "a mean that is a fifth off must be told apart";
}

/// Two servers under Balanced-Pandas, the first of which holds all data. C may run at the second nearly as fast.
InEquilibrium one_home(bool own_rates) {
    const auto quotient = [](int p, int q) { return Rational(p) / Rational(q); };
    queueing::InstanceData data;
    data.name = "one-home";
    data.levels = {{"local", quotient(2, 5)}, {"remote", quotient(1, 40)}};
    data.servers = {{"s0", {}}, {"s1", {}}};
    data.types = {{"A", {ServerId(0)}}, {"C", {ServerId(0)}}};
    if (own_rates) data.types[1].rates = {quotient(2, 5), quotient(1, 5)};
    data.options.empty_target = queueing::EmptyTarget::conserved;
    data.rates = {quotient(1, 40), quotient(1, 40)};
    data.arrivals = queueing::ArrivalLaw::bernoulli(data.rates);
    return {std::make_shared<const queueing::Instance>(std::move(data)), queueing::BalancedPandas{}};
}

/// Here the servers that are not asked would decline.
TEST(BalancedPandasInTime, HasTheMeanOfItsChainWhereATypeHasRatesOfItsOwn) {
    const InEquilibrium c = one_home(true);
    const std::optional<double> exact = mean_in_time(c, 6), of_the_levels = mean_in_time(one_home(false), 6);
    ASSERT_TRUE(exact && of_the_levels);
    const statistics::Estimate seen = seen_in_time(c, 1'000'000);
    EXPECT_NEAR(seen.mean, *exact, *seen.half_width + 1e-4);
    EXPECT_GT(std::abs(seen.mean - *of_the_levels), *seen.half_width) << "rates of the levels must be told apart";
}

}  // namespace
}  // namespace schedproof::simulation
