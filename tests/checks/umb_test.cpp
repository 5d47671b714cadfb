/// The bytes of UMB files: known ones by hand, and any numbers decoded by a reader of its own.
/// tests/checks/umb_files.py compares whole chains.
#include "checks/umb/umb.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <filesystem>
#include <map>
#include <sstream>

#include "checks/umb/tar.hpp"
#include "model/core/errors.hpp"
#include "tests/support/temporary_directory.hpp"

namespace schedproof::graph {
namespace {

namespace fs = std::filesystem;

const UmbAbout about{"a chain", "", "1"};

Rational ratio(std::int64_t p, std::int64_t q) { return {Integer(p), Integer(q)}; }

std::string archive_of(const PrismModel& model) {
    std::ostringstream out;
    (void)write_umb(out, model, about);
    return out.str();
}

/// The files of an archive, read from their headers alone.
std::map<std::string, std::string> files_in(const std::string& archive) {
    std::map<std::string, std::string> files;
    for (std::size_t at = 0; at + 512 <= archive.size() && archive[at] != '\0';) {
        const std::size_t size = std::stoull(archive.substr(at + 124, 11), nullptr, 8);
        files[archive.substr(at, 100).c_str()] = archive.substr(at + 512, size);
        at += 512 + (size + 511) / 512 * 512;
    }
    return files;
}

/// Bytes from hexadecimal digits; blanks are passed over.
std::string hex(std::string_view digits) {
    std::string bytes, pair;
    for (const char c : digits) {
        if (c != ' ') pair += c;
        if (pair.size() == 2) bytes += static_cast<char>(std::stoi(std::exchange(pair, ""), nullptr, 16));
    }
    return bytes;
}

/// Two states: 0 stays with 1/3 and goes to 1 with 2/3; 1 goes back.
PrismModel two_states() {
    PrismModel model;
    model.matrix.append_row({{0, ratio(1, 3)}, {1, ratio(2, 3)}});
    model.matrix.append_row({{0, Rational(1)}});
    model.variables = {"q", "f"};
    model.values = {{0, 0}, {5, -3}};
    model.labels = {{"init", {0}}, {"deadlock", {}}, {"busy", {1}}};
    model.rewards = {{"gain", {Rational(0), ratio(-1, 2)}}};
    return model;
}

TEST(UmbFiles, HoldTheBytesOfTheFormat) {
    const auto files = files_in(archive_of(two_states()));
    const std::string zero = "0000000000000000", one = "0100000000000000", three = "0300000000000000";
    const std::map<std::string, std::string> expected{
        {"choice-to-branches.bin", hex(zero + "0200000000000000" + three)},
        {"branch-to-probability.bin", hex(one + three + "0200000000000000" + three + one + one)},
        {"branch-to-target.bin", hex(zero + one + zero)},
        {"state-is-initial.bin", hex(one)},
        {"annotations/aps/deadlock/states/values.bin", hex(zero)},
        {"annotations/aps/busy/states/values.bin", hex("0200000000000000")},
        {"annotations/rewards/gain/states/values.bin", hex(zero + one + "ffffffffffffffff" + "0200000000000000")},
        // q in three bits, f in three of two's complement: 5 is 101, -3 is 101.
        {"valuations/states/valuations.bin", hex("00 2d")}};
    for (const auto& [name, bytes] : expected) {
        ASSERT_TRUE(files.contains(name)) << name;
        EXPECT_EQ(files.at(name), bytes) << name;
    }
    EXPECT_EQ(files.size(), expected.size() + 1);
    const std::string index = files.at("index.json");
    for (const char* part : {R"("time": "discrete")", R"("#states": 2)", R"("#initial-states": 1)", R"("#choices": 2)",
                             R"("#branches": 3)", R"("padding": 2)", R"("unique": true)"})
        EXPECT_NE(index.find(part), std::string::npos) << part << "\n" << index;
    EXPECT_EQ(index.find("exit-rate-type"), std::string::npos);
}

TEST(UmbFiles, HoldTheRateOfEventsInContinuousTime) {
    PrismModel model = two_states();
    model.event_rate = ratio(7, 4);
    const auto files = files_in(archive_of(model));
    const std::string rate = hex("0700000000000000 0400000000000000");
    EXPECT_EQ(files.at("state-to-exit-rate.bin"), rate + rate);
    EXPECT_EQ(files.at("branch-to-probability.bin"),
              files_in(archive_of(two_states())).at("branch-to-probability.bin"));
    EXPECT_NE(files.at("index.json").find(R"("time": "stochastic")"), std::string::npos);
}

TEST(UmbFiles, PutStatesIntoWordsOf64) {
    PrismModel model;
    for (markov::StateIndex s = 0; s < 65; ++s) model.matrix.append_row({{s, Rational(1)}});
    model.labels = {{"some", {0, 9, 63, 64}}};
    const auto files = files_in(archive_of(model));
    EXPECT_EQ(files.at("annotations/aps/some/states/values.bin"), hex("0102000000000080 0100000000000000"));
    EXPECT_EQ(files.at("state-is-initial.bin"), std::string(16, '\0'));
    EXPECT_FALSE(files.contains("valuations/states/valuations.bin"));
}

/// A word more where the number, or the sign that a reader may see in a denominator, needs it.
TEST(UmbFiles, TakeAsManyBitsAsTheLongestNumberNeeds) {
    const Integer limit = Integer(1) << 63;
    const std::vector<std::pair<Rational, std::size_t>> table{{Rational(limit - 1), 128},
                                                              {Rational(limit), 256},
                                                              {Rational(-limit), 128},
                                                              {Rational(-limit - 1), 256},
                                                              {Rational(Integer(1), limit), 256},
                                                              {Rational(Integer(1), limit - 1), 128},
                                                              {Rational(Integer(1) << 127), 384},
                                                              {Rational((Integer(1) << 127) - 1), 256},
                                                              {Rational(0), 128}};
    for (const auto& [value, bits] : table) {
        PrismModel model = two_states();
        model.rewards[0].value[0] = value;
        std::ostringstream out;
        const UmbSizes sizes = write_umb(out, model, about);
        EXPECT_EQ(sizes.rational_bits, bits) << value;
        EXPECT_EQ(files_in(out.str()).at("annotations/rewards/gain/states/values.bin").size(), 2 * bits / 8) << value;
        // Each array has a width of its own.
        EXPECT_EQ(files_in(out.str()).at("branch-to-probability.bin").size(), 3U * 16) << value;
    }
}

/// Little-endian, and in two's complement where it is signed.
Integer decoded(std::string_view bytes, bool is_signed) {
    Integer n = 0;
    for (std::size_t i = bytes.size(); i-- > 0;) n = 256 * n + static_cast<unsigned char>(bytes[i]);
    const bool negative = is_signed && (static_cast<unsigned char>(bytes.back()) & 0x80) != 0;
    return negative ? Integer(n - (Integer(1) << (8 * bytes.size()))) : n;
}

RC_GTEST_PROP(UmbNumbers, AnyRationalsComeBackExactly, ()) {
    PrismModel model;
    model.matrix.append_row({{0, Rational(1)}});
    const auto integer = [](int words) {
        Integer n = 0;
        for (int i = 0; i < words; ++i) n = (n << 64) + *rc::gen::arbitrary<std::uint64_t>();
        return n;
    };
    const auto count = *rc::gen::inRange<std::size_t>(1, 6);
    for (std::size_t i = 0; i < count; ++i) {
        const Integer p = integer(*rc::gen::inRange(1, 4)), q = integer(*rc::gen::inRange(1, 4)) + 1;
        model.rewards.push_back(
            {"r" + std::to_string(i), {Rational(*rc::gen::arbitrary<bool>() ? p : Integer(-p), q)}});
    }
    const auto files = files_in(archive_of(model));
    for (const PrismReward& reward : model.rewards) {
        const std::string& bytes = files.at("annotations/rewards/" + reward.name + "/states/values.bin");
        RC_ASSERT(bytes.size() % 16 == 0u);
        const std::string_view above = std::string_view(bytes).substr(0, bytes.size() / 2);
        const std::string_view below = std::string_view(bytes).substr(bytes.size() / 2);
        RC_ASSERT(decoded(above, true) == reward.value[0].numerator());
        RC_ASSERT(decoded(below, false) == reward.value[0].denominator());
        RC_ASSERT(decoded(below, true) == reward.value[0].denominator());
    }
}

RC_GTEST_PROP(UmbNumbers, AnyValuesOfVariablesComeBackExactly, ()) {
    const auto states = *rc::gen::inRange<std::size_t>(1, 6), variables = *rc::gen::inRange<std::size_t>(1, 5);
    PrismModel model;
    for (std::size_t s = 0; s < states; ++s) {
        model.matrix.append_row({{0, Rational(1)}});
        model.values.push_back(
            *rc::gen::container<std::vector<std::int32_t>>(variables, rc::gen::arbitrary<std::int32_t>()));
    }
    for (std::size_t i = 0; i < variables; ++i) model.variables.push_back("v" + std::to_string(i));
    const auto files = files_in(archive_of(model));
    const std::string& bytes = files.at("valuations/states/valuations.bin");
    RC_ASSERT(bytes.size() % states == 0u);
    // Widths as the index says them, in the order of the variables.
    std::istringstream index(files.at("index.json").substr(files.at("index.json").find("\"valuations\"")));
    std::vector<std::pair<bool, std::size_t>> types;
    for (std::string line; std::getline(index, line);) {
        if (line.find("\"type\": \"") != std::string::npos)
            types.emplace_back(line.find("\"int\"") != std::string::npos, 0);
        if (const auto at = line.find("\"size\": "); at != std::string::npos)
            types.back().second = std::stoul(line.substr(at + 8));
    }
    RC_ASSERT(types.size() == variables);
    for (std::size_t s = 0; s < states; ++s) {
        const std::size_t size = bytes.size() / states;
        Integer rest = decoded(std::string_view(bytes).substr(s * size, size), false);
        for (std::size_t i = 0; i < variables; ++i) {
            const Integer range = Integer(1) << types[i].second;
            Integer value = rest % range;
            if (types[i].first && 2 * value >= range) value -= range;
            RC_ASSERT(value == model.values[s][i]);
            rest /= range;
        }
        RC_ASSERT(rest == 0);
    }
}

TEST(UmbFiles, RefuseWhatTheFormatCannotName) {
    PrismModel model = two_states();
    model.labels[1].name = "Dead lock";
    EXPECT_THROW((void)archive_of(model), ContractViolation);
    model = two_states();
    model.rewards[0].name = "";
    EXPECT_THROW((void)archive_of(model), ContractViolation);
    model = two_states();
    model.values.pop_back();
    EXPECT_THROW((void)archive_of(model), ContractViolation);
    model = two_states();
    model.rewards[0].value.pop_back();
    EXPECT_THROW((void)archive_of(model), ContractViolation);
    std::ostringstream out;
    TarWriter tar(out);
    EXPECT_THROW(tar.add("", ""), ContractViolation);
    EXPECT_THROW(tar.add(std::string(101, 'a'), ""), ContractViolation);
    EXPECT_NO_THROW(tar.add(std::string(100, 'a'), ""));
    EXPECT_EQ(out.str().size(), 512U);
}

TEST(UmbFiles, AreCompleteOrAbsent) {
    const testing_support::TemporaryDirectory own;
    const fs::path directory = own.path();
    const std::string file = (directory / "x.umb").string();
    EXPECT_THROW((void)write_umb((directory / "no" / "x.umb").string(), two_states(), about), InputError);
    PrismModel model = two_states();
    model.labels[1].name = "Dead lock";
    EXPECT_THROW((void)write_umb(file, model, about), ContractViolation);
    EXPECT_TRUE(fs::is_empty(directory));
    const UmbSizes sizes = write_umb(file, two_states(), about);
    EXPECT_EQ(sizes.states, 2U);
    EXPECT_EQ(sizes.branches, 3U);
    EXPECT_EQ(fs::file_size(file), archive_of(two_states()).size());
}

}  // namespace
}  // namespace schedproof::graph
