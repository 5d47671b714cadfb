/// Checking certificate files without a solver: what `schedproof certify` and `schedproof-certify` both call.
///
/// A theorem's certificate is accepted when
///   logic       its trees cover their spaces and every refutation multiplies out,
///   binding     the policy's code, run again, asks the trees' questions in their order and leaves the obligations,
///   arithmetic  of the theorem is right,
///   writing     sentence, digest and refutations are the ones that its data determine.
/// A certificate of a load (`capacity --certificate`) is accepted when its decomposition and prices multiply out on the
/// instance, which that file names and does not hold.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "proofs/certifier/certificate_codec.hpp"

namespace schedproof::certify {

/// What a certificate consists of.
struct Contents {
    std::uint64_t questions = 0;
    std::uint64_t leaves = 0;
    std::uint64_t closed = 0;       ///< sides shown to be empty
    std::uint64_t multipliers = 0;  ///< of closed sides, obligations and identities; or dual variables
};

struct Finding {
    std::string file;
    std::string kind;      ///< of theorem, or `capacity`
    std::string instance;  ///< its name
    std::string policy;    ///< empty for `capacity`
    std::string sentence;  ///< the theorem in words
    std::string fault;     ///< empty: accepted
    Contents contents;
    double seconds = 0;
    [[nodiscard]] bool accepted() const { return fault.empty(); }
};

/// Empty when the certificate is right in all four respects, otherwise the first fault.
/// Throws LimitExceeded when the instance is too large for the code to be run on it.
[[nodiscard]] std::string fault(const CertificateFile& file);

/// Checks the certificate file that a text holds. `instance` is for certificates that name theirs only; null when none
/// was given.
/// Throws InputError when the text is no certificate, or needs an instance.
[[nodiscard]] Finding check_text(std::string_view text, const std::string& file, const queueing::Instance* instance);

/// The same for a file, `-` for standard input.
[[nodiscard]] Finding check_file(const std::string& path, const queueing::Instance* instance);

/// For people, and one object for programs.
[[nodiscard]] std::string to_text(const Finding& finding);
[[nodiscard]] std::string to_json(const Finding& finding);

}  // namespace schedproof::certify
