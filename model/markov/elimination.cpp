/// The order of elimination and its fill, by Markowitz's rule, on a graph that changes with every step.
///
/// Eliminating state k makes row i the union of rows i and k for every predecessor i of k. Two representations follow
/// each other, because the graph fills up as it shrinks. While it is sparse, a row is a sorted list of successors,
/// merged like two sorted files, and a column is a list of predecessors that may name states already eliminated and is
/// cleaned when it is read for the last time. Once n^2 <= 64 times the number of entries, a row of bits is shorter than
/// two average lists, and the remaining states continue as a matrix of bits, where a union is one pass over the words
/// of a row.
///
/// The next state is the one of least (successors x predecessors), found in a tournament tree: the least key is at its
/// root, and a changed key costs log n comparisons. Equal products go to the state whose count was taken first; the key
/// holds the product above the time of counting, so that one comparison of integers decides. That tie rule is part of
/// the result: the order must be the same on every machine.
///
/// Cost: about as many steps as the numeric factorisation has multiplications. Memory: proportional to the fill.
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
    explicit Tournament(std::size_t size)
        : leaves_(std::bit_ceil(std::max<std::size_t>(size, 1))), key_(2 * leaves_, gone), at_(2 * leaves_) {
        for (std::size_t i = 0; i < leaves_; ++i) at_[leaves_ + i] = static_cast<std::uint32_t>(i);
        for (std::size_t node = leaves_; node-- > 1;) at_[node] = at_[2 * node];
    }

    [[nodiscard]] std::uint32_t winner() const { return at_[1]; }
    [[nodiscard]] std::uint64_t key(std::uint32_t i) const { return key_[leaves_ + i]; }

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

/// The eliminated node and its neighbours at that time, each set in no particular order.
struct Pivot {
    std::uint32_t node = 0;
    std::vector<std::uint32_t> successors, predecessors;
};

/// Markowitz's count, ties to the node whose count was taken first.
std::uint64_t rating(std::size_t successors, std::size_t predecessors, std::size_t time) {
    constexpr std::uint64_t most = (std::uint64_t{1} << 32) - 1;
    const std::uint64_t product = std::min(std::uint64_t{successors} * predecessors, most);
    return product << 32 | std::min(std::uint64_t{time}, most - 1);
}

/// The graph that remains while it is sparse. Rows (successors) are kept sorted and exact; columns (predecessors) only
/// grow, and name nodes already eliminated until they are read for the last time.
class SparseStage {
  public:
    explicit SparseStage(const SparsePattern& successors)
        : row_(successors.rows()),
          column_(row_.size()),
          indegree_(row_.size(), 0),
          alive_(row_.size(), true),
          heap_(row_.size()),
          left_(row_.size()) {
        for (std::uint32_t i = 0; i < row_.size(); ++i) {
            auto& row = row_[i];
            for (const std::uint32_t j : successors.row(i))
                if (j != i) row.push_back(j);
            std::sort(row.begin(), row.end());
            row.erase(std::unique(row.begin(), row.end()), row.end());
            entries_ += row.size();
            for (const std::uint32_t j : row) column_[j].push_back(i);
        }
        for (std::uint32_t i = 0; i < row_.size(); ++i) {
            indegree_[i] = column_[i].size();
            rate(i);
        }
    }

    [[nodiscard]] std::size_t left() const { return left_; }
    /// Whether a row of bits is by now shorter than two average rows of indices.
    [[nodiscard]] bool crowded() const { return left_ * left_ <= 64 * entries_; }

    Pivot eliminate() {
        const std::uint32_t k = heap_.winner();
        heap_.set(k, Tournament::gone);
        alive_[k] = false;
        --left_;
        std::erase_if(column_[k], [&](std::uint32_t i) { return !alive_[i]; });
        for (const std::uint32_t i : column_[k]) merge(i, k);
        for (const std::uint32_t j : row_[k]) --indegree_[j];
        entries_ -= row_[k].size() + column_[k].size();
        for (const std::uint32_t i : column_[k]) rate(i);
        for (const std::uint32_t j : row_[k]) rate(j);
        return {k, std::move(row_[k]), std::move(column_[k])};
    }

  private:
    friend class CrowdedStage;

    void rate(std::uint32_t i) { heap_.set(i, rating(row_[i].size(), indegree_[i], row_.size() - left_)); }

    /// Row i becomes the union of rows i and k without i and k.
    void merge(std::uint32_t i, std::uint32_t k) {
        const auto& a = row_[i];
        merged_.clear();
        auto p = a.begin();
        for (const std::uint32_t j : row_[k]) {
            for (; p != a.end() && *p < j; ++p)
                if (*p != k) merged_.push_back(*p);
            if (p != a.end() && *p == j) {
                ++p;
            } else if (j == i) {
                continue;
            } else {
                column_[j].push_back(i);
                ++indegree_[j];
                ++entries_;
            }
            merged_.push_back(j);
        }
        for (; p != a.end(); ++p)
            if (*p != k) merged_.push_back(*p);
        row_[i].swap(merged_);
    }

    std::vector<std::vector<std::uint32_t>> row_, column_;
    std::vector<std::size_t> indegree_;
    std::vector<bool> alive_;
    Tournament heap_;
    std::size_t left_, entries_ = 0;
    std::vector<std::uint32_t> merged_;
};

