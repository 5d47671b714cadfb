/// How long tasks run: a law for a task beside its data, and a factor or a law of its own for the other levels.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <variant>
#include <vector>

#include "experiments/statistics/stream.hpp"
#include "model/core/rational.hpp"
#include "model/sharing/cluster.hpp"

namespace schedproof::simulation {

/// p/q of whole numbers of ticks, rounded up.
struct Factor {
    std::int64_t p = 1, q = 1;
    [[nodiscard]] sharing::Ticks of(sharing::Ticks time) const;
};

/// The number of trials up to the first success, each of probability `rate`: at least 1.
/// The distribution function is kept in 64-bit fixed point, so that a draw is one word and the same on every machine;
/// each of its values is off by less than k 2^-64 after k trials.
class GeometricTimes {
  public:
    /// Range: 1/10000 <= rate <= 1. Throws InputError.
    explicit GeometricTimes(const Rational& rate);
    [[nodiscard]] sharing::Ticks draw(statistics::Stream& random) const;
    /// 1 / rate.
    [[nodiscard]] double mean() const;

  private:
    std::vector<std::uint64_t> within_;  // Pr(time <= k+1) 2^64, while below 2^64
};

struct ConstantTime {
    double time;  ///< Unit: tick
};
struct ExponentialTime {
    double mean;
};
struct UniformTime {
    double from, to;
};
/// The time for a whole block; a task takes its part of a block, its job's bytes being shared evenly.
struct BlockTime {
    double whole;
};
/// Slotted: geometric at each level, with the cluster's rates.
struct GeometricByLevel {
    std::array<GeometricTimes, sharing::localities> at;
};
using TimeLaw = std::variant<ConstantTime, ExponentialTime, UniformTime, BlockTime, GeometricByLevel>;

class RunTimes {
  public:
    /// `factor` by locality. With `contended`, entry r-1 holds for a remote task on a node that runs r of them, the
    /// last for more, and counts from the moment that there are so many; else factor[remote] does. Each of r remote
    /// tasks of a node takes r times `transfer` longer.
    RunTimes(TimeLaw law, std::array<Factor, sharing::localities> factor, std::vector<Factor> contended,
             sharing::Ticks transfer = 0)
        : law_(std::move(law)), factor_(factor), contended_(std::move(contended)), transfer_(transfer) {}

    /// Whether all tasks of a job take the same time beside their data.
    [[nodiscard]] bool alike() const;
    /// What a task of a job takes beside its data, drawn when the job comes. `bytes` are those of one task.
    [[nodiscard]] sharing::Ticks alone(double bytes, statistics::Stream& random) const;
    /// What it takes at a level; `remote` counts the remote tasks of the node, it included.
    [[nodiscard]] sharing::Ticks at(sharing::Locality level, sharing::Ticks alone, std::size_t remote,
                                    statistics::Stream& services) const;
    [[nodiscard]] bool contended() const { return !contended_.empty() || transfer_ > 0; }
    /// Of the law, beside the data. Unit: tick.
    [[nodiscard]] double mean() const;

  private:
    TimeLaw law_;
    std::array<Factor, sharing::localities> factor_;
    std::vector<Factor> contended_;
    sharing::Ticks transfer_;
};

}  // namespace schedproof::simulation
