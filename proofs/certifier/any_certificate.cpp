#include "proofs/certifier/any_certificate.hpp"

#include <fmt/core.h>

namespace schedproof::certify {

Contents contents_of(const std::vector<proof::ExploredProof>& proofs) {
    Contents contents;
    contents.questions = proofs.size();
    for (const proof::ExploredProof& proof : proofs) {
        contents.leaves += proof.leaves.size();
        for (const auto& leaf : proof.leaves)
            for (const proof::Obligation& obligation : leaf) contents.multipliers += obligation.multipliers.size();
        const auto count = [&](const proof::Side& side) {
            if (const auto* closed = std::get_if<proof::Closed>(&side)) {
                ++contents.closed;
                contents.multipliers += closed->multipliers.size();
            }
        };
        count(proof.tree.root);
        for (const auto& node : proof.tree.nodes) {
            count(node.yes);
            count(node.no);
        }
    }
    return contents;
}

std::string Certifiable::checked() const {
    const Contents all = contents();
    if (all.questions == 0) return fmt::format("{} products of polynomial identities", all.multipliers);
    return fmt::format("{} questions of the code of {}, {} leaves, {} empty sides, {} multipliers", all.questions,
                       policy(), all.leaves, all.closed, all.multipliers);
}

}  // namespace schedproof::certify
