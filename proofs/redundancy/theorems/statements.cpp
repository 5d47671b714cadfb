/// Statements about redundancy policies: their table, and the questions or polynomial lemmas that prove each.
///
/// Whole runs are explored on symbolic arrivals and sizes at speed 1: dividing sizes by s leaves constraints without s,
/// and (8) times p_j is linear. A statement a <= b about a run is a template on the number, so a problem where
/// exploration fails is tried again in rationals by the same code. In `ratio` the competitor's decisions are symbols as
/// well. Entries with `holds` false are wrong variants that the checks must refute. Questions about sorted sizes,
/// single steps and the drift of LAPS+R are made in steps.cpp.
/// Source: [xu2017], Sections 4 and 5; docs/models/redundancy.md, Theorems.
#include "proofs/redundancy/theorems/statements.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "model/core/errors.hpp"
#include "proofs/redundancy/theorems/choices.hpp"
#include "proofs/redundancy/theorems/steps.hpp"

namespace schedproof::redundancy {

using explore::Affine;
using explore::Forbidden;
using proof::LinearForm;

namespace {

constexpr std::array listed{
    StatementInfo{"srpt-dual-feasible",
                  "at every speed s, the dual variables of {0} (eqs. 9, 10) satisfy eq. 8 with C = ({1}) / s.",
                  "srpt+r"},
    StatementInfo{"srpt-dual-value",
                  "at every speed s, the dual variables of {0} have sum alpha = F and M int beta dt = F/s, F the "
                  "total flowtime of SRPT.",
                  "srpt+r"},
    StatementInfo{"remaining-flowtime",
                  "of jobs p_1 <= p_2 <= ... that are there at time 0, the total flowtime under {0} at speed 1 is "
                  "sum_k ceil((n-k+1)/M) p_k.",
                  "srpt", Inputs::sorted},
    StatementInfo{"srpt-static",
                  "at every speed s, for a job of any rank that arrives last, the others being there with any "
                  "remaining work, the dual variables of {0} satisfy eq. 8 with C = ({1}) / s.",
                  "srpt+r", Inputs::sorted},
    StatementInfo{"dominance-step",
                  "in two clusters under {0}, if the i-th largest remaining work is at least that of the other "
                  "cluster for every i, it still is after any interval without an event.",
                  "srpt", Inputs::steps},
    StatementInfo{"dominance-arrival",
                  "in two clusters under {0}, if the i-th largest remaining work is at least that of the other "
                  "cluster for every i, it still is after the arrival of a job at both or at the first alone.",
                  "srpt", Inputs::steps},
    StatementInfo{"redundancy-step",
                  "in two clusters, one under SRPT and one under {0}, with speedups that are at least 1 and do not "
                  "fall with the number of copies, if the i-th largest remaining work under SRPT is at least that "
                  "under {0} for every i, it still is after any interval without an event.",
                  "srpt+r", Inputs::steps},
    StatementInfo{"redundancy-helps", "the total flowtime of {0} is at most {1} times that of SRPT, at every speed.",
                  "srpt+r"},
    StatementInfo{"fair-dual-feasible-cap",
                  "at every speed s, the dual variables of {0} by the rule cap satisfy eq. 8 with C = ({1}) / s.",
                  "fair+r"},
    StatementInfo{"fair-dual-feasible-rank",
                  "at every speed s, the dual variables of {0} by the rule rank satisfy eq. 8 with C = ({1}) / s.",
                  "fair+r"},
    StatementInfo{"fair-dual-feasible-shifted",
                  "at every speed s, the dual variables of {0} by the rule shifted satisfy eq. 8 with C = ({1}) / "
                  "s.",
                  "fair+r"},
    StatementInfo{"fair-dual-value-cap",
                  "by the rule cap, sum alpha >= {1} F and M int beta dt = F/s, F the total flowtime of {0}.",
                  "fair+r"},
    StatementInfo{"fair-dual-value-rank",
                  "by the rule rank, sum alpha >= {1} F and M int beta dt = F/s, F the total flowtime of {0}.",
                  "fair+r"},
    StatementInfo{"fair-dual-value-shifted",
                  "by the rule shifted, sum alpha >= {1} F and M int beta dt = F/s, F the total flowtime of {0}.",
                  "fair+r"},
    StatementInfo{"fair-dual-value-naive",
                  "by the rule naive, sum alpha >= {1} F and M int beta dt = F/s, F the total flowtime of {0}.",
                  "fair+r"},
    StatementInfo{"laps-drift",
                  "at speed s = 2 + 2 beta + 2 eps for any eps > 0, whatever the optimum does, the potential of "
                  "{0} has n + 2/(beta eps) Phi' <= 2/(beta eps) (Delta + {1} s) n*.",
                  "laps+r", Inputs::state},
    StatementInfo{"laps-drift-strong",
                  "at speed s = 1 + beta + eps for any eps > 0, whatever the optimum does, the potential of {0} "
                  "has n + 2/(beta eps) Phi' <= 2/(beta eps) (Delta + {1} s) n*.",
                  "laps+r", Inputs::state},
    StatementInfo{"laps-drift-strong-all",
                  "at speed s = 1 + beta + eps for any eps > 0, whatever the optimum does, the potential of {0} "
                  "has n + 4/(beta eps) Phi' <= 4/(beta eps) (Delta (1 + 4/eps) + {1} s) n*.",
                  "laps+r", Inputs::state},
    StatementInfo{"core-inequality", "(1 + beta + eps) (1 - beta/2) >= 1 + eps/2 for all 0 <= beta <= 1 and eps >= 0.",
                  "laps+r", Inputs::none},
    StatementInfo{"gains-concave",
                  "G^r (1 - G) >= G^(r+1) (1 - G) for every value G in [0, 1] of a distribution function and r = 0..8.",
                  "srpt+r", Inputs::none},
    StatementInfo{"best-copy",
                  "For r = 2..8 copies that do S_1 >= S_i >= 0, i = 2..r: S_1 is at least the mean of all S_i and at "
                  "most their sum.",
                  "srpt+r", Inputs::none},
    StatementInfo{"srpt-dual-feasible-own-count",
                  "with beta from its own number of jobs, the dual variables of {0} satisfy eq. 8 with C = ({1}) / "
                  "s.",
                  "srpt+r", Inputs::jobs, false},
    StatementInfo{"srpt-dual-feasible-forget",
                  "with ranks that do not count the job itself, the dual variables of {0} satisfy eq. 8 with C = "
                  "({1}) / s.",
                  "srpt+r", Inputs::jobs, false},
    StatementInfo{"ratio",
                  "the total flowtime of {0} at speed {2} is at most {1} times that of any schedule at speed 1 without "
                  "multitasking that decides at arrivals and departures.",
                  "", Inputs::game},
    StatementInfo{
        "weak-duality-srpt",
        "at speed {2} the dual variables of {0} (eqs. 9, 10) are worth at most {1} times the total flowtime of "
        "any schedule at speed 1 without multitasking that decides at arrivals and departures.",
        "srpt+r", Inputs::game},
    StatementInfo{
        "weak-duality-cap",
        "at speed {2} the dual variables of {0} by the rule cap are worth at most {1} times the total flowtime "
        "of any schedule at speed 1 without multitasking that decides at arrivals and departures.",
        "fair+r", Inputs::game},
    StatementInfo{"srpt-dual-value-floor",
                  "with floor in place of ceil, the dual variables of {0} have sum alpha = F and M int beta dt = "
                  "F/s, F the total flowtime of SRPT.",
                  "srpt+r", Inputs::jobs, false},
    StatementInfo{"fair-dual-feasible-naive",
                  "at every speed s, the dual variables of {0} by the rule naive satisfy eq. 8 with C = ({1}) / s.",
                  "fair+r", Inputs::jobs, false},
    StatementInfo{"laps-drift-slow",
                  "at speed s = 1 + eps for any eps > 0, whatever the optimum does, the potential of {0} has n + "
                  "2/(beta eps) Phi' <= 2/(beta eps) (Delta + {1} s) n*.",
                  "laps+r", Inputs::state, false},
    StatementInfo{"core-inequality-each-rank", "(1 + beta + eps) (1 - beta) >= 1 for all 0 <= beta <= 1 and eps >= 0.",
                  "laps+r", Inputs::none, false},
};

/// The rule in `srpt-dual-...` and `fair-dual-...-RULE`.
DualRule rule_of(std::string_view statement) {
    const std::string_view last = statement.substr(statement.rfind('-') + 1);
    for (const DualRule rule : dual_rules)
        if (name(rule) == last || name(rule) == "srpt:" + std::string(last)) return rule;
    return last == "count" ? DualRule::srpt_own_count : DualRule::srpt;
}

/// F of the run whose jobs the rule counts, at speed 1.
template <Number N>
N flowtime(DualRule rule, const Problem<N>& problem) {
    const auto run = policy_of(rule) == SrptR::info.id ? history(Srpt{}, problem, Rational(1))
                                                       : history(FairR{}, problem, Rational(1));
    return run.total_flowtime(problem.jobs);
}

/// Pairs a, b of which the statement says a <= b, at speed 1.
template <Number N>
std::vector<std::pair<N, N>> values(std::string_view statement, const Problem<N>& problem, const Rational& bound) {
    const auto scaled = [](const Rational& factor, const N& n) { return NumberTraits<N>::coefficient(factor) * n; };
    if (statement == "redundancy-helps")
        return {{history(SrptR{}, problem, Rational(1)).total_flowtime(problem.jobs),
                 scaled(bound, flowtime(DualRule::srpt, problem))}};
    const DualRule rule = rule_of(statement);
    const Duals<N> made = duals(rule, problem, Rational(1));
    const bool equal = policy_of(rule) == SrptR::info.id;
    const N f = flowtime(rule, problem), sum = made.sum_of_alpha();
    const N price = scaled(made.per_job * Rational(problem.machines), made.job_time());
    std::vector<std::pair<N, N>> pairs{{scaled(equal ? Rational(1) : bound, f), sum}, {price, f}, {f, price}};
    if (equal) pairs.emplace_back(sum, f);
    return pairs;
}

bool is_feasibility(std::string_view statement) { return statement.find("feasible") != std::string_view::npos; }

/// Eq. 8 times P_j, at speed 1: alpha_j - (n/M) P_j <= (t - a_j) + C P_j. A step of length 0 is tested like any other:
/// its point is a limit of points of the same path where it lasts.
std::vector<Forbidden> feasible(DualRule rule, const Problem<Affine>& problem, const Rational& constant) {
    const Duals<Affine> made = duals(rule, problem, Rational(1));
    std::vector<Forbidden> obligations;
    for (std::size_t j = 0; j < problem.jobs.size(); ++j)
        for (const std::size_t i : tested_steps(made, j)) {
            const auto& [start, active, arrived] = made.steps[i];
            obligations.push_back(
                at_most(made.alpha[j], (start - problem.jobs[j].arrival) +
                                           (made.per_job * Rational(active) + constant) * problem.jobs[j].size));
        }
    return obligations;
}

std::vector<Forbidden> on_jobs(std::string_view statement, const Problem<Affine>& problem, const Rational& bound) {
    if (is_feasibility(statement)) return feasible(rule_of(statement), problem, bound);
    std::vector<Forbidden> obligations;
    for (const auto& [a, b] : values(statement, problem, bound)) obligations.push_back(at_most(a, b));
    return obligations;
}

/// sum alpha - M int beta dt, at a speed.
Affine dual_value(DualRule rule, const Problem<Affine>& problem, const Rational& speed) {
    const Duals<Affine> made = duals(rule, problem, speed);
    return made.sum_of_alpha() - made.per_job * Rational(problem.machines) * made.job_time();
}

/// F, or what the dual variables are worth, <= bound F* for a competitor of any decisions.
explore::Question game(std::string_view statement, const std::string& policy, const Shape& shape,
                       const Rational& bound) {
    explore::Question question{std::string(statement), {}, {}};
    add_jobs(question.space, shape);
    const std::size_t jobs = question.space.symbols.size();
    add_choices(question.space, shape);
    const AnyPolicy own = make_policy(policy, shape.beta.value_or(Rational(1)));
    question.body = [own, statement, shape, bound, jobs](const std::vector<Affine>& symbols) -> std::vector<Forbidden> {
        const Problem<Affine> problem = redundancy::problem(shape, symbols);
        const Affine value = statement == "ratio" ? history(own, problem, shape.speed).total_flowtime(problem.jobs)
                                                  : dual_value(rule_of(statement), problem, shape.speed);
        return {at_most(value, bound * chosen_flowtime(problem, symbols, jobs))};
    };
    return question;
}

void require_policy(const StatementInfo& statement, const std::string& policy, const Shape& shape) {
    const bool state = statement.inputs == Inputs::state;
    if (statement.inputs == Inputs::game && statement.policy.empty()) {
        if (resolve_policy(policy) != policy || policy.empty())
            throw InputError::at_key("policy", "expected a policy of the redundancy family, not '" + policy + "'");
        if (has_beta(policy) != shape.beta.has_value())
            throw InputError::at_key("shape", "expected a beta for LAPS and LAPS+R, and for no other policy");
        return;
    }
    if (shape.speed != Rational(1) && statement.inputs != Inputs::game)
        throw InputError::at_key("shape", "expected no speed: the statement is about every speed");
    if (resolve_policy(policy) != policy || policy.empty() || policy.substr(0, policy.find(':')) != statement.policy ||
        (!state && policy != statement.policy))
        throw InputError::at_key(
            "policy", "expected " + std::string(statement.policy) + ": the statement is about no other policy");
    if (state != shape.beta.has_value())
        throw InputError::at_key(
            "shape", state ? "expected a beta, as in n10-m5-b1/2-det" : "expected no beta: the statement has none");
    if (statement.inputs != Inputs::jobs && statement.inputs != Inputs::game && shape.service != Service())
        throw InputError::at_key("shape", "expected det: the statement does not depend on the service");
}

}  // namespace

std::span<const StatementInfo> statements() { return listed; }

const StatementInfo& statement(std::string_view name) {
    for (const StatementInfo& info : listed)
        if (info.name == name) return info;
    throw InputError::at_key("statement", "expected a statement about redundancy, not '" + std::string(name) + "'");
}

bool has_bound(const StatementInfo& statement) { return statement.sentence.find("{1}") != std::string_view::npos; }

std::vector<explore::Question> questions(const StatementInfo& statement, const std::string& policy, const Shape& shape,
                                         const Rational& bound) {
    require_policy(statement, policy, shape);
    switch (statement.inputs) {
        case Inputs::jobs: {
            explore::Question question{std::string(statement.name), {}, {}};
            add_jobs(question.space, shape);
            question.body = [id = statement.name, shape, bound](const std::vector<Affine>& symbols) {
                return on_jobs(id, problem(shape, symbols), bound);
            };
            return {question};
        }
        case Inputs::sorted:
            return statement.name == "srpt-static" ? static_questions(shape, bound) : remaining_questions(shape);
        case Inputs::steps:
            return statement.name == "dominance-arrival" ? arrival_questions(shape)
                                                         : step_questions(shape, statement.name == "redundancy-step");
        case Inputs::state:
            return drift_questions(statement.name, make_policy(policy, *shape.beta), shape, bound);
        case Inputs::game:
            return {game(statement.name, policy, shape, bound)};
        case Inputs::none:
            break;
    }
    return {};
}

namespace {

/// Of S_1, ..., S_r, S_1 being the greatest and none negative: r S_1 - sum >= 0, then sum - S_1 >= 0.
std::vector<proof::PolynomialLemma> best_copy(const StatementInfo& statement) {
    using proof::Polynomial;
    std::vector<proof::PolynomialLemma> all;
    std::vector<std::string> symbols{"S1"};
    std::vector<Polynomial> hypotheses;
    const Polynomial best = Polynomial::symbol(0);
    Polynomial sum = best;
    for (std::uint32_t r = 2; r <= 8; ++r) {
        const Polynomial copy = Polynomial::symbol(r - 1);
        symbols.push_back("S" + std::to_string(r));
        hypotheses.insert(hypotheses.end(), {copy, best - copy});
        sum = sum + copy;
        const std::string id = std::string(statement.name) + " " + std::to_string(r);
        const std::string words(statement.sentence);
        all.push_back({id + " mean", words, symbols, hypotheses, Polynomial(Rational(r)) * best - sum});
        all.push_back({id + " sum", words, symbols, hypotheses, sum - best});
    }
    return all;
}

}  // namespace

std::vector<proof::PolynomialLemma> lemmas(const StatementInfo& statement) {
    using proof::Polynomial;
    if (statement.inputs != Inputs::none) return {};
    if (statement.name == "best-copy") return best_copy(statement);
    const std::string id(statement.name), words(statement.sentence);
    const Polynomial one(Rational(1)), half(Rational(1) / Rational(2)), x = Polynomial::symbol(0);
    if (statement.name == "gains-concave") {
        std::vector<proof::PolynomialLemma> all_copies;
        Polynomial power = one;
        for (int r = 0; r <= 8; ++r, power = power * x)
            all_copies.push_back(
                {id + " " + std::to_string(r), words, {"G"}, {x, one - x}, power * (one - x) - power * x * (one - x)});
        return all_copies;
    }
    const Polynomial& beta = x;
    const Polynomial eps = Polynomial::symbol(1);
    const bool summed = statement.name == "core-inequality";
    const Polynomial conclusion =
        summed ? (one + beta + eps) * (one - half * beta) - one - half * eps : (one + beta + eps) * (one - beta) - one;
    return {{id, words, {"beta", "eps"}, {beta, one - beta, eps}, conclusion}};
}

std::optional<Problem<Rational>> at(const StatementInfo& statement, const Shape& shape,
                                    const std::vector<Rational>& point) {
    if (statement.inputs == Inputs::game)
        return at(shape, {point.begin(), point.begin() + static_cast<std::ptrdiff_t>(2 * shape.jobs - 1)});
    if (statement.inputs != Inputs::jobs) return std::nullopt;
    return at(shape, point);
}

bool fails(const StatementInfo& statement, const Problem<Rational>& problem, const Rational& bound) {
    require(statement.inputs == Inputs::jobs, "only a statement about whole runs is tried on a problem");
    if (is_feasibility(statement.name))
        return least_constant(duals(rule_of(statement.name), problem, Rational(1)), problem) > bound;
    const auto pairs = values(statement.name, problem, bound);
    return std::any_of(pairs.begin(), pairs.end(), [](const auto& p) { return p.first > p.second; });
}

}  // namespace schedproof::redundancy
