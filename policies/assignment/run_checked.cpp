/// All schedulers of the assignment family on ticks, compiled once.
#include "policies/assignment/registry.hpp"

namespace schedproof::assignment {

template Outcome<CheckedInt> run(const AnyScheduler&, const Problem<CheckedInt>&, Sampler&);

}  // namespace schedproof::assignment
