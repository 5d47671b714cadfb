/// The exact load of a pooled problem by raising prices along minimum cuts: no linear program, no floating point.
///
/// Let w be prices of the leaves, W_n the least price below node n, S_n = W_n / mu_{level(n)} and v_L = min S_n over
/// the options of L. Every server can serve every type, so the dual of the capacity problem is the maximum of
///     G(w) = sum_L lambda_L v_L / sum_m w_m      over w > 0
/// (w_m = 0 for one server makes every v_L zero). G is homogeneous; rho* = max G. Call an option tight when it attains
/// the minimum. By complementary slackness w is optimal iff all work fits on tight options with load rho* on every
/// server. Measure work by its value: lambda_L tasks of type L are worth lambda_L v_L, and served over a tight option
/// they occupy lambda_L v_L of server-time valued at w_m, because x / mu * w_m = x v_L. In this unit nothing is gained
/// or lost along an arc, so the generalised flow becomes an ordinary one:
///     supply lambda_L v_L  ->  tight options  ->  leaves of least price below  ->  room G(w) w_m.
/// Supply and room have the same sum. If the flow saturates, it is an optimal decomposition. If not, a minimum cut has
/// types A whose tight options all lie above the leaves N, with supply(A) > room(N): the price of N is too low.
/// Multiply it by t > 1. As long as the types of A keep their tight options,
///     G(t) = (K + t B) / (c + t b),   B = supply(A), b = w(N),
/// increases, since B > G b; each type leaves A for good at the t where another option becomes as cheap, moving its
/// value from B to K. G(t) is quasi-concave: go to the last such breakpoint before B c <= K b.
///
/// Where types state their rates at servers, a type of A may have no option over a leaf outside N: it never leaves. If
/// with such types G increases for ever, rho* is the load of N alone and the other prices are zero, which the flow
/// cannot use: the ascent stops there (`confined`), with an interval.
///
/// Termination. Prices with numerators and denominators of a few digits are left alone; longer ones are moved to a
/// vertex of at least the same value (ranked_prices.hpp). Up to scale, both kinds are finitely many, and a raise
/// strictly increases G, so no prices recur. No polynomial bound is claimed; `max_rounds` stops the search, and the
/// result then still carries prices and a decomposition, which prove an interval. Measured: 1 to 12 rounds on
/// listings; at most 24 on thousands of random instances with up to five levels, weights over six decades, racks of
/// two servers and overlapping chains of replicas.
///
/// Arithmetic. Rationals are touched per distinct price; the flow runs on machine integers after one scaling (64 bits,
/// 128 bits, unbounded: the first that holds the total), so cuts and decompositions are exact. What bounds the time on
/// a large listing is the memory traffic of the flow's breadth-first searches and the passes over all options.
#include "proofs/queueing/capacity/price_ascent.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

#include "model/core/errors.hpp"
#include "proofs/queueing/capacity/cycles.hpp"
#include "proofs/queueing/capacity/flow.hpp"
#include "proofs/queueing/capacity/ranked_prices.hpp"

namespace schedproof::capacity {

namespace {

__extension__ typedef __int128 Int128;

// The integer as one of the flow's types. Requires that it fits.
template <class Value>
Value narrow(const Integer& n) {
    if constexpr (std::is_same_v<Value, Integer>)
        return n;
    else if constexpr (sizeof(Value) == sizeof(std::int64_t))
        return static_cast<Value>(n);
    else
        return (static_cast<Int128>(static_cast<std::int64_t>(n >> 62)) << 62) |
               static_cast<Int128>(static_cast<std::int64_t>(n & ((Integer(1) << 62) - 1)));
}

Integer widen(std::int64_t n) { return n; }
Integer widen(const Integer& n) { return n; }
Integer widen(Int128 n) {
    return (Integer(static_cast<std::int64_t>(n >> 62)) << 62) +
           Integer(static_cast<std::int64_t>(n & ((Int128(1) << 62) - 1)));
}

// Supplies and rooms as integers: supply of type t = demand[t] * factor[ranked.type[t]].
struct Scaled {
    std::vector<Integer> factor;
    std::vector<Integer> room;  // per leaf
    Integer total;
};

// The ascent on one problem: demands as integers, and the prices of the moment.
class Ascent {
  public:
    Ascent(const Pooled& problem, std::vector<Rational> start) : problem_(problem), price_(std::move(start)) {
        if (price_.empty()) price_.assign(problem.leaves, Rational(1));
        require(price_.size() == problem.leaves, "one start price per leaf");
        const Integer common = common_denominator(problem.demand);
        Integer divisor = 0;
        for (const Rational& demand : problem.demand) {
            demand_.push_back(demand.numerator() * (common / demand.denominator()));
            divisor = gcd(divisor, demand_.back());
        }
        for (Integer& demand : demand_) demand /= divisor;
        demand_unit_ = Rational(divisor, common);
    }

