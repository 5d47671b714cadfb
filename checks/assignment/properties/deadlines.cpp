/// Properties of deadlines: how many remote tasks fit before one, and Theorem 1's bounds.
#include <algorithm>
#include <set>

#include "checks/assignment/properties/property_functions.hpp"

namespace schedproof::checks::assignment_properties {

using namespace assignment;

namespace {

/// The deadlines looked at: finish times of B and of one more local task on any core.
std::set<Rational> looked_at(const AssignmentProblem& problem, const BalancedFacts& b) {
    std::set<Rational> all(b.finish.begin(), b.finish.end());
    for (const Rational& load : totals(problem, b.assignment).load) all.insert(load + problem.local);
    return all;
}

/// Theorem 1's terms at a server and a deadline.
struct Terms {
    ServerId server;
    Rational deadline;
    Rational room;          ///< Delta
    std::size_t cores = 0;  ///< m
    std::size_t gamma = 0;
    std::size_t most = 0;  ///< rmax, by trying every number
    BoundFacts stated;     ///< what the policy under test says of them

    [[nodiscard]] std::string where() const {
        return fmt::format("server {} and deadline {} (room {} on {} cores)", name(server), deadline.to_string(),
                           room.to_string(), cores);
    }
};

/// The first complaint about any server and deadline.
template <class Complaint>
std::string any_terms(const AssignmentProblem& problem, const TwoPhasePolicy& under_test, bool all_cores,
                      Complaint&& complaint) {
    const BalancedFacts b = under_test.balance(problem);
    const std::vector<Rational> load = totals(problem, b.assignment).load;
    for (const ServerId s : problem.shape->servers())
        for (const Rational& d : looked_at(problem, b)) {
            Terms terms{s, d, {}, 0, 0, most_remote_by(problem, loads_until(problem, b, d), s, d), {}};
            for (std::size_t i = 0; i < problem.shape->cores_of(s); ++i) {
                const Rational& l = load[problem.shape->core(s, i).index()];
                if (!all_cores && l >= d) continue;
                terms.room += d - l;
                ++terms.cores;
            }
            for (std::size_t n = 1; n <= problem.shape->tasks().size(); ++n)
                if (Rational(n) * problem.cost(s)(n) <= terms.room) terms.gamma = n;
            terms.stated = under_test.bounds(problem, s, d);
            std::string text = complaint(terms);
            if (!text.empty()) return text;
        }
    return "";
}

std::string against_theorem_1(const Terms& t, std::size_t lost) {
    if (t.stated.gamma != t.gamma || t.stated.cores != t.cores)
        return fmt::format("at {} gamma is {}, not {} on {} cores", t.where(), t.gamma, t.stated.gamma, t.stated.cores);
    if (t.most > t.gamma) return fmt::format("at {} rmax is {}, more than gamma = {}", t.where(), t.most, t.gamma);
    if (t.most + lost < t.gamma)
        return fmt::format("at {} rmax is {}, less than gamma - {} with gamma = {}", t.where(), t.most, lost, t.gamma);
    return "";
}

}  // namespace

std::vector<Rational> deadlines(const BalancedFacts& b) {
    std::vector<Rational> d = b.finish;
    std::sort(d.begin(), d.end(), std::greater<>());
    return d;
}

std::vector<Rational> loads_until(const AssignmentProblem& problem, const BalancedFacts& b, const Rational& d) {
    std::vector<Rational> load = problem.initial;
    for (std::size_t t = 0; t < b.finish.size(); ++t)
        if (b.finish[t] <= d) load[b.assignment[t].index()] += problem.local;
    return load;
}

std::size_t capacity(const AssignmentProblem& problem, const BalancedFacts& b, const Rational& d) {
    const std::vector<Rational> load = loads_until(problem, b, d);
    std::size_t sum = 0;
    for (const ServerId s : problem.shape->servers()) sum += most_remote_by(problem, load, s, d);
    return sum;
}

std::size_t last_passing_index(const AssignmentProblem& problem, const BalancedFacts& b) {
    const std::vector<Rational> d = deadlines(b);
    std::size_t k = 0;
    for (std::size_t i = 0; i < d.size(); ++i)
        if (capacity(problem, b, d[i]) >= i) k = i;
    return k;
}

std::string rmax(const AssignmentProblem& problem, const TwoPhasePolicy& under_test) {
    return any_terms(problem, under_test, false, [](const Terms& t) {
        return t.stated.rmax == t.most
                   ? std::string()
                   : fmt::format("at {} {} remote tasks fit, and {} are said to", t.where(), t.most, t.stated.rmax);
    });
}

std::string theorem_1(const AssignmentProblem& problem, const TwoPhasePolicy& under_test) {
    return any_terms(problem, under_test, false, [](const Terms& t) { return against_theorem_1(t, t.cores); });
}

std::string theorem_1_all_cores(const AssignmentProblem& problem, const TwoPhasePolicy& under_test) {
    return any_terms(problem, under_test, true, [](const Terms& t) { return against_theorem_1(t, t.cores); });
}

std::string theorem_1_tighter(const AssignmentProblem& problem, const TwoPhasePolicy& under_test) {
    return any_terms(problem, under_test, false,
                     [](const Terms& t) { return against_theorem_1(t, t.cores == 0 ? 0 : t.cores - 1); });
}

}  // namespace schedproof::checks::assignment_properties
