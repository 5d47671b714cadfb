#include "checks/queueing/rule_mutants.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "model/queueing/codec/policy_text.hpp"
#include "policies/queueing/registry.hpp"
#include "tests/model/generated_rules.hpp"

namespace schedproof {
namespace {

using queueing::Rules;

RC_GTEST_PROP(RuleMutants, AreOtherRulesOfTheLanguage, ()) {
    const Rules rules = *oracle::any_rules();
    const auto mutants = checks::rule_mutants(rules);
    for (std::size_t i = 0; i < mutants.size(); ++i) {
        RC_ASSERT(mutants[i].rules != rules);
        RC_ASSERT(mutants[i].rules.arrangement() == rules.arrangement());
        RC_ASSERT(queueing::codec::read_rules(to_string(mutants[i].rules), "mutant") == mutants[i].rules);
        for (std::size_t k = 0; k < i; ++k) RC_ASSERT(mutants[i].rules != mutants[k].rules);
    }
}

TEST(RuleMutants, ChangeEveryPartOfAPolicy) {
    std::vector<std::string> changes;
    for (const auto& mutant : checks::rule_mutants(*queueing::find_rules("pandas:plain")))
        changes.push_back(mutant.change);
    for (const char* change : {"route: argmax(local, length) for argmin(local, length)",
                               "serve: local_rate * length for rate * length", "serve: own for nonempty(own)"})
        EXPECT_NE(std::find(changes.begin(), changes.end(), change), changes.end()) << change;
}

}  // namespace
}  // namespace schedproof
