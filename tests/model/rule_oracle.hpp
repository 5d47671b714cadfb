/// A second implementation of the policy language: the oracle of the first.
///
/// The law of the set that a rule leaves is computed as a map from sets to probabilities, never by running the rule
/// along one path of draws, and on true rates instead of integers. Shared with the project's evaluator is data only:
/// the tree, the instance, the lengths.
#pragma once

#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "model/queueing/language/rules.hpp"
#include "tests/model/queueing_oracle.hpp"

namespace schedproof::oracle {

/// Queue and level.
using Member = std::pair<std::size_t, std::size_t>;
using Members = std::set<Member>;

struct RuleCase {
    const queueing::Instance& instance;
    queueing::Arrangement arrangement;
    std::vector<Rational> length;      ///< by queue, tasks in execution included
    std::vector<Rational> in_service;  ///< by queue
};

/// The law of the set for an arriving task of a type, or for an idle server.
[[nodiscard]] Pmf<Members> law_of_route(const queueing::language::Tree& rule, const RuleCase& at, std::size_t type);
[[nodiscard]] Pmf<Members> law_of_serve(const queueing::language::Tree& rule, const RuleCase& at, std::size_t server);

}  // namespace schedproof::oracle
