#include "proofs/redundancy/theorems/choices.hpp"

#include <algorithm>
#include <optional>

#include "model/core/errors.hpp"

namespace schedproof::redundancy {

using explore::Affine;

Choices::Choices(const Service& service, std::size_t machines) : machines_(machines) {
    require(machines >= 1, "there is a machine");
    gain_.push_back(Rational(0));
    for (std::uint32_t r = 1; r <= machines; ++r) {
        const Rational gain = service.gain(r);
        if (gain == gain_.back()) break;
        gain_.push_back(gain);
    }
}

const std::vector<Choices::Copies>& Choices::of(std::size_t n, std::size_t to_come) {
    auto& all = known_[{n, to_come}];
    if (!all.empty()) return all;
    const auto useful = static_cast<std::uint32_t>(gain_.size() - 1);
    Copies now;
    const auto extend = [&](auto&& self, std::size_t left) -> void {
        if (now.size() == n) {
            const bool room = left > 0 && std::any_of(now.begin(), now.end(), [&](auto r) { return r < useful; });
            if (n + to_come > 2 || !room) all.push_back(now);
            return;
        }
        for (std::uint32_t r = 0; r <= std::min<std::size_t>(left, useful); ++r) {
            now.push_back(r);
            self(self, left - r);
            now.pop_back();
        }
    };
    extend(extend, machines_);
    const auto rate = [&](const Copies& copies) {
        Rational sum;
        for (const std::uint32_t r : copies) sum += gain_[r];
        return sum;
    };
    std::stable_sort(all.begin(), all.end(), [&](const Copies& a, const Copies& b) { return rate(a) > rate(b); });
    if (to_come == 0) std::erase_if(all, [&](const Copies& copies) { return rate(copies).sign() == 0; });
    return all;
}

const Rational& Choices::most_of(std::size_t n) {
    // g is concave: spread evenly.
    while (total_.size() <= n) {
        const std::size_t jobs = std::max<std::size_t>(total_.size(), 1), last = gain_.size() - 1;
        const std::size_t each = machines_ / jobs, lucky = machines_ % jobs;
        total_.push_back(Rational(jobs - lucky) * gain_[std::min(each, last)] +
                         Rational(lucky) * gain_[std::min(each + 1, last)]);
    }
    return total_[n];
}

void add_choices(proof::Space& space, const Shape& shape) {
    for (std::size_t k = 1; k < 2 * shape.jobs; ++k) space.add("choice[" + std::to_string(k) + "]", true, Rational(0));
}

Affine chosen_flowtime(const Problem<Affine>& problem, const std::vector<Affine>& symbols, std::size_t first_symbol) {
    Choices choices(problem.service, problem.machines);
    const auto choose = [&](std::size_t count) -> std::size_t {
        if (count == 1) return 0;
        const Affine& symbol = symbols.at(first_symbol++);
        for (std::size_t i = 0; i + 1 < count; ++i)
            if (symbol <= Affine(static_cast<std::int64_t>(i))) return i;
        return count - 1;
    };
    std::vector<Active<Affine>> active;
    Affine now = problem.jobs.front().arrival, total(0);
    for (std::size_t next = 0; next < problem.jobs.size() || !active.empty();) {
        const auto& all = choices.of(active.size(), problem.jobs.size() - next);
        const Choices::Copies& copies = all[choose(all.size())];
        std::optional<std::size_t> first;
        Affine length;
        for (std::size_t i = 0; i < copies.size(); ++i) {
            if (copies[i] == 0) continue;
            Affine end = Rational(1) / choices.gain(copies[i]) * active[i].remaining;
            if (first && !(end < length)) continue;
            first = i;
            length = std::move(end);
        }
        const bool arrives = next < problem.jobs.size() && (!first || problem.jobs[next].arrival - now < length);
        if (arrives) length = problem.jobs[next].arrival - now;
        for (std::size_t i = 0; i < copies.size(); ++i)
            if (copies[i] > 0) active[i].remaining -= choices.gain(copies[i]) * length;
        now += length;
        if (arrives) {
            active.push_back({JobId(next), problem.jobs[next].size});
            ++next;
        } else {
            total += now - problem.jobs[active[*first].job.index()].arrival;
            active.erase(active.begin() + static_cast<std::ptrdiff_t>(*first));
        }
    }
    return total;
}

}  // namespace schedproof::redundancy
