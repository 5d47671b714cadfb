/// Where servers are alike, one of them speaks for all.
///
/// Let a renaming of servers and queues make terms of terms, alternative by alternative, links of links, and leave V
/// and the measure what they are; in continuous time, let it also leave what others do to each server's part. Then the
/// value of an alternative is by the new names the value of its image. So where the bounds of terms and the forms of
/// links are by the new names those of their images, what was proved of a term holds of its image, and of all terms
/// that such renamings lead to it suffices to ask one, the first.
///
/// All of this is compared, as data, and nothing is assumed of the policy or the instance by it.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "proofs/queueing/theorems/drift.hpp"
#include "proofs/queueing/theorems/renaming.hpp"
#include "proofs/queueing/theorems/summands/terms.hpp"

namespace schedproof::queueing {

/// By the new names. Requires: the renaming names each queue of the form, each server of the condition.
[[nodiscard]] proof::LinearForm renamed(const proof::LinearForm& form, const Renaming& by);
[[nodiscard]] LyapunovForm renamed(const LyapunovForm& v, const Renaming& by);
/// What a function without maxima adds to each monomial, by queues, those of none being numbered last; and to the parts
/// of statuses: server, queue and level or -1, and whether it has a phantom.
struct LyapunovCoefficients {
    std::map<std::pair<proof::Variable, proof::Variable>, Rational> product;
    std::map<std::tuple<std::size_t, std::int64_t, std::int64_t, bool>, std::map<proof::Variable, Rational>> part;
    friend auto operator<=>(const LyapunovCoefficients&, const LyapunovCoefficients&) = default;
};
[[nodiscard]] LyapunovCoefficients coefficients_of(const LyapunovForm& v);
[[nodiscard]] inline bool are_equal(const LyapunovForm& a, const LyapunovForm& b) {
    return coefficients_of(a) == coefficients_of(b);
}

/// What a renaming makes of terms and links, by their numbers.
struct Images {
    std::vector<std::size_t> term, link;
};
/// Nothing where it makes no term of a term, or no link of a link. Requires permutations of servers and of queues.
[[nodiscard]] std::optional<Images> images(const Summands& summands, const Renaming& by);

/// Why one of the theorem's renamings does not leave it what it is; empty where all do.
[[nodiscard]] std::string renamings_rejection(const SymbolicSystem& system, const Summands& summands,
                                              const DriftTheorem& theorem);
/// Whether a term is the first of those that the theorem's renamings lead between, by term. Requires right renamings.
[[nodiscard]] std::vector<bool> first_terms(const Summands& summands, const std::vector<Renaming>& renamings);

}  // namespace schedproof::queueing
