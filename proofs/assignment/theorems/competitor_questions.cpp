#include "proofs/assignment/theorems/competitor_questions.hpp"

namespace schedproof::assignment {

using explore::Affine;

std::vector<bool> reachable(const Shape& shape, const Assignment& map, ServerId source) {
    std::vector<bool> reached(shape.servers().size(), false);
    reached[source.index()] = true;
    for (bool grown = true; grown;) {
        grown = false;
        for (const TaskId t : shape.tasks()) {
            if (!reached[shape.server_of(map[t.index()]).index()]) continue;
            for (const ServerId s : shape.replicas(t)) {
                grown = grown || !reached[s.index()];
                reached[s.index()] = true;
            }
        }
    }
    return reached;
}

explore::Forbidden no_cost_reducing_path(const Problem<Affine>& problem, const Assignment& map, bool direct) {
    const Shape& shape = *problem.shape;
    const Totals<Affine> at = totals(problem, map);
    explore::Forbidden constraints;
    const auto not_later = [&](CoreId from, CoreId to) {
        if (from != to)
            constraints.push_back({(at.load[to.index()] + problem.local - at.load[from.index()]).form(), false});
    };
    for (const TaskId t : shape.tasks()) {
        const CoreId p = map[t.index()];
        const std::vector<bool> reached = reachable(shape, map, shape.server_of(p));
        for (const CoreId q : shape.cores())
            if (direct ? shape.is_local(t, shape.server_of(q)) : reached[shape.server_of(q).index()]) not_later(p, q);
    }
    return constraints;
}

}  // namespace schedproof::assignment
