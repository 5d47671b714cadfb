/// The nearest known word to a mistyped one, under the name that readers of files use.
#pragma once

#include "model/core/nearest.hpp"

namespace schedproof::input {

using schedproof::did_you_mean;
using schedproof::edit_distance;
using schedproof::nearest_match;
using schedproof::suggestion_reach;

}  // namespace schedproof::input
