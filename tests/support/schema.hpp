/// JSON answers checked against their published schemas, through a validator that shares no code with the command
/// (validate.py); and the schemas checked too: every document is spoiled in every place, and each spoiled one must be
/// rejected.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>

#include "tests/support/command.hpp"

namespace schedproof::testing_support {

using nlohmann::ordered_json;
using Pointer = ordered_json::json_pointer;

/// Every place of a document, depth first; of a list only the first entry, since its schema is that of all.
inline void each_place(const ordered_json& value, const Pointer& at, const std::function<void(const Pointer&)>& visit) {
    visit(at);
    if (value.is_object())
        for (const auto& [key, inner] : value.items()) each_place(inner, at / key, visit);
    else if (value.is_array() && !value.empty())
        each_place(value.front(), at / std::size_t{0}, visit);
}

/// The document with at most three entries of each list. The schema of the others is that of the first, and a validator
/// takes as long as a document is.
inline ordered_json shortened(const ordered_json& value) {
    if (!value.is_structured()) return value;
    ordered_json less = value.is_object() ? ordered_json::object() : ordered_json::array();
    for (const auto& [key, inner] : value.items()) {
        if (value.is_object()) less[key] = shortened(inner);
        if (value.is_array() && less.size() < 3) less.push_back(shortened(inner));
    }
    return less;
}

/// Documents that differ from this one in one place, each no longer of its schema.
inline std::vector<ordered_json> spoiled(const ordered_json& document, const std::set<std::string>& optional) {
    std::vector<ordered_json> all;
    each_place(document, Pointer(), [&](const Pointer& at) {
        const auto with = [&](const ordered_json& other) {
            all.push_back(document);
            all.back()[at] = other;
        };
        const ordered_json& value = document[at];
        with(value.is_number() ? ordered_json("one") : ordered_json(-1));
        if (value.is_object()) {
            with(value);
            all.back()[at]["unknown"] = 1;
        }
        if (at.empty()) return;
        if (at.back() == "exact") with("0.5");
        const bool member = document[at.parent_pointer()].is_object();
        if (member && !optional.contains(at.back()) && !optional.contains(at.parent_pointer().to_string())) {
            all.push_back(document);
            all.back()[at.parent_pointer()].erase(at.back());
        }
    });
    return all;
}

class SchemaTest : public CommandTest {
  protected:
    /// Names of the documents that the schema rejects.
    [[nodiscard]] std::set<std::string> rejected(const std::string& schema, const std::string& documents) const {
        const Answer answer = validated(schema, documents);
        std::set<std::string> names;
        std::istringstream lines(answer.out);
        for (std::string line; std::getline(lines, line);) names.insert(line.substr(0, line.find(':')));
        EXPECT_EQ(answer.exit == 1, !names.empty());
        return names;
    }
    /// The text is of the schema, and spoiled in any place it is not. `optional` holds names of members that may be
    /// absent, and paths of objects whose members are names of the instance.
    void expect_schema(const std::string& schema, const std::string& text,
                       const std::set<std::string>& optional = {}) const {
        SCOPED_TRACE(schema);
        const ordered_json document = ordered_json::parse(text, nullptr, false);
        ASSERT_TRUE(document.is_object()) << text;
        EXPECT_EQ(document["schema"], schema);
        write("document.json", text);
        EXPECT_EQ(rejected(schema, "document.json"), std::set<std::string>{});
        ordered_json less = shortened(document);
        write("shortened.json", less.dump());
        if (!rejected(schema, "shortened.json").empty()) less = document;  // a list has a fixed length
        const std::vector<ordered_json> worse = spoiled(less, optional);
        ASSERT_GT(worse.size(), 3u);
        std::filesystem::create_directory(at("spoiled"));
        for (std::size_t i = 0; i < worse.size(); ++i) write("spoiled/" + std::to_string(i), worse[i].dump());
        const std::set<std::string> found = rejected(schema, "spoiled/*");
        for (std::size_t i = 0; i < worse.size(); ++i)
            EXPECT_TRUE(found.contains("spoiled/" + std::to_string(i))) << "accepted: " << worse[i].dump();
        std::filesystem::remove_all(at("spoiled"));
    }
    /// The answer in JSON, which is of its schema.
    [[nodiscard]] ordered_json json(const std::string& schema, const std::string& arguments, int exit = 0,
                                    const std::set<std::string>& optional = {}) const {
        const std::string text = good(arguments + " --format json", exit);
        expect_schema(schema, text, optional);
        return ordered_json::parse(text, nullptr, false);
    }
};

}  // namespace schedproof::testing_support
