/// Certificates of theorems as JSON files; certificate_form() is what they hold.
///
/// The file holds the whole instance (none for a theorem about every instance, or every load of a shape), the policy's
/// id and definition (not for a theorem about every policy), the theorem's data, its sentence, and one explored proof
/// per question. Three members repeat what the others say, and are checked: `definition`, which must be that of the
/// policy that is registered under the id; `sentence`, which is made again from the data, and `instance-digest`, the
/// SHA-256 of the instance as `show --as json` writes it, because an instance holds things that bear on no theorem (its
/// source, names, options that a policy does not read) and that nothing else would guard. Dual variables have no
/// explored proof; their digest is that of instance and statement as they are written. This codec is the frame that all
/// kinds share; the data of each kind are for its family (certificate_kinds.hpp).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "model/base/document.hpp"
#include "model/base/form.hpp"
#include "model/queueing/instance.hpp"
#include "proofs/certifier/any_certificate.hpp"

namespace schedproof::certify {

inline constexpr std::uint32_t certificate_format = 1;
inline constexpr std::size_t max_certificate_bytes = std::size_t{256} << 20;
inline constexpr std::size_t max_certificate_values = 16'000'000;

/// The file's text. Brings the proofs into canonical form.
/// Requires a certificate that is accepted. Throws InputError when a name could not stand in its sentence,
/// LimitExceeded when no reader would take the result.
[[nodiscard]] std::string write_certificate(const AnyCertificate& certificate);

/// A certificate with what its file claims about itself.
struct CertificateFile {
    AnyCertificate certificate;
    std::string sentence;
    std::string digest;      ///< of the instance; empty for a theorem that names none
    std::string definition;  ///< of the policy; empty for a theorem about every policy
};

/// SHA-256 of the instance as `show --as json` writes it.
[[nodiscard]] std::string digest_of(const queueing::Instance& instance);

/// The document behind a certificate file of any schema. Throws InputError when it is no JSON object, or too large.
[[nodiscard]] base::Node read_document(std::string_view text, const std::string& file);

/// What a certificate's file holds: the schema `certificate`.
[[nodiscard]] base::Form certificate_form();

/// Reads a certificate; whether it proves anything is for `rejection` (certify.hpp) to say.
/// Throws InputError with file, line and path unless the document has exactly the form that `write_certificate` gives.
[[nodiscard]] CertificateFile read_certificate(const base::Node& root, const std::string& file);

}  // namespace schedproof::certify
