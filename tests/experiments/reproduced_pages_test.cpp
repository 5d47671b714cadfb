/// The pages of docs/reproduced: each is of the declaration as it is now and says what is expected of it, and a few
/// figures of the day are run again at quick scale.
///
/// The pages come from `reproduce FIGURE --format svg,markdown`, with `--full` where the list says so; with
/// SCHEDPROOF_REPRODUCED, the directory of results, SCHEDPROOF_UPDATE_DOCS=1 takes over those that are there and writes
/// the list anew, for a person to look at.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "experiments/command/reproduce/catalogue.hpp"
#include "model/base/output_file.hpp"
#include "model/base/text.hpp"
#include "tests/support/command.hpp"

namespace schedproof::cli {
namespace {

using namespace testing_support;
namespace fs = std::filesystem;

constexpr std::size_t most = std::size_t{1} << 22U;
const fs::path pages = SCHEDPROOF_SOURCE_DIR "/docs/reproduced";

bool updates() { return std::getenv("SCHEDPROOF_UPDATE_DOCS") != nullptr; }

void take_over(const FigureDeclaration& figure, const fs::path& results) {
    for (const char* name : {"figure.md", "figure.svg"})
        if (const fs::path from = results / figure.id / name; fs::exists(from)) {
            fs::create_directories(pages / figure.id);
            fs::copy_file(from, pages / figure.id / name, fs::copy_options::overwrite_existing);
        }
}

bool is_quick(const std::string& page) { return contains(page, "\nRun at quick scale"); }

/// The verdicts of a page, in its order: the words between stars in the table of statements.
std::vector<std::string> verdicts_of(const std::string& page) {
    std::vector<std::string> verdicts;
    for (std::size_t at = page.find(" | **"); at != std::string::npos; at = page.find(" | **", at + 1))
        verdicts.push_back(page.substr(at + 5, page.find("** |", at) - at - 5));
    return verdicts;
}

/// What is wrong with a page: it is of another declaration than the catalogue's, or its verdicts are others than that
/// declaration expects at the page's scale. Empty: nothing.
std::string complaint_about(const FigureDeclaration& figure, const std::string& page) {
    if (!contains(page, figure.file.sha256))
        return fmt::format(
            "{} was declared anew since its page was made: run `schedproof reproduce {} --full --format "
            "svg,markdown`",
            figure.id, figure.id);
    std::vector<std::string> expected;
    for (const FigureClaim& claim : figure.claims)
        expected.emplace_back(name_of(figure.expected(claim, is_quick(page))));
    return verdicts_of(page) == expected ? "" : figure.id + " has other verdicts than its declaration expects";
}

std::string counted(const std::vector<std::string>& verdicts) {
    std::map<std::string, std::size_t> count;
    for (const std::string& verdict : verdicts) ++count[verdict];
    std::string text;
    for (const auto& [word, several] :
         {std::pair{"reproduced", "reproduced"}, std::pair{"not reproduced", "not reproduced"},
          std::pair{"depends on an unstated parameter", "depend on an unstated parameter"},
          std::pair{"inconclusive", "inconclusive"}})
        if (const std::size_t n = count[word]; n > 0)
            text += fmt::format("{}{} {}", text.empty() ? "" : ", ", n, n > 1 ? several : word);
    return text;
}

TEST(ReproducedPages, AreOfTheDeclarationsAsTheyAre) {
    std::string list =
        "# The papers' figures as they come out here\n\n"
        "A page for each figure of `schedproof reproduce --list`: its picture, what the paper says of it beside what "
        "comes\nout, what the paper leaves out and what was taken for it, and the means. How a verdict is found is in\n"
        "[the papers' figures](../reproduce.md). `schedproof reproduce FIGURE --format svg,markdown` makes such a "
        "page, "
        "with\n`--full` where the scale is full.\n\n| figure | what it shows | scale | statements "
        "|\n|---|---|---|---|\n";
    for (const FigureDeclaration& figure : catalogue()) {
        if (const char* results = std::getenv("SCHEDPROOF_REPRODUCED"); results != nullptr && updates())
            take_over(figure, results);
        ASSERT_TRUE(fs::exists(pages / figure.id / "figure.md")) << figure.id << " has no page";
        const std::string page = base::read_text(pages / figure.id / "figure.md", most);
        EXPECT_EQ(complaint_about(figure, page), "");
        list += fmt::format("| [{}, {}]({}/figure.md) | {} | {} | {} |\n", figure.paper, figure.number, figure.id,
                            figure.title, is_quick(page) ? "quick" : "full", counted(verdicts_of(page)));
    }
    if (updates()) base::write_file(pages / "README.md", list);
    EXPECT_EQ(base::read_text(pages / "README.md", most), list);
    for (const fs::directory_entry& entry : fs::directory_iterator(pages)) {
        const std::string link = fmt::format("]({}/figure.md)", entry.path().filename().string());
        EXPECT_TRUE(!entry.is_directory() || contains(list, link)) << entry.path() << " is of no figure";
    }
}

TEST(ReproducedPages, AStalePageIsNoticed) {
    const FigureDeclaration figure = catalogue().front();
    const std::string page = base::read_text(pages / figure.id / "figure.md", most), verdict = verdicts_of(page).at(0);
    EXPECT_NE(complaint_about(figure, replaced(page, figure.file.sha256, std::string(64, '0'))), "");
    EXPECT_NE(complaint_about(figure, replaced(page, "**" + verdict + "**", "**inconclusive**")), "");
}

class FiguresOfTheDay : public CommandTest {};

/// Two figures a day, in the order of the catalogue, so that each has its turn within three weeks; SCHEDPROOF_DAY names
/// another day. A figure of more than a minute, or of running times, which a busy machine spoils, has its turn in
/// `reproduce
/// --all` alone.
TEST_F(FiguresOfTheDay, ComeOutAsExpected) {
    constexpr std::size_t each_day = 2;
    std::vector<std::string> figures;
    const auto is_time = [](const reproduction::Measure& measure) {
        return measure.quantity == "time" || measure.quantity.starts_with("phase ");
    };
    for (const FigureDeclaration& figure : catalogue())
        if (figure.quick_minutes <= 1 && std::none_of(figure.measures.begin(), figure.measures.end(), is_time))
            figures.push_back(figure.id);
    EXPECT_EQ(std::find(figures.begin(), figures.end(), "jin2018-9a"), figures.end());
    const char* asked = std::getenv("SCHEDPROOF_DAY");
    const auto today = std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now());
    const auto day = asked != nullptr ? std::strtoull(asked, nullptr, 10)
                                      : static_cast<unsigned long long>(today.time_since_epoch().count());
    for (std::size_t k = 0; k < each_day; ++k) {
        const std::string& figure = figures[(each_day * day + k) % figures.size()];
        fmt::print("day {}: {}\n", day, figure);
        const auto answer = run("reproduce " + figure + " --quick --network cost-functions --format csv");
        EXPECT_TRUE(answer.exit == 0 || answer.exit == 3) << answer.out << answer.err;
    }
}

}  // namespace
}  // namespace schedproof::cli
