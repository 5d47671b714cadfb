/// Threads that take the next index until none is left.
///
/// The pieces of work here are whole: a replication of a simulation, a claim to check. They take from milliseconds to
/// minutes, so a shared counter balances the load as well as a scheduler of tasks would, the pieces begin in the order
/// given (the longest can be put first), each thread has the full stack that deep recursion in a solver needs, and a
/// race detector sees every synchronization.
#include "model/base/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "model/core/errors.hpp"

namespace schedproof::base {

unsigned default_threads() { return std::max(1U, std::thread::hardware_concurrency()); }

void for_each_index(std::size_t count, unsigned threads, const std::function<void(std::size_t)>& body) {
    require(threads >= 1, "work needs a thread");
    std::atomic<std::size_t> next{0};
    std::atomic<bool> failed{false};
    std::mutex guard;
    std::exception_ptr error;
    std::size_t first = count;
    const auto work = [&] {
        for (std::size_t i = next++; i < count && !failed; i = next++) {
            try {
                body(i);
            } catch (...) {
                const std::lock_guard lock(guard);
                failed = true;
                if (i < first) first = i, error = std::current_exception();
            }
        }
    };
    std::vector<std::thread> others;
    others.reserve(std::min<std::size_t>(threads, count));
    try {
        while (others.size() + 1 < std::min<std::size_t>(threads, count)) others.emplace_back(work);
    } catch (const std::system_error&) {
        // The system grants no more threads: those that there are do the work.
    }
    work();
    for (std::thread& thread : others) thread.join();
    if (error) std::rethrow_exception(error);
}

}  // namespace schedproof::base
