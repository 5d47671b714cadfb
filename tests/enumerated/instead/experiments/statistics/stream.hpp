/// Streams that take every outcome in turn, with its exact probability, instead of drawing one.
///
/// The simulator's sources are compiled a second time with this header in place of experiments/statistics/stream.hpp
/// (tests/enumerated/CMakeLists.txt), so the code that is enumerated is the code that simulates, and that one pays
/// nothing for it. All streams of a thread ask one `Outcomes`, which the enumeration owns.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "model/core/errors.hpp"
#include "model/core/randomness.hpp"

namespace schedproof::statistics {

struct Replication {
    std::uint64_t seed = 1;
    std::uint64_t number = 0;
};

/// A random word whose values fall into classes that a simulator does not tell apart: one value of each class, which
/// is as likely as the class.
class WordLaw {
  public:
    /// Requires: as many words as probabilities, at least one.
    WordLaw(std::vector<std::uint32_t> words, std::vector<Rational> probabilities)
        : words_(std::move(words)), distribution_(std::move(probabilities)) {}
    /// Always this word.
    explicit WordLaw(std::uint32_t word) : WordLaw({word}, {Rational(1)}) {}

    [[nodiscard]] std::uint32_t draw(Enumerator& randomness) const { return words_[randomness.draw(distribution_)]; }

  private:
    std::vector<std::uint32_t> words_;
    DiscreteDistribution distribution_;
};

/// The words of the simulators that draw them in bulk.
struct BulkWords {
    std::size_t servers = 0;
    WordLaw task, service;      ///< of a task, and of a server in a slot: 16 bits
    std::vector<WordLaw> lane;  ///< by number of a draw of replications side by side: 16 bits
    std::vector<std::optional<std::uint32_t>> drawn = {};  ///< of `lane`, in this slot
};

/// The outcomes of one run after another.
struct Outcomes {
    Enumerator randomness;
    std::size_t decisions = 0, most_decisions = 200;  ///< in this run; more are LimitExceeded: rejection may never end
    std::uint64_t slots_left = 0;  ///< before the last slot that is looked at ends, this one included
    std::uint64_t types = 0;       ///< of tasks
    bool side_by_side = false;     ///< replications, whose arrivals are drawn by slot
    std::optional<BulkWords> bulk = {};

    std::uint32_t word(const WordLaw& law) {
        if (++decisions > most_decisions)
            throw LimitExceeded("decisions", "a run draws more often than an enumeration follows");
        return law.draw(randomness);
    }
    /// The bits of one draw of a slot, however often they are asked for.
    std::uint32_t bits_of_lane(std::size_t number) {
        bulk->drawn.resize(bulk->lane.size());
        if (!bulk->drawn[number]) bulk->drawn[number] = word(bulk->lane[number]);
        return *bulk->drawn[number];
    }
};
inline thread_local Outcomes* outcomes_of_this_thread = nullptr;

class Stream {
  public:
    using result_type = std::uint64_t;

    explicit Stream(const Replication&, std::string_view purpose, std::uint64_t = 0)
        : of_arrivals_(purpose == "arrivals"),
          recorded_only_(purpose == "sampled queues"),
          names_lanes_(purpose == "lane") {}

    static constexpr result_type min() { return 0; }
    static constexpr result_type max() { return std::numeric_limits<result_type>::max(); }
    /// The key of random replicas' bits, which nothing else uses, and which are not enumerated.
    result_type operator()() { return 0; }
    /// Bits are too many to enumerate; what the simulator does with them is asked of `below` and `draw`. The names of
    /// streams in bulk are bits too, which nothing reads (lane_draws.inc).
    std::uint32_t half() {
        if (!names_lanes_) throw ContractViolation("random bits are not enumerated");
        return 0;
    }

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
    bool of_arrivals_, recorded_only_, names_lanes_;
};

}  // namespace schedproof::statistics
