#include "proofs/certifier/certificate_kinds.hpp"

#include "proofs/assignment/theorems/theorem.hpp"
#include "proofs/queueing/theorems/theorem.hpp"
#include "proofs/redundancy/theorems/theorem.hpp"
#include "proofs/sharing/theorems/theorem.hpp"

namespace schedproof::certify {

const std::vector<CertificateKind>& certificate_kinds() {
    static const std::vector<CertificateKind> all = [] {
        std::vector<CertificateKind> kinds;
        for (const auto& family : {
                 queueing::certificate_kinds(),
                 assignment::certificate_kinds(),
                 redundancy::certificate_kinds(),
                 sharing::certificate_kinds(),
             })
            kinds.insert(kinds.end(), family.begin(), family.end());
        return kinds;
    }();
    return all;
}

}  // namespace schedproof::certify
