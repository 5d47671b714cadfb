/// Costs of remote tasks as people write them: by kind and parameters.
///
/// A kind keeps what was meant: `1 + theta min(n, cap)` is shorter than its table, reads back as it was written, and
/// its faults have names. For computing, each becomes a `CostFunction` (problem.hpp).
/// Source: [jin2018], Sections 3 and 6; docs/models/assignment.md, Model.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <variant>
#include <vector>

#include "model/assignment/problem.hpp"
#include "model/core/rational.hpp"

namespace schedproof::assignment {

/// g(n) = 1 + theta n, or 1 + theta min(n, cap): the paper's network factor.
struct AffineCost {
    Rational theta{1};                 ///< above 0
    std::optional<std::uint32_t> cap;  ///< at least 1; none: `affine`, some: `capped`
    friend bool operator==(const AffineCost&, const AffineCost&) = default;
};

/// g(1), g(2), ... as listed; beyond the list the last value, plus slope per further task.
struct TableCost {
    std::vector<Rational> values;  ///< at least one, above 1, never falling
    Rational slope;                ///< at least 0
    friend bool operator==(const TableCost&, const TableCost&) = default;
};

/// g(n) = the cost of the last step with from <= n.
struct StepCost {
    struct Step {
        std::uint32_t from = 1;
        Rational cost;
        friend bool operator==(const Step&, const Step&) = default;
    };
    std::vector<Step> steps;  ///< the first from 1, then ascending; costs above 1, never falling
    friend bool operator==(const StepCost&, const StepCost&) = default;
};

using Cost = std::variant<AffineCost, TableCost, StepCost>;

/// `affine`, `capped`, `table` or `step`.
[[nodiscard]] std::string_view kind(const Cost& cost);

/// `1 + 1/2 n`, `1 + min(n, 40)`, `2, 5/2, then +1/2 each`, `5/4 from 1, 2 from 4`.
[[nodiscard]] std::string formula(const Cost& cost);

/// Throws InputError naming the parameter (`theta`, `values[2]`, `steps[1].cost`) that is not as stated above.
void validate(const Cost& cost);

/// The function, right for 1..tasks and no longer than that needs. Requires a valid cost.
[[nodiscard]] CostFunction<Rational> function(const Cost& cost, std::size_t tasks);

/// Reads `affine:1/2`, `capped:1,40`, `table:3/2,2` or `step:1=5/4,4=2`, as on a command line; the error says what was
/// expected. `capped:1` leaves the cap open, which then is the number of cores of each server.
struct CostText {
    Cost cost;
    bool cap_is_cores = false;
};
[[nodiscard]] tl::expected<CostText, std::string> parse_cost(std::string_view text);

}  // namespace schedproof::assignment
