#include "experiments/command/report/evidence.hpp"

#include <fmt/core.h>

#include <filesystem>
#include <limits>

#include "model/base/cursor.hpp"
#include "model/base/text.hpp"

namespace schedproof::cli::site {

namespace {

namespace fs = std::filesystem;
using base::Cursor;

constexpr std::uint64_t any_count = std::numeric_limits<std::int64_t>::max();

std::string text_at(const Cursor& at, const char* key) { return at.require(key, "text").text("text"); }

std::string text_or_nothing(const Cursor& at, const char* key) {
    const Cursor value = at.require(key, "text or null");
    return value.is_null() ? "" : value.text("text or null");
}

/// A number of the finding with its unit; empty where it has none.
std::string counted(const Cursor& at, const char* key, const char* unit) {
    const Cursor value = at.require(key, "a number or null");
    return value.is_null() ? "" : fmt::format("{} {}", value.count(0, any_count, "a number or null"), unit);
}

Finding finding(const Cursor& at) {
    Finding found{text_at(at, "oracle"),
                  text_at(at, "verdict"),
                  text_at(at, "detail"),
                  text_or_nothing(at, "expected"),
                  "",
                  {},
                  ""};
    found.numbers = counted(at, "cells", "cells") + counted(at, "cases", "cases");
    if (const Cursor seed = at.require("seed", "a number or null"); !seed.is_null())
        found.numbers += fmt::format(", seed {}", seed.count(0, any_count, "a number or null"));
    if (const Cursor seconds = at.require("seconds", "a number or null"); !seconds.is_null())
        found.seconds = seconds.real("a number or null");
    found.evidence = fs::path(text_or_nothing(at, "evidence")).filename().string();
    return found;
}

}  // namespace

std::string verdicts_file(const std::string& evidence) { return (fs::path(evidence) / "check.json").string(); }

Verdicts read_verdicts(const std::string& file) {
    const base::Node document =
        base::parse_document(base::read_text(file, base::max_json_bytes), base::Format::json, file);
    const Cursor root(document, file);
    Verdicts verdicts{text_at(root, "version"), 0, 0, {}, root.require("conflicts", "a list").texts("a list of texts")};
    verdicts.seed = root.require("seed", "a seed").count(0, any_count, "a seed");
    verdicts.cases = root.require("cases", "a number").count(1, any_count, "a number of cases");
    for (const Cursor& row : root.require("rows", "a list of rows").items("a list of rows")) {
        Checked checked{text_at(row, "claim"),
                        text_at(row, "policy"),
                        text_at(row, "instance"),
                        text_at(row, "expectation"),
                        text_at(row, "outcome"),
                        text_at(row, "witness"),
                        {},
                        fs::path(file).parent_path().string()};
        for (const Cursor& at : row.require("findings", "a list").items("a list of findings"))
            checked.findings.push_back(finding(at));
        verdicts.rows.push_back(std::move(checked));
    }
    return verdicts;
}

std::string text_of(const std::string& directory, const std::string& name) {
    const fs::path path = fs::path(directory) / name;
    std::error_code error;
    return fs::is_regular_file(path, error) ? base::read_file(path.string()) : "";
}

}  // namespace schedproof::cli::site
