/// Where the code of a policy stands, for reports that point at it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace schedproof::cli {

/// A line of a file.
struct PolicyPlace {
    std::string file;      ///< as it was given, or from the root of the sources
    std::size_t line = 0;  ///< counted from 1; 0 when the policy is not found
};

/// Of a policy that a file brought, the line of the rule that the decision belongs to: `turns to` of `serve`, anything
/// else of `route`. Of a registered one, the line that names it in the sources from which this program was built.
[[nodiscard]] PolicyPlace policy_place(std::string_view family, std::string_view policy, std::string_view decision);

}  // namespace schedproof::cli
