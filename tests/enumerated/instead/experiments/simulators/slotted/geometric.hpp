/// The geometric law with outcomes that take turns: 1, 2, ..., and "longer than what matters" as one outcome.
///
/// In place of experiments/simulators/slotted/geometric.hpp, whose comparison of random bits with powers of q is tested
/// by itself (tests/experiments/queueing_parts_test.cpp).
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "model/core/rational.hpp"
#include "tests/enumerated/instead/experiments/statistics/stream.hpp"

namespace schedproof::simulation {

class Geometric {
  public:
    /// Throws ContractViolation unless 0 < p <= 1.
    explicit Geometric(Rational p) : p_(std::move(p)) {
        require(p_.sign() > 0 && p_ <= 1, "a completion probability lies above 0 and is at most 1");
    }

    /// At least 1; one more than the longest that matters stands for all that are longer.
    [[nodiscard]] std::uint64_t operator()(statistics::Stream& stream) const {
        return stream.draw(lumped(stream.longest_that_matters())) + 1;
    }

  private:
    [[nodiscard]] const DiscreteDistribution& lumped(std::uint64_t longest) const {
        static thread_local std::map<std::pair<Rational, std::uint64_t>, DiscreteDistribution> known;
        const auto found = known.find({p_, longest});
        if (found != known.end()) return found->second;
        std::vector<Rational> probabilities;
        Rational left(1);
        for (std::uint64_t k = 0; k < longest && left.sign() > 0; ++k) {
            probabilities.push_back(left * p_);
            left -= probabilities.back();
        }
        if (left.sign() > 0) probabilities.push_back(left);
        return known.emplace(std::pair{p_, longest}, DiscreteDistribution(std::move(probabilities))).first->second;
    }

    Rational p_;
};

}  // namespace schedproof::simulation
