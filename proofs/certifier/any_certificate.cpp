#include "proofs/certifier/any_certificate.hpp"

#include <fmt/core.h>

#include "model/base/text.hpp"
#include "model/core/errors.hpp"

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

std::string Certifiable::as_held(const base::Cursor&) const {
    throw ContractViolation("a certificate without an instance is compared with none");
}

void require_plain(const std::string& key, std::string_view name) {
    if (!base::is_plain_name(name))
        throw InputError::at_key(key, fmt::format("expected {}, to stand in the sentence of a certificate, not {}",
                                                  base::name_form, base::shown(name)));
}

std::string Certifiable::checked() const {
    const Contents all = contents();
    if (all.questions == 0) return fmt::format("{} products of polynomial identities", all.multipliers);
    return fmt::format("{} questions of the code of {}, {} leaves, {} empty sides, {} multipliers", all.questions,
                       policy(), all.leaves, all.closed, all.multipliers);
}

}  // namespace schedproof::certify
