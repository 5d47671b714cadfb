/// Proving a theorem of the sharing family, or finding the state that refutes it.
#pragma once

#include <optional>
#include <string>
#include <variant>

#include "model/sharing/sharing_state.hpp"
#include "proofs/explore/ask.hpp"
#include "proofs/sharing/theorems/theorem.hpp"

namespace schedproof::sharing {

/// A moment of a cluster as a whole state.
struct Situation {
    Setting setting;
    Parameters parameters;
    State state;
    SlotId slot;  ///< free; the one that is offered, where one is
};

/// A question that has no proof.
struct Refuted {
    std::string question;
    explore::Counterpoint at;            ///< of the question's symbols
    std::optional<Situation> situation;  ///< none where a count of the point is no small integer
};

struct TheoremProof {
    std::variant<Certificate, Refuted, explore::Ended> result;
    explore::Statistics statistics;
};

/// Asks all questions of the theorem about the code, each within the budget, up to the first that has no proof. A
/// certificate is about the registered policy: of other code under its name it would be rejected.
/// Throws InputError when policy, statement and number do not fit.
[[nodiscard]] TheoremProof prove(const std::string& policy, const Theorem& theorem, const AffineCode& code,
                                 const explore::Budget& budget = {});
/// Of the registered policy.
[[nodiscard]] TheoremProof prove(const std::string& policy, const Theorem& theorem, const explore::Budget& budget = {});

}  // namespace schedproof::sharing
