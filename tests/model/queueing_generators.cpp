#include "tests/model/queueing_generators.hpp"

#include <algorithm>
#include <concepts>
#include <iterator>
#include <ostream>
#include <type_traits>
#include <utility>
#include <vector>

namespace schedproof::oracle {

namespace {

using queueing::ArrivalFactor;
using queueing::ArrivalLaw;
using queueing::ArrivalOutcome;
using queueing::Instance;
using queueing::InstanceData;
using queueing::Options;
using queueing::Tracking;

/// An integer in low..high, shrinking towards low. The ranges here are short already, so they are not scaled by
/// RapidCheck's growing size, which would leave every option at its default in half of the cases.
template <std::integral I>
I any_of(I low, I high) {
    return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange(low, static_cast<I>(high + 1)));
}

int between(int low, int high) { return any_of(low, high); }
std::size_t count_between(std::size_t low, std::size_t high) { return any_of(low, high); }

/// 1 to 3, seldom 1: a single server or type leaves a policy little to decide.
std::size_t a_few() {
    constexpr std::size_t choices[] = {1, 2, 3, 2, 3, 2, 3};
    return choices[count_between(0, std::size(choices) - 1)];
}

bool one_time_in(int n) { return between(0, n - 1) == n - 1; }

/// Rates local > ... > remote > 0 with one small denominator; the local rate is one now and then.
std::vector<queueing::LevelInfo> levels(std::size_t count) {
    const std::vector<std::string> middle{"rack", "group"};
    std::vector<int> numerator{between(1, 3)};
    while (numerator.size() < count) numerator.push_back(numerator.back() + between(1, 3));
    const int denominator = numerator.back() + between(0, 3);
    std::vector<queueing::LevelInfo> result;
    for (std::size_t k = 0; k < count; ++k) {
        const std::string name = k == 0 ? "local" : k + 1 == count ? "remote" : middle[k - 1];
        result.push_back({name, Rational(numerator[count - 1 - k], denominator)});
    }
    return result;
}

std::vector<Rational> rates_of(const std::vector<queueing::LevelInfo>& levels) {
    std::vector<Rational> rates;
    for (const queueing::LevelInfo& level : levels) rates.push_back(level.rate);
    return rates;
}

/// Two names per grouping. A rack's name says nothing of the group around it, so that equal names in two groups occur.
std::vector<queueing::Server> servers(std::size_t count, std::size_t groupings) {
    std::vector<queueing::Server> result;
    for (std::size_t m = 0; m < count; ++m) {
        queueing::Server server{"s" + std::to_string(m), {}};
        for (std::size_t g = 0; g < groupings; ++g) server.groups.push_back(one_time_in(2) ? "b" : "a");
        result.push_back(std::move(server));
    }
    return result;
}

std::vector<queueing::TaskType> types(std::size_t count, std::size_t servers) {
    std::vector<queueing::TaskType> result;
    for (std::size_t t = 0; t < count; ++t) {
        queueing::TaskType type;
        type.name = std::string(1, static_cast<char>('A' + t));
        const std::size_t sets = (std::size_t{1} << servers) - 1;
        const std::size_t set = count_between(1, sets);
        for (std::size_t m = 0; m < servers; ++m)
            if ((set >> m) % 2 == 1) type.replicas.emplace_back(m);
        type.cost = Rational(between(1, 3), between(1, 2));
        type.exponent = static_cast<unsigned>(between(1, 2));
        result.push_back(std::move(type));
    }
    return result;
}

/// Positive weights as probabilities.
std::vector<Rational> probabilities(std::size_t count) {
    std::vector<int> weight;
    for (std::size_t i = 0; i < count; ++i) weight.push_back(between(1, 3));
    int sum = 0;
    for (const int w : weight) sum += w;
    std::vector<Rational> result;
    for (const int w : weight) result.emplace_back(w, sum);
    return result;
}

std::vector<Rational> bernoulli_rates(std::size_t types) {
    std::vector<Rational> rates;
    for (std::size_t t = 0; t < types; ++t) {
        const int denominator = between(1, 5);
        rates.emplace_back(between(t == 0 ? 1 : 0, denominator),
                           denominator);  // the first is not zero: some task arrives
    }
    return rates;
}

/// Up to four outcomes over the given types, of at most `most` tasks in all, the first of them not empty.
ArrivalFactor joint_factor(const std::vector<TaskTypeId>& types, std::uint32_t most) {
    const std::vector<Rational> probability = probabilities(count_between(1, 4));
    std::vector<ArrivalOutcome> outcomes;
    for (const Rational& p : probability) {
        ArrivalOutcome outcome{std::vector<std::uint32_t>(types.size(), 0), p};
        std::uint32_t left = most;
        for (std::size_t i = 0; i < types.size(); ++i) {
            const bool must = outcomes.empty() && i + 1 == types.size() && left == most;
            const auto tasks = any_of<std::uint32_t>(must ? 1 : 0, std::min(left, 2U));
            outcome.count[i] = tasks;
            left -= tasks;
        }
        outcomes.push_back(std::move(outcome));
    }
    return ArrivalFactor(types, std::move(outcomes));
}

ArrivalLaw product_law(const std::vector<TaskTypeId>& types) {
    std::vector<ArrivalFactor> factors;
    const std::size_t cut = count_between(1, types.size());
    const auto middle = types.begin() + static_cast<std::ptrdiff_t>(cut);
    factors.push_back(joint_factor({types.begin(), middle}, 2));
    if (middle != types.end()) factors.push_back(joint_factor({middle, types.end()}, 1));
    return ArrivalLaw(std::move(factors));
}

ArrivalLaw arrivals(std::size_t types, bool only_single) {
    std::vector<TaskTypeId> all;
    for (const TaskTypeId type : IdRange<TaskTypeId>(types)) all.push_back(type);
    switch (only_single ? 0 : between(1, 3)) {
        case 0: {
            std::vector<Rational> rates = probabilities(types + 1);
            if (one_time_in(4)) rates.front() += rates.back();  // then every slot brings a task
            rates.pop_back();
            return ArrivalLaw::single(rates);
        }
        case 1:
            return ArrivalLaw::bernoulli(bernoulli_rates(types));
        case 2:
            return ArrivalLaw({joint_factor(all, 3)});
        default:
            return product_law(all);
    }
}

bool counts_only(const std::string& policy_id, const Options& options) {
    if (policy_id == "wang-jsq-maxweight") return options.common_rate == queueing::CommonRate::remote;
    return policy_id != "fifo" && policy_id != "random-any" && policy_id != "fluid-model-planning:static";
}

/// Rates of their own for some types, where the policy's queues tell them. A server with queues per level and list of
/// rates has six at most, since rules may draw from them.
void give_own_rates(const std::string& policy_id, InstanceData& data) {
    const std::size_t count = data.levels.size();
    if (policy_id == "generalized-cmu" || policy_id == "fluid-model-planning:deficit") {
        for (queueing::TaskType& type : data.types)
            if (one_time_in(2)) type.rates = rates_of(levels(count));
    } else if (policy_id.starts_with("balanced-pandas") && count <= 3 && one_time_in(2)) {
        const std::vector<Rational> other = rates_of(levels(count));
        for (queueing::TaskType& type : data.types)
            if (one_time_in(2)) type.rates = other;
    }
}

template <class Enum>
void choose(Enum& field) {
    field = static_cast<Enum>(between(0, 1));
}

/// A server of the queue `q` at work, or committed without a task. The level of a listed task is that of some type.
OracleServer in_queue(const Instance& instance, const QueueShape& shape, std::size_t q, std::size_t m, Status status) {
    if (shape.tracking[q] == Tracking::counted) return {status, shape.level[q][m], q};
    const TaskTypeId type(count_between(0, instance.types().size() - 1));
    return {status, instance.level(type, ServerId(m)).index(), q};
}

OracleServer any_service(const Instance& instance, const QueueShape& shape, std::vector<long long>& unserved,
                         std::size_t m) {
    std::vector<std::size_t> open, any;
    for (std::size_t q = 0; q < unserved.size(); ++q) {
        if (!shape.serves[q][m]) continue;
        any.push_back(q);
        if (unserved[q] > 0) open.push_back(q);
    }
    const int kind = between(0, 3);
    if (kind >= 2 && !open.empty()) {
        const std::size_t q = *rc::gen::elementOf(open);
        --unserved[q];
        return in_queue(instance, shape, q, m, Status::busy);
    }
    if (kind == 1 && !any.empty() && instance.options().unmatched == queueing::Unmatched::phantom)
        return in_queue(instance, shape, *rc::gen::elementOf(any), m, Status::phantom);
    return {};
}

OracleState draw_state(const Instance& instance, const QueueShape& shape, int longest) {
    OracleState state = empty_state(instance, shape);
    for (long long& length : state.length) length = between(0, longest);
    std::vector<long long> unserved = state.length;
    for (std::size_t m = 0; m < state.servers.size(); ++m) state.servers[m] = any_service(instance, shape, unserved, m);
    for (std::size_t q = 0; q < state.length.size(); ++q)
        for (long long i = 0; shape.tracking[q] == Tracking::listed && i < unserved[q]; ++i)
            state.waiting[q].push_back(count_between(0, instance.types().size() - 1));
    for (Rational& counter : state.memory) counter = Rational(between(-2, 2));
    return state;
}

}  // namespace

