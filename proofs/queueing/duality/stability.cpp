#include "proofs/queueing/duality/stability.hpp"

#include <algorithm>

namespace schedproof::duality {

namespace {

Rational arriving_value(const MaxWeightData& data, const std::vector<Rational>& weights) {
    Rational sum;
    for (std::size_t t = 0; t < data.arrival_rates.size(); ++t)
        if (data.arrival_rates[t].sign() != 0) sum += data.arrival_rates[t] * type_value(data, t, weights);
    return sum;
}

Rational served_value(const MaxWeightData& data, const std::vector<Rational>& weights) {
    Rational sum;
    for (std::size_t m = 0; m < data.servable.size(); ++m) sum += server_value(data, m, weights);
    return sum;
}

// The multiplier of a queue in a list; null when the queue is not in it.
const Rational* multiplier(const std::vector<WeightedQueue>& list, QueueId queue) {
    const auto found =
        std::find_if(list.begin(), list.end(), [&](const WeightedQueue& entry) { return entry.queue == queue; });
    return found == list.end() ? nullptr : &found->multiplier;
}

std::string fluid_rejection(const MaxWeightData& data, const StabilityCertificate& certificate) {
    std::vector<Rational> sent(data.arrival_rates.size()), work(data.queues), time(data.servable.size());
    for (const QueueShare& share : certificate.routed) {
        const Rational* factor =
            share.owner < sent.size() ? multiplier(data.admissible[share.owner], share.queue) : nullptr;
        if (!factor) return "a type is sent to a queue that is not admissible";
        if (share.amount.sign() <= 0) return "a routed amount is not positive";
        sent[share.owner] += share.amount;
        work[share.queue.index()] += *factor * share.amount;
    }
    for (const QueueShare& share : certificate.served) {
        const Rational* rate =
            share.owner < time.size() ? multiplier(data.servable[share.owner], share.queue) : nullptr;
        if (!rate) return "a server is given a queue that it may not serve";
        if (share.amount.sign() <= 0) return "a served amount is not positive";
        time[share.owner] += share.amount;
        work[share.queue.index()] -= *rate * share.amount;
    }
    if (sent != data.arrival_rates) return "the routed tasks do not add up to the arrival rates";
    for (const Rational& rest : work)
        if (rest.sign() > 0) return "a queue is brought more work than it is served";
    for (const Rational& share : time)
        if (share > *certificate.value) return "a server spends more time than the value";
    return {};
}

}  // namespace

Rational type_value(const MaxWeightData& data, std::size_t type, const std::vector<Rational>& weights) {
    const std::vector<WeightedQueue>& list = data.admissible[type];
    Rational least = list.front().multiplier * weights[list.front().queue.index()];
    for (const WeightedQueue& entry : list) least = std::min(least, entry.multiplier * weights[entry.queue.index()]);
    return least;
}

Rational server_value(const MaxWeightData& data, std::size_t server, const std::vector<Rational>& weights) {
    Rational largest;
    for (const WeightedQueue& entry : data.servable[server])
        largest = std::max(largest, entry.multiplier * weights[entry.queue.index()]);
    return largest;
}

std::string rejection(const MaxWeightData& data, const StabilityCertificate& certificate) {
    if (certificate.weights.size() != data.queues) return "there is not one weight per queue";
    for (const Rational& weight : certificate.weights)
        if (weight.sign() < 0) return "a weight is negative";
    const Rational arriving = arriving_value(data, certificate.weights),
                   served = served_value(data, certificate.weights);
    if (!certificate.value) {
        if (!certificate.routed.empty() || !certificate.served.empty())
            return "an infinite value has no fluid solution";
        return served.sign() == 0 && arriving.sign() > 0 ? "" : "the weights do not make the value infinite";
    }
    if (served.sign() <= 0 && certificate.value->sign() != 0) return "no server counts the weights";
    if (arriving != *certificate.value * served) return "the weights do not attain the value";
    return fluid_rejection(data, certificate);
}

}  // namespace schedproof::duality
