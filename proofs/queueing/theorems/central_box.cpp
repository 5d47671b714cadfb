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
#include "proofs/queueing/theorems/central_box.hpp"

#include <algorithm>

#include "model/base/parallel.hpp"
#include "model/core/errors.hpp"

namespace schedproof::queueing {

namespace {

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
