/// A source of randomness of any type, for the code of policies that is compiled without knowing which.
#pragma once

#include "model/core/randomness.hpp"

namespace schedproof {

/// The operations of `Randomness` as virtual functions.
class AnyRandomness {
  public:
    virtual ~AnyRandomness() = default;
    virtual std::size_t draw(const DiscreteDistribution& distribution) = 0;
    virtual std::size_t uniform(std::size_t n) = 0;
    virtual std::size_t proportional(std::span<const std::uint64_t> weights) = 0;
};
static_assert(Randomness<AnyRandomness>);

/// A source behind that interface. Borrows the source.
template <Randomness R>
class RandomnessOf final : public AnyRandomness {
  public:
    explicit RandomnessOf(R& source) : source_(source) {}
    std::size_t draw(const DiscreteDistribution& distribution) override { return source_.draw(distribution); }
    std::size_t uniform(std::size_t n) override { return source_.uniform(n); }
    std::size_t proportional(std::span<const std::uint64_t> weights) override { return source_.proportional(weights); }

  private:
    R& source_;
};

}  // namespace schedproof
