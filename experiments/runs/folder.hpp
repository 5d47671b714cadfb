/// The directory of a study: its files are complete or absent, whatever kills the writer.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace schedproof::runs {

class Folder {
  public:
    /// Makes the directory when it is not there, and removes what processes of this machine that are gone have left
    /// half written. Throws InputError when it cannot be made or listed, or is no directory.
    [[nodiscard]] static Folder open(const std::filesystem::path& path);
    /// Throws InputError when it is no directory.
    [[nodiscard]] static Folder existing(const std::filesystem::path& path);

    [[nodiscard]] std::string path(const std::string& name) const { return (path_ / name).string(); }
    /// The bytes of a file; none when there is no such file. Throws InputError when it cannot be read.
    [[nodiscard]] std::optional<std::string> read(const std::string& name) const;
    /// Writes to a temporary name beside it, waits for the disk, renames. Throws InputError when the system refuses,
    /// for example when the disk is full; then nothing is left behind.
    void write(const std::string& name, std::string_view bytes) const;
    /// The same, unless there is a file of this name, also of another writer at the same time: then nothing is written,
    /// and the answer is false.
    [[nodiscard]] bool create(const std::string& name, std::string_view bytes) const;
    /// Names of complete files with this ending, sorted.
    [[nodiscard]] std::vector<std::string> names(std::string_view ending) const;

  private:
    explicit Folder(std::filesystem::path path) : path_(std::move(path)) {}
    std::filesystem::path path_;
};

}  // namespace schedproof::runs
