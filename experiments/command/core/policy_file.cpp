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

#include "experiments/command/core/program.hpp"
#include "experiments/command/policy_header/policy_header.hpp"
#include "experiments/command/policy_header/process_end.hpp"
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

auto find_policy_option(OptionTable& options) {
    return std::find_if(options.begin(), options.end(), [](const Option& o) { return o.name() == "--policy"; });
}

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

std::variant<PolicyText, PolicyCode> read(const std::string& path, const std::string& values,
                                          const CodeFamilies& families) {
    if (policy_header::is_header(path)) {
        if (!values.empty())
            throw InputError::in_file(path, "expected no values: a policy in C++ sets its parameters in its file");
        return policy_header::read_policy_header(path, families);
    }
    if (values.empty()) return queueing::codec::read_policy_text(base::read_file(path), path);
    const std::string whole = base::read_file(path);
    const std::vector<PolicyParameter> given = read_values(values, path);
    PolicyText text = queueing::codec::read_policy_text(whole, path, given);
    require_used(whole, path, given, text);
    text.id += ":" + canonical(given, text);
    return text;
}

constexpr const char* every_cluster = "queueing.throughput-optimal.every-cluster";

PolicyFile file_of(const PolicyText& rules, const std::string& path, const std::string& values) {
    std::vector<std::string> files;
    std::vector<queueing::codec::ExpectedVerdict> expects = rules.expects;
    for (const std::string& cluster : rules.stable_on)
        if (cluster == "every-cluster")
            expects.push_back({every_cluster, "Proved"});
        else
            files.push_back((std::filesystem::path(path).parent_path() / cluster).string());
    return {rules.id,       path, "queueing", rules.line,       rules.route_line, rules.serve_line,  rules.hopes,
            rules.lyapunov, "",   values,     rules.parameters, std::move(files), std::move(expects)};
}

PolicyFile file_of(const PolicyCode& code, const std::string& path) {
    return {code.id, path, code.family->family(), code.line, code.line, code.line, code.hopes, "", code.type, "",
            {},      {},   code.expects};
}

/// Adds the policies that are named as one of a file is, with values for its parameters behind it; returns all names,
/// those with values as the policies are called.
std::vector<std::string> add_valued(std::vector<std::string> named, const CodeFamilies& families) {
    for (std::string& id : named) {
        const auto [head, values] = split_values(id);
        if (values.empty() || find_policy_file(id) != nullptr) continue;
        const PolicyFile* file = find_policy_file(head);
        if (file == nullptr || !file->values.empty()) continue;
        const auto policy = std::get<PolicyText>(read(file->path, values, families));
        id = policy.id;
        if (find_policy_file(id) == nullptr) add_policy_file(fmt::format("{}:{}", file->path, values), families);
    }
    return named;
}

/// Makes the policies of the files known, and chosen where the table says of none that it was given.
/// Requires a table with `--policy`.
void read_files(const std::vector<std::string>& paths, bool required, const CodeFamilies& families,
                OptionTable& options) {
    std::vector<std::string> ids;
    for (const std::string& path : paths) ids.push_back(add_policy_file(path, families).id);
    Option& policy = *find_policy_option(options);
    if (policy.given) ids = add_valued(policy.given_values, families);
    if (ids.empty() && required) throw InputError::at_key("--policy", "expected a policy, or --policy-file");
    if (ids.empty()) return;
    if (!policy.given && ids.size() > 1 && !policy.several())
        throw InputError::at_key("--policy", "expected the name of one policy, where several files are given");
    if (const std::string wrong = policy.take(ids); !wrong.empty()) throw InputError::at_key("--policy", wrong);
    policy.given = true;
    policy.given_values = ids;
}

}  // namespace

bool is_policy_file(const std::string& named) {
    const std::string path = split_values(named).first;
    std::error_code error;
    return std::filesystem::exists(path, error) || path.find('/') != std::string::npos ||
           policy_header::is_header(path) || path.ends_with(".policy");
}

PolicyText read_policy_file(const std::string& named) {
    const auto [path, values] = split_values(named);
    return std::get<PolicyText>(read(path, values, {}));
}

const PolicyFile& add_policy_file(const std::string& named, const CodeFamilies& families) {
    const auto [path, values] = split_values(named);
    const auto policy = read(path, values, families);
    const auto* rules = std::get_if<PolicyText>(&policy);
    const auto* code = std::get_if<PolicyCode>(&policy);
    const std::size_t length = rules != nullptr && !values.empty() ? rules->id.find(':') : std::string::npos;
    const std::string held = length == std::string::npos ? "" : rules->id.substr(length + 1);
    PolicyFile file = rules != nullptr ? file_of(*rules, path, held) : file_of(*code, path);
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
    return {"--policy-file", file->values.empty() ? file->path : file->path + ":" + file->values, option, id};
}

void take_policy_files(Subcommand& command, const CodeFamilies& families) {
    for (Subcommand& part : command.parts) take_policy_files(part, families);
    const auto policy = find_policy_option(command.options);
    if (policy == command.options.end()) return;
    const bool required = std::exchange(policy->required, false);
    const auto paths = std::make_shared<std::vector<std::string>>();
    command.options.insert(policy + 1,
                           {.names = "--policy-file",
                            .value = "FILE",
                            .target = paths.get(),
                            .meaning = "policy of your own: a C++ header or, for queueing, a text; FILE:NAME=VALUE,... "
                                       "sets its parameters; may be repeated; see docs/policy-language.md",
                            .repeated = true});
    command.run = [paths, required, families, run = std::move(command.run)](const OptionTable& given) {
        OptionTable options = given;
        read_files(*paths, required, families, options);
        const auto code =
            std::find_if(files().begin(), files().end(), [](const PolicyFile& f) { return !f.type.empty(); });
        const auto body = [&] { return run(options); };
        // No limits of time and memory: what users ask for may take long.
        return code == files().end() ? body() : run_beside_code(*code, {.file = std::uint64_t{1} << 50U}, body);
    };
}

int run_beside_code(const PolicyFile& file, const base::ProcessLimits& limits, const std::function<int()>& body) {
    const base::IsolatedEnd end =
        base::run_isolated([&] { return std::to_string(exit_code_of(body)); }, limits, base::Output::shared);
    if (end.answer) return std::stoi(*end.answer);
    const std::string wrong = policy_header::misbehaviour(end, limits);
    throw InputError::in_file(
        file.path, "expected a policy that only answers, but its code " + (wrong.empty() ? "ends the program" : wrong));
}

}  // namespace schedproof::cli
