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
        std::string pattern = (fs::temp_directory_path() / "schedproof-readme-XXXXXX").string();
        path_ = ::mkdtemp(pattern.data());
        fs::create_directory_symlink(fs::path(SCHEDPROOF_SOURCE_DIR) / "experiments", path_ / "experiments");
    }
    Workplace(const Workplace&) = delete;
    Workplace& operator=(const Workplace&) = delete;
    ~Workplace() { fs::remove_all(path_); }
    [[nodiscard]] const fs::path& path() const { return path_; }
    [[nodiscard]] std::string run_here(const std::string& arguments) const {
        return run("cd '" + path_.string() + "' && '" + SCHEDPROOF_COMMAND + "' " + arguments);
    }

  private:
    fs::path path_;
};

struct Example {
    std::string arguments;
    std::vector<std::string> shown;
};

/// The commands of the README's console blocks that run as they stand, with the output shown below each.
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
            ours = line.starts_with(prefix) && line != prefix + "test" && line.find("data.toml") == std::string::npos;
            if (ours) all.push_back({line.substr(prefix.size()), {}});
        } else if (console && ours) {
            all.back().shown.push_back(line);
        }
    }
    return all;
}

TEST(Readme, ShowsWhatTheCommandPrints) {
    const Workplace workplace;
    const std::vector<Example> all = examples();
    ASSERT_GE(all.size(), 3U);
    for (const Example& example : all) {
        std::istringstream printed(workplace.run_here(example.arguments));
        for (const std::string& shown : example.shown) {
            if (shown == "  ...") break;
            std::string line;
            std::getline(printed, line);
            EXPECT_EQ(line, shown) << example.arguments;
        }
    }
}

TEST(Readme, HasNoPlaceholder) {
    EXPECT_FALSE(
        std::regex_search(read(fs::path(SCHEDPROOF_SOURCE_DIR) / "README.md"), std::regex("[A-Z]{3,}_[A-Z]{3,}")));
}

/// What is written in an SVG, whatever the fonts made of its layout.
std::vector<std::string> texts(const std::string& svg) {
    static const std::regex text("<text[^>]*>([^<]*)</text>");
    std::vector<std::string> found;
    for (std::sregex_iterator it(svg.begin(), svg.end(), text), end; it != end; ++it) found.push_back((*it)[1]);
    std::sort(found.begin(), found.end());
    return found;
}

TEST(Readme, ItsPictureIsTheOneThatTheCommandDraws) {
    const Workplace workplace;
    (void)workplace.run_here("capacity experiments/instances/example-cluster.toml --picture now.svg");
    const auto committed = texts(read(fs::path(SCHEDPROOF_SOURCE_DIR) / "experiments/instances/example-cluster.svg"));
    EXPECT_GT(committed.size(), 40U);
    EXPECT_EQ(texts(read(workplace.path() / "now.svg")), committed);
}

}  // namespace
