/// The chain on a box as a system of linear equations in floating point: what proposes tables, and decides nothing.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "proofs/queueing/theorems/folded_box.hpp"
#include "proofs/queueing/theorems/mean_table.hpp"

namespace schedproof::queueing {

/// The matrix A = D (1 - P) on a box, D the common denominators of the rows of P, so that every entry is an integer.
/// Where a move leaves the box, its share is kept as a sum. Of a folded box there is a row per entry, that of its first
/// state; below, its states are the entries.
struct BoxChain {
    std::vector<std::int32_t> start{0};  ///< of each row, and the end
    std::vector<std::int32_t> column;    ///< ascending in each row, the diagonal among them
    std::vector<double> entry;           ///< minus the weight of the move; on the diagonal the denominator more
    std::vector<double> common;          ///< per row, the denominator
    std::vector<double> leaving;         ///< per row, weight of the moves that leave
    std::vector<long double> far;        ///< per row, sum over the moves that leave of weight times W there
    std::vector<long double> w;          ///< W at each state
    std::vector<long double> drift;      ///< PW - W at each state
    std::vector<long double> f;          ///< the function of the state
    [[nodiscard]] std::size_t states() const { return common.size(); }

    /// Calls `use(column, entry)` for every entry of a row.
    template <class Use>
    void each_entry(std::size_t row, Use&& use) const {
        for (auto e = static_cast<std::size_t>(start[row]); e < static_cast<std::size_t>(start[row + 1]); ++e)
            use(static_cast<std::size_t>(column[e]), entry[e]);
    }
};

/// Rows of a range of states.
struct BoxRows {
    std::vector<std::int32_t> column;
    std::vector<double> entry;
    std::vector<std::int32_t> length;  ///< of each row
};

/// Puts rows below those that the matrix has. Throws LimitExceeded when it would have 2^31 entries.
void append(BoxChain& chain, const BoxRows& rows);

/// Throws LimitExceeded when a common denominator passes 2^53, or the matrix would have 2^31 entries.
/// Cost: one enumeration of the slot per entry, on `threads` threads; about 300 bytes a state on two servers.
[[nodiscard]] BoxChain box_chain(const ExactSystem& system, const StateFunction& of, const FarForm& w,
                                 const FoldedBox& box, unsigned threads,
                                 const std::function<void(std::uint64_t)>& progress = {});

/// Solutions of four systems with one matrix, 1 - P on the box without the states `taboo`, at which they are 0.
struct TabooSolution {
    std::vector<long double> u;  ///< mean sum of f until leaving the box or reaching a taboo state
    std::vector<long double> v;  ///< mean number of slots until then
    std::vector<long double> w;  ///< mean of W where the box is left, 0 where it is not
    std::vector<long double> p;  ///< probability of leaving the box
    /// The same from each taboo state on, its own slot included.
    struct From {
        long double u, v, w, p;
    };
    std::vector<From> from;
    std::uint32_t iterations = 0;  ///< of the Krylov method, of all systems together
};

/// One state of each class of states that neither leaves the box nor reaches a taboo state chosen before; the first is
/// `most_likely`.
[[nodiscard]] std::vector<std::uint32_t> taboo_states(const BoxChain& chain, std::uint32_t most_likely);

/// BiCGSTAB with an incomplete factorisation in double precision, refined by residuals in long double.
/// `progress` is called with the number of rounds done. Requires at least one taboo state of each class that does
/// not leave the box. Cost: some dozens of iterations, about 300 bytes a state on two servers besides the chain.
/// Takes the rows and columns of the taboo states out of the matrix of `chain`.
[[nodiscard]] TabooSolution solve_taboo(BoxChain& chain, const std::vector<std::uint32_t>& taboo,
                                        const std::function<void(unsigned)>& progress = {});

/// Solutions of the first two of four systems with other sources, per slot: the mean sums of `upper` and of `lower`
/// until the box is left or a taboo state reached. Requires a chain after `solve_taboo`.
[[nodiscard]] std::pair<std::vector<long double>, std::vector<long double>> solve_for(
    BoxChain& chain, const std::vector<std::uint32_t>& taboo, const std::vector<long double>& upper,
    const std::vector<long double>& lower);

}  // namespace schedproof::queueing
