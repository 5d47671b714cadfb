/// The exact stationary distribution against oracles that share nothing with it: elimination of states in rationals,
/// the Markov chain tree theorem, brute-force reachability, and known closed forms.
#include "model/markov/stationary.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>

#include "experiments/bench/jsq_maxweight_chain.hpp"
#include "model/core/errors.hpp"
#include "model/markov/balance.hpp"
#include "model/markov/classes.hpp"
#include "model/markov/elimination.hpp"
#include "model/markov/modular.hpp"

namespace schedproof::markov {
namespace {

using Solver = StationaryOptions::Solver;
using Weights = std::vector<std::vector<Integer>>;

/// The chain whose moves are proportional to the weights; a state without any stays where it is.
TransitionMatrix chain_of(const Weights& weights) {
    TransitionMatrix chain;
    for (std::size_t i = 0; i < weights.size(); ++i) {
        const Integer sum = std::accumulate(weights[i].begin(), weights[i].end(), Integer(0));
        std::vector<Transition> row;
        for (std::size_t j = 0; j < weights.size(); ++j) {
            if (sum == 0 && i == j) row.push_back({static_cast<StateIndex>(j), 1});
            if (weights[i][j] != 0) row.push_back({static_cast<StateIndex>(j), Rational(weights[i][j], sum)});
        }
        chain.append_row(std::move(row));
    }
    return chain;
}

TransitionMatrix chain_of(std::initializer_list<std::initializer_list<int>> rows) {
    Weights weights;
    for (const auto& row : rows) weights.emplace_back(row.begin(), row.end());
    return chain_of(weights);
}

/// A number in [low, high), all alike from the first case on: RapidCheck would start every range at its lower end.
template <class T>
T pick(T low, T high) {
    return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange<T>(low, high));
}

/// Weights of a random chain: mostly zeros, so that transient, periodic and reducible chains are all common.
Weights random_weights(std::size_t most_states, std::size_t zeros_in_ten, const Integer& unit = 1) {
    const auto n = pick<std::size_t>(1, most_states + 1);
    Weights weights(n, std::vector<Integer>(n));
    for (auto& row : weights)
        for (auto& w : row)
            if (pick<std::size_t>(0, 10) >= zeros_in_ten) w = unit * pick(1, 30) + (unit - 1);
    return weights;
}

std::vector<std::vector<Rational>> dense(const TransitionMatrix& chain) {
    std::vector<std::vector<Rational>> result(chain.states(), std::vector<Rational>(chain.states()));
    for (std::size_t i = 0; i < chain.states(); ++i)
        for (const auto& move : chain.row(i)) result[i][move.target] = move.probability;
    return result;
}

/// reach[i][j]: j can be reached from i, in no move or more (Warshall).
std::vector<std::vector<bool>> reachability(const TransitionMatrix& chain) {
    const std::size_t n = chain.states();
    std::vector<std::vector<bool>> reach(n, std::vector<bool>(n));
    for (std::size_t i = 0; i < n; ++i) {
        reach[i][i] = true;
        for (const auto& move : chain.row(i)) reach[i][move.target] = true;
    }
    for (std::size_t k = 0; k < n; ++k)
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < n; ++j) reach[i][j] = reach[i][j] || (reach[i][k] && reach[k][j]);
    return reach;
}

/// The recurrent states of each closed class, one class after another, by brute force.
std::vector<std::vector<StateIndex>> closed_classes_oracle(const TransitionMatrix& chain) {
    const auto reach = reachability(chain);
    std::vector<std::vector<StateIndex>> result;
    for (StateIndex i = 0; i < chain.states(); ++i) {
        std::vector<StateIndex> reached;
        bool recurrent = true;
        for (StateIndex j = 0; j < chain.states(); ++j) {
            if (!reach[i][j]) continue;
            reached.push_back(j);
            recurrent = recurrent && reach[j][i];
        }
        if (recurrent && reached.front() == i) result.push_back(reached);
    }
    return result;
}

