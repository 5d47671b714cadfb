/// Basic activities of the capacity problem: who serves what at a vertex optimum.
///
/// A pair (L, m) with x*_{Lm} > 0 at a vertex of the set of optimal decompositions is a basic activity. Fluid model
/// planning schedules by them, and heavy-traffic theory asks whether their graph (types and servers, one edge per
/// basic activity) is connected: complete resource pooling.
///
/// Let (v, w) be optimal prices and rho* > 0. Every w_m is positive (region.hpp), so by complementary slackness the
/// optimal decompositions are exactly the x >= 0 with x_{Lm} = 0 unless v_L mu_{Lm} = w_m, with row sums lambda_L and
/// all loads rho*. In the unit of value, x_{Lm} v_L, this is a transportation polytope: supplies lambda_L v_L, demands
/// rho* w_m, on the graph of tight pairs. Hence, without a second linear program:
///   * vertices are the members whose support is a forest, reached by cancelling cycles (cycles.hpp);
///   * the vertex is the only optimum iff no amount can be moved: contract each tree of the support to a point (within
///     a tree all flows are positive, so value can be moved between any two of its members); every tight pair outside
///     the support is an arc from its type's tree to its server's. The optimum is unique iff these arcs form no
///     directed cycle, loops included;
///   * what lies on one cycle can be joined by an optimum, so the supports of all optima together connect the trees of
///     a strongly connected component. Prices are tight on all these supports: if they connect everything, all ratios
///     of prices are fixed. If not, there are optimal prices that are tight nowhere else (strict complementarity), and
///     the prices of a part can be scaled without a change of the value, for each part sells what its servers' slots
///     cost. So prices are unique iff there is one part: complete resource pooling.
/// Where types state their rates at servers, a part beside the bottleneck may have the price 0 and servers below the
/// load rho*. There an amount can also be moved to a server with room: the vertex is the only optimum iff, besides, no
/// type that may use a server with room has an amount elsewhere. Tight pairs are handled per pool and never listed: at
/// tight prices a pool (n, h) offers a type exactly the servers below n of least price, all of them at level h
/// (pooled.hpp), and no server is offered twice.
#include "proofs/queueing/capacity/activities.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include "model/core/errors.hpp"
#include "proofs/queueing/capacity/cycles.hpp"
#include "proofs/queueing/capacity/flow.hpp"
#include "proofs/queueing/capacity/pooled.hpp"
#include "proofs/queueing/capacity/sets.hpp"

namespace schedproof::capacity {

using queueing::Instance;

namespace {

constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

std::vector<Assignment> to_vertex(const Instance& instance, const CapacityCertificate& certificate) {
    std::vector<Assignment> entries = certificate.decomposition;
    const auto servers = static_cast<std::uint32_t>(instance.servers().size());
    std::vector<Arc> arcs;
    Sets sets(servers + instance.types().size());
    bool forest = true;
    for (const Assignment& entry : entries) {
        arcs.push_back({static_cast<std::uint32_t>(servers + entry.type.index()),
                        static_cast<std::uint32_t>(entry.server.index())});
        forest = sets.join(arcs.back().from, arcs.back().to) && forest;
    }
    if (forest) return entries;
    std::vector<Rational> value;
    for (const Assignment& entry : entries) value.push_back(entry.amount * certificate.type_price[entry.type.index()]);
    cancel_cycles(servers + instance.types().size(), arcs, value);
    for (std::size_t i = 0; i < entries.size(); ++i)
        entries[i].amount = value[i] / certificate.type_price[entries[i].type.index()];
    std::erase_if(entries, [](const Assignment& entry) { return entry.amount.sign() == 0; });
    return entries;
}

// Joins the vertices below `special` that lie on one directed cycle. Vertices from `special` on are pools: a cycle
// through one tree and one pool is the trivial way there and back.
class CycleSearch {
  public:
    CycleSearch(std::size_t vertices, std::size_t special) : out_(vertices), special_(special) {}
    void add(std::uint32_t from, std::uint32_t to) { out_[from].push_back(to); }

    // By Tarjan's strongly connected components, without recursion. The number of joins.
    std::size_t join_cycles(Sets& sets) {
        index_.assign(out_.size(), none), low_.assign(out_.size(), 0), on_stack_.assign(out_.size(), false);
        std::size_t joins = 0;
        for (std::uint32_t v = 0; v < out_.size(); ++v)
            if (index_[v] == none) joins += search(v, sets);
        return joins;
    }

