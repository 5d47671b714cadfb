/// The structs that a C++ file defines, found in the preprocessor's output.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace schedproof::cli::policy_header {

/// A struct or class of a namespace: not a template, a specialisation, a part of another, or local to a function.
struct DefinedStruct {
    std::string name;  ///< from the global namespace, such as `mine::Gate`
    std::size_t line = 0;
};

/// A word by which code tells whether the compiler runs it: it could be one policy there and another in the run.
struct TwoFaced {
    std::string word, file;
    std::size_t line = 0;
};

struct Scan {
    std::vector<DefinedStruct> structs;  ///< of the file itself, in its order
    std::vector<std::string> files;  ///< all that were read but system headers, the file itself among them; ascending
    std::optional<TwoFaced> two_faced = {};  ///< the first, in any file but those of the system and of the library
};

/// `preprocessed` is what a compiler prints for -E, `file` the name by which it knows the file, `headers` the folder of
/// the library's headers.
[[nodiscard]] Scan scan(std::string_view preprocessed, std::string_view file, std::string_view headers);

}  // namespace schedproof::cli::policy_header
