/// The documents lead where they say: every link, and every name of a file or folder of this repository.
///
/// Which names are meant shows from their form: a path from a folder of the root or from `..`, or a name with the
/// ending of a source. A name is found from the root, from the page's folder, or, in the README of a folder, below it:
/// a README that names a file of another folder says which. Pages of docs/ speak of files in all folders, so there the
/// name alone is enough. Capitals in a path stand for a name to be chosen.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

const fs::path root(SCHEDPROOF_SOURCE_DIR);
constexpr const char* folders[]{"docs", "model", "policies", "proofs", "checks", "experiments", "tests"};

std::string read(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        lines.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return lines;
}

/// The project's documents, as paths from the root.
std::vector<fs::path> documents() {
    std::vector<fs::path> found;
    for (const auto& entry : fs::directory_iterator(root))
        if (entry.path().extension() == ".md") found.push_back(entry.path().filename());
    for (const char* folder : folders)
        for (const auto& entry : fs::recursive_directory_iterator(root / folder))
            if (entry.path().extension() == ".md") found.push_back(fs::relative(entry.path(), root));
    return found;
}

/// The page without its code blocks.
std::string prose(const std::string& page) {
    std::string text;
    bool code = false;
    for (const std::string& line : lines_of(page)) {
        if (line.starts_with("```")) code = !code;
        if (!code) text += line + '\n';
    }
    return text;
}

/// The names that links to parts of a page may use: those of its headings, as GitHub makes them, and explicit ones.
std::set<std::string> anchors(const std::string& page) {
    static const std::regex explicit_one("<a id=\"([^\"]+)\">");
    std::set<std::string> names;
    for (const std::string& line : lines_of(prose(page))) {
        if (!line.starts_with('#')) continue;
        std::string name;
        for (const char c : line.substr(line.find_first_not_of("# "))) {
            const auto byte = static_cast<unsigned char>(c);
            if (std::isalnum(byte) || c == '-' || c == '_') name += static_cast<char>(std::tolower(byte));
            if (c == ' ') name += '-';
        }
        names.insert(name);
    }
    for (std::sregex_iterator it(page.begin(), page.end(), explicit_one), end; it != end; ++it) names.insert((*it)[1]);
    return names;
}

/// The targets of the page's links that lead nowhere; counts all that are no addresses.
std::vector<std::string> dead_links(const fs::path& document, const std::string& page, std::size_t& links) {
    static const std::regex inline_code("`[^`\n]*`");
    static const std::regex link(R"re((?:\]\(|\n\[[^\]\n]+\]: )([^)\s]+))re");
    const std::string text = std::regex_replace(prose(page), inline_code, "");
    std::vector<std::string> dead;
    for (std::sregex_iterator it(text.begin(), text.end(), link), end; it != end; ++it) {
        const std::string target = (*it)[1], path = target.substr(0, target.find('#'));
        if (target.find("://") != std::string::npos) continue;
        ++links;
        const fs::path file = path.empty() ? root / document : root / document.parent_path() / path;
        const bool part = target.size() > path.size() && file.extension() == ".md";
        if (!fs::exists(file) || (part && !anchors(read(file)).contains(target.substr(path.size() + 1))))
            dead.push_back(document.string() + " links to " + target);
    }
    return dead;
}

/// Every path of the sources and documents, from the root.
const std::set<std::string>& all_paths() {
    static const std::set<std::string> paths = [] {
        std::set<std::string> found;
        for (const char* folder : folders)
            for (const auto& entry : fs::recursive_directory_iterator(root / folder))
                found.insert(fs::relative(entry.path(), root).generic_string());
        return found;
    }();
    return paths;
}

/// Whether a path below `folder` ends with this name; below the root where it is empty.
bool is_below(const std::string& folder, const std::string& name) {
    for (const std::string& path : all_paths())
        if (path.starts_with(folder.empty() ? folder : folder + "/") && path.ends_with("/" + name)) return true;
    return false;
}

/// What the command writes and what a reader is told to write, which are no files of this repository.
bool is_made_elsewhere(const std::string& name) {
    static const std::set<std::string> names{"counterexample_test.cpp", "replay.sh", "slip_test.cpp", "main.ml",
                                             "Certificate.v"};
    return names.contains(name);
}

/// The names in backquotes that are those of files or folders, but of none that is there; counts all.
std::vector<std::string> gone(const fs::path& document, const std::string& page, std::size_t& names) {
    static const std::regex quoted("`((?:\\.\\./)*[A-Za-z0-9_-][A-Za-z0-9_./-]*)`");
    static const std::regex path("(?:model|policies|proofs|checks|experiments|tests|docs|\\.\\.)/.*");
    static const std::regex source(".*\\.(?:hpp|cpp|inc|def|py|sh|cmake|v|ml|js|css|md)");
    static const std::regex placeholder("[A-Z]{3,}.*[/.]|/[A-Z]{3,}");
    const std::string text = prose(page), folder = document.parent_path().generic_string();
    const bool readme = document.filename() == "README.md";
    std::vector<std::string> missing;
    for (std::sregex_iterator it(text.begin(), text.end(), quoted), end; it != end; ++it) {
        std::string name = (*it)[1];
        if (!std::regex_match(name, path) && !std::regex_match(name, source)) continue;
        if (is_made_elsewhere(name)) continue;
        if (!name.ends_with(".md") && std::regex_search(name, placeholder)) continue;
        ++names;
        if (name.ends_with('/')) name.pop_back();
        if (fs::exists(root / name) || fs::exists(root / folder / name)) continue;
        const bool test = name.ends_with("_test.cpp") || name.ends_with("_test.py");
        if (!is_below(test ? "tests" : readme ? folder : "", name))
            missing.push_back(document.string() + " names " + name);
    }
    return missing;
}

