#include "proofs/redundancy/counterexample.hpp"

namespace schedproof::redundancy {

std::optional<Problem<Rational>> counterexample(const StatementInfo& statement, const AnyPolicy& policy,
                                                const Shape& shape, const Rational& bound, const proof::Space& space,
                                                const explore::Counterpoint& point) {
    const auto tried = [&](const std::vector<Rational>& values) -> std::optional<Problem<Rational>> {
        auto problem = at(statement, shape, values);
        if (problem && (statement.inputs == Inputs::game || fails(statement, policy, *problem, bound))) return problem;
        return std::nullopt;
    };
    if (auto found = tried(point.point)) return found;
    std::vector<proof::Constraint> inside = point.constraints;
    for (proof::Constraint& c : inside) c.strict = true;
    const auto interior = explore::find_point(space, inside);
    return interior ? tried(interior->point) : std::nullopt;
}

}  // namespace schedproof::redundancy
