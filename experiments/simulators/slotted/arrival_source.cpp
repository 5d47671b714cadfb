/// The tasks of a slot, drawn from the exact arrival law; of a large system at a cost proportional to the tasks.
///
/// There independent types that bring one task with the same probability p are drawn together: along the list of these
/// types, the distance from one arrival to the next is geometric with parameter p, so a slot costs one draw per task
/// and one more, however many types there are. The geometric law is exact (geometric.hpp). Every other factor is drawn
/// as a whole from its integer weights. With random replicas only the number of tasks is drawn here, Poisson or
/// constant.
#include "experiments/simulators/slotted/arrival_source.hpp"

#include <algorithm>
#include <boost/random/poisson_distribution.hpp>
#include <map>

namespace schedproof::simulation {

namespace {

/// One type that brings a single task or none: the probability that it does; none for another factor.
std::optional<Rational> bernoulli_probability(const queueing::ArrivalFactor& factor) {
    if (factor.types().size() != 1 || factor.outcomes().size() > 2) return {};
    Rational p;
    for (const queueing::ArrivalOutcome& outcome : factor.outcomes()) {
        if (outcome.count[0] > 1) return {};
        if (outcome.count[0] == 1) p += outcome.probability;
    }
    return p;
}

}  // namespace

ArrivalSource::ArrivalSource(const SimulatedSystem& system, const statistics::Replication& replication)
    : system_(system), stream_(replication, "arrivals") {
    if (system.random) return;
    if (ArrivalWords::suit(system)) by_slot_.emplace(system, replication);
    std::map<Rational, std::vector<std::uint32_t>> by_probability;
    for (const queueing::ArrivalFactor& factor : system.instance->arrivals().factors()) {
        const auto p = bernoulli_probability(factor);
        if (!p) {
            others_.push_back(&factor);
            static_cast<void>(factor.distribution().cumulative());
        } else if (p->sign() > 0) {
            by_probability[*p].push_back(static_cast<std::uint32_t>(factor.types()[0].index()));
        }
    }
    for (auto& [p, types] : by_probability) {
        std::sort(types.begin(), types.end());
        equals_.push_back({Geometric(p), std::move(types)});
    }
}

std::uint64_t ArrivalSource::total() {
    if (const auto* fixed = std::get_if<FixedArrivals>(&system_.arrivals)) return fixed->tasks;
    boost::random::poisson_distribution<std::int64_t> law(
        std::get<PoissonArrivals>(system_.arrivals).rate.approximate());
    return static_cast<std::uint64_t>(law(stream_));
}

const std::vector<std::uint32_t>& ArrivalSource::next() {
    if (system_.random) {
        tasks_.resize(total(), 0);  // all are of type 0
        return tasks_;
    }
    tasks_.clear();
    if (by_slot_) {
        draw_by_slot();
        return tasks_;
    }
    for (const Equals& group : equals_)
        for (std::size_t i = group.gap(stream_) - 1; i < group.types.size(); i += group.gap(stream_))
            tasks_.push_back(group.types[i]);
    for (const queueing::ArrivalFactor* factor : others_) {
        const auto weights = factor->distribution().cumulative();
        const std::uint64_t u = stream_.below(weights.back());
        const auto outcome =
            static_cast<std::size_t>(std::upper_bound(weights.begin(), weights.end(), u) - weights.begin());
        for (std::size_t i = 0; i < factor->types().size(); ++i)
            tasks_.insert(tasks_.end(), factor->outcomes()[outcome].count[i],
                          static_cast<std::uint32_t>(factor->types()[i].index()));
    }
    if (equals_.size() + others_.size() > 1) std::sort(tasks_.begin(), tasks_.end());
    return tasks_;
}

void ArrivalSource::draw_by_slot() {
    const std::vector<std::uint32_t>& outcomes = by_slot_->next();
    const auto& factors = system_.instance->arrivals().factors();
    for (std::size_t f = 0; f < factors.size(); ++f) {
        const queueing::ArrivalOutcome& outcome = factors[f].outcomes()[outcomes[f]];
        for (std::size_t i = 0; i < outcome.count.size(); ++i)
            tasks_.insert(tasks_.end(), outcome.count[i], static_cast<std::uint32_t>(factors[f].types()[i].index()));
    }
    std::sort(tasks_.begin(), tasks_.end());
}

}  // namespace schedproof::simulation
