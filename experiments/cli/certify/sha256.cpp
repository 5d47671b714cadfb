#include "experiments/cli/certify/sha256.hpp"

#include <fmt/core.h>
#include <openssl/evp.h>

#include <array>

#include "model/core/errors.hpp"

namespace schedproof::certify {

std::string sha256(std::string_view text) {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned size = 0;
    require(EVP_Digest(text.data(), text.size(), digest.data(), &size, EVP_sha256(), nullptr) == 1,
            "SHA-256 is a digest that every build of the library knows");
    std::string hex;
    for (unsigned i = 0; i < size; ++i) hex += fmt::format("{:02x}", digest[i]);
    return hex;
}

}  // namespace schedproof::certify
