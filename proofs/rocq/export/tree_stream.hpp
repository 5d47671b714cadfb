/// Trees of certificates as a stream of integers for Rocq, packed into words (proofs/rocq/Words.v reads it).
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <vector>

#include "model/core/rational.hpp"
#include "proofs/certificate/explored_proof.hpp"

namespace schedproof::rocq {

class Stream {
  public:
    void put(const Integer& z);
    /// Requires |z| at most 2^62.
    void put(std::int64_t z);
    template <std::integral I>
    void put(I z) {
        put(static_cast<std::int64_t>(z));
    }
    void append(const Stream& other);
    /// The integers in groups of seven bits, least first; the sign is the lowest bit of the first group.
    [[nodiscard]] std::string bytes() const { return {bytes_.begin(), bytes_.end()}; }
    /// `[| 0x...; ... | 0 |]`, an array of Rocq's primitive integers, seven bytes to a word.
    [[nodiscard]] std::string words() const;

  private:
    std::vector<std::uint8_t> bytes_;
};

/// Which obligation of a leaf is written.
struct LeafClaim {
    std::size_t obligation, of;  ///< its number, and how many a leaf has
    Rational measure_scale;      ///< what the first constraint, of a measure, is multiplied by in Rocq
};
/// The trees of questions about a drift for Drift.v: comparisons, and multipliers where no point lies and for a leaf's
/// claim. Requires integer symbols without premises, and obligations of two constraints, of a measure and of a drift;
/// a leaf without any is one of states that are not settled.
[[nodiscard]] Stream leaf_trees(const std::vector<const proof::ExploredProof*>& proofs, const LeafClaim& claimed);

/// The trees of questions whose leaves have one obligation or none, for HeavyTraffic.v: multipliers of what the
/// obligation forbids and of the path, in which HeavyTraffic.v doubles the premises. `between`: constraints that Rocq
/// has between the two. Requires integer symbols.
[[nodiscard]] Stream claim_trees(const std::vector<const proof::ExploredProof*>& proofs, std::size_t between = 0);

/// Every question of a certificate with its space, its tree and what is excluded at each leaf, for Cells.v.
/// Requires proofs whose constraints mention symbols of their spaces only, and multipliers of constraints that are
/// there.
[[nodiscard]] Stream cells(const std::vector<proof::ExploredProof>& proofs);

}  // namespace schedproof::rocq
