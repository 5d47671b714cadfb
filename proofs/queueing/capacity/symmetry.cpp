/// Symmetry of a pooled problem: classes of interchangeable servers, found by colour refinement.
///
/// Colour the nodes by column and multiplicity and the types by demand and rates; then split colours until any two
/// vertices of one colour see the same number of neighbours of each colour, where a type is a neighbour of the nodes
/// that hold its replicas and a node of its parent and children. The result, the coarsest equitable partition of that
/// graph, is equitable for the linear program as well: the number of servers of class C at level <= l of a type is the
/// sum over the touched nodes of column l of the number of servers of C below them, which the colours determine.
///
/// Averaging over an equitable partition maps feasible solutions to feasible solutions of the same value (it is a
/// fractional automorphism; Grohe, Kersting, Mladenov, Selman, "Dimension reduction via colour refinement", 2014). So
/// prices that are constant on the classes reach the optimum, and they are the prices of the quotient: one leaf per
/// class with its multiplicity, one type per class with the sum of the demands. Being finer than the orbits of the
/// automorphism group is never needed: every automorphism respects the colours.
///
/// Only prices are carried back. The decomposition is computed on the full problem at these prices, and the whole
/// certificate is verified there, so nothing rests on this file.
#include "proofs/queueing/capacity/symmetry.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace schedproof::capacity {

namespace {

using Colours = std::vector<std::uint32_t>;

// Renumbers items by the order of their keys; returns the number of different keys.
template <class Less>
std::size_t number_by(Colours& colours, Less less) {
    std::vector<std::uint32_t> order(colours.size());
    std::iota(order.begin(), order.end(), 0U);
    std::sort(order.begin(), order.end(), less);
    std::uint32_t next = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
        if (i > 0 && less(order[i - 1], order[i])) ++next;
        colours[order[i]] = next;
    }
    return colours.empty() ? 0 : next + 1;
}

// Vertices: the nodes, then the types.
class Refinement {
  public:
    explicit Refinement(const Pooled& problem) : problem_(problem), colours_(problem.nodes() + problem.types()) {
        begin_.assign(colours_.size() + 1, 0);
        for_each_edge([&](std::uint32_t a, std::uint32_t b) { ++begin_[a + 1], ++begin_[b + 1]; });
        std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
        neighbours_.resize(begin_.back());
        std::vector<std::uint32_t> fill(begin_.begin(), begin_.end() - 1);
        for_each_edge(
            [&](std::uint32_t a, std::uint32_t b) { neighbours_[fill[a]++] = b, neighbours_[fill[b]++] = a; });
    }

    // False when more than `most` colours are needed.
    bool run(std::size_t most) {
        std::size_t count = start(), before = 0;
        while (count != before) {
            if (count > most) return false;
            before = count;
            count = refine();
        }
        return true;
    }

    [[nodiscard]] std::uint32_t node(std::size_t n) const { return colours_[n]; }
    [[nodiscard]] std::uint32_t type(std::size_t t) const { return colours_[problem_.nodes() + t]; }

  private:
    template <class Visit>
    void for_each_edge(Visit&& visit) const {
        for (std::uint32_t n = 0; n + 1 < problem_.nodes(); ++n) visit(n, problem_.parent[n]);
        for (std::size_t t = 0; t < problem_.types(); ++t)
            for (const std::uint32_t n : problem_.options(t))
                visit(static_cast<std::uint32_t>(problem_.nodes() + t), n);
    }

    // Colours ascend with the column, so that a class is numbered below its parent's.
    std::size_t start() {
        const std::size_t nodes = problem_.nodes();
        return number_by(colours_, [&](std::uint32_t a, std::uint32_t b) {
            if ((a < nodes) != (b < nodes)) return a < nodes;
            if (a >= nodes && problem_.first_rate[a - nodes] != problem_.first_rate[b - nodes])
                return problem_.first_rate[a - nodes] < problem_.first_rate[b - nodes];
            if (a >= nodes) return problem_.demand[a - nodes] < problem_.demand[b - nodes];
            if (problem_.column[a] != problem_.column[b]) return problem_.column[a] < problem_.column[b];
            return a < problem_.leaves && problem_.multiplicity[a] < problem_.multiplicity[b];
        });
    }

    std::size_t refine() {
        Colours seen(neighbours_.size());
        for (std::size_t i = 0; i < seen.size(); ++i) seen[i] = colours_[neighbours_[i]];
        const auto row = [&](std::uint32_t a) {
            return std::pair(seen.begin() + begin_[a], seen.begin() + begin_[a + 1]);
        };
        for (std::uint32_t a = 0; a < colours_.size(); ++a) std::sort(row(a).first, row(a).second);
        Colours refined(colours_.size());
        const std::size_t count = number_by(refined, [&](std::uint32_t a, std::uint32_t b) {
            if (colours_[a] != colours_[b]) return colours_[a] < colours_[b];
            const auto left = row(a), right = row(b);
            return std::lexicographical_compare(left.first, left.second, right.first, right.second);
        });
        colours_ = std::move(refined);
        return count;
    }

    const Pooled& problem_;
    Colours colours_;
    std::vector<std::uint32_t> begin_, neighbours_;
};

}  // namespace

std::vector<Rational> Quotient::spread(const std::vector<Rational>& class_price) const {
    std::vector<Rational> prices;
    prices.reserve(leaf_class.size());
    for (const std::uint32_t c : leaf_class) prices.push_back(class_price[c]);
    return prices;
}

std::optional<Quotient> quotient(const Pooled& problem, std::size_t most_classes) {
    Refinement refinement(problem);
    if (!refinement.run(most_classes)) return std::nullopt;
    Quotient result;
    Pooled& small = result.problem;
    small.rates = problem.rates;
    // Node colours are 0, 1, ... in the order of columns, so they are the node numbers of the quotient.
    for (std::size_t n = 0; n < problem.nodes(); ++n) {
        const std::uint32_t c = refinement.node(n);
        if (n < problem.leaves) {
            result.leaf_class.push_back(c);
            small.leaves = std::max<std::size_t>(small.leaves, c + 1);
        }
        if (small.parent.size() <= c) small.parent.resize(c + 1), small.column.resize(c + 1);
        small.parent[c] = problem.parent[n] == Pooled::none ? Pooled::none : refinement.node(problem.parent[n]);
        small.column[c] = problem.column[n];
    }
    small.multiplicity.assign(small.leaves, Integer(0));
    for (std::size_t n = 0; n < problem.leaves; ++n) small.multiplicity[refinement.node(n)] += problem.multiplicity[n];

    std::vector<std::uint32_t> class_of(problem.nodes() + problem.types(), Pooled::none);
    for (std::size_t t = 0; t < problem.types(); ++t) {
        std::uint32_t& number = class_of[refinement.type(t)];
        if (number == Pooled::none) {
            number = static_cast<std::uint32_t>(small.types());
            small.demand.emplace_back();
            small.first_rate.push_back(problem.first_rate[t]);
            std::vector<std::uint32_t> options;
            for (const std::uint32_t n : problem.options(t)) options.push_back(refinement.node(n));
            std::sort(options.begin(), options.end());
            small.option.insert(small.option.end(), options.begin(), std::unique(options.begin(), options.end()));
            small.begin.push_back(static_cast<std::uint32_t>(small.option.size()));
        }
        small.demand[number] += problem.demand[t];
    }
    return result;
}

}  // namespace schedproof::capacity
