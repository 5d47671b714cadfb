/// A cluster of Envoy: its policy of load balancing, its endpoints and their weights.
///
/// The file is a cluster, a list of clusters, or a configuration with some below `static_resources` or `resources`.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <optional>

#include "experiments/input/routers/entries.hpp"
#include "experiments/input/routers/router_config.hpp"
#include "experiments/input/text/yaml_document.hpp"
#include "model/base/cursor.hpp"
#include "model/base/nearest.hpp"
#include "model/core/errors.hpp"
#include "model/queueing/language/operations.hpp"

namespace schedproof::input {

namespace {

using base::Cursor;

/// Keys of a cluster that say nothing of which endpoint a request goes to.
constexpr std::array<std::string_view, 19> said_elsewhere{"name",
                                                          "@type",
                                                          "type",
                                                          "connect_timeout",
                                                          "lb_policy",
                                                          "load_assignment",
                                                          "eds_cluster_config",
                                                          "transport_socket",
                                                          "http2_protocol_options",
                                                          "typed_extension_protocol_options",
                                                          "alt_stat_name",
                                                          "dns_lookup_family",
                                                          "dns_refresh_rate",
                                                          "respect_dns_ttl",
                                                          "load_balancing_policy",
                                                          "least_request_lb_config",
                                                          "round_robin_lb_config",
                                                          "ring_hash_lb_config",
                                                          "maglev_lb_config"};

class EnvoyCluster {
  public:
    explicit EnvoyCluster(const Cursor& cluster) : cluster_(cluster) {
        config_.kind = "Envoy cluster";
        config_.name = needed(cluster, "name", "the cluster's name").text("a name");
    }

    RouterConfig run() {
        for (const base::Field& field : cluster_.table("a cluster"))
            if (std::find(said_elsewhere.begin(), said_elsewhere.end(), field.key) == said_elsewhere.end())
                note(cluster_.entry(field), field.key,
                     "it may keep a request from an endpoint, which the rule does not");
        if (const auto assignment = entry_of(cluster_, "load_assignment"))
            if (const auto groups = entry_of(*assignment, "endpoints"))
                for (const Cursor& group : groups->items("a list of localities")) endpoints(group);
        if (const auto policy = entry_of(cluster_, "load_balancing_policy"))
            extension(*policy);
        else
            rule();
        return std::move(config_);
    }

  private:
    void note(const Cursor& at, std::string key, std::string says) {
        config_.notes.push_back({at.node().line, std::move(key), std::move(says)});
    }

