/// The README and the gallery show what the command prints.
///
/// Every console block is run and compared, times aside; pictures, the table of verdicts and the policy's code are
/// compared with what they were taken from. With SCHEDPROOF_UPDATE_DOCS=1 in the environment the tests write what is
/// printed now into the pages instead, for a person to look at the difference.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/temporary_directory.hpp"

namespace schedproof::documents {
namespace {

namespace fs = std::filesystem;
using Lines = std::vector<std::string>;

const fs::path root(SCHEDPROOF_SOURCE_DIR);

std::string read(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return std::move(text).str();
}

Lines lines_of(const std::string& text) {
    Lines lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

bool updating() { return std::getenv("SCHEDPROOF_UPDATE_DOCS") != nullptr; }

void write(const fs::path& path, const Lines& lines) {
    std::ofstream out(path, std::ios::binary);
    for (const std::string& line : lines) out << line << '\n';
}

/// Standard output of a shell command, which must answer: exit code 0, or 1 with a refutation.
std::string run(const std::string& command) {
    std::string output;
    std::FILE* pipe = ::popen(command.c_str(), "r");
    std::array<char, 4096> buffer{};
    while (const std::size_t n = std::fread(buffer.data(), 1, buffer.size(), pipe)) output.append(buffer.data(), n);
    const int status = ::pclose(pipe);
    const bool refuted = WIFEXITED(status) && WEXITSTATUS(status) == 1 && output.find("Refuted") != std::string::npos;
    EXPECT_TRUE(status == 0 || refuted) << command << " ended with status " << status;
    return output;
}

/// A directory where `experiments/instances` and `docs` are the project's and files may be written.
class Workplace {
  public:
    Workplace() {
        for (const char* folder : {"experiments", "docs"}) fs::create_directory_symlink(root / folder, path() / folder);
    }
    [[nodiscard]] const fs::path& path() const { return directory_.path(); }
    [[nodiscard]] std::string run_here(const std::string& arguments) const {
        return run("cd '" + path().string() + "' && '" + SCHEDPROOF_COMMAND + "' " + arguments);
    }

  private:
    testing_support::TemporaryDirectory directory_;
};

/// The line with every time of the form 1.23 s, and a last column of times, replaced: they differ between machines.
std::string without_time(const std::string& line) {
    static const std::regex time(" *[0-9]+\\.[0-9]{2} s\\b"), column(" +([0-9.e-]+ (ms|s)|time)$");
    return std::regex_replace(std::regex_replace(line, time, " - s"), column, "");
}

// ----------------------------------------------------------------------------------------------- console blocks

/// A command of a page, and the lines of the page that show what it prints.
struct Example {
    std::string arguments;
    std::size_t first, last;  ///< the lines [first, last)
};

/// The trace of an example, which is not shipped: in the directory that SCHEDPROOF_TRACES names, or nowhere.
constexpr const char* trace = "FB-2009_samples_24_times_1hr_0.tsv";
fs::path trace_file() {
    const char* directory = std::getenv("SCHEDPROOF_TRACES");
    const fs::path file = fs::path(directory == nullptr ? "" : directory) / trace;
    return directory != nullptr && fs::exists(file) ? file : fs::path();
}

/// The commands of a page's console blocks, without those on files that are not there.
std::vector<Example> examples(const Lines& page) {
    static const std::string prefix = "$ ./schedproof ";
    std::vector<Example> all;
    bool console = false, open = false;
    for (std::size_t i = 0; i < page.size(); ++i) {
        const std::string& line = page[i];
        if (line.starts_with("```")) {
            console = line == "```console";
            open = false;
        } else if (console && line.starts_with("$ ")) {
            open = line.starts_with(prefix) && line != prefix + "test" && line.find("data.toml") == std::string::npos &&
                   (!trace_file().empty() || line.find(trace) == std::string::npos);
            if (open) all.push_back({line.substr(prefix.size()), i + 1, i + 1});
        } else if (open) {
            all.back().last = i + 1;
        }
    }
    return all;
}

/// A line of a page that stands for any number of lines of output.
constexpr const char* omission = "  ...";

/// Empty when the page shows what was printed, or nothing; otherwise the first line that differs.
std::string difference(const Lines& shown, const Lines& printed) {
    std::size_t at = 0;
    bool omitted = false;
    for (const std::string& line : shown) {
        if (line == omission) {
            omitted = true;
            continue;
        }
        const auto equal = [&] { return without_time(printed[at]) == without_time(line); };
        while (omitted && at < printed.size() && !equal()) ++at;
        if (at == printed.size()) return "not printed: " + line;
        if (!equal()) return "shown:   " + line + "\nprinted: " + printed[at];
        ++at;
        omitted = false;
    }
    return shown.empty() || omitted || at == printed.size() ? std::string() : "not shown: " + printed[at];
}

/// What the page should show: the printed lines up to the first omission, and the page's own from there on.
Lines updated(const Lines& shown, const Lines& printed) {
    const auto omitted = std::find(shown.begin(), shown.end(), omission);
    const auto kept = omitted == shown.end() ? printed.size() : static_cast<std::size_t>(omitted - shown.begin());
    Lines result(printed.begin(), printed.begin() + static_cast<std::ptrdiff_t>(std::min(kept, printed.size())));
    result.insert(result.end(), omitted, shown.end());
    return result;
}

class Pages : public ::testing::TestWithParam<const char*> {};

TEST_P(Pages, ShowWhatTheCommandPrints) {
    const Workplace workplace;
    if (!trace_file().empty()) fs::create_symlink(trace_file(), workplace.path() / trace);
    Lines page = lines_of(read(root / GetParam()));
    const std::vector<Example> all = examples(page);
    ASSERT_FALSE(all.empty());
    std::vector<std::pair<Example, Lines>> differing;
    for (const Example& example : all) {
        const Lines printed = lines_of(workplace.run_here(example.arguments));
        const auto line = [&](std::size_t i) { return page.begin() + static_cast<std::ptrdiff_t>(i); };
        const Lines shown(line(example.first), line(example.last));
        const std::string wrong = difference(shown, printed);
        if (wrong.empty()) continue;
        if (updating())
            differing.emplace_back(example, updated(shown, printed));
        else
            ADD_FAILURE() << GetParam() << ":" << example.first << ": " << example.arguments << "\n" << wrong;
    }
    // From the end, so that line numbers stay right.
    for (auto it = differing.rbegin(); it != differing.rend(); ++it) {
        const auto& [example, lines] = *it;
        const auto first = page.erase(page.begin() + static_cast<std::ptrdiff_t>(example.first),
                                      page.begin() + static_cast<std::ptrdiff_t>(example.last));
        page.insert(first, lines.begin(), lines.end());
    }
    if (!differing.empty()) write(root / GetParam(), page);
}

constexpr std::array pages{"README.md",
                           "docs/gallery/queueing.md",
                           "docs/gallery/assignment.md",
                           "docs/gallery/redundancy.md",
                           "docs/gallery/sharing.md",
                           "docs/certificates.md",
                           "docs/heavy-traffic.md",
                           "docs/means.md",
                           "docs/report.md",
                           "docs/routers.md",
                           "docs/tutorial.md",
                           "docs/tutorial-assignment.md",
                           "docs/tutorial-redundancy.md",
                           "docs/tutorial-sharing.md",
                           "docs/reproduce.md",
                           "docs/rocq.md",
                           "docs/serve.md",
                           "docs/time.md",
                           "docs/trusted-base.md",
                           "docs/variance.md",
                           "docs/verdicts.md",
                           "docs/zoo.md"};
INSTANTIATE_TEST_SUITE_P(Readme, Pages, ::testing::ValuesIn(pages), [](const auto& page) {
    std::string name = fs::path(page.param).stem().string();
    std::erase(name, '-');
    return name;
});

TEST(Readme, EveryPageWithAConsoleBlockIsTested) {
    for (const auto& entry : fs::recursive_directory_iterator(root / "docs"))
        if (entry.path().extension() == ".md" && read(entry.path()).find("```console") != std::string::npos) {
            const std::string name = fs::relative(entry.path(), root).generic_string();
            EXPECT_NE(std::find(pages.begin(), pages.end(), name), pages.end()) << name;
        }
}

TEST(Readme, TheComparisonNoticesEveryDifference) {
    const Lines printed{"a", "b  0.10 s", "c", "d"};
    EXPECT_EQ(difference({"a", "b  7.25 s", "c", "d"}, printed), "");
    EXPECT_EQ(difference({"a", omission, "c", omission}, printed), "");
    EXPECT_EQ(difference({}, printed), "");
    EXPECT_NE(difference({"a", "b  7.25 s", "c"}, printed), "");
    EXPECT_NE(difference({"a", "c", omission}, printed), "");
    EXPECT_NE(difference({omission, "c", "b  0.10 s"}, printed), "");
    EXPECT_NE(difference({"a", omission, "e"}, printed), "");
    EXPECT_EQ(updated({"x", omission, "d"}, printed), (Lines{"a", omission, "d"}));
    EXPECT_EQ(updated({"x"}, printed), printed);
}

// ---------------------------------------------------------------------------------------- pictures, table, code

/// What is written in an SVG, whatever the fonts made of its layout.
Lines texts(const std::string& svg) {
    static const std::regex text("<(?:text|tspan)[^>]*>([^<]+)</");
    Lines found;
    for (std::sregex_iterator it(svg.begin(), svg.end(), text), end; it != end; ++it) found.push_back((*it)[1]);
    std::sort(found.begin(), found.end());
    return found;
}

TEST(Readme, ItsPicturesAreThoseThatTheCommandDraws) {
    const Workplace workplace;
    (void)workplace.run_here("dual experiments/instances/redundancy/beta-of-srpt-r.toml --picture dual.svg");
    (void)workplace.run_here("capacity experiments/instances/example-cluster.toml --picture example-cluster.svg");
    (void)workplace.run_here(
        "prove transience experiments/instances/n2-pandas.toml -p pandas --picture n2-pandas-cells.svg");
    (void)workplace.run_here(
        "prove transience experiments/instances/router-h3.toml --policy-file experiments/zoo/gate.policy --picture "
        "router-h3-cells.svg");
    (void)workplace.run_here(
        "prove drift experiments/instances/ring-10.toml -p join-shortest-queue --method summands --picture "
        "ring-10-terms.svg");
    (void)workplace.run_here("check assignment.property-1.2 --evidence evidence");
    const std::string bundle = "evidence/assignment.property-1.2.constraint-2--dyndloff--property-1.2/";
    const std::vector<std::pair<std::string, std::string>> drawn{
        {"example-cluster.svg", "example-cluster.svg"},
        {"n2-pandas-cells.svg", "n2-pandas-cells.svg"},
        {"router-h3-cells.svg", "router-h3-cells.svg"},
        {"ring-10-terms.svg", "ring-10-terms.svg"},
        {"redundancy/beta-of-srpt-r-dual.svg", "dual.svg"},
        {"assignment/property-1.2-loads.svg", bundle + "loads.svg"},
        {"assignment/property-1.2-graph.svg", bundle + "graph.svg"}};
    for (const auto& [picture, file] : drawn) {
        const fs::path committed = root / "experiments/instances" / picture;
        const Lines now = texts(read(workplace.path() / file));
        EXPECT_GT(now.size(), 10U);
        if (updating() && now != texts(read(committed)))
            fs::copy_file(workplace.path() / file, committed, fs::copy_options::overwrite_existing);
        EXPECT_EQ(now, texts(read(committed)));
    }
}

/// Whether a figure that documents show is the one just drawn, to the byte but for the line that names gnuplot's
/// version.
void expect_drawn(const fs::path& file, const std::string& figure) {
    const fs::path committed = root / "docs/figures" / figure;
    const auto drawn_as = [](const fs::path& picture) {
        Lines lines = lines_of(read(picture));
        std::erase_if(lines, [](const std::string& line) { return line.starts_with("<desc>"); });
        return lines;
    };
    const Lines now = drawn_as(file);
    EXPECT_GT(now.size(), 20U);
    if (updating() && now != drawn_as(committed)) fs::copy_file(file, committed, fs::copy_options::overwrite_existing);
    EXPECT_TRUE(now == drawn_as(committed)) << figure;
}

void expect_reproduced(const std::vector<std::string>& figures) {
    const Workplace workplace;
    std::string call = "reproduce --format svg --network cost-functions";
    for (const std::string& figure : figures) call += " " + figure;
    (void)workplace.run_here(call);
    for (const std::string& figure : figures)
        expect_drawn(workplace.path() / "reproduced" / figure / "figure.svg", figure + ".svg");
}

TEST(Readme, ItsFiguresAreThoseThatReproduceDraws) { expect_reproduced({"jin2018-4", "jin2018-10"}); }

TEST(Readme, ItsLongFiguresAreThoseThatReproduceDraws) { expect_reproduced({"jin2018-6", "kavousi-three-levels"}); }

/// The arguments of the command of a page that draws a picture.
std::string command_that_draws(const char* page, const std::string& picture) {
    for (const std::string& line : lines_of(read(root / page)))
        if (line.starts_with("$ ./schedproof ") && line.find("--picture " + picture) != std::string::npos)
            return line.substr(std::string("$ ./schedproof ").size());
    ADD_FAILURE() << page << " draws no " << picture;
    return "";
}

TEST(Readme, ItsBoundsNearTheBoundaryAreThoseThatTheCommandDraws) {
    const Workplace workplace;
    for (const std::string policy : {"wang", "pandas", "jsq-maxweight"}) {
        const std::string picture = "near-boundary-" + policy + ".svg";
        (void)workplace.run_here(command_that_draws("docs/heavy-traffic.md", picture));
        expect_drawn(workplace.path() / picture, picture);
    }
}

TEST(Readme, ItsDecisionsAreThoseThatTheCommandDraws) {
    const Workplace workplace;
    (void)workplace.run_here(command_that_draws("docs/means.md", "decisions.svg"));
    expect_drawn(workplace.path() / "decisions.svg", "decisions.svg");
}

/// Of a line of such a table: load, policy, lower, upper, bound of all policies, whether each is as narrow as it was to
/// be.
std::vector<std::string> fields(const std::string& line) {
    std::vector<std::string> all;
    std::istringstream in(line);
    for (std::string field; std::getline(in, field, ',');) all.push_back(field);
    return all;
}

/// The certified curves: with SCHEDPROOF_CURVES in the environment all of them, otherwise their first two loads. Two
/// proved intervals of one mean meet, however they were found.
TEST(Readme, ItsCertifiedCurvesAreThoseThatTheCommandDraws) {
    const Workplace workplace;
    std::string command = command_that_draws("docs/means.md", "certified-loads.svg");
    const bool all = std::getenv("SCHEDPROOF_CURVES") != nullptr;
    if (!all) command = std::regex_replace(command, std::regex("--rho ([^, ]+,[^, ]+)[^ ]*"), "--rho $1");
    // Where no mean is proved the table has none, and the exit code is that of an unknown.
    (void)workplace.run_here(command + " || test $? = 3");
    const fs::path table = workplace.path() / "certified-loads.csv",
                   committed = root / "docs/figures/certified-loads.csv";
    if (all) {
        if (updating()) fs::copy_file(table, committed, fs::copy_options::overwrite_existing);
        expect_drawn(workplace.path() / "certified-loads.svg", "certified-loads.svg");
    }
    const Lines now = lines_of(read(table)), known = lines_of(read(committed));
    EXPECT_GE(now.size(), 9U);
    ASSERT_LE(now.size(), known.size());
    EXPECT_EQ(now[0], known[0]);
    for (std::size_t i = 1; i < now.size(); ++i) {
        const std::vector<std::string> mine = fields(now[i]), other = fields(known[i]);
        ASSERT_EQ(mine.size(), 7U);
        ASSERT_EQ(other.size(), 7U);
        EXPECT_EQ(mine[0] + mine[1], other[0] + other[1]);
        EXPECT_EQ(mine[2].empty(), other[2].empty());
        EXPECT_NEAR(std::stod(mine[4]), std::stod(other[4]), 0.02);
        if (mine[2].empty() || other[2].empty()) continue;
        EXPECT_LE(std::stod(mine[2]), std::stod(other[3])) << now[i];
        EXPECT_GE(std::stod(mine[3]), std::stod(other[2])) << now[i];
        EXPECT_LE(std::stod(mine[4]), std::stod(mine[3])) << "no policy is below the bound";
    }
}

/// The table of claims by policies, of which every cell is found again.
TEST(Readme, TheGalleryShowsTheVerdictsOfTheClaimsAboutQueueing) {
    const Workplace workplace;
    const fs::path file = root / "docs/gallery/queueing.md";
    // A test of the suite before this one has run all claims: the family's table is the one that names its claims.
    const char* evidence = std::getenv("SCHEDPROOF_EVIDENCE");
    std::string report = evidence != nullptr ? read(fs::path(evidence) / "verdicts.md")
                                             : workplace.run_here("check --family queueing --format markdown");
    if (const std::size_t before = report.rfind("\n\n", report.find("\n| `queueing.")); before != std::string::npos)
        report.erase(0, before + 2);
    const std::string table = report.substr(0, report.find("\n\n") + 1);
    EXPECT_GT(std::count(table.begin(), table.end(), '\n'), 20);
    std::string page = read(file);
    if (const std::size_t begin = page.find("\n| claim |") + 1; updating() && begin != 0) {
        page.replace(begin, page.find("\n\n", begin) + 1 - begin, table);
        write(file, lines_of(page));
    }
    EXPECT_NE(page.find(table), std::string::npos) << table;
}

TEST(Readme, ShowsThePolicyAsItIs) {
    const std::string page = read(root / "README.md"), fence = "```cpp\n";
    const std::size_t begin = page.find(fence) + fence.size();
    const std::string code = page.substr(begin, page.find("```", begin) - begin);
    EXPECT_GT(code.size(), 200U);
    EXPECT_NE(read(root / "policies/queueing/pandas.hpp").find(code), std::string::npos);
}

}  // namespace
}  // namespace schedproof::documents
