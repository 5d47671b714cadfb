/// The same cluster under another load.
#pragma once

#include "model/queueing/instance.hpp"

namespace schedproof::queueing {

/// Each outcome of each factor of the arrival law that brings tasks, with `factor` times its probability; arrival rates
/// are `factor` times as large, and so is the load. The name says so.
/// Throws InputError unless factor > 0, there is an arrival law, and the probabilities of a factor stay at most one.
[[nodiscard]] Instance with_load(const Instance& instance, const Rational& factor);

}  // namespace schedproof::queueing
