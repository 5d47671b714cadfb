/// Seeded faults that the properties of true claims must catch.
///
/// A mutant is DynDLOff with one part spoiled: a task moved in B, rmax off by one, the wrong task taken into A_k, a
/// counter inflated. For each claim that holds there is one whose property complains on some problem of a fixed lot; a
/// property that lets its mutant pass could not have failed, so its silence about DynDLOff would say nothing.
#pragma once

#include <functional>
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

    /// How the property catches it; empty when it does not.
    [[nodiscard]] std::string caught() const;
};

/// The fixed lot: the named problems and 300 random ones, until `visit` says false.
void for_each_mutant_problem(const std::function<bool(const AssignmentProblem&)>& visit);

/// All of them. Every property of a true claim has one.
[[nodiscard]] std::vector<PropertyMutant> property_mutants();

}  // namespace schedproof::checks
