/// The settings of Dynamo's frontend, as its sources have them (docs/zoo.md says which), and the rule of its router.
///
/// The cost of a worker is scale * max(0, prefill blocks - credit * cached blocks) + decode blocks. Work stands for
/// both kinds of blocks, so the scale must not weigh one against the other: it is 1, or one kind is not counted.
#include "experiments/input/routers/dynamo_settings.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "model/base/nearest.hpp"
#include "model/base/numeral.hpp"
#include "model/base/split.hpp"
#include "model/base/text.hpp"
#include "model/core/errors.hpp"

namespace schedproof::input {

namespace {

using Effect = DynamoEffect;

constexpr std::string_view predicted = "holders are what the router believes that is cached; here they are given";
constexpr std::string_view tiers = "caches of a worker are one here, in its device";
constexpr std::string_view waits = "requests may wait in the router, which the rule has not";
constexpr std::string_view busy = "a worker beyond it takes no request, which the rule does not follow";
constexpr std::string_view pools = "requests may pass over the pool of prefill, which the rule does not follow";
constexpr std::string_view elsewhere = "expected no policy of another file: import that file, which states the rule";
constexpr std::string_view bands =
    "expected false: bands of workers by the size of a request are no rule of the policy language";

constexpr std::array<DynamoSetting, 73> settings{{
    {"", "router-mode", "DYN_ROUTER_MODE", Effect::mode},
    {"", "load-aware", "DYN_ROUTER_LOAD_AWARE", Effect::load_aware, true},
    {"overlap_score_credit", "router-kv-overlap-score-credit", "DYN_ROUTER_KV_OVERLAP_SCORE_CREDIT", Effect::credit},
    {"overlap_score_credit_decay", "router-kv-overlap-score-credit-decay", "DYN_ROUTER_KV_OVERLAP_SCORE_CREDIT_DECAY",
     Effect::decay},
    {"overlap_score_weight", "router-kv-overlap-score-weight kv-overlap-score-weight",
     "DYN_ROUTER_KV_OVERLAP_SCORE_WEIGHT DYN_OVERLAP_SCORE_WEIGHT DYN_KV_OVERLAP_SCORE_WEIGHT", Effect::weight},
    {"prefill_load_scale", "router-prefill-load-scale", "DYN_ROUTER_PREFILL_LOAD_SCALE", Effect::scale},
    {"decode_active_request_weight", "router-decode-active-request-weight", "DYN_ROUTER_DECODE_ACTIVE_REQUEST_WEIGHT",
     Effect::requests},
    {"router_temperature", "router-temperature", "DYN_ROUTER_TEMPERATURE", Effect::temperature},
    {"router_track_active_blocks", "router-track-active-blocks track-active-blocks",
     "DYN_ROUTER_TRACK_ACTIVE_BLOCKS DYN_TRACK_ACTIVE_BLOCKS", Effect::blocks, true},
    {"router_track_prefill_tokens", "router-track-prefill-tokens", "DYN_ROUTER_TRACK_PREFILL_TOKENS", Effect::prefill,
     true},
    {"", "router-session-affinity-ttl-secs", "DYN_ROUTER_SESSION_AFFINITY_TTL_SECS", Effect::sessions},
    {"", "router-session-affinity-mode", "DYN_ROUTER_SESSION_AFFINITY_MODE", Effect::none},
    {"", "router-session-affinity-binding", "", Effect::noted, false, "",
     "sessions of one group share a worker; here a request has its own"},
    {"router_policy_config", "router-policy-config", "DYN_ROUTER_POLICY_CONFIG", Effect::refused, false, "None",
     elsewhere},
    {"", "router-prefill-policy", "DYN_ROUTER_PREFILL_POLICY", Effect::refused, false, "default", elsewhere},
    {"", "router-decode-policy", "DYN_ROUTER_DECODE_POLICY", Effect::refused, false, "default", elsewhere},
    {"", "", "DYN_ROUTER_WORKER_SELECTION_POLICY", Effect::refused, false, "default", elsewhere},
    {"sita_enabled", "", "", Effect::refused, true, "false", bands},
    {"sita_boundary_1", "", "", Effect::none},
    {"sita_boundary_2", "", "", Effect::none},
    {"sita_osl_weight", "", "", Effect::none},
    {"sita_small_band_share", "", "", Effect::none},
    {"sita_spill_threshold", "", "", Effect::none},
    {"host_cache_hit_weight", "router-host-cache-hit-weight", "DYN_ROUTER_HOST_CACHE_HIT_WEIGHT", Effect::noted_kv,
     false, "0", tiers},
    {"disk_cache_hit_weight", "router-disk-cache-hit-weight", "DYN_ROUTER_DISK_CACHE_HIT_WEIGHT", Effect::noted_kv,
     false, "0", tiers},
    {"shared_cache_multiplier", "shared-cache-multiplier", "DYN_SHARED_CACHE_MULTIPLIER", Effect::noted_kv, false, "0",
     tiers},
    {"shared_cache_type", "shared-cache-type", "DYN_SHARED_CACHE_TYPE", Effect::noted_kv, false, "none", tiers},
    {"use_kv_events", "router-kv-events kv-events", "DYN_ROUTER_USE_KV_EVENTS DYN_USE_KV_EVENTS DYN_KV_EVENTS",
     Effect::noted_kv, true, "true", predicted},
    {"router_predicted_ttl_secs", "router-predicted-ttl-secs", "DYN_ROUTER_PREDICTED_TTL_SECS", Effect::noted_kv, false,
     "None", predicted},
    {"router_track_output_blocks", "router-track-output-blocks track-output-blocks", "DYN_ROUTER_TRACK_OUTPUT_BLOCKS",
     Effect::noted_kv, true, "false", "the cost falls and grows as a request goes on; here its work is a mean"},
    {"router_assume_kv_reuse", "router-assume-kv-reuse assume-kv-reuse",
     "DYN_ROUTER_ASSUME_KV_REUSE DYN_ASSUME_KV_REUSE", Effect::noted_kv, true, "true",
     "blocks that requests share count for each of them, as they do here"},
    {"router_prefill_load_model", "router-prefill-load-model", "DYN_ROUTER_PREFILL_LOAD_MODEL", Effect::noted_kv, false,
     "none", "prefill is counted by a model of its time; here by work"},
    {"router_replica_sync", "router-replica-sync", "DYN_ROUTER_REPLICA_SYNC", Effect::noted, true, "false",
     "several routers know of each other's requests with a delay; here one router knows all"},
    {"router_queue_threshold", "router-queue-threshold", "DYN_ROUTER_QUEUE_THRESHOLD", Effect::noted_kv, false, "None",
     waits},
    {"router_queue_policy", "router-queue-policy", "DYN_ROUTER_QUEUE_POLICY", Effect::noted_kv, false, "fcfs", waits},
    {"router_queue_by_incoming_missing_isl", "", "", Effect::noted_kv, false, "", waits},
    {"conditional_disagg_enabled", "router-conditional-disagg", "DYN_ROUTER_CONDITIONAL_DISAGG", Effect::noted_kv, true,
     "false", pools},
    {"conditional_prefill_enabled", "router-conditional-prefill", "DYN_ROUTER_CONDITIONAL_PREFILL", Effect::noted_kv,
     true, "false", pools},
    {"conditional_prefill_max_new_tokens", "router-conditional-prefill-max-new-tokens",
     "DYN_ROUTER_CONDITIONAL_PREFILL_MAX_NEW_TOKENS", Effect::none},
    {"conditional_prefill_bypass_below_tokens", "", "", Effect::none},
    {"conditional_prefill_policy", "", "", Effect::none},
    {"conditional_prefill_disagg_above_tokens", "", "", Effect::none},
    {"conditional_prefill_regression_roomy_available_ratio", "", "", Effect::none},
    {"conditional_prefill_regression_roomy_queued_blocks", "", "", Effect::none},
    {"", "router-conditional-disagg-config", "DYN_ROUTER_CONDITIONAL_DISAGG_CONFIG", Effect::none},
    {"conditional_disagg_policy", "", "DYN_ROUTER_CONDITIONAL_DISAGG_POLICY", Effect::none},
    {"conditional_disagg_eff_isl_threshold", "", "DYN_ROUTER_CONDITIONAL_DISAGG_EFF_ISL_THRESHOLD", Effect::none},
    {"conditional_disagg_eff_isl_ratio_threshold", "", "DYN_ROUTER_CONDITIONAL_DISAGG_EFF_ISL_RATIO_THRESHOLD",
     Effect::none},
    {"conditional_disagg_prefill_busy_threshold", "", "DYN_ROUTER_CONDITIONAL_DISAGG_PREFILL_BUSY_THRESHOLD",
     Effect::none},
    {"conditional_disagg_decode_busy_threshold", "", "DYN_ROUTER_CONDITIONAL_DISAGG_DECODE_BUSY_THRESHOLD",
     Effect::none},
    {"", "busy-threshold", "", Effect::noted, false, "None", busy},
    {"", "active-decode-blocks-threshold", "DYN_ACTIVE_DECODE_BLOCKS_THRESHOLD", Effect::noted, false, "None", busy},
    {"", "active-prefill-tokens-threshold", "DYN_ACTIVE_PREFILL_TOKENS_THRESHOLD", Effect::noted, false, "None", busy},
    {"", "active-prefill-tokens-threshold-frac", "DYN_ACTIVE_PREFILL_TOKENS_THRESHOLD_FRAC", Effect::noted, false,
     "None", busy},
    {"", "admission-control", "DYN_ADMISSION_CONTROL", Effect::noted, false, "none", busy},
    {"durable_kv_events", "router-durable-kv-events durable-kv-events",
     "DYN_ROUTER_DURABLE_KV_EVENTS DYN_DURABLE_KV_EVENTS", Effect::none, true},
    {"router_ttl_secs", "router-ttl-secs router-ttl", "DYN_ROUTER_TTL_SECS DYN_ROUTER_TTL", Effect::none},
    {"", "router-approximate-cache-policy", "DYN_ROUTER_APPROXIMATE_CACHE_POLICY", Effect::none},
    {"", "router-max-tree-size", "DYN_ROUTER_MAX_TREE_SIZE", Effect::none},
    {"", "router-prune-target-ratio", "DYN_ROUTER_PRUNE_TARGET_RATIO", Effect::none},
    {"router_snapshot_threshold", "router-snapshot-threshold", "DYN_ROUTER_SNAPSHOT_THRESHOLD", Effect::none},
    {"router_reset_states", "router-reset-states", "DYN_ROUTER_RESET_STATES", Effect::none, true},
    {"router_event_threads", "router-event-threads", "DYN_ROUTER_EVENT_THREADS", Effect::none},
    {"router_tracking_hash", "router-tracking-hash", "DYN_ROUTER_TRACKING_HASH", Effect::none},
    {"router_tracking_key_file", "router-tracking-key-file", "DYN_ROUTER_TRACKING_KEY_FILE", Effect::none},
    {"router_tracking_key_id", "router-tracking-key-id", "DYN_ROUTER_TRACKING_KEY_ID", Effect::none},
    {"skip_initial_worker_wait", "", "", Effect::none, true},
    {"use_remote_indexer", "use-remote-indexer", "DYN_USE_REMOTE_INDEXER", Effect::none, true},
    {"serve_indexer", "serve-indexer", "", Effect::none, true},
    {"", "enable-session-prefix-index", "DYN_ENABLE_SESSION_PREFIX_INDEX", Effect::none, true},
    {"", "router-min-initial-workers", "DYN_ROUTER_MIN_INITIAL_WORKERS", Effect::none},
    {"", "enforce-disagg", "DYN_ENFORCE_DISAGG", Effect::none, true},
    {"", "kv-cache-block-size", "DYN_KV_CACHE_BLOCK_SIZE", Effect::none},
}};

std::string_view words_of_form(const DynamoSetting& setting, DynamoForm form) {
    return form == DynamoForm::key ? setting.key : form == DynamoForm::flag ? setting.flags : setting.variables;
}

constexpr std::array<std::string_view, 5> modes{"round-robin", "random", "power-of-two", "least-loaded", "kv"};

/// Why the other modes are no rules of the policy language.
std::string_view why_not_mode(std::string_view mode) {
    if (mode == "direct") return "each request names its worker";
    if (mode == "device-aware-weighted") return "it divides requests by kinds of devices";
    return "it is not among those read here";
}

RouterRule zoo_rule(std::string zoo, std::string values = "", bool homes = false) {
    RouterRule rule;
    rule.zoo = std::move(zoo);
    rule.values = std::move(values);
    rule.homes = homes;
    return rule;
}

}  // namespace

const DynamoSetting* dynamo_setting(std::string_view word, DynamoForm form) {
    for (const DynamoSetting& setting : settings)
        for (const std::string_view known : base::split_words(words_of_form(setting, form)))
            if (known == word) return &setting;
    return nullptr;
}

std::vector<std::string_view> dynamo_words(DynamoForm form) {
    std::vector<std::string_view> words;
    for (const DynamoSetting& setting : settings)
        for (const std::string_view known : base::split_words(words_of_form(setting, form))) words.push_back(known);
    return words;
}

void DynamoSettings::set(const DynamoSetting& setting, std::string key, std::string text, std::size_t line) {
    const auto old =
        std::find_if(values_.begin(), values_.end(), [&](const Value& one) { return one.setting == &setting; });
    if (old != values_.end()) values_.erase(old);
    values_.push_back({&setting, std::move(key), std::move(text), line});
    const Value& now = values_.back();
    if (setting.is_switch && now.text != "true" && now.text != "false")
        fail(now, fmt::format("expected true or false, not {}", base::shown(now.text)));
}

void DynamoSettings::fail(const Value& value, std::string expected) const {
    throw InputError::at_line(file_, value.line, value.key, std::move(expected));
}

const DynamoSettings::Value* DynamoSettings::value(DynamoEffect effect) const {
    const auto found = std::find_if(values_.begin(), values_.end(), [&](const Value& one) {
        return one.setting->effect == effect && one.text != "None";
    });
    return found == values_.end() ? nullptr : &*found;
}

Rational DynamoSettings::number(DynamoEffect effect, const Rational& otherwise) const {
    const Value* at = value(effect);
    if (at == nullptr) return otherwise;
    const auto parsed = Rational::parse(at->text);
    if (!parsed) fail(*at, parsed.error());
    if (parsed->sign() < 0) fail(*at, "expected a number of at least 0");
    return *parsed;
}

bool DynamoSettings::is_on(DynamoEffect effect, bool otherwise) const {
    const Value* at = value(effect);
    return at == nullptr ? otherwise : at->text == "true";
}

void DynamoSettings::expect_zero(DynamoEffect effect, std::string_view why) const {
    if (number(effect, 0).sign() > 0) fail(*value(effect), fmt::format("expected 0: {}", why));
}

/// A session with a time to live is bound to its worker, in every mode.
bool DynamoSettings::keeps_sessions() const {
    const Value* at = value(Effect::sessions);
    if (at == nullptr) return false;
    if (const auto seconds = base::parse_numeral<std::int64_t>(at->text); !seconds || *seconds < 1)
        fail(*at,
             fmt::format("expected seconds, a whole number of at least 1, or None, not {}", base::shown(at->text)));
    return true;
}

void DynamoSettings::write(RouterConfig& config, std::string_view mode, const std::string& key,
                           std::size_t line) const {
    const Value* at = value(Effect::mode);
    const std::string chosen = is_on(Effect::load_aware, false) ? "kv" : at != nullptr ? at->text : std::string(mode);
    const bool is_kv = chosen == "kv";
    write_notes(config, is_kv);
    const bool has_sessions = keeps_sessions();
    if (!is_kv)
        write_mode(config, chosen);
    else if (!has_sessions)
        write_cost(config, key, line);
    if (!has_sessions) return;
    config.rule = zoo_rule("home", "", true);
    const Value& session = *value(Effect::sessions);
    config.notes.push_back({session.line, session.key,
                            "a session keeps its worker; that its first request joins by the mode is left out"});
}

void DynamoSettings::write_notes(RouterConfig& config, bool is_kv) const {
    for (const Value& one : values_) {
        if (one.text == one.setting->quiet || one.text == "None") continue;
        if (one.setting->effect == Effect::refused) fail(one, std::string(one.setting->says));
        if (one.setting->effect == Effect::noted || (is_kv && one.setting->effect == Effect::noted_kv))
            config.notes.push_back({one.line, one.key, std::string(one.setting->says)});
    }
}

void DynamoSettings::write_mode(RouterConfig& config, const std::string& mode) const {
    const Value* at = value(Effect::mode);
    if (std::find(modes.begin(), modes.end(), mode) == modes.end())
        fail(*at, fmt::format("expected a mode that the policy language can say, not {}: {}{}", base::shown(mode),
                              why_not_mode(mode), base::did_you_mean(mode, modes)));
    if (at != nullptr && mode == "round-robin")
        config.notes.push_back({at->line, at->key, "workers take turns; here one is drawn, with the same shares"});
    config.rule = zoo_rule(mode == "power-of-two" ? "two-choices" : mode == "least-loaded" ? "shortest" : "random");
}

struct DynamoSettings::Cost {
    Rational credit = 1, scale = 1;
    bool prefill = true, decode = true;
};

/// The preset of load-aware routing counts both kinds of blocks and gives no credit.
DynamoSettings::Cost DynamoSettings::cost() const {
    Cost cost;
    cost.credit = number(Effect::credit, 1);
    cost.scale = number(Effect::scale, 1);
    if (value(Effect::weight) != nullptr) cost.scale = number(Effect::weight, 1);
    const bool preset = is_on(Effect::load_aware, false);
    if (preset) cost.credit = 0;
    cost.prefill = (preset || is_on(Effect::prefill, true)) && cost.scale.sign() > 0;
    cost.decode = preset || is_on(Effect::blocks, true);
    return cost;
}

void DynamoSettings::write_cost(RouterConfig& config, const std::string& key, std::size_t line) const {
    const Cost cost = this->cost();
    expect_zero(Effect::temperature,
                "a temperature draws workers by exponentials of their costs, which no piecewise linear rule does");
    if (!cost.prefill) {
        const bool counts = cost.decode || number(Effect::requests, 0).sign() > 0;
        config.rule = zoo_rule(counts ? "shortest" : "random");
        if (counts)
            config.notes.push_back({line, key, "blocks in decoding are counted; here requests, as if of one length"});
        return;
    }
    if (cost.decode && cost.scale != Rational(1)) {
        const Value* at = value(Effect::weight);
        fail(at != nullptr ? *at : *value(Effect::scale),
             "expected 0 or 1: another number weighs work in prefill against work in decoding, which are one in the "
             "policy language");
    }
    expect_zero(Effect::requests, "the policy language does not add requests to work");
    if (cost.credit.sign() > 0)
        expect_zero(Effect::decay, "a credit that decays divides by a load, which no piecewise linear rule does");
    if (cost.credit > Rational(1))
        fail(*value(Effect::credit),
             "expected a credit from 0 to 1: beyond it the cost of prefill is cut at 0, and the policy language has no "
             "work in prefill alone");
    config.rule = zoo_rule("cost", "c=" + cost.credit.to_string(), cost.credit.sign() > 0);
    if (cost.credit.sign() > 0 && cost.credit < Rational(1)) {
        config.rule.zoo.clear();
        config.rule.values.clear();
        config.rule.route =
            fmt::format("argmin(servers, server_workload + {} * tasks(1) / rate)", cost.credit.to_string());
        config.rule.summary =
            fmt::format("join the worker of least work with {} of the request's own there", cost.credit.to_string());
    }
    config.notes.push_back({line, key, "blocks in prefill and in decoding are counted; here work in slots"});
}

}  // namespace schedproof::input
