#include "model/queueing/language/evaluate.hpp"

#include <fmt/core.h>

namespace schedproof::queueing::language {

void throw_no_queues(Op op) {
    throw InputError::at_key(
        "policy", fmt::format("expected a rule that asks for the {} of a key over some queue; here the set is empty",
                              op == Op::least      ? "least"
                              : op == Op::greatest ? "greatest"
                                                   : "mean"));
}

std::size_t NoRandomness::refuse() { throw ContractViolation("a rule that is known to draw nothing draws"); }

}  // namespace schedproof::queueing::language
