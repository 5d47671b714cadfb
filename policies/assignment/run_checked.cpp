/// All policies of the assignment family on ticks, compiled once.
#include "policies/assignment/registry.hpp"

namespace schedproof::assignment {

template ScheduleResult<CheckedInt> run(const AnyPolicy&, const Problem<CheckedInt>&, Sampler&);

}  // namespace schedproof::assignment
