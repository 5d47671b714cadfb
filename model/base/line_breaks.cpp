#include "model/base/line_breaks.hpp"

#include <algorithm>

namespace schedproof::base {

namespace {

constexpr std::size_t widest = 120;

/// Where the text of a line begins; the end of a line that stays whole.
std::size_t margin_of(std::string_view line) {
    constexpr std::string_view gap = "  ";
    const std::size_t begin = std::min(line.find_first_not_of(' '), line.size());
    const std::size_t label = std::min(line.find(gap, begin), line.size());
    const std::size_t text = std::min(line.find_first_not_of(' ', label), line.size());
    if (label == line.size()) return begin > 0 ? begin : line.size();
    const bool command = line.substr(text).starts_with("schedproof ");
    return line.find(gap, text) == std::string_view::npos && !command ? text : line.size();
}

}  // namespace

std::string with_line_breaks(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(line.size());
        const std::size_t margin = margin_of(line);
        std::string before(line.substr(0, margin));
        line.remove_prefix(margin);
        while (margin <= widest / 2 && margin + line.size() > widest) {
            std::size_t end = line.rfind(' ', widest - margin);
            if (end == std::string_view::npos) end = line.find(' ', widest - margin);
            if (end == std::string_view::npos) break;
            out.append(before).append(line.substr(0, end)).append("\n");
            before.assign(margin, ' ');
            line.remove_prefix(end + 1);
        }
        out.append(before).append(line);
        if (text.empty()) break;
        out += '\n';
        text.remove_prefix(1);
    }
    return out;
}

}  // namespace schedproof::base
