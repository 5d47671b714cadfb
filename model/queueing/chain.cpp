#include "model/queueing/chain.hpp"

#include <fmt/core.h>

namespace schedproof::queueing {

std::string describe(const Truncation& truncation) {
    switch (truncation.rule) {
        case Truncation::Rule::none: return "none: the state space is the model's own";
        case Truncation::Rule::total:
            return fmt::format("total {}: all arrivals of a slot are lost if they would lift the sum of the queues above {}",
                               truncation.cap, truncation.cap);
        case Truncation::Rule::queue:
            return fmt::format("queue {}: an arriving task is lost if its queue already holds {} tasks", truncation.cap,
                               truncation.cap);
    }
    throw ContractViolation("unknown truncation rule");
}

}  // namespace schedproof::queueing