    Equilibrium run(std::size_t max_rounds) {
        for (;;) {
            ++rounds_;
            ranked_ = rank_prices(problem_, price_);
            const Scaled scaled = scale();
            const bool last = rounds_ >= max_rounds;
            const std::size_t bits = msb(scaled.total) + 1;
            const bool done = bits < 63    ? round<std::int64_t>(scaled, last)
                              : bits < 124 ? round<Int128>(scaled, last)
                                           : round<Integer>(scaled, last);
            if (done) return std::move(result_);
        }
    }

  private:
    [[nodiscard]] std::vector<Integer> demand_by_rank() const {
        std::vector<Integer> sum(ranked_.slowness.size(), Integer(0));
        for (std::size_t t = 0; t < demand_.size(); ++t) sum[ranked_.type[t]] += demand_[t];
        return sum;
    }

    // With A = sum_t demand_t v_t and w(all) = sum_m w_m, both times common denominators, type t supplies
    // demand_t v_t w(all) and leaf m takes A w_m; a common divisor is taken out.
    [[nodiscard]] Scaled scale() const {
        const std::vector<Integer> demand = demand_by_rank();
        const Integer v_unit = common_denominator(ranked_.slowness), w_unit = common_denominator(ranked_.price);
        const auto integral = [](const Rational& value, const Integer& unit) -> Integer {
            return value.numerator() * (unit / value.denominator());
        };
        Scaled scaled;
        Integer value = 0, all = 0, divisor = 0;
        for (std::size_t r = 0; r < demand.size(); ++r) value += demand[r] * integral(ranked_.slowness[r], v_unit);
        for (std::size_t m = 0; m < price_.size(); ++m) all += problem_.multiplicity[m] * integral(price_[m], w_unit);
        for (std::size_t r = 0; r < demand.size(); ++r) {
            scaled.factor.push_back(demand[r] == 0 ? Integer(0) : integral(ranked_.slowness[r], v_unit) * all);
            divisor = gcd(divisor, scaled.factor.back());
        }
        for (std::size_t m = 0; m < price_.size(); ++m) {
            scaled.room.push_back(value * problem_.multiplicity[m] * integral(price_[m], w_unit));
            divisor = gcd(divisor, scaled.room.back());
        }
        for (Integer& factor : scaled.factor) factor /= divisor;
        for (Integer& room : scaled.room) room /= divisor;
        scaled.total = value * all / divisor;
        return scaled;
    }

    // Nodes of the flow: those of the pooled problem, then the types.
    [[nodiscard]] std::vector<Arc> tight_arcs() const {
        std::vector<Arc> arcs;
        for (std::uint32_t n = 0; n + 1 < problem_.nodes(); ++n)
            if (ranked_.node[n] == ranked_.node[problem_.parent[n]]) arcs.push_back({problem_.parent[n], n});
        for (std::size_t t = 0; t < problem_.types(); ++t)
            for (const std::uint32_t n : problem_.options(t))
                if (ranked_.option_slowness(problem_, t, n) == ranked_.type[t])
                    arcs.push_back({static_cast<std::uint32_t>(problem_.nodes() + t), n});
        return arcs;
    }

