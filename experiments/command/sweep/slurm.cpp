/// What an array job needs beside its results: the script that a task runs, and copies of what it reads, in a folder
/// from which the command finds them by the names that it was given.
#include "experiments/command/sweep/slurm.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <filesystem>

#include "model/base/output_file.hpp"
#include "model/base/text.hpp"
#include "model/core/errors.hpp"

namespace schedproof::cli {

namespace {

/// Standard output of a program that ran to a good end.
std::string output_of(std::vector<std::string> words) {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw Error("cannot make a pipe");
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    pid_t child = 0;
    const int failure = ::posix_spawnp(&child, words[0].c_str(), &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    ::close(ends[1]);
    std::string text;
    std::array<char, 4096> block;
    for (ssize_t n = 1; failure == 0 && n != 0;) {
        n = ::read(ends[0], block.data(), block.size());
        if (n < 0 && errno != EINTR) break;
        if (n > 0) text.append(block.data(), static_cast<std::size_t>(n));
    }
    ::close(ends[0]);
    if (failure != 0)
        throw InputError::in_file(words[0],
                                  "expected this program of Slurm to be installed (Debian package "
                                  "slurm-client)");
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        throw InputError::in_file(words[0], "expected the job to be accepted; the complaint of Slurm stands above");
    return text;
}

}  // namespace

std::filesystem::path kept_inputs(const std::string& directory) {
    namespace fs = std::filesystem;
    return fs::absolute(directory).lexically_normal() / "inputs" / fs::current_path().relative_path();
}

std::string keep_inputs(const ArrayJob& job) {
    namespace fs = std::filesystem;
    constexpr std::uintmax_t most_copied = std::uintmax_t{16} << 20;
    const fs::path folder = kept_inputs(job.directory);
    base::make_directory(folder.string());
    for (const std::string& name : job.inputs) {
        const fs::path file(name), kept = (folder / file).lexically_normal();
        std::error_code error;
        if (file.is_absolute() || !fs::is_regular_file(file, error)) continue;
        base::make_directory(kept.parent_path().string());
        fs::remove(kept, error);
        if (fs::file_size(file) <= most_copied)
            fs::copy_file(file, kept);
        else
            fs::create_symlink(fs::absolute(file), kept);
    }
    return folder.string();
}

std::string array_script(const ArrayJob& job, const std::string& folder) {
    return fmt::format("#!/bin/sh\ncd {} || exit\nexec {} {} --threads {} --shard \"$SLURM_ARRAY_TASK_ID/{}\"\n",
                       base::command_line({folder}),
                       base::command_line({std::filesystem::read_symlink("/proc/self/exe").string()}),
                       base::command_line(job.command), job.threads, job.tasks);
}

std::string submit(const ArrayJob& job) {
    const std::string script = (std::filesystem::path(job.directory) / "array.sh").string();
    base::write_file(script, array_script(job, keep_inputs(job)));
    std::vector<std::string> words{"sbatch",
                                   "--parsable",
                                   "--job-name=schedproof",
                                   fmt::format("--array=1-{}", job.tasks),
                                   fmt::format("--cpus-per-task={}", job.threads),
                                   fmt::format("--output={}/task-%a.log", job.directory)};
    words.insert(words.end(), job.options.begin(), job.options.end());
    words.push_back(script);
    std::string id = output_of(std::move(words));
    // With --parsable: the number, and after a semicolon the cluster where there are several.
    id.erase(std::min(id.find_first_of(";\n"), id.size()));
    return id;
}

}  // namespace schedproof::cli
