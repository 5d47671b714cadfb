/// Records: what one description says as JSON, as text and as a schema.
#include "model/base/record.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

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
    EXPECT_EQ(
        to_text(result_record().value(unknown, false)),
        "{\"verdict\":\"unknown\",\"reason\":\"no \\\"time\\\"\\u000a\",\"file\":null,\"queues\":[],\"counts\":{},"
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

TEST(Json, WritesDoublesThatReadBackAndTextThatIsUtf8) {
    EXPECT_EQ(to_text(Json::array({1.0, 0.1, 1e-7, 1e22, -0.0, std::numeric_limits<double>::infinity()})),
              "[1.0,0.1,1e-07,1e+22,-0.0,null]");
    EXPECT_EQ(to_text(Json("\x80 ü\xff")), "\"\xef\xbf\xbd ü\xef\xbf\xbd\"");
}

}  // namespace
}  // namespace schedproof::base
