/// Lyapunov functions as an instance file gives them: sums of products and maxima, with queues, servers and levels by
/// name.
///
///     V = sum_i c_i a_i b_i  +  sum_j [condition_j] c_j max_k l_jk,     a, b, l linear in the lengths of the queues.
/// Which queues there are depends on the policy (`s0`, `common`, `s0.rack`, `type A`), so names stay names until a
/// policy is chosen; proofs/queueing/theorems/user_lyapunov.hpp gives them a meaning.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/core/rational.hpp"

namespace schedproof::queueing {

struct LyapunovText {
    /// constant + sum of coefficient * length of a queue. Terms ascend by queue, without zeros, as readers give them.
    /// In a file `constant` stands among the queues, so no queue of that name can be written.
    struct Form {
        struct Term {
            std::string queue;
            Rational coefficient;
            friend bool operator==(const Term&, const Term&) = default;
        };
        std::vector<Term> terms;
        Rational constant;
        friend bool operator==(const Form&, const Form&) = default;
    };
    struct Product {
        Rational coefficient;
        Form first, second;
        friend bool operator==(const Product&, const Product&) = default;
    };
    /// The server is busy; with `queue`, on a task of it; with `level`, at that level.
    struct Condition {
        std::string server;
        std::optional<std::string> queue;
        std::optional<std::string> level;
        friend bool operator==(const Condition&, const Condition&) = default;
    };
    struct Piece {
        Rational coefficient;
        std::vector<Form> largest_of;   ///< not empty
        std::optional<Condition> when;  ///< always, without one
        friend bool operator==(const Piece&, const Piece&) = default;
    };

    std::string name;
    std::vector<Product> products;
    std::vector<Piece> pieces;
    friend bool operator==(const LyapunovText&, const LyapunovText&) = default;
};

}  // namespace schedproof::queueing
