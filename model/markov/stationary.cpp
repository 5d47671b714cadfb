/// The exact stationary distribution: which solver, how many digits, and the check that proves the result.
///
/// The solvers look for y with y N = 0, where N is P - I with rows scaled to primitive integers (balance.hpp); the
/// weights are y times the scales, divided by their greatest common divisor. `verified` is the only way to a result:
/// every weight of the closed class is positive and weight P = weight holds for every state in integers, which by
/// uniqueness proves the weights. A solver may therefore guess, and a failed check only costs time.
///
/// The sparse solver factors modulo the largest prime of machine size for which no pivot vanishes, appends digits, and
/// looks for the answer each time the digits have grown by a thirtieth: a look costs less than the digits between two
/// looks, and at most one digit in thirty is wasted. `most_digits` bounds the number that any answer can need, by the
/// product of the diagonal entries (Markov chain tree theorem); when it is reached, entries differ too much in length
/// for the lattice reduction, and FLINT's dense solver takes over. Small classes go to that solver at once.
#include "model/markov/stationary.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <optional>

#include "model/core/errors.hpp"
#include "model/markov/balance.hpp"
#include "model/markov/classes.hpp"
#include "model/markov/dense_solution.hpp"
#include "model/markov/elimination.hpp"
#include "model/markov/lifting.hpp"
#include "model/markov/reconstruction.hpp"
#include "model/markov/sparse_lu.hpp"

namespace schedproof::markov {

namespace {

/// The weights that belong to a solution y of the balance system, or nothing unless they are proved stationary.
std::optional<Stationary> verified(const TransitionMatrix& chain, const BalanceSystem& system,
                                   std::span<const Integer> y, std::string method) {
    Stationary result{std::vector<Integer>(chain.states()), 0, std::move(method)};
    Integer common = 0;
    for (std::size_t k = 0; k < y.size(); ++k) {
        if (y[k] <= 0) return std::nullopt;
        Integer& weight = result.weight[system.state[k]] = y[k] * system.scale[k];
        common = gcd(common, weight);
    }
    for (const StateIndex state : system.state) {
        mpz_ptr weight = result.weight[state].backend().data();
        mpz_divexact(weight, weight, common.backend().data());
        result.total += result.weight[state];
    }
    if (!is_stationary(chain, result.weight)) return std::nullopt;
    return result;
}

/// Which states flow into each state, both numbered by their place in `members`.
SparsePattern inflow(const TransitionMatrix& chain, std::span<const StateIndex> members) {
    std::vector<std::uint32_t> place(chain.states());
    for (std::size_t k = 0; k < members.size(); ++k) place[members[k]] = static_cast<std::uint32_t>(k);
    std::vector<std::vector<std::uint32_t>> sources(members.size());
    for (const StateIndex state : members)
        for (const Transition& move : chain.row(state)) sources[place[move.target]].push_back(place[state]);
    SparsePattern result;
    for (const auto& row : sources) result.append_row(row);
    return result;
}

/// Digits in base p that are more than enough for any fraction of two components of y: each is a sum over spanning
/// trees, hence at most the product of the diagonal entries of N (of the reference, the sum of its moves).
std::size_t most_digits(const BalanceSystem& system) {
    const auto bits = [](const Integer& value) { return mpz_sizeinbase(value.backend().data(), 2); };
    Integer reference = 1;
    for (const Integer& value : system.right_side) reference += abs(value);
    std::size_t product = bits(reference);
    for (std::size_t j = 0; j < system.unknowns(); ++j)
        for (std::size_t t = system.pattern.start[j]; t < system.pattern.start[j + 1]; ++t)
            if (system.pattern.index[t] == j) product += bits(system.coefficient[t]);
    constexpr std::size_t slack = 512;  // over that of the reconstruction
    return (2 * product + slack) / (PrimeField::bits - 1);
}

Stationary solve_dense(const TransitionMatrix& chain, std::span<const StateIndex> members) {
    const BalanceSystem system = balance_system(chain, members);
    auto result = verified(chain, system, dense_solution(system), "FLINT dense p-adic lifting");
    if (!result) throw OracleConflict("FLINT's solution of the balance equations does not satisfy them");
    return std::move(*result);
}

/// One attempt after another at the sparse solution: more digits while the check fails, another prime when the
/// factorisation breaks down.
class SparseSolver {
  public:
    SparseSolver(const TransitionMatrix& chain, std::span<const StateIndex> members, const StationaryOptions& options)
        : chain_(chain),
          options_(options),
          members_(members.begin(), members.end()),
          plan_(plan(members)),
          system_(balance_system(chain, order(members))) {}

