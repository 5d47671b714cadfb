/// Text files as they come: read whole and bounded, checked to be text, quoted in messages.
#pragma once

#include <cstddef>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace schedproof::base {

/// The bytes of a file, or of the standard input for `-`.
/// Throws InputError when the file is missing, a directory, unreadable, or longer than `limit` bytes.
[[nodiscard]] std::string read_text(const std::string& path, std::size_t limit);

/// The bytes of a file of any length. Throws InputError when it is missing, a directory or unreadable.
[[nodiscard]] std::string read_file(const std::string& path);

/// The path itself; of a file of the sources, `experiments/...` or `docs/...`, that is not there, as examples name
/// them, the same file of the installation or of the source tree to which the running program belongs, where it has
/// one.
[[nodiscard]] std::string shipped(const std::string& path);

/// Opens a file for reading, by its `shipped` path. Throws InputError when it is missing, a directory, or unreadable.
[[nodiscard]] std::ifstream open_text(const std::string& path);

/// How messages call the file: the path, `<stdin>` for `-`.
[[nodiscard]] std::string display_name(const std::string& path);

/// Throws InputError naming the line unless the text is not blank, valid UTF-8 and free of NUL bytes.
void require_text(std::string_view text, const std::string& file);

/// Position of the first byte that does not belong to valid UTF-8, or npos.
[[nodiscard]] std::size_t first_invalid_utf8(std::string_view text);

/// The text in quotes, cut after `limit` characters, unprintable bytes as `\xNN`: safe to show on a terminal.
[[nodiscard]] std::string shown(std::string_view text, std::size_t limit = 60);

/// The text as a JSON string, which is one of TOML too: quotes, backslashes and control characters escaped, bytes that
/// are no UTF-8 replaced by U+FFFD. Line breaks and the like are `\n` with short escapes, else `\u000a`, as in
/// instances and certificates, whose bytes have digests.
[[nodiscard]] std::string json_string(std::string_view text, bool short_escapes = false);

/// Whether the name is made of letters, digits, '-', '_', '.' and ':' alone, and of one at least: inside of a sentence
/// it reads as a name and as nothing else.
[[nodiscard]] bool is_plain_name(std::string_view name);
/// What `is_plain_name` asks for, for messages.
inline constexpr std::string_view name_form = "a name of letters, digits, '-', '_', '.' and ':'";
/// The name as sentences show it: a plain one as it is, any other one in quotes.
[[nodiscard]] std::string in_sentence(std::string_view name);

/// Arguments as one line of a shell.
[[nodiscard]] std::string command_line(const std::vector<std::string>& words);

}  // namespace schedproof::base
