/// Phase II of DynDLOff without sorting, tables or copies: the same outcome in a few passes.
///
/// * The deciding level is selected, not searched in a sorted list: half of the undecided finish times go with each
///   test, so all tests together cost a few passes over them.
/// * Only cores whose room before the latest deadline takes one remote task can ever take one before an earlier one. On
///   balanced servers of even load there are none. (They are also enough for Theorem 1's bounds.)
/// * A_{n_lo} attains its deadline d_q, whatever its placement, so only A_{n_hi} is placed to compare them, and only
///   while it stays below d_q. Below d_q all room is on cores that lose no task, so no load is computed again.
/// * A placement starts from what fits before a deadline already tested, which is where taking the least M_s would be.
/// Source: own, for [jin2018], Algorithm 3; the pseudo-code itself is in dyndloff.hpp.
#pragma once

#include <functional>

#include "policies/assignment/remote_placement.hpp"

namespace schedproof::assignment {

template <Number N>
class DeadlineSearch {
  public:
    DeadlineSearch(const Problem<N>& problem, const BalancedAssignment<N>& b, Counters& counters)
        : problem_(problem), b_(b), counters_(counters) {}

    [[nodiscard]] Assignment assignment() {
        if (b_.tasks.empty()) return {};
        N latest = b_.finish[0];
        for (const N& finish : b_.finish)
            if (latest < finish) latest = finish;
        keep_cores_with_room(latest);
        const Split split = decide(latest);
        std::optional<std::vector<CoreId>> cores = place(split.high, split.level, true);
        const bool high = cores.has_value();
        if (!high) cores = place(split.low, split.level, false);
        Assignment result = b_.assignment();
        const std::vector<TaskId> removed = later_tasks(split.level, high);
        for (std::size_t i = 0; i < removed.size(); ++i) result[removed[i].index()] = (*cores)[i];
        return result;
    }

  private:
    /// d_q, and how many tasks are later, and no earlier, than it.
    struct Split {
        N level;
        std::size_t low, high;
    };
    /// A server with room, and its range in `cores_`.
    struct Host {
        ServerId server;
        std::size_t begin, end;
    };

    void keep_cores_with_room(const N& latest) {
        const std::vector<N> load = loads(problem_, b_);
        for (const ServerId s : problem_.shape->servers()) {
            const std::size_t begin = cores_.size();
            const N most = latest - problem_.cost(s)(1);
            for (std::size_t i = 0; i < problem_.shape->cores_of(s); ++i) {
                const CoreId p = problem_.shape->core(s, i);
                if (load[p.index()] <= most) cores_.push_back({load[p.index()], p});
            }
            if (cores_.size() > begin) hosts_.push_back({s, begin, cores_.size()});
        }
    }

    [[nodiscard]] std::size_t most_remote_on(const Host& host, const N& d) {
        const CostFunction<N>& g = problem_.cost(host.server);
        const N most = d - g(1);
        room_.of_core.clear();
        room_.total = N(0);
        for (std::size_t i = host.begin; i < host.end; ++i) {
            if (!(cores_[i].finish <= most)) continue;
            room_.of_core.push_back(d - cores_[i].finish);
            room_.total = room_.total + room_.of_core.back();
        }
        return most_remote(g, room_, b_.tasks.size(), {}, counters_);
    }

    [[nodiscard]] bool passes(const N& d, std::size_t needed) {
        ++counters_.tests;
        std::size_t sum = 0;
        for (const Host& host : hosts_) sum += most_remote_on(host, d);
        tested_.push_back({d, sum});
        return sum >= needed;
    }

    /// The earliest level that passes. The level looked for is usually among the latest: the first cut is high.
    [[nodiscard]] Split decide(const N& latest) {
        std::vector<N> undecided = b_.finish;
        auto begin = undecided.begin();
        auto end = std::partition(begin, undecided.end(), [&](const N& f) { return f < latest; });
        Split split{latest, 0, undecided.size() - static_cast<std::size_t>(end - begin)};
        for (std::ptrdiff_t part = 16; begin != end; part = 2) {
            const auto middle = begin + (end - begin) / part;
            std::nth_element(begin, middle, end, [](const N& a, const N& b) { return b < a; });
            const N d = *middle;
            const auto equal = std::partition(begin, middle, [&](const N& f) { return d < f; });
            const std::size_t needed = split.high + static_cast<std::size_t>(equal - begin);
            if (passes(d, needed)) {
                const auto lower = std::partition(middle, end, [&](const N& f) { return !(f < d); });
                split = {d, needed, split.high + static_cast<std::size_t>(lower - begin)};
                begin = lower;
            } else {
                end = equal;
            }
        }
        return split;
    }

