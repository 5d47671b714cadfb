/// Tasks that join by how many tasks servers have: a shortest server of all, or one of those with the task's data.
/// Which of the two may depend on the shortest and the longest of all, as at a gate.
#pragma once

#include <cstdint>
#include <optional>

#include "experiments/simulators/slotted/question_plan.hpp"
#include "model/core/number.hpp"

namespace schedproof::simulation {

class JoinByLength {
  public:
    /// None where the route is no such rule.
    [[nodiscard]] static std::optional<JoinByLength> make(const RulePlan& route);

    /// Whether a task joins a shortest server of all, where these are the least and the greatest number of tasks.
    [[nodiscard]] bool any(std::uint32_t least, std::uint32_t greatest) const {
        if (least != least_ || greatest != greatest_) decide(least, greatest);
        return any_;
    }

  private:
    explicit JoinByLength(const RulePlan& route) : plan_(route) {}
    struct Quotient {
        CheckedInt value;
        std::int64_t over = 1;
    };
    [[nodiscard]] bool speaks_of_these(std::size_t at) const;
    void decide(std::uint32_t least, std::uint32_t greatest) const;
    [[nodiscard]] bool holds(std::size_t at) const;
    [[nodiscard]] Quotient value(std::size_t at) const;

    RulePlan plan_;
    // The latest answer: most tasks of a slot ask the same.
    mutable std::uint32_t least_ = 1, greatest_ = 0;
    mutable bool any_ = false;
};

}  // namespace schedproof::simulation
