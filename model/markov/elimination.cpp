#include "model/markov/elimination.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>

namespace schedproof::markov {

void SparsePattern::append_row(std::span<const std::uint32_t> entries) {
    index.insert(index.end(), entries.begin(), entries.end());
    start.push_back(index.size());
}

namespace {

/// A tournament: the index of the smallest key in constant time, a changed key in log n comparisons.
class Tournament {
  public:
    explicit Tournament(std::size_t size) : leaves_(std::bit_ceil(size)), key_(2 * leaves_, gone), at_(2 * leaves_) {
        for (std::size_t i = 0; i < leaves_; ++i) at_[leaves_ + i] = static_cast<std::uint32_t>(i);
        for (std::size_t node = leaves_; node-- > 1;) at_[node] = at_[2 * node];
    }

    [[nodiscard]] std::uint32_t winner() const { return at_[1]; }

    void set(std::uint32_t i, std::uint64_t key) {
        std::size_t node = leaves_ + i;
        key_[node] = key;
        while (node > 1) {
            node /= 2;
            const std::size_t best = key_[2 * node] <= key_[2 * node + 1] ? 2 * node : 2 * node + 1;
            if (key_[node] == key_[best] && at_[node] == at_[best]) break;
            key_[node] = key_[best];
            at_[node] = at_[best];
        }
    }

    static constexpr std::uint64_t gone = std::numeric_limits<std::uint64_t>::max();

  private:
    std::size_t leaves_;
    std::vector<std::uint64_t> key_;
    std::vector<std::uint32_t> at_;
};

/// The graph that remains. Rows (successors) are kept sorted and exact; columns (predecessors) only grow, and name nodes
/// already eliminated until they are read for the last time.
class Elimination {
  public:
    explicit Elimination(const SparsePattern& successors)
        : nodes_(successors.rows()), row_(nodes_), column_(nodes_), indegree_(nodes_, 0), alive_(nodes_, true),
          heap_(std::max<std::size_t>(nodes_, 1)) {
        for (std::uint32_t i = 0; i < nodes_; ++i) {
            auto& row = row_[i];
            for (const std::uint32_t j : successors.row(i))
                if (j != i) row.push_back(j);
            std::sort(row.begin(), row.end());
            row.erase(std::unique(row.begin(), row.end()), row.end());
            for (const std::uint32_t j : row) column_[j].push_back(i);
        }
        for (std::uint32_t i = 0; i < nodes_; ++i) indegree_[i] = column_[i].size();
        for (std::uint32_t i = 0; i < nodes_; ++i) rate(i);
    }

    /// Eliminates the cheapest node; afterwards `row(k)` and `column(k)` are its row and column as they were then.
    std::uint32_t eliminate() {
        const std::uint32_t k = heap_.winner();
        heap_.set(k, Tournament::gone);
        alive_[k] = false;
        std::erase_if(column_[k], [&](std::uint32_t i) { return !alive_[i]; });
        for (const std::uint32_t i : column_[k]) merge(i, k);
        for (const std::uint32_t j : row_[k]) --indegree_[j];
        for (const std::uint32_t i : column_[k]) rate(i);
        for (const std::uint32_t j : row_[k]) rate(j);
        return k;
    }

    [[nodiscard]] std::vector<std::uint32_t>& row(std::uint32_t k) { return row_[k]; }
    [[nodiscard]] std::vector<std::uint32_t>& column(std::uint32_t k) { return column_[k]; }

  private:
    void rate(std::uint32_t i) { heap_.set(i, std::uint64_t{row_[i].size()} * indegree_[i]); }

    /// Row i becomes the union of rows i and k without i and k.
    void merge(std::uint32_t i, std::uint32_t k) {
        const auto& a = row_[i];
        const auto& b = row_[k];
        merged_.clear();
        auto p = a.begin();
        for (const std::uint32_t j : b) {
            for (; p != a.end() && *p < j; ++p)
                if (*p != k) merged_.push_back(*p);
            if (p != a.end() && *p == j) {
                ++p;
            } else if (j == i) {
                continue;
            } else {
                column_[j].push_back(i);
                ++indegree_[j];
            }
            merged_.push_back(j);
        }
        for (; p != a.end(); ++p)
            if (*p != k) merged_.push_back(*p);
        row_[i].swap(merged_);
    }

    std::size_t nodes_;
    std::vector<std::vector<std::uint32_t>> row_, column_;
    std::vector<std::size_t> indegree_;
    std::vector<bool> alive_;
    Tournament heap_;
    std::vector<std::uint32_t> merged_;
};

}  // namespace

EliminationPlan plan_elimination(const SparsePattern& successors,
                                 const std::function<void(std::size_t)>& eliminated) {
    const std::size_t nodes = successors.rows();
    EliminationPlan plan;
    Elimination elimination(successors);
    std::vector<std::uint32_t> position(nodes);
    for (std::uint32_t k = 0; k < nodes; ++k) {
        if (eliminated && k % 256 == 0) eliminated(k);
        plan.order.push_back(elimination.eliminate());
        position[plan.order.back()] = k;
    }
    std::vector<std::vector<std::uint32_t>> lower(nodes);
    for (std::uint32_t k = 0; k < nodes; ++k) {
        auto& row = elimination.row(plan.order[k]);
        for (std::uint32_t& j : row) j = position[j];
        std::sort(row.begin(), row.end());
        plan.upper.append_row(row);
        for (const std::uint32_t i : elimination.column(plan.order[k])) lower[position[i]].push_back(k);
    }
    for (const auto& row : lower) plan.lower.append_row(row);
    return plan;
}

}  // namespace schedproof::markov
