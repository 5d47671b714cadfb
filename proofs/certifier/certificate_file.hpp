/// Capacity certificates as JSON files: exact numbers as strings, servers and types by name.
#pragma once

#include <string>

#include "model/queueing/instance.hpp"
#include "proofs/queueing/capacity/certificate.hpp"

namespace schedproof::command {

/// Throws InputError when the file cannot be written.
void write_certificate(const std::string& path, const queueing::Instance& instance,
                       const capacity::CapacityCertificate& certificate);

/// Reads a certificate for the instance; whether it proves anything is for `capacity::fault` to say.
/// Throws InputError with file and key when it is no such file, or speaks of another instance, server or type.
[[nodiscard]] capacity::CapacityCertificate read_certificate(const std::string& path,
                                                             const queueing::Instance& instance);

/// The same from text; `file` names it in errors.
[[nodiscard]] capacity::CapacityCertificate parse_certificate(const std::string& text, const std::string& file,
                                                              const queueing::Instance& instance);

}  // namespace schedproof::command