  private:
    struct Frame {
        std::uint32_t vertex;
        std::size_t next;
    };
    void enter(std::uint32_t v) {
        index_[v] = low_[v] = clock_++;
        stack_.push_back(v), on_stack_[v] = true;
        frames_.push_back({v, 0});
    }
    std::size_t search(std::uint32_t root, Sets& sets) {
        std::size_t joins = 0;
        enter(root);
        while (!frames_.empty()) {
            auto& [v, next] = frames_.back();
            if (next < out_[v].size()) {
                const std::uint32_t w = out_[v][next++];
                if (index_[w] == none)
                    enter(w);
                else if (on_stack_[w])
                    low_[v] = std::min(low_[v], index_[w]);
                continue;
            }
            const std::uint32_t done = v;
            frames_.pop_back();
            if (!frames_.empty()) low_[frames_.back().vertex] = std::min(low_[frames_.back().vertex], low_[done]);
            if (low_[done] == index_[done]) joins += close(done, sets);
        }
        return joins;
    }
    std::size_t close(std::uint32_t root, Sets& sets) {
        std::size_t joins = 0;
        std::uint32_t first = none;
        for (std::uint32_t v = none; v != root;) {
            v = stack_.back();
            stack_.pop_back(), on_stack_[v] = false;
            if (v >= special_) continue;
            if (first == none)
                first = v;
            else if (sets.join(first, v))
                ++joins;
        }
        return joins;
    }

    std::vector<std::vector<std::uint32_t>> out_;
    std::size_t special_;
    std::vector<std::uint32_t> index_, low_, stack_;
    std::vector<bool> on_stack_;
    std::vector<Frame> frames_;
    std::uint32_t clock_ = 0;
};

// For each node, the servers of least price below it, counted by the tree of the support that they are in.
struct Offer {
    const Rational* price = nullptr;
    std::map<std::uint32_t, std::size_t> servers_by_tree;
};

std::vector<Offer> offers(const Instance& instance, const std::vector<Rational>& w, const Touched& touched,
                          const std::vector<std::uint32_t>& tree) {
    std::vector<Offer> result(touched.nodes());
    for (const ServerId m : instance.servers())
        for (std::size_t h = 0; h < touched.heights(); ++h) {
            Offer& offer = result[touched.node(m, h)];
            if (!offer.price || w[m.index()] < *offer.price) offer = {&w[m.index()], {}};
            if (w[m.index()] == *offer.price) ++offer.servers_by_tree[tree[m.index()]];
        }
    return result;
}

// Finishes `result`, whose vertex and its components are there; `sets` are the trees of its support.
void find_other_optima(const Instance& instance, const CapacityCertificate& certificate, Sets& sets,
                       Activities& result) {
    std::vector<std::uint32_t> tree;
    for (std::uint32_t v = 0; v < instance.servers().size() + instance.types().size(); ++v)
        tree.push_back(sets.find(v));
    const std::size_t servers = instance.servers().size(), vertices = tree.size();
    const Touched touched(instance);
    const std::vector<Offer> offer = offers(instance, certificate.server_price, touched, tree);
    CycleSearch search(vertices + touched.nodes(), vertices);
    for (std::uint32_t n = 0; n < touched.nodes(); ++n)
        for (const auto& entry : offer[n].servers_by_tree)
            search.add(static_cast<std::uint32_t>(vertices + n), entry.first);
    std::vector<std::size_t> degree(instance.types().size());
    for (const Assignment& entry : result.basic) ++degree[entry.type.index()];
    for (const TaskTypeId t : instance.types()) {
        if (instance.arrival_rate(t).sign() == 0) continue;
        const std::uint32_t own = tree[servers + t.index()];
        std::size_t inside = 0;
        touched.for_each(t, [&](std::uint32_t n, std::size_t h) {
            if (certificate.type_price[t.index()] * instance.rate(t, Level(h)) != *offer[n].price) return;
            search.add(own, static_cast<std::uint32_t>(vertices + n));
            if (const auto entry = offer[n].servers_by_tree.find(own); entry != offer[n].servers_by_tree.end())
                inside += entry->second;
        });
        if (inside != degree[t.index()]) result.unique = false;  // a tight pair within the tree closes a cycle with it
    }
    const std::size_t joins = search.join_cycles(sets);
    if (joins > 0) result.unique = false;
    result.parts = result.components - joins;
}

/// Whether a type of the price 0 could move an amount to a server of the price 0 that is loaded below rho*.
bool has_room(const Instance& instance, const CapacityCertificate& certificate, const std::vector<Assignment>& basic) {
    const std::vector<Rational> load = server_loads(instance, basic);
    for (const ServerId m : instance.servers()) {
        if (certificate.server_price[m.index()].sign() > 0 || load[m.index()] >= certificate.upper) continue;
        for (const Assignment& entry : basic)
            if (entry.server != m && certificate.type_price[entry.type.index()].sign() == 0 &&
                instance.can_serve(m, entry.type))
                return true;
    }
    return false;
}

}  // namespace

Activities basic_activities(const Instance& instance, const CapacityCertificate& certificate) {
    require(certificate.exact(), "basic activities need an exact certificate");
    const std::size_t servers = instance.servers().size();
    Activities result{to_vertex(instance, certificate), true, servers, servers};
    if (certificate.decomposition.empty()) return result;
    Sets sets(servers + instance.types().size());
    for (const Assignment& entry : result.basic)
        if (sets.join(static_cast<std::uint32_t>(servers + entry.type.index()),
                      static_cast<std::uint32_t>(entry.server.index())))
            --result.components;
    for (const TaskTypeId t : instance.types())
        if (instance.arrival_rate(t).sign() > 0) ++result.components;
    find_other_optima(instance, certificate, sets, result);
    if (has_room(instance, certificate, result.basic)) result.unique = false;
    return result;
}

}  // namespace schedproof::capacity
