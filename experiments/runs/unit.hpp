/// A unit: one replication of one policy of one point of a study, as a file.
///
/// The file holds everything that the run recorded, exactly (a number read back is the number that was written, to the
/// bit), with what made it: the command line that makes it again, version, seed, fingerprints of the inputs. The same
/// unit is the same bytes wherever and whenever it runs, so two copies can be compared, and a resumed study equals one
/// that was never interrupted. A fingerprint detects a damaged file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "experiments/input/text/hashed_input.hpp"
#include "experiments/simulators/core/observation.hpp"
#include "model/base/record.hpp"

namespace schedproof::runs {

using input::InputFile;

struct Unit {
    std::string version;               ///< of the program
    std::vector<std::string> command;  ///< arguments of `schedproof` that make this unit alone
    statistics::Replication replication;
    std::vector<InputFile> inputs;
    std::string time_unit;
    std::vector<simulation::Quantity> quantities;
    simulation::Observation observation;
};

/// An input with its fingerprint, as units and studies hold it.
[[nodiscard]] const base::Record<InputFile>& input_record();

/// What its file holds.
[[nodiscard]] base::Form unit_form();
/// The bytes of its file. Throws Error when the observation holds a number that is not finite.
[[nodiscard]] std::string to_text(const Unit& unit);

/// Throws InputError with the file's name when these are not the bytes of a unit.
[[nodiscard]] Unit parse_unit(std::string_view text, const std::string& file);

}  // namespace schedproof::runs