    // One flow at the prices of the moment. True: the result is ready; false: the prices were raised.
    template <class Value>
    bool round(const Scaled& scaled, bool last) {
        const std::size_t nodes = problem_.nodes();
        std::vector<Value> supply(nodes + problem_.types()), room(supply.size());
        std::vector<Value> factor;
        for (const Integer& f : scaled.factor) factor.push_back(narrow<Value>(f));
        for (std::size_t m = 0; m < problem_.leaves; ++m) room[m] = narrow<Value>(scaled.room[m]);
        for (std::size_t t = 0; t < problem_.types(); ++t)
            supply[nodes + t] = narrow<Value>(demand_[t]) * factor[ranked_.type[t]];
        TransportFlow<Value> flow(tight_arcs(), std::move(supply), std::move(room));
        flow.maximise();
        const bool saturated =
            std::all_of(flow.left().begin(), flow.left().end(), [](const Value& left) { return left == 0; });
        if (!saturated && !last && raise(flow)) return false;
        std::vector<Value> amount = flow.flow();
        if (!saturated) place_leftovers(flow, amount);
        cancel_cycles(nodes + problem_.types(), flow.arcs(), amount);
        finish(flow.arcs(), amount, factor, saturated);
        return true;
    }

    // Whatever found no room goes to its first tight option, and down: above the common load.
    template <class Value>
    void place_leftovers(const TransportFlow<Value>& flow, std::vector<Value>& amount) const {
        std::vector<std::uint32_t> out(problem_.nodes() + problem_.types(), Pooled::none);
        for (std::uint32_t a = 0; a < flow.arcs().size(); ++a) out[flow.arcs()[a].from] = a;
        for (std::size_t node = problem_.nodes(); node < out.size(); ++node)
            for (std::uint32_t a = out[node]; flow.left()[node] > 0 && a != Pooled::none; a = out[flow.arcs()[a].to])
                amount[a] += flow.left()[node];
    }

    // False where no factor is best: the prices stay, and the result says so.
    template <class Value>
    [[nodiscard]] bool raise(const TransportFlow<Value>& flow);
    void simplify();
    [[nodiscard]] std::optional<Rational> best_factor(
        const std::map<std::pair<std::uint32_t, std::uint32_t>, Integer>& leaving, const Rational& inside,
        const Rational& outside) const;
    template <class Value>
    void finish(const std::vector<Arc>& arcs, const std::vector<Value>& amount, const std::vector<Value>& factor,
                bool saturated);

