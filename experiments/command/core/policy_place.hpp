/// Where the code of a policy stands, for reports that point at it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace schedproof::cli {

/// A line of a file.
struct PolicyPlace {
    std::string file;        ///< as it was given, or from the root of the sources
    std::size_t line = 0;    ///< counted from 1; 0 when it is not known
    std::size_t column = 0;  ///< counted from 1, in bytes; 0 where that is not known
};

/// The line of the rule to which a decision belongs: `turns to` begins one of `serve`, `joins` one of `route`. Of a
/// policy that a file brought, any other decision is one of `route`; of a registered one it is the policy itself, whose
/// line is that which names it in the sources from which this program was built, as it is where no rules follow the
/// name.
[[nodiscard]] PolicyPlace policy_place(std::string_view family, std::string_view policy, std::string_view decision);

}  // namespace schedproof::cli
