/// Policies of the user, brought in a file.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/command/core/subcommand.hpp"
#include "experiments/command/policy_header/code_family.hpp"
#include "model/base/process.hpp"
#include "model/queueing/codec/policy_text.hpp"

namespace schedproof::cli {

/// A policy, and where its file says which it is and states its rules; of a C++ header, where its struct begins.
struct PolicyFile {
    std::string id, path;
    std::string_view family;
    std::size_t line = 0, route_line = 0, serve_line = 0;
    std::vector<std::string> hopes;  ///< claims that it names
    std::string lyapunov = {};       ///< of queueing: the function that it names, or empty
    std::string type = {};           ///< of code: name of its struct from the global namespace
    std::string values = {};         ///< given to its parameters, as they were written behind its path
    std::vector<queueing::codec::PolicyParameter> parameters = {};  ///< of a text, with the values that hold
    std::vector<std::string> stable_on = {};                        ///< instance files on which it is held to be stable
    std::vector<queueing::codec::ExpectedVerdict> expects = {};
};

// A policy's file is named by its path, or, with values for parameters of a text, `PATH:NAME=VALUE,NAME=VALUE`; its id
// is then that of the text with the same behind it.

/// Whether somebody who names a policy names a file.
[[nodiscard]] bool is_policy_file(const std::string& named);

/// The queueing policy of a file: a C++ header by its ending (.hpp, .h, .hh, .hxx), any other file as a text.
/// Throws InputError when the file is not one queueing policy.
[[nodiscard]] queueing::codec::PolicyText read_policy_file(const std::string& path);

/// Adds the policy of a file to those that the command knows; returns it. A text is of the queueing family, a C++
/// header of queueing or one of `families`. Throws InputError when the file is not one such policy, and when a policy
/// has its name.
const PolicyFile& add_policy_file(const std::string& path, const CodeFamilies& families);

/// The file that brought the policy of this id; null when none did.
[[nodiscard]] const PolicyFile* find_policy_file(std::string_view id);

/// The function that the policy's file names, or empty.
[[nodiscard]] std::string lyapunov_of(std::string_view policy);

/// The words of a command line that choose this policy alone: `--policy ID`, or its short form, after
/// `--policy-file FILE` where a file brought it.
[[nodiscard]] std::vector<std::string> policy_words(const std::string& id, const char* option = "--policy");

/// Runs in a process of its own what asks a user's code, which was tried, but not at every question: where the code
/// ends the program without an answer, the command fails. Output goes where this one's goes; returns the exit code.
/// Throws InputError when the process ends otherwise than by the body, or by a limit.
[[nodiscard]] int run_beside_code(const PolicyFile& file, const base::ProcessLimits& limits,
                                  const std::function<int()>& body);

/// Gives the subcommand, and its parts, the option `--policy-file` where it has `--policy`. The policies of the files
/// are known before it runs, and stand in for `--policy` where that is not given. They are of queueing or `families`.
void take_policy_files(Subcommand& command, const CodeFamilies& families);

}  // namespace schedproof::cli
