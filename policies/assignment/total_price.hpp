/// The model of HTA and BAR: a remote task's price grows with the number of remote tasks in the whole cluster.
///
/// On a server with cost g it is w(r) = g(r) for r remote tasks in all. Where g is capped, as the paper's
/// 1 + theta min(n, cores), so is w; the `unbounded` price goes on as it began, w(r) = 1 + r (g(1) - 1).
/// RECONSTRUCTED: the models know one price and single-core servers without loads; here every core is a server of its
/// own, its initial load stands on it, and w is that of its server.
/// Source: [fischer2010]; [jin2011]; docs/models/assignment.md, Interpretations A24, A25.
#pragma once

#include <optional>
#include <vector>

#include "model/assignment/policy.hpp"

namespace schedproof::assignment {

enum class Price { capped, unbounded };

/// w for `total` >= 1 remote tasks, on servers with cost g, beside local tasks of cost `local`.
template <Number N>
[[nodiscard]] N total_price(const CostFunction<N>& g, const N& local, Price price, std::size_t total) {
    return price == Price::capped ? g(total) : local + times(static_cast<std::int64_t>(total), g(1) - local);
}

/// What the cores hold, in this model.
template <Number N>
struct TotalPriceLoads {
    const Problem<N>& problem;
    Price price;
    std::vector<N> local_load;         ///< by core: initial load and local tasks
    std::vector<std::int64_t> locals;  ///< by core: number of local tasks
    std::vector<std::int64_t> remotes;

    TotalPriceLoads(const Problem<N>& p, Price w)
        : problem(p), price(w), local_load(p.initial), locals(local_load.size(), 0), remotes(local_load.size(), 0) {}

    [[nodiscard]] bool active(CoreId p) const { return locals[p.index()] + remotes[p.index()] > 0; }
    /// What a remote task costs on core p, with `total` of them in the cluster. Requires total >= 1.
    [[nodiscard]] N remote_price(CoreId p, std::size_t total) const {
        return total_price(problem.cost(problem.shape->server_of(p)), problem.local, price, total);
    }
    /// Whether a remote task's price is anywhere another for `a` than for `b` remote tasks in all.
    [[nodiscard]] bool prices_differ(std::size_t a, std::size_t b) const {
        for (const CostFunction<N>& g : problem.costs)
            if (!(total_price(g, problem.local, price, a) == total_price(g, problem.local, price, b))) return true;
        return false;
    }
    /// Load of a core with `more` further remote tasks, at the price for `total` remote tasks in the cluster.
    [[nodiscard]] N load(CoreId p, std::size_t total, std::int64_t more = 0) const {
        const std::int64_t k = remotes[p.index()] + more;
        return k == 0 ? local_load[p.index()] : local_load[p.index()] + times(k, remote_price(p, total));
    }
    void add_local(CoreId p) {
        local_load[p.index()] = local_load[p.index()] + problem.local;
        ++locals[p.index()];
    }
    void remove_local(CoreId p) {
        local_load[p.index()] = local_load[p.index()] - problem.local;
        --locals[p.index()];
    }
    /// Largest load of an active core; none when no core is active.
    [[nodiscard]] std::optional<N> makespan(std::size_t total) const {
        std::optional<N> most;
        for (const CoreId p : problem.shape->cores())
            if (active(p) && (!most || *most < load(p, total))) most = load(p, total);
        return most;
    }
};

/// Makespan of an assignment in this model; none without tasks.
template <Number N>
[[nodiscard]] std::optional<N> total_price_makespan(const Problem<N>& problem, const Assignment& assignment,
                                                    Price price = Price::capped) {
    TotalPriceLoads<N> loads(problem, price);
    std::size_t total = 0;
    for (const TaskId t : problem.shape->tasks()) {
        const CoreId p = assignment[t.index()];
        if (problem.shape->is_local(t, problem.shape->server_of(p))) {
            loads.add_local(p);
        } else {
            ++loads.remotes[p.index()];
            ++total;
        }
    }
    return loads.makespan(total);
}

}  // namespace schedproof::assignment
