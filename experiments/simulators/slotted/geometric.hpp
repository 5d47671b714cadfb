/// How many slots a task is served when it completes in each with the same probability p: exactly geometric.
///
/// P(G > k) = q^k with q = 1 - p. A uniform U in [0, 1) is drawn 32 bits at a time, and G is the least k >= 1 with
/// U >= q^k. Almost always the first 32 bits decide against the table of floor(2^32 q^k); when they are equal to an
/// entry, further bits are compared with the exact rational, so no probability is rounded. Beyond the table the rest is
/// drawn anew, since the law is memoryless.
/// Cost: eight comparisons, and for small p the logarithm of 1/p more; below p = 1/400 or so, 1/(4096 p) times that.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "experiments/statistics/stream.hpp"
#include "model/core/rational.hpp"

namespace schedproof::simulation {

class Geometric {
  public:
    /// Throws ContractViolation unless 0 < p <= 1.
    explicit Geometric(const Rational& p);

    /// At least 1.
    [[nodiscard]] std::uint64_t operator()(statistics::Stream& stream) const {
        std::uint64_t before = 0;
        for (;;) {
            const std::uint32_t u = stream.half();
            // The least k with u >= table_[k]; beyond the table, k = size. Mostly it is among the first few, and which
            // one is unpredictable, so they are counted without branches.
            std::size_t k = 0;
            for (std::size_t i = 0; i < few; ++i) k += u < first_[i] ? 1 : 0;
            if (k == few)
                k = static_cast<std::size_t>(std::partition_point(table_.begin() + few, table_.end(),
                                                                  [u](std::uint32_t bound) { return u < bound; }) -
                                             table_.begin());
            if (k < table_.size() && u == table_[k]) [[unlikely]]
                return before + decide(u, k, stream);
            if (k < table_.size()) return before + k + 1;
            before += table_.size();
        }
    }

  private:
    /// U begins with u, the table's entry k: compares more bits with q^(k+1), and with further powers if below.
    [[nodiscard]] std::uint64_t decide(std::uint32_t u, std::size_t k, statistics::Stream& stream) const;

    Rational q_;
    std::vector<std::uint32_t> table_;  // floor(2^32 q^k), k = 1, 2, ..., until one is below 2^16
    static constexpr std::size_t few = 8;
    std::array<std::uint32_t, few> first_{};  // its first entries, then zeros
};

}  // namespace schedproof::simulation
