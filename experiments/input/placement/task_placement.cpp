/// Tasks and the servers that hold their data, put together with the loads of the cores.
///
/// Tasks come from a listing of HDFS, one per block, or from the pairs `TASK SERVER;` of a data set. Servers are
/// matched by name with those of the loads; one without loads is idle when a number of cores is given, and an error
/// otherwise. A listing without its final summary is refused, for a map made of half of it would leave tasks out
/// unnoticed.
#include "experiments/input/placement/task_placement.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "experiments/input/placement/server_table.hpp"
#include "experiments/input/text/line_reader.hpp"
#include "experiments/input/text/pair_reader.hpp"
#include "model/assignment/codec/codec.hpp"
#include "model/base/split.hpp"
#include "model/base/text.hpp"
#include "model/core/errors.hpp"
#include "model/queueing/codec/codec.hpp"

namespace schedproof::input {

namespace {

using assignment::Instance;
using assignment::InstanceData;
using detail::ServerTable;

/// Puts the parts together; a complaint of the instance stands at the file of the tasks.
Instance finished(ServerTable& table, InstanceData tasks, const std::string& file, const PlacementOptions& options) {
    InstanceData data = table.take();
    data.name = options.name;
    data.source = options.source;
    data.replicas = std::move(tasks.replicas);
    data.tasks = std::move(tasks.tasks);
    data.racks = std::move(tasks.racks);
    data.jobs = std::move(tasks.jobs);
    data.job_names = std::move(tasks.job_names);
    if (!data.racks.empty()) data.racks.resize(data.cores.size());
    give_cost(data, options.cost);
    try {
        return Instance(std::move(data));
    } catch (const InputError& error) {
        throw error.within({file, 0, ""});
    }
}

std::string assumed_idle(std::size_t servers, const std::optional<std::uint32_t>& cores) {
    return fmt::format("{} server(s) without loads are taken to have {} idle cores each", servers, cores.value_or(0));
}

/// One task per block of the chosen files.
class ListingPlacer {
  public:
    ListingPlacer(const Listing& listing, std::string file, ClusterLoads loads, const PlacementOptions& options)
        : listing_(listing), file_(std::move(file)), options_(options), table_(std::move(loads), options.cores) {}

    PlacedTasks run() {
        if (!options_.incomplete) require_complete();
        find_servers();
        for (const ListedFile& listed : listing_.files)
            if (is_under(listed.path, options_.under)) add_file(listed);
        if (files_.empty())
            throw InputError::in_file(
                file_, "--path",
                fmt::format("expected a path that holds files of the listing, not {}", base::shown(options_.under)));
        if (bare_ != 0) notes_.push_back(fmt::format("{} block(s) without a usable replica are left out", bare_));
        if (coded_ != 0)
            notes_.push_back(fmt::format(
                "{} erasure-coded block group(s) are left out: a location holds a cell, not a copy", coded_));
        if (tasks_.replicas.tasks() == 0) wrong("expected at least one block with a replica");
        if (table_.added() != 0) notes_.push_back(assumed_idle(table_.added(), options_.cores));
        return {finished(table_, std::move(tasks_), file_, options_), std::move(files_), std::move(file_of_),
                std::move(notes_)};
    }

  private:
    [[noreturn]] void wrong(std::string expected) const { throw InputError::in_file(file_, std::move(expected)); }

    /// A map made of half a listing would leave tasks out in silence.
    void require_complete() const {
        const ImportSummary& summary = listing_.summary;
        constexpr std::string_view remedy = "; --incomplete takes it as it is";
        if (summary.announced.status.empty())
            wrong(fmt::format("expected the summary that ends a listing ('Status: ...'); the file ends before it{}",
                              remedy));
        if (summary.announced.blocks && *summary.announced.blocks != summary.blocks)
            wrong(fmt::format("expected {} blocks, which is what the listing's summary counts, not {}{}",
                              *summary.announced.blocks, summary.blocks, remedy));
        if (summary.files_with_other_count.count != 0)
            throw InputError::at_line(file_, summary.files_with_other_count.first_line,
                                      fmt::format("expected as many blocks of the file as it announces{}", remedy));
    }

    void find_servers() {
        for (const ListedServer& server : listing_.servers) {
            const auto id = table_.find(server.name);
            if (!id) wrong(table_.complaint(server.name));
            ids_.push_back(*id);
            if (tasks_.racks.size() <= id->index()) tasks_.racks.resize(id->index() + 1);
            tasks_.racks[id->index()] = server.rack;
        }
    }

    void add_file(const ListedFile& listed) {
        files_.push_back(listed.path);
        for (const ListedBlock& block : listing_.blocks_of(listed)) {
            if (listed.erasure_coded && !options_.erasure_coded) {
                ++coded_;
            } else if (block.replicas == 0) {
                ++bare_;
            } else {
                replicas_.clear();
                for (const ServerId s : listing_.replicas_of(block)) replicas_.push_back(ids_[s.index()]);
                tasks_.replicas.add(replicas_);
                tasks_.tasks.push_back(fmt::format("blk_{}_{}", block.id, block.stamp));
                file_of_.push_back(static_cast<std::uint32_t>(files_.size() - 1));
                if (options_.job_per_file) add_to_job(listed.path);
            }
        }
    }

