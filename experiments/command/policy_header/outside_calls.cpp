/// The names that a shared object imports are all that its code can call outside of itself, whatever its source says: a
/// macro, a pointer to a function or an inline function of the standard library ends in a name. Those of the C library
/// that answer differently in two runs are refused, and of the C++ library what is built on them. What code keeps from
/// one call to the next is a variable in a section that can be written, or behind one.
#include "experiments/command/policy_header/outside_calls.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "experiments/command/policy_header/shared_object.hpp"
#include "model/base/process.hpp"
#include "model/base/split.hpp"
#include "model/core/errors.hpp"

namespace schedproof::cli::policy_header {

namespace {

constexpr base::ProcessLimits tool_limits{.time = std::chrono::seconds(60), .processor = std::chrono::seconds(30)};

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

/// Sections of variables that can be written while the program runs; those of `.data.rel.ro` cannot.
constexpr auto sections = std::to_array<std::string_view>({".bss", ".data", ".tbss", ".tdata"});

bool is_refused(std::string_view symbol) {
    return std::find(refused_names.begin(), refused_names.end(), symbol) != refused_names.end() ||
           std::any_of(refused_beginnings.begin(), refused_beginnings.end(),
                       [&](std::string_view beginning) { return symbol.starts_with(beginning); });
}

/// What every shared object has in memory that can be written, and what the standard library keeps there.
bool is_usual(std::string_view symbol) {
    constexpr auto names =
        std::to_array<std::string_view>({"__dso_handle", "__TMC_END__", "_edata", "_end", "__bss_start", "__data_start",
                                         "data_start", "_ZStL8__ioinit"});
    return std::find(names.begin(), names.end(), symbol) != names.end() || symbol.starts_with("completed.") ||
           symbol.starts_with("DW.ref.");
}

/// What no policy can change, though a compiler puts it beside variables: the members by which a struct introduces
/// itself.
bool is_constant(std::string_view variable) {
    constexpr auto members =
        std::to_array<std::string_view>({"info", "hopes", "parameters", "stable_on", "expects", "lyapunov"});
    const std::string_view member = variable.substr(variable.rfind(':') + 1);
    return std::find(members.begin(), members.end(), member) != members.end();
}

/// What a program of the compiler's says of the object.
std::string told(const Compiler& compiler, const std::string& program, std::vector<std::string> arguments,
                 const std::filesystem::path& object, const std::string& name) {
    const base::ProcessEnd asked = base::run_process(compiler.program, {"-print-prog-name=" + program}, tool_limits);
    const auto found = base::find_program(std::string_view(asked.out).substr(0, asked.out.find('\n')));
    if (!found)
        throw InputError::in_file(name,
                                  fmt::format("expected the program {} of the compiler for a policy in C++ (Debian "
                                              "package binutils)",
                                              program));
    arguments.push_back(object.string());
    const base::ProcessEnd end = base::run_process(*found, std::move(arguments), tool_limits);
    if (!end.good())
        throw InputError::in_file(name, fmt::format("{} cannot read the compiled policy: {}", program, end.err));
    return end.out;
}

}  // namespace

std::optional<std::string> outside_call(const Compiler& compiler, const std::filesystem::path& object,
                                        const std::string& name) {
    const std::string listed =
        told(compiler, "nm", {"--dynamic", "--undefined-only", "--format=just-symbols"}, object, name);
    for (const std::string_view line : base::split(listed, '\n'))
        if (const std::string_view symbol = line.substr(0, line.find('@')); is_refused(symbol))
            return demangled(std::string(symbol));
    return {};
}

std::optional<std::string> kept_variable(const Compiler& compiler, const std::filesystem::path& object,
                                         const std::string& name) {
    // A line of a variable: address, flags, section, size, perhaps its visibility, name. A section has a line too.
    const std::string listed = told(compiler, "objdump", {"--syms"}, object, name);
    if (listed.find("schedproof_hand_over") == std::string::npos)
        throw InputError::in_file(name, "expected a policy that is compiled with its names, without -s");
    for (const std::string_view line : base::split(listed, '\n')) {
        const std::vector<std::string_view> words = base::split_words(line);
        const auto of_section =
            std::find_if(words.begin(), words.end(), [](std::string_view w) { return w.starts_with('.'); });
        if (words.end() - of_section < 3 || words.back().starts_with('.')) continue;
        const std::string_view section = *of_section;
        const bool written = std::any_of(sections.begin(), sections.end(),
                                         [&](std::string_view known) {
                                             return section == known || section.starts_with(std::string(known) + ".");
                                         }) &&
                             !section.starts_with(".data.rel.ro");
        std::string_view symbol = words.back();
        // The variable that says whether another has got its value yet.
        constexpr std::string_view guard = "_ZGV";
        if (!written || is_usual(symbol)) continue;
        const std::string variable = demangled(
            symbol.starts_with(guard) ? "_Z" + std::string(symbol.substr(guard.size())) : std::string(symbol));
        if (!is_constant(variable)) return variable;
    }
    return {};
}

}  // namespace schedproof::cli::policy_header
