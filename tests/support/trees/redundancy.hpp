/// Whole policies of the redundancy family as trees, sensible and perverse; as in sharing.hpp.
#pragma once

#include <rapidcheck.h>

#include <ostream>
#include <vector>

#include "model/redundancy/allocation.hpp"

namespace schedproof::redundancy::trees {

/// The next ranks get a grant, or wait.
struct Piece {
    std::size_t ranks = 1;   ///< how many, as far as there are
    std::size_t copies = 0;  ///< 0: they wait
    std::size_t ways = 1;
};
/// The i-th list holds for i + 1 active jobs, the last for more. Grants that no longer fit are left out, unless the
/// tree is `unchecked`; ranks that no piece speaks of wait, or, with `rest`, the first idle ones get what is left.
template <Order its_order>
struct GrantTree {
    std::vector<std::vector<Piece>> by_jobs;
    bool unchecked = false;
    bool rest = true;
};
template <Order order>
[[nodiscard]] rc::Gen<GrantTree<order>> grant_trees();
template <Order order>
std::ostream& operator<<(std::ostream& out, const GrantTree<order>& tree);

/// Runs a GrantTree.
template <Order its_order>
struct GrantTreePolicy {
    static constexpr PolicyInfo info{"grant-tree", "test", "grants by rank as a tree says"};
    static constexpr Order order = its_order;
    GrantTree<its_order> tree;
    static constexpr std::tuple parameters{Parameter("tree", &GrantTreePolicy::tree)};

    [[nodiscard]] constexpr Allocation allocate(std::size_t n, std::size_t machines) const {
        Allocation allocation;
        if (tree.by_jobs.empty()) return first(n);
        std::size_t rank = 0;
        for (const Piece& piece : tree.by_jobs[std::min(n, tree.by_jobs.size()) - 1]) {
            const std::size_t last = std::min(n, rank + piece.ranks);
            Allocation longer = allocation;
            if (piece.copies > 0 && longer.size() + 1 < Allocation::most)
                grant(longer, rank, last, {piece.copies, piece.ways});
            if (tree.unchecked || broken_rule(longer, n, machines) == nullptr) allocation = longer;
            rank = last;
        }
        if (!tree.rest || tree.unchecked || rank >= n) return allocation.empty() && tree.rest ? first(n) : allocation;
        Allocation longer = allocation;
        grant(longer, rank, rank + 1, {1, 1});
        if (broken_rule(longer, n, machines) == nullptr) allocation = longer;
        return allocation.empty() ? first(n) : allocation;
    }

  private:
    [[nodiscard]] static constexpr Allocation first(std::size_t) {
        Allocation one;
        grant(one, 0, 1, {1, 1});
        return one;
    }
};

}  // namespace schedproof::redundancy::trees
