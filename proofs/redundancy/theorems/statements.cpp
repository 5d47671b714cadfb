/// Statements about redundancy policies: their table, and the questions that prove each.
///
/// Whole runs are explored on symbolic arrivals and sizes at speed 1: dividing sizes by s leaves constraints without s,
/// and (8) times p_j is linear (runs.cpp). In `ratio` the competitor's decisions are symbols as
/// well. Entries with `holds` false are wrong variants that the checks must refute. Questions about sorted sizes,
/// single steps and the drift of LAPS+R are made in steps.cpp.
/// Source: [xu2017], Sections 4 and 5; docs/models/redundancy.md, Theorems.
#include "proofs/redundancy/theorems/statements.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "model/base/split.hpp"
#include "model/core/errors.hpp"
#include "proofs/redundancy/theorems/choices.hpp"
#include "proofs/redundancy/theorems/runs.hpp"
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
    StatementInfo{"latest-favoured",
                  "of any two jobs under {0}, whatever is left of each, the one that came later gets no less work done "
                  "in an interval without an event, as long as a copy more does no less.",
                  "fair fair+r", Inputs::steps},
    StatementInfo{"redundancy-step",
                  "in two clusters, one under SRPT and one under {0}, with speedups that are at least 1 and do not "
                  "fall with the number of copies, if the i-th largest remaining work under SRPT is at least that "
                  "under {0} for every i, it still is after any interval without an event.",
                  "srpt+r late", Inputs::steps},
    StatementInfo{"redundancy-helps", "the total flowtime of {0} is at most {1} times that of SRPT, at every speed.",
                  "srpt+r late"},
    StatementInfo{"copies-help",
                  "at every speed the total flowtime of {0} is at most {1} times that of the same policy without "
                  "copies, which is FAIR, or a machine for each job, the oldest first.",
                  "fair+r redundancy-d redundancy-d:3"},
    StatementInfo{"busy-periods",
                  "at every speed all jobs under {0} are done at the time at which they are one after another, in the "
                  "order of arrival.",
                  ""},
    StatementInfo{"as-fair",
                  "at every speed each job is done under {0} when FAIR has it done, or FAIR+R where {0} makes copies.",
                  "laps laps:all laps+r laps+r:all"},
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
    StatementInfo{
        "fair-alpha-bounded",
        "at every speed s, for each of the rules cap, rank and shifted of {0}, each job j and every t >= a_j, "
        "alpha_j/p_j <= (t - a_j)/p_j + max(1, n(t)/M)/s, n(t) being the number of jobs that are there.",
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
    StatementInfo{
        "relaxed-cost",
        "For a job that stays for r = 1..8 intervals of lengths l_k >= 0, with work w_k of it done at a constant "
        "rate of at most Delta in the k-th, 0 <= w_k <= Delta l_k, and for any C >= 0: p times its cost in P1, "
        "p = w_1 + ... + w_r, is at most p (1 + C Delta) times its flowtime l_1 + ... + l_r.",
        "srpt+r", Inputs::none},
    StatementInfo{
        "dual-below-cost",
        "At an instant t with n = 1..8 jobs of which speedups h_j >= 0 sum to at most M, and with beta >= 0 and "
        "alpha_j such that alpha_j/p_j - beta <= (t - a_j)/p_j + C of each (eq. 8): sum_j alpha_j/p_j h_j - M "
        "beta is at most sum_j ((t - a_j)/p_j + C) h_j, the cost in P1.",
        "srpt+r fair+r", Inputs::none},
    StatementInfo{
        "price-sums",
        "For K >= r >= 0, K > 0 and n = K + r: r + (K - r)(K + r + 1)/(2K) >= n/2, K (K + 2 r + 1)/(2n) >= 3n/8 and "
        "(K + 1)/2 >= n/4. These are the sums of min(1, pos/K), pos/n and (pos - r)/K over pos = r+1..n, the "
        "prices by the rules cap, rank and shifted when K of n jobs are served.",
        "fair+r", Inputs::none},
    StatementInfo{"improves-on-srpt", "(1 + 2 Delta) (1 + 1/eps) <= 4/eps at Delta = 1, for all 0 < eps <= 1/3.",
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
    StatementInfo{"fair-alpha-bounded-naive",
                  "at every speed s, for the rule naive of {0}, each job j and every t >= a_j, alpha_j/p_j <= (t - "
                  "a_j)/p_j + max(1, n(t)/M)/s, n(t) being the number of jobs that are there.",
                  "fair+r", Inputs::jobs, false},
    StatementInfo{"laps-drift-slow",
                  "at speed s = 1 + eps for any eps > 0, whatever the optimum does, the potential of {0} has n + "
                  "2/(beta eps) Phi' <= 2/(beta eps) (Delta + {1} s) n*.",
                  "laps+r", Inputs::state, false},
    StatementInfo{"core-inequality-each-rank", "(1 + beta + eps) (1 - beta) >= 1 for all 0 <= beta <= 1 and eps >= 0.",
                  "laps+r", Inputs::none, false},
};

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

bool speaks_of(const StatementInfo& statement, const std::string& policy) {
    if (statement.policy.empty()) return true;
    const std::string its = statement.inputs == Inputs::state ? policy.substr(0, policy.find(':')) : policy;
    const std::vector<std::string_view> of = base::split(statement.policy, ' ');
    return std::find(of.begin(), of.end(), its) != of.end();
}

void require_policy(const StatementInfo& statement, const std::string& policy, const Shape& shape) {
    if (resolve_policy(policy) != policy || policy.empty())
        throw InputError::at_key("policy", "expected a policy of the redundancy family, not '" + policy + "'");
    if (!speaks_of(statement, policy))
        throw InputError::at_key(
            "policy", "expected " + std::string(statement.policy) + ": the statement is about no other policy");
    const bool whole = statement.inputs == Inputs::jobs || statement.inputs == Inputs::game;
    if (shape.speed != Rational(1) && statement.inputs != Inputs::game)
        throw InputError::at_key("shape", "expected no speed: the statement is about every speed");
    const bool beta = statement.inputs != Inputs::none && has_beta(policy);
    if (beta != shape.beta.has_value())
        throw InputError::at_key(
            "shape", beta ? "expected a beta, as in n10-m5-b1/2-det" : "expected no beta: " + policy + " has none");
    if (!whole && shape.service != Service())
        throw InputError::at_key("shape", "expected det: the statement does not depend on the service");
    if (statement.name == "as-fair" && *shape.beta != Rational(1))
        throw InputError::at_key("shape", "expected b1: with another beta LAPS is not FAIR");
    if (statement.name == "busy-periods" && shape.machines != 1)
        throw InputError::at_key("shape", "expected m1: the statement is about one machine");
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
            const AnyPolicy own = make_policy(policy, shape.beta.value_or(Rational(1)));
            question.body = [id = statement.name, own, shape, bound](const std::vector<Affine>& symbols) {
                return left_of_run(id, own, problem(shape, symbols), bound);
            };
            return {question};
        }
        case Inputs::sorted:
            return statement.name == "srpt-static" ? static_questions(shape, bound) : remaining_questions(shape);
        case Inputs::steps:
            if (statement.name == "dominance-arrival") return arrival_questions(shape);
            if (statement.name == "latest-favoured") return favour_questions(make_policy(policy, Rational(1)), shape);
            return step_questions(shape, make_policy(policy, Rational(1)), statement.name == "redundancy-step");
        case Inputs::state:
            return drift_questions(statement.name, make_policy(policy, *shape.beta), shape, bound);
        case Inputs::game:
            return {game(statement.name, policy, shape, bound)};
        case Inputs::none:
            break;
    }
    return {};
}

std::optional<Problem<Rational>> at(const StatementInfo& statement, const Shape& shape,
                                    const std::vector<Rational>& point) {
    if (statement.inputs == Inputs::game)
        return at(shape, {point.begin(), point.begin() + static_cast<std::ptrdiff_t>(2 * shape.jobs - 1)});
    if (statement.inputs != Inputs::jobs) return std::nullopt;
    return at(shape, point);
}

}  // namespace schedproof::redundancy
