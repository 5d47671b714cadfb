/// `new-policy`: a file that its author fills in, or a policy of one form in the other.
#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <utility>

#include "checks/families.hpp"
#include "experiments/command/core/output.hpp"
#include "experiments/command/core/subcommand.hpp"
#include "experiments/command/families/family_files.hpp"
#include "model/base/output_file.hpp"
#include "model/base/text.hpp"
#include "model/core/errors.hpp"

namespace schedproof::cli {

struct NewPolicyRequest {
    std::string name;
    std::string family;
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

/// With the names in place of @ID@, @TYPE@ and @FILE@.
std::string filled(std::string text, const NewPolicyRequest& request, const std::string& file) {
    for (const auto& [mark, value] : {std::pair<std::string_view, std::string>{"@ID@", request.name},
                                      {"@TYPE@", type_name(request.name)},
                                      {"@FILE@", file}})
        for (std::size_t at = 0; (at = text.find(mark, at)) != std::string::npos; at += value.size())
            text.replace(at, mark.size(), value);
    return text;
}

bool has_texts(const FamilyFiles& files) { return !files.policy_text_template().empty(); }

const FamilyFiles& family_named(const std::string& id) {
    for (const auto& files : family_files())
        if (files->family() == id) return *files;
    throw ContractViolation("a family of the option's words");
}

/// The families whose policies have a written form, in words.
std::string families_with_texts() {
    std::string ids;
    for (const auto& files : family_files())
        if (has_texts(*files)) ids += (ids.empty() ? "" : " or ") + std::string(files->family());
    return ids;
}

std::string content(const NewPolicyRequest& request, const std::string& file) {
    const FamilyFiles& files = family_named(request.family);
    if (!request.from.empty())
        return files.policy_from(request.from, request.name, type_name(request.name), request.text);
    return filled(request.text ? files.policy_text_template() : files.policy_template(), request, file);
}

}  // namespace

int run(const NewPolicyRequest& request) {
    require_new_name(request.name);
    if ((request.text || !request.from.empty()) && !has_texts(family_named(request.family)))
        throw InputError::at_key("--family", fmt::format("expected {}: policies of the other families have no written "
                                                         "form",
                                                         families_with_texts()));
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
    return 0;
}

namespace {

OptionTable options(NewPolicyRequest& r) {
    const auto& all = family_files();
    const auto usual = std::find_if(all.begin(), all.end(), [](const auto& files) { return has_texts(*files); });
    r.family = (usual == all.end() ? all.front() : *usual)->family();
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
