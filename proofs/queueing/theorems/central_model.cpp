/// A step in passes over tables, three of a slot and two of an event.
///
/// Services end independently, so the mean over them is taken server by server. A joint choice of the idle servers is a
/// sequence of choices, each server taking what those before it left: so the least mean over the joint choices is the
/// least over the last server's, then over the one's before it, and so on. With choices that know the arrivals the
/// mean over arrivals comes last, factor by factor. With names, which come before the arrivals, every combination of
/// names is followed through every joint outcome.
///
/// In continuous time the choices come first, and the event is one sum over its outcomes, in which the weights are the
/// rates over a common denominator. With preemption a choice is a list of names too, of what each server executes, and
/// every list is followed through the outcomes of the event.
///
/// Long: the tables of a box and the passes over them are of one piece.
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

/// Integers over a common denominator, which is returned.
std::int64_t scale_up(const std::vector<Rational>& values, const Integer& common, std::vector<std::int64_t>& weights) {
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
        for (const TaskTypeId type : instance.types()) all.push_back(instance.arrival_rate(type));
        rates_common_ = common_denominator(all);
    }
    for (const ServerId m : instance.servers()) add_server(instance, m);
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
    for (const TaskTypeId type : instance.types()) {
        rates.push_back(instance.arrival_rate(type));
        factor.counts.emplace_back(types_, 0);
        factor.counts.back()[type.index()] = 1;
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

CentralBox::CentralBox(const CentralModel& model, std::uint32_t radius, std::uint64_t most, unsigned threads)
    : model_(model), threads_(threads) {
    const StateBox box = model.box(radius, std::min<std::uint64_t>(most, none));
    const std::size_t n = box.size();
    tasks_.resize(n);
    status_.assign(model.servers(), std::vector<std::uint8_t>(n));
    ended_.assign(model.servers(), std::vector<Index>(n));
    for (std::size_t m = 0; m < model.servers(); ++m)
        started_.emplace_back(model.preemptive() ? 0 : model.starts(m).size(), std::vector<Index>(n, none));
    for (const CentralModel::Factor& factor : model.arrivals())
        arrived_.emplace_back(factor.counts.size(), std::vector<Index>(n, none));
    if (model.preemptive()) {
        present_.assign(model.types(), std::vector<std::uint32_t>(n));
        left_.assign(model.types(), std::vector<Index>(n, none));
    }
    in_ranges(n, threads, [&](std::size_t begin, std::size_t end) {
        box.each(begin, end,
                 [&](std::uint64_t i, const ExactState& state) { set_state(static_cast<std::size_t>(i), state, box); });
    });
}

void CentralBox::set_state(std::size_t i, ExactState state, const StateBox& box) {
    tasks_[i] = static_cast<std::uint32_t>(box.measure(state));
    for (std::size_t m = 0; m < model_.servers(); ++m) set_server(m, i, state, box);
    for (std::size_t t = 0; t < left_.size(); ++t) {
        present_[t][i] = static_cast<std::uint32_t>(state.length[t].value());
        if (present_[t][i] == 0) continue;
        state.length[t] = state.length[t] - CheckedInt(1);
        left_[t][i] = static_cast<Index>(*box.index(state));
        state.length[t] = state.length[t] + CheckedInt(1);
    }
    for (std::size_t f = 0; f < model_.arrivals().size(); ++f)
        for (std::size_t o = 0; o < arrived_[f].size(); ++o) {
            ExactState next = state;
            const std::vector<std::uint32_t>& counts = model_.arrivals()[f].counts[o];
            for (std::size_t t = 0; t < counts.size(); ++t)
                next.length[t] = next.length[t] + CheckedInt(std::int64_t{counts[t]});
            if (const auto at = box.index(next)) arrived_[f][o][i] = static_cast<Index>(*at);
        }
}

/// Where its completion and its starts lead; the state is as it was afterwards.
void CentralBox::set_server(std::size_t m, std::size_t i, ExactState& state, const StateBox& box) {
    const auto index = [&] { return static_cast<Index>(*box.index(state)); };
    Service& service = state.serving[m];
    const Service now = service;
    const bool busy = now.status == Service::Status::busy;
    status_[m][i] = static_cast<std::uint8_t>(busy ? now.level.index() + 1 : 0);
    ended_[m][i] = static_cast<Index>(i);
    if (busy) {
        service = Service{};
        state.length[0] = state.length[0] - CheckedInt(1);
        ended_[m][i] = index();
        state.length[0] = state.length[0] + CheckedInt(1);
        service = now;
        return;
    }
    const auto executing = std::count_if(state.serving.begin(), state.serving.end(),
                                         [](const Service& one) { return one.status == Service::Status::busy; });
    for (std::size_t s = 0; s < started_[m].size(); ++s) {
        const auto [type, status] = model_.starts(m)[s];
        if (state.length[type].value() == (type == 0 ? executing : 0)) continue;
        service = {Service::Status::busy, Level(status - 1), QueueId(std::size_t{0})};
        state.length[type] = state.length[type] - CheckedInt(1);
        state.length[0] = state.length[0] + CheckedInt(1);
        started_[m][s][i] = index();
        state.length[0] = state.length[0] - CheckedInt(1);
        state.length[type] = state.length[type] + CheckedInt(1);
        service = now;
    }
}

CentralBox::Index CentralBox::started_as_named(const std::vector<std::size_t>& names, Index i) const {
    for (std::size_t m = 0; m < names.size(); ++m) {
        if (names[m] == 0) continue;
        const auto start = model_.start_of(m, names[m] - 1);
        const Index next = start ? started_[m][*start][i] : none;
        if (next != none) i = next;
    }
    return i;
}

bool CentralBox::all_get(const std::vector<std::size_t>& names, Index i) const {
    std::vector<std::uint32_t> taken(model_.types(), 0);
    for (std::size_t m = 0; m < names.size(); ++m) {
        if (names[m] == 0) continue;
        const std::size_t type = names[m] - 1;
        const auto start = model_.start_of(m, type);
        if (!start) return false;
        if (model_.preemptive()) {
            if (++taken[type] > present_[type][i]) return false;
        } else if (i = started_[m][*start][i]; i == none) {
            return false;
        }
    }
    return true;
}

std::pair<CentralBox::Index, std::int64_t> CentralBox::completion(std::size_t m, Index i,
                                                                  const std::vector<std::size_t>& names,
                                                                  std::vector<std::uint32_t>& taken) const {
    if (!model_.preemptive()) {
        const std::size_t status = status_[m][i];
        return {ended_[m][i], status == 0 ? 0 : model_.weights(m)[status - 1]};
    }
    if (names[m] == 0) return {i, 0};
    const std::size_t type = names[m] - 1;
    const auto start = model_.start_of(m, type);
    if (!start || taken[type] == present_[type][i]) return {i, 0};
    ++taken[type];
    return {left_[type][i], model_.weights(m)[model_.starts(m)[*start].status - 1]};
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
N CentralBox::mean_as_named(const std::vector<std::size_t>& names, Index i, const std::vector<N>& after,
                            N outside) const {
    if (model_.continuous() && !model_.preemptive()) return after[started_as_named(names, i)];
    N mean(0);
    if (model_.preemptive())
        each_event(i, names, [&](Index next, std::int64_t weight) {
            mean = with_term(mean, weight, next == none ? outside : after[next]);
        });
    else
        each_arrival(i, [&](Index next, std::int64_t weight) {
            mean = with_term(mean, weight, next == none ? outside : after[started_as_named(names, next)]);
        });
    return mean;
}

template <class N>
std::vector<N> CentralBox::least_as_named(const std::vector<N>& value, N outside) const {
    std::vector<N> least(value.size());
    in_ranges(size(), threads_, [&](std::size_t begin, std::size_t end) {
        std::vector<std::size_t> names;
        for (std::size_t i = begin; i < end; ++i) {
            bool first = true;
            each_naming(static_cast<Index>(i), names, [&] {
                const N mean = mean_as_named(names, static_cast<Index>(i), value, outside);
                least[i] = first ? mean : std::min(least[i], mean);
                first = false;
            });
        }
    });
    return least;
}

template <class N>
std::vector<N> CentralBox::after_event(const std::vector<N>& next, N outside) const {
    std::vector<N> mean(next.size());
    in_ranges(size(), threads_, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            N sum(0);
            each_event(static_cast<Index>(i), {}, [&](Index at, std::int64_t weight) {
                sum = with_term(sum, weight, at == none ? outside : next[at]);
            });
            mean[i] = sum;
        }
    });
    return mean;
}

