/// How files bring policies into a run.
///
/// A file is read once, before the subcommand runs, and its policy joins those of the library, so that nothing after
/// this knows where a policy came from. Values of parameters are part of its name: one file may bring several policies,
/// and whatever names a policy, a certificate or a line that repeats a run, names its values.
#include "experiments/command/core/policy_file.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <deque>
#include <filesystem>
#include <limits>
#include <memory>
#include <utility>
#include <variant>

#include "experiments/command/core/output.hpp"
#include "experiments/command/core/program.hpp"
#include "experiments/command/policy_header/policy_header.hpp"
#include "experiments/command/policy_header/process_end.hpp"
#include "model/base/sha256.hpp"
#include "model/base/split.hpp"
#include "model/base/text.hpp"
#include "model/core/errors.hpp"
#include "model/core/rational.hpp"
#include "policies/queueing/registry.hpp"

namespace schedproof::cli {

namespace {

using policy_header::PolicyCode;
using queueing::codec::PolicyParameter;
using queueing::codec::PolicyText;

/// The files of this run, explicit as the registry to which their policies are added.
std::deque<PolicyFile>& files() {
    static std::deque<PolicyFile> all;
    return all;
}

bool takes_policy(const Option& option) { return option.value == "POLICY"; }

/// The path of a file, and the values behind it.
std::pair<std::string, std::string> split_values(const std::string& named) {
    const std::size_t equals = named.find('=');
    const std::size_t colon = equals == std::string::npos ? equals : named.rfind(':', equals);
    if (std::error_code error; colon == std::string::npos || std::filesystem::exists(named, error)) return {named, ""};
    return {named.substr(0, colon), named.substr(colon + 1)};
}

/// `abs=32,rel=11/10`
std::vector<PolicyParameter> read_values(const std::string& values, const std::string& path) {
    std::vector<PolicyParameter> list;
    for (const std::string_view one : base::split(values, ',')) {
        const auto refuse = [&] {
            throw InputError::in_file(
                path, fmt::format("expected values NAME=NUMBER,... for its parameters, numbers as 32, 11/10 or 1.1, "
                                  "not '{}'",
                                  one));
        };
        const std::size_t equals = one.find('=');
        if (equals == std::string_view::npos) refuse();
        const auto number = Rational::parse(one.substr(equals + 1));
        std::string name(one.substr(0, equals));
        if (!number || name.empty()) refuse();
        if (std::any_of(list.begin(), list.end(), [&](const auto& other) { return other.name == name; }))
            throw InputError::in_file(path, fmt::format("expected one value for '{}'", name));
        const auto numerator = number->numerator(), denominator = number->denominator();
        constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
        if (abs(numerator) > most || denominator > most) refuse();
        list.push_back(
            {std::move(name), {static_cast<std::int64_t>(numerator), static_cast<std::int64_t>(denominator)}});
    }
    return list;
}

bool is_given(const std::vector<PolicyParameter>& given, const std::string& name) {
    return std::any_of(given.begin(), given.end(), [&](const PolicyParameter& one) { return one.name == name; });
}

/// The values in the order of the policy's parameters and in lowest terms, so that one policy has one name.
std::string canonical(const std::vector<PolicyParameter>& given, const PolicyText& policy) {
    std::string text;
    for (const auto& [name, value] : policy.parameters)
        if (is_given(given, name))
            text += fmt::format("{}{}={}", text.empty() ? "" : ",", name,
                                Rational(value.numerator, value.denominator).to_string());
    return text;
}

/// Throws when a value is given to a parameter that no rule uses: the policy would have a second name.
void require_used(const std::string& text, const std::string& path, const std::vector<PolicyParameter>& given,
                  const PolicyText& policy) {
    for (const PolicyParameter& one : given) {
        std::vector<PolicyParameter> other = given;
        for (PolicyParameter& value : other)
            if (value.name == one.name)
                value.value = {one.value.numerator + one.value.denominator, one.value.denominator};
        try {
            const PolicyText changed = queueing::codec::read_policy_text(text, path, other);
            if (to_string(changed.rules) != to_string(policy.rules)) continue;
        } catch (const InputError&) {  // what the rules make of the next number is wrong, so they use it
            continue;
        }
        throw InputError::in_file(path,
                                  fmt::format("expected a value for a parameter that a rule uses, not '{}'", one.name));
    }
}

/// A policy as its file states it, with the digest of the file.
struct ReadPolicy {
    std::variant<PolicyText, PolicyCode> policy;
    std::string sha256;
};

ReadPolicy read(const std::string& path, const std::string& values, const CodeFamilies& families) {
    if (policy_header::is_header(path)) {
        if (!values.empty())
            throw InputError::in_file(path, "expected no values: a policy in C++ sets its parameters in its file");
        return {policy_header::read_policy_header(path, families), base::sha256(base::read_file(path))};
    }
    const std::string whole = base::read_file(path);  // once: it may be a pipe
    return {policy_with_values(whole, path, values), base::sha256(whole)};
}

}  // namespace

PolicyText policy_with_values(const std::string& text, const std::string& file, const std::string& values) {
    if (values.empty()) return queueing::codec::read_policy_text(text, file);
    const std::vector<PolicyParameter> given = read_values(values, file);
    PolicyText policy = queueing::codec::read_policy_text(text, file, given);
    require_used(text, file, given, policy);
    policy.id += ":" + canonical(given, policy);
    return policy;
}

std::size_t line_naming(const PolicyFile& file, std::string_view key, std::string_view word) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(file.path, error)) return file.line;  // it may have been a pipe
    const bool code = policy_header::is_header(file.path);
    const std::string whole = base::read_file(file.path);
    std::size_t number = 0;
    for (const std::string_view line : base::split(whole, '\n')) {
        ++number;
        if (line.find(word) != std::string_view::npos && (code || line.starts_with(key))) return number;
    }
    return file.line;
}

