/// Sets that choose from their first part.
#pragma once

#include "model/queueing/language/operations.hpp"

namespace schedproof::queueing {

/// Whether members of the set are members of its first set, and it has one where that has some.
[[nodiscard]] constexpr bool narrows(language::Op op) {
    using enum language::Op;
    switch (op) {
        case argmin:
        case argmax:
        case most_local:
        case lowest:
        case preferred:
        case sample:
        case draws:
        case best:
            return true;
        default:
            return false;
    }
}

}  // namespace schedproof::queueing
