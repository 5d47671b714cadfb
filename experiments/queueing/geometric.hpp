/// How many slots a task is served when it completes in each with the same probability p: exactly geometric.
///
/// P(G > k) = q^k with q = 1 - p. A uniform U in [0, 1) is drawn 32 bits at a time, and G is the least k >= 1 with
/// U >= q^k. Almost always the first 32 bits decide against the table of floor(2^32 q^k); when they are equal to an
/// entry, further bits are compared with the exact rational, so no probability is rounded. Where the table ends, the
/// law forgets: the rest is drawn anew.
/// Cost: about 1/p comparisons for large p, their logarithm for small p.
#pragma once

#include <algorithm>
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
            // The least k with u >= table_[k - 1]; beyond the table, k = size + 1.
            const std::size_t k =
                linear_
                    ? static_cast<std::size_t>(
                          std::find_if(table_.begin(), table_.end(), [u](std::uint32_t bound) { return u >= bound; }) -
                          table_.begin())
                    : static_cast<std::size_t>(std::partition_point(table_.begin(), table_.end(),
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
    bool linear_;
};

}  // namespace schedproof::simulation
