/// The tables that the kernel goes over: factors of the arrivals with their thresholds, types and servers with their
/// programs, the queues that each server may turn to, and the number of each draw of a slot. What every policy draws
/// comes first, so that it is the same under all of them.
#include "experiments/simulators/slotted/lane_plan.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace schedproof::simulation {

namespace {

/// Beyond it a slot's words and programs leave the caches of a core.
constexpr std::size_t most_draws = 1024, most_steps = 40'000;
std::uint32_t to_word(std::size_t number) { return static_cast<std::uint32_t>(number); }

bool options_suit(const SimulatedSystem& system, const SlottedSettings& settings) {
    const queueing::Options& options = system.instance->options();
    return ArrivalWords::suit(system) && !settings.start && !settings.costs &&
           system.discipline == Discipline::local_first && system.view_age.sign() == 0 &&
           options.unmatched == queueing::Unmatched::idle && options.scarcity == queueing::Scarcity::lowest_index;
}

bool counts_all(const queueing::Layout& layout) {
    return layout.tracking(QueueId(0)) == queueing::Tracking::counted &&
           layout.tracking(QueueId(layout.queues() - 1)) == queueing::Tracking::counted;
}

}  // namespace

std::optional<LanePlan> LanePlan::make(const SimulatedSystem& system, const queueing::AnyPolicy& policy,
                                       const SlottedSettings& settings) {
    if (!options_suit(system, settings)) return std::nullopt;
    const queueing::Layout layout = policy.layout(*system.instance);
    if (layout.lists_tasks() || layout.rates_at_servers() || !counts_all(layout)) return std::nullopt;
    auto rules = lane_rules(*system.instance, policy);
    if (!rules || rules->instructions.size() + rules->members.size() + rules->answers.size() > most_steps)
        return std::nullopt;
    LanePlan plan(system, layout, std::move(*rules));
    if (plan.draws_ > most_draws) return std::nullopt;
    return plan;
}

LanePlan::LanePlan(const SimulatedSystem& system, const queueing::Layout& layout, LaneRules rules)
    : system_(system), rules_(std::move(rules)) {
    const queueing::Instance& instance = *system.instance;
    for (const LaneProgram& program : rules_.route) types_.push_back({program, 0, 0});
    for (const queueing::ArrivalFactor& factor : instance.arrivals().factors()) add_factor(factor);
    // What every policy draws comes first.
    first_service_ = to_word(factors_.size());
    sample_ = first_service_ + to_word(instance.servers().size());
    draws_ = sample_ + 1;
    for (LaneType& type : types_) {
        type.draw = draws_;
        if (type.program.answers > 1) draws_ += type.most;
        most_tasks_ += type.most;
    }
    for (const ServerId m : instance.servers()) add_server(layout, m);
    for (const Rational& rate : instance.rate_table()) rates_.emplace_back(std::vector{rate});
    for (LaneTarget& target : targets_) target.below = rates_[target.rate].thresholds()[0];
}

/// Both sides count steps of a slot. Lanes take one for each queue that a program may answer and five for each type and
/// server that asks, whether or not something happens there. The indexed simulator takes twelve, and 22 for each task,
/// twice as many where a server may turn to more than four queues, which needs an index; up to four times as many may
/// be taken by lanes, which do them for several replications at once.
bool LanePlan::pays() const {
    const auto whole = [](std::size_t number) { return Rational(static_cast<std::int64_t>(number)); };
    const std::size_t lane_steps = rules_.answers.size() + 5 * (servers_.size() + types_.size());
    const bool many = std::any_of(servers_.begin(), servers_.end(),
                                  [](const LaneServer& server) { return server.program.answers > 4; });
    const Rational indexed_steps = whole(12) + whole(many ? 44 : 22) * system_.arrival_rate();
    return whole(lane_steps) <= whole(4) * indexed_steps;
}

void LanePlan::add_factor(const queueing::ArrivalFactor& factor) {
    outcomes_.push_back(ArrivalWords::cuts(factor));
    const auto thresholds = outcomes_.back().thresholds();
    factors_.push_back({to_word(cuts_.size()), to_word(thresholds.size()), to_word(factor_types_.size()),
                        to_word(factor.types().size())});
    cuts_.insert(cuts_.end(), thresholds.begin(), thresholds.end());
    for (std::size_t i = 0; i < factor.types().size(); ++i) {
        factor_types_.push_back({to_word(factor.types()[i].index()), to_word(steps_.size())});
        std::uint32_t before = 0, most = 0;
        for (const queueing::ArrivalOutcome& outcome : factor.outcomes()) {
            steps_.push_back(outcome.count[i] - before);  // may wrap: it is added to `before`
            before = outcome.count[i];
            most = std::max(most, before);
        }
        types_[factor.types()[i].index()].most += most;
    }
}

void LanePlan::add_server(const queueing::Layout& layout, ServerId m) {
    const LaneProgram& program = rules_.serve[m.index()];
    const bool with_data = servers_with_data(system_)[m.index()] != 0;
    servers_.push_back({program, draws_, to_word(targets_.size()), with_data ? 1U : 0U});
    if (program.answers > 1) ++draws_;
    for (std::uint32_t i = program.answer; i < program.answer + program.answers; ++i) {
        const QueueId q(rules_.answers[i].queue);
        const Level level = layout.service_level(*system_.instance, q, m);
        targets_.push_back({to_word(q.index()), to_word(layout.rate_index(q, level)), 0, to_word(level.index())});
    }
}

LaneSlots LanePlan::slots() const {
    LaneSlots s{};
    s.queues = rules_.queues;
    s.types = to_word(types_.size());
    s.servers = to_word(servers_.size());
    s.factors = to_word(factors_.size());
    s.draws = draws_;
    s.sequential = system_.instance->options().routing == queueing::Routing::sequential;
    s.factor = factors_.data();
    s.factor_type = factor_types_.data();
    s.cut = cuts_.data();
    s.step = steps_.data();
    s.type = types_.data();
    s.server = servers_.data();
    s.target = targets_.data();
    s.first_service = first_service_;
    s.sample = sample_;
    s.instruction = rules_.instructions.data();
    s.form = rules_.forms.data();
    s.term = rules_.terms.data();
    s.member = rules_.members.data();
    s.list = rules_.list.data();
    s.answer = rules_.answers.data();
    s.shared = rules_.shared;
    s.waiting = rules_.waiting;
    s.servable = rules_.servable;
    const std::int64_t room = std::numeric_limits<std::int32_t>::max() - rules_.constant;
    const std::int64_t narrow = room < 0 ? -1 : room / rules_.growth - static_cast<std::int64_t>(most_tasks_);
    s.narrow = static_cast<std::int32_t>(std::max<std::int64_t>(narrow, -1));
    return s;
}

}  // namespace schedproof::simulation
