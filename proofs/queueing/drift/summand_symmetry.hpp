/// Where servers are alike, the linear program of a proof by summands has one variable for all that renamings make one
/// of another.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "proofs/queueing/drift/synthesis.hpp"
#include "proofs/queueing/theorems/summands/renamed_terms.hpp"

namespace schedproof::queueing {

/// Renamings of the servers of a cluster, which change neither the terms of the drift nor a template and a measure, and
/// what they lead between. Rotations, exchanges of two servers and the reversal of all are tried: some of those that
/// there are.
class SummandSymmetry {
  public:
    /// Borrows the terms.
    SummandSymmetry(const SymbolicSystem& system, const Summands& summands, const LyapunovTemplate& shape,
                    const proof::LinearForm& measure);

    [[nodiscard]] const std::vector<Renaming>& renamings() const { return renamings_; }
    [[nodiscard]] bool is_first(std::size_t term) const { return first_[term] == term; }
    /// A form of the first term that the renamings lead to this one from, by the names of this one.
    [[nodiscard]] proof::LinearForm of_first(const std::vector<proof::LinearForm>& forms, std::size_t term) const {
        return renamed(forms[first_[term]], from_first_[term]);
    }

    // Numbers of classes: of the coefficient of a queue, or past the last the constant, in the bound of a term or the
    // form of a link; and of parameters.
    [[nodiscard]] std::uint32_t bound(std::size_t term, std::size_t queue) { return least(term * row_ + queue); }
    [[nodiscard]] std::uint32_t link(std::size_t link, std::size_t queue) {
        return least((terms_ + link) * row_ + queue);
    }
    [[nodiscard]] std::uint32_t parameter(std::size_t j) { return least((terms_ + links_) * row_ + j); }

  private:
    [[nodiscard]] std::uint32_t least(std::size_t i) { return classes_.least(static_cast<std::uint32_t>(i)); }
    [[nodiscard]] bool add(const Summands& summands, const LyapunovTemplate& shape, const proof::LinearForm& measure,
                           const Renaming& by, std::size_t candidate);
    void find_firsts(const std::vector<Images>& all, std::size_t servers);

    std::size_t terms_, links_, row_;
    std::vector<Renaming> renamings_;
    std::vector<Images> images_;
    Classes classes_;
    std::vector<std::size_t> first_;    // by term
    std::vector<Renaming> from_first_;  // by term
};

}  // namespace schedproof::queueing
