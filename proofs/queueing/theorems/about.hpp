/// What the sentence of a theorem is about: an instance, a policy, and the interpretations of the slot.
#pragma once

#include <string>
#include <string_view>

#include "model/queueing/instance.hpp"

namespace schedproof::queueing {

/// A name in a sentence: in quotes, so that it reads as a name and as nothing else.
[[nodiscard]] std::string in_quotes(std::string_view name);

/// `the default interpretations of the slot`, or `routing sequential and otherwise the default interpretations of the
/// slot`: every option of the instance that is not the default.
[[nodiscard]] std::string interpretations_text(const Options& options);

/// `'m2-half' under balanced-pandas with the default interpretations of the slot`.
[[nodiscard]] std::string about(const Instance& instance, std::string_view policy);

}  // namespace schedproof::queueing
