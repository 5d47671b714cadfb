/// The loops of the simulators in slots that go over many tasks or servers alike, sixteen at a time.
///
/// They are written once (lane_loops.inc) on vectors of sixteen 32-bit words, without branches, and compiled for
/// AVX-512, for AVX2 and for neither; which one runs is chosen at run time, and all give the same words. A condition is
/// a mask: all ones or zero.
#pragma once

#include <array>
#include <boost/align/aligned_allocator.hpp>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace schedproof::simulation {

/// The instructions that the loops are made of.
enum class SimdLevel : std::uint8_t { none, avx2, avx512 };
/// The best level of this machine.
[[nodiscard]] SimdLevel available_simd();

inline constexpr std::size_t lanes = 16;
inline constexpr std::uint32_t all_ones = ~std::uint32_t{0};
/// Queues that a task may have to choose from: a byte of its random word breaks ties for each.
inline constexpr std::size_t most_candidates = 4;

/// Longer than any queue: lengths are compared as signed numbers.
inline constexpr std::uint32_t longest_length = all_ones >> 1;

/// Of whole groups of lanes, at the boundaries of cache lines.
using LaneWords = std::vector<std::uint32_t, boost::alignment::aligned_allocator<std::uint32_t, 64>>;
/// As many words, rounded up to whole groups.
[[nodiscard]] constexpr std::size_t whole_lanes(std::size_t words) { return (words + lanes - 1) / lanes * lanes; }

/// Sixteen tasks that choose a queue each.
struct LaneChoice {
    const std::uint32_t* length;                               ///< by queue
    std::array<const std::uint32_t*, most_candidates> planes;  ///< by place in a task's list: its candidates
    std::uint32_t common;                                      ///< a queue that is every task's candidate
    const std::uint32_t* ties;                                 ///< random words: a byte for each candidate
    std::uint32_t by_length;                                   ///< mask: a shortest queue, else any
    std::uint32_t* chosen;
    std::uint32_t* tied;
};

/// The servers of a cluster, an array each.
struct LaneServers {
    std::size_t servers;          ///< with the padding
    std::uint32_t* length;        ///< by queue; the first ones are the servers'
    const std::uint32_t* helped;  ///< tasks of the server's queue that other servers execute
    std::uint32_t* idle;          ///< mask: at the start of the slot
    std::uint32_t* own;           ///< mask: chose its own queue
    std::uint32_t* help;          ///< mask: chose another queue
    std::uint32_t* elsewhere;     ///< mask: executes a task of another queue
    std::uint32_t* below;         ///< threshold of the service in progress: 16 bits below it end the service
    std::uint32_t* done;          ///< mask: its service ends with this slot
    std::uint32_t* started;       ///< mask: starts a task of its own queue in this slot
    const std::uint32_t* data;    ///< mask: data may lie there
};

/// The servers of a cluster whose queues are per server and level, an array each.
struct LaneLevels {
    std::size_t servers;    ///< with the padding
    std::uint32_t* local;   ///< by server: its local tasks
    std::uint32_t* remote;  ///< and its remote ones
    /// local_work for each local task and remote_work for each remote one; longest_length in the padding.
    std::uint32_t* workload;
    std::uint32_t local_work, remote_work;
    std::uint32_t* idle;           ///< mask: at the start of the slot
    std::uint32_t* chose_local;    ///< mask: an idle server that chose its local tasks
    std::uint32_t* chose_remote;   ///< mask: an idle server that chose its remote tasks
    std::uint32_t* on_remote;      ///< mask: executes a remote task, if it is busy
    std::uint32_t* done;           ///< mask: its service ends with this slot
    std::uint32_t* local_starts;   ///< mask: starts a local task in this slot
    std::uint32_t* remote_starts;  ///< mask: starts a remote task in this slot
    const std::uint32_t* data;     ///< mask: data may lie there
};

