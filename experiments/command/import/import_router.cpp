/// `import router`: the rule by which a load balancer's configuration sends requests, as a policy's text, and the
/// workers that it names as an instance.
///
/// A rule of the zoo is its text there, with the parameters that the configuration sets. What a configuration has not,
/// how fast workers are and how many requests come, is what the options say: weights are taken for rates.
#include "experiments/command/import/import_router.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <functional>

#include "experiments/command/core/exact_option.hpp"
#include "experiments/command/core/output.hpp"
#include "experiments/command/import/imported_policy.hpp"
#include "experiments/input/routers/router_config.hpp"
#include "model/base/text.hpp"
#include "model/core/errors.hpp"
#include "model/queueing/codec/codec.hpp"
#include "proofs/queueing/capacity/region.hpp"

namespace schedproof::cli {

struct RouterImportRequest {
    std::string config, kind = "auto", name, cluster;
    std::uint64_t workers = 3, tokens = 11'000;
    std::string hit = "1", miss = "1/4", load = "9/10";
    std::string path = "-";
};

namespace {

using input::Backend;
using input::RouterConfig;

RouterConfig read(const RouterImportRequest& request) {
    const std::string text = base::read_text(request.config, base::max_toml_bytes);
    const std::string file = base::display_name(request.config);
    const std::string kind = request.kind == "auto" ? input::kind_of_config(text, file) : request.kind;
    if (kind == "haproxy") return input::read_haproxy(text, file, request.name);
    if (kind == "envoy") return input::read_envoy(text, file, request.name);
    if (kind == "dynamo") return input::read_dynamo(text, file, request.name, request.tokens);
    return input::read_endpoint_picker(text, file, request.name);
}

Rational rate_option(const std::string& text, const char* option) {
    return option_number(text, option, "a rate above 0 and at most 1",
                         [](const Rational& rate) { return rate.sign() > 0 && rate <= Rational(1); });
}

/// The workers, in slots so short that no more than one request comes in one.
queueing::Instance cluster_of(const RouterConfig& config, const RouterImportRequest& request) {
    std::vector<Backend> workers = config.backends;
    if (workers.empty())
        for (std::size_t i = 0; i < request.workers; ++i) workers.push_back({fmt::format("w{}", i)});
    const Rational most = std::max_element(workers.begin(), workers.end(), [](const Backend& a, const Backend& b) {
                              return a.weight < b.weight;
                          })->weight;
    const Rational unit = Rational(1) / Rational(static_cast<std::int64_t>(std::max<std::size_t>(2, workers.size())));
    const Rational hit = unit * rate_option(request.hit, "--hit"), miss = unit * rate_option(request.miss, "--miss");
    if (config.rule.homes && miss >= hit) throw InputError::at_key("--miss", "expected a rate below that of a hit");
    queueing::InstanceData data;
    data.name = dashed_name(config.name, "router");
    data.source = base::display_name(request.config);
    if (config.rule.homes) data.levels = {{"hit", hit}, {"miss", miss}};
    std::vector<Rational> arrivals;
    queueing::TaskType all{.name = "requests", .replicas = {}};
    for (std::size_t i = 0; i < workers.size(); ++i) {
        data.servers.push_back({workers[i].name, {}});
        if (config.rule.homes) {
            data.types.push_back({.name = "of-" + workers[i].name, .replicas = {ServerId(i)}});
            arrivals.push_back(hit / Rational(2));
        } else {
            all.at_servers.emplace_back(config.rule.weighted ? hit * workers[i].weight / most : hit);
        }
    }
    if (!config.rule.homes) {
        data.types.push_back(std::move(all));
        arrivals.push_back(hit / Rational(2));
    }
    data.arrivals = queueing::ArrivalLaw::single(arrivals);
    const Rational load = option_number(request.load, "--load", "a load above 0 and below 1",
                                        [](const Rational& rho) { return rho.sign() > 0 && rho < Rational(1); });
    const std::string name = data.name;
    queueing::InstanceData scaled = capacity::at_load(queueing::Instance(std::move(data)), load, "--load").data();
    scaled.name = name;
    return queueing::Instance(std::move(scaled));
}

}  // namespace

int run(const RouterImportRequest& request) {
    require_writable({request.path, request.cluster});
    const RouterConfig config = read(request);
    const std::string file = base::display_name(request.config);
    const std::string text = policy_text(config, file);
    std::string cluster;
    if (!request.cluster.empty()) cluster = queueing::write_toml(cluster_of(config, request));
    print_notes(config, file);
    write_text(request.path, text);
    if (!request.cluster.empty()) write_text(request.cluster, cluster);
    return 0;
}

namespace {

OptionTable options(RouterImportRequest& r) {
    return {
        {.names = "FILE", .target = &r.config, .meaning = "the configuration, - for standard input", .required = true},
        {.names = "--kind",
         .target = &r.kind,
         .meaning =
             "what it is; epp: the endpoint picker of llm-d; dynamo: a policy, a deployment or commands of NVIDIA "
             "Dynamo; auto: as it looks",
         .show_default = true,
         .words = {"auto", "haproxy", "envoy", "epp", "dynamo"}},
        {.names = "--name",
         .value = "NAME",
         .target = &r.name,
         .meaning = "the backend, cluster, profile, instance or frontend, where there are several"},
        {.names = "--cluster",
         .value = "FILE",
         .target = &r.cluster,
         .meaning = "write an instance with its workers too (TOML)"},
        {.names = "--workers",
         .value = "N",
         .target = &r.workers,
         .meaning = "workers of the instance where the configuration names none",
         .show_default = true,
         .range = Interval{1, 1000},
         .needs = {"--cluster"}},
        {.names = "--tokens",
         .value = "N",
         .target = &r.tokens,
         .meaning = "tokens that a request has to compute at its own worker, where Dynamo's thresholds are in tokens",
         .show_default = true,
         .range = Interval{1, 1'000'000'000}},
        {.names = "--hit",
         .value = "RATE",
         .target = &r.hit,
         .meaning = "rate of a request at its own worker, or of any at the fastest",
         .show_default = true,
         .needs = {"--cluster"}},
        {.names = "--miss",
         .value = "RATE",
         .target = &r.miss,
         .meaning = "rate of a request at another worker, where it has one of its own",
         .show_default = true,
         .needs = {"--cluster"}},
        {.names = "--load",
         .value = "NUMBER",
         .target = &r.load,
         .meaning = "load of the instance",
         .show_default = true,
         .needs = {"--cluster"}},
        {.names = "-o,--output",
         .value = "FILE",
         .target = &r.path,
         .meaning = "file for the policy, - for standard output",
         .show_default = true}};
}

}  // namespace

Subcommand import_router() {
    return make_subcommand<RouterImportRequest>(
        "router", "a policy, and an instance, from the configuration of HAProxy, Envoy, an endpoint picker or Dynamo",
        "schedproof import router experiments/instances/routers/haproxy.cfg --name web -o web.policy --cluster "
        "web.toml",
        options);
}

}  // namespace schedproof::cli
