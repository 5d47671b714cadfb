/// A file that is read once, with the fingerprint of the very bytes that were read.
///
/// A file that is read for its content and again for its fingerprint may have changed in between, and a pipe cannot be
/// read twice. So the bytes pass through a digest on their way.
#pragma once

#include <istream>
#include <memory>
#include <string>

namespace schedproof::input {

/// An input that results depend on.
struct InputFile {
    std::string path, sha256;
    friend bool operator==(const InputFile&, const InputFile&) = default;
};

class HashedInput {
  public:
    /// Opens the file, or takes the standard input for `-`. Throws as `open_text`.
    explicit HashedInput(const std::string& path);
    ~HashedInput();
    HashedInput(const HashedInput&) = delete;
    HashedInput& operator=(const HashedInput&) = delete;

    [[nodiscard]] std::istream& stream();
    /// As messages call it, with the fingerprint of all its bytes; reads what is left of them.
    /// Throws InputError when that fails.
    [[nodiscard]] InputFile file();

  private:
    class Buffer;
    std::string path_;
    std::unique_ptr<Buffer> buffer_;
    std::istream stream_;
};

}  // namespace schedproof::input