/// What one slot of services did.
struct LaneServed {
    std::uint32_t started = 0;         ///< own tasks; with levels, local ones
    std::uint32_t started_remote = 0;  ///< with levels
    std::uint32_t busy = 0;            ///< servers, the completions of the slot included
    std::uint32_t busy_with_data = 0;  ///< of these
    std::uint32_t completed = 0;       ///< own tasks; with levels, all
    bool undecided = false;            ///< whether bits equal their threshold

    LaneServed& operator+=(const LaneServed& other) {
        started += other.started;
        started_remote += other.started_remote;
        busy += other.busy;
        busy_with_data += other.busy_with_data;
        completed += other.completed;
        undecided = undecided || other.undecided;
        return *this;
    }
};

/// Slots in which waiting tasks arrived, all ones where none is known: a ring a server, all of one capacity.
struct LaneStamps {
    const std::uint32_t* ring;
    std::uint32_t bits;        ///< a ring has 2^bits entries, all of them fewer than 2^31
    std::uint32_t* head;       ///< how many tasks have started
    std::uint32_t* executing;  ///< stamp of the task in execution
};

/// Of tasks that start now and have a stamp.
struct LaneWaits {
    std::uint32_t tasks = 0;
    std::uint64_t slots = 0;  ///< that they have waited, in all
};

/// The loops for one set of instructions.
struct LaneLoops {
    /// Words of Philox 4x32-10 under a key and a name, of the blocks first, first + 1, ...: for each group of sixteen
    /// blocks 64 words, word by word, block by block. Requires: no carry from the low half of a block's number.
    void (*philox)(std::uint64_t key, std::uint64_t name, std::uint64_t first, std::size_t groups, std::uint32_t* out);
    /// Word w becomes floor(w n / 2^32), which is uniform once a word with w n mod 2^32 < `passed_over` is drawn again;
    /// returns whether there is such a word, or two of the `planes` have the same number in one lane.
    bool (*place)(const std::uint32_t* words, std::size_t stride, std::size_t planes, std::uint32_t n,
                  std::uint32_t passed_over, std::uint32_t* out);
    /// Of each task's candidates that are tied for the least length (or of all) the one whose byte is least; `tied` is
    /// not zero where two of them have it. Requires: at most `most_candidates`, the common one included.
    void (*choose)(const LaneChoice& choice, std::size_t planes, bool common);
    /// own = idle and length >= threshold, help = idle and not own.
    void (*split)(const LaneServers& servers, std::uint32_t threshold);
    /// Starts own tasks, where one waits, and ends the services whose bits, (word >> shift) mod 2^16, are below their
    /// threshold.
    LaneServed (*serve)(const LaneServers& servers, const std::uint32_t* words, std::uint32_t shift,
                        std::uint32_t local_below);
    /// Idle servers choose their local tasks, and the remote ones where they have only those; none where they have
    /// neither, if `or_none` is all ones.
    void (*split_levels)(const LaneLevels& servers, std::uint32_t or_none);
    /// Starts tasks of the level that was chosen, where one waits, and ends services by the thresholds of their level.
    LaneServed (*serve_levels)(const LaneLevels& servers, const std::uint32_t* words, std::uint32_t shift,
                               std::uint32_t local_below, std::uint32_t remote_below);
    /// Takes the stamps of the tasks that start, by server.
    LaneWaits (*take_stamps)(const std::uint32_t* starts, std::size_t servers, const LaneStamps& stamps,
                             std::uint32_t slot);
    /// The largest and the least of words, in whole groups.
    std::uint32_t (*largest)(const std::uint32_t* words, std::size_t count);
    std::uint32_t (*least)(const std::uint32_t* words, std::size_t count);
    /// Lists the places of the words that are `value` in ascending order, and returns how many there are. Behind them
    /// `to` may hold anything. Requires: whole groups, and room for `count` places.
    std::uint32_t (*list_equal)(const std::uint32_t* words, std::size_t count, std::uint32_t value, std::uint32_t* to);
};

/// Requires: `simd` of this machine.
[[nodiscard]] const LaneLoops& lane_loops(SimdLevel simd);

}  // namespace schedproof::simulation