rc::Gen<Options> options_for(std::string policy_id, std::size_t largest_total) {
    return rc::gen::exec([=] {
        Options options;
        queueing::for_each_option(options, [](auto& field) { choose(field); });
        if (!counts_only(policy_id, options)) options.unmatched = queueing::Unmatched::idle;
        if (largest_total > 1) options.reveal = queueing::Reveal::on_arrival;
        return options;
    });
}

rc::Gen<Instance> small_instance(std::string policy_id, InstanceWish wish) {
    return rc::gen::exec([=] {
        InstanceData data;
        data.name = "random";
        data.levels = levels(wish.levels.value_or(count_between(2, 4)));
        data.servers = servers(wish.servers.value_or(a_few()), data.levels.size() - 2);
        data.types = types(wish.types.value_or(a_few()), data.servers.size());
        if (wish.own_rates) give_own_rates(policy_id, data);
        data.arrivals = arrivals(data.types.size(), one_time_in(4));
        data.options = *options_for(policy_id, data.arrivals->largest_total());
        return Instance(std::move(data));
    });
}

rc::Gen<std::optional<Plan>> plan_for(std::string policy_id, const Instance& instance) {
    return rc::gen::exec([=]() -> std::optional<Plan> {
        if (!needs_plan(policy_id)) return std::nullopt;
        Plan plan;
        std::vector<Rational> busy(instance.servers().size());
        for (const TaskTypeId type : instance.types()) {
            if (instance.arrival_rate(type).sign() == 0) continue;
            const std::size_t set = count_between(1, (std::size_t{1} << busy.size()) - 1);
            std::vector<std::size_t> chosen;
            for (std::size_t m = 0; m < busy.size(); ++m)
                if ((set >> m) % 2 == 1) chosen.push_back(m);
            const std::vector<Rational> part = probabilities(chosen.size());
            for (std::size_t i = 0; i < chosen.size(); ++i) {
                const Rational x = part[i] * instance.arrival_rate(type);
                plan.activities.push_back({type.index(), chosen[i], x});
                busy[chosen[i]] += x / instance.rate(type, ServerId(chosen[i]));
            }
        }
        plan.load = *std::max_element(busy.begin(), busy.end());
        std::stable_sort(plan.activities.begin(), plan.activities.end(),
                         [](const auto& a, const auto& b) { return a.server < b.server; });
        return plan;
    });
}

