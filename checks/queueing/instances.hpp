/// The instances that claims are stated on, by name: those of docs/models/queueing.md and others, small enough for
/// every oracle.
///
/// Where experiments/instances has a file of the same name, it describes the same instance; a test compares them.
#pragma once

#include <span>
#include <string_view>

#include "checks/queueing/family.hpp"

namespace schedproof::checks {

/// All names, sorted.
[[nodiscard]] std::span<const std::string_view> instance_names();

/// Throws InputError for an unknown name.
[[nodiscard]] InstancePtr named_instance(std::string_view name);

}  // namespace schedproof::checks
