/// What the router of NVIDIA Dynamo is told by flags, variables of the environment and keys, and the rule that follows.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/input/routers/router_config.hpp"

namespace schedproof::input {

/// What a setting does to the choice of a worker.
enum class DynamoEffect {
    mode,
    load_aware,
    credit,
    decay,
    weight,
    scale,
    requests,
    temperature,
    blocks,
    prefill,
    sessions,
    refused,   ///< the rule would be another one
    noted,     ///< left out, in every mode
    noted_kv,  ///< left out, where the mode looks at caches
    none,      ///< it says nothing of which worker a request goes to
};

struct DynamoSetting {
    std::string_view key;        ///< in the JSON of the router's settings; empty where it is not among them
    std::string_view flags;      ///< of the frontend, without dashes: the present one, then older ones
    std::string_view variables;  ///< of the environment, in the same order
    DynamoEffect effect;
    bool is_switch = false;
    std::string_view quiet = {};  ///< the value that changes nothing
    std::string_view says = {};   ///< what is left out, or what was expected
};

enum class DynamoForm { key, flag, variable };

/// Null where no setting is called so.
[[nodiscard]] const DynamoSetting* dynamo_setting(std::string_view word, DynamoForm form);
/// All words of a form, for the nearest one.
[[nodiscard]] std::vector<std::string_view> dynamo_words(DynamoForm form);

/// The values that a file gives, and the rule of a router with these.
class DynamoSettings {
  public:
    /// Requires `file` to outlive the settings.
    explicit DynamoSettings(const std::string& file) : file_(file) {}

    /// A later value replaces an earlier one. `key`: as it stands in the file.
    void set(const DynamoSetting& setting, std::string key, std::string text, std::size_t line);
    /// The rule and the notes of a router whose mode is `mode` unless a setting says otherwise; it stands at `line` and
    /// is called `key` there. Throws InputError where the rule cannot be said in the policy language.
    void write(RouterConfig& config, std::string_view mode, const std::string& key, std::size_t line) const;
    /// What the settings change that a rule leaves out. `is_kv`: the rule looks at caches.
    void write_notes(RouterConfig& config, bool is_kv) const;

  private:
    struct Value {
        const DynamoSetting* setting;
        std::string key, text;
        std::size_t line;
    };
    struct Cost;

    [[nodiscard]] const Value* value(DynamoEffect effect) const;
    [[noreturn]] void fail(const Value& value, std::string expected) const;
    [[nodiscard]] Rational number(DynamoEffect effect, const Rational& otherwise) const;
    [[nodiscard]] bool is_on(DynamoEffect effect, bool otherwise) const;
    [[nodiscard]] Cost cost() const;
    void expect_zero(DynamoEffect effect, std::string_view why) const;
    void write_mode(RouterConfig& config, const std::string& mode) const;
    void write_cost(RouterConfig& config, const std::string& key, std::size_t line) const;
    [[nodiscard]] bool keeps_sessions() const;

    const std::string& file_;
    std::vector<Value> values_;
};

}  // namespace schedproof::input
