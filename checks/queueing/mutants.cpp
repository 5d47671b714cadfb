#include "checks/queueing/mutants.hpp"

#include "policies/queueing/balanced_pandas.hpp"
#include "policies/queueing/generalized_cmu.hpp"
#include "policies/queueing/jsq_maxweight.hpp"
#include "policies/queueing/pandas.hpp"
#include "policies/queueing/wang_jsq_maxweight.hpp"

namespace schedproof::checks::mutants {

using namespace queueing;

namespace {

struct JsqRoutesToLongest : JsqMaxWeight {
    template <Number N>
    [[nodiscard]] Ties route(const View<N>& now, TaskTypeId type) const {
        return now.max_weight(now.local(type), key::length).or_else(now.own(ServerId(0)));
    }
};
struct JsqDropsRoutingTies : JsqMaxWeight {
    template <Number N>
    [[nodiscard]] Ties route(const View<N>& now, TaskTypeId type) const {
        return now.argmin(now.local(type), key::length)[0];
    }
};
struct WangIgnoresCommonWhenRouting : WangJsqMaxWeight {
    template <Number N>
    [[nodiscard]] Ties route(const View<N>& now, TaskTypeId type) const {
        return now.argmin(now.local(type), key::length);
    }
};
/// Least workload, whatever the distance: W_m instead of W_m / mu.
struct BalancedRoutesByPlainWorkload : BalancedPandas {
    struct Plain {
        template <class V>
        auto operator()(const V& now, const Candidate& c) const {
            return now.weighted_workload({c.queue, Level(0)});
        }
    };
    template <Number N>
    [[nodiscard]] Ties route(const View<N>& now, TaskTypeId type) const {
        return now.argmin(now.servers(type), Plain{});
    }
};
struct JsqServesSmallestWeight : JsqMaxWeight {
    template <Number N>
    [[nodiscard]] Ties serve(const View<N>& now, ServerId m) const {
        return now.argmin(now.reachable(m), key::weighted_length);
    }
};
struct JsqIgnoresRates : JsqMaxWeight {
    template <Number N>
    [[nodiscard]] Ties serve(const View<N>& now, ServerId m) const {
        return now.max_weight(now.reachable(m), key::length).or_else(now.own(m));
    }
};
struct WangNeverHelps : WangJsqMaxWeight {
    template <Number N>
    [[nodiscard]] Ties serve(const View<N>& now, ServerId m) const {
        return now.own(m);
    }
};
/// alpha where gamma belongs.
struct WangWeighsCommonAsLocal : WangJsqMaxWeight {
    template <Number N>
    [[nodiscard]] Ties serve(const View<N>& now, ServerId m) const {
        const Candidate common{now.common().queue, now.own(m).level};
        return now.weight(now.own(m)) >= now.weight(common) ? now.own(m) : now.common();
    }
};
struct WangTiesGoToCommon : WangJsqMaxWeight {
    template <Number N>
    [[nodiscard]] Ties serve(const View<N>& now, ServerId m) const {
        return now.weight(now.own(m)) > now.weight(now.common()) ? now.own(m) : now.common();
    }
};
struct BalancedServesRemoteFirst : BalancedPandas {
    template <Number N>
    [[nodiscard]] Ties serve(const View<N>& now, ServerId m) const {
        Ties last;
        for (const Level level : now.levels())
            if (now.has_work(now.own(m, level).queue)) last = now.own(m, level);
        return last;
    }
};
/// Strictly more than alpha, where the paper has at least.
struct PandasThresholdOffByOne : PandasPlain {
    template <Number N>
    [[nodiscard]] Ties serve(const View<N>& now, ServerId m) const {
        if (now.has_work(now.own(m).queue)) return now.own(m);
        return now.max_weight(now.reachable(m), key::length)
            .where([&](const Candidate& n) { return now.weighted_length(n) > now.rate(now.own(m)); })
            .or_else(now.own(m));
    }
};
struct PandasHelpsBeforeOwn : PandasPlain {
    template <Number N>
    [[nodiscard]] Ties serve(const View<N>& now, ServerId m) const {
        return now.max_weight(now.reachable(m), key::length)
            .where([&](const Candidate& n) { return now.weighted_length(n) >= now.rate(now.own(m)); })
            .or_else(now.own(m));
    }
};
/// Serves the type of largest marginal cost, however far its data.
struct CmuIgnoresDistance : GeneralizedCmu {
    struct Flat {
        template <class V>
        auto operator()(const V& now, const Candidate& c) const {
            return now.marginal_cost({c.queue, Level(0)});
        }
    };
    template <Number N>
    [[nodiscard]] Ties serve(const View<N>& now, ServerId m) const {
        return now.max_weight(now.reachable(m), Flat{});
    }
};

template <class P>
System of(const InstancePtr& instance) {
    return {instance, SymbolicSystem::of(*instance, P{}), ExactSystem(*instance, P{})};
}

}  // namespace

System jsq_routes_to_longest(const InstancePtr& instance) { return of<JsqRoutesToLongest>(instance); }
System jsq_drops_routing_ties(const InstancePtr& instance) { return of<JsqDropsRoutingTies>(instance); }
System wang_ignores_common_when_routing(const InstancePtr& instance) {
    return of<WangIgnoresCommonWhenRouting>(instance);
}
System balanced_routes_by_plain_workload(const InstancePtr& instance) {
    return of<BalancedRoutesByPlainWorkload>(instance);
}
System jsq_serves_smallest_weight(const InstancePtr& instance) { return of<JsqServesSmallestWeight>(instance); }
System jsq_ignores_rates(const InstancePtr& instance) { return of<JsqIgnoresRates>(instance); }
System wang_never_helps(const InstancePtr& instance) { return of<WangNeverHelps>(instance); }
System wang_weighs_common_as_local(const InstancePtr& instance) { return of<WangWeighsCommonAsLocal>(instance); }
System wang_ties_go_to_common(const InstancePtr& instance) { return of<WangTiesGoToCommon>(instance); }
System balanced_serves_remote_first(const InstancePtr& instance) { return of<BalancedServesRemoteFirst>(instance); }
System pandas_threshold_off_by_one(const InstancePtr& instance) { return of<PandasThresholdOffByOne>(instance); }
System pandas_helps_before_own(const InstancePtr& instance) { return of<PandasHelpsBeforeOwn>(instance); }
System cmu_ignores_costs_of_distance(const InstancePtr& instance) { return of<CmuIgnoresDistance>(instance); }

System crossed(System left, const System& right) {
    left.exact = right.exact;
    return left;
}

}  // namespace schedproof::checks::mutants
