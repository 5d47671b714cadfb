/// Running gnuplot: a script in, a picture out, and every failure as an error that says what to do.
///
/// gnuplot runs as a child process without a shell, in a directory of its own for script and picture, with numbers
/// written as in C whatever the user's locale. Its messages are collected and become part of the error when it fails; a
/// missing program is an input error that names the package. The directory is removed in every case.
#include "experiments/figures/gnuplot.hpp"

#include <fstream>
#include <utility>

#include "model/base/process.hpp"
#include "model/base/temporary_directory.hpp"
#include "model/core/errors.hpp"

namespace schedproof::figures {

std::string run_gnuplot(const std::string& script) {
    const auto program = base::find_program("gnuplot");
    if (!program)
        throw InputError::in_file(
            "gnuplot", "expected this program, which draws curves, to be installed (Debian package gnuplot-nox)");
    const base::TemporaryDirectory directory;
    const std::string path = (directory.path() / "script").string();
    std::ofstream out(path, std::ios::binary);
    out << script;
    out.close();
    if (!out) throw InputError::in_file(path, "expected room for what gnuplot is to draw");
    base::ProcessEnd end = base::run_process(*program, {"-d", path});
    if (!end.good() || end.out.empty()) throw Error("gnuplot drew nothing: " + end.err.substr(0, 500));
    return std::move(end.out);
}

void require_gnuplot() { static_cast<void>(run_gnuplot("set print '-'\nprint 1\n")); }

}  // namespace schedproof::figures
