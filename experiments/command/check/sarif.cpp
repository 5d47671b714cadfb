/// Verdicts as SARIF results, of which a code review shows what somebody should look at.
///
/// A row is a result if its outcome was not the expected one, or if it is a refutation without an expectation. Its
/// location is the policy's own line, found by the decision that fails, since the reader's code is the policy and not
/// the claim. Files below the working folder are named from there, with %SRCROOT%; a service resolves that to its
/// checkout.
#include "experiments/command/check/sarif.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <vector>

#include "experiments/command/check/policy_place.hpp"
#include "model/base/split.hpp"

namespace schedproof::cli {

namespace {

using namespace checks;
namespace fs = std::filesystem;

/// Bytes that a path of a URI may not hold as they are become `%XX`.
std::string percent_encoded(const std::string& path) {
    std::string uri;
    for (const char c : path) {
        const auto byte = static_cast<unsigned char>(c);
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                           std::string_view("-._~/").find(c) != std::string_view::npos;
        uri += plain ? std::string(1, c) : fmt::format("%{:02X}", byte);
    }
    return uri;
}

/// A file below the folder in which the command runs, which is taken for the root of the repository, by its path from
/// there; any other by its whole path.
Json sarif_artifact(const std::string& file) {
    const fs::path path = fs::path(file).lexically_normal();
    const fs::path inside = path.is_absolute() ? path.lexically_proximate(fs::current_path()) : path;
    if (inside.is_relative() && *inside.begin() != "..")
        return {{"uri", percent_encoded(inside.generic_string())}, {"uriBaseId", "%SRCROOT%"}};
    return {{"uri", "file://" + percent_encoded(fs::absolute(path).lexically_normal().generic_string())}};
}

Json sarif_location(const PolicyPlace& place, const std::string& policy) {
    Json at{{"logicalLocations", Json::array({{{"fullyQualifiedName", policy}, {"kind", "module"}}})}};
    if (place.line > 0)
        at["physicalLocation"] = {{"artifactLocation", sarif_artifact(place.file)},
                                  {"region", {{"startLine", place.line}}}};
    return at;
}

/// A step of a code flow: a location with what is said of it.
Json sarif_step(Json at, const std::string& text) {
    at["message"] = {{"text", text}};
    return {{"location", at}};
}

/// The counterexample in steps: where it is, what the policy does there and what was expected.
Json code_flow(const Row& row, const Refuted& refuted) {
    const Counterexample& found = refuted.counterexample;
    const std::string_view family = row.claim->family().id();
    const auto at = [&](std::string_view decision) {
        return sarif_location(policy_place(family, row.line.policy, decision), row.line.policy);
    };
    Json steps = Json::array();
    steps.push_back(sarif_step(
        at(""),
        "on " + row.instance_name() +
            (found.place.empty() || found.place == row.instance_name() ? std::string() : ", at " + found.place)));
    for (const std::string_view part : base::split(found.violation, ';'))
        steps.push_back(sarif_step(at(found.kind), std::string(base::trimmed(part))));
    return {{"message", {{"text", "the counterexample to " + row.claim->id}}},
            {"threadFlows", Json::array({{{"locations", steps}}})}};
}

const Refuted* refutation(const Row& row) {
    for (const Finding& finding : row.findings)
        if (const auto* refuted = std::get_if<Refuted>(&finding.verdict)) return refuted;
    return nullptr;
}

/// Whether somebody should look at it.
bool is_result(const Row& row) {
    return row.outcome != Row::Outcome::expected ||
           (row.line.expectation == Expectation::unstated && refutation(row) != nullptr);
}

Json result_json(const Report& report, std::size_t r, std::size_t rule, const EvidenceFiles& evidence) {
    const Row& row = report.rows[r];
    const bool open = row.outcome == Row::Outcome::unsettled;
    const bool stated = row.line.expectation != Expectation::unstated;
    std::string text = row.line.policy + " on " + row.instance_name() + ": " +
                       (stated ? std::string(to_string(row.outcome)) : "no expectation");
    std::set<std::string> files;
    for (const Finding& finding : row.findings) {
        text += fmt::format("; {}: {}: {}", finding.oracle, short_text(finding.verdict), explanation(finding.verdict));
        if (const auto file = evidence.find({r, finding.oracle}); file != evidence.end()) files.insert(file->second);
    }
    const Refuted* refuted = refutation(row);
    const PolicyPlace place =
        policy_place(row.claim->family().id(), row.line.policy, refuted ? refuted->counterexample.kind : "");
    Json result{{"ruleId", row.claim->id},
                {"ruleIndex", rule},
                {"kind", open ? "open" : "fail"},
                {"level", open     ? "none"
                          : stated ? "error"
                                   : "warning"},
                {"message", {{"text", text}}},
                {"locations", Json::array({sarif_location(place, row.line.policy)})},
                {"partialFingerprints",
                 {{"claimPolicyInstance/v1", row.claim->id + "/" + row.line.policy + "/" + row.instance_name()}}},
                {"properties",
                 {{"expectation", to_string(row.line.expectation)},
                  {"evidence", std::vector<std::string>(files.begin(), files.end())}}}};
    if (refuted) result["codeFlows"] = Json::array({code_flow(row, *refuted)});
    return result;
}

}  // namespace

Json sarif_json(const Report& report, const EvidenceFiles& evidence) {
    Json rules = Json::array(), results = Json::array();
    std::map<const Claim*, std::size_t> index;
    for (std::size_t r = 0; r < report.rows.size(); ++r) {
        const Claim* claim = report.rows[r].claim;
        if (index.emplace(claim, rules.items().size()).second)
            rules.push_back({{"id", claim->id},
                             {"shortDescription", {{"text", claim->statement}}},
                             {"fullDescription", {{"text", claim->statement + " Source: " + claim->source}}}});
        if (is_result(report.rows[r])) results.push_back(result_json(report, r, index[claim], evidence));
    }
    return {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
            {"version", "2.1.0"},
            {"runs",
             Json::array(
                 {{{"tool", {{"driver", {{"name", "schedproof"}, {"version", SCHEDPROOF_VERSION}, {"rules", rules}}}}},
                   {"columnKind", "utf16CodeUnits"},
                   {"results", results},
                   {"properties",
                    {{"asked", report.rows.size()}, {"asExpected", report.count(Row::Outcome::expected)}}}}})}};
}

}  // namespace schedproof::cli
