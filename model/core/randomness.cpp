/// Discrete distributions, exact sampling, and enumeration by replay.
///
/// A sampler draws an outcome by comparing one uniform integer with the running sums of integer weights over the common
/// denominator, so the probabilities are those of the distribution and not of its rounding; a distribution whose common
/// denominator exceeds 2^63 can be enumerated but not sampled, and says so.
///
/// Enumeration runs the body again for every path of outcomes. The decision stack holds the outcome taken at each point
/// and the number of alternatives; a run replays the stack, appends first outcomes, and the next path is the one in
/// which the last decision with alternatives left moves on. Products of probabilities are kept per position, so a run
/// multiplies only from the first changed decision on. The body must be a function of its decisions, which the replay
/// checks by their numbers of alternatives.
#include "model/core/randomness.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "model/core/errors.hpp"

namespace schedproof {

DiscreteDistribution::DiscreteDistribution(std::vector<Rational> probabilities)
    : probability_(std::move(probabilities)) {
    Rational sum;
    for (const Rational& p : probability_) {
        require(p.sign() > 0, "a distribution needs positive probabilities");
        fraction_.emplace_back(p);
        sum += p;
    }
    require(sum == 1, "the probabilities of a distribution must sum to one");
    const Integer denominator = common_denominator(probability_);
    if (denominator > Integer(std::uint64_t{1} << 63)) return;
    std::uint64_t running = 0;
    for (const Rational& p : probability_)
        cumulative_.push_back(running += (p * denominator).numerator().convert_to<std::uint64_t>());
}

DiscreteDistribution DiscreteDistribution::bernoulli(const Rational& p) {
    if (p == 1) return DiscreteDistribution({p});
    return DiscreteDistribution({p, Rational(1) - p});
}

std::span<const std::uint64_t> DiscreteDistribution::cumulative() const {
    if (cumulative_.empty())
        throw LimitExceeded("64-bit integers",
                            "the probabilities have a common denominator above 2^63 and cannot be sampled");
    return cumulative_;
}

std::uint64_t Sampler::next() {
    if (used_ == words_.size()) {
        next_words(state_, words_);
        used_ = 0;
    }
    return words_[used_++];
}

std::uint64_t Sampler::below(std::uint64_t bound) {
    require(bound >= 1, "a uniform draw needs at least one outcome");
    return uniform_below(bound, [this] { return next(); });
}

std::size_t Sampler::draw(const DiscreteDistribution& distribution) {
    if (distribution.size() == 1) return 0;
    const auto cumulative = distribution.cumulative();
    const auto found = std::upper_bound(cumulative.begin(), cumulative.end(), below(cumulative.back()));
    return static_cast<std::size_t>(found - cumulative.begin());
}

std::size_t Sampler::proportional(std::span<const std::uint64_t> weights) {
    const std::uint64_t sum = std::accumulate(weights.begin(), weights.end(), std::uint64_t{0});
    std::uint64_t point = below(sum);
    std::size_t outcome = 0;
    while (point >= weights[outcome]) point -= weights[outcome++];
    return outcome;
}

std::size_t DecisionStack::decide(std::size_t alternatives) {
    if (depth_ == path_.size()) path_.push_back({0, alternatives});
    require(path_[depth_].alternatives == alternatives, "a replayed run asked another question than before");
    return path_[depth_++].taken;
}

bool DecisionStack::next_path() {
    require(depth_ == path_.size(), "a replayed run ended before its decisions did");
    depth_ = 0;
    while (!path_.empty() && path_.back().taken + 1 == path_.back().alternatives) path_.pop_back();
    if (path_.empty()) return false;
    ++path_.back().taken;
    first_changed_ = path_.size() - 1;
    return true;
}

std::size_t Enumerator::uniform(std::size_t n) {
    return decide(n, [&](std::size_t) { return Fraction(1, n); });
}

std::size_t Enumerator::proportional(std::span<const std::uint64_t> weights) {
    const std::uint64_t sum = std::accumulate(weights.begin(), weights.end(), std::uint64_t{0});
    require(sum > 0, "a proportional draw needs a positive weight");
    std::vector<std::size_t> possible;
    for (std::size_t i = 0; i < weights.size(); ++i)
        if (weights[i] > 0) possible.push_back(i);
    return possible[decide(possible.size(), [&](std::size_t i) { return Fraction(weights[possible[i]], sum); })];
}

bool Enumerator::next_path() {
    depth_ = 0;
    return stack_.next_path();
}

}  // namespace schedproof
