/// Traces of requests: what is read against what was written, and instances made of it.
#include "experiments/input/requests/request_trace.hpp"

#include <fmt/core.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

#include "experiments/input/requests/instance_of_requests.hpp"
#include "model/core/errors.hpp"
#include "model/queueing/codec/codec.hpp"

namespace schedproof::input::requests {

RequestTrace traced(const std::string& text, RequestFormat format, const RequestCosts& costs = {}) {
    std::istringstream in(text);
    return read_requests(in, "t", format, costs);
}

std::string complaint(const std::string& text, RequestFormat format, const RequestCosts& costs = {}) {
    try {
        static_cast<void>(traced(text, format, costs));
    } catch (const InputError& error) {
        return error.what();
    }
    return "no error";
}

/// Rows of a table: times in quarters of a second, one of few keys or none.
struct TableRow {
    int quarter, key, size;
};

std::vector<TableRow> some_rows(std::size_t least) {
    const auto count = *rc::gen::inRange<std::size_t>(least, 40);
    std::vector<TableRow> rows;
    int quarter = *rc::gen::inRange(0, 100);
    for (std::size_t i = 0; i < count; ++i) {
        quarter += *rc::gen::inRange(0, 5);
        rows.push_back({quarter, *rc::gen::inRange(0, 8), *rc::gen::inRange(1, 50)});
    }
    return rows;
}

std::string table_of(const std::vector<TableRow>& rows) {
    std::string text = "key,time,size\n";
    for (const TableRow& row : rows)
        text += fmt::format("{},{},{}\n", row.key == 0 ? "" : fmt::format("k{}", row.key), row.quarter / 4.0, row.size);
    return text;
}

RC_GTEST_PROP(RequestTrace, KeepsKeysThatStandTwiceAndCountsTimeFromTheFirst, ()) {
    const std::vector<TableRow> rows = some_rows(1);
    const RequestTrace trace = traced(table_of(rows), RequestFormat::csv, {.factor = 3, .extra = 0.5});
    std::map<int, int> times;
    for (const TableRow& row : rows) ++times[row.key];
    RC_ASSERT(trace.requests.size() == rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const TracedRequest& read = trace.requests[i];
        const bool keyed = rows[i].key != 0 && times[rows[i].key] > 1;
        RC_ASSERT(read.time == (rows[i].quarter - rows[0].quarter) / 4.0);
        RC_ASSERT(read.key == (keyed ? fmt::format("k{}", rows[i].key) : ""));
        RC_ASSERT(read.miss == 3.0 * rows[i].size + 0.5);
        RC_ASSERT(read.hit == (keyed ? static_cast<double>(rows[i].size) : read.miss));
    }
}

/// Prompts are lists of words; an id stands for a list up to there. What a hit saves is counted on the words.
RC_GTEST_PROP(RequestTrace, SavesTheBlocksThatAnEarlierPromptBeginsWith, ()) {
    const auto count = *rc::gen::inRange<std::size_t>(1, 25);
    std::vector<std::vector<int>> prompts;
    std::map<std::vector<int>, std::uint64_t> ids;
    std::string text;
    for (std::size_t i = 0; i < count; ++i) {
        std::vector<int> words{0};
        const auto more = *rc::gen::inRange<std::size_t>(0, 5);
        for (std::size_t w = 0; w < more; ++w) words.push_back(*rc::gen::inRange(0, 3));
        prompts.push_back(words);
        std::string list;
        for (std::size_t n = 1; n <= words.size(); ++n) {
            const std::vector<int> beginning(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(n));
            list += fmt::format("{}{}", n == 1 ? "" : ", ", ids.emplace(beginning, ids.size()).first->second);
        }
        text += fmt::format("{{\"timestamp\": {}, \"input_length\": {}, \"output_length\": 7, \"hash_ids\": [{}]}}\n",
                            1000 * i, 10 * words.size() - 3, list);
    }
    RequestCosts costs{.fixed = 1, .prefill = 2, .decode = 3};
    costs.block = 10;
    costs.common = 1;
    const RequestTrace trace = traced(text, RequestFormat::mooncake, costs);
    std::map<std::vector<int>, int> keys;  // the first two words, of prompts that have them
    for (const auto& words : prompts)
        if (words.size() > 1) ++keys[{words[0], words[1]}];
    std::set<std::vector<int>> seen;
    for (std::size_t i = 0; i < count; ++i) {
        const std::vector<int>& words = prompts[i];
        std::size_t known = 1;
        for (std::size_t n = 1; n <= words.size(); ++n) {
            const std::vector<int> beginning(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(n));
            if (seen.count(beginning) > 0) known = n;
        }
        for (std::size_t n = 1; n <= words.size(); ++n)
            seen.emplace(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(n));
        const double tokens = 10.0 * static_cast<double>(words.size()) - 3;
        const double kept = std::min(tokens, 10.0 * static_cast<double>(known)), first = std::min(tokens, 10.0);
        const bool keyed = words.size() > 1 && keys[{words[0], words[1]}] > 1;
        const TracedRequest& read = trace.requests[i];
        RC_ASSERT(read.key.empty() != keyed);
        RC_ASSERT(read.tokens == tokens);
        RC_ASSERT(read.saved == (keyed ? kept - first : 0));
        RC_ASSERT(read.miss == 1 + 2 * (tokens - first) + 3 * 7);
        RC_ASSERT(read.hit == (keyed ? 1 + 2 * (tokens - kept) + 3 * 7 : read.miss));
    }
}

RC_GTEST_PROP(RequestTrace, TasksOfAnInstanceAreThoseOfTheTrace, ()) {
    std::vector<TableRow> rows = some_rows(2);
    rows.back().quarter += 1;
    const RequestTrace trace = traced(table_of(rows), RequestFormat::csv);
    const auto servers = *rc::gen::inRange<std::size_t>(1, 6);
    const auto replicas = *rc::gen::inRange<std::size_t>(1, servers + 1);
    const ImportedRequests imported = import_requests(trace, {"made", "test", servers, replicas});
    const queueing::Instance instance(imported.data);
    RC_ASSERT(instance.servers().size() == servers);
    RC_ASSERT(imported.tasks.size() == rows.size());
    std::map<std::string, TaskTypeId> type_of;
    std::map<bool, std::pair<double, int>> sizes;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const TypedTask& task = imported.tasks[i];
        const std::string& key = trace.requests[i].key;
        RC_ASSERT(type_of.emplace(key, task.type).first->second == task.type);
        RC_ASSERT(instance.type(task.type).replicas.size() == (key.empty() ? servers : replicas));
        RC_ASSERT((instance.type(task.type).name == "single") == key.empty());
        sizes[key.empty()].first += task.size;
        ++sizes[key.empty()].second;
    }
    for (const auto& [single, sum] : sizes) RC_ASSERT(std::abs(sum.first / sum.second - 1) < 1e-9);
    // The rates are those counted, to six digits.
    const double span = trace.requests.back().time;
    for (const TaskTypeId type : instance.types()) {
        const auto count = std::count_if(imported.tasks.begin(), imported.tasks.end(),
                                         [&](const TypedTask& task) { return task.type == type; });
        const double counted = static_cast<double>(count) / span;
        RC_ASSERT(std::abs(instance.arrival_rate(type).approximate() - counted) <= 1e-5 * counted);
    }
    // What is written can be read.
    std::istringstream written(write_typed_tasks(instance, imported.tasks));
    RC_ASSERT(read_typed_tasks(written, "t", instance) == imported.tasks);
    const std::string toml = queueing::write_toml(instance);
    RC_ASSERT(queueing::write_toml(queueing::parse_instance(toml, base::Format::toml, "t")) == toml);
}