template <class N>
std::vector<N> CentralBox::after_choices(std::vector<N> next, N outside) const {
    if (model_.preemptive()) return next;
    return model_.continuous() ? after_event(next, outside) : after_services(std::move(next));
}

template <class N>
std::vector<N> CentralBox::least_mean(const std::vector<N>& next, N outside) const {
    std::vector<N> value = after_choices(next, outside);
    if (model_.continuous() && !model_.preemptive()) return least_after_starts(std::move(value));
    outside = outside_after_choices(outside);
    return model_.by_names() ? least_as_named(value, outside)
                             : after_arrivals(least_after_starts(std::move(value)), outside);
}

template <class N>
N CentralBox::outside_after_choices(N outside) const {
    if (model_.continuous()) return with_term(N(0), static_cast<std::int64_t>(model_.common_after_choices()), outside);
    for (std::size_t m = 0; m < model_.servers(); ++m) outside = with_term(N(0), model_.common(m), outside);
    return outside;
}

template std::vector<Fixed> CentralBox::least_mean(const std::vector<Fixed>&, Fixed) const;
template std::vector<long double> CentralBox::least_mean(const std::vector<long double>&, long double) const;
template std::vector<long double> CentralBox::after_choices(std::vector<long double>, long double) const;
template long double CentralBox::outside_after_choices(long double) const;
template long double CentralBox::mean_as_named(const std::vector<std::size_t>&, Index, const std::vector<long double>&,
                                               long double) const;

}  // namespace schedproof::queueing
