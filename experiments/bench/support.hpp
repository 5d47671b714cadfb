/// What the benchmarks share: clocks, memory, and how figures are set beside their targets.
#pragma once

#include <sys/resource.h>
#include <time.h>

#include <algorithm>
#include <limits>

#include "model/base/stopwatch.hpp"

namespace schedproof::bench {

using base::Stopwatch;

/// Processor time of this thread. Unit: second.
inline double thread_seconds() {
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// Processor time of all threads. Unit: second.
inline double process_seconds() {
    timespec t{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// Least processor time of several runs: other programs can only add to it.
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

/// Wall-clock time of one run.
template <class Body>
double wall_seconds(Body&& body) {
    const Stopwatch watch;
    body();
    return watch.seconds();
}

/// Most memory that the process has held so far. Unit: GiB.
inline double peak_gib() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) / (1024.0 * 1024.0);
}

}  // namespace schedproof::bench
