/// Where a claim is checked, whatever its family: a named set of problems.
#pragma once

#include <memory>
#include <string>
#include <utility>

namespace schedproof::checks {

/// A family F has one kind of domain, ProblemDomain<F> (problem_domain.hpp).
struct Domain {
    explicit Domain(std::string its_name) : name(std::move(its_name)) {}
    virtual ~Domain() = default;
    Domain(const Domain&) = default;
    Domain& operator=(const Domain&) = default;

    std::string name;
};
using DomainPtr = std::shared_ptr<const Domain>;

}  // namespace schedproof::checks
