/// Where an instance lies with respect to its capacity region, and what its data placement costs.
///
/// `solve` returns a verified certificate of the load rho*: the arrival rates lie inside the region iff rho* < 1, on
/// its boundary iff rho* = 1, and outside, where every policy is unstable, iff rho* > 1.
///
/// Method. The instance is pooled (pooled.hpp); if it has much symmetry, the prices of its quotient are found first
/// (symmetry.hpp); then prices are raised along minimum cuts until the work fits exactly (price_ascent.hpp). Should
/// that exceed its rounds, the pooled linear program is solved exactly (linear_program.hpp) and its multipliers are
/// the prices of one last flow. If this fails too, the certificate is an interval. Where the ascent finds that some
/// servers are the bottleneck by types that no other can serve, the others' prices are zero and no flow finds the
/// decomposition: the linear program over all pairs gives both.
///
/// Measured on one core of the build host, verification included, exact in every case: 1,000 servers x 200 types 15 ms
/// (Clp's floating-point simplex: 4 to 8 s on the full program, 30 ms on the pooled one); 100,000 three-replica types
/// on 1,000 servers in 40 racks 1 s when one flow balances them, 2 s with weights over six decades, single replicas and
/// servers without data, in 0.12 GiB; ten times as many types and servers 60 to 100 s in 1 GiB. At 20,000 types Clp
/// needs minutes for the pooled program that is solved here in half a second. The flow's searches bound the time (85%
/// of the largest instance); below 100,000 types pooling, verification and they weigh the same.
#include "proofs/queueing/capacity/region.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "model/core/errors.hpp"
#include "model/queueing/load.hpp"
#include "proofs/queueing/capacity/pooled.hpp"
#include "proofs/queueing/capacity/price_ascent.hpp"
#include "proofs/queueing/capacity/symmetry.hpp"