TEST(RequestTrace, ReadsEveryFormat) {
    const RequestTrace azure = traced(
        "TIMESTAMP,ContextTokens,GeneratedTokens\n2023-11-16 23:59:59.5000000,100,10\n2023-11-17 "
        "00:00:01+00:00,7,0\n",
        RequestFormat::azure, {.fixed = 1, .prefill = 0.5, .decode = 0.25});
    EXPECT_EQ(azure.requests, (std::vector<TracedRequest>{{0, "", 53.5, 53.5, 100, 0}, {1.5, "", 4.5, 4.5, 7, 0}}));
    const RequestTrace lora = traced(
        "gmt_create,predict_type,predict_status,exec_time_seconds,groupId,prompt_length,negative_prompt_length,"
        "num_images_per_prompt,num_inference_steps,checkpoint_model_version_id,num_lora\n"
        "2024-02-28 23:00:00,TXT_2_IMG,SUCCEED,32.0,G0,63,,1,30,M1,0\n"
        "2024-02-29 00:00:00,TXT_2_IMG,FAILED,1.0,G0,63,,1,30,M1,0\n"
        "2024-03-01 00:00:00,IMG_2_IMG,SUCCEED,0.0,G0,63,,1,30,M1,0\n"
        "2024-03-01 00:00:10,INPAINTING,SUCCEED,5.0,G0,63,,1,30,M1,0\n",
        RequestFormat::lora, {.factor = 1, .extra = 10});
    EXPECT_EQ(lora.requests,
              (std::vector<TracedRequest>{{0, "M1", 32, 42, 0, 0}, {3600 + 86400 + 10, "M1", 5, 15, 0, 0}}));
    EXPECT_EQ(lora.notes, (std::vector<std::string>{"passed over, since they did not succeed: 1 requests",
                                                    "passed over, since they took no time: 1 requests"}));
    const RequestTrace swim =
        traced("a\t10\t0\t134217729\t0\t0\t/x\nb\t11\t1\t0\t0\t1\t/x\nc\t12\t1\t1\t0\t0\n", RequestFormat::swim);
    EXPECT_EQ(swim.requests,
              (std::vector<TracedRequest>{{0, "/x", 2, 4, 0, 0}, {1, "/x", 1, 2, 0, 0}, {2, "", 2, 2, 0, 0}}));
    const std::string tail = " 4 -1 -1 4 -1 -1 1 1 1 ", rest = " 1 1 -1 -1\n";
    const RequestTrace swf =
        traced("1 5 0 20" + tail + "9" + rest + "2 6 0 30" + tail + "9" + rest + "3 7 0 -1" + tail + "9" + rest,
               RequestFormat::swf);
    EXPECT_EQ(swf.requests, (std::vector<TracedRequest>{{0, "9", 20, 40, 0, 0}, {1, "9", 30, 60, 0, 0}}));
    EXPECT_EQ(swf.notes, (std::vector<std::string>{"passed over, since they have no run time: 1 requests"}));
}

