#include "experiments/input/text/line_reader.hpp"

#include <fmt/core.h>

#include "model/core/errors.hpp"

namespace schedproof::input {

/// Moves the unread rest to the front and reads more behind it; false at the end of the stream.
bool LineReader::refill() {
    constexpr std::size_t chunk = std::size_t{1} << 17;
    buffer_.erase(0, at_);
    at_ = 0;
    const std::size_t kept = buffer_.size();
    if (kept > max_line_bytes)
        throw InputError::at_line(file_, line_ + 1, fmt::format("expected lines of at most {} bytes", max_line_bytes));
    buffer_.resize(kept + chunk);
    in_.read(buffer_.data() + kept, static_cast<std::streamsize>(chunk));
    buffer_.resize(kept + static_cast<std::size_t>(in_.gcount()));
    if (in_.bad()) throw InputError::at_line(file_, line_ + 1, "expected a readable file");
    return buffer_.size() > kept;
}

std::optional<std::string_view> LineReader::next() {
    std::size_t searched = 0;
    for (;;) {
        const std::size_t end = buffer_.find('\n', at_ + searched);
        const bool found = end != std::string::npos;
        searched = buffer_.size() - at_;
        if (!found && refill()) continue;
        if (!found && at_ == buffer_.size()) return std::nullopt;
        const std::size_t length = (found ? end : buffer_.size()) - at_;
        if (length > max_line_bytes)
            throw InputError::at_line(file_, line_ + 1,
                                      fmt::format("expected lines of at most {} bytes", max_line_bytes));
        const std::string_view line = std::string_view(buffer_).substr(at_, length);
        at_ += found ? length + 1 : length;
        ++line_;
        ended_ = found;
        return line;
    }
}

}  // namespace schedproof::input