/// A square matrix of bits with the diagonal set, rows in words.
class BitMatrix {
  public:
    explicit BitMatrix(std::size_t size) : words_((size + 63) / 64), bit_(size * words_, 0), count_(size, 0) {
        for (std::size_t i = 0; i < size; ++i) bit_[i * words_ + i / 64] |= std::uint64_t{1} << (i % 64);
    }

    /// How many bits of row i are set, the diagonal left out.
    [[nodiscard]] std::size_t count(std::size_t i) const { return count_[i]; }

    /// Requires: the bit (i, j) is clear.
    void set(std::size_t i, std::size_t j) {
        bit_[i * words_ + j / 64] |= std::uint64_t{1} << (j % 64);
        ++count_[i];
    }

    /// Row i becomes the union of rows i and k, without k. Requires: the bit (i, k) is set.
    void merge(std::size_t i, std::size_t k) {
        std::uint64_t* into = bit_.data() + i * words_;
        const std::uint64_t* from = bit_.data() + k * words_;
        for (std::size_t w = 0; w < words_; ++w) {
            const std::uint64_t fresh = from[w] & ~into[w];
            if (fresh == 0) continue;
            into[w] |= fresh;
            count_[i] += static_cast<std::size_t>(std::popcount(fresh));
        }
        into[k / 64] &= ~(std::uint64_t{1} << (k % 64));
        --count_[i];
    }

    /// The bits set in row k, the diagonal left out.
    [[nodiscard]] std::vector<std::uint32_t> row(std::size_t k) const {
        std::vector<std::uint32_t> result;
        for (std::size_t w = 0; w < words_; ++w)
            for (std::uint64_t rest = bit_[k * words_ + w]; rest != 0; rest &= rest - 1) {
                const std::size_t j = 64 * w + static_cast<std::size_t>(std::countr_zero(rest));
                if (j != k) result.push_back(static_cast<std::uint32_t>(j));
            }
        return result;
    }

  private:
    std::size_t words_;
    std::vector<std::uint64_t> bit_;
    std::vector<std::size_t> count_;
};

/// The graph that remains once it is crowded: rows and columns as bits over the nodes left, renumbered.
class CrowdedStage {
  public:
    explicit CrowdedStage(const SparseStage& sparse)
        : rows_(sparse.left_),
          columns_(sparse.left_),
          heap_(sparse.left_),
          eliminated_(sparse.row_.size() - sparse.left_) {
        std::vector<std::uint32_t> local(sparse.row_.size());
        for (std::uint32_t i = 0; i < sparse.row_.size(); ++i) {
            if (!sparse.alive_[i]) continue;
            local[i] = static_cast<std::uint32_t>(node_.size());
            heap_.set(local[i], sparse.heap_.key(i));
            node_.push_back(i);
        }
        for (const std::uint32_t i : node_)
            for (const std::uint32_t j : sparse.row_[i]) {
                rows_.set(local[i], local[j]);
                columns_.set(local[j], local[i]);
            }
    }

    Pivot eliminate() {
        const std::uint32_t k = heap_.winner();
        heap_.set(k, Tournament::gone);
        ++eliminated_;
        Pivot pivot{node_[k], rows_.row(k), columns_.row(k)};
        for (const std::uint32_t i : pivot.predecessors) rows_.merge(i, k);
        for (const std::uint32_t j : pivot.successors) columns_.merge(j, k);
        for (auto* side : {&pivot.predecessors, &pivot.successors})
            for (std::uint32_t& i : *side) {
                heap_.set(i, rating(rows_.count(i), columns_.count(i), eliminated_));
                i = node_[i];
            }
        return pivot;
    }

  private:
    BitMatrix rows_, columns_;
    Tournament heap_;
    std::size_t eliminated_;
    std::vector<std::uint32_t> node_;
};

}  // namespace

EliminationPlan plan_elimination(const SparsePattern& successors, const std::function<void(std::size_t)>& eliminated) {
    const std::size_t nodes = successors.rows();
    EliminationPlan plan;
    std::vector<Pivot> pivots;
    std::vector<std::uint32_t> position(nodes);
    const auto record = [&](Pivot pivot) {
        if (eliminated && pivots.size() % 256 == 0) eliminated(pivots.size());
        position[pivot.node] = static_cast<std::uint32_t>(pivots.size());
        plan.order.push_back(pivot.node);
        pivots.push_back(std::move(pivot));
    };
    SparseStage sparse(successors);
    while (sparse.left() > 0 && !sparse.crowded()) record(sparse.eliminate());
    CrowdedStage crowded(sparse);
    while (pivots.size() < nodes) record(crowded.eliminate());

    std::vector<std::vector<std::uint32_t>> lower(nodes);
    for (std::uint32_t k = 0; k < nodes; ++k) {
        auto& row = pivots[k].successors;
        for (std::uint32_t& j : row) j = position[j];
        std::sort(row.begin(), row.end());
        plan.upper.append_row(row);
        for (const std::uint32_t i : pivots[k].predecessors) lower[position[i]].push_back(k);
    }
    for (const auto& row : lower) plan.lower.append_row(row);
    return plan;
}

}  // namespace schedproof::markov