/// Grassmann, Taksar and Heyman: censor the states of the class from the last to the second, then walk back.
std::vector<Rational> stationary_oracle(const TransitionMatrix& chain, const std::vector<StateIndex>& closed) {
    const auto full = dense(chain);
    const std::size_t n = closed.size();
    std::vector<std::vector<Rational>> p(n, std::vector<Rational>(n));
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) p[i][j] = full[closed[i]][closed[j]];
    for (std::size_t k = n; k-- > 1;) {
        Rational leaving;
        for (std::size_t j = 0; j < k; ++j) leaving += p[k][j];
        for (std::size_t i = 0; i < k; ++i) p[i][k] /= leaving;
        for (std::size_t i = 0; i < k; ++i)
            for (std::size_t j = 0; j < k; ++j) p[i][j] += p[i][k] * p[k][j];
    }
    std::vector<Rational> x(n);
    x[0] = 1;
    Rational sum = 1;
    for (std::size_t k = 1; k < n; ++k) {
        for (std::size_t i = 0; i < k; ++i) x[k] += x[i] * p[i][k];
        sum += x[k];
    }
    std::vector<Rational> pi(chain.states());
    for (std::size_t k = 0; k < n; ++k) pi[closed[k]] = x[k] / sum;
    return pi;
}

/// The Markov chain tree theorem: pi_r is proportional to the total weight of the spanning trees directed to r.
std::vector<Rational> tree_theorem(const TransitionMatrix& chain) {
    const auto p = dense(chain);
    const std::size_t n = chain.states();
    std::vector<Rational> weight(n);
    Rational sum;
    std::vector<std::size_t> next(n, 0);
    for (std::size_t root = 0; root < n; ++root) {
        std::fill(next.begin(), next.end(), 0);
        for (bool more = true; more;) {
            Rational product = 1;
            for (std::size_t i = 0; i < n && product != 0; ++i) {
                if (i == root) continue;
                std::size_t at = i;
                for (std::size_t step = 0; step < n && at != root; ++step) at = next[at];
                product = at == root ? product * p[i][next[i]] : Rational(0);
            }
            weight[root] += product;
            std::size_t digit = 0;  // counts through all maps of the other states
            while (digit < n && (digit == root || ++next[digit] == n)) {
                next[digit] = 0;
                ++digit;
            }
            more = digit < n;
        }
        sum += weight[root];
    }
    for (auto& w : weight) w /= sum;
    return weight;
}

std::vector<Rational> probabilities(const Stationary& stationary) {
    std::vector<Rational> result;
    for (StateIndex i = 0; i < stationary.weight.size(); ++i) result.push_back(stationary.probability(i));
    return result;
}

Stationary solve(const TransitionMatrix& chain, Solver solver) {
    StationaryOptions options;
    options.solver = solver;
    return stationary_distribution(chain, options);
}

/// Both solvers against the oracle, or both refuse.
void expect_oracle(const TransitionMatrix& chain) {
    const auto closed = closed_classes_oracle(chain);
    for (const Solver solver : {Solver::automatic, Solver::dense, Solver::sparse}) {
        if (closed.size() != 1) {
            RC_ASSERT_THROWS_AS(solve(chain, solver), ContractViolation);
            continue;
        }
        const Stationary found = solve(chain, solver);
        RC_ASSERT(probabilities(found) == stationary_oracle(chain, closed.front()));
        RC_ASSERT(is_stationary(chain, found.weight));
        Integer common = 0;
        for (const Integer& w : found.weight) common = gcd(common, w);
        RC_ASSERT(common == 1);
        RC_ASSERT(std::accumulate(found.weight.begin(), found.weight.end(), Integer(0)) == found.total);
    }
}

RC_GTEST_PROP(Stationary, agrees_with_elimination_on_sparse_chains, ()) {
    expect_oracle(chain_of(random_weights(8, 7)));
}

RC_GTEST_PROP(Stationary, agrees_with_elimination_on_dense_chains, ()) {
    expect_oracle(chain_of(random_weights(20, 2)));
}

RC_GTEST_PROP(Stationary, agrees_with_elimination_when_numbers_exceed_a_word, ()) {
    expect_oracle(chain_of(random_weights(9, 4, Integer("1000000000000000000000000000057"))));
}

