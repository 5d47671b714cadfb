/// All assignment problems of a shape at once: loads, costs and a deadline as symbols.
///
/// A local task costs 1, so a statement about all loads and costs of a shape is one about all problems of it, in units
/// of a local task. Loads range over all rationals from 0 on; costs, where they are not given, over all functions with
/// 1 < g(1) <= g(2) <= ..., each server its own. A problem with T tasks reads no value of g beyond g(T).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/assignment/problem.hpp"
#include "proofs/symbolic/affine.hpp"

namespace schedproof::assignment {

struct Family {
    std::shared_ptr<const Shape> shape;
    std::optional<CostFunction<Rational>> cost;  ///< of all servers; none: symbols, each server's own
};

/// Reads `2,1:0/01`: servers with 2 and 1 cores; a task with its block on server 0, one with it on servers 0 and 1.
/// Then, perhaps, costs: `@3/2,2+1/2` is g(1) = 3/2, g(2) = 2, and 1/2 more for each further task.
/// At most 10 servers, 64 cores and 64 tasks. Throws InputError with what was expected.
[[nodiscard]] Family parse_family(std::string_view text);
/// The inverse of `parse_family`.
[[nodiscard]] std::string name(const Family& family);
/// The part before the costs.
[[nodiscard]] std::string name(const Shape& shape);

/// The symbols: initial loads by core; costs by server and number of remote tasks, where these are symbols; and a
/// deadline, where one is asked for.
[[nodiscard]] proof::Space space(const Family& family, bool costs, bool deadline);

/// What the symbols of a space stand for.
struct SymbolicProblem {
    Problem<explore::Affine> problem;  ///< its costs are the family's, or symbols, or (not asked for) beyond use
    std::optional<explore::Affine> deadline;
};
/// Requires the symbols of `space(family, costs, deadline)`.
[[nodiscard]] SymbolicProblem problem(const Family& family, const std::vector<explore::Affine>& symbols, bool costs,
                                      bool deadline);

/// The problem at a point of the space; costs that are not symbols are those of the family, or g(n) = n + 1.
[[nodiscard]] Problem<Rational> at(const Family& family, const std::vector<Rational>& point, bool costs);

/// The problem with numbers in place of symbols. Requires constant loads and costs.
[[nodiscard]] Problem<Rational> constant_values(const Problem<explore::Affine>& problem);

/// In words: `servers with 2, 1 cores, tasks with replicas on {0}, {0, 1}`.
[[nodiscard]] std::string describe(const Shape& shape);
/// `(3/2, 2; then 1/2 more each)`.
[[nodiscard]] std::string describe(const CostFunction<Rational>& g);

}  // namespace schedproof::assignment
