/// Whether linear constraints have a common point: Z3 behind a small door.
///
/// Linear real arithmetic on a stack of constraints, with a deterministic budget per question. The answers steer the
/// exploration; a certificate does not rest on them, for each side found empty gets multipliers of its own.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "proofs/certificate/linear.hpp"

namespace schedproof::explore {

enum class Answer { feasible, infeasible, unknown };

class Feasibility {
  public:
    /// `budget` is Z3's resource limit per question; 0 means that nothing may be asked.
    Feasibility(const proof::Space& space, std::uint64_t budget);
    ~Feasibility();
    Feasibility(const Feasibility&) = delete;
    Feasibility& operator=(const Feasibility&) = delete;

    void push(const proof::Constraint& constraint);
    void pop(std::size_t levels);
    /// Whether the constraints on the stack have a common point; when they do, `witness` is one.
    [[nodiscard]] Answer check();
    [[nodiscard]] const std::vector<Rational>& witness() const { return witness_; }
    [[nodiscard]] std::uint64_t questions() const { return questions_; }

  private:
    class Solver;
    std::unique_ptr<Solver> solver_;
    std::vector<Rational> witness_;
    std::uint64_t questions_ = 0;
};

}  // namespace schedproof::explore