RC_GTEST_PROP(Stationary, agrees_with_the_tree_theorem, ()) {
    const auto chain = chain_of(random_weights(5, 4));
    RC_PRE(closed_classes_oracle(chain).size() == 1u);
    const auto expected = tree_theorem(chain);
    RC_ASSERT(probabilities(solve(chain, Solver::dense)) == expected);
    RC_ASSERT(probabilities(solve(chain, Solver::sparse)) == expected);
}

RC_GTEST_PROP(Stationary, checker_rejects_every_perturbed_weight, ()) {
    const auto chain = chain_of(random_weights(8, 5));
    const auto closed = closed_classes_oracle(chain);
    RC_PRE(closed.size() == 1u);
    RC_PRE(chain.states() > 1u);
    auto weight = solve(chain, Solver::automatic).weight;
    // Only a multiple of the distribution passes, and one changed entry leaves none unless it was the only one.
    const auto i = pick<std::size_t>(0, weight.size());
    RC_PRE(closed.front() != std::vector<StateIndex>{static_cast<StateIndex>(i)});
    weight[i] += *rc::gen::element(-1, 1, 1000);
    RC_ASSERT(!is_stationary(chain, weight));
}

RC_GTEST_PROP(Stationary, means_are_sums_over_probabilities, ()) {
    const auto chain = chain_of(random_weights(7, 3));
    RC_PRE(closed_classes_oracle(chain).size() == 1u);
    std::vector<std::vector<Rational>> f(2);
    for (auto& values : f)
        for (std::size_t i = 0; i < chain.states(); ++i) values.emplace_back(pick(-50, 50), pick(1, 12));
    const auto pi = stationary_oracle(chain, closed_classes_oracle(chain).front());
    const auto means = stationary_means(chain, f);
    for (std::size_t k = 0; k < f.size(); ++k) {
        Rational expected;
        for (std::size_t i = 0; i < pi.size(); ++i) expected += pi[i] * f[k][i];
        RC_ASSERT(means[k] == expected);
    }
}

RC_GTEST_PROP(Classes, are_mutual_reachability, ()) {
    const auto chain = chain_of(random_weights(10, 8));
    const auto reach = reachability(chain);
    const Classes classes = classify(chain);
    std::size_t members = 0;
    for (ClassIndex c = 0; c < classes.count(); ++c) {
        const auto in_class = classes.members(c);
        members += in_class.size();
        RC_ASSERT(std::is_sorted(in_class.begin(), in_class.end()));
        for (const StateIndex i : in_class) RC_ASSERT(classes.of(i) == c);
    }
    RC_ASSERT(members == chain.states());
    for (StateIndex i = 0; i < chain.states(); ++i) {
        bool returns = true;
        for (StateIndex j = 0; j < chain.states(); ++j) {
            RC_ASSERT((classes.of(i) == classes.of(j)) == (reach[i][j] && reach[j][i]));
            if (reach[i][j]) RC_ASSERT(classes.of(j) <= classes.of(i));
            returns = returns && (!reach[i][j] || reach[j][i]);
        }
        RC_ASSERT(classes.closed(classes.of(i)) == returns);
    }
}

RC_GTEST_PROP(Classes, period_divides_exactly_the_lengths_of_returns, ()) {
    const auto chain = chain_of(random_weights(6, 8));
    const Classes classes = classify(chain);
    // Returns of length up to n^2 + n have the period as their greatest common divisor (Wielandt's bound).
    const std::size_t n = chain.states();
    for (StateIndex start = 0; start < n; ++start) {
        std::vector<bool> here(n);
        here[start] = true;
        std::size_t expected = 0;
        for (std::size_t length = 1; length <= n * n + n; ++length) {
            std::vector<bool> then(n);
            for (std::size_t i = 0; i < n; ++i)
                if (here[i])
                    for (const auto& move : chain.row(i)) then[move.target] = true;
            here = then;
            if (here[start]) expected = std::gcd(expected, length);
        }
        RC_ASSERT(period(chain, classes, classes.of(start)) == expected);
    }
}