    const Pooled& problem_;
    std::vector<Rational> price_;  // per leaf
    std::vector<Integer> demand_;  // per type, in units of demand_unit_
    Rational demand_unit_;
    RankedPrices ranked_;
    std::size_t rounds_ = 0;
    Equilibrium result_;
};

template <class Value>
bool Ascent::raise(const TransportFlow<Value>& flow) {
    // Least price below each node among the leaves that stay.
    std::vector<std::uint32_t> staying = ranked_.leaf;
    Rational inside, outside;
    for (std::size_t m = 0; m < problem_.leaves; ++m) {
        (flow.in_cut(m) ? inside : outside) += Rational(problem_.multiplicity[m]) * price_[m];
        if (flow.in_cut(m)) staying[m] = Pooled::none;
    }
    staying = smallest_below(problem_, staying);
    // A type of the cut leaves when the cheapest option over a leaf that stays is as cheap as its raised ones.
    std::map<std::pair<std::uint32_t, std::uint32_t>, Integer> leaving;
    for (std::size_t t = 0; t < problem_.types(); ++t) {
        if (!flow.in_cut(problem_.nodes() + t)) continue;
        leaving[{ranked_.type[t], least_slowness(problem_, ranked_, t, staying)}] += demand_[t];
    }
    const std::optional<Rational> t = best_factor(leaving, inside, outside);
    result_.confined = !t;
    if (!t) return false;
    for (std::size_t m = 0; m < problem_.leaves; ++m)
        if (flow.in_cut(m)) price_[m] *= *t;
    simplify();
    return true;
}

// Prices relative to the least; moved to a vertex when they got long.
void Ascent::simplify() {
    constexpr std::size_t long_price = 48;
    const auto is_long = [](const Rational& price) {
        return msb(price.numerator()) > long_price || msb(price.denominator()) > long_price;
    };
    const auto normalise = [&] {
        const Rational least = *std::min_element(price_.begin(), price_.end());
        if (least == 1) return;
        for (Rational& price : price_) price /= least;
    };
    normalise();
    if (std::none_of(price_.begin(), price_.end(), is_long)) return;
    price_ = to_vertex(problem_, demand_, std::move(price_));
    normalise();
}

std::optional<Rational> Ascent::best_factor(const std::map<std::pair<std::uint32_t, std::uint32_t>, Integer>& leaving,
                                            const Rational& inside, const Rational& outside) const {
    struct Breakpoint {
        Rational t, before, after;  // its share of the value is t * before until t, and `after` from then on
    };
    std::vector<Breakpoint> breakpoints;
    Rational rising, constant;
    const std::vector<Integer> demand = demand_by_rank();
    for (std::size_t r = 0; r < demand.size(); ++r)
        if (demand[r] != 0) constant += Rational(demand[r]) * ranked_.slowness[r];
    for (const auto& [ranks, amount] : leaving) {
        const Rational& now = ranked_.slowness[ranks.first];
        rising += Rational(amount) * now;
        constant -= Rational(amount) * now;
        if (ranks.second == Pooled::none) continue;  // never leaves
        const Rational& other = ranked_.slowness[ranks.second];
        breakpoints.push_back({other / now, Rational(amount) * now, Rational(amount) * other});
    }
    std::sort(breakpoints.begin(), breakpoints.end(),
              [](const Breakpoint& a, const Breakpoint& b) { return a.t < b.t; });
    for (std::size_t i = 0; i < breakpoints.size(); ++i) {
        rising -= breakpoints[i].before;
        constant += breakpoints[i].after;
        const bool last_of_tie = i + 1 == breakpoints.size() || breakpoints[i + 1].t != breakpoints[i].t;
        if (last_of_tie && rising * outside <= constant * inside) return breakpoints[i].t;
    }
    require(rising.sign() > 0, "a cut that does not cover every server leaves each type an option outside, or stays");
    return std::nullopt;
}

template <class Value>
void Ascent::finish(const std::vector<Arc>& arcs, const std::vector<Value>& amount, const std::vector<Value>& factor,
                    bool saturated) {
    struct Parcel {
        std::uint32_t type;
        Value amount;
    };
    const std::size_t nodes = problem_.nodes();
    std::vector<std::vector<Parcel>> held(nodes);
    std::vector<std::vector<std::uint32_t>> down(nodes);
    for (std::uint32_t a = 0; a < arcs.size(); ++a) {
        if (amount[a] == 0) continue;
        if (arcs[a].from >= nodes)
            held[arcs[a].to].push_back({static_cast<std::uint32_t>(arcs[a].from - nodes), amount[a]});
        else
            down[arcs[a].from].push_back(a);
    }
    // From the cluster down, each pool hands its parcels to the nodes below in order (the north-west corner rule): k
    // parcels and j nodes give at most k + j - 1 new parcels, and a star replaced by a staircase stays a forest.
    for (std::size_t node = nodes; node-- > problem_.leaves;) {
        std::size_t next = 0;
        for (const std::uint32_t a : down[node])
            for (Value rest = amount[a]; rest > 0;) {
                Parcel& parcel = held[node][next];
                const Value part = std::min(rest, parcel.amount);
                held[arcs[a].to].push_back({parcel.type, part});
                rest -= part;
                parcel.amount -= part;
                if (parcel.amount == 0) ++next;
            }
        held[node].clear();
    }
    for (std::uint32_t m = 0; m < problem_.leaves; ++m)
        for (const Parcel& parcel : held[m])
            result_.shares.push_back(
                {parcel.type, m,
                 demand_unit_ * Rational(widen(parcel.amount), widen(factor[ranked_.type[parcel.type]]))});
    Rational all;
    for (std::size_t m = 0; m < problem_.leaves; ++m) all += Rational(problem_.multiplicity[m]) * price_[m];
    for (const Rational& price : price_) result_.leaf_price.push_back(price / all);
    for (Rational& value : ranked_.slowness) value /= all;
    for (const std::uint32_t r : ranked_.type) result_.type_price.push_back(ranked_.slowness[r]);
    result_.optimal = saturated;
    result_.rounds = rounds_;
}

}  // namespace

Equilibrium raise_prices(const Pooled& problem, std::vector<Rational> start, std::size_t max_rounds) {
    require(problem.types() > 0, "prices are raised for at least one type with arrivals");
    return Ascent(problem, std::move(start)).run(max_rounds);
}

}  // namespace schedproof::capacity