/// The names in the first column of the tables of files in a folder's README that are those of no file there, with or
/// without an ending, and of no folder; counts all. Patterns with `*` are passed over.
std::vector<std::string> rows_without_file(const fs::path& document, const std::string& page, std::size_t& rows) {
    static const std::regex quoted("`([A-Za-z0-9_./-]+)`");
    std::vector<std::string> missing;
    bool files = false;
    if (document.filename() != "README.md") return missing;
    for (const std::string& line : lines_of(prose(page))) {
        if (line.starts_with("| file |") || line.starts_with("| files |")) files = true;
        if (!line.starts_with('|')) files = false;
        if (!files) continue;
        const std::string cell = line.substr(1, line.find('|', 1) - 1);
        for (std::sregex_iterator it(cell.begin(), cell.end(), quoted), end; it != end; ++it, ++rows) {
            const std::string path = (document.parent_path() / (*it)[1].str()).lexically_normal().generic_string();
            const auto next = all_paths().lower_bound(path + ".");
            const bool stem = next != all_paths().end() && next->starts_with(path + ".");
            if (!stem && !fs::exists(root / path)) missing.push_back(document.string() + " lists " + (*it)[1].str());
        }
    }
    return missing;
}

TEST(Documents, EveryLinkLeadsSomewhere) {
    std::size_t links = 0;
    std::vector<std::string> dead;
    for (const fs::path& document : documents())
        for (const std::string& link : dead_links(document, read(root / document), links)) dead.push_back(link);
    EXPECT_EQ(dead, std::vector<std::string>{});
    EXPECT_GT(links, 300U);
}

TEST(Documents, EveryFileThatTheyNameExists) {
    std::size_t names = 0;
    std::vector<std::string> missing;
    for (const fs::path& document : documents()) {
        if (document == "CHANGELOG.md") continue;
        for (const std::string& name : gone(document, read(root / document), names)) missing.push_back(name);
    }
    EXPECT_EQ(missing, std::vector<std::string>{});
    EXPECT_GT(names, 900U);
}

TEST(Documents, TablesOfFilesListThoseThatAreThere) {
    std::size_t rows = 0;
    std::vector<std::string> missing;
    for (const fs::path& document : documents())
        for (const std::string& row : rows_without_file(document, read(root / document), rows)) missing.push_back(row);
    EXPECT_EQ(missing, std::vector<std::string>{});
    EXPECT_GT(rows, 400U);
}

TEST(Documents, TheTestsNoticeWhatLeadsNowhere) {
    std::size_t count = 0;
    const auto dead = [&](const std::string& page) { return dead_links("docs/README.md", page, count).size(); };
    EXPECT_EQ(dead("[a](glossary.md) and [b](https://example.org/none)\n[c]: bibliography.md#xu2017\n"), 0U);
    EXPECT_EQ(dead("[a](no-such.md)\n\n[c]: bibliography.md#nobody\n"), 2U);
    EXPECT_EQ(dead("```\n[a](no-such.md)\n```\n`[a](no-such.md)`\n"), 0U);
    const auto lost = [&](const char* document, const std::string& page) { return gone(document, page, count).size(); };
    EXPECT_EQ(lost("experiments/runs/README.md", "`cut.hpp`, `../README.md`, `experiments/runs/`, `FAMILY/NAME.cpp`"),
              0U);
    EXPECT_EQ(lost("experiments/runs/README.md", "`compare.hpp` and `no_such.hpp`"), 1U);
    EXPECT_EQ(lost("experiments/runs/README.md", "`structure.cpp`, `measure.py`"), 2U) << "a file of another folder";
    EXPECT_EQ(lost("docs/rocq.md", "`measure.py`"), 0U) << "a page of docs/";
    EXPECT_EQ(lost("experiments/runs/README.md", "`structure_test.cpp`, `no_such_test.cpp`"), 1U) << "tests";
    EXPECT_EQ(lost("docs/rocq.md", "`no_such.cpp`, `proofs/no-such/`, `../no-such.md`"), 3U);
    EXPECT_EQ(lost("README.md", "`cluster.toml`, `data.csv`, `a.b`, `1/2`, `--format`"), 0U) << "a user's own files";
    const std::string table = "| file | content |\n|---|---|\n| `cut`, `unit.hpp`, `../core` | what |\n";
    const auto without = [&](const std::string& page) {
        return rows_without_file("experiments/simulators/README.md", page, count).size();
    };
    EXPECT_EQ(rows_without_file("experiments/runs/README.md", table, count).size(), 1U) << "no ../core there";
    EXPECT_EQ(without(table), 3U);
    EXPECT_EQ(without("| word | content |\n|---|---|\n| `cut` | what |\n"), 0U);
}

TEST(Documents, HaveNoPlaceholder) {
    for (const fs::path& document : documents())
        if (document.string().starts_with("README") || document.string().starts_with("docs/gallery")) {
            EXPECT_FALSE(std::regex_search(read(root / document), std::regex("[A-Z]{3,}_[A-Z]{4,}_[A-Z]+|TODO|TBD")))
                << document;
        }
}

TEST(Documents, TheReadmeHasAtMostTwoHundredLines) { EXPECT_LE(lines_of(read(root / "README.md")).size(), 200U); }

}  // namespace
