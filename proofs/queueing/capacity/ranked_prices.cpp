/// Prices of a pooled problem, ranked: what the price ascent compares, and the vertices among price vectors.
///
/// Hundreds of thousands of options are compared in every round, but only some tens of different prices occur. So each
/// comparison is between ranks, and rationals are touched once per different value.
///
/// Vertices. Call types and leaves connected that a tight option connects. Within a component all prices are fixed
/// relative to each other by ratios of rates; the components can be scaled independently as long as no further option
/// becomes tight. When prices are raised along cuts only, components drift apart, and a price becomes a product of
/// ever longer chains of former prices: digits double, without use. `to_vertex` scales components, each in the
/// direction in which the value G of the prices does not fall, until they touch and all is one component: prices that
/// are products of at most (leaves - 1) ratios. Such vectors are finitely many, up to scale.
#include "proofs/queueing/capacity/ranked_prices.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "proofs/queueing/capacity/sets.hpp"

namespace schedproof::capacity {

namespace {

std::vector<Rational> distinct(std::vector<Rational> values) {
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    return values;
}

std::uint32_t rank_in(const std::vector<Rational>& ascending, const Rational& value) {
    return static_cast<std::uint32_t>(std::lower_bound(ascending.begin(), ascending.end(), value) - ascending.begin());
}

// Components of leaves and types under tight options. Elements: the nodes (a pool joins its least leaves when some
// type has it as a tight option), then the types.
Sets components(const Pooled& problem, const RankedPrices& ranked) {
    Sets sets(problem.nodes() + problem.types());
    std::vector<bool> used(problem.nodes());
    for (std::size_t t = 0; t < problem.types(); ++t)
        for (const std::uint32_t n : problem.options(t))
            if (ranked.option_slowness(problem, t, n) == ranked.type[t]) {
                used[n] = true;
                sets.join(static_cast<std::uint32_t>(problem.nodes() + t), n);
            }
    for (std::uint32_t m = 0; m < problem.leaves; ++m)
        for (std::uint32_t n = problem.parent[m]; n != Pooled::none; n = problem.parent[n])
            if (used[n] && ranked.node[n] == ranked.leaf[m]) sets.join(m, n);
    return sets;
}

// One component, to be scaled against the rest.
class Scaling {
  public:
    Scaling(const Pooled& problem, const RankedPrices& ranked, Sets& sets, std::uint32_t component)
        : problem_(problem), ranked_(ranked), member_(problem.nodes() + problem.types()) {
        for (std::uint32_t i = 0; i < member_.size(); ++i) member_[i] = sets.find(i) == component;
    }

    [[nodiscard]] bool has_leaf(std::size_t m) const { return member_[m]; }

    // B > G b, or B = G b for a component with types: raising does not lower the value of the prices.
    [[nodiscard]] bool rises(const std::vector<Integer>& demand) const {
        Rational inside, all, inside_price, all_price;
        std::vector<Integer> by_rank(ranked_.slowness.size(), Integer(0)), inside_by_rank = by_rank;
        bool types = false;
        for (std::size_t t = 0; t < problem_.types(); ++t) {
            by_rank[ranked_.type[t]] += demand[t];
            if (member_[problem_.nodes() + t]) inside_by_rank[ranked_.type[t]] += demand[t], types = true;
        }
        for (std::size_t r = 0; r < by_rank.size(); ++r) {
            if (by_rank[r] == 0) continue;
            all += Rational(by_rank[r]) * ranked_.slowness[r];
            inside += Rational(inside_by_rank[r]) * ranked_.slowness[r];
        }
        for (std::size_t m = 0; m < problem_.leaves; ++m) {
            const Rational price = Rational(problem_.multiplicity[m]) * ranked_.price[ranked_.leaf[m]];
            all_price += price;
            if (member_[m]) inside_price += price;
        }
        return types && inside * all_price >= all * inside_price;
    }

    // The least factor > 1, or the largest < 1, at which an option between the component and the rest becomes tight.
    // Every type can use every leaf, so there is one.
    [[nodiscard]] Rational first_touch(bool up) const {
        std::vector<std::uint32_t> other = ranked_.leaf;
        for (std::size_t m = 0; m < problem_.leaves; ++m)
            if (member_[m] == up) other[m] = Pooled::none;
        other = smallest_below(problem_, other);
        std::set<std::pair<std::uint32_t, std::uint32_t>> pairs;
        for (std::size_t t = 0; t < problem_.types(); ++t)
            if (member_[problem_.nodes() + t] == up)
                pairs.emplace(ranked_.type[t], least_slowness(problem_, ranked_, t, other));
        std::optional<Rational> factor;
        for (const auto& [own, beyond] : pairs) {
            const Rational here = up ? ranked_.slowness[beyond] / ranked_.slowness[own]
                                     : ranked_.slowness[own] / ranked_.slowness[beyond];
            if (!factor || (up ? here < *factor : here > *factor)) factor = here;
        }
        return *factor;
    }

  private:
    const Pooled& problem_;
    const RankedPrices& ranked_;
    std::vector<bool> member_;
};

}  // namespace

RankedPrices rank_prices(const Pooled& problem, const std::vector<Rational>& prices) {
    RankedPrices ranked;
    ranked.price = distinct(prices);
    for (const Rational& price : prices) ranked.leaf.push_back(rank_in(ranked.price, price));
    ranked.node = smallest_below(problem, ranked.leaf);
    for (const Rational& mu : problem.rates)
        for (const Rational& price : ranked.price) ranked.slowness.push_back(price / mu);
    ranked.slowness = distinct(std::move(ranked.slowness));
    for (const Rational& mu : problem.rates) {
        std::vector<std::uint32_t>& row = ranked.slowness_of.emplace_back();
        for (const Rational& price : ranked.price) row.push_back(rank_in(ranked.slowness, price / mu));
    }
    ranked.type.resize(problem.types());
    for (std::size_t t = 0; t < problem.types(); ++t) ranked.type[t] = least_slowness(problem, ranked, t, ranked.node);
    return ranked;
}

std::uint32_t least_slowness(const Pooled& problem, const RankedPrices& ranked, std::size_t type,
                             const std::vector<std::uint32_t>& below) {
    std::uint32_t least = Pooled::none;
    for (const std::uint32_t n : problem.options(type))
        if (below[n] != Pooled::none)
            least = std::min(least, ranked.slowness_of[problem.rate_index(type, n)][below[n]]);
    return least;
}

std::vector<Rational> to_vertex(const Pooled& problem, const std::vector<Integer>& demand,
                                std::vector<Rational> prices) {
    for (;;) {
        const RankedPrices ranked = rank_prices(problem, prices);
        Sets sets = components(problem, ranked);
        std::uint32_t apart = 1;
        while (apart < problem.leaves && sets.find(apart) == sets.find(0)) ++apart;
        if (apart >= problem.leaves) return prices;
        const Scaling scaling(problem, ranked, sets, sets.find(apart));
        const Rational factor = scaling.first_touch(scaling.rises(demand));
        for (std::size_t m = 0; m < problem.leaves; ++m)
            if (scaling.has_leaf(m)) prices[m] *= factor;
    }
}

}  // namespace schedproof::capacity
