#include "experiments/command/policy_header/process_end.hpp"

#include <fmt/core.h>

#include <cstring>

#include "model/base/text.hpp"

namespace schedproof::cli::policy_header {

std::string misbehaviour(const base::ProcessEnd& end, const base::ProcessLimits& limits) {
    const auto first_line = [](const std::string& text) { return text.substr(0, text.find('\n')); };
    using How = base::ProcessEnd::How;
    if (end.how == How::out_of_time) return fmt::format("still runs after {} s", end.out_of->count());
    if (end.how == How::signalled)
        return fmt::format("was ended by signal {} ({}), with at most {} GiB of memory{}", end.code,
                           ::strsignal(end.code), limits.memory >> 30U,
                           end.err.empty() ? "" : ": " + base::shown(first_line(end.err), 200));
    if (!end.out.empty() || !end.err.empty())
        return fmt::format("prints {}", base::shown(first_line(end.out.empty() ? end.err : end.out)));
    if (end.code != 0) return fmt::format("ends the program with exit code {}", end.code);
    return "";
}

}  // namespace schedproof::cli::policy_header
