/// The command as a function: a subcommand is found, its options are read, and errors become exit codes.
#include "experiments/command/core/program.hpp"

#include <cstdio>
#include <exception>
#include <new>

#include "experiments/command/core/parser.hpp"
#include "model/core/errors.hpp"

namespace schedproof::cli {

namespace {

enum class ExitCode { refused = 2, unknown = 3, conflict = 4 };

int complain(const std::exception& error, ExitCode code) {
    std::fprintf(stderr, "schedproof: %s\n", error.what());
    return static_cast<int>(code);
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
        std::fprintf(stderr, "schedproof: out of memory\n");
        return static_cast<int>(ExitCode::unknown);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "schedproof: internal error: %s\nPlease report it with the command line that led here.\n",
                     error.what());
        return static_cast<int>(ExitCode::conflict);
    }
}

int run_program(const std::function<std::vector<Subcommand>()>& commands, int argc, char** argv) {
    return exit_code_of([&] { return parse_and_run(commands(), argc, argv); });
}

}  // namespace schedproof::cli
