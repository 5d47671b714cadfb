#include "experiments/command/list/list.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "checks/core/registry.hpp"
#include "experiments/command/core/output.hpp"
#include "model/queueing/options.hpp"
#include "policies/assignment/registry.hpp"
#include "policies/queueing/registry.hpp"
#include "policies/redundancy/registry.hpp"
#include "policies/sharing/registry.hpp"
#include "proofs/queueing/theorems/lyapunov.hpp"

namespace schedproof::command {

namespace {

using nlohmann::ordered_json;

ordered_json policy_list() {
    ordered_json list = ordered_json::array();
    for (const auto& info : queueing::policies())
        list.push_back({{"id", info.id}, {"family", "queueing"}, {"summary", info.summary}, {"source", info.source}});
    for (const auto& info : redundancy::policies())
        list.push_back({{"id", info.id}, {"family", "redundancy"}, {"summary", info.summary}, {"source", info.source}});
    for (const auto& info : sharing::policies())
        list.push_back({{"id", info.id}, {"family", "sharing"}, {"summary", info.summary}, {"source", info.source}});
    return list;
}

ordered_json scheduler_list() {
    ordered_json list = ordered_json::array();
    for (const auto& info : assignment::schedulers())
        list.push_back({{"id", info.id}, {"family", "assignment"}, {"summary", info.summary}, {"source", info.source}});
    return list;
}

ordered_json lyapunov_list() {
    ordered_json list = ordered_json::array();
    for (const auto& lyapunov : queueing::lyapunov_functions())
        list.push_back({{"id", lyapunov.id}, {"family", "queueing"}, {"summary", lyapunov.formula}});
    return list;
}

ordered_json option_list() {
    ordered_json list = ordered_json::array();
    queueing::Options options;
    queueing::for_each_option(options, [&](const auto& field) {
        using Names = queueing::OptionNames<std::decay_t<decltype(field)>>;
        std::string values;
        for (const std::string_view value : Names::values) values += (values.empty() ? "" : " | ") + std::string(value);
        list.push_back(
            {{"id", Names::key}, {"family", "queueing"}, {"summary", values + "   (the first is the default)"}});
    });
    return list;
}

ordered_json claim_list() {
    ordered_json list = ordered_json::array();
    for (const checks::Claim& claim : checks::all_claims())
        list.push_back({{"id", claim.id},
                        {"family", claim.family_name()},
                        {"summary", claim.statement},
                        {"source", claim.source}});
    return list;
}

}  // namespace

int run(const ListRequest& request) {
    const ordered_json list = request.what == "policies"     ? policy_list()
                              : request.what == "schedulers" ? scheduler_list()
                              : request.what == "lyapunov"   ? lyapunov_list()
                              : request.what == "claims"     ? claim_list()
                                                             : option_list();
    if (request.to.json()) {
        write_json(request.to.path, "list", {{"kind", request.what}, {"entries", list}});
        return 0;
    }
    std::size_t width = 0;
    for (const auto& entry : list) width = std::max(width, entry["id"].get_ref<const std::string&>().size());
    std::string text;
    for (const auto& entry : list) {
        text += fmt::format("{:<{}}  {}\n", entry["id"].get<std::string>(), width, entry["summary"].get<std::string>());
        if (entry.contains("source"))
            text += fmt::format("{:<{}}  [{}: {}]\n", "", width, entry["family"].get<std::string>(),
                                entry["source"].get<std::string>());
    }
    write_text(request.to.path, text);
    return 0;
}

}  // namespace schedproof::command
