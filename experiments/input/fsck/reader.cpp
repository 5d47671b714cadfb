/// A state machine over the lines of a listing: outside a file, inside one, inside a list of locations that goes on.
///
/// Copies of listings are wrapped, cut and mixed with other output, so each line is told by its own form, not by where
/// it stands. What was counted (files, blocks, bytes) is compared at the end with what the listing says of itself.
#include "experiments/input/fsck/reader.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <iostream>
#include <limits>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "experiments/input/fsck/line.hpp"
#include "experiments/input/fsck/listing_summary.hpp"
#include "experiments/input/text/line_reader.hpp"
#include "model/base/split.hpp"
#include "model/base/text.hpp"
#include "model/core/errors.hpp"

namespace schedproof::input {

namespace {

using fsck::BlockLine;
using fsck::Location;
using fsck::Mark;

/// Lets a map of strings be searched by a view, without a copy per look-up.
struct TextHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
};
template <class Value>
using TextMap = std::unordered_map<std::string, Value, TextHash, std::equal_to<>>;

std::optional<SkippedReplica> unusable(Mark mark) {
    switch (mark) {
        case Mark::dead:
            return SkippedReplica::dead;
        case Mark::decommissioned:
            return SkippedReplica::decommissioned;
        case Mark::in_maintenance:
            return SkippedReplica::in_maintenance;
        case Mark::corrupt:
            return SkippedReplica::corrupt;
        case Mark::excess:
            return SkippedReplica::excess;
        case Mark::live:
        case Mark::stale:
        case Mark::decommissioning:
        case Mark::entering_maintenance:
            break;
    }
    return std::nullopt;
}

/// Whether a node with this mark runs tasks at all.
bool node_serves(Mark mark) {
    return mark != Mark::dead && mark != Mark::decommissioned && mark != Mark::in_maintenance;
}

class FsckReader {
  public:
    FsckReader(std::istream& in, const std::string& file, ServerNaming naming) : lines_(in, file), naming_(naming) {}

    Listing read() {
        while (const auto raw = lines_.next()) read_line(base::trimmed(*raw));
        if (pending_ == Pending::list)
            fail(pending_line_, "expected ] closing this list of locations before the end of the listing");
        finish_pending();
        close_file();
        summarise();
        return std::move(listing_);
    }

  private:
    /// A block line whose list is on the next lines: none begun yet, or one that is still open.
    enum class Pending { none, before_list, list };

    [[noreturn]] void fail(std::size_t line, std::string expected) const {
        throw InputError::at_line(lines_.file(), line, std::move(expected));
    }
    ImportSummary& summary() { return listing_.summary; }

    void read_line(std::string_view line) {
        if (pending_ == Pending::list) return continue_list(line);
        if (pending_ == Pending::before_list && line.starts_with('[')) {
            pending_text_ += ' ';
            pending_ = Pending::list;
            return continue_list(line);
        }
        if (pending_ != Pending::none && !line.empty()) finish_pending();
        // Dots of progress stand before whatever was printed next.
        if (const std::size_t dots = line.find_first_not_of('.'); dots != std::string_view::npos)
            line.remove_prefix(dots);
        if (line.starts_with('/')) return read_path(line);
        if (fsck::begins_block(line)) return begin_block(line);
        skip(line);
    }

    void skip(std::string_view line) {
        const SkippedLine kind = fsck::classify(line);
        summary().lines_skipped.add(kind, lines_.line());
        if (kind == SkippedLine::note) note(line);
        if (kind == SkippedLine::summary && !fsck::read_announcement(line, summary().announced))
            fail(lines_.line(), "expected a number after the colon of this summary line");
    }

    void note(std::string_view text) {
        if (const auto trouble = fsck::trouble_of(text)) summary().troubles.add(*trouble, lines_.line());
    }

    void read_path(std::string_view line) {
        constexpr std::string_view directory = " <dir>", symlink = " <symlink>";
        if (line.ends_with(directory)) {
            close_file();
            ++summary().directories;
        } else if (line.ends_with(symlink)) {
            close_file();
            summary().lines_skipped.add(SkippedLine::symlink, lines_.line());
        } else if (const auto file = fsck::parse_file_line(line)) {
            close_file();
            open_file(*file);
        } else if (const std::string_view about = note_about_file(line); !about.empty()) {
            summary().lines_skipped.add(SkippedLine::note, lines_.line());
            note(about);
        } else {
            summary().lines_skipped.add(SkippedLine::other, lines_.line());
        }
    }

