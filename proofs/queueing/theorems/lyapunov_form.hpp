/// Lyapunov functions as data: products of linear forms, and maxima of linear forms that may depend on a status.
///
///     V(Q, f) = sum_i c_i a_i(Q) b_i(Q)  +  sum_j [condition_j(f)] c_j max_k l_jk(Q).
/// The regret-corrected V of the MaxWeight proofs, ||W||^2, linear functions for transience and whatever a user writes
/// down are of this form. On symbolic lengths the change of V in a slot is affine on each cell: products change by
/// increments that are constants, (Q+d)(R+e) - QR = dR + eQ + de; maxima fork.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/core/errors.hpp"
#include "model/core/ids.hpp"
#include "model/queueing/layout.hpp"
#include "model/queueing/state.hpp"
#include "proofs/certificate/linear.hpp"

namespace schedproof::queueing {

struct LyapunovForm {
    /// A linear form in queue lengths: Variable is the index of a queue.
    using Linear = proof::LinearForm;
    struct Product {
        Rational coefficient;
        Linear first, second;
        friend bool operator==(const Product&, const Product&) = default;
    };
    /// Server `server` is busy; with `queue`, on a task of it; with `level`, at that level. With `phantom`, it is
    /// committed to a queue without a task instead.
    struct Condition {
        ServerId server;
        std::optional<QueueId> queue;
        std::optional<Level> level;
        bool phantom = false;
        [[nodiscard]] bool holds(const Vector<Service>& serving) const {
            const Service& s = serving[server.index()];
            return s.status == (phantom ? Service::Status::phantom : Service::Status::busy) &&
                   (!queue || *queue == s.queue) && (!level || *level == s.level);
        }
        friend bool operator==(const Condition&, const Condition&) = default;
    };
    struct Piece {
        std::optional<Condition> when;  ///< always, without one
        Rational coefficient;
        std::vector<Linear> largest_of;  ///< not empty
        friend bool operator==(const Piece&, const Piece&) = default;
    };

    std::string name;
    std::vector<Product> products;
    std::vector<Piece> pieces;

    /// V(next) - V(now). N: Rational, or Affine with increments that are constants.
    /// Requires forms over the queues of the states.
    template <Number N>
    [[nodiscard]] N change(const State<N>& now, const State<N>& next) const;

    friend bool operator==(const LyapunovForm&, const LyapunovForm&) = default;
};

namespace detail {

template <Number N>
[[nodiscard]] N evaluate(const proof::LinearForm& form, const Vector<N>& length) {
    N value = NumberTraits<N>::coefficient(form.constant()) * N(1);
    for (const auto& [queue, c] : form.terms()) value = value + NumberTraits<N>::coefficient(c) * length.at(queue);
    return value;
}

/// b - a where that is a constant, for numbers without products.
[[nodiscard]] inline Rational increment(const Rational& difference) { return difference; }
template <Number N>
[[nodiscard]] Rational increment(const N& difference) {
    return difference.constant();
}

template <Number N>
[[nodiscard]] N largest(const std::vector<proof::LinearForm>& forms, const Vector<N>& length) {
    N value = evaluate(forms.front(), length);
    for (std::size_t k = 1; k < forms.size(); ++k) {
        N other = evaluate(forms[k], length);
        if (other > value) value = std::move(other);
    }
    return value;
}

}  // namespace detail

template <Number N>
N LyapunovForm::change(const State<N>& now, const State<N>& next) const {
    N total(0);
    for (const Product& product : products) {
        const N a = detail::evaluate(product.first, now.length), b = detail::evaluate(product.second, now.length);
        const Rational da = detail::increment(detail::evaluate(product.first, next.length) - a);
        const Rational db = detail::increment(detail::evaluate(product.second, next.length) - b);
        const N step = da * b + db * a + (da * db) * N(1);
        total = total + product.coefficient * step;
    }
    for (const Piece& piece : pieces) {
        if (!piece.when || piece.when->holds(next.serving))
            total = total + piece.coefficient * detail::largest(piece.largest_of, next.length);
        if (!piece.when || piece.when->holds(now.serving))
            total = total - piece.coefficient * detail::largest(piece.largest_of, now.length);
    }
    return total;
}

/// `total`, `squares`, `workload-squares` or `regret` for a policy's layout; see `lyapunov_names`.
/// Throws InputError for an unknown name, and where the function is not defined for the layout.
[[nodiscard]] LyapunovForm named_lyapunov(std::string_view name, const Instance& instance, const Layout& layout);

/// Throws InputError when V mentions a queue or server that the layout does not have.
void require_fits(const LyapunovForm& v, const Instance& instance, const Layout& layout);

}  // namespace schedproof::queueing
