/// A directory of one's own for files that nobody else is to see.
#pragma once

#include <filesystem>

namespace schedproof::base {

/// Is there, empty, when made, and gone with all that is in it when the object ends.
class TemporaryDirectory {
  public:
    /// Throws InputError when the system's directory for temporary files cannot be written.
    TemporaryDirectory();
    ~TemporaryDirectory();
    TemporaryDirectory(const TemporaryDirectory&) = delete;
    TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  private:
    std::filesystem::path path_;
};

}  // namespace schedproof::base
