/// The command as a process: arguments, two streams, an exit code, files in a directory of the test's own, in which
/// `experiments` leads to the source tree.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/temporary_directory.hpp"

namespace schedproof::testing_support {

/// What a run left behind.
struct Answer {
    int exit = -1;  ///< -1 when a signal ended it
    std::string out, err;
};

inline std::string slurp(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// The text without breaks before lines that are indented.
inline std::string unbroken(const std::string& text) {
    std::string whole;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const bool breaks = text[at] == '\n' && at + 2 < text.size() && text[at + 1] == ' ' && text[at + 2] == ' ';
        whole += breaks ? ' ' : text[at];
        while (breaks && at + 1 < text.size() && text[at + 1] == ' ') ++at;
    }
    return whole;
}

/// Whether the words stand in the text, perhaps with breaks between them.
inline bool contains(const std::string& text, const std::string& words) {
    return text.find(words) != std::string::npos ||
           (words.find(' ') != std::string::npos && unbroken(text).find(words) != std::string::npos);
}

/// The text with the first `from` replaced, which must be there.
inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

/// A script's exit code and standard output.
inline Answer run_script(const std::string& script) {
    std::FILE* pipe = ::popen(script.c_str(), "r");
    Answer answer;
    if (pipe == nullptr) return answer;
    std::array<char, 4096> block;
    for (std::size_t n = 0; (n = std::fread(block.data(), 1, block.size(), pipe)) > 0;)
        answer.out.append(block.data(), n);
    const int status = ::pclose(pipe);
    if (WIFEXITED(status)) answer.exit = WEXITSTATUS(status);
    return answer;
}

class CommandTest : public ::testing::Test {
  protected:
    void SetUp() override {
        std::filesystem::create_directory(here());
        std::filesystem::create_directory_symlink(std::string(SCHEDPROOF_SOURCE_DIR) + "/experiments",
                                                  here() / "experiments");
    }

    [[nodiscard]] std::filesystem::path here() const { return root_.path() / "here"; }
    [[nodiscard]] std::filesystem::path at(const std::string& name) const { return here() / name; }
    void write(const std::string& name, const std::string& bytes) const {
        std::ofstream(at(name), std::ios::binary) << bytes;
    }
    [[nodiscard]] std::string read(const std::string& name) const { return slurp(at(name)); }

    /// A line of shell in the test's directory.
    [[nodiscard]] Answer shell(const std::string& line) const {
        Answer answer = run_script("cd '" + here().string() + "' && { " + line + "\n} 2>../err </dev/null");
        answer.err = slurp(root_.path() / "err");
        return answer;
    }
    /// The command with these arguments, which the shell splits and unquotes.
    [[nodiscard]] Answer run(const std::string& arguments) const {
        return shell(std::string("'") + SCHEDPROOF_COMMAND + "' " + arguments);
    }
    /// The same, expected to end with this exit code; its standard output.
    std::string good(const std::string& arguments, int exit = 0) const {
        const Answer answer = run(arguments);
        EXPECT_EQ(answer.exit, exit) << arguments << "\n" << answer.out << answer.err;
        return answer.out;
    }
    /// What was said on standard error besides the names of the files written.
    [[nodiscard]] static std::string complaint(const Answer& answer) {
        std::istringstream lines(answer.err);
        std::string rest;
        for (std::string line; std::getline(lines, line);)
            if (!line.starts_with("wrote ")) rest += line + "\n";
        return rest;
    }
    /// The same of a run that complains of nothing.
    std::string out(const std::string& arguments, int exit = 0) const {
        const Answer answer = run(arguments);
        EXPECT_EQ(answer.exit, exit) << arguments << "\n" << answer.out << answer.err;
        EXPECT_EQ(complaint(answer), "") << arguments;
        return answer.out;
    }
    /// These lines stand, or begin lines, in its standard output.
    void expect_lines(const std::string& arguments, const std::vector<std::string>& lines, int exit = 0) const {
        const std::string out = good(arguments, exit);
        for (const std::string& line : lines)
            EXPECT_TRUE(contains("\n" + out, "\n" + line)) << line << "\n---\n" << out;
    }
    /// Exit code 2 (or another), nothing on standard output, complaints alone on standard error, with these words, and
    /// no file left behind.
    void expect_refused(const std::string& arguments, const std::string& words, int exit = 2) const {
        SCOPED_TRACE(arguments);
        const std::set<std::string> before = files();
        const Answer answer = run(arguments);
        EXPECT_EQ(answer.exit, exit) << answer.out;
        EXPECT_EQ(answer.out, "");
        std::istringstream lines(answer.err);
        for (std::string line; std::getline(lines, line);)
            EXPECT_TRUE(line.starts_with("schedproof: ") || line.starts_with("Try `schedproof ")) << answer.err;
        EXPECT_TRUE(contains(answer.err, words)) << words << "\n" << answer.err;
        EXPECT_EQ(files(), before) << "a file was left behind";
    }
    [[nodiscard]] std::set<std::string> files() const {
        std::set<std::string> names;
        for (const auto& entry : std::filesystem::directory_iterator(here()))
            names.insert(entry.path().filename().string());
        return names;
    }
    /// The file of a schema, which the build writes beside the command.
    [[nodiscard]] static std::string schema_file(const std::string& schema) {
        const std::filesystem::path build = std::filesystem::path(SCHEDPROOF_COMMAND).parent_path().parent_path();
        return (build / "schemas" / (schema + ".schema.json")).string();
    }
    /// The validator of JSON schemas, which shares no code with the command: exit 0 or 1.
    [[nodiscard]] Answer validated(const std::string& schema, const std::string& documents) const {
        Answer answer = shell(std::string("/usr/bin/python3 '") + SCHEDPROOF_SOURCE_DIR +
                              "/tests/experiments/validate.py' '" + schema_file(schema) + "' " + documents);
        EXPECT_TRUE(answer.exit == 0 || answer.exit == 1) << answer.out << answer.err;
        return answer;
    }

  private:
    TemporaryDirectory root_;
};

}  // namespace schedproof::testing_support
