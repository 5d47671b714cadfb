/// Laws of random times and sizes: gaps between arrivals, work of tasks and jobs.
///
/// A law is written as a text such as `pareto:2,20`. Draws come from a stream of their own, in order, so that two
/// systems that are compared are given the same values whatever else they draw. Values are doubles: they are inputs of
/// simulations, and nothing is proved about them.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "experiments/statistics/stream.hpp"

namespace schedproof::workload {

struct Exponential {
    double mean = 1;
};
struct Constant {
    double value = 1;
};
struct Uniform {
    double from = 0, to = 1;
};
/// Pr(X > x) = (scale/x)^shape from scale on. Range: shape > 1, so that there is a mean; the variance is infinite up to
/// shape 2.
struct Pareto {
    double shape = 2, scale = 1;
};
struct Gamma {
    double shape = 1, scale = 1;
};
/// Exponential, of a mean that is drawn first. Shape: at least one branch; the probabilities add up to 1.
struct Hyperexponential {
    struct Branch {
        double probability = 1, mean = 1;
    };
    std::vector<Branch> branches{{}};
};
/// Each value of a file, one a line, equally likely.
struct Recorded {
    std::string file;
    std::shared_ptr<const std::vector<double>> values;
    std::string sha256;  ///< of the file
};

using RealLaw = std::variant<Exponential, Constant, Uniform, Pareto, Gamma, Hyperexponential, Recorded>;

/// What `parse_law` reads, for messages and help.
inline constexpr std::string_view law_forms =
    "exponential:MEAN, constant:X (or deterministic:X), uniform:FROM,TO, pareto:SHAPE,SCALE, gamma:SHAPE,SCALE, "
    "hyperexponential:P,MEAN,P,MEAN,... or trace:FILE (a number a line)";

/// Most values of a file of a law.
inline constexpr std::size_t max_recorded_values = 20'000'000;

/// Throws InputError of `key`, or of the file, unless the text names a law of positive values with a mean. Values of a
/// file are at least 0, and some above.
[[nodiscard]] RealLaw parse_law(std::string_view text, const std::string& key);

/// The text that `parse_law` reads back as this law.
[[nodiscard]] std::string to_text(const RealLaw& law);

[[nodiscard]] double mean(const RealLaw& law);
/// Variance over squared mean: 0 constant, 1 exponential, infinity where there is no variance.
[[nodiscard]] double squared_variation(const RealLaw& law);

/// Independent values of a law, in the order of a stream. Values are at least 0.
class Draws {
  public:
    Draws(RealLaw law, statistics::Stream stream) : law_(std::move(law)), stream_(stream) {}

    double operator()() {
        if (next_ == values_.size()) refill();
        return values_[next_++];
    }

  private:
    /// Draws a block at a time, so that the kind of law is examined once per block.
    void refill();

    RealLaw law_;
    statistics::Stream stream_;
    std::array<double, 256> values_{};
    std::size_t next_ = 256;
};

}  // namespace schedproof::workload
