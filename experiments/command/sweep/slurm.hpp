/// Submitting to Slurm, by its command sbatch.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace schedproof::cli {

struct ArrayJob {
    std::vector<std::string> command;  ///< arguments of this program; the task adds `--shard TASK/TASKS`
    std::uint64_t tasks = 1;           ///< numbered from 1
    std::uint64_t threads = 1;         ///< cores of a task
    std::string directory;             ///< existing; gets the script, the inputs and what tasks print
    std::vector<std::string> inputs;   ///< files that the command reads
    std::vector<std::string> options;  ///< further ones of sbatch
};

/// Keeps the inputs in the folder `inputs` of the directory, where they lie to each other as they do now; files of more
/// than 16 MiB are linked, those with absolute names are read where they are. The folder from which the command finds
/// them as from here.
[[nodiscard]] std::string keep_inputs(const ArrayJob& job);
/// That folder, whether it is there or not.
[[nodiscard]] std::filesystem::path kept_inputs(const std::string& directory);

/// The script of a task that runs the command in a folder: it finds its part by SLURM_ARRAY_TASK_ID and the number of
/// tasks written into it, so a single task can be submitted again (`sbatch --array=7 DIR/array.sh`).
[[nodiscard]] std::string array_script(const ArrayJob& job, const std::string& folder);

/// Keeps the inputs, writes the script and submits it; the job's id. Throws InputError when there is no sbatch, Error
/// with its exit code when it refuses (its complaint is on standard error).
[[nodiscard]] std::string submit(const ArrayJob& job);

}  // namespace schedproof::cli