RC_GTEST_PROP(PrimeField, reduces_as_division_does, (std::uint64_t high, std::uint64_t low)) {
    for (PrimeField field = PrimeField::largest(); field.prime() > PrimeField::largest().prime() - 200;
         field = field.next_smaller()) {
        const Word2 value = (Word2{high >> 1} << 64) + low;
        RC_ASSERT(field.reduce(value) == static_cast<std::uint64_t>(value % field.prime()));
        const auto a = low % field.prime();
        if (a != 0) RC_ASSERT(field.multiply(a, field.inverse(a)) == 1u);
        const auto negative = static_cast<std::int64_t>(low);
        RC_ASSERT((Word2{field.residue(negative)} + field.residue(negative == INT64_MIN ? 0 : -negative)) %
                      field.prime() ==
                  (negative == INT64_MIN ? field.residue(INT64_MIN) : 0u));
    }
}

/// The plan of a random graph against elimination in a full matrix.
void expect_exact_plan(std::uint32_t n, std::size_t moves) {
    std::vector<std::vector<bool>> entry(n, std::vector<bool>(n));
    for (std::size_t t = 0; t < moves; ++t) entry[pick(0u, n)][pick(0u, n)] = true;
    SparsePattern graph;
    for (const auto& row : entry) {
        std::vector<std::uint32_t> successors;
        for (std::uint32_t j = n; j-- > 0;)
            if (row[j]) successors.push_back(j);
        graph.append_row(successors);
    }
    const auto plan = plan_elimination(graph);
    auto sorted = plan.order;
    std::sort(sorted.begin(), sorted.end());
    for (std::uint32_t k = 0; k < n; ++k) RC_ASSERT(sorted[k] == k);
    std::vector<std::uint32_t> position(n);
    for (std::uint32_t k = 0; k < n; ++k) position[plan.order[k]] = k;
    for (const std::uint32_t k : plan.order)
        for (std::uint32_t i = 0; i < n; ++i)
            for (std::uint32_t j = 0; entry[i][k] && position[i] > position[k] && j < n; ++j)
                if (entry[k][j] && position[j] > position[k]) entry[i][j] = true;
    for (std::uint32_t i = 0; i < n; ++i) {
        std::vector<std::uint32_t> lower, upper;
        for (std::uint32_t j = 0; j < n; ++j)
            if (j != i && entry[plan.order[i]][plan.order[j]]) (j < i ? lower : upper).push_back(j);
        const auto found_lower = plan.lower.row(i), found_upper = plan.upper.row(i);
        RC_ASSERT(std::equal(lower.begin(), lower.end(), found_lower.begin(), found_lower.end()));
        RC_ASSERT(std::equal(upper.begin(), upper.end(), found_upper.begin(), found_upper.end()));
    }
}

RC_GTEST_PROP(Elimination, plans_exactly_the_fill_of_its_order, ()) {
    const auto n = pick<std::uint32_t>(1, 12);
    expect_exact_plan(n, pick<std::size_t>(0, std::size_t{n} * n));
}

RC_GTEST_PROP(Elimination, plans_exactly_in_graphs_that_start_sparse, ()) {
    const auto n = pick<std::uint32_t>(300, 400);
    expect_exact_plan(n, n + pick<std::size_t>(0, n / 2));
}

TEST(Stationary, one_state) {
    for (const Solver solver : {Solver::automatic, Solver::dense, Solver::sparse}) {
        const auto found = solve(chain_of({{1}}), solver);
        EXPECT_EQ(found.weight, std::vector<Integer>{1});
        EXPECT_EQ(found.total, 1);
    }
}

TEST(Stationary, absorbing_state_takes_all) {
    const auto found = solve(chain_of({{1, 1, 0}, {1, 1, 1}, {0, 0, 1}}), Solver::sparse);
    EXPECT_EQ(found.weight, (std::vector<Integer>{0, 0, 1}));
}

TEST(Stationary, periodic_cycle_is_uniform) {
    const auto chain = chain_of({{0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}, {1, 0, 0, 0}});
    EXPECT_EQ(period(chain, classify(chain), 0), 4u);
    for (const Solver solver : {Solver::dense, Solver::sparse})
        EXPECT_EQ(solve(chain, solver).weight, std::vector<Integer>(4, 1));
}

