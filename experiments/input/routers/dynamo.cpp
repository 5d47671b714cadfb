/// Dynamo's frontend: commands that start it, in a script, and deployments of Kubernetes; and the JSON of the settings.
///
/// A flag counts more than a variable of the environment, as in the frontend.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>

#include "experiments/input/routers/dynamo_policy.hpp"
#include "experiments/input/routers/dynamo_settings.hpp"
#include "experiments/input/routers/entries.hpp"
#include "experiments/input/text/yaml_document.hpp"
#include "model/base/cursor.hpp"
#include "model/base/nearest.hpp"
#include "model/base/split.hpp"
#include "model/base/text.hpp"
#include "model/core/errors.hpp"

namespace schedproof::input {

namespace {

using base::Cursor;

constexpr std::string_view module = "dynamo.frontend";
/// Far above any script: each frontend has what was exported before it.
constexpr std::size_t most_frontends = 100, most_variables = 1000, most_workers = 1000;

struct FrontendWord {
    std::string text;
    std::size_t line;
};
struct FrontendVariable {
    std::string name, text;
    std::size_t line;
};
struct Frontend {
    std::string name;
    std::size_t line = 0;
    std::vector<FrontendVariable> variables;
    std::vector<FrontendWord> words;                      // what follows the module
    std::shared_ptr<const std::vector<Backend>> workers;  // of a deployment, the same for all its frontends
};

/// Flags of the frontend that say nothing of its router.
constexpr std::array<std::string_view, 11> flags_elsewhere{
    "http-host", "http-port",         "port",     "tls-cert-path", "tls-key-path",  "tls-client-ca-cert-path",
    "namespace", "discovery-backend", "store-kv", "request-plane", "metrics-prefix"};

std::vector<FrontendWord> after_module(const std::vector<FrontendWord>& words) {
    const auto at =
        std::find_if(words.begin(), words.end(), [](const FrontendWord& word) { return word.text == module; });
    return at == words.end() ? words : std::vector<FrontendWord>(at + 1, words.end());
}

std::optional<FrontendVariable> assignment(const FrontendWord& word) {
    const std::size_t equals = word.text.find('=');
    if (equals == std::string::npos || equals == 0 || word.text.front() == '-') return std::nullopt;
    return FrontendVariable{word.text.substr(0, equals), word.text.substr(equals + 1), word.line};
}

/// The commands of a script that start a frontend.
class FrontendScript {
  public:
    explicit FrontendScript(const std::string& file) : file_(file) {}

    std::vector<Frontend> run(std::string_view text) {
        std::size_t number = 0;
        for (const std::string_view line : base::split(text, '\n')) {
            ++number;
            std::vector<std::string> words = quoted_words(line);
            const bool goes_on = !words.empty() && words.back() == "\\";
            if (goes_on) words.pop_back();
            for (std::string& word : words) {
                if (word == "&" || word == "&&" || word == "|" || word == "||" || word == ";")
                    end_command();
                else
                    command_.push_back({std::move(word), number});
            }
            if (!goes_on) end_command();
        }
        end_command();
        for (std::size_t i = 0; frontends_.size() > 1 && i < frontends_.size(); ++i)
            frontends_[i].name += fmt::format("-{}", i + 1);
        return std::move(frontends_);
    }

  private:
    void end_command() {
        const std::vector<FrontendWord> command = std::move(command_);
        command_.clear();
        if (command.empty()) return;
        const auto at =
            std::find_if(command.begin(), command.end(), [](const FrontendWord& word) { return word.text == module; });
        if (at == command.end()) {
            if (command.front().text == "export") read_assignments(command, exported_);
            return;
        }
        if (frontends_.size() == most_frontends)
            throw InputError::at_line(file_, at->line, fmt::format("expected at most {} frontends", most_frontends));
        Frontend frontend{"frontend", at->line, exported_, {at + 1, command.end()}, nullptr};
        read_assignments({command.begin(), at}, frontend.variables);
        frontends_.push_back(std::move(frontend));
    }

    void read_assignments(const std::vector<FrontendWord>& words, std::vector<FrontendVariable>& variables) const {
        for (const FrontendWord& word : words)
            if (const auto variable = assignment(word)) {
                if (variables.size() == most_variables)
                    throw InputError::at_line(file_, word.line,
                                              fmt::format("expected at most {} variables", most_variables));
                variables.push_back(*variable);
            }
    }

