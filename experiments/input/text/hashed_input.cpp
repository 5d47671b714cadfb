#include "experiments/input/text/hashed_input.hpp"

#include <array>
#include <fstream>
#include <iostream>
#include <limits>
#include <streambuf>

#include "model/base/sha256.hpp"
#include "model/base/text.hpp"
#include "model/core/errors.hpp"

namespace schedproof::input {

/// Block by block from another buffer.
class HashedInput::Buffer final : public std::streambuf {
  public:
    explicit Buffer(const std::string& path) {
        if (path != "-") file_ = base::open_text(path);
        source_ = path == "-" ? std::cin.rdbuf() : file_.rdbuf();
    }
    [[nodiscard]] base::Digest& digest() { return digest_; }

  protected:
    int_type underflow() override {
        const std::streamsize n = source_->sgetn(block_.data(), static_cast<std::streamsize>(block_.size()));
        if (n <= 0) return traits_type::eof();
        digest_.add({block_.data(), static_cast<std::size_t>(n)});
        setg(block_.data(), block_.data(), block_.data() + n);
        return traits_type::to_int_type(block_[0]);
    }

  private:
    std::ifstream file_;
    std::streambuf* source_ = nullptr;
    base::Digest digest_;
    std::array<char, 1 << 16> block_{};
};

HashedInput::HashedInput(const std::string& path)
    : path_(path), buffer_(std::make_unique<Buffer>(path)), stream_(buffer_.get()) {}

HashedInput::~HashedInput() = default;

std::istream& HashedInput::stream() { return stream_; }

InputFile HashedInput::file() {
    stream_.clear();
    stream_.ignore(std::numeric_limits<std::streamsize>::max());
    if (stream_.bad()) throw InputError::in_file(base::display_name(path_), "expected a readable file");
    return {base::display_name(path_), buffer_->digest().hexadecimal()};
}

}  // namespace schedproof::input
