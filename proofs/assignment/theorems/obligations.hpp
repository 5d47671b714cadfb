/// What a statement leaves on a path, in the words that statements about schedulers are written with.
#pragma once

#include <vector>

#include "proofs/assignment/theorems/competitor_questions.hpp"

namespace schedproof::assignment {

using Obligations = std::vector<explore::Forbidden>;

/// What is known on the path without any constraint.
inline void require_on_path(Obligations& obligations, bool holds) {
    if (!holds) obligations.emplace_back();
}
inline void require_at_most(Obligations& obligations, const explore::Affine& a, const explore::Affine& b) {
    obligations.push_back({exceeds(a, b)});
}
inline void require_equal(Obligations& obligations, const explore::Affine& a, const explore::Affine& b) {
    require_at_most(obligations, a, b);
    require_at_most(obligations, b, a);
}

/// The totals of every map, or of those alone that keep every task local.
[[nodiscard]] inline std::vector<Totals<explore::Affine>> competitors(const Problem<explore::Affine>& problem,
                                                                      bool local_only) {
    std::vector<Totals<explore::Affine>> all;
    for_each_map(*problem.shape, local_only, [&](const Assignment& map) { all.push_back(totals(problem, map)); });
    return all;
}

}  // namespace schedproof::assignment
