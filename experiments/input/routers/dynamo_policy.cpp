/// The instance of a policy that a stage selects, by its type: each type has a rule, or a reason why it has none.
///
/// Thresholds in tokens are taken for multiples of a request's own work, since work in prefill is what they compare.
#include "experiments/input/routers/dynamo_policy.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "experiments/input/routers/dynamo_settings.hpp"
#include "experiments/input/routers/entries.hpp"
#include "model/base/nearest.hpp"
#include "model/base/text.hpp"
#include "model/core/errors.hpp"

namespace schedproof::input {

namespace {

using base::Cursor;

constexpr std::array<std::string_view, 7> policy_keys{
    "worker_selection",     "router", "request_classifier", "default_policy_family", "policy_classes",
    "uncached_isl_buckets", "models"};
constexpr std::array<std::string_view, 4> stages{"aggregated", "prefill", "decode", "encode"};

/// Types of which the rule cannot be said, and why.
struct UnsaidType {
    std::string_view type, why;
};
constexpr std::array<UnsaidType, 7> unsaid{{{"chwbl", "requests try workers in an order of their own, by hashes"},
                                            {"dynamo-jsew", "loads are raised to powers"},
                                            {"dynamo-direct", "each request names its worker"},
                                            {"dynamo-device-aware-weighted", "it divides requests by kinds of devices"},
                                            {"dualmap", "its source was not read here"},
                                            {"ramjet", "its source was not read here"},
                                            {"thunderagent", "its source was not read here"}}};

constexpr std::uint64_t most_requests = 1'000'000;

class DynamoInstance {
  public:
    DynamoInstance(const Cursor& root, std::uint64_t tokens) : root_(root), tokens_(tokens), settings_(root.file()) {
        config_.kind = "Dynamo policy";
    }

    RouterConfig run(const std::string& name) {
        for (const base::Field& field : root_.table("a policy"))
            if (!is_dynamo_policy_key(field.key))
                root_.entry(field).fail("expected a known key" + base::did_you_mean(field.key, policy_keys));
        for (const char* key :
             {"request_classifier", "default_policy_family", "policy_classes", "uncached_isl_buckets", "models"})
            if (const auto at = entry_of(root_, key))
                note(*at, key, "requests may wait in queues of the router, by their class, which the rule has not");
        if (const auto router = entry_of(root_, "router")) read_router(*router);
        if (const auto selection = entry_of(root_, "worker_selection"))
            select(*selection, name);
        else
            built_in(root_, "router");
        return std::move(config_);
    }

  private:
    void note(const Cursor& at, std::string key, std::string says) {
        config_.notes.push_back({at.node().line, std::move(key), std::move(says)});
    }

    void set(const Cursor& at, std::string_view key) {
        settings_.set(*dynamo_setting(key, DynamoForm::key), std::string(key), dynamo_text(at), at.node().line);
    }

    /// The settings that the frontend may state in this file too.
    void read_router(const Cursor& router) {
        router.expect_table("settings of the router");
        router.allow_only({"host_cache_hit_weight",
                           "disk_cache_hit_weight",
                           "use_kv_events",
                           "router_replica_sync",
                           "router_track_active_blocks",
                           "router_track_output_blocks",
                           "router_assume_kv_reuse",
                           "router_track_prefill_tokens",
                           "router_tracking_hash",
                           "router_tracking_key_file",
                           "router_tracking_key_id",
                           "router_prefill_load_model",
                           "router_ttl_secs",
                           "router_approximate_cache_policy",
                           "router_event_threads",
                           "use_remote_indexer",
                           "serve_indexer",
                           "enable_session_prefix_index",
                           "shared_cache_type",
                           "router_predicted_ttl_secs"});
        for (const base::Field& field : router.table("settings of the router"))
            if (dynamo_setting(field.key, DynamoForm::key) != nullptr) set(router.entry(field), field.key);
    }

