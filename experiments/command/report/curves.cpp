/// The policies of a figure, read off the runs that its declaration asks for.
///
/// A declaration names policies but not their family, which is that of the command it runs. It is the family in which
/// every name is known; of two such families, the one in which the figure's paper is the source of the first policy.
#include "experiments/command/report/curves.hpp"

#include <algorithm>

#include "checks/families.hpp"
#include "experiments/command/reproduce/catalogue.hpp"
#include "model/base/document.hpp"

namespace schedproof::cli::site {

namespace {

void add_text(const base::Node& value, std::vector<std::string>& names) {
    if (const auto* text = std::get_if<std::string>(&value.value)) names.push_back(*text);
}

/// The values of every key `policy` in a document.
void collect_policies(const base::Node& node, std::vector<std::string>& names) {
    if (const auto* items = std::get_if<base::Node::Array>(&node.value))
        for (const base::Node& item : *items) collect_policies(item, names);
    const auto* table = std::get_if<base::Node::Table>(&node.value);
    if (table == nullptr) return;
    for (const base::Field& field : *table) {
        collect_policies(field.value, names);
        if (field.key != "policy") continue;
        add_text(field.value, names);
        if (const auto* list = std::get_if<base::Node::Array>(&field.value.value))
            for (const base::Node& item : *list) add_text(item, names);
    }
}

/// The ids of the names in a family; none where it does not know them all.
std::vector<std::string> ids_in(const checks::Family& family, const std::vector<std::string>& names) {
    std::vector<std::string> ids;
    for (const std::string& name : names) {
        std::string id = family.resolve_policy(name);
        if (id.empty()) return {};
        if (std::find(ids.begin(), ids.end(), id) == ids.end()) ids.push_back(std::move(id));
    }
    return ids;
}

bool is_source(const checks::Family& family, const std::string& policy, const std::string& paper) {
    const auto all = family.policies();
    return std::any_of(all.begin(), all.end(), [&](const checks::PolicyEntry& entry) {
        return entry.id == policy && std::string(entry.source).find("[" + paper + "]") != std::string::npos;
    });
}

}  // namespace

std::vector<std::pair<std::string, std::string>> policies_of(const Figure& figure) {
    // A declaration that was given by its path is known by where it is in the source tree.
    const std::size_t root = figure.declaration.rfind("experiments/reproduction/");
    const char* text = root == std::string::npos ? nullptr : embedded_file(figure.declaration.substr(root));
    if (text == nullptr) return {};
    std::vector<std::string> names;
    collect_policies(base::parse_document(text, base::Format::toml, figure.declaration), names);
    std::vector<std::pair<const checks::Family*, std::vector<std::string>>> known;
    for (const checks::Family* family : checks::families())
        if (auto ids = ids_in(*family, names); !ids.empty()) known.emplace_back(family, std::move(ids));
    if (known.size() > 1)
        std::erase_if(known, [&](const auto& one) { return !is_source(*one.first, one.second.front(), figure.paper); });
    std::vector<std::pair<std::string, std::string>> policies;
    if (known.size() != 1) return policies;
    for (const std::string& id : known.front().second) policies.emplace_back(known.front().first->id(), id);
    return policies;
}

}  // namespace schedproof::cli::site
