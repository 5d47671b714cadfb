/// Certificates as files, with the files beside them that they need.
#pragma once

#include <string>

#include "proofs/certifier/any_certificate.hpp"

namespace schedproof::cli {

/// Writes the certificate's file, `-` for standard output, and beside it the files that it needs, those first.
/// Throws as certify::write_certificate does, and InputError when a file cannot be written, or one is needed beside
/// standard output.
void write_certificate_file(const std::string& path, const AnyCertificate& certificate);

}  // namespace schedproof::cli
