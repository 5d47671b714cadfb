/// Checking certificate files without a solver: what `schedproof certify` and `schedproof-certify` both call.
///
/// A theorem's certificate is accepted when
///   definition  the policy that is registered under its id is the one that it defines, by rules or parameters,
///   arithmetic  what the theorem claims beyond its questions (loads, constants, identities) is right,
///   logic       its trees cover their spaces and every refutation multiplies out,
///   binding     the policy's code, run again, asks the trees' questions in their order and leaves the obligations,
///   spelling    sentence, digest and refutations are the ones that its data determine.
/// A certificate of a load (`capacity --certificate`) is accepted when its decomposition and prices multiply out on the
/// instance, which that file names and does not hold. A certificate that holds an instance is compared with the one
/// that is given, if any: only an equal one is accepted.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "model/base/record.hpp"
#include "proofs/certifier/certificate_codec.hpp"

namespace schedproof::certify {

struct Finding {
    std::string file;
    std::string kind;       ///< of theorem, or `capacity`
    std::string instance;   ///< its name
    std::string digest;     ///< SHA-256 of the instance that the certificate holds, or was given; empty without one
    std::string policy;     ///< empty for `capacity`
    std::string family;     ///< of the policy
    std::string sentence;   ///< the theorem in words
    std::string rejection;  ///< the first reason for it; empty: accepted
    Contents contents;
    std::string checked;  ///< what the contents are, in words
    double seconds = 0;
    std::optional<AnyCertificate> certificate = std::nullopt;  ///< what was read; none of a load
    [[nodiscard]] bool accepted() const { return rejection.empty(); }
};

/// Empty when the certificate is right in all five respects, otherwise the first reason to reject it.
/// Throws LimitExceeded when the instance is too large for the code to be run on it.
[[nodiscard]] std::string rejection(const CertificateFile& file);

/// An instance file of any family, which the certificate's family is to decode.
struct InstanceFile {
    std::string file;  ///< its name, for messages
    base::Node root;
};
/// `-` for standard input. Throws InputError when the file is no document.
[[nodiscard]] InstanceFile read_instance_file(const std::string& path);

/// Checks the certificate file that a text holds. `instance` is what the certificate should be about; null when none
/// was given. Throws InputError when the text is no certificate, needs an instance, or holds none to compare with the
/// one given.
[[nodiscard]] Finding check_text(std::string_view text, const std::string& file, const InstanceFile* instance);

/// The same for a file, `-` for standard input.
[[nodiscard]] Finding check_file(const std::string& path, const InstanceFile* instance);

/// For people, and one object for programs.
[[nodiscard]] std::string to_text(const Finding& finding);
[[nodiscard]] const base::Record<Finding>& finding_record();

}  // namespace schedproof::certify
