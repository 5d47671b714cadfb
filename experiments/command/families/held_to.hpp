/// What a policy's file holds it to.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "checks/core/run.hpp"
#include "experiments/command/core/policy_file.hpp"

namespace schedproof::cli {

/// Instances that the user has named, by the canonical path of their files.
using NamedInstances = std::map<std::string, checks::DomainPtr>;

/// For a run of claims. An instance of `named` that the policy is held to is that one. Throws InputError at the line
/// where the file names a claim that is none of its family, and as read_any_instance when an instance cannot be read.
[[nodiscard]] checks::HeldTo held_to(const PolicyFile& file, const std::vector<checks::Claim>& claims,
                                     const NamedInstances& named = {});

}  // namespace schedproof::cli
