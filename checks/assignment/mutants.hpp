/// Seeded faults that the properties of true claims must catch.
///
/// A mutant is DynDLOff with one part spoiled: a task moved in B, rmax off by one, the wrong task taken into A_k, a
/// counter inflated. For each claim that holds there is one whose property complains on some problem of a fixed lot; a
/// property that lets its mutant pass could not have failed, so its silence about DynDLOff would say nothing.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "checks/assignment/properties/properties.hpp"

namespace schedproof::checks {

struct PropertyMutant {
    std::string_view name;
    std::string_view change;    ///< what was done to what
    std::string_view property;  ///< id of the one that must fail
    TwoPhasePolicy (*make)() = nullptr;

    /// How the property catches it, on which problem; empty when it does not. Cost: the named problems and at most 300
    /// random ones.
    [[nodiscard]] std::string caught() const;
};

/// All of them. Every property of a true claim about a policy under test has one; claims about all local maps
/// speak of none, and have a false sibling instead, which the same kind of search refutes.
[[nodiscard]] std::vector<PropertyMutant> property_mutants();

}  // namespace schedproof::checks
