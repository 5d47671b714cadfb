/// Lines of a stream, in memory bounded by the longest line allowed.
#pragma once

#include <cstddef>
#include <istream>
#include <optional>
#include <string>
#include <string_view>

namespace schedproof::input {

class LineReader {
  public:
    static constexpr std::size_t max_line_bytes = std::size_t{1} << 20;

    /// Requires the stream to outlive the reader. `file` names it in errors.
    LineReader(std::istream& in, std::string file) : in_(in), file_(std::move(file)) {}

    /// The next line without its newline, valid until the next call; none at the end.
    /// Throws InputError for a line beyond the limit or a stream that fails.
    [[nodiscard]] std::optional<std::string_view> next();

    /// Whether the line that `next` gave last ended with a newline: false for the last line of a file that was cut.
    [[nodiscard]] bool ended() const { return ended_; }
    /// Number of the line that `next` gave last, from 1.
    [[nodiscard]] std::size_t line() const { return line_; }
    [[nodiscard]] const std::string& file() const { return file_; }

  private:
    bool refill();

    std::istream& in_;
    std::string file_;
    std::string buffer_;
    std::size_t at_ = 0;  // start of the next line in the buffer
    std::size_t line_ = 0;
    bool ended_ = true;
};

}  // namespace schedproof::input
