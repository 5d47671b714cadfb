/// Instance files of the assignment family, as commands write them.
#pragma once

#include "experiments/command/core/requests.hpp"
#include "model/assignment/instance.hpp"

namespace schedproof::cli {

/// Writes the instance: as JSON with `--format json` or to a file whose name ends in .json, else as TOML.
/// Throws InputError when the file cannot be written, or would be larger than the readers accept.
void write_assignment(const Destination& to, const assignment::Instance& instance);

}  // namespace schedproof::cli
