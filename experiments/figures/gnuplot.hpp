/// The gnuplot program as a function.
#pragma once

#include <string>

namespace schedproof::figures {

/// What gnuplot writes to its standard output for a script, whatever the user's own settings of it.
/// Throws InputError when there is no gnuplot, Error with its complaint when it fails.
[[nodiscard]] std::string run_gnuplot(const std::string& script);

/// Throws InputError when there is no gnuplot, so that nobody hears of it after hours of computing.
void require_gnuplot();

}  // namespace schedproof::figures
