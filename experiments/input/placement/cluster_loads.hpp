/// Cores of a cluster and how long each is still busy: CSV, or the paper's data set of loads.
///
/// CSV has a header. `server,core,load` is a row per core, cores of a server numbered from 0, in any order;
/// `server,cores,load` is a row per server, its load one number for all cores or one per core joined by `;`. Loads are
/// exact, in parts of a local task's cost.
/// The paper's data set is `core1 load1; core2 load2; ...`, one or many pairs a line. A core is named by a number, from
/// 0 or from 1 on, perhaps after letters (`core17`), and core m lies on server floor(m / cores per server); or it is
/// named `SERVER/NUMBER`. A line `# cores 400 per-server 40` announces what follows, and is checked.
/// Lines that begin with `#` are comments in both. Reading is streamed and strict: a last line without its newline, a
/// core that stands twice or is left out, are errors that say where.
#pragma once

#include <cstdint>
#include <istream>
#include <optional>
#include <string>
#include <vector>

#include "model/core/rational.hpp"

namespace schedproof::input {

struct ClusterLoads {
    std::string file;                  ///< how messages call it; empty when there is none
    std::vector<std::string> servers;  ///< names, in order of appearance; decimal numbers when `numbered`
    std::vector<std::uint32_t> cores;  ///< by server
    std::vector<Rational> loads;       ///< by core, server by server
    bool numbered = false;             ///< cores were numbered through, so servers are known by numbers only
};

/// Reads either form; `file` names the stream in errors. `cores_per_server` is for data sets with numbered cores, where
/// it must be given here or announced in the file.
/// Throws InputError with file, line and what was expected. Cost: linear, but for sorting rows out of order.
[[nodiscard]] ClusterLoads read_loads(std::istream& in, const std::string& file,
                                      std::optional<std::uint32_t> cores_per_server = {});

}  // namespace schedproof::input
