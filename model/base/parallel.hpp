/// Independent pieces of work on several threads.
#pragma once

#include <cstddef>
#include <functional>

namespace schedproof::base {

/// Threads that the machine runs at once; at least 1.
[[nodiscard]] unsigned default_threads();

/// Calls body(0), ..., body(count - 1), each once, up to `threads` of them at a time, begun in this order; returns when
/// all have ended. The calling thread is one of the threads. When one call throws, no further one begins, and the
/// exception of the least index among those that threw is thrown on. Requires threads >= 1.
/// Cost: a thread is started for each piece at most, so a piece should take a millisecond or more.
void for_each_index(std::size_t count, unsigned threads, const std::function<void(std::size_t)>& body);

}  // namespace schedproof::base