    /// The words after `PATH:` of a line about the open file, or about any file when they are Hadoop's.
    std::string_view note_about_file(std::string_view line) const {
        if (file_open_ && line.starts_with(listing_.files.back().path)) {
            const std::string_view rest = line.substr(listing_.files.back().path.size());
            if (rest.starts_with(':')) return base::trimmed(rest.substr(1));
        }
        for (const std::string_view words :
             {": CORRUPT block", ": CORRUPT ", ": MISSING ", ":  Under replicated ", ":  Replica placement "})
            if (const std::size_t at = line.find(words); at != std::string_view::npos)
                return base::trimmed(line.substr(at + 1));
        return {};
    }

    void open_file(const fsck::FileLine& line) {
        if (line.blocks > max_listed_blocks)
            fail(lines_.line(), fmt::format("expected a file of at most {} blocks", max_listed_blocks));
        if (line.bytes > std::numeric_limits<std::uint64_t>::max() - summary().bytes)
            fail(lines_.line(), "expected files whose sizes add up to less than 2^64 bytes");
        listing_.files.push_back(
            {std::string(line.path), line.bytes, listing_.blocks.size(), 0, line.erasure_coded, line.open});
        file_open_ = true;
        file_line_ = lines_.line();
        file_announced_ = line.blocks;
        next_number_ = 0;
        announced_blocks_ += line.blocks;
        ++summary().files;
        summary().bytes += line.bytes;
        summary().erasure_coded_files += line.erasure_coded ? 1 : 0;
        summary().open_files += line.open ? 1 : 0;
        note(line.note);
    }

    void close_file() {
        if (!file_open_) return;
        if (listing_.files.back().blocks != file_announced_) summary().files_with_other_count.add(file_line_);
        file_open_ = false;
    }

    void begin_block(std::string_view line) {
        pending_line_ = lines_.line();
        const std::int64_t balance = fsck::bracket_balance(line);
        if (balance == 0 && line.find('[') != std::string_view::npos) return add_block(line);
        pending_text_ = line;
        pending_balance_ = balance;
        pending_ = balance > 0 ? Pending::list : Pending::before_list;
    }

    void continue_list(std::string_view line) {
        if (fsck::begins_block(line) || (line.starts_with('/') && fsck::parse_file_line(line)))
            fail(pending_line_, fmt::format("expected ] closing this list of locations before line {}", lines_.line()));
        if (pending_text_.size() + line.size() > LineReader::max_line_bytes)
            fail(pending_line_,
                 fmt::format("expected a list of locations of at most {} bytes", LineReader::max_line_bytes));
        if (line.empty()) summary().lines_skipped.add(SkippedLine::blank, lines_.line());
        pending_text_ += line;
        pending_balance_ += fsck::bracket_balance(line);
        if (pending_balance_ <= 0) finish_pending();
    }

    void finish_pending() {
        if (pending_ == Pending::none) return;
        pending_ = Pending::none;
        add_block(pending_text_);
        pending_balance_ = 0;
    }

    /// Reads a block line that is whole. `pending_line_` is its number.
    void add_block(std::string_view text) {
        const auto block = fsck::parse_block_line(text);
        if (!block) fail(pending_line_, block.error());
        if (!file_open_)
            fail(pending_line_,
                 "expected a file line (PATH N bytes, K block(s): ...) before its blocks: use the whole output of fsck "
                 "-files");
        if (block->number < next_number_ || block->number >= file_announced_)
            fail(pending_line_, fmt::format("expected block {} of the {} of {}: a file line is missing or damaged",
                                            next_number_, file_announced_, base::shown(listing_.files.back().path)));
        next_number_ = block->number + 1;
        if (listing_.blocks.size() == max_listed_blocks)
            fail(pending_line_, fmt::format("expected at most {} blocks", max_listed_blocks));
        ListedFile& file = listing_.files.back();
        ++file.blocks;
        ++summary().blocks;
        summary().erasure_coded_blocks += file.erasure_coded ? 1 : 0;
        listing_.blocks.push_back({block->id, block->stamp, block->bytes, listing_.replicas.size(), 0});
        const std::size_t listed = block->locations ? add_locations(*block->locations) : 0;
        count_bare(*block, listed);
    }

