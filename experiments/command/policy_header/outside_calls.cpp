/// The names that a shared object imports are all that its code can call outside of itself, whatever its source says: a
/// macro, a pointer to a function or an inline function of the standard library ends in a name. Those of the C library
/// that answer differently in two runs are refused, and of the C++ library what is built on them.
#include "experiments/command/policy_header/outside_calls.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "experiments/command/policy_header/shared_object.hpp"
#include "model/base/process.hpp"
#include "model/base/split.hpp"
#include "model/core/errors.hpp"

namespace schedproof::cli::policy_header {

namespace {

constexpr base::ProcessLimits nm_limits{.time = std::chrono::seconds(60), .processor = std::chrono::seconds(30)};

constexpr auto refused_names = std::to_array<std::string_view>(
    {// clocks
     "time", "clock", "clock_gettime", "clock_getres", "gettimeofday", "timespec_get", "times", "ftime", "getrusage",
     "localtime", "gmtime", "nanosleep", "usleep", "sleep",
     // the environment and the machine
     "getenv", "secure_getenv", "environ", "__environ", "getpid", "getppid", "gettid", "getuid", "gethostname", "uname",
     "sysconf", "sysinfo", "sched_getcpu", "getcpu", "getcwd", "getauxval", "pthread_self", "get_nprocs",
     // random numbers
     "rand", "srand", "rand_r", "random", "srandom", "random_r", "drand48", "erand48", "lrand48", "nrand48", "mrand48",
     "jrand48", "arc4random", "arc4random_uniform", "getrandom", "getentropy",
     // files, processes, and whatever else the system does
     "open", "open64", "openat", "openat64", "fopen", "fopen64", "freopen", "freopen64", "opendir", "stat", "stat64",
     "fstat", "access", "readlink", "read", "pread", "mmap", "socket", "popen", "system", "fork", "vfork", "execve",
     "execv", "pthread_create", "dlopen", "dlsym", "syscall"});

/// Beginnings of the names of the C++ library's clocks, random numbers, files and threads.
constexpr auto refused_beginnings = std::to_array<std::string_view>(
    {"_ZNSt6chrono", "_ZNSt13random_device", "_ZNSt10filesystem", "_ZNSt13basic_filebuf", "_ZNSt14basic_ifstream",
     "_ZNSt13basic_fstream", "_ZNSt6thread"});

bool is_refused(std::string_view symbol) {
    return std::find(refused_names.begin(), refused_names.end(), symbol) != refused_names.end() ||
           std::any_of(refused_beginnings.begin(), refused_beginnings.end(),
                       [&](std::string_view beginning) { return symbol.starts_with(beginning); });
}

}  // namespace

std::optional<std::string> outside_call(const Compiler& compiler, const std::filesystem::path& object,
                                        const std::string& name) {
    const base::ProcessEnd asked = base::run_process(compiler.program, {"-print-prog-name=nm"}, nm_limits);
    const auto nm = base::find_program(std::string_view(asked.out).substr(0, asked.out.find('\n')));
    if (!nm)
        throw InputError::in_file(name,
                                  "expected the program nm of the compiler for a policy in C++ (Debian package "
                                  "binutils)");
    const base::ProcessEnd listed =
        base::run_process(*nm, {"--dynamic", "--undefined-only", "--format=just-symbols", object.string()}, nm_limits);
    if (!listed.good()) throw InputError::in_file(name, "nm cannot read the compiled policy: " + listed.err);
    for (const std::string_view line : base::split(listed.out, '\n'))
        if (const std::string_view symbol = line.substr(0, line.find('@')); is_refused(symbol))
            return plain_name(std::string(symbol));
    return {};
}

}  // namespace schedproof::cli::policy_header
