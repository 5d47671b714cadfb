/// What a policy answers: the set of its best choices.
#pragma once

#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <concepts>
#include <cstddef>
#include <span>
#include <variant>
#include <vector>

#include "model/core/ids.hpp"
#include "model/core/randomness.hpp"
#include "model/core/rational.hpp"

namespace schedproof::queueing {

/// A queue, and the level at which the server in question would run its tasks.
struct Candidate {
    QueueId queue;
    Level level;
    friend bool operator==(const Candidate&, const Candidate&) = default;
};

/// The tied best candidates, in increasing order; empty when there is none. The environment picks one of them,
/// each equally likely.
class Ties {
  public:
    Ties() = default;
    Ties(Candidate only) : candidates_{only} {}  // NOLINT(google-explicit-constructor): a single choice is a tie of one

    void add(Candidate candidate) { candidates_.push_back(candidate); }
    void clear() { candidates_.clear(); }
    [[nodiscard]] bool empty() const { return candidates_.empty(); }
    [[nodiscard]] std::size_t size() const { return candidates_.size(); }
    [[nodiscard]] const Candidate& operator[](std::size_t i) const { return candidates_[i]; }
    [[nodiscard]] auto begin() const { return candidates_.begin(); }
    [[nodiscard]] auto end() const { return candidates_.end(); }

    /// Those for which `holds`.
    template <std::predicate<const Candidate&> Predicate>
    [[nodiscard]] Ties where(Predicate&& holds) const {
        Ties kept;
        for (const Candidate& c : candidates_)
            if (holds(c)) kept.add(c);
        return kept;
    }
    /// These, or `fallback` when there are none.
    [[nodiscard]] Ties or_else(Candidate fallback) const { return empty() ? Ties(fallback) : *this; }

  private:
    boost::container::small_vector<Candidate, 4> candidates_;
};

/// How far a server is behind plan with a queue, under a policy that counts this: the counter grows by `growth` in
/// every slot, and falls by `charge` in every slot in which the server executes a task of the queue. Both are integers,
/// at least zero.
struct DeficitCounter {
    ServerId server;
    Candidate queue;
    Rational growth;
    Rational charge;
};

/// Position of the first counter of server m or a later one. Requires: they ascend by server.
[[nodiscard]] inline std::size_t first_counter(ServerId m, std::span<const DeficitCounter> counters) {
    return static_cast<std::size_t>(
        std::lower_bound(counters.begin(), counters.end(), m,
                         [](const DeficitCounter& counter, ServerId server) { return counter.server < server; }) -
        counters.begin());
}

/// A randomised choice: one of the candidates, by a distribution of the policy's own. Shape: as many as outcomes of the
/// distribution.
struct Mixture {
    const std::vector<Candidate>* candidates = nullptr;
    const DiscreteDistribution* distribution = nullptr;
};

/// A decision of a policy whose type is not known to the caller.
using AnyChoice = std::variant<Ties, Mixture>;

/// What may be chosen, whatever the probabilities.
[[nodiscard]] inline std::vector<Candidate> candidates(const Ties& ties) { return {ties.begin(), ties.end()}; }
[[nodiscard]] inline std::vector<Candidate> candidates(const AnyChoice& choice) {
    if (const Ties* ties = std::get_if<Ties>(&choice)) return candidates(*ties);
    return *std::get<Mixture>(choice).candidates;
}

}  // namespace schedproof::queueing
