/// SARIF: files below the working folder are named from there, with %SRCROOT%, which a service resolves to its
/// checkout. JUnit has three ways to come out: passed, failure, error; what is not settled is an error, so that the job
/// fails.
#include "experiments/command/core/ci_report.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "model/base/output_file.hpp"
#include "model/base/split.hpp"
#include "model/core/errors.hpp"

namespace schedproof::cli {

namespace {

namespace fs = std::filesystem;

std::string about_whom(const CiVerdict& v) {
    return v.policy.empty() || v.about.empty() ? v.policy + v.about : v.policy + " on " + v.about;
}

/// Lines as parts of a sentence, `label     what` as `label: what`.
std::string in_one_line(std::string_view lines) {
    std::string text;
    for (const std::string_view line : base::split(lines, '\n')) {
        const std::string_view part = base::trimmed(line);
        if (part.empty()) continue;
        const std::size_t gap = part.find("  ");
        text += text.empty() ? "" : "; ";
        text += part.substr(0, gap);
        if (gap != std::string_view::npos) text += ": " + std::string(base::trimmed(part.substr(gap)));
    }
    return text;
}

// ---- SARIF ----

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
    Json at = Json::object();
    if (!policy.empty()) at["logicalLocations"] = Json::array({{{"fullyQualifiedName", policy}, {"kind", "module"}}});
    if (place.line == 0) return at;
    Json region{{"startLine", place.line}};
    if (place.column > 0) region["startColumn"] = place.column;
    at["physicalLocation"] = {{"artifactLocation", sarif_artifact(place.file)}, {"region", region}};
    return at;
}

/// The counterexample in steps.
Json code_flow(const CiVerdict& v) {
    Json steps = Json::array();
    for (const CiStep& step : v.steps) {
        Json at = sarif_location(step.place, v.policy);
        at["message"] = {{"text", step.text}};
        steps.push_back({{"location", at}});
    }
    return {{"message", {{"text", "the counterexample to " + v.rule}}},
            {"threadFlows", Json::array({{{"locations", steps}}})}};
}

Json sarif_result(const CiVerdict& v, std::size_t rule) {
    const bool open = v.outcome == CiOutcome::open;
    Json properties = Json::object();
    for (const auto& [name, value] : v.properties) properties[name] = value;
    const std::string about = about_whom(v);
    Json result{{"ruleId", v.rule},
                {"ruleIndex", rule},
                {"kind", open ? "open" : "fail"},
                {"level", open                            ? "none"
                          : v.outcome == CiOutcome::noted ? "warning"
                                                          : "error"},
                {"message", {{"text", about + (about.empty() ? "" : ": ") + v.word + "; " + in_one_line(v.found)}}},
                {"locations", Json::array({sarif_location(v.place, v.policy)})},
                {"partialFingerprints", {{"claimPolicyInstance/v1", v.rule + "/" + v.policy + "/" + v.about}}},
                {"properties", properties}};
    if (!v.steps.empty()) result["codeFlows"] = Json::array({code_flow(v)});
    return result;
}

std::string sarif(const std::vector<CiVerdict>& verdicts) {
    Json rules = Json::array(), results = Json::array();
    std::map<std::string, std::size_t> index;
    std::size_t expected = 0;
    for (const CiVerdict& v : verdicts) {
        if (index.emplace(v.rule, rules.items().size()).second)
            rules.push_back({{"id", v.rule},
                             {"shortDescription", {{"text", v.statement}}},
                             {"fullDescription", {{"text", v.statement}}}});
        expected += v.outcome == CiOutcome::passed || v.outcome == CiOutcome::noted ? 1 : 0;
        if (v.outcome != CiOutcome::passed) results.push_back(sarif_result(v, index[v.rule]));
    }
    const Json report{
        {"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
        {"version", "2.1.0"},
        {"runs",
         Json::array(
             {{{"tool", {{"driver", {{"name", "schedproof"}, {"version", SCHEDPROOF_VERSION}, {"rules", rules}}}}},
               {"columnKind", "utf16CodeUnits"},
               {"results", results},
               {"properties", {{"asked", verdicts.size()}, {"asExpected", expected}}}}})}};
    return to_text(report, 2) + "\n";
}

// ---- JUnit ----

std::string escape_xml(std::string_view text) {
    std::string safe;
    for (const char c : text) {
        switch (c) {
            case '&':
                safe += "&amp;";
                break;
            case '<':
                safe += "&lt;";
                break;
            case '>':
                safe += "&gt;";
                break;
            case '"':
                safe += "&quot;";
                break;
            default:
                safe += static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t' ? '?' : c;
        }
    }
    return safe;
}

/// The element that holds what was found.
const char* junit_element(CiOutcome outcome) {
    switch (outcome) {
        case CiOutcome::failed:
            return "failure";
        case CiOutcome::open:
        case CiOutcome::error:
            return "error";
        case CiOutcome::passed:
        case CiOutcome::noted:
            break;
    }
    return "system-out";
}

std::string junit_case(const CiVerdict& v) {
    const std::string element = junit_element(v.outcome), about = about_whom(v);
    const std::string message = element == "system-out" ? "" : fmt::format(" message=\"{}\"", escape_xml(v.word));
    return fmt::format("    <testcase classname=\"{}\" name=\"{}\"{}>\n      <{}{}>{}</{}>\n    </testcase>\n",
                       escape_xml(v.rule), escape_xml(about.empty() ? v.rule : about),
                       v.seconds ? fmt::format(" time=\"{:.3f}\"", *v.seconds) : "", element, message,
                       escape_xml(v.found), element);
}

std::string junit(const std::string& command, const std::vector<CiVerdict>& verdicts) {
    const auto count = [](auto from, auto to, const char* element) {
        return std::count_if(from, to,
                             [&](const CiVerdict& v) { return junit_element(v.outcome) == std::string(element); });
    };
    std::string suites;
    for (auto from = verdicts.begin(), to = from; from != verdicts.end(); from = to) {
        to = std::find_if(from, verdicts.end(), [&](const CiVerdict& v) { return v.rule != from->rule; });
        std::string cases, time;
        double seconds = 0;
        for (auto v = from; v != to; ++v) {
            cases += junit_case(*v);
            seconds += v->seconds.value_or(0);
        }
        if (from->seconds) time = fmt::format(" time=\"{:.3f}\"", seconds);
        suites += fmt::format(
            "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"0\"{}>\n{}  </testsuite>\n",
            escape_xml(from->rule), to - from, count(from, to, "failure"), count(from, to, "error"), time, cases);
    }
    return fmt::format(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"schedproof {}\" tests=\"{}\" failures=\"{}\" "
        "errors=\"{}\">\n{}</testsuites>\n",
        escape_xml(command), verdicts.size(), count(verdicts.begin(), verdicts.end(), "failure"),
        count(verdicts.begin(), verdicts.end(), "error"), suites);
}

// ---- Markdown ----

std::string in_cell(std::string_view text) {
    std::string safe;
    for (const char c : text) safe += c == '|' ? std::string("\\|") : std::string(1, c);
    return safe;
}

std::string markdown(const std::vector<CiVerdict>& verdicts) {
    std::string text = "| asked | on | outcome | found |\n|---|---|---|---|\n";
    for (const CiVerdict& v : verdicts)
        text +=
            fmt::format("| `{}` | {} | {} | {} |\n", v.rule, in_cell(about_whom(v)),
                        v.outcome == CiOutcome::passed || v.outcome == CiOutcome::noted ? v.word : "**" + v.word + "**",
                        in_cell(in_one_line(v.found)));
    return text;
}

/// The value that was given, or the default.
std::string value_of(const OptionTable& options, const std::string& name) {
    const auto option = std::find_if(options.begin(), options.end(), [&](const Option& o) { return o.name() == name; });
    return option == options.end() ? "" : option->current();
}

}  // namespace

bool is_ci_format(std::string_view format) {
    return std::find(ci_formats.begin(), ci_formats.end(), format) != ci_formats.end();
}

std::string ci_report(const std::string& format, const std::string& command, const std::vector<CiVerdict>& verdicts) {
    if (format == "sarif") return sarif(verdicts);
    return format == "junit" ? junit(command, verdicts) : markdown(verdicts);
}

OptionTable ci_destination_options(Destination& to) {
    return {{.names = "--format",
             .target = &to.format,
             .meaning = "text or markdown for people, json, junit or sarif for programs",
             .show_default = true,
             .words = {"text", "json", "junit", "sarif", "markdown"}},
            {.names = "-o,--output",
             .value = "FILE",
             .target = &to.path,
             .meaning = "file for the answer, - for standard output",
             .show_default = true}};
}

CiVerdict ci::settled(CiVerdict asked, std::string_view text, int exit_code) {
    asked.outcome = exit_code == 0 ? CiOutcome::passed : exit_code == 1 ? CiOutcome::failed : CiOutcome::open;
    for (const std::string_view line : base::split(text, '\n')) {
        if (line.empty() || line.starts_with("effort ")) continue;
        if (line.starts_with("verdict "))
            asked.word = base::trimmed(line.substr(line.find(' ')));
        else
            asked.found += std::string(line) + "\n";
    }
    return asked;
}

void report_error(const std::string& command, const OptionTable& given, const std::exception& error) noexcept {
    try {
        const std::string format = value_of(given, "--format"), path = value_of(given, "--output");
        if (!is_ci_format(format) || path.empty() || path == "-") return;
        CiVerdict verdict{.rule = "schedproof." + command,
                          .statement = "The command runs: its files can be read, and no limit ends it.",
                          .outcome = CiOutcome::error,
                          .word = "error",
                          .found = error.what()};
        if (const auto* input = dynamic_cast<const InputError*>(&error))
            verdict.place = {input->place().file, input->place().line, input->place().column};
        base::write_text(path, ci_report(format, command, {verdict}));
    } catch (const std::exception&) {  // the error itself is what the user is told
    }
}

}  // namespace schedproof::cli
