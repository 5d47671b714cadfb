/// Tables of a function of the state on a box, and the exact pass that turns any table into two bounds of a mean.
///
/// Fixed point: a table holds multiples of 1 / scale, and so does the function kappa W + offset that continues it
/// outside the box. The pass runs the policy's code at every state of the box and works in integers.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "policies/queueing/exact.hpp"
#include "proofs/queueing/theorems/fixed_table.hpp"
#include "proofs/queueing/theorems/folded_box.hpp"
#include "proofs/queueing/theorems/lyapunov_form.hpp"
#include "proofs/queueing/theorems/state_function.hpp"

namespace schedproof::queueing {

/// The entries of a box, in its order, in units of 1 / scale.
struct MeanTable {
    std::vector<Fixed> upper;  ///< of g in the upper bound
    std::vector<Fixed> lower;  ///< of h in the lower bound

    friend bool operator==(const MeanTable&, const MeanTable&) = default;
};

/// The bytes of a table's file; see fixed_table.hpp.
[[nodiscard]] std::string to_bytes(const MeanTable& table);
[[nodiscard]] MeanTable read_table(std::string_view bytes, const std::string& file);

/// What continues a table outside its box, but for a multiple and an offset: V, or a V with a linear `factor` a.
struct FarForm {
    LyapunovForm v;
    std::optional<LyapunovForm::Linear> factor;
};

/// The least positive scale at which kappa W is an integer at every state of integer lengths, by its coefficients.
[[nodiscard]] Integer integral_scale(const FarForm& w, const Rational& kappa);

/// kappa W + offset in units of 1 / scale, on states of integer lengths.
class FarFunction {
  public:
    /// Throws InputError unless every coefficient is an integer in that unit, LimitExceeded when one is too large.
    FarFunction(const FarForm& w, const Rational& kappa, const Rational& offset, const Integer& scale);
    /// Exact. Throws LimitExceeded past 127 bits.
    [[nodiscard]] Fixed operator()(const ExactState& state) const;

  private:
    struct Linear {
        std::vector<std::pair<std::size_t, std::int64_t>> terms;
        std::int64_t constant = 0;
    };
    struct Product {
        Fixed coefficient;
        Linear first, second;
    };
    struct Piece {
        std::optional<LyapunovForm::Condition> when;
        Fixed coefficient;
        std::vector<Linear> largest_of;
    };
    static Linear integral(const proof::LinearForm& form, const Integer& denominator);
    static Fixed value(const Linear& form, const ExactState& state);

    std::vector<Product> products_;
    std::vector<Piece> pieces_;
    std::optional<Linear> factor_;
    Fixed offset_ = 0;
};

/// What the inequalities are about, but for the table.
struct MeanSetting {
    StateFunction of;
    FarForm w;
    Rational kappa;   ///< > 0
    Rational offset;  ///< b
    Integer scale;    ///< of the table; > 0
};

/// Bounds in units of 1 / scale.
struct FixedBounds {
    Fixed upper, lower;
};

/// The largest upward rounding of (f + Pg - g)(x), and the least downward rounding of (f + Ph - h)(x), over the states
/// x of the box, where g = min(table, kappa W + b) on it and kappa W + b elsewhere, h = max(table, -(kappa W + b)) on
/// it and -(kappa W + b) elsewhere; of states that share an entry, W is the least of them. `progress` is called with
/// states done, from any thread. Throws InputError when the table is not one of the box, a status is missing or a
/// number is not integral in the unit, LimitExceeded when a number passes 127 bits. Cost: one enumeration of the slot
/// per state, on `threads` threads.
[[nodiscard]] FixedBounds bounds_on_box(const ExactSystem& system, const MeanSetting& setting, const FoldedBox& box,
                                        const MeanTable& table, unsigned threads,
                                        const std::function<void(std::uint64_t)>& progress = {});

}  // namespace schedproof::queueing
