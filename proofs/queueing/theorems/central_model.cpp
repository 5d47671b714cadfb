/// Probabilities and rates as integers.
///
/// In slots the weights of each server and of each factor of the arrival law have a denominator of their own, whose
/// product is that of a slot. In continuous time all weights are rates over one common denominator, so that they sum to
/// the rate of events.
#include "proofs/queueing/theorems/central_model.hpp"

#include <algorithm>
#include <limits>

#include "model/core/errors.hpp"

namespace schedproof::queueing {

namespace {

/// Choices and statuses are kept in a byte.
constexpr std::size_t most_starts = 250;
/// With preemption all of them are tried at every state.
constexpr std::size_t most_allocations = 65'536;

std::int64_t narrow(const Integer& value) {
    if (value > std::numeric_limits<std::int64_t>::max())
        throw LimitExceeded("63 bits", "a common denominator of the slot's probabilities");
    return static_cast<std::int64_t>(value);
}

/// Integers over a common denominator, which is returned.
std::int64_t scale_up(const std::vector<Rational>& values, const Integer& common, std::vector<std::int64_t>& weights) {
    for (const Rational& value : values) weights.push_back(narrow((value * Rational(common)).numerator()));
    return narrow(common);
}

}  // namespace

CentralModel::CentralModel(const Instance& instance, DecisionMode mode)
    : mode_(mode),
      continuous_(instance.continuous()),
      preemptive_(instance.preemptive()),
      types_(instance.types().size()) {
    if (types_ == 0)
        throw InputError::at_key("types", "expected a type of tasks: without any there is nothing to bound");
    if (continuous_ && mode == DecisionMode::names_types)
        throw InputError::at_key("mode", "expected knows-arrivals for '" + instance.name() +
                                             "': in continuous time servers choose after every event, and no task "
                                             "arrives between their choice and its effect");
    if (continuous_) {
        std::vector<Rational> all = instance.rate_table();
        for (const TaskTypeId type : instance.types())
            for (const BatchSize& size : instance.arriving_together(type))
                all.push_back(instance.batch_rate(type) * size.probability);
        rates_common_ = common_denominator(all);
    }
    for (const ServerId m : instance.servers()) add_server(instance, m);
    std::size_t allocations = 1;
    for (std::size_t m = 0; m < servers() && preemptive_; ++m)
        if ((allocations *= types_ + 1) > most_allocations)
            throw LimitExceeded("allocations", "more than 65536 lists of what each server executes");
    continuous_ ? add_arrival_rates(instance) : add_arrivals(instance);
}

std::vector<Rational> CentralModel::rates_of(const Instance& instance, ServerId m, TaskTypeId type) const {
    std::vector<Rational> rates;
    if (!instance.can_serve(m, type)) return rates;
    const bool true_one = mode_ == DecisionMode::names_types || preemptive_;
    const std::size_t levels = true_one ? 1 : instance.levels().size();
    for (std::size_t l = instance.level(type, m).index(), n = 0; l < instance.levels().size() && n < levels; ++l, ++n)
        // A type with fewer different rates than another repeats its least one.
        if (rates.empty() || rates.back() != instance.rate(type, Level(l)))
            rates.push_back(instance.rate(type, Level(l)));
    return rates;
}

void CentralModel::add_server(const Instance& instance, ServerId m) {
    std::vector<Rational> all;
    for (const TaskTypeId type : instance.types())
        for (const Rational& rate : rates_of(instance, m, type)) all.push_back(rate);
    std::sort(all.begin(), all.end(), [](const Rational& a, const Rational& b) { return b < a; });
    all.erase(std::unique(all.begin(), all.end()), all.end());
    std::vector<Start> starts;
    for (const TaskTypeId type : instance.types())
        for (const Rational& rate : rates_of(instance, m, type)) {
            const auto at = static_cast<std::size_t>(std::find(all.begin(), all.end(), rate) - all.begin());
            starts.push_back({type.index(), at + 1});
        }
    if (starts.size() > most_starts)
        throw LimitExceeded("starts", "a server that can start tasks in more than 250 ways");
    std::vector<std::int64_t> weights;
    common_.push_back(scale_up(all, continuous_ ? rates_common_ : common_denominator(all), weights));
    weights_.push_back(std::move(weights));
    rates_.push_back(std::move(all));
    starts_.push_back(std::move(starts));
}

void CentralModel::add_arrivals(const Instance& instance) {
    for (const ArrivalFactor& law : instance.arrivals().factors()) {
        Factor factor;
        std::vector<Rational> probabilities;
        for (const ArrivalOutcome& outcome : law.outcomes()) {
            std::vector<std::uint32_t> counts(types_, 0);
            for (std::size_t i = 0; i < law.types().size(); ++i) counts[law.types()[i].index()] = outcome.count[i];
            factor.counts.push_back(std::move(counts));
            probabilities.push_back(outcome.probability);
        }
        factor.common = scale_up(probabilities, common_denominator(probabilities), factor.weights);
        arrivals_.push_back(std::move(factor));
    }
    Integer services = 1, arrivals = 1;
    for (const std::int64_t common : common_) services *= common;
    for (const Factor& factor : arrivals_) arrivals *= factor.common;
    (void)narrow(services);
    (void)narrow(arrivals);
}

void CentralModel::add_arrival_rates(const Instance& instance) {
    Factor factor;
    std::vector<Rational> rates;
    for (const TaskTypeId type : instance.types())
        for (const BatchSize& size : instance.arriving_together(type)) {
            rates.push_back(instance.batch_rate(type) * size.probability);
            factor.counts.emplace_back(types_, 0);
            factor.counts.back()[type.index()] = size.tasks;
        }
    factor.common = scale_up(rates, rates_common_, factor.weights);
    arrivals_.push_back(std::move(factor));
    Integer all = 0;
    for (const std::int64_t weight : arrivals_.front().weights) all += weight;
    for (std::size_t m = 0; m < servers(); ++m) all += fastest(m);
    (void)narrow(all);
}

std::optional<std::size_t> CentralModel::start_of(std::size_t m, std::size_t type) const {
    const auto at =
        std::find_if(starts_[m].begin(), starts_[m].end(), [&](const Start& start) { return start.type == type; });
    if (at == starts_[m].end()) return {};
    return static_cast<std::size_t>(at - starts_[m].begin());
}

Fixed CentralModel::common_after_choices() const {
    if (preemptive_) return 1;
    if (continuous_) return common_of_step();
    Fixed product = 1;
    for (const std::int64_t common : common_) product = product_of(product, common);
    return product;
}

Fixed CentralModel::common_of_step() const {
    if (continuous_) {
        Fixed sum = 0;
        for (const std::int64_t weight : arrivals_.front().weights) sum = sum_of(sum, weight);
        for (std::size_t m = 0; m < servers(); ++m) sum = sum_of(sum, fastest(m));
        return sum;
    }
    Fixed product = common_after_choices();
    for (const Factor& factor : arrivals_) product = product_of(product, factor.common);
    return product;
}

Fixed CentralModel::common_of_time() const { return continuous_ ? arrivals_.front().common : common_of_step(); }

StateBox CentralModel::box(std::uint32_t radius, std::uint64_t most) const {
    std::vector<std::vector<Service>> statuses;
    for (const auto& rates : rates_) {
        std::vector<Service> own{Service{}};
        for (std::size_t r = 0; r < rates.size() && !preemptive_; ++r)
            own.push_back({Service::Status::busy, Level(r), QueueId(std::size_t{0})});
        statuses.push_back(std::move(own));
    }
    return {std::move(statuses), std::vector<std::uint32_t>(types_, 1), radius, most};
}

}  // namespace schedproof::queueing
