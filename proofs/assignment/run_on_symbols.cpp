/// All policies of the assignment family on affine forms, compiled once.
#include "policies/assignment/run.hpp"
#include "proofs/symbolic/affine.hpp"

namespace schedproof::assignment {

template ScheduleResult<explore::Affine> run(const AnyPolicy&, const Problem<explore::Affine>&, AnyRandomness&);

}  // namespace schedproof::assignment