TEST(Stationary, birth_and_death_chain_has_its_product_form) {
    // Up 1, down 3, stay 1 fifth: pi_k is proportional to 3^-k, numbers of more than 300 bits.
    constexpr std::size_t n = 200;
    Weights weights(n, std::vector<Integer>(n));
    for (std::size_t k = 0; k < n; ++k) {
        if (k + 1 < n) weights[k][k + 1] = 1;
        if (k > 0) weights[k][k - 1] = 3;
        weights[k][k] = k == 0 ? 4 : k + 1 < n ? 1 : 2;
    }
    const auto found = solve(chain_of(weights), Solver::sparse);
    Integer expected = 1;
    for (std::size_t k = n; k-- > 0; expected *= 3) EXPECT_EQ(found.weight[k], expected) << k;
}

TEST(Stationary, says_how_many_closed_classes_there_are) {
    try {
        (void)stationary_distribution(chain_of({{1, 0, 0}, {0, 1, 0}, {1, 1, 1}}));
        FAIL() << "two absorbing states";
    } catch (const ContractViolation& error) {
        EXPECT_NE(std::string(error.what()).find("not 2"), std::string::npos) << error.what();
    }
    EXPECT_THROW((void)stationary_distribution(TransitionMatrix{}), ContractViolation);
}

TEST(Stationary, another_prime_when_the_first_is_unlucky) {
    // Every diagonal entry of d (P - I) is -p, so whichever state is eliminated first has pivot zero modulo p.
    const Integer p = PrimeField::largest().prime();
    const auto chain = chain_of(Weights{{5, 7, p - 7}, {p - 11, 5, 11}, {13, p - 13, 5}});
    const auto found = solve(chain, Solver::sparse);
    EXPECT_EQ(found.method.find(p.str()), std::string::npos) << found.method;
    EXPECT_EQ(probabilities(found), stationary_oracle(chain, {0, 1, 2}));
}

TEST(Stationary, means_want_one_value_per_state) {
    const auto chain = chain_of({{1, 1}, {1, 1}});
    EXPECT_THROW((void)stationary_means(chain, std::vector<std::vector<Rational>>{{1, 2, 3}}), ContractViolation);
    EXPECT_THROW((void)stationary_distribution(chain).mean(std::vector<Rational>{1}), ContractViolation);
    EXPECT_EQ(stationary_means(chain, std::vector<std::vector<Rational>>{{1, 2}}).front(), Rational(3, 2));
}

TEST(Stationary, queueing_chain_solved_alike_by_both_solvers) {
    const auto chain = bench::jsq_maxweight_chain(2);
    EXPECT_EQ(chain.matrix.states(), 128u);
    const auto sparse = solve(chain.matrix, Solver::sparse);
    EXPECT_EQ(sparse.weight, solve(chain.matrix, Solver::dense).weight);
}

TEST(Stationary, tells_its_progress_in_order) {
    std::vector<std::string> stages;
    StationaryOptions options;
    options.progress = [&](std::string_view stage, double done) {
        EXPECT_GE(done, 0);
        EXPECT_LE(done, 1);
        if (stages.empty() || stages.back() != stage) stages.emplace_back(stage);
    };
    (void)stationary_distribution(bench::jsq_maxweight_chain(3).matrix, options);
    EXPECT_EQ(stages, (std::vector<std::string>{"order", "factor", "lift", "verify"}));
}

TEST(Stationary, GeometricTailsAreFoundWhateverStatesAreSampled) {
    // Up with u, down with d: weights u^n d^(N-n), whose lengths differ by thousands of bits between the ends.
    for (const auto& [up, down] : {std::pair{1, 8}, std::pair{8, 1}, std::pair{1, 511}})
        for (const std::size_t states : {65U, 257U}) {
            Weights weights(states, std::vector<Integer>(states));
            for (std::size_t n = 0; n < states; ++n) {
                weights[n][n] = 3;
                if (n + 1 < states)
                    weights[n][n + 1] = up;
                else
                    weights[n][n] += up;
                if (n > 0)
                    weights[n][n - 1] = down;
                else
                    weights[n][n] += down;
            }
            const Stationary law = stationary_distribution(chain_of(weights));
            for (std::size_t n = 0; n + 1 < states; ++n) EXPECT_EQ(law.weight[n] * up, law.weight[n + 1] * down);
        }
}

}  // namespace
}  // namespace schedproof::markov
