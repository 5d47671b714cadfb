/// The include directions: model <- policies <- proofs <- checks, and model, policies <- experiments; the command
/// alone sees all. Z3 under proofs/ only, RapidCheck under checks/ and tests/ only.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace {

namespace fs = std::filesystem;

/// The program that shares links as fluids, and the only source that SimGrid is for.
const std::string links_program = "experiments/simulators/sharing/links/program.cpp";

/// The complaint about one include line of a file, or nothing.
std::string complaint(const std::string& file, const std::string& line) {
    static const std::map<std::string, std::set<std::string>> may_include{
        {"model", {"model"}},
        {"policies", {"model", "policies"}},
        {"proofs", {"model", "policies", "proofs"}},
        {"checks", {"model", "policies", "proofs", "checks"}},
        {"experiments", {"model", "policies", "experiments"}},
    };
    static const std::regex include(R"(^\s*#\s*include\s*([<"])([^>"]+)[>"])");
    std::smatch match;
    if (!std::regex_search(line, match, include)) return {};
    const std::string target = match[2];
    const std::string folder = file.substr(0, file.find('/'));
    const bool sees_all = file.starts_with("experiments/command/") || file.starts_with("experiments/bench/");
    if (target.starts_with("z3") && folder != "proofs") return file + " includes " + target;
    if (target.starts_with("simgrid") && file != links_program) return file + " includes " + target;
    if (target.starts_with("rapidcheck") && folder != "checks") return file + " includes " + target;
    const std::string target_folder = target.substr(0, target.find('/'));
    if (match[1] == "\"" && !may_include.contains(target_folder))
        return file + " includes \"" + target + "\", which is no path from the root";
    if (may_include.contains(target_folder) && target.find('/') != std::string::npos && !sees_all &&
        !may_include.at(folder).contains(target_folder))
        return file + " includes " + target;
    return {};
}

TEST(Structure, IncludesFollowTheLayout) {
    std::size_t files = 0;
    std::vector<std::string> complaints;
    for (const char* folder : {"model", "policies", "proofs", "checks", "experiments"}) {
        for (const auto& entry : fs::recursive_directory_iterator(fs::path(SCHEDPROOF_SOURCE_DIR) / folder)) {
            if (entry.path().extension() != ".hpp" && entry.path().extension() != ".cpp") continue;
            ++files;
            const std::string name = fs::relative(entry.path(), SCHEDPROOF_SOURCE_DIR).generic_string();
            std::ifstream in(entry.path());
            for (std::string line; std::getline(in, line);)
                if (const std::string wrong = complaint(name, line); !wrong.empty()) complaints.push_back(wrong);
        }
    }
    EXPECT_GT(files, 40U);
    EXPECT_EQ(complaints, std::vector<std::string>{});
}

TEST(Structure, TheCheckRefutesEveryForbiddenInclude) {
    EXPECT_NE(complaint("model/queueing/a.hpp", "#include \"policies/queueing/registry.hpp\""), "");
    EXPECT_NE(complaint("policies/a.hpp", "#include \"proofs/capacity/capacity.hpp\""), "");
    EXPECT_NE(complaint("proofs/a.hpp", "#include \"checks/pictures/dot.hpp\""), "");
    EXPECT_NE(complaint("checks/a.hpp", "#include \"experiments/input/reader.hpp\""), "");
    EXPECT_NE(complaint("experiments/input/a.hpp", "#include \"proofs/capacity/capacity.hpp\""), "");
    EXPECT_NE(complaint("model/core/a.hpp", "#include <z3++.h>"), "");
    EXPECT_NE(complaint("model/core/a.hpp", "#include <rapidcheck.h>"), "");
    EXPECT_NE(complaint("experiments/simulators/sharing/a.cpp", "#include <simgrid/s4u.hpp>"), "");
    EXPECT_EQ(complaint(links_program, "#include <simgrid/s4u.hpp>"), "");
    EXPECT_NE(complaint("model/core/a.hpp", "#include \"errors.hpp\""), "");
    EXPECT_EQ(complaint("experiments/command/core/main.cpp", "#include \"proofs/capacity/capacity.hpp\""), "");
    EXPECT_EQ(complaint("proofs/explore/z3_decider.cpp", "#include <z3++.h>"), "");
}

