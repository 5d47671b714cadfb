/// From the text of a C++ file to what the program that it makes says of its structs, or to a shared object.
#pragma once

#include <filesystem>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/command/policy_header/source_scan.hpp"
#include "model/base/temporary_directory.hpp"
#include "model/queueing/language/rules.hpp"

namespace schedproof::cli::policy_header {

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
    std::vector<std::string> hopes, stable_on, expects;
    std::string lyapunov;
    std::optional<queueing::Rules> rules;  ///< if it has `rules` too
};

/// A policy file that is being compiled, with what it includes.
class Compilation {
  public:
    /// Preprocesses. `path` is absolute; errors call the file `name`.
    /// Throws InputError with the place in the file when it cannot be preprocessed.
    Compilation(Compiler compiler, std::filesystem::path headers, std::string path, std::string name);

    /// What the file defines, and what the compiler read, system headers aside.
    [[nodiscard]] const Scan& scan() const { return scan_; }
    /// Of what the preprocessor made of the file: all that its meaning depends on, the absence of other files included.
    [[nodiscard]] const std::string& digest() const { return digest_; }

    /// Of the structs with an `info`: what they say of themselves, and their `rules`.
    /// Throws InputError with the place in the file when it does not compile, and when its code does anything: it runs
    /// in a process of its own, and that ends early, fails, prints, or exceeds its limits.
    [[nodiscard]] std::vector<DescribedStruct> described() const;

    /// Compiles a shared object that hands over the policies of a family of code (hand_over.hpp); returns the files
    /// that it was made of, system headers aside. Throws InputError with the place in the file when it does not
    /// compile, and when its code calls what would tell it more than it is shown (outside_calls.hpp).
    std::vector<std::string> make_shared_object(std::string_view family, std::string_view added_header,
                                                const std::filesystem::path& object) const;

  private:
    void compile(const std::string& source, std::initializer_list<std::string> arguments) const;

    Compiler compiler_;
    std::filesystem::path headers_;
    std::string path_, name_, digest_;
    base::TemporaryDirectory folder_;
    Scan scan_;
};

}  // namespace schedproof::cli::policy_header
