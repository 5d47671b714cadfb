#include "model/base/sha256.hpp"

#include <fmt/core.h>
#include <openssl/evp.h>

#include <array>

#include "model/core/errors.hpp"

namespace schedproof::base {

namespace {

void check(bool done) { require(done, "SHA-256 is a digest that every build of the library knows"); }

}  // namespace

Digest::Digest() : context_(EVP_MD_CTX_new(), &EVP_MD_CTX_free) {
    check(context_ != nullptr && EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr) == 1);
}

void Digest::add(std::string_view bytes) { check(EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size()) == 1); }

std::string Digest::hexadecimal() {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned size = 0;
    check(EVP_DigestFinal_ex(context_.get(), digest.data(), &size) == 1);
    std::string text;
    for (unsigned i = 0; i < size; ++i) text += fmt::format("{:02x}", digest[i]);
    return text;
}

std::string sha256(std::string_view bytes) {
    Digest digest;
    digest.add(bytes);
    return digest.hexadecimal();
}

}  // namespace schedproof::base
