/// The shared tools of model/base, and the forms of an InputError.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include "model/base/cursor.hpp"
#include "model/base/document.hpp"
#include "model/base/line_breaks.hpp"
#include "model/base/numeral.hpp"
#include "model/base/output_file.hpp"
#include "model/base/split.hpp"
#include "model/base/text.hpp"
#include "model/core/errors.hpp"

namespace schedproof::base {
namespace {

using Parts = std::vector<std::string_view>;

TEST(Split, KeepsEmptyParts) {
    EXPECT_EQ(split("a,,b", ','), (Parts{"a", "", "b"}));
    EXPECT_EQ(split("", ','), (Parts{""}));
    EXPECT_EQ(split(",", ','), (Parts{"", ""}));
    EXPECT_EQ(split_words(" \ta  b\r"), (Parts{"a", "b"}));
    EXPECT_EQ(split_words(" \t "), Parts{});
    EXPECT_EQ(split_words("a\rb", " "), (Parts{"a\rb"}));
    EXPECT_EQ(trimmed(" \t a b \r"), "a b");
    EXPECT_EQ(trimmed(" \r"), "");
}

RC_GTEST_PROP(Split, PartsJoinedAreTheText, ()) {
    const auto letters = *rc::gen::container<std::string>(rc::gen::element('a', ',', ' '));
    std::string joined;
    const Parts parts = split(letters, ',');
    for (std::size_t i = 0; i < parts.size(); ++i) joined += (i == 0 ? "" : ",") + std::string(parts[i]);
    RC_ASSERT(joined == letters);
    std::array<std::string_view, 2> fields;
    RC_ASSERT(split_into(fields, letters, ',') == parts.size());
    RC_ASSERT(fields[0] == parts[0]);
    RC_ASSERT(split_words_into(fields, letters) == split_words(letters).size());
}

TEST(Names, ArePlainOrStandInQuotes) {
    for (const char* name : {"m2-half", "s0.local", "10.0.0.1:50010", "A_1"}) {
        EXPECT_TRUE(is_plain_name(name)) << name;
        EXPECT_EQ(in_sentence(name), name);
    }
    for (const char* name : {"", "a b", "a,b", "a\nb", "Q[s0]", "\xc3\xa9", "a/b", "'a'"})
        EXPECT_FALSE(is_plain_name(name)) << name;
    EXPECT_EQ(in_sentence("a b"), "'a b'");
    EXPECT_EQ(in_sentence("a\nb"), "'a\\x0ab'");
}

TEST(Numeral, IsTheWholeText) {
    EXPECT_EQ(parse_numeral<std::uint32_t>("12"), 12U);
    EXPECT_EQ(parse_numeral<std::int64_t>("-3"), -3);
    for (const char* text : {"", " 1", "1 ", "+1", "1x", "4294967296"})
        EXPECT_EQ(parse_numeral<std::uint32_t>(text), std::nullopt) << text;
    EXPECT_EQ(parse_numeral<double>("1e3"), 1000.0);
}

TEST(InputErrors, CarryTheirPlaceAsData) {
    EXPECT_STREQ(InputError("expected a policy").what(), "expected a policy");
    EXPECT_STREQ(InputError::at_key("--load", "expected 1").what(), "--load: expected 1");
    EXPECT_STREQ(InputError::in_file("a.toml", "expected text").what(), "a.toml: expected text");
    EXPECT_STREQ(InputError::in_file("a.toml", "jobs", "expected text").what(), "a.toml: jobs: expected text");
    EXPECT_STREQ(InputError::at_line("a.csv", 3, "expected 4 fields").what(), "a.csv:3: expected 4 fields");
    EXPECT_STREQ(InputError::at_line("a.csv", 3, "load", "expected 1").what(), "a.csv:3: load: expected 1");
    const InputError error = InputError::at_path({"costs", std::size_t{2}, "theta"}, "expected 1");
    EXPECT_EQ(error.place().key, "costs[2].theta");
    EXPECT_EQ(error.place().path.size(), 3U);
    EXPECT_EQ(error.within({"a.toml", 7, ""}).place().to_string(), "a.toml:7: costs[2].theta");
    EXPECT_EQ(error.within({"a.toml", 7, ""}).place().path.size(), 3U);
}

TEST(Cursors, FollowAPathAsFarAsItGoes) {
    const std::string file = "f.json";
    const Node root = parse_json(
        "{\"types\": [\n{\"name\": \"A\", \"rate\": 1},\n{\"name\": \"A.rate\", \"rate\": 2}],\n\"costs\": [[1,\n2]]}",
        file);
    const Cursor at(root, file);
    EXPECT_EQ(at.follow({"types", "A", "rate"}).path(), "types[0].rate");
    EXPECT_EQ(at.follow({"types", "A.rate", "rate"}).path(), "types[1].rate");
    EXPECT_EQ(at.follow({"types", "A.rate", "rate"}).node().line, 3U);
    EXPECT_EQ(at.follow({"types", "B", "rate"}).path(), "types");
    EXPECT_EQ(at.follow({"costs", std::size_t{0}, std::size_t{1}}).path(), "costs[0][1]");
    EXPECT_EQ(at.follow({"costs", std::size_t{0}, std::size_t{1}}).node().line, 5U);
    EXPECT_EQ(at.follow({"costs", std::size_t{0}, std::size_t{2}}).path(), "costs[0]");
    EXPECT_EQ(at.follow({"speed"}).path(), "");
}

TEST(Cursors, ReadMachineNumbers) {
    const std::string file = "f.json";
    const Node root =
        parse_json("{\"seed\": 18446744073709551615, \"x\": [1, 2.5, 1e-320], \"n\": [1, -1], \"z\": null}", file);
    const Cursor at(root, file);
    EXPECT_EQ(at.require("seed", "a seed").count(0, UINT64_MAX, "a seed"), UINT64_MAX);
    EXPECT_THROW((void)at.require("seed", "a seed").integer(0, INT64_MAX, "a seed"), InputError);
    EXPECT_EQ(at.require("x", "").reals("numbers"), (std::vector<double>{1, 2.5, 1e-320}));
    EXPECT_TRUE(at.require("z", "").is_null());
    try {
        (void)at.require("n", "").counts("counts");
        FAIL();
    } catch (const InputError& error) {
        EXPECT_EQ(error.place().key, "n[1]");
    }
}

TEST(OutputFiles, OneWriterOfANewFileWins) {
    const std::filesystem::path folder = std::filesystem::temp_directory_path() / "schedproof-base-test";
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
    const std::string path = (folder / "unit.json").string();
    OutputFile first(path), second(path);
    first.stream() << "first";
    second.stream() << "second";
    first.sync();
    EXPECT_TRUE(first.commit_new());
    EXPECT_FALSE(second.commit_new());
    EXPECT_EQ(read_file(path), "first");
    write_file(path, "third");
    EXPECT_EQ(read_file(path), "third");
    { const OutputFile first_gone = std::move(first), second_gone = std::move(second); }
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}), 1);
    std::filesystem::remove_all(folder);
}