namespace schedproof::capacity {

using queueing::Instance;

namespace {

// The price of a leaf is the sum of the multipliers of the nodes above it.
std::vector<Rational> multiplier_prices(const Pooled& problem, const LinearSolution& solution) {
    std::vector<Rational> price(solution.multipliers.begin() + static_cast<std::ptrdiff_t>(problem.types()),
                                solution.multipliers.end());
    for (std::size_t n = problem.nodes() - 1; n-- > 0;) price[n] += price[problem.parent[n]];
    price.resize(problem.leaves);
    return price;
}

Equilibrium find_equilibrium(const Pooled& problem, const SolveOptions& options) {
    const auto from_program = [&]() -> std::optional<Equilibrium> {
        const auto solution = solve(pooled_program(problem), options.linear);
        if (!solution) return std::nullopt;
        std::vector<Rational> prices = multiplier_prices(problem, *solution);
        if (std::any_of(prices.begin(), prices.end(), [](const Rational& w) { return w.sign() == 0; }))
            return std::nullopt;  // a flow needs prices above 0
        return raise_prices(problem, std::move(prices), 1);
    };
    if (options.method == Method::pooled_program)
        if (auto found = from_program()) return std::move(*found);
    std::vector<Rational> start;
    if (options.method == Method::automatic || options.method == Method::quotient) {
        const std::size_t size = problem.nodes() + problem.types();
        if (const auto small = quotient(problem, options.method == Method::quotient ? size : size / 2))
            start = small->spread(raise_prices(small->problem, {}, options.max_rounds).leaf_price);
    }
    Equilibrium found = raise_prices(problem, std::move(start), options.max_rounds);
    // Beyond this size the linear program would outlast any patience: the interval is the answer.
    constexpr std::size_t largest_program = 20'000;
    const bool may_repair = options.method == Method::automatic && !found.confined;
    if (found.optimal || !may_repair || problem.option.size() > largest_program) return found;
    auto repaired = from_program();
    return repaired ? std::move(*repaired) : found;
}

// Splits the shares of each pooled type among the types that it stands for, in order (the north-west corner rule).
std::vector<Assignment> split_shares(const Instance& instance, const std::vector<std::uint32_t>& pooled_type,
                                     std::vector<Share> shares) {
    std::sort(shares.begin(), shares.end(),
              [](const Share& a, const Share& b) { return std::pair(a.type, a.leaf) < std::pair(b.type, b.leaf); });
    std::vector<std::size_t> next(instance.types().size() + 1, shares.size());
    for (std::size_t i = shares.size(); i-- > 0;) next[shares[i].type] = i;
    std::vector<Assignment> result;
    result.reserve(shares.size());
    for (const TaskTypeId t : instance.types()) {
        if (pooled_type[t.index()] == Pooled::none) continue;
        std::size_t& i = next[pooled_type[t.index()]];
        for (Rational rest = instance.arrival_rate(t); rest.sign() > 0;) {
            Rational part = std::min(rest, shares[i].amount);
            rest -= part;
            shares[i].amount -= part;
            result.push_back({t, ServerId(shares[i].leaf), std::move(part)});
            if (shares[i].amount.sign() == 0) ++i;
        }
    }
    return result;
}

// v_L = min over the nodes that hold a replica of L of W_n / mu.
std::vector<Rational> dearest_type_prices(const Instance& instance, const std::vector<Rational>& server_price) {
    const Touched touched(instance);
    std::vector<const Rational*> cheapest(touched.nodes(), nullptr);
    for (const ServerId m : instance.servers())
        for (std::size_t h = 0; h < touched.heights(); ++h) {
            const Rational*& below = cheapest[touched.node(m, h)];
            if (!below || server_price[m.index()] < *below) below = &server_price[m.index()];
        }
    // The types without rates of their own share the quotients, as their level at a node is the node's height. Where
    // types state their rates at servers, a server has a level for each type.
    const bool shares = !instance.rates_at_servers();
    std::vector<std::optional<Rational>> cost(touched.nodes());
    std::vector<Rational> price;
    for (const TaskTypeId t : instance.types()) {
        std::optional<Rational> best;
        touched.for_each(t, [&](std::uint32_t node, std::size_t height) {
            std::optional<Rational> own;
            std::optional<Rational>& here = shares && instance.type(t).rates.empty() ? cost[node] : own;
            if (!here) here = *cheapest[node] / instance.rate(t, Level(height));
            if (!best || *here < *best) best = here;
        });
        price.push_back(std::move(*best));
    }
    return price;
}

// rho* = 0, at any prices: equal ones.
CapacityCertificate without_arrivals(const Instance& instance) {
    CapacityCertificate certificate;
    const auto servers = static_cast<std::int64_t>(instance.servers().size());
    certificate.server_price.assign(instance.servers().size(), Rational(1) / Rational(servers));
    certificate.type_price = dearest_type_prices(instance, certificate.server_price);
    return certificate;
}

CapacityCertificate solve_full(const Instance& instance, const SolveOptions& options);

CapacityCertificate solve_pooled(const Instance& instance, const SolveOptions& options) {
    const PooledInstance pooled = pool(instance);
    CapacityCertificate certificate;
    Equilibrium found = find_equilibrium(pooled.problem, options);
    constexpr std::size_t most_pairs = 20'000;  // as of the pooled program
    if (found.confined && instance.types().size() * instance.servers().size() <= most_pairs)
        return solve_full(instance, options);
    certificate.server_price = std::move(found.leaf_price);
    certificate.decomposition = split_shares(instance, pooled.pooled_type, std::move(found.shares));
    certificate.type_price = dearest_type_prices(instance, certificate.server_price);
    certificate.lower = price_value(instance, certificate.type_price);
    if (found.optimal) {
        certificate.upper = certificate.lower;
    } else {
        const std::vector<Rational> load = server_loads(instance, certificate.decomposition);
        certificate.upper = *std::max_element(load.begin(), load.end());
    }
    return certificate;
}

CapacityCertificate solve_full(const Instance& instance, const SolveOptions& options) {
    const auto solution = solve(full_program(instance), options.linear);
    if (!solution) throw LimitExceeded("linear program", "no method found its optimum");
    CapacityCertificate certificate;
    certificate.lower = certificate.upper = solution->value;
    std::size_t variable = 1;
    for (const TaskTypeId t : instance.types())
        for (const ServerId m : instance.servers()) {
            if (!instance.can_serve(m, t)) continue;
            const Rational& amount = solution->x[variable++];
            if (amount.sign() > 0) certificate.decomposition.push_back({t, m, amount});
        }
    const auto prices = solution->multipliers.begin() + static_cast<std::ptrdiff_t>(instance.types().size());
    certificate.type_price.assign(solution->multipliers.begin(), prices);
    certificate.server_price.assign(prices, solution->multipliers.end());
    return certificate;
}

}  // namespace

LinearProgram pooled_program(const Pooled& problem) {
    LinearProgram program;
    const std::uint32_t rho = program.add_variable(Rational(1));
    std::vector<LinearRow> work(problem.nodes());
    for (std::size_t t = 0; t < problem.types(); ++t) {
        LinearRow demand{{}, Relation::equal, problem.demand[t]};
        for (const std::uint32_t n : problem.options(t)) {
            const std::uint32_t x = program.add_variable();
            demand.entries.emplace_back(x, Rational(1));
            const Rational time = Rational(-1) / problem.rates[problem.rate_index(t, n)];
            for (std::uint32_t above = n; above != Pooled::none; above = problem.parent[above])
                work[above].entries.emplace_back(x, time);
        }
        program.rows.push_back(std::move(demand));
    }
    std::vector<Integer> servers(problem.nodes(), Integer(0));
    for (std::size_t n = 0; n < problem.nodes(); ++n) {
        if (n < problem.leaves) servers[n] = problem.multiplicity[n];
        if (problem.parent[n] != Pooled::none) servers[problem.parent[n]] += servers[n];
        work[n].entries.emplace_back(rho, Rational(servers[n]));
        work[n].relation = Relation::at_least;
        program.rows.push_back(std::move(work[n]));
    }
    return program;
}

LinearProgram full_program(const Instance& instance) {
    LinearProgram program;
    const std::uint32_t rho = program.add_variable(Rational(1));
    std::vector<LinearRow> load(instance.servers().size(),
                                LinearRow{{{rho, Rational(1)}}, Relation::at_least, Rational(0)});
    for (const TaskTypeId t : instance.types()) {
        LinearRow demand{{}, Relation::equal, instance.arrival_rate(t)};
        for (const ServerId m : instance.servers()) {
            if (!instance.can_serve(m, t)) continue;
            const std::uint32_t x = program.add_variable();
            demand.entries.emplace_back(x, Rational(1));
            load[m.index()].entries.emplace_back(x, Rational(-1) / instance.rate(t, m));
        }
        program.rows.push_back(std::move(demand));
    }
    for (LinearRow& row : load) program.rows.push_back(std::move(row));
    return program;
}

CapacityCertificate solve(const Instance& instance, const SolveOptions& options) {
    require(options.max_rounds > 0, "at least one round");
    CapacityCertificate certificate = instance.total_arrival_rate().sign() == 0 ? without_arrivals(instance)
                                      : options.method == Method::full_program  ? solve_full(instance, options)
                                                                                : solve_pooled(instance, options);
    if (const std::string wrong = rejection(instance, certificate); !wrong.empty())
        throw OracleConflict("the capacity certificate of '" + instance.name() + "' does not verify: " + wrong);
    return certificate;
}

std::string_view to_string(Position position) {
    switch (position) {
        case Position::inside:
            return "inside";
        case Position::boundary:
            return "boundary";
        case Position::outside:
            return "outside";
        case Position::unknown:
            break;
    }
    return "unknown";
}

Position position(const CapacityCertificate& certificate) {
    if (certificate.upper < 1) return Position::inside;
    if (certificate.lower > 1) return Position::outside;
    return certificate.exact() ? Position::boundary : Position::unknown;
}

std::optional<InstabilityWitness> instability(const CapacityCertificate& certificate) {
    if (certificate.lower <= 1) return std::nullopt;
    return InstabilityWitness{certificate.type_price, certificate.lower - 1};
}

PlacementLoss placement_loss(const Instance& instance, const CapacityCertificate& certificate) {
    PlacementLoss loss;
    const auto servers = static_cast<std::int64_t>(instance.servers().size());
    for (const TaskTypeId t : instance.types())
        loss.balanced += instance.arrival_rate(t) / instance.rate(t, instance.local());
    loss.balanced /= Rational(servers);
    if (certificate.upper.sign() > 0) {
        loss.lost = Rational(1) - loss.balanced / certificate.upper;
        loss.scaling = Rational(1) / certificate.upper;
    }
    std::map<Rational, std::vector<ServerId>> by_price;
    for (const ServerId m : instance.servers()) by_price[certificate.server_price[m.index()]].push_back(m);
    const auto least = std::find_if(by_price.begin(), by_price.end(), [](const auto& c) { return c.first.sign() > 0; });
    for (auto entry = by_price.rbegin(); entry != by_price.rend(); ++entry)
        loss.classes.push_back({entry->first / least->first, std::move(entry->second)});  // prices sum to one
    return loss;
}

queueing::Instance at_load(const queueing::Instance& instance, const Rational& rho, const char* option) {
    if (rho.sign() <= 0) throw InputError::at_key(option, "expected a load above 0");
    const CapacityCertificate certificate = solve(instance);
    if (!certificate.exact())
        throw InputError::at_key(
            option, "expected an instance whose load is known exactly; of this one only an interval is known");
    if (certificate.load() == rho) return instance;
    try {
        return queueing::with_load(instance, rho / certificate.load());
    } catch (const InputError& error) {
        throw InputError::at_key(option, error.expected());
    }
}

}  // namespace schedproof::capacity
