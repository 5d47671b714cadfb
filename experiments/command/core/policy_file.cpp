#include "experiments/command/core/policy_file.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <utility>
#include <variant>

#include "checks/queueing/family.hpp"
#include "experiments/command/families/family_files.hpp"
#include "experiments/command/policy_header/policy_header.hpp"
#include "model/base/text.hpp"
#include "model/core/errors.hpp"
#include "policies/queueing/registry.hpp"

namespace schedproof::cli {

namespace {

using policy_header::PolicyCode;
using queueing::codec::PolicyText;

/// The files of this run, explicit as the registry to which their policies are added.
std::deque<PolicyFile>& files() {
    static std::deque<PolicyFile> all;
    return all;
}

auto find_policy_option(OptionTable& options) {
    return std::find_if(options.begin(), options.end(), [](const Option& o) { return o.name() == "--policy"; });
}

std::variant<PolicyText, PolicyCode> read(const std::string& path) {
    if (policy_header::is_header(path)) return policy_header::read_policy_header(path);
    return queueing::codec::read_policy_text(base::read_file(path), path);
}

/// Makes the policies of the files known, and chosen where the table says of none that it was given.
/// Requires a table with `--policy`.
void read_files(const std::vector<std::string>& paths, bool required, OptionTable& options) {
    std::vector<std::string> ids;
    for (const std::string& path : paths) ids.push_back(add_policy_file(path).id);
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

PolicyText read_policy_file(const std::string& path) {
    auto policy = read(path);
    if (const auto* code = std::get_if<PolicyCode>(&policy))
        throw InputError::at_line(
            path, code->line,
            fmt::format("expected a queueing policy, not one of the {} family, which is code", code->family->family()));
    return std::get<PolicyText>(std::move(policy));
}

const PolicyFile& add_policy_file(const std::string& path) {
    const auto policy = read(path);
    const auto* rules = std::get_if<PolicyText>(&policy);
    const auto* code = std::get_if<PolicyCode>(&policy);
    PolicyFile file;
    if (rules != nullptr)
        file = {
            rules->id,    path,           checks::QueueingFamily::id, rules->line, rules->route_line, rules->serve_line,
            rules->hopes, rules->lyapunov};
    else
        file = {code->id, path,      code->family->family(), code->line, code->line, code->line, code->hopes,
                "",       code->type};
    const InputPlace place{path, file.line, ""};
    if (const PolicyFile* taken = find_policy_file(file.id))
        throw InputError(place, "expected a name that no policy has, not '" + file.id + "', which is that of " +
                                    InputPlace{taken->path, taken->line, ""}.to_string());
    try {
        if (rules != nullptr)
            queueing::add_policy({{rules->id, rules->source, rules->summary}, rules->rules});
        else
            code->family->add_policy(code->policy);
    } catch (const InputError& error) {
        throw error.within(place);
    }
    files().push_back(std::move(file));
    return files().back();
}

const PolicyFile* find_policy_file(std::string_view id) {
    const auto file = std::find_if(files().begin(), files().end(), [&](const PolicyFile& f) { return f.id == id; });
    return file == files().end() ? nullptr : &*file;
}

std::string lyapunov_of(std::string_view policy) {
    const PolicyFile* file = find_policy_file(policy);
    return file == nullptr ? "" : file->lyapunov;
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
    command.options.insert(
        policy + 1, {.names = "--policy-file",
                     .value = "FILE",
                     .target = paths.get(),
                     .meaning = "a policy of your own, as a C++ header or, of queueing, a text; may be repeated; see "
                                "docs/policy-language.md",
                     .repeated = true});
    command.run = [paths, required, run = std::move(command.run)](const OptionTable& given) {
        OptionTable options = given;
        read_files(*paths, required, options);
        return run(options);
    };
}

}  // namespace schedproof::cli
