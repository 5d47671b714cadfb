/// Policies of the user, brought in a file.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
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
    std::string sha256 = {};  ///< of the file as it was read
};

// A policy's file is named by its path, or, with values for parameters of a text, `PATH:NAME=VALUE,NAME=VALUE`; its id
// is then that of the text with the same behind it.

/// Whether somebody who names a policy names a file: one that is there, or a name that only a file can have.
[[nodiscard]] bool is_policy_file(const std::string& named);
/// Whether the name alone says that it is a file: it ends in .policy or as a C++ header does.
[[nodiscard]] bool is_policy_file_name(const std::string& named);

/// The name of a policy's file with further values `NAME=VALUE,...` for its parameters.
[[nodiscard]] std::string with_values(const std::string& named, const std::string& values);

/// The policy of a text, whose parameters have the values `NAME=VALUE,...`; where some are given, its id has them
/// behind. `file` names the text in messages. Throws InputError.
[[nodiscard]] queueing::codec::PolicyText policy_with_values(const std::string& text, const std::string& file,
                                                             const std::string& values);

/// The queueing policy of a file: a C++ header by its ending (.hpp, .h, .hh, .hxx), any other file as a text.
/// Throws InputError when the file is not one queueing policy.
[[nodiscard]] queueing::codec::PolicyText read_policy_file(const std::string& path);

/// Adds the policy of a file to those that the command knows; returns it. A text is of the queueing family, a C++
/// header of queueing or one of `families`. A file that was added by the same name is not read again. Throws InputError
/// when the file is not one such policy, and when another policy has its name.
const PolicyFile& add_policy_file(const std::string& path, const CodeFamilies& families);

/// The file that brought the policy of this id; null when none did.
[[nodiscard]] const PolicyFile* find_policy_file(std::string_view id);

/// The first line of the policy's file that names the word, of a text behind the key; the policy's line where there is
/// none.
[[nodiscard]] std::size_t line_naming(const PolicyFile& file, std::string_view key, std::string_view word);

/// Throws InputError at the line of the requirement where an instance on which it is held to be stable is not there.
void require_instances(const PolicyFile& file);

/// The function that the policy's file names, or empty.
[[nodiscard]] std::string lyapunov_of(std::string_view policy);

/// The words of a command line that choose this policy alone: `--policy ID`, or its short form, after
/// `--policy-file FILE` where a file brought it.
[[nodiscard]] std::vector<std::string> policy_words(const std::string& id, const char* option = "--policy");

/// The option `--policy-file` of a table whose options have the value POLICY. Files may also be named in place of those
/// policies, where the name says that it is a file. They are of queueing or `families`.
class PolicyFileOption {
  public:
    /// Adds the option behind the first one that takes a policy; without such an option, it adds nothing.
    PolicyFileOption(OptionTable& options, CodeFamilies families);
    /// Makes the policies of the files known, once the options were filled, and puts their ids in the place of the
    /// files. Those of `--policy-file` stand in for the first option where that is not given. Throws InputError.
    void read(OptionTable& options) const;

  private:
    CodeFamilies families_;
    std::shared_ptr<std::vector<std::string>> paths_;
    bool required_ = false;
    std::vector<std::string> needing_;  // options that need a policy
};

/// Runs what asks policies. Where one of them is code, this happens in a process of its own, since the code was tried,
/// but not at every question: where it ends the program without an answer, the command fails. Output goes where this
/// one's goes; returns the exit code. Throws InputError when the process ends otherwise than by the body, or by a
/// limit.
[[nodiscard]] int run_beside_code(const std::function<int()>& body);
/// The same of one policy that is code, with limits.
[[nodiscard]] int run_beside_code(const PolicyFile& file, const base::ProcessLimits& limits,
                                  const std::function<int()>& body);

/// Gives the subcommand, and its parts, the option `--policy-file` where they take a policy.
void take_policy_files(Subcommand& command, const CodeFamilies& families);

}  // namespace schedproof::cli