    /// Dynamo's own rule, where no instance states another.
    void built_in(const Cursor& at, const std::string& key) {
        config_.name = "default";
        settings_.write(config_, "kv", key, at.node().line);
    }

    void select(const Cursor& selection, const std::string& name) {
        selection.expect_table("stages and instances");
        selection.allow_only({"aggregated", "prefill", "decode", "encode", "instances"});
        std::vector<Cursor> instances;
        std::vector<std::string> names;
        if (const auto list = entry_of(selection, "instances"))
            for (const Cursor& at : list->items("a list of instances")) {
                at.expect_table("an instance");
                at.allow_only({"name", "type", "parameters"});
                instances.push_back(at);
                const Cursor own = needed(at, "name", "the instance's name");
                if (const std::string& one = own.text("a name");
                    one == "default" || std::find(names.begin(), names.end(), one) != names.end())
                    own.fail(fmt::format("expected another name than {}", base::shown(one)));
                names.push_back(own.text("a name"));
            }
        const std::string chosen = chosen_instance(selection, names, name);
        const auto found = std::find(names.begin(), names.end(), chosen);
        if (found == names.end()) return built_in(selection, "worker_selection");
        config_.name = chosen;
        instance(instances[static_cast<std::size_t>(found - names.begin())]);
    }

    /// By --name, or the one that all stages select; Dynamo's own is `default`.
    std::string chosen_instance(const Cursor& selection, std::vector<std::string> names, const std::string& name) {
        names.emplace_back("default");
        std::vector<std::string> selected;
        for (const std::string_view stage : stages)
            if (const auto at = entry_of(selection, stage)) {
                const std::string& one = at->text("the name of an instance");
                if (std::find(names.begin(), names.end(), one) == names.end())
                    at->fail(fmt::format("expected an instance of the list, not {}{}", base::shown(one),
                                         base::did_you_mean(one, names)));
                if (std::find(selected.begin(), selected.end(), one) == selected.end()) selected.push_back(one);
            }
        if (selected.empty()) {
            note(selection, "worker_selection", "no stage selects an instance, so the rule is Dynamo's own");
            selected.emplace_back("default");
        }
        const std::string chosen =
            name.empty() ? selected[place_of_name(selected, name)] : names[place_of_name(names, name)];
        read_stages(selection, chosen);
        return chosen;
    }

    /// A pool of prefill alone counts no blocks in decoding, and one of decoding none in prefill.
    void read_stages(const Cursor& selection, const std::string& chosen) {
        const auto is_of = [&](std::string_view stage) {
            const auto at = entry_of(selection, stage);
            return at && at->text("the name of an instance") == chosen;
        };
        if (is_of("aggregated") || is_of("prefill") == is_of("decode")) return;
        const std::string stage = is_of("prefill") ? "prefill" : "decode";
        const Cursor at = selection.require(stage, "the name of an instance");
        note(at, stage, fmt::format("requests go through two pools; the rule is that of {}", stage));
        const std::string_view off = stage == "prefill" ? "router_track_active_blocks" : "router_track_prefill_tokens";
        settings_.set(*dynamo_setting(off, DynamoForm::key), stage, "false", at.node().line);
    }

    void instance(const Cursor& at) {
        const Cursor type_at = needed(at, "type", "what it is");
        const std::string& type = type_at.text("a type");
        const base::Node none{base::Node::Table{}, at.node().line};
        const auto given = entry_of(at, "parameters");
        const Cursor parameters = given ? *given : Cursor(none, root_.file(), "parameters");
        parameters.expect_table("parameters by name");
        for (const Reader& reader : readers)
            if (reader.type == type) {
                if (reader.read != &DynamoInstance::read_cost) settings_.write_notes(config_, reader.looks_at_caches);
                return (this->*reader.read)(parameters, type_at);
            }
        unknown_type(type_at, type);
    }

