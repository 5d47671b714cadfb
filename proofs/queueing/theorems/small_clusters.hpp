/// The small clusters on which decisions are read, as instances.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "model/queueing/instance.hpp"

namespace schedproof::queueing {

/// One rate per level, strictly decreasing in (0,1]; absent where rates are symbols and the instance's mean nothing.
using Rates = std::optional<std::vector<Rational>>;

/// The chain that a policy drives: that of slots, or of events in continuous time, where tasks run to their end or are
/// interrupted and resumed.
enum class Timing { slots, events, interruptions };
/// What certificates and the command call them.
inline constexpr std::array<const char*, 3> timing_words{"slots", "continuous", "continuous-interrupted"};
[[nodiscard]] Timing timing_of(const Instance& instance);

/// The cluster that shows, around every server and every type, two others at every pair of distances.
/// All of these throw InputError unless there are two or three levels.
[[nodiscard]] std::shared_ptr<const Instance> small_cluster(std::size_t levels, const Rates& rates,
                                                            Timing timing = Timing::slots);

/// One cluster for every choice of at most `others` servers by their levels to a type, its first; where none of them
/// holds the type's data, one that does is added.
[[nodiscard]] std::vector<std::shared_ptr<const Instance>> routing_clusters(std::size_t levels, std::size_t others,
                                                                            const Rates& rates,
                                                                            Timing timing = Timing::slots);
/// One cluster for every choice of at most `others` servers by their distances to server 0.
[[nodiscard]] std::vector<std::shared_ptr<const Instance>> serving_clusters(std::size_t levels, std::size_t others,
                                                                            const Rates& rates,
                                                                            Timing timing = Timing::slots);

}  // namespace schedproof::queueing
