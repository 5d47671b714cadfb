/// All schedulers of the assignment family on rationals, compiled once.
#include "policies/assignment/registry.hpp"

namespace schedproof::assignment {

template Outcome<Rational> run(const AnyScheduler&, const Problem<Rational>&, Sampler&);

}  // namespace schedproof::assignment
