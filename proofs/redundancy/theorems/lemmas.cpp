/// The polynomial lemmas of the statements without questions: inequalities between symbols that no policy decides.
///
/// Each is an inequality with its hypotheses, for the identity that a certificate holds. Where a lemma of the paper
/// speaks of an integral or of a sum over jobs, the lemma here is about one job, one instant or one closed form, and
/// what remains is to add or to integrate. Quotients are multiplied out: by p in P1, by 2K, 8n and 4 in the sums of
/// prices. Source: [xu2017], Lemmas 1 to 3 and 7; docs/models/redundancy.md, Optimum and duals, Theorems.
#include <string>
#include <utility>

#include "proofs/redundancy/theorems/statements.hpp"

namespace schedproof::redundancy {

using proof::Polynomial;
using proof::PolynomialLemma;
using Lemmas = std::vector<PolynomialLemma>;

namespace {

constexpr std::uint32_t most_copies = 8, most_intervals = 8, most_jobs = 8;

Polynomial number(int p, int q = 1) { return {Rational(p) / Rational(q)}; }

/// Symbols one after another, with their names.
class Symbols {
  public:
    Polynomial add(const std::string& name) {
        names_.push_back(name);
        return Polynomial::symbol(static_cast<std::uint32_t>(names_.size() - 1));
    }
    [[nodiscard]] const std::vector<std::string>& names() const { return names_; }

  private:
    std::vector<std::string> names_;
};

std::string numbered(const char* name, std::uint32_t number) { return name + std::to_string(number); }

/// Of S_1, ..., S_r, S_1 being the greatest and none negative: r S_1 - sum >= 0, then sum - S_1 >= 0.
Lemmas best_copy(const std::string& id, const std::string& words) {
    Lemmas all;
    Symbols symbols;
    std::vector<Polynomial> hypotheses;
    const Polynomial best = symbols.add("S1");
    Polynomial sum = best;
    for (std::uint32_t r = 2; r <= most_copies; ++r) {
        const Polynomial copy = symbols.add(numbered("S", r));
        hypotheses.insert(hypotheses.end(), {copy, best - copy});
        sum = sum + copy;
        const std::string name = id + " " + std::to_string(r);
        all.push_back({name + " mean", words, symbols.names(), hypotheses, Polynomial(Rational(r)) * best - sum});
        all.push_back({name + " sum", words, symbols.names(), hypotheses, sum - best});
    }
    return all;
}

Lemmas gains_concave(const std::string& id, const std::string& words) {
    Lemmas all;
    const Polynomial one = number(1), g = Polynomial::symbol(0);
    Polynomial power = one;
    for (std::uint32_t r = 0; r <= most_copies; ++r, power = power * g)
        all.push_back(
            {id + " " + std::to_string(r), words, {"G"}, {g, one - g}, power * (one - g) - power * g * (one - g)});
    return all;
}

/// A job in r intervals of lengths l_k, in which w_k of its work is done at a constant rate of at most Delta. In the
/// k-th, int (t - a) h dt = w_k (l_1 + ... + l_(k-1) + l_k/2).
Lemmas relaxed_cost(const std::string& id, const std::string& words) {
    Lemmas all;
    Symbols symbols;
    const Polynomial constant = symbols.add("C"), peak = symbols.add("Delta");
    std::vector<Polynomial> hypotheses{constant};
    Polynomial stay, size, waited;
    for (std::uint32_t r = 1; r <= most_intervals; ++r) {
        const Polynomial length = symbols.add(numbered("l", r)), work = symbols.add(numbered("w", r));
        hypotheses.insert(hypotheses.end(), {length, work, peak * length - work});
        waited = waited + work * (stay + number(1, 2) * length);
        stay = stay + length;
        size = size + work;
        all.push_back({id + " " + std::to_string(r), words, symbols.names(), hypotheses,
                       (number(1) + constant * peak) * stay * size - waited - constant * size * size});
    }
    return all;
}

/// Of n jobs with speedups h_j that sum to at most M, a_j = alpha_j / p_j and c_j = (t - a_j) / p_j + C.
Lemmas dual_below_cost(const std::string& id, const std::string& words) {
    Lemmas all;
    Symbols symbols;
    const Polynomial machines = symbols.add("M"), beta = symbols.add("beta");
    std::vector<Polynomial> of_jobs;
    Polynomial left = machines, difference = beta * machines;
    for (std::uint32_t n = 1; n <= most_jobs; ++n) {
        const Polynomial h = symbols.add(numbered("h", n)), alpha = symbols.add(numbered("alpha", n)),
                         cost = symbols.add(numbered("c", n));
        left = left - h;
        of_jobs.insert(of_jobs.end(), {h, cost - alpha + beta});
        difference = difference + h * cost - h * alpha;
        std::vector<Polynomial> hypotheses{beta, left};
        hypotheses.insert(hypotheses.end(), of_jobs.begin(), of_jobs.end());
        all.push_back({id + " " + std::to_string(n), words, symbols.names(), hypotheses, difference});
    }
    return all;
}

/// K served jobs and r that wait: the arithmetic series of the three rules, less the part of n = K + r.
Lemmas price_sums(const std::string& id, const std::string& words) {
    const Polynomial served = Polynomial::symbol(0), waiting = Polynomial::symbol(1), n = served + waiting;
    const std::vector<std::string> symbols{"K", "r"};
    const std::vector<Polynomial> hypotheses{waiting, served - waiting};
    const auto lemma = [&](const char* rule, Polynomial conclusion) {
        return PolynomialLemma{id + " " + rule, words, symbols, hypotheses, std::move(conclusion)};
    };
    return {lemma("cap", number(2) * served * waiting + (served - waiting) * (n + number(1)) - served * n),
            lemma("rank", number(4) * served * (n + waiting + number(1)) - number(3) * n * n),
            lemma("shifted", number(2) * (served + number(1)) - n)};
}

/// (1 + 2 Delta)(1 + 1/eps) <= 4/eps at Delta = 1, times eps.
Lemmas improves_on_srpt(const std::string& id, const std::string& words) {
    const Polynomial one = number(1), three = number(3), eps = Polynomial::symbol(0);
    return {{id, words, {"eps"}, {eps, one - three * eps}, number(4) - three * (eps + one)}};
}

Lemmas core_inequality(const std::string& id, const std::string& words, bool summed) {
    const Polynomial one = number(1), half = number(1, 2), beta = Polynomial::symbol(0), eps = Polynomial::symbol(1);
    const Polynomial conclusion =
        summed ? (one + beta + eps) * (one - half * beta) - one - half * eps : (one + beta + eps) * (one - beta) - one;
    return {{id, words, {"beta", "eps"}, {beta, one - beta, eps}, conclusion}};
}

}  // namespace

Lemmas lemmas(const StatementInfo& statement) {
    if (statement.inputs != Inputs::none) return {};
    const std::string id(statement.name), words(statement.sentence);
    if (id == "best-copy") return best_copy(id, words);
    if (id == "gains-concave") return gains_concave(id, words);
    if (id == "relaxed-cost") return relaxed_cost(id, words);
    if (id == "dual-below-cost") return dual_below_cost(id, words);
    if (id == "price-sums") return price_sums(id, words);
    if (id == "improves-on-srpt") return improves_on_srpt(id, words);
    return core_inequality(id, words, id == "core-inequality");
}

}  // namespace schedproof::redundancy
