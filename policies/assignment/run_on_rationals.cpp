/// All policies of the assignment family on rationals, compiled once.
#include "policies/assignment/run.hpp"

namespace schedproof::assignment {

template ScheduleResult<Rational> run(const AnyPolicy&, const Problem<Rational>&, AnyRandomness&);

}  // namespace schedproof::assignment
