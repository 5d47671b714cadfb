#include "checks/assignment/claim.hpp"

#include <utility>

#include "checks/assignment/properties/schedule_properties.hpp"
#include "model/core/errors.hpp"
#include "proofs/explore/ask.hpp"

namespace schedproof::checks::assignment_claims {

using namespace assignment;

bool has_tasks(const AnyPolicy&, const AssignmentProblem& problem) { return problem.shape->tasks().size() > 0; }

Exhibit with_optimum(const AssignmentPolicyUnderTest& policy, const AssignmentProblem& problem) {
    return {{{"outcome", outcome_of(policy, problem).assignment}, {"optimum", Exhaustive(problem).optimal()}}, {}};
}

std::function<std::vector<Picture>(const AssignmentPolicyUnderTest&, const AssignmentProblem&,
                                   const std::vector<std::string>&)>
drawn(MakeExhibit exhibit) {
    return [exhibit = std::move(exhibit)](const AssignmentPolicyUnderTest& policy, const AssignmentProblem& problem,
                                          const std::vector<std::string>& title) -> std::vector<Picture> {
        if (!has_tasks(policy, problem)) return {};
        const Exhibit shown = exhibit(policy, problem);
        return {{"graph", shown.graph_dot(problem, title)}, {"loads", shown.loads_dot(problem, title)}};
    };
}

namespace {

std::variant<assignment::Certificate, AssignmentProblem, std::string> prove(const std::string& policy,
                                                                            const Theorem& theorem,
                                                                            const explore::Budget& budget) {
    assignment::Certificate certificate{policy, theorem, {}};
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

const Rational& stated(const std::map<std::string, Rational>& bounds, const std::string& policy) {
    const auto bound = bounds.find(policy);
    if (bound == bounds.end())
        throw InputError::at_key("policy", "expected a policy for which the claim states a bound");
    return bound->second;
}

AssignmentOracle explored_theorem(const std::string& statement, const Rational& bound) {
    return explored<AssignmentFamily>(
        [=](const Scheduling& scheduling, const assignment::Family& family, const explore::Budget& budget) {
            return prove(scheduling.policy, {statement, family, bound}, budget);
        });
}

AssignmentOracle explored_theorem(const std::string& statement, const std::map<std::string, Rational>& bounds) {
    return explored<AssignmentFamily>(
        [=](const Scheduling& scheduling, const assignment::Family& family, const explore::Budget& budget) {
            return prove(scheduling.policy, {statement, family, stated(bounds, scheduling.policy)}, budget);
        });
}

}  // namespace schedproof::checks::assignment_claims
