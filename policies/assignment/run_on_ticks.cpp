/// All policies of the assignment family on ticks, compiled once.
#include "policies/assignment/run.hpp"

namespace schedproof::assignment {

template ScheduleResult<CheckedInt> run(const AnyPolicy&, const Problem<CheckedInt>&, AnyRandomness&);

}  // namespace schedproof::assignment