    [[noreturn]] static void unknown_type(const Cursor& type_at, const std::string& type) {
        std::vector<std::string_view> known;
        for (const Reader& reader : readers) known.push_back(reader.type);
        for (const UnsaidType& one : unsaid)
            if (one.type == type)
                type_at.fail(
                    fmt::format("expected a type that the policy language can say, not {}: {}", type, one.why));
        type_at.fail(fmt::format("expected a type that is known here, not {}{}", base::shown(type),
                                 base::did_you_mean(type, known)));
    }

    void read_cost(const Cursor& parameters, const Cursor& type) {
        parameters.allow_only({"overlap_score_credit", "overlap_score_credit_decay", "prefill_load_scale",
                               "decode_active_request_weight", "host_cache_hit_weight", "disk_cache_hit_weight",
                               "shared_cache_multiplier", "router_temperature", "seed"});
        for (const base::Field& field : parameters.table("parameters"))
            if (field.key != "seed") set(parameters.entry(field), field.key);
        settings_.write(config_, "kv", "type", type.node().line);
    }

    void read_two_tiers(const Cursor& parameters, const Cursor& type) {
        if (const auto adaptive = entry_of(parameters, "adaptive"))
            adaptive->fail("expected thresholds: those that adapt follow what has happened, which no rule sees");
        parameters.allow_only({"cache_threshold", "balance_abs_threshold", "balance_rel_threshold"});
        const std::uint64_t abs = count(parameters, "balance_abs_threshold", 32);
        const Rational rel = number(parameters, "balance_rel_threshold", Rational(Integer(11), Integer(10)));
        if (rel < Rational(1)) entry_of(parameters, "balance_rel_threshold")->fail("expected a ratio of at least 1");
        const Rational cached = share(parameters, "cache_threshold", Rational(Integer(1), Integer(2)));
        if (cached == Rational(1)) {
            config_.rule.zoo = "shortest";  // no share of a prompt is greater
            return;
        }
        config_.rule.zoo = "two-tiers";
        config_.rule.values = fmt::format("abs={},rel={}", abs, rel.to_string());
        config_.rule.homes = true;
        note(type, "type", "of several holders the least loaded is taken; here one is drawn");
        if (const auto at = entry_of(parameters, "cache_threshold"))
            note(*at, "cache_threshold", "holders have all of a prompt here, which is above it");
    }

