/// Files that are either complete or not there.
///
/// What is written goes to a temporary name beside the target and takes its place in one rename, so a reader never sees
/// half a file, and an error leaves what was there before. Several files that belong together are written in full
/// before the first takes its place.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace schedproof::graph {

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
    /// Ends writing. Throws InputError when not everything reached the disk.
    void close();
    /// Puts the closed file in place. Throws InputError when the system refuses.
    void commit();

  private:
    std::string path_;
    std::filesystem::path target_;
    std::filesystem::path temporary_;  // empty: written directly, or committed
    std::ofstream out_;
};

/// One file from bytes. Throws as OutputFile.
void write_file(const std::string& path, std::string_view bytes);

/// A whole file. Throws InputError when it is missing, a directory or unreadable.
[[nodiscard]] std::string read_file(const std::string& path);

}  // namespace schedproof::graph
