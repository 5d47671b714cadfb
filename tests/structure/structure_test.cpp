/// The include directions: model <- policies <- proofs <- checks, and model, policies <- experiments; the command
/// alone sees all. Z3 under proofs/ only, RapidCheck under checks/ and tests/ only.
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

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

}  // namespace
