/// All policies of the assignment family on rationals, compiled once.
#include "policies/assignment/registry.hpp"

namespace schedproof::assignment {

template ScheduleResult<Rational> run(const AnyPolicy&, const Problem<Rational>&, Sampler&);

}  // namespace schedproof::assignment
