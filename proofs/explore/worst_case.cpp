#include "proofs/explore/worst_case.hpp"

namespace schedproof::explore {

std::string_view to_string(WorstCase shown) {
    switch (shown) {
        case WorstCase::supremum:
            return "supremum";
        case WorstCase::grid:
            return "grid";
        case WorstCase::lower_bound:
            break;
    }
    return "lower-bound";
}

}  // namespace schedproof::explore