    Stationary solve() {
        for (PrimeField field = PrimeField::largest();; field = field.next_smaller()) {
            report("factor", 0);
            const auto lu =
                SparseLu::factor(field, plan_, system_.unknowns(), system_.pattern, residues(system_, field));
            report("factor", 1);
            if (lu) return lift(*lu);
        }
    }

  private:
    EliminationPlan plan(std::span<const StateIndex> members) const {
        const auto size = static_cast<double>(members.size());
        return plan_elimination(inflow(chain_, members),
                                [&](std::size_t done) { report("order", static_cast<double>(done) / size); });
    }

    std::vector<StateIndex> order(std::span<const StateIndex> members) const {
        std::vector<StateIndex> result;
        for (const std::uint32_t k : plan_.order) result.push_back(members[k]);
        return result;
    }

    Stationary lift(const SparseLu& lu) const {
        Lifting lifting(system_, lu);
        Expansion expansion(lu.field().prime(), system_.unknowns());
        Reconstruction reconstruction(expansion);
        // For the display only: queueing chains need about this many bits per state.
        const double expected_bits = 2.3 * static_cast<double>(system_.unknowns()) + 3 * PrimeField::bits;
        // A look costs less than the digits between two looks, of which at most one in thirty is wasted.
        for (std::size_t check = 3; expansion.digits() <= most_digits(system_); check += check / 30 + 2) {
            while (expansion.digits() < check) expansion.append(lifting.next());
            report("lift", std::min(1.0, static_cast<double>(check * PrimeField::bits) / expected_bits));
            const auto y = reconstruction.attempt();
            if (!y) continue;
            report("verify", 0);
            auto result = verified(chain_, system_, *y,
                                   fmt::format("p-adic lifting, {} digits to base {}, {} entries in the factors", check,
                                               lu.field().prime(), plan_.fill()));
            report("verify", 1);
            if (result) return std::move(*result);
        }
        // Lengths that differ too much between states hide the answer from the reduction; the dense solver has no such
        // trouble.
        return solve_dense(chain_, order(members_));
    }

    void report(std::string_view stage, double done) const {
        if (options_.progress) options_.progress(stage, done);
    }

    const TransitionMatrix& chain_;
    const StationaryOptions& options_;
    std::vector<StateIndex> members_;
    EliminationPlan plan_;
    BalanceSystem system_;
};

}  // namespace

Rational Stationary::mean(std::span<const Rational> f) const {
    require(f.size() == weight.size(), "a function on the states needs one value per state");
    const Integer denominator = common_denominator(f);
    Integer sum;
    for (std::size_t i = 0; i < f.size(); ++i) {
        if (weight[i] == 0) continue;
        const Integer value = f[i].numerator() * (denominator / f[i].denominator());
        mpz_addmul(sum.backend().data(), weight[i].backend().data(), value.backend().data());
    }
    return {sum, total * denominator};
}

Stationary stationary_distribution(const TransitionMatrix& chain, const StationaryOptions& options) {
    const Classes classes = classify(chain);
    const auto closed = classes.closed_classes();
    if (closed.size() != 1)
        throw ContractViolation(fmt::format(
            "a unique stationary distribution needs exactly one closed class of states, not {}", closed.size()));
    const auto members = classes.members(closed.front());
    using Solver = StationaryOptions::Solver;
    const bool small = members.size() <= options.dense_up_to;
    const bool dense = options.solver == Solver::dense || (options.solver == Solver::automatic && small);
    return dense || members.size() == 1 ? solve_dense(chain, members) : SparseSolver(chain, members, options).solve();
}

std::vector<Rational> stationary_means(const TransitionMatrix& chain, std::span<const std::vector<Rational>> functions,
                                       const StationaryOptions& options) {
    for (const auto& f : functions)
        require(f.size() == chain.states(), "a function on the states needs one value per state");
    const Stationary stationary = stationary_distribution(chain, options);
    std::vector<Rational> result;
    for (const auto& f : functions) result.push_back(stationary.mean(f));
    return result;
}

}  // namespace schedproof::markov
