/// SHA-256 (FIPS 180-4): the fingerprint by which a certificate names the instance that it speaks of.
#pragma once

#include <string>
#include <string_view>

namespace schedproof::certify {

/// 64 hexadecimal digits.
[[nodiscard]] std::string sha256(std::string_view bytes);

}  // namespace schedproof::certify
