/// Policies of a program's own in the registries, from which commands, claims and simulators take policies by id.
#pragma once

#include <string>

#include "model/core/policy_info.hpp"

namespace schedproof {

/// The id of P, which the first call adds to the registry of its family; `added` is `added<P>` of the family. The first
/// calls for all policies come before anything else asks a registry, and not from two threads, since views of its list
/// end. Throws InputError when another policy has the id, and when it is no plain name (base::is_plain_name).
template <class P, class Added>
const std::string& known(Added (*added)()) {
    static const std::string id = [&] {
        add_policy(added());
        return std::string(PolicyInfo(P::info).id);
    }();
    return id;
}

}  // namespace schedproof
