/// SHA-256 (FIPS 180-4): the fingerprint of an input, by which a certificate or a result names what it speaks of.
#pragma once

#include <memory>
#include <string>
#include <string_view>

struct evp_md_ctx_st;

namespace schedproof::base {

/// 64 hexadecimal digits.
[[nodiscard]] std::string sha256(std::string_view bytes);

/// Of bytes that come one portion after another.
class Digest {
  public:
    Digest();
    void add(std::string_view bytes);
    /// 64 hexadecimal digits; nothing may be added after.
    [[nodiscard]] std::string hexadecimal();

  private:
    std::unique_ptr<evp_md_ctx_st, void (*)(evp_md_ctx_st*)> context_;
};

}  // namespace schedproof::base
