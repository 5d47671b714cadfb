/// The command as a function: a subcommand is found, its options are read, and errors become exit codes.
#include "experiments/command/core/program.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <exception>
#include <memory>
#include <new>
#include <utility>

#include "experiments/command/core/parser.hpp"
#include "model/core/errors.hpp"

namespace schedproof::cli {

namespace {

enum class ExitCode { refused = 2, unknown = 3, conflict = 4 };

/// Where errors are told: standard error as it was when the program began.
std::FILE* errors = stderr;

int complain(const std::exception& error, ExitCode code) {
    std::fprintf(errors, "schedproof: %s\n", error.what());
    return static_cast<int>(code);
}

/// Lets go what is printed from now on, errors excepted.
void silence() {
    const int kept = ::dup(STDERR_FILENO), nothing = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (kept < 0 || nothing < 0) throw Error("cannot open /dev/null");
    errors = ::fdopen(kept, "w");
    std::setvbuf(errors, nullptr, _IONBF, 0);
    std::fflush(stdout);
    ::dup2(nothing, STDOUT_FILENO);
    ::dup2(nothing, STDERR_FILENO);
    ::close(nothing);
}

}  // namespace

int exit_code_of(const std::function<int()>& body) {
    try {
        return body();
    } catch (const InputError& error) {
        return complain(error, ExitCode::refused);
    } catch (const LimitExceeded& error) {
        return complain(error, ExitCode::unknown);
    } catch (const OracleConflict& error) {
        return complain(error, ExitCode::conflict);
    } catch (const std::bad_alloc&) {
        std::fprintf(errors, "schedproof: out of memory\n");
        return static_cast<int>(ExitCode::unknown);
    } catch (const std::exception& error) {
        std::fprintf(errors, "schedproof: internal error: %s\nPlease report it with the command line that led here.\n",
                     error.what());
        return static_cast<int>(ExitCode::conflict);
    }
}

void take_quiet(Subcommand& command) {
    for (Subcommand& part : command.parts) take_quiet(part);
    if (!command.parts.empty()) return;
    const auto quiet = std::make_shared<bool>(false);
    command.options.push_back({.names = "--quiet",
                               .target = quiet.get(),
                               .meaning = "print errors alone: the exit code and the files that are asked for tell "
                                          "the rest",
                               .presentation = true});
    command.run = [quiet, run = std::move(command.run)](const OptionTable& options) {
        if (*quiet) silence();
        return run(options);
    };
}

int run_program(const std::function<std::vector<Subcommand>()>& commands, int argc, char** argv) {
    return exit_code_of([&] { return parse_and_run(commands(), argc, argv); });
}

}  // namespace schedproof::cli
