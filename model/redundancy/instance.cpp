#include "model/redundancy/instance.hpp"

#include "model/core/errors.hpp"

namespace schedproof::redundancy {

void validate(const Instance& instance) {
    if (instance.problem.machines < 1) throw InputError::at_key("machines", "expected at least one machine");
    if (std::string wrong = fault(instance.problem.jobs); !wrong.empty()) throw InputError::at_key("jobs", wrong);
    if (instance.speed.sign() <= 0) throw InputError::at_key("speed", "expected a speed above 0");
    if (instance.beta.sign() <= 0 || instance.beta > Rational(1))
        throw InputError::at_key("beta", "expected 0 < beta <= 1");
}

}  // namespace schedproof::redundancy
