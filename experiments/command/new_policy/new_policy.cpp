/// `new-policy`: a file that its author fills in, or a policy of one form in the other.
#include <fmt/core.h>

#include <cctype>
#include <filesystem>

#include "checks/families.hpp"
#include "experiments/command/core/output.hpp"
#include "experiments/command/core/policy_file.hpp"
#include "experiments/command/core/subcommand.hpp"
#include "experiments/command/new_policy/templates.hpp"
#include "model/base/output_file.hpp"
#include "model/base/text.hpp"
#include "model/core/errors.hpp"

namespace schedproof::cli {

struct NewPolicyRequest {
    std::string name;
    std::string family = "queueing";
    bool text = false;
    std::string from;
    std::string path;  ///< empty: named after the policy, in the current directory
};

namespace {

/// `two-choices` as the name of a type, `TwoChoices`.
std::string type_name(std::string_view id) {
    std::string name;
    bool upper = true;
    for (const char c : id) {
        const auto letter = static_cast<unsigned char>(c);
        if (std::isalnum(letter) != 0) name += static_cast<char>(upper ? std::toupper(letter) : letter);
        upper = std::isalnum(letter) == 0;
    }
    return name.empty() || std::isdigit(static_cast<unsigned char>(name.front())) != 0 ? "Policy" + name : name;
}

void require_new_name(const std::string& name) {
    if (!base::is_plain_name(name))
        throw InputError::at_key("NAME", fmt::format("expected {}, not {}", base::name_form, base::shown(name)));
    for (const checks::Family* family : checks::families())
        if (!family->resolve_policy(name).empty())
            throw InputError::at_key(
                "NAME",
                fmt::format("expected a new name, not '{}', which is a policy of the {} family", name, family->id()));
}

std::string content(const NewPolicyRequest& request, const std::string& file) {
    if (request.from.empty())
        return request.text ? policy_text_template(request.name, file)
                            : policy_template(request.family, request.name, type_name(request.name), file);
    queueing::codec::PolicyText policy = read_policy_file(request.from);
    policy.id = request.name;
    if (!request.text && policy.rules.tabulated())
        throw InputError::in_file(request.from,
                                  "expected a policy without a decision table, which C++ cannot state; use --text");
    for (const std::string& line : {policy.source, policy.summary})
        if (base::first_invalid_utf8(line) != std::string::npos)
            throw InputError::in_file(request.from, "expected a source and a summary in UTF-8");
    return request.text ? written_as_text(policy) : policy_as_header(policy, type_name(request.name));
}

}  // namespace

int run(const NewPolicyRequest& request) {
    require_new_name(request.name);
    if (request.family != "queueing" && (request.text || !request.from.empty()))
        throw InputError::at_key("--family", "expected queueing: policies of the other families have no written form");
    const std::string path = request.path.empty() ? request.name + (request.text ? ".policy" : ".hpp") : request.path;
    const std::string text = content(request, path == "-" ? "FILE" : path);
    if (path == "-") {
        write_text(path, text);
        return 0;
    }
    const auto taken = InputError::in_file(path, "expected the name of a new file: existing files are not overwritten");
    if (std::error_code error; std::filesystem::exists(path, error)) throw taken;
    base::OutputFile out(path);
    out.stream() << text;
    out.close();
    if (!out.commit_new()) throw taken;
    fmt::print("wrote {}\n", path);
    return 0;
}

namespace {

OptionTable options(NewPolicyRequest& r) {
    return {
        {.names = "NAME", .target = &r.name, .meaning = "name of the policy in commands and files", .required = true},
        {.names = "--family",
         .target = &r.family,
         .meaning = "what the policy decides; every command with -p takes the file by --policy-file",
         .show_default = true,
         .words = checks::family_ids()},
        {.names = "--text",
         .target = &r.text,
         .meaning = "write a text, which needs no compiler, instead of a C++ header"},
        {.names = "--from",
         .value = "FILE",
         .target = &r.from,
         .meaning = "policy, a text or a C++ header, whose rules the new one starts with"},
        {.names = "-o,--output",
         .value = "FILE",
         .target = &r.path,
         .meaning =
             "new file, which must not exist yet, - for standard output (default: NAME.hpp, with --text NAME.policy)"}};
}

}  // namespace

Subcommand new_policy() {
    return make_subcommand<NewPolicyRequest>("new-policy", "write the file of a policy of your own, to be filled in",
                                             "schedproof new-policy my-rule --text\n  schedproof new-policy my-rule "
                                             "--from my-rule.policy",
                                             options);
}

}  // namespace schedproof::cli
