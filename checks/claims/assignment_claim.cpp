#include "checks/claims/assignment_claim.hpp"

#include "checks/assignment/generate.hpp"
#include "checks/assignment/witnesses.hpp"
#include "model/core/errors.hpp"
#include "proofs/explore/ask.hpp"

namespace schedproof::checks {

using namespace assignment;

DomainPtr single(std::string name, AssignmentProblem problem) {
    return std::make_shared<const Domain>(Domain{
        std::move(name), Domain::Enumerated{[problem = std::move(problem)](const auto& visit) { visit(problem); }}});
}

DomainPtr named_domain(const std::string& name) {
    const auto made = [&](auto problems) { return std::make_shared<const Domain>(Domain{name, std::move(problems)}); };
    if (name.find(':') != std::string::npos) return made(parse_family(name));
    if (name == "random")
        return made(Domain::Random{[](Sampler& chance) { return random_assignment_problem(chance); }});
    if (name == "grid") return made(Domain::Enumerated{[](const auto& visit) { for_each_small_problem({}, visit); }});
    for (const AssignmentWitness& witness : assignment_witnesses())
        if (witness.name == name) return single(name, witness.problem);
    throw InputError({"", 0, "instance"}, "expected `random`, `grid`, a shape or a named problem, not '" + name + "'");
}

bool has_tasks(const AssignmentProblem& problem) { return problem.shape->tasks().size() > 0; }

std::string witness_of(const Domain& domain, const std::function<bool(const AssignmentProblem&)>& premise) {
    constexpr std::size_t most = 1000;
    std::size_t tried = 0;
    std::string found;
    const auto look = [&](const AssignmentProblem& problem) {
        ++tried;
        if (premise(problem)) found = "problem " + std::to_string(tried) + " of " + domain.name;
        return found.empty() && tried < most;
    };
    if (const auto* family = std::get_if<Family>(&domain.problems)) {
        const std::size_t cores = family->shape->cores().size();
        for (std::size_t idle = 0; idle < cores && found.empty(); ++idle) {
            std::vector<Rational> loads(cores, Rational(8));
            loads[idle] = Rational(0);
            (void)look(at(*family, loads, false));
        }
    } else if (const auto* random = std::get_if<Domain::Random>(&domain.problems)) {
        for (bool more = true; more;) {
            Sampler chance(StreamKey{1, tried});
            more = look(random->draw(chance));
        }
    } else {
        std::get<Domain::Enumerated>(domain.problems).each(look);
    }
    return found;
}

Scheduling subject(const AssignmentClaim&, const DomainPtr& domain, const std::string& policy) {
    return {domain, policy, make_scheduler(policy)};
}

namespace {

/// A refutation that the claim's own judge does not confirm is a contradiction between two readings.
Verdict replayed(const AssignmentClaim& claim, const Scheduling& scheduling, Verdict verdict) {
    auto* refuted = std::get_if<Refuted>(&verdict);
    if (!refuted) return verdict;
    auto& found = std::get<AssignmentCounterexample>(refuted->counterexample);
    found.violation = claim.violation(scheduling.scheduler, *found.problem);
    if (found.violation.empty()) throw OracleConflict("a refutation does not replay on " + scheduling.domain->name);
    return verdict;
}

Verdict refuted(const Scheduling& scheduling, const AssignmentProblem& problem, std::string why) {
    return Refuted{AssignmentCounterexample{std::make_shared<const AssignmentProblem>(problem), scheduling.policy,
                                            std::move(why)}};
}

}  // namespace

Verdict consult(const AssignmentClaim& claim, const AssignmentOracle& oracle, const Scheduling& scheduling,
                const Settings& settings) {
    try {
        return replayed(claim, scheduling, oracle.run(scheduling, settings));
    } catch (const LimitExceeded& limit) { return Unknown{limit.what()}; }
}

AssignmentOracle exhaustive_oracle(ProblemViolation violation) {
    const auto suits = [](const Domain& domain) { return std::holds_alternative<Domain::Enumerated>(domain.problems); };
    return {"exhaustive", suits,
            [violation = std::move(violation)](const Scheduling& scheduling, const Settings&) -> Verdict {
                Exhausted cases;
                std::optional<Verdict> found;
                std::get<Domain::Enumerated>(scheduling.domain->problems).each([&](const AssignmentProblem& problem) {
                    ++cases.cases;
                    if (std::string wrong = violation(scheduling.scheduler, problem); !wrong.empty())
                        found = refuted(scheduling, problem, std::move(wrong));
                    return !found;
                });
                return found ? *found : Verdict(cases);
            }};
}

AssignmentOracle sampled_oracle(ProblemViolation violation) {
    const auto suits = [](const Domain& domain) { return std::holds_alternative<Domain::Random>(domain.problems); };
    return {"sampled", suits,
            [violation = std::move(violation)](const Scheduling& scheduling, const Settings& settings) -> Verdict {
                const auto& random = std::get<Domain::Random>(scheduling.domain->problems);
                for (std::uint64_t i = 0; i < settings.cases; ++i) {
                    Sampler chance(StreamKey{settings.seed, i});
                    const AssignmentProblem problem = random.draw(chance);
                    if (std::string wrong = violation(scheduling.scheduler, problem); !wrong.empty())
                        return refuted(scheduling, problem, std::move(wrong));
                }
                return Survived{settings.cases, settings.seed};
            }};
}

namespace {

Verdict explored(const Scheduling& scheduling, const std::string& statement, const Rational& bound,
                 const explore::Budget& budget) {
    const Theorem theorem{statement, std::get<Family>(scheduling.domain->problems), bound};
    Certificate certificate{scheduling.policy, theorem, {}};
    for (const explore::Question& question : questions(scheduling.policy, theorem)) {
        explore::Reply reply = explore::ask(question, budget);
        if (const auto* point = std::get_if<explore::Counterpoint>(&reply.result))
            return refuted(scheduling, at(theorem.family, point->point, assignment::statement(statement).costs), "");
        if (const auto* ended = std::get_if<explore::Ended>(&reply.result)) return Unknown{ended->reason};
        certificate.proofs.push_back(std::get<proof::ExploredProof>(std::move(reply.result)));
    }
    return proved(AnyCertificate(std::move(certificate)));
}

bool all_loads(const Domain& domain) { return std::holds_alternative<Family>(domain.problems); }

}  // namespace

AssignmentOracle explore_oracle(std::string statement, Rational bound) {
    return {"explore", all_loads, [=](const Scheduling& scheduling, const Settings& settings) {
                return explored(scheduling, statement, bound, settings.budget);
            }};
}

AssignmentOracle explore_oracle(std::string statement, std::map<std::string, Rational> bounds) {
    return {"explore", all_loads, [=](const Scheduling& scheduling, const Settings& settings) {
                return explored(scheduling, statement, bounds.at(scheduling.policy), settings.budget);
            }};
}

}  // namespace schedproof::checks
