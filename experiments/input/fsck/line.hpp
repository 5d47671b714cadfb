/// The grammar of single lines of an fsck listing.
///
/// A path may hold anything but a newline: blanks, colons, brackets, even what looks like a block line. So a line is
/// told by how it begins (`/` a path, a number and a dot a block), and a file line is read from its right end, where
/// Hadoop's own words stand.
///
///     PATH N bytes, [replicated: replication=R,|erasure-coded: policy=P,|replication=R,] K block(s)[, OPENFORWRITE]:
///     ... I. [POOL:]blk_ID_STAMP len=N [MISSING!] [[Live_|Expected_]repl=R] [[LOCATION, ...]] LOCATION = [blk_ID:] (
///     [/RACK...]/HOST:PORT | HOST:PORT | DatanodeInfoWithStorage[HOST:PORT,STORAGE,MEDIUM] ) (MARK)*
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

namespace schedproof::input::fsck {

struct FileLine {
    std::string_view path;
    std::uint64_t bytes = 0;
    std::uint64_t blocks = 0;
    bool erasure_coded = false;
    bool open = false;
    std::string_view note;  ///< what follows the colon: OK, trouble, or nothing
};

struct BlockLine {
    std::uint64_t number = 0;  ///< position in its file, from 0
    std::int64_t id = 0;
    std::uint64_t stamp = 0;
    std::uint64_t bytes = 0;
    bool missing = false;
    std::optional<std::string_view> locations;  ///< between the outer brackets
};

/// What `-replicaDetails` says of a replica. Those up to `entering_maintenance` can be read from where they are.
enum class Mark {
    live,
    stale,
    decommissioning,
    entering_maintenance,
    dead,
    decommissioned,
    in_maintenance,
    corrupt,
    excess
};

struct Location {
    std::string_view rack;  ///< `/dc1/rack2`, or empty
    std::string_view host;  ///< IPv6 without its brackets
    std::string_view port;
    Mark mark = Mark::live;
};

/// Reads a file line; none when it is not one. Requires a line that begins with `/`.
[[nodiscard]] std::optional<FileLine> parse_file_line(std::string_view line);

/// Whether the line begins as a block line does, with a number, a dot and a blank (or nothing more).
[[nodiscard]] bool begins_block(std::string_view line);

/// Open square brackets less closed ones.
[[nodiscard]] std::int64_t bracket_balance(std::string_view text);

/// Reads a block line. The error says what was expected.
[[nodiscard]] tl::expected<BlockLine, std::string> parse_block_line(std::string_view line);

/// Reads the first location of a list and removes it, with the comma after it. Requires a list that is not blank.
[[nodiscard]] tl::expected<Location, std::string> take_location(std::string_view& list);

}  // namespace schedproof::input::fsck
