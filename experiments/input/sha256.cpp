#include "experiments/input/sha256.hpp"

#include <fmt/core.h>
#include <openssl/evp.h>

#include <array>
#include <fstream>
#include <memory>

#include "experiments/input/text.hpp"
#include "model/core/errors.hpp"

namespace schedproof::input {

namespace {

class Digest {
  public:
    Digest() : context_(EVP_MD_CTX_new(), &EVP_MD_CTX_free) {
        check(context_ != nullptr && EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr) == 1);
    }
    void add(std::string_view bytes) { check(EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size()) == 1); }
    [[nodiscard]] std::string hexadecimal() {
        std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
        unsigned size = 0;
        check(EVP_DigestFinal_ex(context_.get(), digest.data(), &size) == 1);
        std::string text;
        for (unsigned i = 0; i < size; ++i) text += fmt::format("{:02x}", digest[i]);
        return text;
    }

  private:
    static void check(bool done) { require(done, "SHA-256 is a digest that every build of the library knows"); }
    std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context_;
};

}  // namespace

std::string sha256(std::string_view bytes) {
    Digest digest;
    digest.add(bytes);
    return digest.hexadecimal();
}

std::string sha256_of_file(const std::string& path) {
    std::ifstream in = open_text(path);
    Digest digest;
    std::array<char, 1 << 16> block;
    while (in.read(block.data(), block.size()) || in.gcount() > 0)
        digest.add({block.data(), static_cast<std::size_t>(in.gcount())});
    if (in.bad()) throw InputError({display_name(path), 0, ""}, "expected a readable file");
    return digest.hexadecimal();
}

}  // namespace schedproof::input
