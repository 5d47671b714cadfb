/// Certificates of a load, `capacity --certificate`, as JSON files: exact numbers as strings, servers and types by
/// name.
///
/// Such a file names its instance by its digest and does not hold it.
#pragma once

#include <string>

#include "model/base/document.hpp"
#include "model/queueing/instance.hpp"
#include "proofs/queueing/capacity/certificate.hpp"

namespace schedproof::certify {

/// Reads a certificate for the instance; whether it proves anything is for capacity::rejection to say.
/// Throws InputError with file and key when it is no such file, or is of another instance, or names an unknown
/// server or type.
[[nodiscard]] capacity::CapacityCertificate read_load(const std::string& path, const queueing::Instance& instance);

/// The same from a document (certificate_codec.hpp); `file` names it in errors.
[[nodiscard]] capacity::CapacityCertificate read_load(const base::Node& root, const std::string& file,
                                                      const queueing::Instance& instance);

}  // namespace schedproof::certify
