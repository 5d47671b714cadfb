/// What a policy file was found to say is kept as a text policy, whose comments name the files that it depends on with
/// their fingerprints. The name of the kept file is a fingerprint of the policy's path and bytes, the compiler, and the
/// library.
#include "experiments/command/policy_header/policy_header.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include "experiments/command/policy_header/compiler.hpp"
#include "experiments/command/policy_header/library_headers.hpp"
#include "model/base/output_file.hpp"
#include "model/base/sha256.hpp"
#include "model/base/split.hpp"
#include "model/base/text.hpp"

namespace schedproof::command::policy_header {

namespace fs = std::filesystem;

namespace {

using queueing::codec::PolicyText;

constexpr std::string_view line_mark = "# line ", file_mark = "# file ";

/// The policy among the file's structs. `others`: the families whose headers the file includes.
PolicyText chosen(const Compiled& compiled, const std::string& others, const std::string& name) {
    std::vector<const DescribedStruct*> policies;
    for (const DescribedStruct& one : compiled.structs)
        if (one.rules) policies.push_back(&one);
    if (policies.empty()) {
        if (!compiled.structs.empty() && !others.empty())
            throw InputError::at_line(
                name, compiled.structs.front().defined.line,
                fmt::format("expected a queueing policy: '{}' has no `rules`, and the file is of the {} family, whose "
                            "policies are rows of policies/{}/registry.cpp",
                            compiled.structs.front().defined.name, others, others));
        throw InputError::in_file(name,
                                  "expected a struct, no template, with `static constexpr PolicyInfo info` and "
                                  "`static constexpr Rules rules`");
    }
    if (policies.size() > 1)
        throw InputError::at_line(
            name, policies[1]->defined.line,
            fmt::format("expected one policy in a file, but '{}' stands in line {} already and '{}' is another",
                        policies[0]->defined.name, policies[0]->defined.line, policies[1]->defined.name));
    const DescribedStruct& policy = *policies.front();
    const auto fail = [&](const std::string& expected) {
        throw InputError::at_line(name, policy.defined.line, expected);
    };
    if (policy.rules->planned() || policy.rules->keeps_counters()) fail("expected a policy that follows no plan");
    if (!base::is_plain_name(policy.id))
        fail(fmt::format("expected an id that is {}, not {}", base::name_form, base::shown(policy.id)));
    for (const std::string& text : {policy.source, policy.summary})
        if (text.find_first_of("\"\r\n") != std::string::npos || base::first_invalid_utf8(text) != std::string::npos)
            fail(fmt::format("expected a source and a summary of one line each, without double quotes, not {}",
                             base::shown(text)));
    const std::size_t line = policy.defined.line;
    return {policy.id, policy.source, policy.summary, queueing::codec::read_rules(to_string(*policy.rules), name), line,
            line,      line};
}

/// The family, other than queueing, whose policy header is among the files; empty without one.
std::string other_family(const std::vector<std::string>& files) {
    constexpr std::array<std::pair<std::string_view, const char*>, 3> headers{
        {{"model/sharing/policy.hpp", "sharing"},
         {"model/assignment/policy.hpp", "assignment"},
         {"model/redundancy/allocation.hpp", "redundancy"}}};
    for (const auto& [header, family] : headers)
        for (const std::string& file : files)
            if (file.ends_with(header)) return family;
    return "";
}

std::string digest_of(const std::string& path) {
    std::error_code error;
    return fs::is_regular_file(path, error) ? base::sha256(base::read_file(path)) : "none";
}

/// The folder of the cache, made if need be; none where the user has no place for it.
std::optional<fs::path> cache() {
    const auto variable = [](const char* name) {
        const char* text = std::getenv(name);
        const fs::path path(text == nullptr ? "" : text);
        return path.is_absolute() ? path : fs::path();
    };
    fs::path folder = variable("XDG_CACHE_HOME");
    if (const fs::path home = variable("HOME"); folder.empty() && !home.empty()) folder = home / ".cache";
    if (folder.empty()) return {};
    folder /= "schedproof";
    std::error_code error;
    fs::create_directories(folder, error);
    return error ? std::nullopt : std::optional(folder);
}

/// The kept answer, if all that it depends on is as it was.
std::optional<PolicyText> kept(const fs::path& entry) {
    std::error_code error;
    if (!fs::exists(entry, error)) return {};
    try {
        const std::string text = base::read_file(entry.string());
        PolicyText policy = queueing::codec::read_policy_text(text, entry.string());
        for (const std::string_view line : base::split(text, '\n')) {
            if (line.starts_with(line_mark))
                std::from_chars(line.data() + line_mark.size(), line.data() + line.size(), policy.line);
            if (!line.starts_with(file_mark)) continue;
            const std::string_view of = line.substr(file_mark.size());
            const std::size_t end = std::min(of.find(' '), of.size() - 1);
            if (digest_of(std::string(of.substr(end + 1))) != of.substr(0, end)) return {};
        }
        policy.route_line = policy.serve_line = policy.line;
        return policy;
    } catch (const InputError&) {
        return {};  // damaged: it is made again
    }
}

void keep(const fs::path& entry, const PolicyText& policy, const std::vector<std::string>& files) {
    std::string text = fmt::format("{}{}\n", line_mark, policy.line);
    for (const std::string& file : files) text += fmt::format("{}{} {}\n", file_mark, digest_of(file), file);
    try {
        base::OutputFile out(entry.string());
        out.leave_out_of_logs();
        out.stream() << text << queueing::codec::written_as_text(policy);
        out.close();
        out.commit();
    } catch (const InputError&) {
        // Without room for it the next run compiles again.
    }
}

}  // namespace

bool is_header(const std::string& path) {
    constexpr std::array<std::string_view, 4> endings{".hpp", ".h", ".hh", ".hxx"};
    const std::string ending = fs::path(path).extension().string();
    return std::find(endings.begin(), endings.end(), ending) != endings.end();
}

PolicyText read_policy_header(const std::string& path) {
    const std::string source = base::read_file(path), absolute = fs::absolute(path).lexically_normal().string();
    if (absolute.find_first_of("\"\\\n") != std::string::npos)
        throw InputError::in_file(path, "expected a path without quotes, backslashes and line breaks");
    const std::optional<Compiler> compiler = find_compiler();
    if (!compiler)
        throw InputError::in_file(
            path,
            "expected a C++ compiler for a policy in C++ (Debian package g++); without one, write "
            "the policy as a text");
    const std::optional<fs::path> headers = library_headers();
    if (!headers)
        throw InputError::in_file(
            path, "expected the headers of schedproof for a policy in C++: none are beside the program");
    const std::optional<fs::path> folder = cache();
    std::string entry;
    if (folder) {
        const std::string key = base::sha256(fmt::format("{}\n{}\n{}\n{}\n{}", SCHEDPROOF_VERSION, headers->string(),
                                                         compiler->identity(), absolute, source));
        entry = (*folder / (key + ".policy")).string();
        if (auto policy = kept(entry)) return *policy;
    }
    const Compiled compiled = compile(*compiler, *headers, absolute, path);
    PolicyText policy = chosen(compiled, other_family(compiled.files), path);
    if (!entry.empty()) keep(entry, policy, compiled.files);
    return policy;
}

}  // namespace schedproof::command::policy_header
