/// A slot in three passes over tables.
///
/// Services end independently, so the mean over them is taken server by server. A joint choice of the idle servers is a
/// sequence of choices, each server taking what those before it left: so the least mean over the joint choices is the
/// least over the last server's, then over the one's before it, and so on. With choices that know the arrivals the
/// mean over arrivals comes last, factor by factor. With names, which come before the arrivals, every combination of
/// names is followed through every joint outcome.
#include "proofs/queueing/theorems/central_model.hpp"

#include <algorithm>

#include "model/base/parallel.hpp"
#include "model/core/errors.hpp"

namespace schedproof::queueing {

namespace {

/// Choices and statuses are kept in a byte.
constexpr std::size_t most_starts = 250;

std::int64_t narrow(const Integer& value) {
    if (value > std::numeric_limits<std::int64_t>::max())
        throw LimitExceeded("63 bits", "a common denominator of the slot's probabilities");
    return static_cast<std::int64_t>(value);
}

/// Integers over the least common denominator, which is returned.
std::int64_t scale_up(const std::vector<Rational>& values, std::vector<std::int64_t>& weights) {
    const Integer common = common_denominator(values);
    for (const Rational& value : values) weights.push_back(narrow((value * Rational(common)).numerator()));
    return narrow(common);
}

/// sum + weight * value.
Fixed with_term(Fixed sum, std::int64_t weight, Fixed value) { return sum_of(sum, product_of(weight, value)); }
long double with_term(long double sum, std::int64_t weight, long double value) {
    return sum + static_cast<long double>(weight) * value;
}

/// Calls `use(begin, end)` for ranges that make up all indices.
template <class Use>
void in_ranges(std::size_t count, unsigned threads, Use&& use) {
    constexpr std::size_t length = 8192;
    base::for_each_index((count + length - 1) / length, threads,
                         [&](std::size_t part) { use(part * length, std::min((part + 1) * length, count)); });
}

}  // namespace

CentralModel::CentralModel(const Instance& instance, DecisionMode mode) : mode_(mode), types_(instance.types().size()) {
    require_slots(instance, "a bound on every policy");
    if (types_ == 0)
        throw InputError::at_key("types", "expected a type of tasks: without any there is nothing to bound");
    for (const ServerId m : instance.servers()) {
        // The rates at which the server may run a task of a type, the true one first.
        const auto rates_of = [&](TaskTypeId type) {
            std::vector<Rational> rates;
            if (!instance.can_serve(m, type)) return rates;
            const std::size_t levels = mode == DecisionMode::names_types ? 1 : instance.levels().size();
            for (std::size_t l = instance.level(type, m).index(), n = 0; l < instance.levels().size() && n < levels;
                 ++l, ++n)
                // A type with fewer different rates than another repeats its least one.
                if (rates.empty() || rates.back() != instance.rate(type, Level(l)))
                    rates.push_back(instance.rate(type, Level(l)));
            return rates;
        };
        std::vector<Rational> all;
        for (const TaskTypeId type : instance.types())
            for (const Rational& rate : rates_of(type)) all.push_back(rate);
        std::sort(all.begin(), all.end(), [](const Rational& a, const Rational& b) { return b < a; });
        all.erase(std::unique(all.begin(), all.end()), all.end());
        std::vector<Start> starts;
        for (const TaskTypeId type : instance.types())
            for (const Rational& rate : rates_of(type)) {
                const auto at = static_cast<std::size_t>(std::find(all.begin(), all.end(), rate) - all.begin());
                starts.push_back({type.index(), at + 1});
            }
        if (starts.size() > most_starts)
            throw LimitExceeded("starts", "a server that can start tasks in more than 250 ways");
        std::vector<std::int64_t> weights;
        common_.push_back(scale_up(all, weights));
        weights_.push_back(std::move(weights));
        rates_.push_back(std::move(all));
        starts_.push_back(std::move(starts));
    }
    for (const ArrivalFactor& law : instance.arrivals().factors()) {
        Factor factor;
        std::vector<Rational> probabilities;
        for (const ArrivalOutcome& outcome : law.outcomes()) {
            std::vector<std::uint32_t> counts(types_, 0);
            for (std::size_t i = 0; i < law.types().size(); ++i) counts[law.types()[i].index()] = outcome.count[i];
            factor.counts.push_back(std::move(counts));
            probabilities.push_back(outcome.probability);
        }
        factor.common = scale_up(probabilities, factor.weights);
        arrivals_.push_back(std::move(factor));
    }
    Integer services = 1, arrivals = 1;
    for (const std::int64_t common : common_) services *= common;
    for (const Factor& factor : arrivals_) arrivals *= factor.common;
    (void)narrow(services);
    (void)narrow(arrivals);
}

Fixed CentralModel::common_of_services() const {
    Fixed product = 1;
    for (const std::int64_t common : common_) product = product_of(product, common);
    return product;
}

Fixed CentralModel::common_of_slot() const {
    Fixed product = common_of_services();
    for (const Factor& factor : arrivals_) product = product_of(product, factor.common);
    return product;
}

StateBox CentralModel::box(std::uint32_t radius, std::uint64_t most) const {
    std::vector<std::vector<Service>> statuses;
    for (const auto& rates : rates_) {
        std::vector<Service> own{Service{}};
        for (std::size_t r = 0; r < rates.size(); ++r)
            own.push_back({Service::Status::busy, Level(r), QueueId(std::size_t{0})});
        statuses.push_back(std::move(own));
    }
    return {std::move(statuses), std::vector<std::uint32_t>(types_, 1), radius, most};
}

CentralBox::CentralBox(const CentralModel& model, std::uint32_t radius, std::uint64_t most, unsigned threads)
    : model_(model), threads_(threads) {
    const StateBox box = model.box(radius, std::min<std::uint64_t>(most, none));
    const std::size_t n = box.size();
    tasks_.resize(n);
    status_.assign(model.servers(), std::vector<std::uint8_t>(n));
    ended_.assign(model.servers(), std::vector<Index>(n));
    for (std::size_t m = 0; m < model.servers(); ++m)
        started_.emplace_back(model.starts(m).size(), std::vector<Index>(n, none));
    for (const CentralModel::Factor& factor : model.arrivals())
        arrived_.emplace_back(factor.counts.size(), std::vector<Index>(n, none));
    const auto index = [&](const ExactState& state) { return static_cast<Index>(*box.index(state)); };
    const auto set = [&](std::size_t i, ExactState state) {
        tasks_[i] = static_cast<std::uint32_t>(box.measure(state));
        std::vector<std::int64_t> waiting;
        for (const CheckedInt length : state.length) waiting.push_back(length.value());
        for (const Service& service : state.serving)
            if (service.status == Service::Status::busy) --waiting[0];
        for (std::size_t m = 0; m < model.servers(); ++m) {
            Service& service = state.serving[m];
            const Service now = service;
            const bool busy = now.status == Service::Status::busy;
            status_[m][i] = static_cast<std::uint8_t>(busy ? now.level.index() + 1 : 0);
            ended_[m][i] = static_cast<Index>(i);
            if (busy) {
                service = Service{};
                state.length[0] = state.length[0] - CheckedInt(1);
                ended_[m][i] = index(state);
                state.length[0] = state.length[0] + CheckedInt(1);
                service = now;
                continue;
            }
            for (std::size_t s = 0; s < model.starts(m).size(); ++s) {
                const auto [type, status] = model.starts(m)[s];
                if (waiting[type] == 0) continue;
                service = {Service::Status::busy, Level(status - 1), QueueId(std::size_t{0})};
                state.length[type] = state.length[type] - CheckedInt(1);
                state.length[0] = state.length[0] + CheckedInt(1);
                started_[m][s][i] = index(state);
                state.length[0] = state.length[0] - CheckedInt(1);
                state.length[type] = state.length[type] + CheckedInt(1);
                service = now;
            }
        }
        for (std::size_t f = 0; f < model.arrivals().size(); ++f)
            for (std::size_t o = 0; o < arrived_[f].size(); ++o) {
                ExactState next = state;
                const std::vector<std::uint32_t>& counts = model.arrivals()[f].counts[o];
                for (std::size_t t = 0; t < counts.size(); ++t)
                    next.length[t] = next.length[t] + CheckedInt(std::int64_t{counts[t]});
                if (const auto at = box.index(next)) arrived_[f][o][i] = static_cast<Index>(*at);
            }
    };
    in_ranges(n, threads, [&](std::size_t begin, std::size_t end) {
        box.each(begin, end,
                 [&](std::uint64_t i, const ExactState& state) { set(static_cast<std::size_t>(i), state); });
    });
}

CentralBox::Index CentralBox::started_as_named(const std::vector<std::size_t>& names, Index i) const {
    for (std::size_t m = 0; m < names.size(); ++m) {
        if (names[m] == 0) continue;
        // With names there is one start of each type.
        const Index next = started_[m][names[m] - 1][i];
        if (next != none) i = next;
    }
    return i;
}

template <class N>
std::vector<N> CentralBox::after_services(std::vector<N> next) const {
    std::vector<N> mean(next.size());
    for (std::size_t m = 0; m < model_.servers(); ++m) {
        const std::int64_t common = model_.common(m);
        in_ranges(size(), threads_, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                const std::size_t status = status_[m][i];
                const std::int64_t ends = status == 0 ? 0 : model_.weights(m)[status - 1];
                mean[i] = with_term(with_term(N(0), common - ends, next[i]), ends, next[ended_[m][i]]);
            }
        });
        next.swap(mean);
    }
    return next;
}

