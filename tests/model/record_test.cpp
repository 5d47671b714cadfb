/// Records: what one description says as JSON, as text and as a schema.
#include "model/base/record.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "model/base/stored.hpp"

namespace schedproof::base {
namespace {

struct Queue {
    std::string name;
    Rational mean;
};

struct Result {
    std::string verdict;
    std::optional<Rational> bound;
    std::string reason;
    std::vector<Queue> queues;
    std::vector<std::pair<std::string, std::uint64_t>> counts;
    std::optional<std::string> file;
    double share = 0;

    [[nodiscard]] std::size_t names() const { return queues.size(); }
};

const Record<Result>& result_record() {
    const Record<Queue> queue{field("name", &Queue::name, "Its name."),
                              field("mean", &Queue::mean, "Its mean length.").unit("tasks").least(0)};
    static const Record<Result> record = Record<Result>{
        field("verdict", &Result::verdict, "What is known.").words({"proved", "unknown"}),
        field("bound", &Result::bound, "At least this.").only_when("verdict", {"proved"}).unit("tasks"),
        field("reason", &Result::reason, "Why not.").only_when("verdict", {"unknown"}),
        field("file", &Result::file, "File written; null where none was.").null_unless("verdict", {"proved"}),
        field("queues", &Result::queues, "In order.", queue)
            .items(1)
            .below("{#} of them, the share {share:.2f}", "{name:<4}{mean} | {mean:fraction}"),
        field("counts", &Result::counts, "By kind.").hidden(),
        field("share", &Result::share, "Of all.").least(0).most(1).hidden(),
        field("names", &Result::names, "Names.").optional().hidden(),
        words("note", [](const Result& r) {
            return r.queues.empty() ? "" : "some queues";
        })}.column(10);
    return record;
}

const Result proved{
    "proved", Rational(Integer(1), Integer(3)), "", {{"q", Rational(2)}, {"r", Rational(0)}}, {{"a b", 1}}, "out", 0.5},
    unknown{"unknown", {}, "no \"time\"\n", {}, {}, "never said", 1};

TEST(Record, WritesJson) {
    EXPECT_EQ(to_text(result_record().value(proved, false)),
              "{\"verdict\":\"proved\",\"bound\":{\"exact\":\"1/3\",\"approx\":0.3333333333333333},\"file\":\"out\","
              "\"queues\":[{\"name\":\"q\",\"mean\":{\"exact\":\"2\",\"approx\":2.0}},{\"name\":\"r\",\"mean\":{"
              "\"exact\":\"0\",\"approx\":0.0}}],\"counts\":{\"a b\":1},\"share\":0.5,\"names\":2}");
    EXPECT_EQ(to_text(result_record().value(unknown, false)),
              "{\"verdict\":\"unknown\",\"reason\":\"no \\\"time\\\"\\n\",\"file\":null,\"queues\":[],\"counts\":{},"
              "\"share\":1.0,\"names\":0}");
}

TEST(Record, WritesText) {
    const Record<Result>& record = result_record();
    EXPECT_EQ(text_of(record.shape(), record.value(proved, true)),
              "verdict   proved\nbound     1/3 (approx. 0.333333)   tasks\nfile      out\n"
              "queues    2 of them, the share 0.50\n  q   2 | 2\n  r   0 | 0\nnote      some queues\n");
}

TEST(Record, DescribesItselfStrictly) {
    using nlohmann::json;
    const json schema = json::parse(schema_text({"result", "A result.", true, result_record().shape()}));
    EXPECT_EQ(schema["properties"]["schema"]["const"], "result");
    EXPECT_EQ(schema["additionalProperties"], false);
    EXPECT_EQ(schema["required"], json({"schema", "version", "files", "verdict", "file", "queues", "counts", "share"}));
    EXPECT_EQ(schema["properties"]["bound"]["description"], "At least this. Unit: tasks.");
    EXPECT_EQ(schema["properties"]["file"]["type"], json({"string", "null"}));
    EXPECT_EQ(schema["properties"]["queues"]["items"]["required"], json({"name", "mean"}));
    EXPECT_EQ(schema["properties"]["queues"]["items"]["additionalProperties"], false);
    EXPECT_EQ(schema["properties"]["counts"]["additionalProperties"], json::parse(R"({"type":"integer","minimum":0})"));
    EXPECT_EQ(schema["allOf"], json::parse(R"([
        {"if": {"properties": {"verdict": {"enum": ["proved"]}}},
         "then": {"required": ["bound"], "properties": {"file": {"type": "string", "minLength": 1}}},
         "else": {"not": {"anyOf": [{"required": ["bound"]}]}, "properties": {"file": {"type": "null"}}}},
        {"if": {"properties": {"verdict": {"enum": ["unknown"]}}}, "then": {"required": ["reason"]},
         "else": {"not": {"anyOf": [{"required": ["reason"]}]}}}])"));
    EXPECT_TRUE(schema["definitions"].contains("number"));
}

enum class Colour { red, green };

struct Part {
    double share = 0;
    std::optional<std::uint64_t> count = 7;
    friend bool operator==(const Part&, const Part&) = default;
};

struct Kept {
    std::string name;
    Colour colour = Colour::red;
    std::vector<ServerId> servers;
    std::vector<Part> parts;
    Part own;
    std::optional<Part> more;
    std::array<std::int64_t, 2> pair{};
    friend bool operator==(const Kept&, const Kept&) = default;
};

Form kept_form(const Record<Kept>& record) { return {"kept", "A file.", false, record.shape()}; }

const Record<Kept>& kept_record() {
    const Record<Part> part{stored("share", &Part::share, "").least(0).most(1),
                            stored("count", &Part::count, "").optional()};
    static const Record<Kept> record{stored("name", &Kept::name, ""),
                                     stored_word("colour", &Kept::colour, std::array{"red", "green"}, ""),
                                     stored("servers", &Kept::servers, "").most(9),
                                     stored("parts", &Kept::parts, "", part).items(1),
                                     of_part(&Kept::own, stored("own_share", &Part::share, "")),
                                     stored("more", &Kept::more, "", part).null_unless("colour", {"green"}),
                                     group("in_a_group", "", Record<Kept>{stored("pair", &Kept::pair, "").least(-1)})};
    return record;
}

std::string kept_text(const Kept& kept) {
    Json json{{"schema", "kept"}, {"version", "1.2.3"}};
    json.update(kept_record().value(kept, false));
    return to_text(json, 1);
}

Kept read_back(const std::string& text) {
    const Node document = parse_json(text, "f");
    const Cursor root(document, "f");
    require_form(root, kept_form(kept_record()));
    return kept_record().read(root);
}

const Kept kept{"a \"name\"\n", Colour::green, {ServerId(3), ServerId(0)}, {{0.1, {}}, {1, 1}}, {-2.5, {}},
                Part{0.25, 4},  {-1, 5}};

TEST(Stored, ReadsWhatItWrites) {
    Kept expected = kept;
    expected.own.count = expected.parts[0].count = 7;  // what is left out stays as it is
    EXPECT_EQ(read_back(kept_text(kept)), expected);
    Kept red = kept;
    red.colour = Colour::red, red.more.reset();
    EXPECT_EQ(read_back(kept_text(red)).more, std::nullopt);
    EXPECT_EQ(read_back(kept_text(red)).colour, Colour::red);
}

TEST(Stored, SaysWhereAndWhatWasExpected) {
    const auto refused = [](const std::string& from, const std::string& to) -> std::string {
        std::string text = kept_text(kept);
        const std::size_t at = text.find(from);
        if (at == std::string::npos) return "not there";
        try {
            static_cast<void>(read_back(text.replace(at, from.size(), to)));
        } catch (const InputError& error) {
            return error.what();
        }
        return "";
    };
    EXPECT_EQ(refused("0.1", "1.1"),
              "f:12: parts[0].share: expected a number of at least 0 and of at most 1, not the "
              "float 1.1");
    EXPECT_EQ(refused("0.1", "\"0.1\""),
              "f:12: parts[0].share: expected a number of at least 0 and of at most 1, not "
              "'0.1'");
    EXPECT_EQ(
        refused("\"name\"", "\"nam\""),
        "f:4: nam: expected a known key (did you mean 'name'?); known here: schema, version, name, colour, servers, "
        "parts, own_share, more, in_a_group");
    EXPECT_EQ(refused("\"own_share\": -2.5,", ""), "f:1: expected the key 'own_share': a number");
    EXPECT_EQ(refused("green", "blue"), "f:5: colour: expected one of red, green, not 'blue'");
    EXPECT_EQ(refused("green", "red"), "f:1: expected the key 'more' with null");
    EXPECT_EQ(refused("3,", "10,"), "f:7: servers[0]: expected an integer of at least 0 and of at most 9, not 10");
    EXPECT_EQ(refused("3,", "3.0,"),
              "f:7: servers[0]: expected an integer of at least 0 and of at most 9, not the float "
              "3.0");
    EXPECT_EQ(refused("5\n", "5,5\n"), "f:25: in_a_group.pair: expected a list of 2, not one of 3");
    EXPECT_EQ(refused("-1,", "-2,"), "f:26: in_a_group.pair[0]: expected an integer of at least -1, not -2");
    EXPECT_EQ(refused("\"kept\"", "\"lost\""), "f:2: schema: expected kept, not 'lost'");
}

TEST(Json, WritesDoublesThatReadBackAndTextThatIsUtf8) {
    EXPECT_EQ(to_text(Json::array({1.0, 0.1, 1e-7, 1e22, -0.0, std::numeric_limits<double>::infinity()})),
              "[1.0,0.1,1e-07,1e+22,-0.0,null]");
    EXPECT_EQ(to_text(Json("\x80 ü\xff")), "\"\xef\xbf\xbd ü\xef\xbf\xbd\"");
}

}  // namespace
}  // namespace schedproof::base
