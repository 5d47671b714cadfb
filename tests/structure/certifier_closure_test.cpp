/// What the certificate checker consists of: every file that its sources reach by include directives, followed into the
/// sources behind the headers of model/ and policies/. The logic knows no policy and no model, the whole checker no
/// solver, and the table in proofs/certifier/README.md names exactly the folders found here. And what a policy file
/// reads, which is compiled whenever its author changes it.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace {

namespace fs = std::filesystem;
using Files = std::set<std::string>;

const fs::path root(SCHEDPROOF_SOURCE_DIR);

struct Includes {
    std::vector<std::string> own;  ///< existing files of this repository, as paths from its root
    std::vector<std::string> foreign;
};

Includes includes_of(const std::string& file) {
    static const std::regex directive(R"(^\s*#\s*include\s*([<"])([^>"]+)[>"])");
    Includes all;
    std::ifstream in(root / file);
    std::smatch match;
    for (std::string line; std::getline(in, line);) {
        if (!std::regex_search(line, match, directive)) continue;
        const std::string target = match[2];
        (match[1] == "\"" && fs::exists(root / target) ? all.own : all.foreign).push_back(target);
    }
    return all;
}

/// The sources of model/ and policies/ by the header that they implement: the first of their folder that they include.
std::map<std::string, Files> implementations() {
    std::map<std::string, Files> by_header;
    for (const char* folder : {"model", "policies"})
        for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
            if (entry.path().extension() != ".cpp") continue;
            const std::string source = fs::relative(entry.path(), root).generic_string();
            for (const std::string& header : includes_of(source).own)
                if (fs::path(header).parent_path() == fs::path(source).parent_path()) {
                    by_header[header].insert(source);
                    break;
                }
        }
    return by_header;
}

struct Closure {
    Files files;
    Files foreign;
};

/// What these files include, and the sources behind the headers among them.
Closure reached(std::vector<std::string> open, const std::map<std::string, Files>& behind) {
    Closure all;
    while (!open.empty()) {
        const std::string file = open.back();
        open.pop_back();
        if (!all.files.insert(file).second) continue;
        const Includes found = includes_of(file);
        open.insert(open.end(), found.own.begin(), found.own.end());
        all.foreign.insert(found.foreign.begin(), found.foreign.end());
        if (const auto sources_of = behind.find(file); sources_of != behind.end())
            open.insert(open.end(), sources_of->second.begin(), sources_of->second.end());
    }
    return all;
}

/// Of `sources`, separated by colons, and the files in `open`.
Closure closure(const std::string& sources, std::vector<std::string> open = {}) {
    static const std::map<std::string, Files> behind = implementations();
    std::istringstream list(sources);
    for (std::string file; std::getline(list, file, ':');) open.push_back(fs::relative(file, root).generic_string());
    return reached(std::move(open), behind);
}

/// The checker: its sources, and the queueing policies, which generated sources include.
Closure checker_closure() {
    std::vector<std::string> policies;
    for (const auto& entry : fs::directory_iterator(root / "policies/queueing"))
        if (entry.path().extension() == ".hpp") policies.push_back(fs::relative(entry.path(), root).generic_string());
    return closure(SCHEDPROOF_CERTIFIER_SOURCES, std::move(policies));
}

/// At most two folders deep, and of proofs/ the whole path: `model/core`, `policies`, `proofs/queueing/theorems`.
std::string layer_of(const std::string& file) {
    const fs::path folder = fs::path(file).parent_path();
    if (file.starts_with("proofs/") || std::distance(folder.begin(), folder.end()) < 2) return folder.generic_string();
    return (*folder.begin() / *std::next(folder.begin())).generic_string();
}

Files layers(const Closure& closure) {
    Files all;
    for (const std::string& file : closure.files) all.insert(layer_of(file));
    return all;
}

TEST(CertifierClosure, TheLogicKnowsNoPolicyAndNoModel) {
    const Closure logic = closure(SCHEDPROOF_LOGIC_SOURCES);
    EXPECT_TRUE(logic.files.contains("proofs/certificate/linear.cpp"));
    EXPECT_TRUE(logic.files.contains("model/core/rational.hpp"));
    for (const std::string& file : logic.files)
        EXPECT_TRUE(file.starts_with("proofs/certificate/") || file.starts_with("model/core/")) << file;
}

TEST(CertifierClosure, TheCheckerKnowsNoSolver) {
    const Closure checker = checker_closure();
    EXPECT_TRUE(checker.files.contains("proofs/certifier/program.cpp"));
    EXPECT_TRUE(checker.files.contains("policies/queueing/registry.hpp"));
    EXPECT_TRUE(checker.foreign.contains("boost/multiprecision/gmp.hpp"));
    for (const std::string& header : checker.foreign)
        for (const char* solver : {"z3", "Clp", "Coin", "qsopt", "flint"})
            EXPECT_FALSE(header.starts_with(solver)) << header;
    for (const std::string& file : checker.files)
        for (const char* folder : {"proofs/explore/", "proofs/linear_programs/", "checks/", "experiments/"})
            EXPECT_FALSE(file.starts_with(folder)) << file;
}

/// A row per folder that is read: what a reader is asked to believe.
TEST(CertifierClosure, TheReadmeStatesTheTrustedBase) {
    const Files logic = layers(closure(SCHEDPROOF_LOGIC_SOURCES));
    Files rows;
    for (const std::string& layer : layers(checker_closure()))
        rows.insert("| `" + layer + "` | " + (logic.contains(layer) ? "logic, " : "") + "checker |");
    std::ifstream in(root / "proofs/certifier/README.md");
    static const std::regex row(R"(^\| `[a-z_/]+` \| (?:logic, )?checker \|$)");
    Files stated;
    for (std::string line; std::getline(in, line);)
        if (std::regex_match(line, row)) stated.insert(line);
    EXPECT_EQ(stated, rows);
}

/// The headers of rational numbers take the compiler four times as long as all else in such a file.
TEST(PolicyFileClosure, ReadsNoRationalNumbers) {
    const Closure read = reached({"model/queueing/policy.hpp", "experiments/command/policy_header/describe.hpp"}, {});
    EXPECT_TRUE(read.files.contains("model/queueing/language/expressions.hpp"));
    for (const std::string& header : read.foreign) EXPECT_FALSE(header.starts_with("boost/")) << header;
    EXPECT_TRUE(reached({"model/queueing/any_policy.hpp"}, {}).foreign.contains("boost/multiprecision/gmp.hpp"));
}

}  // namespace
