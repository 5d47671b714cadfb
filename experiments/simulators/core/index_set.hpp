/// A set of small integers in ascending order, as layers of bits: one bit a number, one bit for 64 of those, and so on.
///
/// Insertion, removal and the next member are O(log64 n), whether the set is dense or nearly empty.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace schedproof::simulation {

class IndexSet {
  public:
    static constexpr std::size_t none = static_cast<std::size_t>(-1);

    explicit IndexSet(std::size_t universe) {
        do {
            universe = (universe + 63) / 64;
            layers_.emplace_back(universe == 0 ? 1 : universe, 0);
        } while (universe > 1);
    }

    [[nodiscard]] bool contains(std::size_t i) const { return (layers_[0][i / 64] >> (i % 64) & 1) != 0; }
    void insert(std::size_t i) {
        for (auto& layer : layers_) {
            std::uint64_t& word = layer[i / 64];
            const bool marked_above = word != 0;
            word |= std::uint64_t{1} << (i % 64);
            if (marked_above) return;
            i /= 64;
        }
    }
    void erase(std::size_t i) {
        for (auto& layer : layers_) {
            std::uint64_t& word = layer[i / 64];
            word &= ~(std::uint64_t{1} << (i % 64));
            if (word != 0) return;
            i /= 64;
        }
    }
    /// The least member that is at least i; `none` when there is no such.
    [[nodiscard]] std::size_t next(std::size_t i) const {
        for (std::size_t layer = 0; layer < layers_.size(); ++layer) {
            if (i / 64 >= layers_[layer].size()) return none;
            if (const std::uint64_t rest = layers_[layer][i / 64] >> (i % 64); rest != 0) {
                i += static_cast<std::size_t>(std::countr_zero(rest));
                while (layer-- > 0) i = 64 * i + static_cast<std::size_t>(std::countr_zero(layers_[layer][i]));
                return i;
            }
            i = i / 64 + 1;
        }
        return none;
    }
    /// The first member at or after i, going round; `none` when there is none.
    [[nodiscard]] std::size_t next_round(std::size_t i) const {
        const std::size_t found = next(i);
        return found != none ? found : next(0);
    }
    [[nodiscard]] bool empty() const { return layers_.back()[0] == 0; }

  private:
    std::vector<std::vector<std::uint64_t>> layers_;  // the finest first
};

}  // namespace schedproof::simulation
