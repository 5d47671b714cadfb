/// Jobs that arrive over time: when, and how much work.
///
/// Source: [xu2017], Section 3; docs/models/redundancy.md, Model.
#pragma once

#include <string>
#include <vector>

#include "model/core/ids.hpp"
#include "model/core/number.hpp"

namespace schedproof::redundancy {

template <Number N>
struct Job {
    N arrival;  ///< a_j. Unit: time
    N size;     ///< p_j, work. Unit: time of one machine at its mean rate
    friend bool operator==(const Job&, const Job&) = default;
};

/// By JobId, ascending by arrival; of jobs that arrive at once the one with the lower id comes first.
template <Number N>
using Jobs = std::vector<Job<N>>;

/// Empty when every size is positive, no arrival negative, and arrivals ascend; otherwise what is wrong, with the job's
/// position from 0.
[[nodiscard]] std::string fault(const Jobs<Rational>& jobs);

}  // namespace schedproof::redundancy
