#include "proofs/certificate/explored_proof.hpp"

namespace schedproof::proof {

std::string fault(const ExploredProof& proof) {
    if (std::string wrong = fault(proof.space, proof.tree); !wrong.empty()) return proof.name + ": " + wrong;
    if (proof.leaves.size() != proof.tree.leaves) return proof.name + ": there is not one list of obligations per leaf";
    std::string wrong;
    for_each_leaf(proof.space, proof.tree, [&](std::uint32_t leaf, const std::vector<Constraint>& path) {
        if (!wrong.empty()) return;
        for (const Obligation& obligation : proof.leaves[leaf]) {
            std::vector<Constraint> all = path;
            all.insert(all.end(), obligation.against.begin(), obligation.against.end());
            for (const Constraint& c : all)
                if (!c.form.is_constant() && c.form.terms().back().first >= proof.space.symbols.size())
                    wrong = proof.name + ": an obligation has an unknown variable";
            if (wrong.empty()) wrong = fault(all, obligation.multipliers);
            if (!wrong.empty()) {
                wrong = proof.name + ", leaf " + std::to_string(leaf) + ": " + wrong;
                return;
            }
        }
    });
    return wrong;
}

}  // namespace schedproof::proof
