/// SHA-256 (FIPS 180-4): the fingerprint of an input, by which a certificate or a result names what it speaks of.
#pragma once

#include <string>
#include <string_view>

namespace schedproof::input {

/// 64 hexadecimal digits.
[[nodiscard]] std::string sha256(std::string_view bytes);

/// Of a file's bytes, in memory that does not grow with them.
/// Throws InputError when the file is missing, a directory, or unreadable.
[[nodiscard]] std::string sha256_of_file(const std::string& path);

}  // namespace schedproof::input
