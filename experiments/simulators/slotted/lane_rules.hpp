/// A policy's rules as straight-line programs on many replications at once: what an arriving task of each type and each
/// idle server asks, for the kernel of lane_slots.inc.
///
/// A rule is a tree (language/expression_tree.hpp). On one instance the sets that it names are known beforehand; what
/// depends on the state is which of their members are left. So a set becomes a list of candidates with a mask each, a
/// key a linear form in the lengths of queues, and a comparison the sign of a form; all that does not depend on the
/// state is worked out here. A mask and a form have one value a replication, so a program goes through the same
/// instructions in all of them, whatever their states.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/queueing/any_policy.hpp"

namespace schedproof::simulation {

enum class LaneOp : std::uint8_t {
    below_zero,     ///< mask: form `a` < 0
    at_most_zero,   ///< mask: form `a` <= 0
    equal_to_zero,  ///< mask: form `a` = 0
    both,           ///< mask: a and b
    either,         ///< mask: a or b
    without,        ///< mask: a and not b
    any,            ///< mask: one of the b masks that `list` names from a on
    least_members,  ///< masks out, out + 1, ...: of the b members from a on, those of least form
    least_value,    ///< value: the least form of the b members from a on
    total_value,    ///< value: the sum of their forms
    /// Masks out, out + 1, ..., by queue: what decision table `a` names for a server; `list` has at b the mask of where
    /// it is asked, then the server.
    table,
};

struct LaneInstruction {
    LaneOp op;
    std::uint32_t out, a, b;
};
/// coefficient * row. Rows are lengths, then waiting tasks, then lengths where an idle server may choose the queue and
/// zero elsewhere, each by queue; then the values that the program has computed.
struct LaneTerm {
    std::uint32_t row;
    std::int64_t coefficient;
};
struct LaneForm {
    std::uint32_t first, terms;
    std::int64_t constant;
};
struct LaneMember {
    std::uint32_t form, mask;
};
/// A queue that the answer may hold, and the mask of where it does.
struct LaneAnswer {
    std::uint32_t queue, mask;
};
/// The answer's masks stand in ascending order of (queue, level) once the instructions have run.
struct LaneProgram {
    std::uint32_t first = 0, instructions = 0, answer = 0, answers = 0;
};

struct LaneRules {
    static constexpr std::uint32_t always = 0;  ///< the mask that holds everywhere

    std::uint32_t queues = 0, masks = 1, values = 0, longest_list = 1;
    bool waiting = false, servable = false;  ///< whether rows of these kinds are named
    std::vector<LaneProgram> route, serve;   ///< by type, by server
    /// What several servers ask alike: runs before their programs, on the same rows, and leaves masks to them.
    LaneProgram shared;
    std::vector<LaneInstruction> instructions;
    std::vector<LaneForm> forms;
    std::vector<LaneTerm> terms;
    std::vector<LaneMember> members;
    std::vector<std::uint32_t> list;
    std::vector<LaneAnswer> answers;
    /// With n tasks in the system no number that a program meets is above growth n + constant in absolute value.
    std::int64_t growth = 1, constant = 0;

    [[nodiscard]] std::uint32_t row_of_value(std::uint32_t value) const { return 3 * queues + value; }
};

/// None where the rules draw at random or follow a plan, where a task may be left without a queue or a value
/// be asked of no queue, or where marginal costs are not linear or numbers leave 62 bits.
[[nodiscard]] std::optional<LaneRules> lane_rules(const queueing::Instance& instance,
                                                  const queueing::AnyPolicy& policy);

}  // namespace schedproof::simulation
