#include "experiments/command/report/library.hpp"

#include <algorithm>

#include "experiments/command/report/markdown.hpp"
#include "model/base/split.hpp"

namespace schedproof::cli::site {

namespace {

using base::split;
using base::trimmed;

/// What stands between backticks.
std::vector<std::string> in_backticks(std::string_view text) {
    const std::vector<std::string_view> parts = split(text, '`');
    std::vector<std::string> names;
    for (std::size_t i = 1; i + 1 < parts.size(); i += 2) names.emplace_back(parts[i]);
    return names;
}

LedgerRow row_of(std::string_view line) {
    std::vector<std::string> of = cells(line);
    of.resize(std::max<std::size_t>(of.size(), 5));
    // The section of the project's own statements has no column for the print.
    LedgerRow row{of[0], of[1], of[2], of[3], of[4], {}, {}};
    // `CLAIM`, `CLAIM` of `POLICY`, `POLICY`: the id of a claim begins with its family and a dot, which no policy has.
    for (std::string& name : in_backticks(row.claims))
        (name.find('.') == std::string::npos ? row.policies : row.ids).push_back(std::move(name));
    return row;
}

}  // namespace

bool LedgerRow::speaks_of(std::string_view policy) const {
    return policies.empty() || std::find(policies.begin(), policies.end(), policy) != policies.end();
}

std::vector<Work> works(std::string_view bibliography) {
    std::vector<Work> all;
    bool in_work = false;
    for (const std::string_view line : split(bibliography, '\n')) {
        if (line.starts_with("#")) in_work = line.starts_with("### ");
        if (line.starts_with("### "))
            all.push_back({std::string(trimmed(line.substr(4))), ""});
        else if (in_work)
            all.back().text += std::string(line) + "\n";
    }
    for (Work& work : all) work.text = std::string(trimmed(work.text, " \n"));
    return all;
}

std::vector<Section> sections(std::string_view ledger) {
    std::vector<Section> all;
    for (const std::string_view line : split(ledger, '\n')) {
        if (line.starts_with("## ")) {
            all.emplace_back();
            for (const std::string_view key : split(line.substr(3), ',')) all.back().keys.emplace_back(trimmed(key));
        }
        if (!all.empty() && line.starts_with("|") && !line.starts_with("|--") && !line.starts_with("| statement"))
            all.back().rows.push_back(row_of(line));
    }
    return all;
}

std::vector<std::string> cited(std::string_view source) {
    std::vector<std::string> keys;
    for (std::size_t at = source.find('['); at != std::string_view::npos; at = source.find('[', at + 1)) {
        const std::size_t end = source.find(']', at);
        if (end == std::string_view::npos) break;
        std::string key(source.substr(at + 1, end - at - 1));
        if (std::find(keys.begin(), keys.end(), key) == keys.end()) keys.push_back(std::move(key));
    }
    return keys;
}

}  // namespace schedproof::cli::site