    void count_bare(const BlockLine& line, std::size_t listed) {
        if (listing_.blocks.back().replicas != 0) return;
        summary().bare_blocks.add(line.missing      ? BareBlock::missing
                                  : !line.locations ? BareBlock::no_list
                                  : listed == 0     ? BareBlock::empty_list
                                                    : BareBlock::all_skipped,
                                  pending_line_);
    }

    /// Number of locations in the list, usable or not.
    std::size_t add_locations(std::string_view list) {
        std::size_t listed = 0;
        for (list = base::trimmed(list); !list.empty(); list = base::trimmed(list)) {
            const auto location = fsck::take_location(list);
            if (!location) fail(pending_line_, location.error());
            if (++listed > max_replicas_per_block)
                fail(pending_line_, fmt::format("expected at most {} locations of a block", max_replicas_per_block));
            add_replica(*location);
        }
        return listed;
    }

    void add_replica(const Location& location) {
        const ServerId server = server_of(location);
        if (const auto reason = unusable(location.mark)) return summary().replicas_skipped.add(*reason, pending_line_);
        ListedBlock& block = listing_.blocks.back();
        const auto first = listing_.replicas.begin() + static_cast<std::ptrdiff_t>(block.first_replica);
        if (std::find(first, listing_.replicas.end(), server) != listing_.replicas.end())
            return summary().replicas_skipped.add(SkippedReplica::same_server, pending_line_);
        listing_.replicas.push_back(server);
        ++block.replicas;
        ++summary().replicas;
    }

    /// The server of a location, entered when it is new. Not entered, and of no meaning, when its node does not serve.
    ServerId server_of(const Location& location) {
        scratch_.assign(location.host).append(1, ':').append(location.port);
        if (!data_nodes_.contains(scratch_)) data_nodes_.emplace(scratch_);
        if (!node_serves(location.mark)) return {};
        const std::string_view name = naming_ == ServerNaming::port ? std::string_view(scratch_) : location.host;
        const auto found = servers_.find(name);
        if (found != servers_.end()) {
            const std::string& rack = listing_.servers[found->second.index()].rack;
            if (rack != location.rack)
                fail(pending_line_, fmt::format("expected server {} on rack {} as before, not on {}", base::shown(name),
                                                base::shown(rack), base::shown(location.rack)));
            return found->second;
        }
        const ServerId server(listing_.servers.size());
        listing_.servers.push_back({std::string(name), std::string(location.rack)});
        servers_.emplace(std::string(name), server);
        return server;
    }

    void summarise() {
        ImportSummary& result = summary();
        result.lines = lines_.line();
        result.data_nodes = data_nodes_.size();
        std::set<std::string_view> racks;
        for (const ListedServer& server : listing_.servers)
            if (!server.rack.empty()) racks.insert(server.rack);
        result.racks = racks.size();
        if (result.files == 0 && result.directories == 0 && result.announced.status.empty())
            fail(0, fmt::format("expected the output of 'hdfs fsck PATH -files -blocks -locations -racks': none of {} "
                                "lines is a file, a directory or "
                                "a status",
                                result.lines));
        if (result.blocks == 0 && announced_blocks_ > 0)
            fail(0, "expected block lines: run fsck with -files -blocks -locations, and -racks for the racks");
        fsck::compare_with_announced(result);
    }

    LineReader lines_;
    ServerNaming naming_;
    Listing listing_;

    bool file_open_ = false;  // the last file of the listing may still get blocks
    std::size_t file_line_ = 0;
    std::uint64_t file_announced_ = 0;
    std::uint64_t next_number_ = 0;
    std::uint64_t announced_blocks_ = 0;

    Pending pending_ = Pending::none;
    std::string pending_text_;
    std::int64_t pending_balance_ = 0;
    std::size_t pending_line_ = 0;

    TextMap<ServerId> servers_;
    std::unordered_set<std::string> data_nodes_;
    std::string scratch_;
};

}  // namespace

Listing read_fsck(std::istream& in, const std::string& file, ServerNaming naming) {
    return FsckReader(in, file, naming).read();
}

Listing read_fsck_file(const std::string& path, ServerNaming naming) {
    if (path == "-") return read_fsck(std::cin, base::display_name(path), naming);
    std::ifstream in = base::open_text(path);
    return read_fsck(in, path, naming);
}

}  // namespace schedproof::input
