/// Pandas, the priority algorithm for near-data scheduling ([xie2015]; [kavousi], Section IV-B).
///
/// A task joins the shortest queue among its local servers. An idle server serves its own queue while that has work,
/// and otherwise helps a long queue n if mu(m,n) Q_n >= alpha, that is, if the help is expected to end before the
/// owner could have got to the task.
/// Deviation: the paper has two levels. For three and more, no source says whom to help; both natural rules are
/// given: `plain` helps the longest queue anywhere, `rackaware` the queue of largest mu(m,n) Q_n. On two levels they
/// agree.
#pragma once

#include "model/queueing/policy.hpp"

namespace schedproof::queueing {

enum class PandasHelp { plain, rackaware };

template <PandasHelp help>
struct Pandas {
    static constexpr PolicyInfo info =
        help == PandasHelp::plain
            ? PolicyInfo{"pandas:plain", "[xie2015]; [kavousi], Section IV-B",
                         "join the shortest local queue; serve own, else help the longest queue if rate times length "
                         ">= alpha"}
            : PolicyInfo{
                  "pandas:rackaware", "[xie2015], extended to racks; docs/models/queueing.md, Interpretation Q15",
                  "join the shortest local queue; serve own, else help the largest rate times length if >= alpha"};
    static constexpr DecisionClass decisions{
        RoutingRule::shortest_local,
        help == PandasHelp::plain ? ServingRule::own_then_longest : ServingRule::own_then_largest_weight, Reach::any,
        help == PandasHelp::plain};

    [[nodiscard]] Layout layout(const Instance& instance) const { return {instance, Arrangement::per_server}; }
    template <PolicyView V>
    [[nodiscard]] Best<V> route(const V& now, TaskTypeId type) const {
        return now.argmin(now.local(type), key::length);
    }
    template <PolicyView V>
    [[nodiscard]] Best<V> serve(const V& now, ServerId m) const {
        if (now.has_work(now.own(m).queue)) return now.own(m);
        return longest(now, m)
            .where([&](const Candidate& n) { return now.weighted_length(n) >= now.rate(now.own(m)); })
            .or_else(now.own(m));
    }

  private:
    template <PolicyView V>
    [[nodiscard]] static Best<V> longest(const V& now, ServerId m) {
        if constexpr (help == PandasHelp::plain)
            return now.max_weight(now.reachable(m), key::length);
        else
            return now.max_weight(now.reachable(m), key::weighted_length);
    }
};

using PandasPlain = Pandas<PandasHelp::plain>;
using PandasRackaware = Pandas<PandasHelp::rackaware>;

}  // namespace schedproof::queueing
