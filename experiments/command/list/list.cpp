#include "experiments/command/list/list.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "checks/families.hpp"
#include "experiments/command/core/output.hpp"
#include "model/queueing/options.hpp"
#include "proofs/queueing/theorems/lyapunov.hpp"

namespace schedproof::command {

namespace {

using nlohmann::ordered_json;

ordered_json policy_list() {
    ordered_json list = ordered_json::array();
    for (const checks::Family* family : checks::families())
        for (const checks::PolicyEntry& policy : family->policies())
            list.push_back(
                {{"id", policy.id}, {"family", family->id()}, {"summary", policy.summary}, {"source", policy.source}});
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
                        {"family", claim.family().id()},
                        {"summary", claim.statement},
                        {"source", claim.source}});
    return list;
}

}  // namespace

int run(const ListRequest& request) {
    ordered_json list = request.what == "lyapunov"  ? lyapunov_list()
                        : request.what == "claims"  ? claim_list()
                        : request.what == "options" ? option_list()
                                                    : policy_list();
    if (!request.family.empty())
        std::erase_if(list.get_ref<ordered_json::array_t&>(),
                      [&](const ordered_json& entry) { return entry["family"] != request.family; });
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