    /// The task just added, of this file. A file without tasks is no job.
    void add_to_job(const std::string& path) {
        if (file_of_.size() == 1 || file_of_[file_of_.size() - 2] != file_of_.back()) {
            if (path.size() > base::max_name_bytes)
                wrong(fmt::format("expected paths of at most {} bytes as names of jobs, unlike {}",
                                  base::max_name_bytes, base::shown(path)));
            tasks_.job_names.push_back(path);
        }
        tasks_.jobs.emplace_back(tasks_.job_names.size() - 1);
    }

    const Listing& listing_;
    std::string file_;
    const PlacementOptions& options_;
    ServerTable table_;
    std::vector<ServerId> ids_;  // by server of the listing
    std::vector<ServerId> replicas_;
    InstanceData tasks_;
    std::vector<std::string> files_;
    std::vector<std::uint32_t> file_of_;
    std::vector<std::string> notes_;
    std::size_t bare_ = 0, coded_ = 0;
};

/// `task1 server11; task1 server12; ...`
class DataSetPlacer {
  public:
    DataSetPlacer(std::istream& in, const std::string& file, ClusterLoads loads, const PlacementOptions& options)
        : file_(file),
          options_(options),
          lines_(in, file),
          pairs_(lines_, "TASK SERVER"),
          table_(std::move(loads), options.cores) {}

    PlacedTasks run() {
        while (const auto pair = pairs_.next()) add(*pair);
        end_task();
        pairs_.expect_announced("tasks", count_);
        pairs_.expect_announced("pairs", tasks_.replicas.total());
        if (count_ == 0) throw InputError::in_file(file_, "expected at least one pair TASK SERVER;");
        PlacedTasks result{finished(table_, std::move(tasks_), file_, options_), {}, {}, {}};
        if (table_.added() != 0) result.notes.push_back(assumed_idle(table_.added(), options_.cores));
        return result;
    }

  private:
    void add(const WordPair& pair) {
        if (count_ == 0 || pair.first != task_) begin_task(pair);
        const auto server = table_.find(pair.second);
        if (!server) pairs_.fail(pair.line, pair.column, table_.complaint(pair.second));
        if (std::find(replicas_.begin(), replicas_.end(), *server) != replicas_.end())
            pairs_.fail(pair.line, pair.column,
                        fmt::format("expected each server once among the replicas of {}, but {} "
                                    "stands twice",
                                    base::shown(task_), base::shown(pair.second)));
        if (tasks_.replicas.total() + replicas_.size() == assignment::max_task_replicas)
            pairs_.fail(pair.line, pair.column,
                        fmt::format("expected at most {} replicas in all", assignment::max_task_replicas));
        replicas_.push_back(*server);
    }

    void begin_task(const WordPair& pair) {
        end_task();
        if (count_ == assignment::max_tasks)
            pairs_.fail(pair.line, pair.column, fmt::format("expected at most {} tasks", assignment::max_tasks));
        if (pair.first.size() > base::max_name_bytes)
            pairs_.fail(pair.line, pair.column,
                        fmt::format("expected a name of at most {} bytes", base::max_name_bytes));
        task_ = pair.first;
        // Tasks that are numbered through need neither a name nor a place in the index.
        if (!named_ && task_ != std::to_string(count_)) name_those_before();
        if (named_) {
            const auto [entry, is_new] = seen_.try_emplace(task_, pair.line);
            if (!is_new)
                pairs_.fail(pair.line, pair.column,
                            fmt::format("expected the pairs of a task together, but {} began on line {}",
                                        base::shown(task_), entry->second));
            tasks_.tasks.push_back(task_);
        }
        ++count_;
    }

    void name_those_before() {
        named_ = true;
        for (std::size_t t = 0; t < count_; ++t) {
            tasks_.tasks.push_back(std::to_string(t));
            seen_.try_emplace(tasks_.tasks.back(), lines_.line());
        }
    }

    void end_task() {
        if (count_ > 0) tasks_.replicas.add(replicas_);
        replicas_.clear();
    }

    std::string file_;
    const PlacementOptions& options_;
    LineReader lines_;
    PairReader pairs_;
    ServerTable table_;
    InstanceData tasks_;
    std::string task_;
    std::vector<ServerId> replicas_;  // of the task
    std::size_t count_ = 0;           // of tasks begun
    bool named_ = false;
    std::unordered_map<std::string, std::size_t> seen_;  // line on which each named task began
};

}  // namespace

bool looks_like_data_set(std::string_view first_line) {
    const std::string_view line = base::trimmed(first_line);
    if (line.starts_with('#')) return true;
    const std::vector<std::string_view> pair = base::split_words(line.substr(0, line.find(';')));
    // A listing may begin with two words too: `/data <dir>`, or `Status: HEALTHY`, perhaps behind dots of progress.
    return pair.size() == 2 && !pair[0].starts_with('/') && !pair[0].ends_with(':');
}

PlacedTasks place_listing(const Listing& listing, const std::string& file, ClusterLoads loads,
                          const PlacementOptions& options) {
    return ListingPlacer(listing, file, std::move(loads), options).run();
}

PlacedTasks place_data_set(std::istream& in, const std::string& file, ClusterLoads loads,
                           const PlacementOptions& options) {
    return DataSetPlacer(in, file, std::move(loads), options).run();
}

}  // namespace schedproof::input
