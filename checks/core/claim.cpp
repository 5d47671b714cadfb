#include "checks/core/claim.hpp"

#include "model/core/errors.hpp"

namespace schedproof::checks {

void Claim::add_mutant_systems() {
    std::vector<Mutant> all = any->mutant_systems();
    for (std::size_t i = 0; i < all.size(); ++i)
        all[i].caught = [claim = any, i](const Settings& settings) -> std::string {
            try {
                const Verdict verdict = claim->ask_mutant(i, true, settings);
                return kind_of(verdict) == VerdictKind::refuted ? "Refuted " + explanation(verdict) : "";
            } catch (const OracleConflict&) {
                return "";  // the property does not see what the oracle refutes
            }
        };
    mutants.insert(mutants.begin(), all.begin(), all.end());
}

}  // namespace schedproof::checks
