/// A certificate as a file for Rocq: what its theorem is about, its trees, and the theorem that closes it.
#pragma once

#include <string>

#include "proofs/certifier/any_certificate.hpp"
#include "proofs/rocq/export/tree_stream.hpp"

namespace schedproof::rocq {

/// Level 3: the file closes a theorem about the chain, whose statement mentions neither the certificate nor C++.
/// Level 1: it closes the logic of the certificate alone, of its trees and identities.
struct TheoremFile {
    int level = 1;
    std::string gap;        ///< why the level is not 3; empty at level 3
    std::string statement;  ///< the name of its theorem
    std::string text;
    Stream integers;  ///< the same for the extracted checker: its level, then what Statements.v or Cells.v reads; empty
                      ///< where it reads no such statement
};

/// Requires a certificate that is accepted. Throws InputError when it has neither trees nor identities, so nothing to
/// check.
[[nodiscard]] TheoremFile theorem_file(const AnyCertificate& certificate);

/// The file at level 1 in any case; `gap` is why it is no higher. Throws InputError as above.
[[nodiscard]] TheoremFile logic_file(const AnyCertificate& certificate, std::string gap);

}  // namespace schedproof::rocq
