/// Trees of certificates as a stream of integers for Rocq, packed into words (proofs/rocq/Words.v reads it).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/core/rational.hpp"
#include "proofs/certificate/explored_proof.hpp"

namespace schedproof::rocq {

class Stream {
  public:
    void put(const Integer& z);
    /// The entries other than zero, each after the number of zeros before it.
    void put_sparse(const std::vector<Integer>& entries);
    /// `[| 0x...; ... | 0 |]`, an array of Rocq's primitive integers, seven bytes to a word.
    [[nodiscard]] std::string words() const;

  private:
    std::vector<std::uint8_t> bytes_;
};

/// The trees of drift questions for Drift.v: comparisons, and multipliers where no point lies and for a leaf's claim.
/// Requires integer symbols without premises, and one obligation per leaf, of a measure and a drift.
[[nodiscard]] Stream drift_trees(const std::vector<const proof::ExploredProof*>& proofs);

/// Every question of a certificate with its space, its tree and what is excluded at each leaf, for Cells.v.
[[nodiscard]] Stream cells(const std::vector<proof::ExploredProof>& proofs);

}  // namespace schedproof::rocq
