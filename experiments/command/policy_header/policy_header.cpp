/// What a policy file was found to be is kept: as a text policy, or as the shared object. The name of what is kept is a
/// fingerprint of the policy's path, of what the preprocessor makes of the file, the compiler, and the library: files
/// that it asks for in vain, or that come to stand before others, change what it means too. A text beside the object
/// names the headers of the library that it is made of besides, with their fingerprints.
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
#include "experiments/command/policy_header/shared_object.hpp"
#include "model/base/output_file.hpp"
#include "model/base/sha256.hpp"
#include "model/base/split.hpp"
#include "model/base/temporary_directory.hpp"
#include "model/base/text.hpp"

namespace schedproof::cli::policy_header {

namespace fs = std::filesystem;

namespace {

using queueing::codec::PolicyText;

/// Another number where an object that was kept before would be refused now.
constexpr int cache_form = 4;
constexpr std::string_view line_mark = "# line ", file_mark = "# file ", family_mark = "# family ";

/// The family whose policies are code and whose header is among the files, if it is one.
const CodeFamily* family_of_code(const Scan& scan, const CodeFamilies& families, const std::string& name) {
    const CodeFamily* found = nullptr;
    for (const CodeFamily* family : families) {
        const auto headers = family->policy_headers();
        if (std::none_of(scan.files.begin(), scan.files.end(),
                         [&](const std::string& file) { return file.ends_with(headers->policy); }))
            continue;
        if (found != nullptr)
            throw InputError::in_file(name, fmt::format("expected the headers of one family, not of {} and {}",
                                                        found->family(), family->family()));
        found = family;
    }
    return found;
}

/// Throws when the file includes the model of a family that is not given here, whose policies are code.
void require_queueing(const Scan& scan, const fs::path& headers, const std::string& name) {
    const std::string models = (headers / "model" / "").string();
    for (const std::string& file : scan.files) {
        if (!file.starts_with(models)) continue;
        const std::string_view within = std::string_view(file).substr(models.size());
        const std::string_view part = within.substr(0, within.find('/'));
        if (part != "base" && part != "core" && part != "queueing")
            throw InputError::at_line(
                name, scan.structs.empty() ? 1 : scan.structs.front().line,
                fmt::format("expected a queueing policy, not one of the {} family, which is code", part));
    }
}

void require_one(const std::vector<const DefinedStruct*>& policies, const std::string& name) {
    if (policies.size() > 1)
        throw InputError::at_line(
            name, policies[1]->line,
            fmt::format("expected one policy in a file, but '{}' stands in line {} already and '{}' is another",
                        policies[0]->name, policies[0]->line, policies[1]->name));
}

/// Whether its function is written as in a policy that is a text.
bool reads_back(const PolicyText& policy) {
    try {
        return queueing::codec::read_policy_text(queueing::codec::written_as_text(policy), "").lyapunov ==
               policy.lyapunov;
    } catch (const InputError&) {
        return false;
    }
}

/// The queueing policy among the file's structs.
PolicyText rules_of(const Compilation& compilation, const std::string& name) {
    std::vector<DescribedStruct> structs = compilation.described();
    std::erase_if(structs, [](const DescribedStruct& one) { return !one.rules; });
    if (structs.empty())
        throw InputError::in_file(name,
                                  "expected a struct, no template, with `static constexpr PolicyInfo info` and "
                                  "`static constexpr Rules rules`");
    std::vector<const DefinedStruct*> places;
    for (const DescribedStruct& one : structs) places.push_back(&one.defined);
    require_one(places, name);
    DescribedStruct& policy = structs.front();
    const std::size_t line = policy.defined.line;
    if (policy.rules->planned() || policy.rules->keeps_counters())
        throw InputError::at_line(name, line, "expected a policy that follows no plan");
    if (const std::string wrong = wrong_words({policy.id, policy.source, policy.summary}); !wrong.empty())
        throw InputError::at_line(name, line, wrong);
    PolicyText text{policy.id,
                    policy.source,
                    policy.summary,
                    queueing::codec::read_rules(to_string(*policy.rules), name),
                    line,
                    line,
                    line,
                    std::move(policy.hopes),
                    std::move(policy.lyapunov),
                    {},
                    std::move(policy.stable_on),
                    read_expects(policy.expects, name, line)};
    if (!reads_back(text))
        throw InputError::at_line(
            name, line,
            "expected `lyapunov` to be the name of a function or a sum such as regret + 2 * total, not " +
                base::shown(text.lyapunov));
    return text;
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

/// The files that a kept answer depends on and their fingerprints, in comments.
std::string dependences(std::size_t line, const std::vector<std::string>& files) {
    std::string text = fmt::format("{}{}\n", line_mark, line);
    for (const std::string& file : files) text += fmt::format("{}{} {}\n", file_mark, digest_of(file), file);
    return text;
}

/// What stands behind the mark in the first line of the text that begins with it; empty without one.
std::string_view behind(std::string_view mark, std::string_view text) {
    for (const std::string_view line : base::split(text, '\n'))
        if (line.starts_with(mark)) return line.substr(mark.size());
    return {};
}

/// The text of an entry of the cache, if all that it depends on is as it was.
std::optional<std::string> kept(const fs::path& entry) {
    std::error_code error;
    if (!fs::exists(entry, error)) return {};
    std::string text = base::read_file(entry.string());
    for (const std::string_view line : base::split(text, '\n')) {
        if (!line.starts_with(file_mark)) continue;
        const std::string_view of = line.substr(file_mark.size());
        const std::size_t end = std::min(of.find(' '), of.size() - 1);
        if (digest_of(std::string(of.substr(end + 1))) != of.substr(0, end)) return {};
    }
    return text;
}

std::optional<PolicyText> kept_rules(const fs::path& entry) {
    const auto text = kept(entry);
    if (!text) return {};
    try {
        PolicyText policy = queueing::codec::read_policy_text(*text, entry.string());
        const std::string_view line = behind(line_mark, *text);
        std::from_chars(line.data(), line.data() + line.size(), policy.line);
        policy.route_line = policy.serve_line = policy.line;
        return policy;
    } catch (const InputError&) {
        return {};  // damaged: it is made again
    }
}

void keep(const fs::path& entry, const std::string& text) {
    try {
        base::OutputFile out(entry.string());
        out.leave_out_of_logs();
        out.stream() << text;
        out.close();
        out.commit();
    } catch (const InputError&) {
        // Without room for it the next run compiles again.
    }
}

/// Where the answers about one text of a file are kept; nowhere when `stem` is empty.
struct CachePlace {
    fs::path stem;
    [[nodiscard]] fs::path entry(const char* ending) const { return stem.string() + ending; }
};

PolicyCode code_of(const Compilation& compilation, const CodeFamily& family, const CachePlace& place,
                   const std::string& name) {
    const base::TemporaryDirectory folder;
    const fs::path object = folder.path() / "policy.so";
    std::vector<std::string> files =
        compilation.make_shared_object(family.family(), family.policy_headers()->added, object);
    PolicyCode code = tried(object, family, name);
    if (!place.stem.empty()) {
        keep(place.entry(".so"), base::read_file(object.string()));
        files.push_back(place.entry(".so").string());
        keep(place.entry(".code"), dependences(code.line, files) + fmt::format("{}{}\n", family_mark, family.family()));
    }
    return code;
}

std::optional<PolicyCode> kept_code(const CachePlace& place, const CodeFamilies& families, const std::string& name) {
    const auto text = kept(place.entry(".code"));
    if (!text) return {};
    for (const CodeFamily* family : families)
        if (family->family() == behind(family_mark, *text)) try {
                return loaded(place.entry(".so"), *family, name);
            } catch (const InputError&) {
                return {};  // damaged: it is made again
            }
    return {};
}

}  // namespace

std::string wrong_words(const PolicyInfo& info) {
    if (!base::is_plain_name(info.id))
        return fmt::format("expected an id that is {}, not {}", base::name_form, base::shown(info.id));
    for (const std::string_view text : {info.source, info.summary})
        if (text.find_first_of("\"\r\n") != std::string_view::npos ||
            base::first_invalid_utf8(text) != std::string::npos)
            return fmt::format("expected a source and a summary of one line each, without double quotes, not {}",
                               base::shown(text));
    return "";
}

std::vector<queueing::codec::ExpectedVerdict> read_expects(const std::vector<std::string>& texts,
                                                           const std::string& name, std::size_t line) {
    std::vector<queueing::codec::ExpectedVerdict> list;
    for (const std::string& text : texts) {
        const std::size_t space = text.find(' ');
        const std::string verdict = space == std::string::npos ? "" : text.substr(space + 1);
        const std::array<std::string_view, 5> known{"Proved", "Exhausted", "Survived", "Refuted", "Unknown"};
        if (std::find(known.begin(), known.end(), verdict) == known.end())
            throw InputError::at_line(
                name, line,
                fmt::format("expected `expects` to hold claims with a verdict each, such as 'queueing.tasks-balance "
                            "Proved', not {}",
                            base::shown(text)));
        list.push_back({text.substr(0, space), verdict});
    }
    return list;
}

bool is_header(const std::string& path) {
    constexpr std::array<std::string_view, 4> endings{".hpp", ".h", ".hh", ".hxx"};
    const std::string ending = fs::path(path).extension().string();
    return std::find(endings.begin(), endings.end(), ending) != endings.end();
}

std::variant<PolicyText, PolicyCode> read_policy_header(const std::string& path, const CodeFamilies& families) {
    static_cast<void>(base::read_file(path));  // a file that cannot be read is refused as any other
    const std::string absolute = fs::absolute(path).lexically_normal().string();
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
    const Compilation compilation(*compiler, *headers, absolute, path);
    CachePlace place;
    if (const std::optional<fs::path> folder = cache()) {
        place.stem = *folder /
                     base::sha256(fmt::format("{}\n{}\n{}\n{}\n{}\n{}", SCHEDPROOF_VERSION, cache_form,
                                              headers->string(), compiler->identity(), absolute, compilation.digest()));
        if (auto policy = kept_rules(place.entry(".policy"))) return *policy;
        if (auto code = kept_code(place, families, path)) return *code;
    }
    if (const CodeFamily* family = family_of_code(compilation.scan(), families, path))
        return code_of(compilation, *family, place, path);
    require_queueing(compilation.scan(), *headers, path);
    PolicyText policy = rules_of(compilation, path);
    if (!place.stem.empty())
        keep(place.entry(".policy"), dependences(policy.line, {}) + queueing::codec::written_as_text(policy));
    return policy;
}

}  // namespace schedproof::cli::policy_header
