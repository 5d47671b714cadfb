#include "checks/assignment/claim.hpp"

#include "checks/assignment/generate.hpp"
#include "checks/assignment/witnesses.hpp"
#include "model/core/errors.hpp"
#include "proofs/explore/ask.hpp"

namespace schedproof::checks {

using namespace assignment;

std::vector<AssignmentProblem> AssignmentFamily::samples(const Family& family) {
    std::vector<AssignmentProblem> problems;
    const std::size_t cores = family.shape->cores().size();
    for (std::size_t idle = 0; idle < cores; ++idle) {
        std::vector<Rational> loads(cores, Rational(8));
        loads[idle] = Rational(0);
        problems.push_back(at(family, loads, false));
    }
    return problems;
}

DomainPtr single(std::string name, AssignmentProblem problem) {
    return single_case<AssignmentFamily>(std::move(name), std::move(problem));
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

AssignmentOracle exhaustive_oracle(ProblemViolation violation) {
    return exhaustive<AssignmentFamily>(std::move(violation));
}

AssignmentOracle sampled_oracle(ProblemViolation violation) { return sampled<AssignmentFamily>(std::move(violation)); }

namespace {

std::variant<Certificate, AssignmentProblem, std::string> prove(const std::string& policy, const Theorem& theorem,
                                                                const explore::Budget& budget) {
    Certificate certificate{policy, theorem, {}};
    for (const explore::Question& question : questions(policy, theorem)) {
        explore::Reply reply = explore::ask(question, budget);
        if (const auto* point = std::get_if<explore::Counterpoint>(&reply.result))
            return at(theorem.family, point->point, statement(theorem.statement).costs);
        if (auto* ended = std::get_if<explore::Ended>(&reply.result)) return std::move(ended->reason);
        certificate.proofs.push_back(std::get<proof::ExploredProof>(std::move(reply.result)));
    }
    return certificate;
}

}  // namespace

AssignmentOracle explore_oracle(std::string statement, Rational bound) {
    return explored<AssignmentFamily>([=](const Scheduling& scheduling, const Family& family, const auto& budget) {
        return prove(scheduling.policy, {statement, family, bound}, budget);
    });
}

AssignmentOracle explore_oracle(std::string statement, std::map<std::string, Rational> bounds) {
    return explored<AssignmentFamily>([=](const Scheduling& scheduling, const Family& family, const auto& budget) {
        return prove(scheduling.policy, {statement, family, bounds.at(scheduling.policy)}, budget);
    });
}

}  // namespace schedproof::checks
