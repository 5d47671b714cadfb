#include "model/redundancy/job.hpp"

#include <fmt/format.h>

namespace schedproof::redundancy {

std::string fault(const Jobs<Rational>& jobs) {
    for (std::size_t j = 0; j < jobs.size(); ++j) {
        if (jobs[j].size.sign() <= 0) return fmt::format("job {}: expected a size above 0", j);
        if (jobs[j].arrival.sign() < 0) return fmt::format("job {}: expected an arrival of at least 0", j);
        if (j > 0 && jobs[j].arrival < jobs[j - 1].arrival)
            return fmt::format("job {}: expected jobs sorted by arrival", j);
    }
    return "";
}

}  // namespace schedproof::redundancy