    /// The load of a worker is its work with this request's own, cut where the queue's threshold is.
    void read_sticky(const Cursor& parameters, const Cursor& type) {
        parameters.allow_only({"affinity_threshold", "max_ttft_penalty_ms", "ttft_source",
                               "peak_prefill_tokens_per_second", "queue_threshold_tokens"});
        if (const auto source = entry_of(parameters, "ttft_source"))
            if (const std::string& word = source->text("auto or throughput"); word != "auto" && word != "throughput")
                source->fail("expected auto or throughput: the times of a model are not in the file");
        const Rational penalty = number(parameters, "max_ttft_penalty_ms", 18'000);
        const Rational speed = number(parameters, "peak_prefill_tokens_per_second", 15'928);
        if (speed.sign() == 0) entry_of(parameters, "peak_prefill_tokens_per_second")->fail("expected a speed above 0");
        const Rational full(static_cast<std::int64_t>(count(parameters, "queue_threshold_tokens", 4'194'304, 1)));
        const Rational tokens(static_cast<std::int64_t>(tokens_));
        const std::string load = "server_workload + tasks(1) / rate";
        const std::string least =
            fmt::format("argmin(where(servers, {} < greatest(local, {} * tasks(1) / rate)), {}), servers", load,
                        (full / tokens).to_string(), load);
        const bool sticks = share(parameters, "affinity_threshold", Rational(Integer(4), Integer(5))).sign() > 0;
        const std::string sticky =
            fmt::format("where(local, server_workload <= least(servers, server_workload) + {} * tasks(1) / rate), ",
                        (penalty * speed / Rational(1000) / tokens).to_string());
        config_.rule.route = fmt::format("first_of({}{})",
                                         !sticks              ? ""
                                         : penalty.sign() > 0 ? sticky
                                                              : "local, ",
                                         least);
        config_.rule.summary = "join a holder while its work is near the least, else the worker of least work with it";
        config_.rule.homes = true;
        note(type, "type", fmt::format("tokens in prefill are counted; here work, {} tokens a local request", tokens_));
    }

    void read_scores(const Cursor& parameters, const Cursor& type) {
        parameters.allow_only(
            {"weights", "class_weights", "prefix_match_length_weight", "prefix_match_length_scale_tokens"});
        if (number(parameters, "prefix_match_length_weight", 0).sign() > 0)
            entry_of(parameters, "prefix_match_length_weight")
                ->fail("expected 0: the score would follow the length of a prompt, which no rule sees");
        if (const auto at = entry_of(parameters, "class_weights"))
            note(*at, "class_weights", "requests of a class have weights of their own; the rule is that of the others");
        Rational prefix = 2, queue = 1, memory = 1;
        if (const auto weights = entry_of(parameters, "weights")) {
            weights->expect_table("weights by name");
            weights->allow_only({"prefix", "queue", "kv_cache_utilization"});
            prefix = number(*weights, "prefix", prefix);
            queue = number(*weights, "queue", queue);
            memory = number(*weights, "kv_cache_utilization", memory);
        }
        if (memory.sign() > 0) {
            if (prefix.sign() == 0 && queue.sign() == 0)
                type.fail("expected a score that the policy language can say: nothing is left of the rule");
            note(type, "kv_cache_utilization", "the policy language has no such score; it is left out");
        }
        config_.rule.homes = prefix.sign() > 0;
        config_.rule.zoo = queue.sign() == 0    ? (prefix.sign() > 0 ? "home" : "random")
                           : prefix.sign() == 0 ? "shortest"
                                                : "scores";
        if (config_.rule.zoo == "scores")
            config_.rule.values = fmt::format("queue={},prefix={}", queue.to_string(), prefix.to_string());
    }

    void read_lmetric(const Cursor& parameters, const Cursor& type) {
        parameters.allow_only({"hotspot_detection", "class_prefix_blocks", "window_requests"});
        const auto detects = entry_of(parameters, "hotspot_detection");
        if (!detects || detects->flag("true or false"))
            (detects ? *detects : type)
                .fail("expected hotspot_detection: false: the detector remembers the last requests, and no rule does");
        config_.rule.zoo = "lmetric";
        config_.rule.homes = true;
        note(type, "type", "tokens that a request has to compute are counted; here its slots of service");
    }

    void read_soft_pin(const Cursor& parameters, const Cursor& type) {
        parameters.allow_only({"max_active_requests"});
        static_cast<void>(needed(parameters, "max_active_requests", "requests"));
        config_.rule.zoo = "soft-pin";
        config_.rule.values = fmt::format("cap={}", count(parameters, "max_active_requests", 0));
        sessions(type);
    }

    void read_load_guard(const Cursor& parameters, const Cursor& type) {
        parameters.allow_only({"max_active_requests", "move_margin"});
        const std::uint64_t cap = count(parameters, "max_active_requests", 32);
        const std::uint64_t margin = count(parameters, "move_margin", 2, 1);
        config_.rule.route = fmt::format(
            "first_of(where(local, server_length <= tasks({})), where(argmin(where(servers, distance > least(servers, "
            "distance)), server_length), server_length + tasks({}) <= greatest(local, server_length)), local)",
            cap, margin);
        config_.rule.summary = fmt::format(
            "join the session's worker while its load <= {}, else the least loaded other, if {} below", cap, margin);
        sessions(type);
    }

    void read_session(const Cursor& parameters, const Cursor& type) {
        parameters.allow_only({"max_idle_secs", "eviction_interval_secs"});
        config_.rule.zoo = "home";
        config_.rule.homes = true;
        note(type, "type", "the first request of a session joins the least loaded worker; here every session has one");
    }

    void read_plain(const Cursor& parameters, const Cursor& type) {
        for (const base::Field& field : parameters.table("parameters"))
            parameters.entry(field).fail("expected no parameters with this type");
        const std::string& word = type.text("a type");
        config_.rule.zoo = word == "dynamo-power-of-two-choices" ? "two-choices"
                           : word == "dynamo-least-loaded"       ? "shortest"
                                                                 : "random";
        if (word == "dynamo-round-robin")
            note(type, "type", "workers take turns; here one is drawn, with the same shares");
    }

    void sessions(const Cursor& type) {
        config_.rule.homes = true;
        note(type, "type", "a session that moved stays where it is; here it returns");
    }

    [[nodiscard]] static Rational number(const Cursor& parameters, std::string_view key, const Rational& otherwise) {
        const auto at = entry_of(parameters, key);
        if (!at) return otherwise;
        const Rational number = at->number();
        if (number.sign() < 0) at->fail("expected a number of at least 0");
        return number;
    }
    [[nodiscard]] static Rational share(const Cursor& parameters, std::string_view key, const Rational& otherwise) {
        const Rational number = DynamoInstance::number(parameters, key, otherwise);
        if (number > Rational(1)) entry_of(parameters, key)->fail("expected a share from 0 to 1");
        return number;
    }
    [[nodiscard]] static std::uint64_t count(const Cursor& parameters, std::string_view key, std::uint64_t otherwise,
                                             std::uint64_t least = 0) {
        const auto at = entry_of(parameters, key);
        return at ? at->count(least, most_requests * 1000, "a whole number") : otherwise;
    }

    struct Reader {
        std::string_view type;
        void (DynamoInstance::*read)(const Cursor& parameters, const Cursor& type);
        bool looks_at_caches = false;
    };
    static const std::array<Reader, 12> readers;

    Cursor root_;
    std::uint64_t tokens_;
    RouterConfig config_;
    DynamoSettings settings_;
};

const std::array<DynamoInstance::Reader, 12> DynamoInstance::readers{
    {{"dynamo-default-cost-fn", &DynamoInstance::read_cost, true},
     {"dynamo-two-tier-cost-fn", &DynamoInstance::read_two_tiers, true},
     {"llm-d-optimized-baseline", &DynamoInstance::read_sticky, true},
     {"llm-d-precise-prefix", &DynamoInstance::read_scores, true},
     {"lmetric", &DynamoInstance::read_lmetric, true},
     {"soft-pin-repin", &DynamoInstance::read_soft_pin},
     {"dynamo-soft-affinity-load-guard", &DynamoInstance::read_load_guard},
     {"dynamo-sticky-min-load", &DynamoInstance::read_session},
     {"dynamo-round-robin", &DynamoInstance::read_plain},
     {"dynamo-random", &DynamoInstance::read_plain},
     {"dynamo-power-of-two-choices", &DynamoInstance::read_plain},
     {"dynamo-least-loaded", &DynamoInstance::read_plain}}};

}  // namespace

bool is_dynamo_policy_key(std::string_view key) {
    return std::find(policy_keys.begin(), policy_keys.end(), key) != policy_keys.end();
}

std::string dynamo_text(const Cursor& at) {
    if (at.is_integer()) return at.number().to_string();
    if (std::holds_alternative<bool>(at.node().value)) return at.flag("true or false") ? "true" : "false";
    return at.is_null() ? "None" : at.text("a text, a number, or true or false");
}

RouterConfig read_dynamo_policy(const Cursor& root, const std::string& name, std::uint64_t tokens) {
    return DynamoInstance(root, tokens).run(name);
}

}  // namespace schedproof::input
