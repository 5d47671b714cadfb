/// Seeded faults that the judges of true claims must catch.
///
/// A mutant is DynDLOff with one part spoiled: a task moved in B, rmax off by one, the wrong task taken into A_k, a
/// counter inflated. For each claim that holds there is one whose judge complains on some problem of a fixed lot; a
/// judge that lets its mutant pass could not have failed, so its silence about DynDLOff would say nothing.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "checks/assignment/properties/properties.hpp"

namespace schedproof::checks {

struct JudgeMutant {
    std::string_view name;
    std::string_view fault;  ///< what was done to what
    std::string_view judge;  ///< id of the judge that must catch it
    Subject (*make)() = nullptr;

    /// How the judge catches it, on which problem; empty when it does not. Cost: the named problems and at most 300
    /// random ones.
    [[nodiscard]] std::string caught() const;
};

/// All of them. Every judge of a true claim about a subject has one; claims about all local maps speak of no subject,
/// and have a false sibling instead, which the same kind of search refutes.
[[nodiscard]] std::vector<JudgeMutant> judge_mutants();

}  // namespace schedproof::checks
