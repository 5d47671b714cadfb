/// All problems of a shape, up to their scale: initial loads, the cost of a local task and, where they are not given,
/// the costs of remote ones as symbols.
///
/// With the local cost a symbol u > 0, given costs are multiples of it, and every comparison that a policy makes is
/// between linear forms without a constant. So the ratio of two makespans does not change when a problem is scaled,
/// and a least makespan of at most 1 may be assumed: that is what makes the worst ratio a linear program
/// (../worst.hpp).
#pragma once

#include <memory>
#include <vector>

#include "model/assignment/assignment.hpp"
#include "proofs/symbolic/affine.hpp"

namespace schedproof::assignment {

/// What a remote task may cost.
struct Costs {
    enum class Kind {
        given,     ///< multiples of a local task's cost
        common,    ///< any function above it that does not fall, the same on all servers
        by_server  ///< any such function on each server
    };
    Kind kind = Kind::given;
    std::vector<CostFunction<Rational>> functions;  ///< when given: by server, or one for all
};

class RatioSpace {
  public:
    /// Requires a task. Throws InputError when given functions have a fault or are neither one nor one per server.
    /// Symbolic functions have a value per number of tasks of the shape; no problem reads another.
    RatioSpace(std::shared_ptr<const Shape> shape, Costs costs);

    [[nodiscard]] const std::shared_ptr<const Shape>& shape() const { return shape_; }
    [[nodiscard]] const Costs& costs() const { return costs_; }
    /// Loads by core, `u`, then costs, by server and number of remote tasks.
    [[nodiscard]] const proof::Space& space() const { return space_; }
    /// Where `u` stands among the symbols.
    [[nodiscard]] proof::Variable unit() const { return static_cast<proof::Variable>(shape_->cores().size()); }
    /// The problem of these symbols, which are those of the space or constants in their place.
    [[nodiscard]] Problem<explore::Affine> problem(const std::vector<explore::Affine>& symbols) const;
    /// The problem at a point, in units of its local cost. Requires u > 0 there.
    [[nodiscard]] Problem<Rational> at(const std::vector<Rational>& point) const;

  private:
    std::shared_ptr<const Shape> shape_;
    Costs costs_;
    proof::Space space_;
};

/// Where cores finish, as forms in the symbols of a space.
using Finishes = std::vector<proof::LinearForm>;

/// Where the active cores of an assignment finish.
[[nodiscard]] Finishes finishes(const RatioSpace& space, const Assignment& assignment);

}  // namespace schedproof::assignment