template <class N>
std::vector<N> CentralBox::least_after_starts(std::vector<N> value) const {
    std::vector<N> least(value.size());
    for (std::size_t m = model_.servers(); m-- > 0;) {
        in_ranges(size(), threads_, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                least[i] = value[i];
                for (const std::vector<Index>& start : started_[m])
                    if (start[i] != none) least[i] = std::min(least[i], value[start[i]]);
            }
        });
        value.swap(least);
    }
    return value;
}

template <class N>
std::vector<N> CentralBox::after_arrivals(std::vector<N> value, N outside) const {
    std::vector<N> mean(value.size());
    for (std::size_t f = 0; f < arrived_.size(); ++f) {
        const CentralModel::Factor& factor = model_.arrivals()[f];
        in_ranges(size(), threads_, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                N sum(0);
                for (std::size_t o = 0; o < factor.weights.size(); ++o) {
                    const Index next = arrived_[f][o][i];
                    sum = with_term(sum, factor.weights[o], next == none ? outside : value[next]);
                }
                mean[i] = sum;
            }
        });
        value.swap(mean);
        outside = with_term(N(0), factor.common, outside);
    }
    return value;
}

template <class N>
std::vector<N> CentralBox::least_as_named(const std::vector<N>& value, N outside) const {
    std::vector<N> least(value.size());
    in_ranges(size(), threads_, [&](std::size_t begin, std::size_t end) {
        std::vector<std::size_t> names;
        for (std::size_t i = begin; i < end; ++i) {
            bool first = true;
            each_naming(static_cast<Index>(i), names, [&] {
                N mean(0);
                each_arrival(static_cast<Index>(i), [&](Index next, std::int64_t weight) {
                    mean = with_term(mean, weight, next == none ? outside : value[started_as_named(names, next)]);
                });
                least[i] = first ? mean : std::min(least[i], mean);
                first = false;
            });
        }
    });
    return least;
}

template <class N>
std::vector<N> CentralBox::least_mean(const std::vector<N>& next, N outside) const {
    std::vector<N> value = after_services(next);
    for (std::size_t m = 0; m < model_.servers(); ++m) outside = with_term(N(0), model_.common(m), outside);
    return model_.mode() == DecisionMode::names_types ? least_as_named(value, outside)
                                                      : after_arrivals(least_after_starts(std::move(value)), outside);
}

template std::vector<Fixed> CentralBox::least_mean(const std::vector<Fixed>&, Fixed) const;
template std::vector<long double> CentralBox::least_mean(const std::vector<long double>&, long double) const;
template std::vector<long double> CentralBox::after_services(std::vector<long double>) const;

}  // namespace schedproof::queueing
