#include "proofs/redundancy/theorems/duals.hpp"

#include <algorithm>
#include <array>

namespace schedproof::redundancy {

namespace {

/// In the order of DualRule.
constexpr std::array<std::string_view, std::size(dual_rules)> names{
    "srpt", "srpt:unscaled", "srpt:floor", "srpt:own-count", "srpt:forget", "cap", "rank", "shifted", "naive"};

Rational part(std::size_t a, std::size_t b) { return {Integer(a), Integer(b)}; }

}  // namespace

std::string_view name(DualRule rule) { return names[static_cast<std::size_t>(rule)]; }

std::optional<DualRule> parse_rule(std::string_view name) {
    for (const DualRule rule : dual_rules)
        if (redundancy::name(rule) == name) return rule;
    return std::nullopt;
}

std::string_view policy_of(DualRule rule) { return rule > DualRule::srpt_forget ? FairR::info.id : SrptR::info.id; }

Rational price_rate(DualRule rule, std::size_t pos, std::size_t n, std::size_t machines) {
    if (n < machines) return 1;
    const std::size_t served = n / machines * machines, waiting = n - served;
    if (rule == DualRule::naive) return part(pos, n);
    if (pos <= waiting) return 0;
    switch (rule) {
        case DualRule::rank:
            return part(pos, n);
        case DualRule::shifted:
            return part(pos - waiting, served);
        default:
            return part(std::min(pos, served), served);
    }
}

Rational constant_at(const Duals<Rational>& duals, const Problem<Rational>& problem, std::size_t job,
                     std::size_t step) {
    const auto& [arrival, size] = problem.jobs[job];
    const auto& at = duals.steps[step];
    return (duals.alpha[job] - (at.start - arrival)) / size - duals.per_job * Rational(at.active);
}

Rational least_constant(const Duals<Rational>& duals, const Problem<Rational>& problem) {
    Rational least;
    for (std::size_t i = 0; i < duals.steps.size(); ++i) {
        const bool lasts = i + 1 == duals.steps.size() || duals.steps[i].start < duals.steps[i + 1].start;
        for (std::size_t j = 0; lasts && j < duals.steps[i].arrived; ++j)
            least = std::max(least, constant_at(duals, problem, j, i));
    }
    return least;
}

Rational relaxed_cost(const History<Rational>& history, const Problem<Rational>& problem, const Rational& speed,
                      const Rational& constant) {
    const LinearSpeedup<Rational> speedup(problem.service, problem.machines, speed);
    Rational cost;
    for (const Interval<Rational>& now : history.intervals)
        for (const Band& band : now.allocation)
            for (std::size_t rank = band.first; rank < band.last; ++rank) {
                const auto& [arrival, size] = problem.jobs[now.active[rank].job.index()];
                // int (t - a) dt over the interval is its length times the waiting time at its middle.
                const Rational middle = now.start - arrival + now.length / Rational(2);
                cost += speedup.rate(band.grant) * now.length * (middle / size + constant);
            }
    return cost;
}

}  // namespace schedproof::redundancy