    const std::string& file_;
    std::vector<FrontendWord> command_;
    std::vector<FrontendVariable> exported_;
    std::vector<Frontend> frontends_;
};

void read_variables_of(const Frontend& frontend, const std::string& file, DynamoSettings& settings) {
    for (const FrontendVariable& one : frontend.variables) {
        const DynamoSetting* setting = dynamo_setting(one.name, DynamoForm::variable);
        if (setting != nullptr)
            settings.set(*setting, one.name, one.text, one.line);
        else if (const std::vector<std::string_view> known = dynamo_words(DynamoForm::variable);
                 one.name.starts_with("DYN_ROUTER") ||
                 (one.name.starts_with("DYN_") && base::nearest_match(one.name, known)))
            throw InputError::at_line(file, one.line, base::shown(one.name),
                                      "expected a variable that is known here" + base::did_you_mean(one.name, known));
    }
}

/// A flag: its setting, whether it stands with `no-`, and the value behind an equals sign.
struct FrontendFlag {
    std::string name;
    const DynamoSetting* setting = nullptr;
    bool is_negated = false;
    std::optional<std::string> text;
};

FrontendFlag frontend_flag(const std::string& word) {
    FrontendFlag flag;
    const std::size_t equals = word.find('=');
    flag.name = word.substr(2, equals == std::string::npos ? equals : equals - 2);
    if (equals != std::string::npos) flag.text = word.substr(equals + 1);
    flag.setting = dynamo_setting(flag.name, DynamoForm::flag);
    if (flag.setting == nullptr && flag.name.starts_with("no-")) {
        flag.setting = dynamo_setting(flag.name.substr(3), DynamoForm::flag);
        flag.is_negated = flag.setting != nullptr;
    }
    return flag;
}

void refuse_or_note(const FrontendFlag& flag, std::size_t line, const std::string& file, RouterConfig& config) {
    if (std::find(flags_elsewhere.begin(), flags_elsewhere.end(), flag.name) != flags_elsewhere.end()) return;
    const std::vector<std::string_view> known = dynamo_words(DynamoForm::flag);
    if (flag.name.starts_with("router-") || base::nearest_match(flag.name, known))
        throw InputError::at_line(file, line, base::shown("--" + flag.name),
                                  "expected a flag that is known here" + base::did_you_mean(flag.name, known));
    config.notes.push_back({line, "--" + flag.name, "it is not read here, and left out"});
}

void read_flags_of(const Frontend& frontend, const std::string& file, DynamoSettings& settings, RouterConfig& config) {
    const std::vector<FrontendWord>& words = frontend.words;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (!words[i].text.starts_with("--") || words[i].text.size() == 2) continue;
        const std::size_t line = words[i].line;
        FrontendFlag flag = frontend_flag(words[i].text);
        const std::string key = words[i].text.substr(0, words[i].text.find('='));
        if (flag.setting == nullptr) {
            refuse_or_note(flag, line, file, config);
            continue;
        }
        if (flag.setting->is_switch) {
            if (flag.text) throw InputError::at_line(file, line, key, "expected no value behind a switch");
            flag.text = flag.is_negated ? "false" : "true";
        } else if (flag.is_negated) {
            throw InputError::at_line(file, line, key, "expected a flag with a value, without no-");
        } else if (!flag.text) {
            if (i + 1 == words.size() || words[i + 1].text.starts_with("--"))
                throw InputError::at_line(file, line, key, "expected a value");
            flag.text = words[++i].text;
        }
        settings.set(*flag.setting, key, *flag.text, line);
    }
}

RouterConfig config_of(const Frontend& frontend, const std::string& file) {
    RouterConfig config;
    config.kind = "Dynamo frontend";
    config.name = frontend.name;
    if (frontend.workers) config.backends = *frontend.workers;
    DynamoSettings settings(file);
    read_variables_of(frontend, file, settings);
    read_flags_of(frontend, file, settings, config);
    settings.write(config, "round-robin", frontend.name, frontend.line);
    return config;
}

RouterConfig chosen_frontend(const std::vector<Frontend>& frontends, const std::string& file, const std::string& name) {
    std::vector<std::string> names;
    for (const Frontend& frontend : frontends) names.push_back(frontend.name);
    return config_of(frontends[place_of_name(names, name)], file);
}

/// A container of a deployment: `env`, and `command` with `args`, each of which may be several words.
void read_container(const Cursor& container, std::string_view variables, Frontend& frontend) {
    if (const auto list = entry_of(container, variables))
        for (const Cursor& at : list->items("a list of variables")) {
            const Cursor name = needed(at, "name", "a name");
            const auto text = entry_of(at, "value");
            frontend.variables.push_back({name.text("a name"), text ? dynamo_text(*text) : "", name.node().line});
        }
    std::vector<FrontendWord> words;
    for (const char* key : {"command", "args"})
        if (const auto list = entry_of(container, key))
            for (const Cursor& at : list->items("a list of words"))
                for (std::string& word : quoted_words(dynamo_text(at)))
                    words.push_back({std::move(word), at.node().line});
    words = after_module(words);
    frontend.words.insert(frontend.words.end(), words.begin(), words.end());
}

/// A service of v1alpha1, below `services`.
void read_service(const base::Field& field, const Cursor& service, std::vector<Frontend>& frontends,
                  std::vector<Backend>& workers) {
    const auto type = entry_of(service, "componentType");
    if (!type) return;
    const std::string& kind = type->text("a type, such as frontend");
    if (kind == "worker") {
        const auto replicas = entry_of(service, "replicas");
        const std::uint64_t count = replicas ? replicas->count(0, most_workers, "replicas from 0 to 1000") : 1;
        if (workers.size() + count > most_workers) service.fail("expected at most 1000 workers in all");
        for (std::uint64_t i = 0; i < count; ++i)
            workers.push_back({fmt::format("{}-{}", field.key, i), 1, service.node().line});
    }
    if (kind != "frontend") return;
    Frontend frontend{field.key, service.node().line, {}, {}, nullptr};
    read_container(service, "envs", frontend);
    if (const auto pod = entry_of(service, "extraPodSpec"))
        if (const auto container = entry_of(*pod, "mainContainer")) read_container(*container, "env", frontend);
    frontends.push_back(std::move(frontend));
}

/// A component of v1beta1, in the list `components`.
void read_component(const Cursor& component, std::vector<Frontend>& frontends) {
    const auto type = entry_of(component, "type");
    if (!type || type->text("a type, such as frontend") != "frontend") return;
    Frontend frontend{needed(component, "name", "its name").text("a name"), component.node().line, {}, {}, nullptr};
    if (const auto pod = entry_of(component, "podTemplate"))
        for (const Cursor& container :
             needed(needed(*pod, "spec", "a specification"), "containers", "a list of containers")
                 .items("a list of containers"))
            read_container(container, "env", frontend);
    frontends.push_back(std::move(frontend));
}

std::vector<Frontend> deployed_frontends(const Cursor& root) {
    std::vector<Frontend> frontends;
    std::vector<Backend> workers;
    const Cursor spec = needed(root, "spec", "a specification");
    if (const auto services = entry_of(spec, "services"))
        for (const base::Field& field : services->table("services by name"))
            read_service(field, services->entry(field), frontends, workers);
    if (const auto components = entry_of(spec, "components"))
        for (const Cursor& component : components->items("a list of components")) read_component(component, frontends);
    if (frontends.empty()) spec.fail("expected a frontend, by componentType in services or by type in components");
    const auto shared = std::make_shared<const std::vector<Backend>>(std::move(workers));
    for (Frontend& frontend : frontends) frontend.workers = shared;
    return frontends;
}

/// The JSON of the settings of a router, whose mode is kv.
RouterConfig config_of_settings(const Cursor& root, const std::string& file) {
    RouterConfig config;
    config.kind = "Dynamo router";
    config.name = "router";
    DynamoSettings settings(file);
    for (const base::Field& field : root.table("settings of a router")) {
        const Cursor at = root.entry(field);
        const DynamoSetting* setting = dynamo_setting(field.key, DynamoForm::key);
        if (setting == nullptr)
            at.fail("expected a setting that is known here" +
                    base::did_you_mean(field.key, dynamo_words(DynamoForm::key)));
        const bool is_list = at.is_array();  // of limits of a queue
        settings.set(*setting, field.key, is_list ? (at.array("a list").empty() ? "" : "a list") : dynamo_text(at),
                     at.node().line);
    }
    settings.write(config, "kv", "router", root.node().line);
    return config;
}

bool is_deployment(const Cursor& root) {
    const auto kind = root.is_table() ? root.find("kind") : std::nullopt;
    return kind && kind->is_text() && kind->text("a kind") == "DynamoGraphDeployment";
}

bool is_policy(const Cursor& root) {
    if (!root.is_table()) return false;
    const base::Node::Table& fields = root.table("a policy");
    return std::any_of(fields.begin(), fields.end(),
                       [](const base::Field& field) { return is_dynamo_policy_key(field.key); });
}

}  // namespace

RouterConfig read_dynamo(std::string_view text, const std::string& file, const std::string& name,
                         std::uint64_t tokens) {
    if (text.find("DynamoGraphDeployment") == std::string_view::npos) {
        const std::vector<Frontend> started = FrontendScript(file).run(text);
        if (!started.empty()) return chosen_frontend(started, file, name);
    }
    const std::vector<base::Node> documents = parse_yaml(text, file);
    std::vector<Frontend> deployed;
    for (const base::Node& document : documents) {
        const Cursor root(document, file);
        if (!is_deployment(root)) continue;
        for (Frontend& frontend : deployed_frontends(root)) deployed.push_back(std::move(frontend));
    }
    if (!deployed.empty()) return chosen_frontend(deployed, file, name);
    if (documents.size() != 1) throw InputError::in_file(file, "expected one document, or deployments of Dynamo");
    const Cursor root(documents.front(), file);
    return is_policy(root) ? read_dynamo_policy(root, name, tokens) : config_of_settings(root, file);
}

}  // namespace schedproof::input