    void endpoints(const Cursor& group) {
        for (const char* key : {"load_balancing_weight", "locality"})
            if (const auto at = entry_of(group, key)) note(*at, key, "localities are one here");
        if (const auto priority = entry_of(group, "priority");
            priority && priority->count(0, 128, "a priority from 0 to 128") > 0) {
            note(*priority, "priority", "its endpoints take requests only where others fail, so they are left out");
            return;
        }
        for (const Cursor& at : needed(group, "lb_endpoints", "a list of endpoints").items("a list of endpoints")) {
            Backend backend{fmt::format("e{}", config_.backends.size()), 1, at.node().line};
            const Cursor address = needed(needed(at, "endpoint", "an endpoint"), "address", "its address");
            if (const auto socket = entry_of(address, "socket_address")) {
                backend.name = needed(*socket, "address", "an address").text("an address in quotes");
                if (const auto port = entry_of(*socket, "port_value"))
                    backend.name += fmt::format(":{}", port->count(0, 65'535, "a port"));
            } else if (const auto pipe = entry_of(address, "pipe")) {
                backend.name = needed(*pipe, "path", "a path").text("a path in quotes");
            }
            if (const auto weight = entry_of(at, "load_balancing_weight"))
                backend.weight = Rational(static_cast<std::int64_t>(weight->count(1, 1'000'000'000, "a weight")));
            if (const auto health = entry_of(at, "health_status"); health && !is_healthy(*health)) {
                note(*health, backend.name, "it is not healthy, so it is left out");
                continue;
            }
            config_.backends.push_back(std::move(backend));
        }
    }

    /// By name, or by number as in the protocol.
    [[nodiscard]] static bool is_healthy(const Cursor& at) {
        if (at.is_integer()) return at.count(0, 100, "a status") <= 1;
        const std::string& status = at.text("a status, such as HEALTHY");
        return status == "HEALTHY" || status == "UNKNOWN";
    }

    /// Names every option that is not among those that were read.
    void note_unread(const std::optional<Cursor>& options, std::initializer_list<std::string_view> read) {
        if (!options) return;
        for (const base::Field& field : options->table("options"))
            if (field.key != "@type" && std::find(read.begin(), read.end(), field.key) == read.end())
                note(options->entry(field), field.key, "the rule has no such option");
    }

    void require_alike(const Cursor& at, std::string_view policy) const {
        if (!are_alike(config_.backends))
            at.fail(fmt::format("expected endpoints of one weight with {}: the policy language has no draw by weights",
                                policy));
    }

    void turns(const Cursor& at, const std::string& policy, const std::optional<Cursor>& options) {
        require_alike(at, policy);
        note_unread(options, {});
        config_.rule = {.zoo = "random", .values = "", .route = "", .summary = ""};
        if (policy.find("ROBIN") != std::string::npos || policy.find("robin") != std::string::npos)
            note(at, policy, "endpoints take turns; here one is drawn, with the same shares");
    }

    void least_request(const Cursor& at, const std::optional<Cursor>& options) {
        require_alike(at, "least request");
        note_unread(options, {"choice_count", "selection_method"});
        std::uint64_t draws = 2;
        if (options) {
            if (const auto choices = entry_of(*options, "choice_count"))
                draws = choices->count(2, queueing::language::most_draws, "draws from 2 to 16");
            if (const auto method = entry_of(*options, "selection_method");
                method && method->text("N_CHOICES or FULL_SCAN") == "FULL_SCAN") {
                config_.rule = {.zoo = "",
                                .values = "",
                                .route = "argmin(servers, server_length)",
                                .summary = "join the endpoint with the fewest requests"};
                return;
            }
        }
        config_.rule = {.zoo = "",
                        .values = "",
                        .route = fmt::format("argmin(draws({}, servers), server_length)", draws),
                        .summary = fmt::format("join the shortest of {} draws, which may be the same", draws)};
    }

    void hashed(const Cursor& at, const std::optional<Cursor>& options) {
        require_alike(at, "hashes");
        note_unread(options, {"minimum_ring_size", "maximum_ring_size", "hash_function", "table_size"});
        config_.rule = {.zoo = "home", .values = "", .route = "", .summary = "", .homes = true};
    }

    void rule() {
        const auto at = entry_of(cluster_, "lb_policy");
        const std::string policy = at ? at->text("a policy, such as LEAST_REQUEST") : "ROUND_ROBIN";
        const Cursor& place = at ? *at : cluster_;
        constexpr std::array<std::string_view, 5> known{"ROUND_ROBIN", "LEAST_REQUEST", "RANDOM", "RING_HASH",
                                                        "MAGLEV"};
        if (policy == "LEAST_REQUEST")
            least_request(place, entry_of(cluster_, "least_request_lb_config"));
        else if (policy == "ROUND_ROBIN" || policy == "RANDOM")
            turns(place, policy, entry_of(cluster_, "round_robin_lb_config"));
        else if (policy == "RING_HASH" || policy == "MAGLEV")
            hashed(place, entry_of(cluster_, policy == "RING_HASH" ? "ring_hash_lb_config" : "maglev_lb_config"));
        else
            place.fail(fmt::format("expected a policy that the policy language can say, not {}{}", policy,
                                   base::did_you_mean(policy, known)));
    }

    /// The first policy of the list, as an extension.
    void extension(const Cursor& policy) {
        const std::vector<Cursor> all = needed(policy, "policies", "a list of policies").items("a list of policies");
        if (all.empty()) policy.fail("expected a policy in the list");
        const Cursor at = needed(all.front(), "typed_extension_config", "an extension");
        const Cursor name_at = needed(at, "name", "its name");
        const std::string& name = name_at.text("a name");
        const auto options = entry_of(at, "typed_config");
        const std::string last = name.substr(name.rfind('.') + 1);
        if (last == "least_request")
            least_request(name_at, options);
        else if (last == "round_robin" || last == "random")
            turns(name_at, last, options);
        else if (last == "ring_hash" || last == "maglev")
            hashed(name_at, options);
        else
            name_at.fail("expected least_request, round_robin, random, ring_hash or maglev");
    }

    Cursor cluster_;
    RouterConfig config_;
};

/// The clusters of a document.
std::vector<Cursor> clusters_of(const Cursor& root) {
    if (root.is_array()) return root.items("a list of clusters");
    if (entry_of(root, "lb_policy") || entry_of(root, "load_assignment")) return {root};
    if (const auto inside = entry_of(root, "static_resources")) return clusters_of(*inside);
    for (const char* key : {"clusters", "resources"})
        if (const auto list = entry_of(root, key)) return list->items("a list of clusters");
    root.fail("expected a cluster, or some below clusters, resources or static_resources");
}

}  // namespace

RouterConfig read_envoy(std::string_view text, const std::string& file, const std::string& name) {
    const std::vector<base::Node> documents = parse_yaml(text, file);
    std::vector<Cursor> all;
    for (const base::Node& document : documents)
        for (const Cursor& cluster : clusters_of(Cursor(document, file))) all.push_back(cluster);
    std::vector<std::string> names;
    for (const Cursor& cluster : all) {
        cluster.expect_table("a cluster");
        names.push_back(needed(cluster, "name", "the cluster's name").text("a name"));
    }
    if (all.empty()) throw InputError::in_file(file, "expected a cluster");
    return EnvoyCluster(all[place_of_name(names, name)]).run();
}

}  // namespace schedproof::input
