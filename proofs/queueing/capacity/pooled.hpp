/// The capacity problem with its work pooled per rack, per larger group and per cluster.
///
/// In the linear program of the capacity region every type L has a variable x_{Lm} for every server m: 10^8 of them
/// for the listing of a large file system. Locality is nested, though. Let a node be a server, a group of servers or
/// the whole cluster; level(n) is its height: 0 for a server, K-1 for the cluster. L may use node n when n holds a
/// replica of L; work that it sends there is served at rate mu_{level(n)} and may go to ANY server below n.
///
/// Claim: the pooled problem has the optimum of the original one. Write W_n = min of w over the servers below n. The
/// dual constraint of the pooled problem for (L, n) is v_L mu_{level(n)} <= W_n, that of the original for (L, m) is
/// v_L mu_{level(L,m)} <= w_m.
///   * Pooled => original: let l = level(L, m). The ancestor n of m at height l holds a replica of L, by definition of
///     the level, so v_L mu_l <= W_n <= w_m.
///   * Original => pooled: let n hold a replica of L at height l, and let m be below n. Then level(L, m) <= l: the
///     pool contains servers that are closer than it says, at the slower rate. As mu decreases with the level,
///     v_L mu_l <= v_L mu_{level(L,m)} <= w_m. So these extra constraints are implied: nothing is lost by letting the
///     pool include closer servers, because serving at a closer server at a slower rate is dominated.
/// Same dual feasible set (in w and v) and objective, hence the same value. At a complementary primal solution a
/// dominated assignment carries no work: v_L mu_l = w_m would force v_L mu_{level(L,m)} > w_m.
///
/// So a type has one option per replica, per touched group and one for the cluster: six for three replicas in two
/// racks. Types with one replica set are one type, with the sum of the rates. Types without arrivals are left out.
///
/// Rates of a type's own decrease with the level too, so the claim holds type by type. Types with one replica set and
/// different rates stay apart.
///
/// Where types state their rates at servers there is nothing to pool: a type has an option for each server that can
/// serve it, with a rate of its own, and the only node that is no server is the cluster, which is no option.
///
/// The same form describes a quotient (symmetry.hpp): a leaf is then a class of servers with its multiplicity.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "model/core/rational.hpp"
#include "model/queueing/instance.hpp"

namespace schedproof::capacity {

struct Pooled {
    static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

    std::vector<Rational> rates;            ///< lists of mu per column, one after another
    std::size_t leaves = 0;                 ///< nodes 0 .. leaves-1 are servers, or classes of servers
    std::vector<Integer> multiplicity;      ///< servers per leaf
    std::vector<std::uint32_t> parent;      ///< per node; greater than the node; `none` for the cluster, the last node
    std::vector<std::uint32_t> column;      ///< per node, where a list has its mu: its level, or its number
    std::vector<Rational> demand;           ///< tasks per slot of each pooled type, > 0
    std::vector<std::uint32_t> first_rate;  ///< where the list of each pooled type begins in `rates`
    std::vector<std::uint32_t> begin{0};    ///< options of pooled type t: option[begin[t]] .. option[begin[t+1]-1]
    std::vector<std::uint32_t> option;      ///< nodes that hold a replica of the type, each once

    [[nodiscard]] std::size_t nodes() const { return parent.size(); }
    [[nodiscard]] std::size_t types() const { return demand.size(); }
    /// Index in `rates` of mu of the type at a node.
    [[nodiscard]] std::size_t rate_index(std::size_t type, std::uint32_t node) const {
        return first_rate[type] + column[node];
    }
    [[nodiscard]] std::span<const std::uint32_t> options(std::size_t type) const {
        return std::span(option).subspan(begin[type], begin[type + 1] - begin[type]);
    }
};

/// The pooled form of an instance, and which pooled type stands for each of its types (`Pooled::none`: no arrivals).
struct PooledInstance {
    Pooled problem;
    std::vector<std::uint32_t> pooled_type;
};

/// Cost: O(replicas * levels) and one sort of the replica sets.
[[nodiscard]] PooledInstance pool(const queueing::Instance& instance);

/// Smallest node price of each node, given the leaves' prices as ranks. Shape: one rank per node.
[[nodiscard]] std::vector<std::uint32_t> smallest_below(const Pooled& problem,
                                                        std::span<const std::uint32_t> leaf_rank);

/// The nodes that a type may use: its servers, their groups, the cluster; each once, by height. Where types state their
/// rates at servers: the servers that can serve it.
class Touched {
  public:
    /// Borrows the instance.
    explicit Touched(const queueing::Instance& instance);

    /// Heights of nodes.
    [[nodiscard]] std::size_t heights() const { return heights_; }
    /// Node of the group of server m at a height; the server itself at height 0.
    [[nodiscard]] std::uint32_t node(ServerId m, std::size_t height) const;
    [[nodiscard]] std::size_t nodes() const { return nodes_; }
    /// Calls `visit(node, level)` for each of the nodes of a type, with the level of its rate there.
    template <class Visit>
    void for_each(TaskTypeId type, Visit&& visit) const {
        if (instance_.rates_at_servers()) {
            for (const ServerId m : instance_.servers())
                if (instance_.can_serve(m, type)) visit(node(m, 0), instance_.level(type, m).index());
            return;
        }
        const std::span<const ServerId> replicas = instance_.type(type).replicas;
        for (std::size_t h = 0; h < heights_; ++h)
            for (std::size_t i = 0; i < replicas.size(); ++i) {
                const std::uint32_t here = node(replicas[i], h);
                bool first = true;
                for (std::size_t j = 0; j < i && first && h > 0; ++j) first = node(replicas[j], h) != here;
                if (first) visit(here, h);
            }
    }

  private:
    const queueing::Instance& instance_;
    std::size_t heights_;
    std::size_t nodes_ = 0;
    std::vector<std::uint32_t> node_;  // server-major
};

}  // namespace schedproof::capacity
