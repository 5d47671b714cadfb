#include "proofs/assignment/ratio_cells.hpp"

#include <algorithm>

#include "model/core/errors.hpp"

namespace schedproof::assignment {

using explore::Affine;
using proof::Constraint;
using proof::LinearForm;

explore::Exploration<Finishes> ratio_cells(const SystemUnderTest& system_under_test, const RatioSpace& space,
                                           const explore::Budget& budget) {
    auto exploration = explore::explore(
        space.space(),
        [&](const std::vector<Affine>& symbols) {
            Finishes result;
            for (const Affine& finish : system_under_test.symbolic(space.problem(symbols)).finish) {
                if (finish.form().constant().sign() != 0)
                    throw OracleConflict(system_under_test.name +
                                         " ends tasks at times that are no sums of loads and costs");
                if (std::find(result.begin(), result.end(), finish.form()) == result.end())
                    result.push_back(finish.form());
            }
            return result;
        },
        budget);
    for (const proof::Tree::Node& node : exploration.tree.nodes)
        if (node.atom.bound.sign() != 0)
            throw OracleConflict(system_under_test.name +
                                 " compares with an absolute time, so no ratio holds for problems of all scales");
    return exploration;
}

std::vector<Constraint> at_most_one(const Finishes& finishes) {
    std::vector<Constraint> constraints;
    for (const LinearForm& finish : finishes) constraints.push_back({LinearForm(Rational(1)) - finish, false});
    return constraints;
}

}  // namespace schedproof::assignment
