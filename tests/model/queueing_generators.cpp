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

using queueing::Instance;
using queueing::InstanceData;
using queueing::Options;
using queueing::Tracking;
using namespace suite::detail;

bool counts_only(const std::string& policy_id, const Options& options) {
    if (policy_id == "wang-jsq-maxweight") return options.common_rate == queueing::CommonRate::remote;
    return policy_id != "fifo" && policy_id != "random-any" && policy_id != "fluid-model-planning:static";
}

std::vector<Rational> rates_of(const std::vector<queueing::LevelInfo>& levels) {
    std::vector<Rational> rates;
    for (const queueing::LevelInfo& level : levels) rates.push_back(level.rate);
    return rates;
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

rc::Gen<Options> options_for(const std::string& policy_id, std::size_t largest_total) {
    return rc::gen::exec([=] {
        Options options;
        queueing::for_each_option(options, [](auto& field) { choose(field); });
        if (!counts_only(policy_id, options)) options.unmatched = queueing::Unmatched::idle;
        if (largest_total > 1) options.reveal = queueing::Reveal::on_arrival;
        return options;
    });
}

rc::Gen<Instance> small_instance(const std::string& policy_id, InstanceWish wish) {
    return rc::gen::exec([=] {
        InstanceData data = small_instance_data(wish);
        if (wish.own_rates) give_own_rates(policy_id, data);
        data.options = *options_for(policy_id, data.arrivals->largest_total());
        return Instance(std::move(data));
    });
}

rc::Gen<Instance> with_rates_at_servers(const Instance& instance, bool alike) {
    return rc::gen::exec([=] {
        InstanceData data = instance.data();
        for (queueing::TaskType& type : data.types) {
            std::vector<std::optional<Rational>>& rates = type.at_servers;
            if (alike && &type != &data.types.front()) {
                rates = data.types.front().at_servers;
                continue;
            }
            const std::size_t sure = count_between(0, data.servers.size() - 1);
            for (std::size_t m = 0; m < data.servers.size(); ++m) {
                rates.emplace_back(Rational(between(1, 4), 4));
                if (m != sure && one_time_in(4)) rates.back().reset();
            }
        }
        return Instance(std::move(data));
    });
}

rc::Gen<std::optional<Plan>> plan_for(const std::string& policy_id, const Instance& instance) {
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
