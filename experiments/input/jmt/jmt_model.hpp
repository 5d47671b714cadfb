/// Models of JMT's simulator JSIM, as .jsimg files have them: an instance in continuous time, and the rule by which its
/// dispatcher sends tasks.
#pragma once

#include <string>
#include <string_view>

#include "experiments/input/routers/imported_rule.hpp"
#include "model/queueing/instance.hpp"

namespace schedproof::input {

/// A class of tasks is a type, a station a server, and the numbers are those of the file, exactly.
struct JmtModel : ImportedRule {
    queueing::InstanceData data;
};

/// Open classes with exponential times between arrivals, which one decision sends to one of the stations: each has one
/// server, that serves in exponential times by class, first come, first served, and from there tasks leave.
/// Throws InputError with file, line and key where the model is another system, or the rule cannot be said in the
/// policy language.
[[nodiscard]] JmtModel read_jmt(std::string_view text, const std::string& file);

}  // namespace schedproof::input
