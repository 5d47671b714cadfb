/// The schedproof command: a subcommand is found, its options are read, and errors become exit codes.
#include <cstdio>
#include <exception>
#include <new>

#include "experiments/command/core/parser.hpp"
#include "model/core/errors.hpp"

namespace {

enum ExitCode { usage = 2, unknown = 3, conflict = 4 };

int complain(const std::exception& error, ExitCode code) {
    std::fprintf(stderr, "schedproof: %s\n", error.what());
    return code;
}

}  // namespace

int main(int argc, char** argv) {
    using namespace schedproof;
    try {
        return command::parse_and_run(command::subcommands(), argc, argv);
    } catch (const InputError& error) {
        return complain(error, usage);
    } catch (const LimitExceeded& error) {
        return complain(error, unknown);
    } catch (const OracleConflict& error) {
        return complain(error, conflict);
    } catch (const std::bad_alloc&) {
        std::fprintf(stderr, "schedproof: out of memory\n");
        return unknown;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "schedproof: internal error: %s\nPlease report it with the command line that led here.\n",
                     error.what());
        return conflict;
    }
}
