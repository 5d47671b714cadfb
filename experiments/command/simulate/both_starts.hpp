/// What runs from the empty state and from a large one say of a rule together.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "experiments/statistics/sample.hpp"
#include "model/queueing/any_policy.hpp"

namespace schedproof::cli {

/// What was seen, which proves nothing.
enum class Seen : std::uint8_t {
    stable,      ///< it does not grow from the empty state, and drains from the large one
    growing,     ///< it grows from the empty state
    metastable,  ///< it does not grow from the empty state in these runs, and grows from the large one
    open,        ///< anything else
};
[[nodiscard]] std::string_view to_string(Seen seen);

struct BothStarts {
    std::uint64_t far = 0;  ///< tasks at each home at the start of the second runs; see far_start.hpp
    /// Of the number of tasks. Unit: tasks a slot. With half widths at `both_starts_confidence`.
    statistics::Estimate from_empty = {};
    std::optional<statistics::Estimate> from_far = {};  ///< none where it grows from the empty state, which settles it

    [[nodiscard]] Seen seen() const;
    [[nodiscard]] std::string in_words() const;
};

/// Of each interval: hundreds of cells of a table are read at once.
inline constexpr double both_starts_confidence = 0.999;

struct BothStartsOptions {
    std::uint64_t slots = 200'000;
    std::uint64_t replications = 10;
    std::uint64_t seed = 1;
    unsigned threads = 1;
    std::function<void(double, double)> progress = {};
};

/// Throws InputError when the policy cannot run on the instance, or its time is continuous.
[[nodiscard]] BothStarts run_both_starts(const std::shared_ptr<const queueing::Instance>& instance,
                                         const queueing::AnyPolicy& policy, const BothStartsOptions& options);

}  // namespace schedproof::cli
