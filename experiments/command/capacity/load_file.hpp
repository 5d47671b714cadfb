/// The file of `capacity --certificate`, which proofs/certifier/queueing/load_certificate.hpp reads.
#pragma once

#include <string>

#include "experiments/command/core/answer_fields.hpp"
#include "model/queueing/instance.hpp"
#include "proofs/queueing/capacity/certificate.hpp"

namespace schedproof::cli {

/// A certificate and the instance that has its names.
struct LoadFile {
    const queueing::Instance& instance;
    const capacity::CapacityCertificate& certificate;
};

[[nodiscard]] const Answer<LoadFile>& load_file();

}  // namespace schedproof::cli
