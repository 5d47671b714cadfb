// What the cases include, read by the compiler once for all of them.
#include <algorithm>
#include <cstdlib>

#include "model/assignment/policy.hpp"
#include "model/core/randomness.hpp"
#include "model/queueing/kernel.hpp"
#include "model/redundancy/allocation.hpp"
#include "model/sharing/policy.hpp"
#include "proofs/symbolic/affine.hpp"