void require_instances(const PolicyFile& file) {
    std::error_code error;
    for (const std::string& instance : file.stable_on)
        if (!std::filesystem::exists(base::shipped(instance), error))
            throw InputError::at_line(
                file.path, line_naming(file, "require", std::filesystem::path(instance).filename().string()), "require",
                fmt::format("expected an instance that is there, as seen from the policy's file, not '{}'", instance));
}

namespace {

constexpr const char* every_cluster = "queueing.throughput-optimal.every-cluster";

PolicyFile file_of(const PolicyText& rules, const std::string& path, const std::string& values) {
    std::vector<std::string> files;
    std::vector<queueing::codec::ExpectedVerdict> expects = rules.expects;
    for (const std::string& cluster : rules.stable_on)
        if (cluster == "every-cluster")
            expects.push_back({every_cluster, "Proved"});
        else
            files.push_back((std::filesystem::path(path).parent_path() / cluster).string());
    return {.id = rules.id,
            .path = path,
            .family = "queueing",
            .line = rules.line,
            .route_line = rules.route_line,
            .serve_line = rules.serve_line,
            .hopes = rules.hopes,
            .lyapunov = rules.lyapunov,
            .values = values,
            .parameters = rules.parameters,
            .stable_on = std::move(files),
            .expects = std::move(expects)};
}

PolicyFile file_of(const PolicyCode& code, const std::string& path) {
    return {.id = code.id,
            .path = path,
            .family = code.family->family(),
            .line = code.line,
            .route_line = code.line,
            .serve_line = code.line,
            .hopes = code.hopes,
            .type = code.type,
            .expects = code.expects};
}

[[noreturn]] void refuse_taken(const std::string& path, std::size_t line, const PolicyFile& taken) {
    throw InputError(InputPlace{path, line, ""}, "expected a name that no policy has, not '" + taken.id +
                                                     "', which is that of " +
                                                     InputPlace{taken.path, taken.line, ""}.to_string());
}

/// The id of the policy that is named; of one of a file, by its path or by its id with values behind it, once the file
/// has been added with these values.
std::string id_of(const std::string& named, const CodeFamilies& families) {
    if (is_policy_file_name(named)) return add_policy_file(named, families).id;
    const auto [head, values] = split_values(named);
    if (values.empty() || find_policy_file(named) != nullptr) return named;
    const PolicyFile* file = find_policy_file(head);
    if (file == nullptr || !file->values.empty()) return named;
    return add_policy_file(fmt::format("{}:{}", file->path, values), families).id;
}

}  // namespace

bool is_policy_file(const std::string& named) {
    const std::string path = split_values(named).first;
    std::error_code error;
    return std::filesystem::exists(path, error) || path.find('/') != std::string::npos || is_policy_file_name(named);
}

bool is_policy_file_name(const std::string& named) {
    const std::string path = split_values(named).first;
    return policy_header::is_header(path) || path.ends_with(".policy");
}

std::string with_values(const std::string& named, const std::string& values) {
    return values.empty() ? named : named + (split_values(named).second.empty() ? ":" : ",") + values;
}

PolicyText read_policy_file(const std::string& named) {
    const auto [path, values] = split_values(named);
    return std::get<PolicyText>(read(path, values, {}).policy);
}

