/// How a policy of any family is introduced to its users.
#pragma once

#include <string_view>

namespace schedproof {

struct PolicyInfo {
    std::string_view id;       ///< its name in commands and files; of a variant `policy:variant`
    std::string_view source;   ///< paper and section
    std::string_view summary;  ///< one sentence
};

}  // namespace schedproof
