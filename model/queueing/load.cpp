#include "model/queueing/load.hpp"

#include <algorithm>

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

}  // namespace

Instance with_load(const Instance& instance, const Rational& factor) {
    if (factor.sign() <= 0) throw InputError::at_key("load", "expected a factor above 0");
    InstanceData data = instance.data();
    std::vector<ArrivalFactor> factors;
    for (const ArrivalFactor& one : instance.arrivals().factors()) factors.push_back(scaled(one, factor));
    data.arrivals = ArrivalLaw(std::move(factors));
    data.rates.clear();
    if (factor != Rational(1)) data.name += "-load-" + factor.to_string();
    std::replace(data.name.begin(), data.name.end(), '/', ':');
    return Instance(std::move(data));
}

}  // namespace schedproof::queueing
