/// Finding a Lyapunov function: a template with parameters, a linear program that proposes, cells that object.
/// The method stands at the head of synthesis.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "proofs/queueing/drift/drift_proof.hpp"

namespace schedproof::queueing {

struct LyapunovTemplate {
    struct Parameter {
        std::string name;
        LyapunovForm form;
    };
    LyapunovForm fixed;
    std::vector<Parameter> parameters;
    Rational largest = Rational(100);  ///< of every parameter

    /// fixed + sum of t_k form_k. Requires one value per parameter.
    [[nodiscard]] LyapunovForm at(const std::vector<Rational>& values, std::string name = "found") const;
};

/// sum Q_i^2  +  pair * sum_{i<j} Q_i Q_j
///   +  slow * sum [m runs q] Q_r over r that m serves faster than q  +  fast * the same over r that m serves slower:
/// what a server leaves waiting while it runs something else. On two servers with a queue each these are the parameters
/// t0, t1, t2 of docs/models/queueing.md, Functions found by synthesis; symmetric servers share them.
/// Throws InputError for a policy whose queues do not determine the rate of their tasks.
[[nodiscard]] LyapunovTemplate pair_template(const Instance& instance, const Layout& layout);

struct SynthesisBudget {
    explore::Budget explore;             ///< of each question
    std::uint64_t rounds = 200;          ///< proposals
    std::optional<std::uint64_t> cells;  ///< of all questions together; none: no limit
};

struct FoundLyapunov {
    DriftProof proof;                  ///< of V = theorem.v, drift <= -1
    std::vector<Rational> parameters;  ///< in the order of the template
    Rational slack;  ///< along every unbounded direction the drift falls by at least this per unit of the sum
    std::uint64_t rounds = 0;
    std::uint64_t directions = 0;  ///< objections collected
};
struct SynthesisFailure {
    std::string reason;
    std::uint64_t rounds = 0;
    explore::Statistics statistics;
};

/// Throws InputError when a form of the template is not shown to be bounded below (boundedness.hpp), or does not fit
/// the policy.
[[nodiscard]] std::variant<FoundLyapunov, SynthesisFailure> synthesise(const SymbolicSystem& system,
                                                                       const ExactSystem& exact,
                                                                       const LyapunovTemplate& shape,
                                                                       const SynthesisBudget& budget = {});

}  // namespace schedproof::queueing
