/// Tar archives whose bytes depend on their members alone.
///
/// Format: ustar of POSIX.1-1988, regular files only. Owner, group and time of every member are 0, so the same members
/// give the same archive on every machine and day.
#pragma once

#include <iosfwd>
#include <string>
#include <string_view>

namespace schedproof::graph {

class TarWriter {
  public:
    explicit TarWriter(std::ostream& out) : out_(out) {}

    /// Appends a file. Throws ContractViolation for a name of no or more than 100 bytes, LimitExceeded for 8 GiB or
    /// more.
    void add(const std::string& name, std::string_view bytes);
    /// Ends the archive; no file may follow.
    void close();

  private:
    std::ostream& out_;
};

}  // namespace schedproof::graph
