#include "experiments/command/core/policy_file.hpp"

#include <algorithm>
#include <deque>
#include <memory>
#include <utility>

#include "experiments/command/policy_header/policy_header.hpp"
#include "model/base/text.hpp"
#include "model/core/errors.hpp"
#include "policies/queueing/registry.hpp"

namespace schedproof::command {

namespace {

/// The files of this run, explicit as the registry to which their policies are added.
std::deque<PolicyFile>& files() {
    static std::deque<PolicyFile> all;
    return all;
}

auto find_policy_option(OptionTable& options) {
    return std::find_if(options.begin(), options.end(), [](const Option& o) { return o.name() == "--policy"; });
}

/// Makes the policies of the files known, and chosen where the table says of none that it was given.
/// Requires a table with `--policy`.
void read_files(const std::vector<std::string>& paths, bool required, OptionTable& options) {
    std::vector<std::string> ids;
    for (const std::string& path : paths) ids.push_back(add_policy_file(path));
    Option& policy = *find_policy_option(options);
    if (policy.given) return;
    if (ids.empty() && required) throw InputError::at_key("--policy", "expected a policy, or --policy-file");
    if (ids.empty()) return;
    if (ids.size() > 1 && !policy.several())
        throw InputError::at_key("--policy", "expected the name of one policy, where several files are given");
    if (const std::string wrong = policy.take(ids); !wrong.empty()) throw InputError::at_key("--policy", wrong);
    policy.given = true;
    policy.given_values = ids;
}

}  // namespace

queueing::codec::PolicyText read_policy_file(const std::string& path) {
    if (policy_header::is_header(path)) return policy_header::read_policy_header(path);
    return queueing::codec::read_policy_text(base::read_file(path), path);
}

std::string add_policy_file(const std::string& path) {
    const queueing::codec::PolicyText policy = read_policy_file(path);
    const InputPlace place{path, policy.line, ""};
    if (const PolicyFile* taken = find_policy_file(policy.id))
        throw InputError(place, "expected a name that no policy has, not '" + policy.id + "', which is that of " +
                                    InputPlace{taken->path, taken->line, ""}.to_string());
    try {
        queueing::add_policy({policy.id, policy.source, policy.summary}, policy.rules);
    } catch (const InputError& error) {
        throw error.within(place);
    }
    files().push_back({policy.id, path, policy.line, policy.route_line, policy.serve_line});
    return policy.id;
}

const PolicyFile* find_policy_file(std::string_view id) {
    const auto file = std::find_if(files().begin(), files().end(), [&](const PolicyFile& f) { return f.id == id; });
    return file == files().end() ? nullptr : &*file;
}

std::vector<std::string> policy_words(const std::string& id, const char* option) {
    const PolicyFile* file = find_policy_file(id);
    if (file == nullptr) return {option, id};
    return {"--policy-file", file->path, option, id};
}

void take_policy_files(Subcommand& command) {
    for (Subcommand& part : command.parts) take_policy_files(part);
    const auto policy = find_policy_option(command.options);
    if (policy == command.options.end()) return;
    const bool required = std::exchange(policy->required, false);
    const auto paths = std::make_shared<std::vector<std::string>>();
    command.options.insert(policy + 1,
                           {.names = "--policy-file",
                            .value = "FILE",
                            .target = paths.get(),
                            .meaning = "a queueing policy of your own, as a text or a C++ header; may be repeated; see "
                                       "docs/policy-language.md",
                            .repeated = true});
    command.run = [paths, required, run = std::move(command.run)](const OptionTable& given) {
        OptionTable options = given;
        read_files(*paths, required, options);
        return run(options);
    };
}

}  // namespace schedproof::command