TEST(Structure, EveryFolderHasAReadme) {
    for (const char* folder : {"model", "policies", "proofs", "checks", "experiments", "tests"})
        EXPECT_TRUE(fs::exists(fs::path(SCHEDPROOF_SOURCE_DIR) / folder / "README.md")) << folder;
}

TEST(Structure, EveryDeviationStandsInTheDocuments) {
    const std::string script = std::string("'") + SCHEDPROOF_SOURCE_DIR + "/policies/deviations.sh'";
    std::FILE* pipe = ::popen(script.c_str(), "r");
    std::string listed;
    for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) listed += static_cast<char>(c);
    ASSERT_EQ(::pclose(pipe), 0);
    ASSERT_FALSE(listed.empty());
    std::ifstream in(fs::path(SCHEDPROOF_SOURCE_DIR) / "policies/README.md");
    const std::string readme(std::istreambuf_iterator<char>(in), {});
    EXPECT_NE(readme.find(listed), std::string::npos) << "policies/README.md should end with:\n" << listed;
}

// ------------------------------------------------------------------------------------------------------- citations

/// What code and docs may cite: keys of the bibliography, pages of the docs, and their numbered headings.
struct Citable {
    std::set<std::string> keys;      ///< `wang2013`
    std::set<std::string> pages;     ///< `docs/models/queueing.md`
    std::set<std::string> numbered;  ///< `Interpretation Q3`, `Counterexample N2`
};

std::string contents(const fs::path& path) {
    std::ifstream in(path);
    return {std::istreambuf_iterator<char>(in), {}};
}

/// Every match of the first group of a pattern.
std::vector<std::string> all_matches(const std::string& text, const std::regex& pattern) {
    std::vector<std::string> found;
    for (std::sregex_iterator at(text.begin(), text.end(), pattern), end; at != end; ++at) found.push_back((*at)[1]);
    return found;
}

Citable citable() {
    static const std::regex key(R"(\n### ([a-z]+[0-9]*)\n)");
    static const std::regex heading(R"(\n### ((?:Interpretation|Counterexample) [A-Z][0-9]+):)");
    const fs::path root(SCHEDPROOF_SOURCE_DIR);
    Citable known;
    // Consecutive headings share no newline, since a paragraph stands below each.
    for (const std::string& k : all_matches(contents(root / "docs/bibliography.md"), key)) known.keys.insert(k);
    for (const auto& entry : fs::recursive_directory_iterator(root / "docs")) {
        if (entry.path().extension() != ".md") continue;
        known.pages.insert(fs::relative(entry.path(), root).generic_string());
        for (const std::string& h : all_matches(contents(entry.path()), heading)) known.numbered.insert(h);
    }
    return known;
}

/// The text with comment marks taken away and with string literals joined that continue on the next line, so that a
/// citation broken over lines is whole.
std::string unbroken(const std::string& text) {
    std::string whole;
    std::size_t begin = 0;
    while (begin < text.size()) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        std::string line = text.substr(begin, end - begin);
        begin = end + 1;
        line.erase(0, std::min(line.find_first_not_of(" \t"), line.size()));
        if (line.starts_with("//")) {
            line.erase(0, std::min(line.find_first_not_of("/ "), line.size()));
            whole += ' ';
        } else if (line.starts_with('"') && whole.ends_with('"')) {
            whole.pop_back();
            line.erase(0, 1);
        } else {
            whole += '\n';
        }
        whole += line;
    }
    return whole;
}

