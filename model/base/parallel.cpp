#include "model/base/parallel.hpp"

#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/partitioner.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>

#include "model/core/errors.hpp"

namespace schedproof::runs {

unsigned default_threads() { return std::max(1U, std::thread::hardware_concurrency()); }

void for_each_index(std::size_t count, unsigned threads, const std::function<void(std::size_t)>& body) {
    require(threads >= 1, "work needs a thread");
    std::atomic<bool> failed{false};
    std::mutex guard;
    std::exception_ptr error;
    std::size_t first = count;
    const auto attempt = [&](std::size_t i) {
        if (failed) return;
        try {
            body(i);
        } catch (...) {
            const std::lock_guard lock(guard);
            failed = true;
            if (i < first) first = i, error = std::current_exception();
        }
    };
    // Without it there are never more workers than cores, whatever was asked for.
    const tbb::global_control allowed(tbb::global_control::max_allowed_parallelism, threads);
    tbb::task_arena arena(static_cast<int>(threads));
    arena.execute([&] {
        tbb::parallel_for(
            tbb::blocked_range<std::size_t>(0, count, 1),
            [&](const tbb::blocked_range<std::size_t>& range) {
                for (std::size_t i = range.begin(); i != range.end(); ++i) attempt(i);
            },
            tbb::simple_partitioner());
    });
    if (error) std::rethrow_exception(error);
}

}  // namespace schedproof::runs
