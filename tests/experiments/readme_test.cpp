/// The README shows what the command prints: every console block of it is run and compared, and its picture is the one
/// that its first command draws.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/temporary_directory.hpp"

namespace {

namespace fs = std::filesystem;

std::string read(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return std::move(text).str();
}

/// Standard output of a shell command.
std::string run(const std::string& command) {
    std::string output;
    std::FILE* pipe = ::popen(command.c_str(), "r");
    std::array<char, 4096> buffer{};
    while (const std::size_t n = std::fread(buffer.data(), 1, buffer.size(), pipe)) output.append(buffer.data(), n);
    EXPECT_EQ(::pclose(pipe), 0) << command;
    return output;
}

/// A directory where `experiments/instances` is the project's and files may be written.
class Workplace {
  public:
    Workplace() {
        fs::create_directory_symlink(fs::path(SCHEDPROOF_SOURCE_DIR) / "experiments", path() / "experiments");
    }
    [[nodiscard]] const fs::path& path() const { return directory_.path(); }
    [[nodiscard]] std::string run_here(const std::string& arguments) const {
        return run("cd '" + path().string() + "' && '" + SCHEDPROOF_COMMAND + "' " + arguments);
    }

  private:
    schedproof::testing_support::TemporaryDirectory directory_;
};

/// The line with every time of the form 1.23 s, and a last column of times, replaced: they are others on every machine.
std::string without_time(const std::string& line) {
    static const std::regex time(" *[0-9]+\\.[0-9]{2} s\\b"), column(" +([0-9.e-]+ (ms|s)|time)$");
    return std::regex_replace(std::regex_replace(line, time, " - s"), column, "");
}

struct Example {
    std::string arguments;
    std::vector<std::string> shown;
};

/// The trace of an example, which is not shipped: in the directory that SCHEDPROOF_TRACES names, or nowhere.
constexpr const char* trace = "FB-2009_samples_24_times_1hr_0.tsv";
fs::path trace_file() {
    const char* directory = std::getenv("SCHEDPROOF_TRACES");
    const fs::path file = fs::path(directory == nullptr ? "" : directory) / trace;
    return directory != nullptr && fs::exists(file) ? file : fs::path();
}

/// The commands of the README's console blocks that run as they stand (not those on files that are not there), with the
/// output shown below each.
std::vector<Example> examples() {
    std::vector<Example> all;
    std::istringstream lines(read(fs::path(SCHEDPROOF_SOURCE_DIR) / "README.md"));
    bool console = false, ours = false;
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("```")) {
            console = line == "```console";
            ours = false;
        } else if (console && line.starts_with("$ ")) {
            const std::string prefix = "$ ./schedproof ";
            ours = line.starts_with(prefix) && line != prefix + "test" && line.find("data.toml") == std::string::npos &&
                   (!trace_file().empty() || line.find(trace) == std::string::npos);
            if (ours) all.push_back({line.substr(prefix.size()), {}});
        } else if (console && ours) {
            all.back().shown.push_back(line);
        }
    }
    return all;
}

TEST(Readme, ShowsWhatTheCommandPrints) {
    const Workplace workplace;
    if (!trace_file().empty()) fs::create_symlink(trace_file(), workplace.path() / trace);
    const std::vector<Example> all = examples();
    ASSERT_GE(all.size(), 3U);
    for (const Example& example : all) {
        std::istringstream printed(workplace.run_here(example.arguments));
        for (const std::string& shown : example.shown) {
            if (shown == "  ...") break;
            std::string line;
            std::getline(printed, line);
            EXPECT_EQ(without_time(line), without_time(shown)) << example.arguments;
        }
    }
}

TEST(Readme, HasNoPlaceholder) {
    EXPECT_FALSE(
        std::regex_search(read(fs::path(SCHEDPROOF_SOURCE_DIR) / "README.md"), std::regex("[A-Z]{3,}_[A-Z]{3,}")));
}

/// What is written in an SVG, whatever the fonts made of its layout.
std::vector<std::string> texts(const std::string& svg) {
    static const std::regex text("<(?:text|tspan)[^>]*>([^<]+)</");
    std::vector<std::string> found;
    for (std::sregex_iterator it(svg.begin(), svg.end(), text), end; it != end; ++it) found.push_back((*it)[1]);
    std::sort(found.begin(), found.end());
    return found;
}

TEST(Readme, ItsPicturesAreThoseThatTheCommandDraws) {
    const Workplace workplace;
    (void)workplace.run_here("dual experiments/instances/redundancy/beta-of-srpt-r.toml --plot dual.svg");
    (void)workplace.run_here("capacity experiments/instances/example-cluster.toml --picture example-cluster.svg");
    (void)workplace.run_here(
        "prove transience experiments/instances/n2-pandas.toml -p pandas --picture n2-pandas-cells.svg");
    (void)workplace.run_here("check assignment.property-1.2 --evidence evidence");
    const std::string bundle = "evidence/assignment.property-1.2.constraint-2--dyndloff--property-1.2/";
    const std::vector<std::pair<std::string, std::string>> drawn{
        {"example-cluster.svg", "example-cluster.svg"},
        {"n2-pandas-cells.svg", "n2-pandas-cells.svg"},
        {"redundancy/beta-of-srpt-r-dual.svg", "dual.svg"},
        {"assignment/property-1.2-loads.svg", bundle + "loads.svg"},
        {"assignment/property-1.2-graph.svg", bundle + "graph.svg"}};
    for (const auto& [picture, file] : drawn) {
        const auto committed = texts(read(fs::path(SCHEDPROOF_SOURCE_DIR) / "experiments/instances" / picture));
        EXPECT_GT(committed.size(), 10U);
        EXPECT_EQ(texts(read(workplace.path() / file)), committed);
    }
}

/// The table of claims by policies, of which every cell is found again.
TEST(Readme, ShowsTheVerdictsOfTheClaimsAboutQueueing) {
    const Workplace workplace;
    const std::string report = workplace.run_here("check --family queueing --format markdown");
    const std::string table = report.substr(0, report.find("\n\n") + 1);
    EXPECT_GT(std::count(table.begin(), table.end(), '\n'), 20);
    EXPECT_NE(read(fs::path(SCHEDPROOF_SOURCE_DIR) / "README.md").find(table), std::string::npos) << table;
}

}  // namespace
