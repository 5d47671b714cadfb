/// Loads of a cluster, as CSV and as a data set: what is written is read, in any order; what is wrong is named.
#include "experiments/input/placement/cluster_loads.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "model/core/errors.hpp"
#include "tests/experiments/assignment_generators.hpp"

namespace schedproof::input::cluster_loads {
namespace {

ClusterLoads read(const std::string& text, std::optional<std::uint32_t> cores = {}) {
    std::istringstream in(text);
    return read_loads(in, "l.csv", cores);
}

std::string complaint(const std::string& text, std::optional<std::uint32_t> cores = {}) {
    try {
        static_cast<void>(read(text, cores));
    } catch (const InputError& error) {
        return error.what();
    }
    return "no error";
}

Rational q(int p, int d) { return Rational(p) / Rational(d); }

/// Random servers with random loads.
ClusterLoads random_loads() {
    ClusterLoads loads;
    const auto servers = *rc::gen::inRange<std::size_t>(1, 6);
    for (std::size_t s = 0; s < servers; ++s) {
        loads.servers.push_back(*rc::gen::element<std::string>("h", "dc-1/h", "10.0.0.", "a,b ", "\"q\" ") +
                                std::to_string(s));
        loads.cores.push_back(static_cast<std::uint32_t>(*rc::gen::inRange(1, 5)));
        for (std::uint32_t i = 0; i < loads.cores.back(); ++i) loads.loads.push_back(testing::random_load());
    }
    return loads;
}

std::string quoted(const std::string& text) {
    std::string result = "\"";
    for (const char c : text) result += c == '"' ? std::string("\"\"") : std::string(1, c);
    return result + "\"";
}

RC_GTEST_PROP(ClusterLoads, RowsPerCoreMayComeInAnyOrder, ()) {
    const ClusterLoads loads = random_loads();
    std::vector<std::string> rows;
    for (std::size_t s = 0, p = 0; s < loads.servers.size(); ++s)
        for (std::uint32_t i = 0; i < loads.cores[s]; ++i, ++p)
            rows.push_back(loads.loads[p].to_string() + ", " + quoted(loads.servers[s]) + " ," + std::to_string(i));
    for (std::size_t i = rows.size(); i > 1; --i) std::swap(rows[i - 1], rows[*rc::gen::inRange<std::size_t>(0, i)]);
    std::string text = *rc::gen::element<std::string>("", "# a comment\n\n", "\xEF\xBB\xBF") + "load,server,core\n";
    for (const std::string& row : rows) text += row + *rc::gen::element<std::string>("\n", "\r\n", "\n\n");
    const ClusterLoads back = read(text);
    RC_ASSERT(back.servers.size() == loads.servers.size());
    for (std::size_t s = 0, p = 0; s < loads.servers.size(); ++s) {
        const auto found = static_cast<std::size_t>(
            std::find(back.servers.begin(), back.servers.end(), loads.servers[s]) - back.servers.begin());
        RC_ASSERT(found < back.servers.size());
        RC_ASSERT(back.cores[found] == loads.cores[s]);
        std::size_t first = 0;
        for (std::size_t k = 0; k < found; ++k) first += back.cores[k];
        for (std::uint32_t i = 0; i < loads.cores[s]; ++i, ++p) RC_ASSERT(back.loads[first + i] == loads.loads[p]);
    }
}

RC_GTEST_PROP(ClusterLoads, RowsPerServerReadBack, ()) {
    const ClusterLoads loads = random_loads();
    std::string text = "server,cores,load\n";
    for (std::size_t s = 0, p = 0; s < loads.servers.size(); ++s) {
        text += quoted(loads.servers[s]) + "," + std::to_string(loads.cores[s]) + ",";
        for (std::uint32_t i = 0; i < loads.cores[s]; ++i, ++p)
            text += (i == 0 ? "" : ";") + loads.loads[p].to_string();
        text += "\n";
    }
    const ClusterLoads back = read(text);
    RC_ASSERT(back.servers == loads.servers);
    RC_ASSERT(back.cores == loads.cores);
    RC_ASSERT(back.loads == loads.loads);
}

TEST(ClusterLoads, OneLoadIsThatOfAllCores) {
    EXPECT_EQ(read("server,cores,load\na,3,0.5\n").loads, (std::vector<Rational>{q(1, 2), q(1, 2), q(1, 2)}));
}

TEST(ClusterLoads, DataSetsAreNumberedThroughOrNamed) {
    const ClusterLoads numbered = read("core0 1; core1 2;\ncore3 4; core2 3\n", 2);
    EXPECT_TRUE(numbered.numbered);
    EXPECT_EQ(numbered.servers, (std::vector<std::string>{"0", "1"}));
    EXPECT_EQ(numbered.loads, (std::vector<Rational>{1, 2, 3, 4}));
    EXPECT_EQ(read("# cores 2 per-server 1\n1 1; 2 5/2;\n").servers, (std::vector<std::string>{"1", "2"}));
    const ClusterLoads named = read("a/1 2; b/0 3; a/0 1;");
    EXPECT_FALSE(named.numbered);
    EXPECT_EQ(named.servers, (std::vector<std::string>{"a", "b"}));
    EXPECT_EQ(named.loads, (std::vector<Rational>{1, 2, 3}));
}

TEST(ClusterLoadsErrors, NameTheHeader) {
    EXPECT_EQ(complaint(""),
              "l.csv: expected the header 'server,core,load' or 'server,cores,load', or pairs CORE LOAD;, but the file "
              "is empty");
    EXPECT_EQ(complaint("servr,core,load\n"),
              "l.csv:1: header: expected 'server,core,load' or 'server,cores,load', not 'servr' (did you mean "
              "'server'?)");
    EXPECT_EQ(complaint("a,0,3\n").substr(0, 74),
              "l.csv:1: header: expected 'server,core,load' or 'server,cores,load', not '");
    EXPECT_EQ(complaint("server,core\na,1\n"),
              "l.csv:1: header: expected 'server,core,load' or 'server,cores,load', not 'server,core'");
    EXPECT_EQ(complaint("server,server,load\n"),
              "l.csv:1: header: expected each column once, but 'server' stands twice");
    EXPECT_EQ(complaint("server,core,load\n"), "l.csv: expected at least one core");
    EXPECT_EQ(complaint("server,core,load"), "l.csv:1: header: the header has no newline, so the file is cut");
}

TEST(ClusterLoadsErrors, NameTheRow) {
    const std::string head = "server,core,load\na,0,1\n";
    EXPECT_EQ(complaint(head + "a,1\n"), "l.csv:3: expected 3 fields, server,core,load, not 2");
    EXPECT_EQ(complaint(head + "a,1,-1/2\n"), "l.csv:3: load: expected a load of at least 0, not -1/2");
    EXPECT_EQ(complaint(head + "a,1,1,5\n"), "l.csv:3: expected 3 fields, server,core,load, not 4");
    EXPECT_EQ(complaint(head + "a,1,much\n"),
              "l.csv:3: load: expected an exact number such as 3, 3/4, 0.75 or 1.5e-3, not 'much'");
    EXPECT_EQ(complaint(head + "a,-1,1\n"),
              "l.csv:3: core: expected the number of a core, 0 or more and below 5000000, not '-1'");
    EXPECT_EQ(complaint(head + ",1,1\n"), "l.csv:3: server: expected the name of a server");
    EXPECT_EQ(complaint(head + "a,1,9223372036854775808\n"),
              "l.csv:3: load: expected loads that fit 64-bit ticks: 9223372036854775808 does not");
    EXPECT_EQ(complaint(head + "a,0,2\n"),
              "l.csv:3: core: expected each core once, but core 0 of 'a' stands on line 2");
    EXPECT_EQ(complaint(head + "a,2,2\n"),
              "l.csv:3: core: expected the cores of 'a' numbered from 0 on, but 1 is left out");
    EXPECT_EQ(complaint(head + "\"a,1,2\n"), "l.csv:3: expected a closing quote on the line");
    EXPECT_EQ(complaint(head + std::string("a\0,1,2\n", 7)), "l.csv:3: expected text in UTF-8 without NUL bytes");
    EXPECT_EQ(complaint(head + "a,1,12"), "l.csv:3: the last line has no newline; if the file is complete, add one");
}

TEST(ClusterLoadsErrors, NameTheServer) {
    const std::string head = "server,cores,load\na,2,1;2\n";
    EXPECT_EQ(complaint(head + "b,0,1\n"), "l.csv:3: cores: expected a number of cores, 1 to 5000000, not '0'");
    EXPECT_EQ(complaint(head + "a,1,1\n"), "l.csv:3: server: expected each server once, but 'a' stands on line 2");
    EXPECT_EQ(complaint(head + "b,3,1;2\n"), "l.csv:3: load: expected one load, or 3 joined by ';', not 2");
}

TEST(ClusterLoadsErrors, NameThePair) {
    EXPECT_EQ(complaint("core0 1; core1\n", 1), "l.csv:1: column 10: expected pairs CORE LOAD; , not ' core1'");
    EXPECT_EQ(complaint("core0 1;; core1 1;\n", 1), "l.csv:1: column 9: expected pairs CORE LOAD; , not ''");
    EXPECT_EQ(complaint("core0 1; core1 1; core1 2;\n", 1),
              "l.csv:1: column 19: expected each core once, but 1 stands on line 1");
    EXPECT_EQ(complaint("core0 1;\ncore2 1;\n", 1),
              "l.csv:2: column 1: expected cores numbered through, but 1 is left out");
    EXPECT_EQ(complaint("core5 1;\n", 1),
              "l.csv:1: column 1: expected cores numbered from 0 or from 1 on, but 5 is the least");
    EXPECT_EQ(complaint("core0 1; p1 1;\n", 1), "l.csv:1: column 10: expected all cores named alike, not 'p1'");
    EXPECT_EQ(complaint("core 1;\n", 1), "l.csv:1: column 1: expected a core, NUMBER or SERVER/NUMBER, not 'core'");
    EXPECT_EQ(complaint("core0 -1;\n", 1), "l.csv:1: column 1: expected a load of at least 0, not -1");
    EXPECT_EQ(complaint("core0 1; core1 1;\n"),
              "l.csv: expected the number of cores per server (--cores), since cores are numbered through");
    EXPECT_EQ(complaint("core0 1; core1 1; core2 1;\n", 2),
              "l.csv: expected a multiple of 2 cores, that many per server, not 3: is it cut?");
    EXPECT_EQ(complaint("# cores 3 per-server 1\ncore0 1; core1 1;\n"),
              "l.csv:1: expected 3 cores, as announced here, but the file has 2: it ends too early");
    EXPECT_EQ(complaint("# cores 2 per-server 1\ncore0 1; core1 1;\n", 2),
              "l.csv: expected 1 cores per server, as the file announces, not 2");
    EXPECT_EQ(complaint("core0 1; core1 1", 1),
              "l.csv:1: column 10: expected ';' or a newline after the last pair: the file is cut");
}

RC_GTEST_PROP(ClusterLoadsErrors, AFileCutInsideItsLastLineIsRefused, ()) {
    std::string text = "server,core,load\n";
    const int cores = *rc::gen::inRange(1, 30);
    for (int i = 0; i < cores; ++i) text += "host," + std::to_string(i) + "," + std::to_string(10 + i) + "\n";
    const auto keep = *rc::gen::inRange<std::size_t>(1, text.size());
    const std::string found = complaint(text.substr(0, keep));
    const bool whole_lines = text[keep - 1] == '\n';
    // Whole lines are a smaller cluster, which only the placement can tell from the true one.
    RC_ASSERT((found == "no error") == (whole_lines && keep > 17));
}

}  // namespace
}  // namespace schedproof::input::cluster_loads
