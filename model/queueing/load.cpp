/// The same cluster under another load or in another time.
///
/// Laws are scaled, mixed, or given fewer tasks of one type, factor by factor, so that the form of a law stays: what is
/// taken from outcomes with tasks is given to the outcome without. In continuous time the rates are the law, and are
/// scaled themselves; batches stay as they are. From one time to the other every rate is multiplied by the length of a
/// slot, or is taken as it stands; what an option leaves open in one time only has its default in the other. A batch
/// comes in one slot, as it does in one event.
#include "model/queueing/load.hpp"

#include <algorithm>
#include <map>

#include "model/core/errors.hpp"

namespace schedproof::queueing {

namespace {

ArrivalFactor scaled(const ArrivalFactor& given, const Rational& factor) {
    std::vector<ArrivalOutcome> outcomes;
    Rational none(1);
    for (ArrivalOutcome outcome : given.outcomes()) {
        if (std::all_of(outcome.count.begin(), outcome.count.end(), [](std::uint32_t n) { return n == 0; })) continue;
        outcome.probability *= factor;
        none -= outcome.probability;
        outcomes.push_back(std::move(outcome));
    }
    if (none.sign() < 0)
        throw InputError::at_key("load", "this load would multiply the arrival probabilities by " + factor.to_string() +
                                             ", and their sum would exceed 1");
    if (none.sign() > 0) outcomes.push_back({std::vector<std::uint32_t>(given.types().size(), 0), none});
    return {{given.types().begin(), given.types().end()}, std::move(outcomes)};
}

/// (1 - share) a + share b: the outcomes of a in their order, then those of b alone.
ArrivalFactor mixed(const ArrivalFactor& a, const ArrivalFactor& b, const Rational& share) {
    std::vector<ArrivalOutcome> outcomes;
    std::map<std::vector<std::uint32_t>, std::size_t> number;
    const auto add = [&](const ArrivalFactor& factor, const Rational& weight) {
        if (weight.sign() == 0) return;
        for (const ArrivalOutcome& outcome : factor.outcomes()) {
            const auto [at, fresh] = number.try_emplace(outcome.count, outcomes.size());
            if (fresh) outcomes.push_back({outcome.count, Rational(0)});
            outcomes[at->second].probability += weight * outcome.probability;
        }
    };
    add(a, Rational(1) - share);
    add(b, share);
    return {{a.types().begin(), a.types().end()}, std::move(outcomes)};
}

}  // namespace

Instance with_load(const Instance& instance, const Rational& factor) {
    if (factor.sign() <= 0) throw InputError::at_key("load", "expected a factor above 0");
    InstanceData data = instance.data();
    if (instance.continuous()) {
        for (Rational& rate : data.rates) rate *= factor;
    } else {
        std::vector<ArrivalFactor> factors;
        for (const ArrivalFactor& one : instance.arrivals().factors()) factors.push_back(scaled(one, factor));
        data.arrivals = ArrivalLaw(std::move(factors));
        data.rates.clear();
    }
    data.slack.reset();
    if (factor != Rational(1)) data.name += "-load-" + factor.to_string();
    std::replace(data.name.begin(), data.name.end(), '/', ':');
    return Instance(std::move(data));
}

Instance at_slack(const Instance& instance, const Rational& eps) {
    const ArrivalSlack& slack = instance.slack();
    if (eps.sign() < 0 || eps > slack.up_to)
        throw InputError::at_key("slack",
                                 "expected a slack from 0 to " + slack.up_to.to_string() + ", not " + eps.to_string());
    InstanceData data = instance.data();
    std::vector<ArrivalFactor> factors;
    for (std::size_t i = 0; i < slack.end.factors().size(); ++i)
        factors.push_back(mixed(instance.arrivals().factors()[i], slack.end.factors()[i], eps / slack.up_to));
    data.arrivals = ArrivalLaw(std::move(factors));
    data.rates.clear();
    data.slack.reset();
    data.name += "-eps-" + eps.to_string();
    std::replace(data.name.begin(), data.name.end(), '/', ':');
    return Instance(std::move(data));
}

ArrivalLaw with_fewer(const ArrivalLaw& law, TaskTypeId type, const Rational& eps) {
    std::vector<ArrivalFactor> factors(law.factors().begin(), law.factors().end());
    for (ArrivalFactor& factor : factors) {
        const auto own = std::find(factor.types().begin(), factor.types().end(), type);
        if (own == factor.types().end()) continue;
        ArrivalOutcome one{std::vector<std::uint32_t>(factor.types().size(), 0), {}}, none = one;
        one.count[static_cast<std::size_t>(own - factor.types().begin())] = 1;
        std::vector<ArrivalOutcome> outcomes(factor.outcomes().begin(), factor.outcomes().end());
        const auto found = std::find_if(outcomes.begin(), outcomes.end(),
                                        [&](const ArrivalOutcome& outcome) { return outcome.count == one.count; });
        if (found == outcomes.end() || found->probability < eps)
            throw InputError::at_path({"slack", "up-to"},
                                      "expected at most the probability that one task of the type arrives alone, " +
                                          (found == outcomes.end() ? Rational(0) : found->probability).to_string() +
                                          ", not " + eps.to_string());
        found->probability -= eps;
        const auto idle = std::find_if(outcomes.begin(), outcomes.end(),
                                       [&](const ArrivalOutcome& outcome) { return outcome.count == none.count; });
        if (idle != outcomes.end())
            idle->probability += eps;
        else
            outcomes.push_back({none.count, eps});
        std::erase_if(outcomes, [](const ArrivalOutcome& outcome) { return outcome.probability.sign() == 0; });
        factor = ArrivalFactor({factor.types().begin(), factor.types().end()}, std::move(outcomes));
        return ArrivalLaw(std::move(factors));
    }
    throw InputError::at_path({"slack", "type"}, "expected a task type that arrives");
}

Instance in_continuous_time(const Instance& instance) {
    if (instance.continuous()) return instance;
    InstanceData data = instance.data();
    data.time = ContinuousTime{"slot"};
    data.arrivals.reset();
    data.slack.reset();
    data.name += "-in-continuous-time";
    return Instance(std::move(data));
}

namespace {

/// At most one event in a slot of length h, of those that the law of an event has.
ArrivalLaw law_of_short_slot(const Instance& instance, const Rational& h) {
    if (!instance.batches()) {
        std::vector<Rational> rates = instance.data().rates;
        for (Rational& rate : rates) rate *= h;
        return ArrivalLaw::single(rates);
    }
    try {
        return ArrivalLaw({scaled(instance.arrivals().factors().front(), h * instance.event_rate())});
    } catch (const InputError&) {
        throw InputError::at_key("slots", "expected a length of at most " +
                                              (Rational(1) / instance.total_batch_rate()).to_string() +
                                              ", so that a slot has one arrival at most");
    }
}

}  // namespace

Instance in_slots(const Instance& instance, const Rational& h) {
    if (!instance.continuous()) return instance;
    if (h.sign() <= 0) throw InputError::at_key("slots", "expected a length above 0");
    if (instance.preemptive())
        throw InputError::at_path({"options", "preemption"},
                                  "expected none: in slots a task in execution runs to its end");
    InstanceData data = instance.data();
    const auto scale = [&](Rational& rate) { rate *= h; };
    for (LevelInfo& level : data.levels) scale(level.rate);
    for (TaskType& type : data.types) {
        for (Rational& rate : type.rates) scale(rate);
        for (std::optional<Rational>& rate : type.at_servers)
            if (rate) scale(*rate);
    }
    data.time.reset();
    data.arrivals = law_of_short_slot(instance, h);
    data.batches.clear();
    const Options slot;  // what says nothing in continuous time
    data.options.routing = slot.routing;
    data.options.empty_target = slot.empty_target;
    data.name += "-in-slots-of-" + h.to_string();
    std::replace(data.name.begin(), data.name.end(), '/', ':');
    return Instance(std::move(data));
}

Instance in_other_time(const Instance& instance) {
    if (!instance.continuous()) return in_continuous_time(instance);
    Rational most = instance.total_batch_rate();
    for (const ServerId m : instance.servers()) most = std::max(most, instance.fastest(m));
    return in_slots(instance, Rational(1) / -Rational(floor(-most)));
}

}  // namespace schedproof::queueing
