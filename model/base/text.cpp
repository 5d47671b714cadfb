/// Files as text: size, encoding and what a terminal may show are checked here, once.
///
/// UTF-8 is checked by the table of well-formed sequences of the Unicode standard: no overlong forms, no surrogates,
/// nothing beyond U+10FFFF.
#include "model/base/text.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <iostream>
#include <limits>

#include "model/core/errors.hpp"

namespace schedproof::base {

namespace {

std::string read_stream(std::istream& in, const std::string& file, std::size_t limit) {
    constexpr std::size_t chunk = std::size_t{1} << 16;
    std::string text;
    while (in) {
        const std::size_t start = text.size();
        text.resize(start + chunk);
        in.read(text.data() + start, static_cast<std::streamsize>(chunk));
        text.resize(start + static_cast<std::size_t>(in.gcount()));
        if (text.size() > limit)
            throw InputError::in_file(file, fmt::format("expected a file of at most {} MiB", limit >> 20));
    }
    if (in.bad()) throw InputError::in_file(file, "expected a readable file");
    return text;
}

/// Length of the UTF-8 sequence at the front of `text`, 0 when there is none.
std::size_t sequence_length(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
    const std::uint8_t lead = byte(0);
    if (lead < 0x80) return 1;
    const std::size_t length = lead >= 0xC2 && lead <= 0xDF   ? 2
                               : lead >= 0xE0 && lead <= 0xEF ? 3
                               : lead >= 0xF0 && lead <= 0xF4 ? 4
                                                              : 0;
    if (length == 0 || text.size() < length) return 0;
    for (std::size_t i = 1; i < length; ++i)
        if ((byte(i) & 0xC0) != 0x80) return 0;
    const bool overlong = (lead == 0xE0 && byte(1) < 0xA0) || (lead == 0xF0 && byte(1) < 0x90);
    const bool surrogate = lead == 0xED && byte(1) > 0x9F;
    const bool beyond = lead == 0xF4 && byte(1) > 0x8F;
    return overlong || surrogate || beyond ? 0 : length;
}

std::size_t line_of(std::string_view text, std::size_t position) {
    const auto end = text.begin() + static_cast<std::ptrdiff_t>(position);
    return static_cast<std::size_t>(std::count(text.begin(), end, '\n')) + 1;
}

}  // namespace

std::string display_name(const std::string& path) { return path == "-" ? "<stdin>" : path; }

std::string read_text(const std::string& path, std::size_t limit) {
    if (path == "-") return read_stream(std::cin, display_name(path), limit);
    std::ifstream in = open_text(path);
    return read_stream(in, path, limit);
}

std::string read_file(const std::string& path) {
    std::ifstream in = open_text(path);
    return read_stream(in, path, std::numeric_limits<std::size_t>::max());
}

std::string shipped(const std::string& path) {
    namespace fs = std::filesystem;
    constexpr std::string_view examples = "experiments/", documents = "docs/";
    std::error_code error;
    if (!(path.starts_with(examples) || path.starts_with(documents)) || fs::exists(path, error)) return path;
    const fs::path bin = fs::read_symlink("/proc/self/exe", error).parent_path();
    const fs::path installed = path.starts_with(examples) ? bin / "../share/schedproof" / path.substr(examples.size())
                                                          : bin / "../share/doc/schedproof" / path;
    for (const fs::path& file : {installed, bin / "../../.." / path})
        if (fs::exists(file, error)) return file.lexically_normal().string();
    return path;
}

std::ifstream open_text(const std::string& named) {
    const std::string path = shipped(named);
    // Whoever deleted a file of that name must not take the other one's verdict for its own.
    if (path != named) fmt::print(stderr, "schedproof: {} is not here; taking {}\n", named, path);
    std::error_code error;
    const auto kind = std::filesystem::status(path, error).type();
    if (kind == std::filesystem::file_type::not_found) throw InputError::in_file(path, "expected an existing file");
    if (kind == std::filesystem::file_type::directory)
        throw InputError::in_file(path, "expected a file, not a directory");
    std::ifstream in(path, std::ios::binary);
    if (!in) throw InputError::in_file(path, "expected a readable file");
    return in;
}

std::size_t first_invalid_utf8(std::string_view text) {
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t length = sequence_length(text.substr(i));
        if (length == 0) return i;
        i += length;
    }
    return std::string_view::npos;
}

void require_text(std::string_view text, const std::string& file) {
    if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
        throw InputError::in_file(file, "expected text, but the file is empty");
    if (const std::size_t nul = text.find('\0'); nul != std::string_view::npos)
        throw InputError::at_line(file, line_of(text, nul),
                                  "expected text, but the file holds a NUL byte: it is binary");
    if (const std::size_t bad = first_invalid_utf8(text); bad != std::string_view::npos)
        throw InputError::at_line(file, line_of(text, bad), "expected UTF-8 text, but a byte sequence is not UTF-8");
}

std::string shown(std::string_view text, std::size_t limit) {
    std::string result = "'";
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t length = sequence_length(text.substr(i));
        if (result.size() + length > limit) return result + "...'";
        const bool printable = length > 1 || (length == 1 && text[i] >= 0x20 && text[i] != 0x7f);
        if (printable)
            result += text.substr(i, length);
        else
            result += fmt::format("\\x{:02x}", static_cast<std::uint8_t>(text[i]));
        i += printable ? length : 1;
    }
    return result + "'";
}

std::string json_string(std::string_view text, bool short_escapes) {
    constexpr std::string_view controls = "\b\t\n\f\r", letters = "btnfr";
    std::string result = "\"";
    const auto add = [&](std::string_view valid) {
        for (const char c : valid) {
            const auto byte = static_cast<std::uint8_t>(c);
            const std::size_t letter = short_escapes ? controls.find(c) : std::string_view::npos;
            if (c == '"' || c == '\\' || letter != std::string_view::npos) result += '\\';
            if (letter != std::string_view::npos)
                result += letters[letter];
            else if (byte < 0x20 || byte == 0x7f)
                result += fmt::format("\\u{:04x}", byte);
            else
                result += c;
        }
    };
    for (std::size_t bad = first_invalid_utf8(text); bad != std::string_view::npos; bad = first_invalid_utf8(text)) {
        add(text.substr(0, bad));
        result += "\xef\xbf\xbd";
        text.remove_prefix(bad + 1);
    }
    add(text);
    return result + '"';
}

bool is_plain_name(std::string_view name) {
    return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' ||
               c == '.' || c == ':';
    });
}

std::string in_sentence(std::string_view name) { return is_plain_name(name) ? std::string(name) : shown(name); }

std::string command_line(const std::vector<std::string>& words) {
    constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=+./:,@%^";
    std::string line;
    for (const std::string& word : words) {
        if (!line.empty()) line += ' ';
        if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) {
            line += word;
            continue;
        }
        line += '\'';
        for (const char c : word) line += c == '\'' ? std::string("'\\''") : std::string(1, c);
        line += '\'';
    }
    return line;
}

}  // namespace schedproof::base
