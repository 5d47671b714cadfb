/// What a policy answers: the set of its best choices.
#pragma once

#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <compare>
#include <concepts>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "model/core/ids.hpp"
#include "model/core/randomness.hpp"
#include "model/core/rational.hpp"

namespace schedproof::queueing {

/// A queue, and the level at which the server in question would run its tasks.
struct Candidate {
    QueueId queue;
    Level level;
    friend auto operator<=>(const Candidate&, const Candidate&) = default;
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

    friend bool operator==(const Ties&, const Ties&) = default;

    /// Those for which `holds`.
    template <std::predicate<const Candidate&> Predicate>
    [[nodiscard]] Ties where(Predicate&& holds) const {
        Ties kept;
        for (const Candidate& c : candidates_)
            if (holds(c)) kept.add(c);
        return kept;
    }

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

/// A randomised choice of a plan: one of the candidates. Shape: as many as outcomes of the distribution.
struct Split {
    std::vector<Candidate> candidates;
    DiscreteDistribution distribution;
};

/// What a policy that follows a plan knows of it.
struct PlanData {
    std::vector<Split> splits;             ///< per type; empty for a policy that does not split
    std::vector<DeficitCounter> counters;  ///< ascending by server; empty for a policy that counts nothing
};

/// What a rule answers at a state: the law of a tied set.
class Decision {
  public:
    Decision() = default;
    explicit Decision(Ties only) : outcomes_{std::move(only)} {}
    /// Throws ContractViolation unless the probabilities are positive and sum to one.
    explicit Decision(std::vector<std::pair<Ties, Rational>> outcomes);

    [[nodiscard]] std::size_t size() const { return outcomes_.size(); }
    [[nodiscard]] const Ties& operator[](std::size_t i) const { return outcomes_[i]; }
    [[nodiscard]] Rational probability(std::size_t i) const { return law_ ? law_->probability(i) : Rational(1); }
    template <Randomness R>
    [[nodiscard]] const Ties& draw(R& randomness) const {
        return outcomes_[law_ ? randomness.draw(*law_) : 0];
    }
    /// Whether nothing may be chosen, with positive probability.
    [[nodiscard]] bool may_be_empty() const {
        return std::any_of(outcomes_.begin(), outcomes_.end(), [](const Ties& tied) { return tied.empty(); });
    }
    friend bool operator==(const Decision& a, const Decision& b);

  private:
    std::vector<Ties> outcomes_;
    std::optional<DiscreteDistribution> law_;  // none for a single outcome
};

/// What may be chosen, whatever the probabilities: without repetition, in increasing order where there are several
/// outcomes.
[[nodiscard]] std::vector<Candidate> candidates(const Decision& decision);

}  // namespace schedproof::queueing