const PolicyFile& add_policy_file(const std::string& named, const CodeFamilies& families) {
    const auto [path, values] = split_values(named);
    for (const PolicyFile& known : files())
        if (known.path == path && known.values == values) return known;
    auto [policy, sha256] = read(path, values, families);
    const auto* rules = std::get_if<PolicyText>(&policy);
    const auto* code = std::get_if<PolicyCode>(&policy);
    const std::size_t length = rules != nullptr && !values.empty() ? rules->id.find(':') : std::string::npos;
    const std::string held = length == std::string::npos ? "" : rules->id.substr(length + 1);
    PolicyFile file = rules != nullptr ? file_of(*rules, path, held) : file_of(*code, path);
    file.sha256 = std::move(sha256);
    const InputPlace place{path, file.line, ""};
    if (const PolicyFile* taken = find_policy_file(file.id)) {
        if (taken->path == path && taken->sha256 == file.sha256) return *taken;  // the same values, written otherwise
        refuse_taken(path, file.line, *taken);
    }
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
    return {"--policy-file", file->values.empty() ? file->path : file->path + ":" + file->values, option, id};
}

PolicyFileOption::PolicyFileOption(OptionTable& options, CodeFamilies families)
    : families_(std::move(families)), paths_(std::make_shared<std::vector<std::string>>()) {
    const auto policy = std::find_if(options.begin(), options.end(), takes_policy);
    if (policy == options.end()) return;
    required_ = std::exchange(policy->required, false);
    // A file's policy is as good as a named one for those that need one.
    for (Option& option : options)
        if (std::erase(option.needs, policy->name()) > 0) needing_.push_back(option.name());
    const std::vector<std::string> needs = policy->needs;
    options.insert(policy + 1,
                   {.names = "--policy-file",
                    .value = "FILE",
                    .target = paths_.get(),
                    .meaning = "policy of your own: a C++ header or, for queueing, a text; FILE:NAME=VALUE,... "
                               "sets its parameters; may be repeated; see docs/policy-language.md",
                    .repeated = true,
                    .needs = needs});
}

void PolicyFileOption::read(OptionTable& options) const {
    const auto first = std::find_if(options.begin(), options.end(), takes_policy);
    if (first == options.end()) return;
    std::vector<std::string> ids;
    for (const std::string& path : *paths_) {
        const PolicyFile& file = add_policy_file(path, families_);
        if (std::find(ids.begin(), ids.end(), file.id) != ids.end()) refuse_taken(path, file.line, file);
        ids.push_back(file.id);
    }
    const auto choose = [](Option& option, const std::vector<std::string>& policies) {
        if (const std::string wrong = option.take(policies); !wrong.empty())
            throw InputError::at_key(option.name(), wrong);
        option.given = true;
        option.given_values = policies;
    };
    for (Option& option : options) {
        if (!takes_policy(option) || !option.given) continue;
        std::vector<std::string> policies = option.given_values;
        for (std::string& policy : policies) policy = id_of(policy, families_);
        choose(option, policies);
    }
    if (first->given) return;
    if (ids.empty() && required_) throw InputError::at_key(first->name(), "expected a policy, or --policy-file");
    if (ids.empty()) {
        for (const Option& option : options)
            if (option.given && std::find(needing_.begin(), needing_.end(), option.name()) != needing_.end())
                throw InputError::at_key(option.name(), fmt::format("requires {} or --policy-file", first->name()));
        return;
    }
    if (ids.size() > 1 && !first->several())
        throw InputError::at_key(first->name(), "expected the name of one policy, where several files are given");
    choose(*first, ids);
}

void take_policy_files(Subcommand& command, const CodeFamilies& families) {
    for (Subcommand& part : command.parts) take_policy_files(part, families);
    if (std::none_of(command.options.begin(), command.options.end(), takes_policy)) return;
    const PolicyFileOption files(command.options, families);
    command.run = [files, run = std::move(command.run)](const OptionTable& given) {
        OptionTable options = given;
        files.read(options);
        return run_beside_code([&] { return run(options); });
    };
}

int run_beside_code(const std::function<int()>& body) {
    const auto code = std::find_if(files().begin(), files().end(), [](const PolicyFile& f) { return !f.type.empty(); });
    // No limits of time and memory: what users ask for may take long.
    return code == files().end() ? body() : run_beside_code(*code, {.file = std::uint64_t{1} << 50U}, body);
}

int run_beside_code(const PolicyFile& file, const base::ProcessLimits& limits, const std::function<int()>& body) {
    const base::IsolatedEnd end = base::run_isolated(
        [&] {
            const int code = exit_code_of(body);
            name_written_files();  // which this process alone knows
            return std::to_string(code);
        },
        limits, base::Output::shared);
    if (end.answer) return std::stoi(*end.answer);
    const std::string wrong = policy_header::misbehaviour(end, limits);
    throw InputError::in_file(
        file.path, "expected a policy that only answers, but its code " + (wrong.empty() ? "ends the program" : wrong));
}

}  // namespace schedproof::cli