rc::Gen<queueing::State<CheckedInt>> valid_state(const Instance& instance, const QueueShape& shape, int longest) {
    return rc::gen::exec([=] { return to_state(draw_state(instance, shape, longest)); });
}

rc::Gen<queueing::Truncation> any_truncation() {
    return rc::gen::exec([] {
        using Rule = queueing::Truncation::Rule;
        const Rule rule = *rc::gen::element(Rule::none, Rule::total, Rule::queue);
        const int cap = rule == Rule::none ? 0 : rule == Rule::total ? between(0, 12) : between(0, 5);
        return queueing::Truncation{rule, static_cast<std::uint32_t>(cap)};
    });
}

void showValue(const Plan& plan, std::ostream& out) {
    for (const Plan::Activity& a : plan.activities) out << "x(" << a.type << ", " << a.server << ") = " << a.x << ", ";
    out << "load " << plan.load;
}

}  // namespace schedproof::oracle

namespace schedproof::queueing {

namespace {

void show_arrivals(const ArrivalLaw& law, std::ostream& out) {
    for (const ArrivalFactor& factor : law.factors()) {
        out << "\n  arrivals of types (";
        for (const TaskTypeId type : factor.types()) out << ' ' << type.index();
        out << " ):";
        for (const ArrivalOutcome& outcome : factor.outcomes()) {
            out << " (";
            for (const std::uint32_t n : outcome.count) out << ' ' << n;
            out << " ) w.p. " << outcome.probability << ';';
        }
    }
}

}  // namespace

void showValue(const Instance& instance, std::ostream& out) {
    out << "levels";
    for (const LevelInfo& level : instance.data().levels) out << ' ' << level.rate;
    for (const Server& server : instance.data().servers) {
        out << "\n  server " << server.name;
        for (const std::string& group : server.groups) out << " in " << group;
    }
    for (const TaskType& type : instance.data().types) {
        out << "\n  type " << type.name << " at";
        for (const ServerId m : type.replicas) out << " s" << m.index();
        out << ", cost " << type.cost << " x^" << type.exponent + 1;
        if (!type.rates.empty()) out << ", rates";
        for (const Rational& rate : type.rates) out << ' ' << rate;
    }
    if (instance.data().arrivals) show_arrivals(*instance.data().arrivals, out);
    out << "\n  options";
    for_each_option(instance.options(), [&](const auto& field) {
        using Names = OptionNames<std::decay_t<decltype(field)>>;
        out << ' ' << Names::key << '=' << Names::values[static_cast<std::size_t>(field)];
    });
}

void showValue(const State<CheckedInt>& state, std::ostream& out) { out << oracle::from_state(state); }

void showValue(const Truncation& truncation, std::ostream& out) {
    using Rule = Truncation::Rule;
    if (truncation.rule == Rule::none)
        out << "no truncation";
    else
        out << (truncation.rule == Rule::total ? "total <= " : "each queue <= ") << truncation.cap;
}

}  // namespace schedproof::queueing
