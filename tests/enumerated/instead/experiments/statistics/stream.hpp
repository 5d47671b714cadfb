/// Streams that take every outcome in turn, with its exact probability, instead of drawing one.
///
/// The simulator's sources are compiled a second time with this header in place of experiments/statistics/stream.hpp
/// (tests/enumerated/CMakeLists.txt), so the code that is enumerated is the code that simulates, and that one pays
/// nothing for it. All streams of a thread ask one `Outcomes`, which the enumeration owns.
#pragma once

#include <cstdint>
#include <limits>
#include <string_view>

#include "model/core/errors.hpp"
#include "model/core/randomness.hpp"

namespace schedproof::statistics {

struct Replication {
    std::uint64_t seed = 1;
    std::uint64_t number = 0;
};

/// The outcomes of one run after another.
struct Outcomes {
    Enumerator randomness;
    std::size_t decisions = 0, most_decisions = 200;  ///< in this run; more are LimitExceeded: rejection may never end
    std::uint64_t slots_left = 0;  ///< before the last slot that is looked at ends, this one included
    std::uint64_t types = 0;       ///< of tasks
};
inline thread_local Outcomes* outcomes_of_this_thread = nullptr;

class Stream {
  public:
    using result_type = std::uint64_t;

    explicit Stream(const Replication&, std::string_view purpose, std::uint64_t = 0)
        : of_arrivals_(purpose == "arrivals"), recorded_only_(purpose == "sampled queues") {}

    static constexpr result_type min() { return 0; }
    static constexpr result_type max() { return std::numeric_limits<result_type>::max(); }
    /// The key of random replicas' bits, which nothing else uses, and which are not enumerated.
    result_type operator()() { return 0; }
    /// Bits are too many to enumerate; what the simulator does with them is asked of `below` and `draw`.
    std::uint32_t half() { throw ContractViolation("random bits are not enumerated"); }

    std::uint32_t below_half(std::uint32_t bound) { return static_cast<std::uint32_t>(below(bound)); }
    std::uint64_t below(std::uint64_t bound) {
        if (recorded_only_) return 0;  // whose length is recorded: no queue depends on it
        count_decision();
        return outcomes_of_this_thread->randomness.uniform(static_cast<std::size_t>(bound));
    }

    /// Lengths above this one make no difference: a service that outlasts the slots that are looked at, a gap beyond
    /// the last type.
    [[nodiscard]] std::uint64_t longest_that_matters() const {
        return of_arrivals_ ? outcomes_of_this_thread->types : outcomes_of_this_thread->slots_left;
    }
    std::size_t draw(const DiscreteDistribution& distribution) {
        count_decision();
        return outcomes_of_this_thread->randomness.draw(distribution);
    }

  private:
    static void count_decision() {
        if (++outcomes_of_this_thread->decisions > outcomes_of_this_thread->most_decisions)
            throw LimitExceeded("decisions", "a run draws more often than an enumeration follows");
    }
    bool of_arrivals_, recorded_only_;
};

}  // namespace schedproof::statistics