    /// The cores of i remote tasks, by server, then core; none when the last would finish later than `level`, or, if
    /// `strictly`, at it.
    [[nodiscard]] std::optional<std::vector<CoreId>> place(std::size_t i, const N& level, bool strictly) {
        struct Offer {
            N finish;  // M_s(r_s + 1)
            std::size_t host;
        };
        const auto worse = [](const Offer& a, const Offer& b) {
            return b.finish < a.finish || (b.host < a.host && !(a.finish < b.finish));
        };
        std::vector<std::size_t> count(hosts_.size(), 0);
        std::size_t placed = 0;
        const std::pair<N, std::size_t>* start = nullptr;
        for (const auto& test : tested_)
            if (test.second <= i && (strictly ? test.first < level : test.first <= level) &&
                (!start || test.second > start->second))
                start = &test;
        for (std::size_t h = 0; start && h < hosts_.size(); ++h)
            placed += count[h] = most_remote_on(hosts_[h], start->first);
        std::vector<Offer> offers;
        for (std::size_t h = 0; h < hosts_.size() && placed < i; ++h)
            offers.push_back({positions(hosts_[h], count[h] + 1).back().finish, h});
        std::make_heap(offers.begin(), offers.end(), worse);
        for (; placed < i; ++placed) {
            if (offers.empty() || level < offers.front().finish || (strictly && !(offers.front().finish < level)))
                return std::nullopt;
            std::pop_heap(offers.begin(), offers.end(), worse);
            const std::size_t h = offers.back().host;
            ++count[h];
            offers.back().finish = positions(hosts_[h], count[h] + 1).back().finish;
            std::push_heap(offers.begin(), offers.end(), worse);
        }
        std::vector<CoreId> cores;
        for (std::size_t h = 0; h < hosts_.size(); ++h) {
            if (count[h] == 0) continue;
            const std::size_t before = cores.size();
            for (const Position<N>& position : positions(hosts_[h], count[h])) cores.push_back(position.core);
            std::sort(cores.begin() + static_cast<std::ptrdiff_t>(before), cores.end());
        }
        return cores;
    }

    /// The first r >= 1 remote positions of a host.
    [[nodiscard]] const std::vector<Position<N>>& positions(const Host& host, std::size_t r) {
        heap_.assign(cores_.begin() + static_cast<std::ptrdiff_t>(host.begin),
                     cores_.begin() + static_cast<std::ptrdiff_t>(host.end));
        remote_positions(heap_, problem_.cost(host.server)(r), r, positions_);
        return positions_;
    }

    /// The tasks that finish after `level`, or at it too, in deadline order.
    [[nodiscard]] std::vector<TaskId> later_tasks(const N& level, bool at_it_too) const {
        std::vector<std::size_t> at;
        for (const ServerId s : problem_.shape->servers())
            for (std::size_t i = b_.first[s.index() + 1]; i-- > b_.first[s.index()];) {
                if (b_.finish[i] < level || (!at_it_too && !(level < b_.finish[i]))) break;
                at.push_back(i);
            }
        std::sort(at.begin(), at.end(), [&](std::size_t i, std::size_t k) { return later(b_, i, k); });
        std::vector<TaskId> tasks;
        tasks.reserve(at.size());
        for (const std::size_t i : at) tasks.push_back(b_.tasks[i]);
        return tasks;
    }

    const Problem<N>& problem_;
    const BalancedAssignment<N>& b_;
    Counters& counters_;
    std::vector<Position<N>> cores_;  // with room, by server: L_B
    std::vector<Host> hosts_;
    std::vector<std::pair<N, std::size_t>> tested_;  // deadline, how many remote tasks fit
    Room<N> room_;
    std::vector<Position<N>> heap_, positions_;
};

}  // namespace schedproof::assignment
