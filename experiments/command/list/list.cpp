#include "experiments/command/list/list.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "checks/families.hpp"
#include "experiments/command/core/json.hpp"
#include "experiments/command/core/output.hpp"
#include "model/queueing/options.hpp"
#include "proofs/queueing/theorems/lyapunov.hpp"

namespace schedproof::command {

namespace {

/// Something registered, with its source where it has one.
struct Entry {
    std::string id, family, summary, source;
};

std::vector<Entry> policy_entries() {
    std::vector<Entry> list;
    for (const checks::Family* family : checks::families())
        for (const checks::PolicyEntry& policy : family->policies())
            list.push_back({std::string(policy.id), std::string(family->id()), std::string(policy.summary),
                            std::string(policy.source)});
    return list;
}

std::vector<Entry> lyapunov_entries() {
    std::vector<Entry> list;
    for (const auto& lyapunov : queueing::lyapunov_functions())
        list.push_back({std::string(lyapunov.id), "queueing", std::string(lyapunov.formula), ""});
    return list;
}

std::vector<Entry> option_entries() {
    std::vector<Entry> list;
    queueing::Options options;
    queueing::for_each_option(options, [&](const auto& field) {
        using Names = queueing::OptionNames<std::decay_t<decltype(field)>>;
        std::string values;
        for (const std::string_view value : Names::values) values += (values.empty() ? "" : " | ") + std::string(value);
        list.push_back({std::string(Names::key), "queueing", values + "   (the first is the default)", ""});
    });
    return list;
}

std::vector<Entry> claim_entries() {
    std::vector<Entry> list;
    for (const checks::Claim& claim : checks::all_claims())
        list.push_back({claim.id, std::string(claim.family().id()), claim.statement, claim.source});
    return list;
}

Json to_json(const Entry& entry) {
    Json json{{"id", entry.id}, {"family", entry.family}, {"summary", entry.summary}};
    if (!entry.source.empty()) json["source"] = entry.source;
    return json;
}

}  // namespace

int run(const ListRequest& request) {
    std::vector<Entry> list = request.what == "lyapunov"  ? lyapunov_entries()
                              : request.what == "claims"  ? claim_entries()
                              : request.what == "options" ? option_entries()
                                                          : policy_entries();
    if (!request.family.empty())
        std::erase_if(list, [&](const Entry& entry) { return entry.family != request.family; });
    std::size_t width = 0;
    for (const Entry& entry : list) width = std::max(width, entry.id.size());
    std::string text;
    Json entries = Json::array();
    for (const Entry& entry : list) {
        entries.push_back(to_json(entry));
        text += fmt::format("{:<{}}  {}\n", entry.id, width, entry.summary);
        if (!entry.source.empty()) text += fmt::format("{:<{}}  [{}: {}]\n", "", width, entry.family, entry.source);
    }
    return write_answer(request.to, "list", {{"kind", request.what}, {"entries", entries}}, text);
}

}  // namespace schedproof::command
