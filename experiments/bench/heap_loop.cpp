/// Join-shortest-queue in continuous time by a binary heap of the ends of services, the queues of each length in an
/// array, and the arrivals of waiting tasks in rings. It shares no code with the simulators and records nothing but the
/// sum of the delays.
#include <algorithm>
#include <array>
#include <boost/random/exponential_distribution.hpp>
#include <numeric>
#include <stdexcept>

#include "experiments/bench/limit_loops.hpp"
#include "experiments/bench/limit_words.hpp"

namespace schedproof::bench {

namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

constexpr u32 servers = 100, longest = 64;

/// Queues by length: those of length l are the first count[l] of of_length[l].
struct ByLength {
    std::array<u32, servers> length{}, place{};
    std::array<std::array<u32, servers>, longest + 1> of_length{};
    std::array<u32, longest + 1> count{};

    ByLength() {
        std::iota(place.begin(), place.end(), 0U);
        of_length[0] = place;
        count[0] = servers;
    }
    [[gnu::always_inline]] void move(u32 server, u32 to) {
        const u32 from = length[server], last = of_length[from][--count[from]];
        of_length[from][place[server]] = last;
        place[last] = place[server];
        length[server] = to;
        place[server] = count[to];
        of_length[to][count[to]++] = server;
    }
};

struct End {
    double time;
    u32 server;
};

}  // namespace

LoopResult heap_loop(u64 tasks, double load, u64 seed) {
    Words words(seed);
    boost::random::exponential_distribution<double> unit(1);
    const double gap = 1 / (load * servers);
    static ByLength queues;
    static std::array<std::array<double, longest>, servers> arrived;
    static std::array<End, servers> heap;
    queues = {};
    std::array<u32, servers> head{}, tail{};
    u32 busy = 0;
    double next = gap * unit(words), sum = 0;
    LoopResult result;
    while (result.tasks < tasks) {
        if (busy == 0 || next < heap[0].time) {
            u32 l = 0;
            while (queues.count[l] == 0) ++l;
            if (l == longest) throw std::length_error("a queue is longer than the loop's rings");
            const u32 server = queues.of_length[l][words.below(queues.count[l])];
            queues.move(server, l + 1);
            arrived[server][tail[server]++ % longest] = next;
            if (l == 0) {
                const double time = next + unit(words);
                u32 at = busy++;
                for (; at > 0 && heap[(at - 1) / 2].time > time; at = (at - 1) / 2) heap[at] = heap[(at - 1) / 2];
                heap[at] = {time, server};
            }
            next += gap * unit(words);
            continue;
        }
        const auto [now, server] = heap[0];
        sum += now - arrived[server][head[server]++ % longest];
        ++result.tasks;
        queues.move(server, queues.length[server] - 1);
        const End last = queues.length[server] > 0 ? End{now + unit(words), server} : heap[--busy];
        u32 at = 0;
        for (u32 child = 1; child < busy; child = 2 * at + 1) {
            child += child + 1 < busy && heap[child + 1].time < heap[child].time ? 1 : 0;
            if (heap[child].time >= last.time) break;
            heap[at] = heap[child];
            at = child;
        }
        heap[at] = last;
    }
    result.mean_delay = sum / static_cast<double>(result.tasks);
    return result;
}

}  // namespace schedproof::bench
