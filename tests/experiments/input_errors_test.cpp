/// Every way in which an instance file can be wrong: the error says where and what was expected.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "model/core/errors.hpp"
#include "model/queueing/codec/codec.hpp"

namespace schedproof::input::instance_errors {
namespace {

struct Complaint {
    std::string place;
    std::string expected;
};

Complaint complaint(const std::string& text, base::Format format) {
    try {
        static_cast<void>(queueing::parse_instance(text, format, "f"));
    } catch (const InputError& error) {
        return {error.place().to_string(), error.expected()};
    }
    return {"", "no error"};
}

/// Expects an error at `place` (`f:LINE: KEY`) whose message holds `words`.
void expect_error(const std::string& text, const std::string& place, const std::string& words,
                  base::Format format = base::Format::toml) {
    SCOPED_TRACE(text.substr(0, 300));
    const Complaint found = complaint(text, format);
    EXPECT_EQ(found.place, place) << found.expected;
    EXPECT_NE(found.expected.find(words), std::string::npos) << found.expected;
}

/// A whole instance with one of its parts replaced.
struct Parts {
    std::string family = "family = 'queueing'";
    std::string name = "name = 'x'";
    std::string levels = "levels = [{name = 'local', rate = '4/5'}, {name = 'remote', rate = '1/5'}]";
    std::string servers = "servers = 3";
    std::string types = "types = [{name = 'A', replicas = ['s0']}, {name = 'B', replicas = ['s1']}]";
    std::string arrivals = "[arrivals]\nkind = 'bernoulli'\nvalues = {A = '1/2', B = '1/2'}";
    std::string rest;
    [[nodiscard]] std::string text() const {
        return family + "\n" + name + "\n" + levels + "\n" + servers + "\n" + types + "\n" + arrivals + "\n" + rest +
               "\n";
    }
};

void with_levels(const std::string& levels, const std::string& key, const std::string& words) {
    Parts parts;
    parts.levels = "levels = " + levels;
    expect_error(parts.text(), "f:3: " + key, words);
}
void with_servers(const std::string& servers, const std::string& key, const std::string& words) {
    Parts parts;
    parts.servers = "servers = " + servers;
    expect_error(parts.text(), "f:4: " + key, words);
}
void with_types(const std::string& types, const std::string& key, const std::string& words) {
    Parts parts;
    parts.types = "types = " + types;
    expect_error(parts.text(), "f:5: " + key, words);
}
void with_arrivals(const std::string& lines, const std::string& place, const std::string& words) {
    Parts parts;
    parts.arrivals = "[arrivals]\n" + lines;
    expect_error(parts.text(), place, words);
}

TEST(InputErrors, ThePartsAreWellFormed) {
    EXPECT_EQ(complaint(Parts{}.text(), base::Format::toml).expected, "no error");
}

void with_batches(const std::string& batches, const std::string& key, const std::string& words,
                  const std::string& kind = "kind = 'poisson'") {
    Parts parts;
    parts.name += "\ntime = 'continuous'";
    parts.arrivals = "[arrivals]\n" + kind + "\nvalues = {A = '1/2', B = '1/2'}\nbatches = " + batches;
    expect_error(parts.text(), "f:10: " + key, words);
}

TEST(InputErrors, Batches) {
    const std::string at = "arrivals.batches.A";
    with_batches("{A = [{size = 1, probability = '1/2'}]}", at + "[0].size", "an integer from 2 to 1000, not 1");
    with_batches("{A = [{size = 1001, probability = '1/2'}]}", at + "[0].size", "from 2 to 1000, not 1001");
    with_batches("{A = [{size = '2', probability = '1/2'}]}", at + "[0].size", "an integer from 2 to 1000");
    with_batches("{A = [{size = 2, probability = '0'}]}", at + "[0].probability", "above 0");
    with_batches("{A = [{size = 2, probability = '-1/2'}]}", at + "[0].probability", "between 0 and 1");
    with_batches("{A = [{size = 2, probability = '3/2'}]}", at + "[0].probability", "between 0 and 1");
    with_batches("{A = [{size = 2, probability = 0.5}]}", at + "[0].probability", "0.5 is a float, which is not exact");
    with_batches("{A = [{size = 2}]}", at + "[0]", "expected the key 'probability'");
    with_batches("{A = [{size = 2, probability = 1, tasks = 2}]}", at + "[0].tasks", "");
    with_batches("{A = [{size = 2, probability = '1/2'}, {size = 3, probability = '2/3'}]}", at + "[1]",
                 "sum to at most 1, not to 7/6");
    with_batches("{A = [{size = 2, probability = '1/4'}, {size = 2, probability = '1/4'}]}", at + "[1].size",
                 "each size once, but 2 stands twice");
    with_batches("{A = []}", at, "at least one size");
    with_batches("{A = 2}", at, "a list of tables with size and probability");
    with_batches("{C = [{size = 2, probability = '1/2'}]}", "arrivals.batches.C",
                 "expected a known task type, not 'C'");
    with_batches("[[{size = 2, probability = '1/2'}]]", "arrivals.batches", "a table by type name");
    for (const std::string kind : {"bernoulli", "single", "rates"})
        with_arrivals("kind = '" + kind + "'\neach = '1/4'\nbatches = {A = [{size = 2, probability = '1/2'}]}",
                      "f:9: arrivals.batches", "expected no batches in slots");
    with_arrivals("kind = 'joint'\noutcomes = [{probability = 1, tasks = {}}]\nbatches = {}", "f:9: arrivals.batches",
                  "");
}

TEST(InputErrors, Keys) {
    Parts parts;
    parts.rest = "[optoins]\nrouting = 'batch'";
    expect_error(parts.text(), "f:9: optoins", "did you mean 'options'?");
    parts.rest = "[options]\nemptytarget = 'wasted'";
    expect_error(parts.text(), "f:10: options.emptytarget", "did you mean 'empty-target'?");
    parts.rest = "[options]\nrouting = 'bacth'";
    expect_error(parts.text(), "f:10: options.routing",
                 "expected batch or sequential, not 'bacth' (did you mean 'batch'?)");
    parts.rest = "[options]\nrouting = 1";
    expect_error(parts.text(), "f:10: options.routing", "not 1");
    parts.rest = "";
    parts.family = "family = 'sharing'";
    expect_error(parts.text(), "f:1: family", "expected the family \"queueing\", not 'sharing'");
    parts.family = "";
    expect_error(parts.text(), "f:1", "expected the key 'family'");
    parts.family = "family = 'queueing'";
    parts.name = "name = 3";
    expect_error(parts.text(), "f:2: name", "not 3");
    for (const std::string key : {"levels", "servers", "types", "arrivals"}) {
        Parts one;
        if (key == "levels") one.levels = "";
        if (key == "servers") one.servers = "";
        if (key == "types") one.types = "";
        if (key == "arrivals") one.arrivals = "";
        expect_error(one.text(), "f:1", "expected the key '" + key + "'");
    }
}

TEST(InputErrors, Levels) {
    with_levels("[{name = 'local', rate = 0.5}, {name = 'remote', rate = '1/5'}]", "levels[0].rate",
                "0.5 is a float, which is not exact; put it in quotes");
    with_levels("[{name = 'local', rate = inf}, {name = 'remote', rate = '1/5'}]", "levels[0].rate", "inf is a float");
    with_levels("[{name = 'local', rate = nan}, {name = 'remote', rate = '1/5'}]", "levels[0].rate", "nan is a float");
    with_levels("[{name = 'local', rate = 'nan'}, {name = 'remote', rate = '1/5'}]", "levels[0].rate",
                "expected an exact number");
    with_levels("[{name = 'local', rate = 2020-01-01}, {name = 'remote', rate = '1/5'}]", "levels[0].rate",
                "not a date or time");
    with_levels("[{name = 'local', rate = '1e999999999'}, {name = 'remote', rate = '1/5'}]", "levels[0].rate",
                "exponent");
    with_levels("[{name = 'local', rate = '" + std::string(100'000, '9') + "'}]", "levels[0].rate",
                "limit of 1000 digits");
    with_levels("[{name = 'local', rate = '1/0'}, {name = 'remote', rate = '1/5'}]", "levels[0].rate",
                "denominator zero");
    with_levels("[{name = 'local', rate = '1/5'}, {name = 'remote', rate = '1/5'}]", "levels[1].rate",
                "expected a rate below that of 'local' (1/5)");
    with_levels("[{name = 'local', rate = '-1/5'}, {name = 'remote', rate = '-2/5'}]", "levels[0].rate", "above 0");
    with_levels("[{name = 'local', rate = 2}, {name = 'remote', rate = 1}]", "levels[0].rate", "at most 1");
    with_levels("[{name = 'local', rate = 1}]", "levels", "at least two levels");
    with_levels("[{name = 'local', rate = 1}, {name = 'local', rate = '1/2'}]", "levels", "'local' stands twice");
    with_levels("[{name = 'local', rat = 1}]", "levels[0].rat", "did you mean 'rate'?");
    with_levels("[{name = 'local'}]", "levels[0]", "expected the key 'rate'");
    with_levels("{local = 1}", "levels", "expected a list of levels");
    with_levels("[1, 2]", "levels[0]", "not 1");
}

TEST(InputErrors, Servers) {
    with_servers("0", "servers", "from 1 to 2000000, not 0");
    with_servers("-4", "servers", "not -4");
    with_servers("1_000_000_000_000", "servers", "from 1 to 2000000");
    with_servers("'3'", "servers", "expected a number of servers");
    with_servers("[]", "servers", "at least one server");
    with_servers("['s0', 's1', 's0']", "servers[2]", "'s0' stands twice");
    with_servers("[{count = 2}, 's1']", "servers", "'s1' stands twice");
    with_servers("['', 's1']", "servers[0]", "not empty");
    with_servers("[{name = 's0', rcak = 'r'}]", "servers[0].rcak", "did you mean 'rack'?");
    with_servers("[{rack = 'r', groups = ['r']}]", "servers[0].groups", "either 'rack' or 'groups'");
    with_servers("[{count = 1_000_000}, {count = 1_000_001}]", "servers[1]", "at most 2000000 servers");
    with_servers("{count = 4, group-sizes = [2, 3]}", "servers.group-sizes[1]", "multiple of 2");
    with_servers("{count = 4, group-sizes = [0]}", "servers.group-sizes[0]", "from 1");
    Parts parts;
    parts.levels = "levels = [{name = 'l', rate = 1}, {name = 'k', rate = '1/2'}, {name = 'r', rate = '1/4'}]";
    parts.servers = "servers = [{name = 's0', rack = 'r'}, {name = 's1'}]";
    expect_error(parts.text(), "f:4: servers[1]", "expected 1 group name(s)");
}

TEST(InputErrors, Types) {
    with_types("[]", "types", "at least one task type");
    with_types("[{name = 'A', replicas = []}]", "types[0].replicas", "at least one server");
    with_types("[{name = 'A', replicas = ['s0', 's9']}]", "types[0].replicas[1]",
               "expected a known server, not 's9' (did you mean 's0'?)");
    with_types("[{name = 'A', replicas = ['s0', 's0']}]", "types[0].replicas",
               "each server once, but 's0' stands twice");
    with_types("[{name = 'A', replicas = [0]}]", "types[0].replicas[0]", "not 0");
    with_types("[{name = 'A', replicas = 's0'}]", "types[0].replicas", "expected a list of servers");
    with_types("[{name = 'A', repilcas = ['s0']}]", "types[0].repilcas", "did you mean 'replicas'?");
    with_types("[{name = 'A'}]", "types[0]", "exactly one of 'replicas', 'cyclic'");
    with_types("[{name = 'A', replicas = ['s0']}, {name = 'A', replicas = ['s1']}]", "types[1]", "'A' stands twice");
    with_types("[{name = 'A', replicas = ['s0'], cost = 0}]", "types[0].cost", "above 0");
    with_types("[{name = 'A', replicas = ['s0'], cost = 1.5}]", "types[0].cost", "1.5 is a float");
    with_types("[{name = 'A', replicas = ['s0'], exponent = 17}]", "types[0].exponent", "from 1 to 16, not 17");
    with_types("[{name = 'A', replicas = ['s0'], preference = []}]", "types[0].preference", "at least one server");
    with_types("[{name = 'A', replicas = ['s0'], preference = ['s1', 's0', 's1']}]", "types[0].preference",
               "each server once, but 's1' stands twice");
    with_types("[{name = 'A', replicas = ['s0'], preference = ['s0', 'S1']}]", "types[0].preference[1]",
               "did you mean 's1'?");
    with_types("[{name = 'A', replicas = ['s0'], class = -1}]", "types[0].class",
               "the number of a class, an integer from 0");
    with_types("[{name = 'A', replicas = ['s0'], class = 'x'}]", "types[0].class", "not 'x'");
    with_types("[{name = 'A', replicas = ['s0'], rates = '2/5'}]", "types[0].rates", "expected a list of rates");
    with_types("[{name = 'A', replicas = ['s0'], rates = []}]", "types[0].rates", "one rate per locality level");
    with_types("[{name = 'A', replicas = ['s0'], rates = [0.5, '1/5']}]", "types[0].rates[0]", "0.5 is a float");
    with_types("[{name = 'A', replicas = ['s0'], rates = [1]}, {name = 'B', replicas = ['s1']}]", "types[0].rates",
               "one rate per locality level, 2 in all");
    with_types("[{name = 'A', replicas = ['s0']}, {name = 'B', replicas = ['s1'], rates = ['1/5', '1/5']}]",
               "types[1].rates", "expected a rate below that of 'local' (1/5), not 1/5");
    with_types("[{name = 'A', replicas = ['s0']}, {name = 'B', replicas = ['s1'], rates = ['6/5', '1/5']}]",
               "types[1].rates", "above 0 and at most 1, not 6/5");
    with_types("[{cyclic = {servers = 4, replicas = 1}}]", "types[0].cyclic.servers", "from 1 to 3");
    with_types("[{cyclic = {replicas = 4}}]", "types[0].cyclic.replicas", "from 1 to 3");
    with_types("[{random = {count = 999_999_999_999, replicas = 1, seed = 1}}]", "types[0].random.count",
               "from 1 to 2000000");
    with_types("[{random = {count = 9, replicas = 1}}]", "types[0].random", "expected the key 'seed'");
    Parts bomb;
    bomb.servers = "servers = 2_000_000";
    bomb.types = "types = [{combinations = {replicas = 1_000_000}}]";
    expect_error(bomb.text(), "f:5: types[0].combinations", "at most");
    bomb.types = "types = [{cyclic = {replicas = 1_999_999}}]";
    expect_error(bomb.text(), "f:5: types[0].cyclic", "20000000 replicas");
    bomb.types = "types = [{cyclic = {replicas = 1}}, {cyclic = {replicas = 1}}]";
    expect_error(bomb.text(), "f:5: types[1].cyclic", "2000000 task types");
}

TEST(InputErrors, Rates) {
    with_arrivals("kind = 'bernouli'\neach = 1", "f:7: arrivals.kind", "did you mean 'bernoulli'?");
    with_arrivals("each = 1", "f:6: arrivals", "expected the key 'kind'");
    with_arrivals("kind = 'rates'", "f:6: arrivals", "exactly one of 'values', 'each' and 'total'");
    with_arrivals("kind = 'rates'\neach = 1\ntotal = 2", "f:6: arrivals", "exactly one of");
    with_arrivals("kind = 'rates'\neach = 1\nweights = [1, 1]", "f:9: arrivals.weights", "only beside 'total'");
    with_arrivals("kind = 'bernoulli'\nvalues = {A = '3/2', B = 0}", "f:8: arrivals.values.A",
                  "between 0 and 1, not 3/2");
    with_arrivals("kind = 'bernoulli'\nvalues = ['1/2', '-1/2']", "f:8: arrivals.values[1]", "not -1/2");
    with_arrivals("kind = 'bernoulli'\nvalues = ['1/2', 0.5]", "f:8: arrivals.values[1]", "0.5 is a float");
    with_arrivals("kind = 'bernoulli'\nvalues = ['1/2']", "f:8: arrivals.values",
                  "one number per task type, 2 in all, not 1");
    with_arrivals("kind = 'bernoulli'\nvalues = {A = '1/2'}", "f:8: arrivals.values", "also for 'B'");
    with_arrivals("kind = 'bernoulli'\nvalues = {A = '1/2', b = '1/2'}", "f:8: arrivals.values.b",
                  "expected a known task type, not 'b' (did you mean");
    with_arrivals("kind = 'bernoulli'\ntotal = 3", "f:6: arrivals", "at most one task of a type");
    with_arrivals("kind = 'single'\neach = '2/3'", "f:6: arrivals", "sum to at most 1");
    with_arrivals("kind = 'rates'\ntotal = -1", "f:8: arrivals.total", "at least 0");
    with_arrivals("kind = 'rates'\ntotal = 1\nweights = [0, 0]", "f:9: arrivals.weights", "at least one is above 0");
}

TEST(InputErrors, Laws) {
    const std::string joint = "kind = 'joint'\n";
    with_arrivals(joint + "outcomes = [{probability = '1/2', tasks = [1, 0]}]", "f:8: arrivals.outcomes",
                  "sum to 1, not 1/2");
    with_arrivals(joint + "outcomes = []", "f:8: arrivals.outcomes", "sum to 1, not 0");
    with_arrivals(joint + "outcomes = [{probability = 1.0, tasks = [1, 0]}]", "f:8: arrivals.outcomes[0].probability",
                  "is a float");
    with_arrivals(joint + "outcomes = [{probability = '-1', tasks = [1, 0]}]", "f:8: arrivals.outcomes[0].probability",
                  "between 0 and 1");
    with_arrivals(joint + "outcomes = [{probability = 0, tasks = [1, 0]}]", "f:8: arrivals.outcomes[0].probability",
                  "above 0");
    with_arrivals(joint + "outcomes = [{probability = 1, tasks = [1]}]", "f:8: arrivals.outcomes[0].tasks",
                  "2 in all, not 1");
    with_arrivals(joint + "outcomes = [{probability = 1, tasks = {C = 1}}]", "f:8: arrivals.outcomes[0].tasks.C",
                  "known task type");
    with_arrivals(joint + "outcomes = [{probability = 1, tasks = {A = 99999999}}]", "f:8: arrivals.outcomes[0].tasks.A",
                  "from 0 to 1000000");
    with_arrivals(joint + "types = ['A', 'A']\noutcomes = []", "f:8: arrivals.types[1]", "each task type once");
    with_arrivals(joint + "types = ['A']\noutcomes = [{probability = 1, tasks = {B = 1}}]",
                  "f:9: arrivals.outcomes[0].tasks.B", "among the 'types'");
    with_arrivals("kind = 'product'\nfactors = [{outcomes = []}]", "f:8: arrivals.factors[0]",
                  "expected the key 'types'");
    const std::string factor = "{types = ['A'], outcomes = [{probability = 1, tasks = [1]}]}";
    with_arrivals("kind = 'product'\nfactors = [" + factor + ", " + factor + "]", "f:8: arrivals.factors",
                  "each task type once");
    Parts large;
    large.servers = "servers = 100_000";
    large.types = "types = [{cyclic = {replicas = 1}}]";
    large.arrivals = "[arrivals]\nkind = 'single'\ntotal = 1";
    expect_error(large.text(), "f:6: arrivals", "law of at most 20000000");
}

TEST(InputErrors, CommonDenominatorsThatExplode) {
    Parts parts;
    parts.servers = "servers = 40";
    parts.types = "types = [{cyclic = {replicas = 1}}]";
    std::string values;
    for (int i = 0; i < 40; ++i) values += "'1/" + std::string(998, '7') + std::to_string(10 + 3 * i) + "', ";
    parts.arrivals = "[arrivals]\nkind = 'bernoulli'\nvalues = [" + values + "]";
    expect_error(parts.text(), "f:6: arrivals", "common denominator has at most 20000 digits");
}

TEST(InputErrors, Json) {
    const auto json = [](const std::string& text, const std::string& place, const std::string& words) {
        expect_error(text, place, words, base::Format::json);
    };
    json("{\n\"family\": \"queueing\",\n\"name\": ", "f:3", "well-formed JSON");
    json("{\n\"family\": \"queueing\",\n}", "f:3", "well-formed JSON");
    json("[1]", "f:1", "expected a JSON object");
    json("{} {}", "f:1", "well-formed JSON");
    json("{\"family\": \"queueing\",\n\"name\": NaN}", "f:2", "well-formed JSON");
    json("{\"a\": 1,\n \"a\": 2}", "f:2", "'a' stands twice");
    json("{\"a\": 1e999999999}", "f:1", "well-formed JSON");
    const std::string start = "{\"family\": \"queueing\", \"name\": \"x\",\n\"levels\": [{\"name\": \"l\",\n\"rate\": ";
    json(start + "0.5}]}", "f:3: levels[0].rate", "0.5 is a float, which is not exact; put it in quotes, \"0.5\"");
    json(start + "5e-1}]}", "f:3: levels[0].rate", "5e-1 is a float");
    json(start + "null}]}", "f:3: levels[0].rate", "null");
    json(start + "123456789012345678901}]}", "f:3: levels[0].rate", "float");
    json(start + "18446744073709551615}]}", "f:3: levels[0].rate", "beyond 64 bits");
    json(start + "true}]}", "f:3: levels[0].rate", "not true");
    json(std::string(1'000'000, '['), "f:1", "32 levels of nesting");
    json("{\"a\": " + std::string(1'000'000, '[') + std::string(1'000'000, ']') + "}", "f:1", "32 levels of nesting");
    std::string many = "{\"a\": [";
    for (std::size_t i = 0; i < base::max_document_values; ++i) many += "1,";
    json(many + "1]}", "f:1", "at most 4000000 values");
}

TEST(InputErrors, TextThatIsNotToml) {
    expect_error("", "f", "the file is empty");
    expect_error(" \n\t\r\n", "f", "the file is empty");
    expect_error(std::string("a\n\0", 3), "f:2", "NUL byte");
    expect_error("name = '\xff'\n", "f:1", "not UTF-8");
    expect_error(
        "\x7f"
        "ELF\x02\x01",
        "f:1", "well-formed TOML");
    expect_error("family = 'queueing'\nname = ", "f:2", "well-formed TOML");
    expect_error("family = 'queueing'\nfamily = 'queueing'", "f:2", "well-formed TOML");
    expect_error("a = " + std::string(100'000, '['), "f:1", "well-formed TOML");
    expect_error("# ü\na = 'ü'\nü = 1", "f:3", "letters beyond ASCII belong in quotes");
    expect_error("a = -\"b\"", "f:1", "no string may begin here");
    expect_error("a = \"\\ü\"", "f:1", "expected an ASCII character after the backslashes");
    expect_error("a = \"\"\"\\\n ラ\"\"\"", "f:1", "expected an ASCII character after the backslashes");
    expect_error("\na = [}", "f:2", "this } closes no {");
    expect_error("a = ']'\nb = \"\"\"\n]\"\"\"\"\" # ]\n]", "f:4", "this ] closes no [");
    std::string deep = "a";
    for (int i = 0; i < 100'000; ++i) deep += ".a";
    expect_error("\n" + deep + " = 1", "f:2", "keys of at most 32 parts");
    expect_error("\"\"\"\n\"\"\"\n['x'." + deep + "]", "f:3", "keys of at most 32 parts");
    std::string nested = "x = 1";
    for (int i = 0; i < 40; ++i) nested = "x = {" + nested + "}";
    expect_error(nested, "f:1", "32 levels of nesting");
    std::string many = "a = [";
    for (std::size_t i = 0; i < base::max_document_values; ++i) many += "1,";
    expect_error(many + "]", "f:1", "at most 4000000 values");
    expect_error(std::string(base::max_toml_bytes + 1, '#'), "f", "at most 16 MiB");
}

TEST(InputErrors, Files) {
    const auto message = [](const std::string& path) -> std::string {
        try {
            static_cast<void>(queueing::read_instance(path));
        } catch (const InputError& error) {
            return error.what();
        }
        return "no error";
    };
    const auto folder = std::filesystem::temp_directory_path() / "schedproof-input-errors";
    std::filesystem::create_directories(folder);
    const std::string here = folder.string();
    EXPECT_EQ(message(here + "/none.toml"), here + "/none.toml: expected an existing file");
    EXPECT_EQ(message(here), here + ": expected a file, not a directory");
    const std::ofstream empty(folder / "empty.toml");
    EXPECT_EQ(message(here + "/empty.toml"), here + "/empty.toml: expected text, but the file is empty");
    std::ofstream(folder / "bad.json") << "{\n";
    EXPECT_EQ(message(here + "/bad.json").substr(0, here.size() + 12), here + "/bad.json:1:");
    if (std::filesystem::exists("/dev/zero")) {
        EXPECT_NE(message("/dev/zero").find("at most 64 MiB"), std::string::npos);
    }
    std::filesystem::remove_all(folder);
}

RC_GTEST_PROP(InputErrors, ATruncatedFileIsAnErrorWithALine, ()) {
    const std::string whole = Parts{}.text();
    const auto length = static_cast<std::size_t>(*rc::gen::inRange(1, static_cast<int>(whole.find("values"))));
    const Complaint found = complaint(whole.substr(0, length), base::Format::toml);
    RC_ASSERT(found.expected != "no error");
    RC_ASSERT(found.place.starts_with("f"));
}

}  // namespace
}  // namespace schedproof::input::instance_errors
