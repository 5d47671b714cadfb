/// Running gnuplot: a script in, a picture out, and every failure as an error that says what to do.
///
/// gnuplot runs as a child process without a shell, in a directory of its own for script and picture, with numbers
/// written as in C whatever the user's locale. Its messages are collected and become part of the error when it fails; a
/// missing program is an input error that names the package. The directory is removed in every case.
#include "experiments/figures/gnuplot.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>
#include <vector>

#include "model/core/errors.hpp"

namespace schedproof::figures {

namespace {

namespace fs = std::filesystem;

/// A directory of its own for the files of one run.
class TemporaryDirectory {
  public:
    TemporaryDirectory() {
        std::error_code error;
        const fs::path parent = fs::temp_directory_path(error);
        std::string pattern = (parent / "schedproof-plot-XXXXXX").string();
        if (error || ::mkdtemp(pattern.data()) == nullptr)
            throw InputError::in_file(error ? "TMPDIR" : parent.string(),
                                      "expected a directory for temporary files that can be written");
        path_ = pattern;
    }
    TemporaryDirectory(const TemporaryDirectory&) = delete;
    TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
    ~TemporaryDirectory() {
        std::error_code ignored;
        fs::remove_all(path_, ignored);
    }
    [[nodiscard]] std::string file(const char* name) const { return (path_ / name).string(); }

  private:
    fs::path path_;
};

std::string read(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

/// This process's environment with numbers written as in C.
std::vector<char*> environment() {
    static char locale[] = "LC_ALL=C";
    std::vector<char*> result;
    for (char** entry = environ; *entry != nullptr; ++entry)
        if (std::string_view(*entry).substr(0, 7) != "LC_ALL=") result.push_back(*entry);
    result.push_back(locale);
    result.push_back(nullptr);
    return result;
}

/// Exit status of `gnuplot -d SCRIPT` with its outputs in files; -1 when it did not end by itself.
int run(std::string script, const std::string& output, const std::string& errors) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    constexpr int flags = O_WRONLY | O_CREAT | O_TRUNC;
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output.c_str(), flags, 0600);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, errors.c_str(), flags, 0600);
    std::string name = "gnuplot", no_settings = "-d";
    const std::array<char*, 4> arguments{name.data(), no_settings.data(), script.data(), nullptr};
    std::vector<char*> variables = environment();
    pid_t child = 0;
    const int failure = ::posix_spawnp(&child, name.c_str(), &actions, nullptr, arguments.data(), variables.data());
    posix_spawn_file_actions_destroy(&actions);
    if (failure != 0)
        throw InputError::in_file(
            "gnuplot", "expected this program, which draws curves, to be installed (Debian package gnuplot-nox)");
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

std::string run_gnuplot(const std::string& script) {
    const TemporaryDirectory directory;
    const std::string path = directory.file("script");
    std::ofstream out(path, std::ios::binary);
    out << script;
    out.close();
    if (!out) throw InputError::in_file(path, "expected room for what gnuplot is to draw");
    const int status = run(path, directory.file("output"), directory.file("errors"));
    std::string picture = read(directory.file("output"));
    if (status != 0 || picture.empty())
        throw Error("gnuplot drew nothing: " + read(directory.file("errors")).substr(0, 500));
    return picture;
}

void require_gnuplot() { static_cast<void>(run_gnuplot("set print '-'\nprint 1\n")); }

}  // namespace schedproof::figures
