/// How the benchmarks time one thread.
#pragma once

#include <time.h>

#include <algorithm>
#include <limits>

namespace schedproof::bench {

/// Processor time of this thread, in seconds.
inline double thread_seconds() {
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// Least processor time of several runs: other programs only ever add.
template <class Body>
double least_seconds(int runs, Body&& body) {
    double least = std::numeric_limits<double>::infinity();
    for (int i = 0; i < runs; ++i) {
        const double start = thread_seconds();
        body();
        least = std::min(least, thread_seconds() - start);
    }
    return least;
}

}  // namespace schedproof::bench