/// Words of up to nine letters with single spaces between them.
std::string any_sentence() {
    std::string text;
    for (int words = *rc::gen::inRange(1, 80); words > 0; --words)
        text += (text.empty() ? "" : " ") + std::string(static_cast<std::size_t>(*rc::gen::inRange(1, 10)), 'w');
    return text;
}

RC_GTEST_PROP(LineBreaks, StandBetweenWordsBelowTheText, ()) {
    const std::string label = *rc::gen::element<std::string>("theorem       ", "  why  ", "    "),
                      words = any_sentence();
    std::string text = with_line_breaks(label + words + "\n"), whole;
    RC_ASSERT(with_line_breaks(text) == text);
    RC_ASSERT(text.starts_with(label));
    for (const std::string_view line : split(std::string_view(text).substr(0, text.size() - 1), '\n')) {
        RC_ASSERT(line.size() <= 120U);
        RC_ASSERT(whole.empty() || line.find_first_not_of(' ') == label.size());
        whole += (whole.empty() ? "" : " ") + std::string(line.substr(label.size()));
    }
    RC_ASSERT(whole == words);
}

TEST(LineBreaks, RowsOfTablesAndCallsStayAsTheyAre) {
    const std::string words(130, 'w'), row = "gate  explore  " + words + " " + words + "\n";
    EXPECT_EQ(with_line_breaks(row), row);
    EXPECT_EQ(with_line_breaks(words + " " + words), words + " " + words);  // no label: a line for a program
    EXPECT_EQ(with_line_breaks("why  " + words + " " + words), "why  " + words + "\n     " + words);
    EXPECT_EQ(with_line_breaks("replay  schedproof " + words + " " + words),
              "replay  schedproof " + words + " " + words);
    EXPECT_EQ(with_line_breaks(""), "");
    EXPECT_EQ(with_line_breaks("a  b\n\n"), "a  b\n\n");
}

}  // namespace
}  // namespace schedproof::base