TEST(RequestTrace, SaysWhatIsWrong) {
    const auto table = [](const std::string& rows) { return complaint("time,key,size\n" + rows, RequestFormat::csv); };
    EXPECT_EQ(table(""), "t: expected at least one request");
    EXPECT_EQ(table("1,a,2\n0,a,2\n"),
              "t:3: expected requests in the order of their times, but it is 1 s before the "
              "one above");
    EXPECT_EQ(table("1,a,0\n"), "t:2: expected a request that takes some time, and no less at a miss, not 0 s and 0 s");
    EXPECT_EQ(table("1,a,x\n"), "t:2: size: expected a time of at least 0, not 'x'");
    EXPECT_EQ(table("1,a\n"), "t:2: expected 3 fields, time,key,size, not 2");
    EXPECT_EQ(table("1,a,2"), "t:2: the last line has no newline; if the file is complete, add one");
    EXPECT_EQ(complaint("time,kez,size\n", RequestFormat::csv),
              "t:1: header: expected time,key,size in some order, not 'kez' (did you mean 'key'?)");
    EXPECT_EQ(complaint("time,size\n1,2\n", RequestFormat::csv), "t:1: header: expected a column key");
    const auto azure = [](const std::string& time) {
        return complaint("TIMESTAMP,ContextTokens,GeneratedTokens\n" + time + ",1,1\n", RequestFormat::azure);
    };
    for (const char* time : {"2023-02-29 00:00:00", "2023-02-28 24:00:00", "2023-02-28", "2023-02-28 00:00:0x", ""})
        EXPECT_EQ(azure(time),
                  fmt::format("t:2: TIMESTAMP: expected a time such as 2024-11-15 16:57:50, not '{}'", time));
    const auto blocks = [](const std::string& line) { return complaint(line + "\n", RequestFormat::mooncake); };
    EXPECT_EQ(blocks(R"({"timestamp": 0, "input_length": 513, "output_length": 1, "hash_ids": [1]})"),
              "t:1: hash_ids: expected 2 ids, one for each 512 tokens of the prompt, not 1");
    EXPECT_EQ(blocks(R"({"timestamp": 0, "input_length": 1, "output_length": 1, "hash_id": [1]})").substr(0, 30),
              "t:1: hash_id: expected a known");
    EXPECT_EQ(blocks(R"({"timestamp": -1, "input_length": 1, "output_length": 1, "hash_ids": [1]})").substr(0, 16),
              "t:1: timestamp: ");
    EXPECT_EQ(complaint("{\"timestamp\": 0, \"input_le", RequestFormat::mooncake),
              "t:1: the last line has no newline; if the file is complete, add one");
}

TEST(RequestTrace, SaysWhatIsWrongWithTasks) {
    const ImportedRequests imported = import_requests(traced("time,key,size\n0,a,1\n1,a,1\n", RequestFormat::csv), {});
    const queueing::Instance instance(imported.data);
    const std::string name = instance.type(TaskTypeId(0)).name;
    const auto of = [&](const std::string& text) -> std::string {
        std::istringstream in(text);
        try {
            static_cast<void>(read_typed_tasks(in, "t", instance));
        } catch (const InputError& error) {
            return error.what();
        }
        return "no error";
    };
    EXPECT_EQ(of("time,type,size\n"), "t: expected at least one task");
    EXPECT_EQ(of("type,time,size\n" + name + ",1,1\n"), "no error");
    EXPECT_EQ(of("time,type,size\n1," + name + "x,1\n"),
              fmt::format("t:2: type: expected a type of the instance, not '{0}x' (did you mean '{0}'?)", name));
    EXPECT_EQ(of("time,type,size\n1," + name + ",1\n0," + name + ",1\n"),
              "t:3: time: expected tasks in the order of their times, but 0 is before 1");
    EXPECT_EQ(of("time,type,size\n1," + name + ",0\n"), "t:2: size: expected a size above 0");
    EXPECT_EQ(of("time,type,size,tokens,saved\n1," + name + ",1,5,6\n"),
              "t:2: saved: expected at most the 5 tokens of the prompt, not 6");
    EXPECT_THROW(static_cast<void>(import_requests(traced("time,key,size\n0,a,1\n", RequestFormat::csv), {})),
                 InputError);
    EXPECT_THROW(static_cast<void>(
                     import_requests(traced("time,key,size\n0,a,1\n1,a,1\n", RequestFormat::csv, {.factor = 1}), {})),
                 InputError);
}

}  // namespace schedproof::input::requests
