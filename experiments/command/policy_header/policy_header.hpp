/// A policy of the user's own as a C++ header: `--policy-file my_policy.hpp`.
///
/// The file holds one struct, as the files of policies/FAMILY do. Rules of a queueing policy are data: the file is
/// compiled once, for its rules only, and they are then treated as those of a text. Policies of the other families are
/// code: the file becomes a shared object. It is tried in a process of its own before this one loads it.
#pragma once

#include <any>
#include <cstddef>
#include <string>
#include <variant>
#include <vector>

#include "experiments/command/policy_header/code_family.hpp"
#include "model/core/policy_info.hpp"
#include "model/queueing/codec/policy_text.hpp"

namespace schedproof::cli::policy_header {

/// A policy of a family whose policies are code, loaded.
struct PolicyCode {
    const CodeFamily* family = nullptr;
    std::string id;
    std::string type;  ///< name of its struct from the global namespace
    std::any policy;   ///< for CodeFamily::add_policy
    std::size_t line = 0;
    std::vector<std::string> hopes;
    std::vector<queueing::codec::ExpectedVerdict> expects;
};

/// What is wrong with how a policy introduces itself; empty when nothing is.
[[nodiscard]] std::string wrong_words(const PolicyInfo& info);

/// `CLAIM VERDICT` as a struct states it. Throws InputError at the line of the struct when it is not that.
[[nodiscard]] std::vector<queueing::codec::ExpectedVerdict> read_expects(const std::vector<std::string>& texts,
                                                                         const std::string& name, std::size_t line);

/// Whether the name of the file is that of a C++ header.
[[nodiscard]] bool is_header(const std::string& path);

/// `families` are those whose policies are code and may be given here besides queueing policies.
/// Throws InputError, with the place in the file where there is one, when it is not one policy, or one of another
/// family, when it follows a plan, cannot be compiled here, or does anything when it is tried that a policy may not:
/// run for ever, throw, print, end the program, or take too much memory. Cost: some seconds the first time. Until the
/// file, what it includes, the compiler or the library change, the answer is that of the user's cache
/// ($XDG_CACHE_HOME/schedproof).
[[nodiscard]] std::variant<queueing::codec::PolicyText, PolicyCode> read_policy_header(const std::string& path,
                                                                                       const CodeFamilies& families);

}  // namespace schedproof::cli::policy_header
