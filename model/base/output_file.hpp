/// Files that are either complete or not there.
///
/// What is written goes to a temporary name beside the target and takes its place in one rename, so a reader never sees
/// half a file, and an error leaves what was there before. Several files that belong together are written in full
/// before the first takes its place.
#pragma once

#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace schedproof::base {

class OutputFile {
  public:
    /// Throws InputError when the directory does not exist, the target is a directory, or it cannot be written.
    /// A target that exists and is not a regular file (a device, a pipe) is written directly.
    explicit OutputFile(const std::string& path);
    /// Removes what was written unless it was committed.
    ~OutputFile();
    OutputFile(OutputFile&& other) noexcept;
    OutputFile& operator=(OutputFile&&) = delete;
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;

    [[nodiscard]] std::ostream& stream() { return out_; }
    /// Keeps the file out of the logs: it is no answer of its own, but kept for a later run.
    void leave_out_of_logs() { logged_ = false; }
    /// Ends writing. Throws InputError when the system did not take everything.
    void close();
    /// Ends writing and waits until the bytes are on the disk, so that the file outlives a machine that stops.
    void sync();
    /// Puts the closed file in place. Throws InputError when the system refuses.
    void commit();
    /// Puts the closed file in place unless a file is there: of several writers to one name, one succeeds. Where the
    /// file system has no links, two writers may still meet. Requires a target that is not written directly.
    [[nodiscard]] bool commit_new();

  private:
    std::string path_;
    std::filesystem::path target_;
    std::filesystem::path temporary_;  // empty: written directly, or committed
    bool logged_ = true;
    std::ofstream out_;
};

/// The files that this process puts in place while the log lives; logs may be nested, and each has them all. What a
/// process writes is known here alone, so an answer that names its files asks here. Threads may write at once.
class FileLog {
  public:
    /// Files in the folder `inside` are named by what follows it; without one, all as they were given.
    explicit FileLog(std::string inside = {});
    ~FileLog();
    FileLog(const FileLog&) = delete;
    FileLog& operator=(const FileLog&) = delete;

    /// Of the log made last: its names of the files, ascending, each once. Empty without a log.
    [[nodiscard]] static std::vector<std::string> paths();
    /// What the log made last calls a file.
    [[nodiscard]] static std::string name(const std::string& path);

  private:
    friend class OutputFile;
    static void add(const std::string& path);
    [[nodiscard]] std::string named(const std::string& path) const;

    std::string inside_;
    FileLog* outer_;
    std::set<std::string> paths_;
};

/// One file from bytes. Throws as OutputFile.
void write_file(const std::string& path, std::string_view bytes);

/// A directory for several files, with those above it. Throws InputError when it cannot be made.
void make_directory(const std::string& path);

/// Whether a name is that of a temporary file whose writer, a process of this machine, has ended.
[[nodiscard]] bool is_abandoned(const std::string& name);

}  // namespace schedproof::base
