/// From the text of a C++ file to what the program that it makes says of its structs.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "experiments/command/policy_header/source_scan.hpp"
#include "model/queueing/language/rules.hpp"

namespace schedproof::command::policy_header {

/// A compiler with the options that the user gave it.
struct Compiler {
    std::filesystem::path program;
    std::vector<std::string> options;

    /// Text that changes when another compiler takes its place.
    [[nodiscard]] std::string identity() const;
};

/// The compiler of the environment's CXX, else the first of c++, g++ and clang++ that is there; with CXXFLAGS.
/// Throws InputError when that of CXX is not there.
[[nodiscard]] std::optional<Compiler> find_compiler();

/// A struct with an `info`.
struct DescribedStruct {
    DefinedStruct defined;
    std::string id, source, summary;
    std::optional<queueing::Rules> rules;  ///< if it has `rules` too
};

struct Compiled {
    std::vector<DescribedStruct> structs;
    std::vector<std::string> files;  ///< what the compiler read, system headers aside
};

/// Compiles and runs. `path` is absolute; errors call the file `name`.
/// Throws InputError with the place in the file when it does not compile, and when its code does anything: it runs in a
/// process of its own, and that ends early, fails, prints, or exceeds its limits.
[[nodiscard]] Compiled compile(const Compiler& compiler, const std::filesystem::path& headers, const std::string& path,
                               const std::string& name);

}  // namespace schedproof::command::policy_header