/// What is wrong with the citations of a file.
std::vector<std::string> dangling(const Citable& known, const std::string& file, const std::string& text) {
    // A key with a year is recognised anywhere; one without, only at the beginning of a source.
    static const std::regex dated(R"(\[([a-z]+[0-9]{4})\])");
    static const std::regex undated(R"re("\[([a-z]+)\](?:, (?:Section|docs/)|; \[))re");
    static const std::regex page(R"(\b(docs/[A-Za-z0-9_./-]*\.md)\b)");
    static const std::regex numbered(R"((?:Interpretation|Counterexample)s? [A-Z][0-9]+(?:(?:, | and )[A-Z][0-9]+)*)");
    static const std::regex number(R"(([A-Z][0-9]+))");
    static const std::regex specification(R"((specification [0-9]))", std::regex::icase);
    const std::string whole = unbroken(text);
    std::vector<std::string> wrong;
    const auto require_known = [&](const std::set<std::string>& names, const std::string& name) {
        if (!names.contains(name)) wrong.push_back(file + " cites " + name);
    };
    const auto holds = [&](const char* word) { return whole.find(word) != std::string::npos; };
    for (const std::string& key : all_matches(whole, dated)) require_known(known.keys, key);
    if (holds("\"["))
        for (const std::string& key : all_matches(whole, undated)) require_known(known.keys, key);
    if (holds("docs/"))
        for (const std::string& path : all_matches(whole, page)) require_known(known.pages, path);
    if (holds("Interpretation") || holds("Counterexample"))
        for (std::sregex_iterator at(whole.begin(), whole.end(), numbered), end; at != end; ++at) {
            const std::string list = at->str();
            const std::string kind = list.substr(0, std::string_view("Interpretation").size());  // both are as long
            for (const std::string& n : all_matches(list.substr(kind.size()), number))
                require_known(known.numbered, kind + " " + n);
        }
    if (holds("pecification"))
        for (const std::string& phrase : all_matches(whole, specification)) wrong.push_back(file + " cites " + phrase);
    return wrong;
}

TEST(Structure, EveryCitationLeadsSomewhere) {
    const Citable known = citable();
    EXPECT_GT(known.keys.size(), 20U);
    EXPECT_GT(known.numbered.size(), 70U);
    static const std::set<std::string> extensions{".hpp", ".cpp", ".toml", ".json", ".md"};
    std::vector<std::string> wrong;
    std::size_t files = 0;
    for (const char* folder : {"model", "policies", "proofs", "checks", "experiments", "tests", "docs"}) {
        for (const auto& entry : fs::recursive_directory_iterator(fs::path(SCHEDPROOF_SOURCE_DIR) / folder)) {
            const std::string name = fs::relative(entry.path(), SCHEDPROOF_SOURCE_DIR).generic_string();
            // This folder holds citations that must be rejected.
            if (!extensions.contains(entry.path().extension().string()) || name.starts_with("tests/structure/"))
                continue;
            ++files;
            for (const std::string& w : dangling(known, name, contents(entry.path()))) wrong.push_back(w);
        }
    }
    EXPECT_GT(files, 400U);
    EXPECT_EQ(wrong, std::vector<std::string>{});
}

TEST(Structure, TheCheckRefutesEveryDanglingCitation) {
    const Citable known{
        {"wang2013", "schedproof"}, {"docs/models/queueing.md"}, {"Interpretation Q3", "Counterexample N2"}};
    const auto count = [&](const std::string& text) { return dangling(known, "a.hpp", text).size(); };
    EXPECT_EQ(count("\"[wang2013], Section II\"; \"[schedproof], docs/models/queueing.md, Interpretation Q3\""), 0U);
    EXPECT_EQ(count("/// as [wang2012] says"), 1U);
    EXPECT_EQ(count("\"[nobody], Section II\""), 1U);
    EXPECT_EQ(count("lambda[nobody], x[i]; [[nodiscard]] auto [a, b] = pair;"), 0U);
    EXPECT_EQ(count("/// docs/models/queues.md"), 1U);
    EXPECT_EQ(count("/// Interpretation Q4"), 1U);
    EXPECT_EQ(count("/// Interpretations Q3, Q4 and\n/// Q5; Counterexample N2"), 2U);
    EXPECT_EQ(count("/// docs/models/queueing.md, Interpretation\n/// Q4"), 1U) << "broken over lines";
    EXPECT_EQ(count("\"[schedproof], Counterexample \"\n    \"N3\""), 1U) << "a literal broken over lines";
    EXPECT_EQ(count("/// as specification 1.3d says"), 1U);
    EXPECT_EQ(count("/// Specification\n/// 5: two servers"), 1U);
}

}  // namespace
