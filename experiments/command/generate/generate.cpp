/// `generate assignment`: the paper's random instances, as an instance file or as the two data sets, whole or in
/// shards.
///
/// An instance file is built in memory, so its size is limited to what the readers accept. Data sets are written server
/// by server and task by task and need memory for one of them only. Every core and every task has a stream of random
/// numbers of its own; shards can therefore be made in any order, and joined in their order they have the bytes of the
/// whole. Files take their names only after all of them are complete.
/// Source: [jin2018], Section 6.1.1; docs/models/assignment.md, Interpretations A17 and A18.
#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <iostream>
#include <optional>
#include <utility>

#include "experiments/command/core/assignment_file.hpp"
#include "experiments/command/core/exact_option.hpp"
#include "experiments/command/core/options.hpp"
#include "experiments/command/core/output.hpp"
#include "experiments/input/placement/data_set_writer.hpp"
#include "experiments/workload/assignment_generator.hpp"
#include "model/assignment/codec/codec.hpp"
#include "model/base/output_file.hpp"
#include "model/core/errors.hpp"

namespace schedproof::cli {

/// The paper's random instances.
struct GenerateAssignmentRequest {
    std::uint64_t servers = 50;
    std::uint32_t cores = 40;
    std::uint64_t tasks = 100;
    std::uint32_t replicas = 3;
    std::string alpha = "0";
    std::string beta = "100";
    std::string theta = "1";
    std::uint64_t ticks = 1'000'000;
    std::uint64_t seed = 1;
    std::string shard;      ///< `i/n` from 1, or empty: all of it
    std::string placement;  ///< data sets to write instead of an instance, or empty
    std::string loads;
    Destination to;
};

namespace {

using workload::AssignmentGenerator;
using workload::AssignmentWorkload;

/// Part `index` of `count`, from 0.
struct Shard {
    std::uint64_t index = 0, count = 1;

    /// The part of 0..all-1 that is the shard's: parts are consecutive and differ by at most one.
    [[nodiscard]] std::pair<std::uint64_t, std::uint64_t> of(std::uint64_t all) const {
        const auto border = [&](std::uint64_t i) { return all / count * i + std::min(i, all % count); };
        return {border(index), border(index + 1)};
    }
};

Shard shard_of(const std::string& text) {
    if (text.empty()) return {};
    const auto number = [](std::string_view part) -> std::uint64_t {
        std::uint64_t value = 0;
        const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value);
        return error == std::errc() && end == part.data() + part.size() && value <= 1'000'000 ? value : 0;
    };
    const std::size_t slash = text.find('/');
    const std::uint64_t index = number(std::string_view(text).substr(0, slash));
    const std::uint64_t count = slash == std::string::npos ? 0 : number(std::string_view(text).substr(slash + 1));
    if (index == 0 || index > count)
        throw InputError::at_key("--shard", "expected a part i/n with i from 1 to n, such as 2/8, not '" + text + "'");
    return {index - 1, count};
}

AssignmentWorkload workload_of(const GenerateAssignmentRequest& request) {
    AssignmentWorkload w;
    w.tasks = request.tasks;
    w.servers = request.servers;
    w.cores = request.cores;
    w.replicas = request.replicas;
    w.alpha = option_number(request.alpha, "--alpha");
    w.beta = option_number(request.beta, "--beta");
    w.theta = option_number(request.theta, "--theta");
    w.ticks = static_cast<std::int64_t>(request.ticks);
    w.seed = request.seed;
    return w;
}

std::string described(const GenerateAssignmentRequest& r) {
    return fmt::format(
        "[jin2018], Section 6.1.1: |T| = {}, |S| = {}, core_num = {}, alpha = {}, beta = {}, theta = "
        "{}, {} replicas, seed {}",
        r.tasks, r.servers, r.cores, r.alpha, r.beta, r.theta, r.replicas, r.seed);
}

/// A file that is complete or not there, or the standard output.
class DataSetFile {
  public:
    explicit DataSetFile(const std::string& path) {
        if (path != "-") file_.emplace(path);
    }
    [[nodiscard]] std::ostream& stream() { return file_ ? file_->stream() : std::cout; }
    void close() {
        if (file_)
            file_->close();
        else if (!std::cout.flush())
            throw InputError::in_file("-", "cannot write to standard output");
    }
    void commit() {
        if (file_) file_->commit();
    }

  private:
    std::optional<base::OutputFile> file_;
};

/// The data sets are written server by server and task by task, so any size fits in memory; shards, joined in their
/// order, have the bytes of the whole.
void write_loads(const AssignmentGenerator& generator, const Shard& shard, std::ostream& out, Progress& progress) {
    const AssignmentWorkload& w = generator.workload();
    const Rational ticks(w.ticks);
    if (shard.index == 0) input::announce_cores(out, std::uint64_t{w.servers} * w.cores, w.cores);
    const auto [from, to] = shard.of(w.servers);
    std::vector<Rational> loads(w.cores);
    for (std::uint64_t s = from; s < to; ++s) {
        for (std::uint32_t i = 0; i < w.cores; ++i)
            loads[i] = Rational(generator.load(CoreId(s * w.cores + i)).value()) / ticks;
        input::write_core_pairs(out, "", s * w.cores, loads);
        progress.report("loads", static_cast<double>(s - from), static_cast<double>(to - from));
    }
}

void write_placement(const AssignmentGenerator& generator, const Shard& shard, std::ostream& out, Progress& progress) {
    const AssignmentWorkload& w = generator.workload();
    if (shard.index == 0) input::announce_tasks(out, w.tasks, std::uint64_t{w.tasks} * w.replicas);
    const auto [from, to] = shard.of(w.tasks);
    std::vector<ServerId> replicas;
    std::vector<std::string> servers;
    for (std::uint64_t t = from; t < to; ++t) {
        generator.replicas(TaskId(t), replicas);
        servers.clear();
        for (const ServerId s : replicas) servers.push_back(std::to_string(s.index()));
        input::write_task_pairs(out, std::to_string(t), servers);
        progress.report("placement", static_cast<double>(t - from), static_cast<double>(to - from));
    }
}

void write_data_sets(const GenerateAssignmentRequest& request, const Shard& shard, Progress& progress) {
    const AssignmentGenerator generator(workload_of(request));
    std::optional<DataSetFile> loads, placement;
    if (!request.loads.empty()) loads.emplace(request.loads);
    if (!request.placement.empty()) placement.emplace(request.placement);
    if (loads) {
        write_loads(generator, shard, loads->stream(), progress);
        loads->close();
    }
    if (placement) {
        write_placement(generator, shard, placement->stream(), progress);
        placement->close();
    }
    if (loads) loads->commit();
    if (placement) placement->commit();
}

/// Names the option that a complaint of the generator is about.
void check_sizes(const GenerateAssignmentRequest& request) {
    const auto within = [](std::uint64_t value, std::uint64_t most, const char* option) {
        if (value == 0 || value > most)
            throw InputError::at_key(option, fmt::format("expected a number from 1 to {}, not {}", most, value));
    };
    within(request.servers, assignment::max_servers, "--servers");
    within(request.cores, 1'000'000, "--cores");
    within(request.replicas, request.servers, "--replicas");
    within(request.ticks, 1'000'000'000'000, "--ticks");
    if (request.tasks > UINT32_MAX)
        throw InputError::at_key("--tasks",
                                 fmt::format("expected at most {} tasks, not {}", UINT32_MAX, request.tasks));
    if (request.cores > UINT32_MAX / request.servers)
        throw InputError::at_key("--cores", fmt::format("expected at most {} cores in all", UINT32_MAX));
}

assignment::Instance instance_of(const GenerateAssignmentRequest& request) {
    // What is written must be readable: a document has so many values and no more.
    const std::uint64_t values =
        request.tasks * (request.replicas + std::uint64_t{1}) + request.servers * (request.cores + std::uint64_t{6});
    if (values > base::max_document_values)
        throw InputError::at_key(
            "--tasks", fmt::format("expected an instance of at most {} values, not {}; write data sets (--placement, "
                                   "--loads) instead",
                                   base::max_document_values, values));
    const AssignmentWorkload w = workload_of(request);
    const AssignmentGenerator generator(w);
    assignment::InstanceData data;
    data.name = "generated";
    data.source = described(request);
    data.cores.assign(w.servers, w.cores);
    const Rational ticks(w.ticks);
    for (std::size_t p = 0; p < w.servers * w.cores; ++p)
        data.loads.push_back(Rational(generator.load(CoreId(p)).value()) / ticks);
    std::vector<ServerId> replicas;
    for (std::size_t t = 0; t < w.tasks; ++t) {
        generator.replicas(TaskId(t), replicas);
        data.replicas.add(replicas);
    }
    data.costs = {assignment::AffineCost{w.theta, w.cores}};
    return assignment::Instance(std::move(data));
}

}  // namespace

int run(const GenerateAssignmentRequest& request) {
    check_sizes(request);
    const Shard shard = shard_of(request.shard);
    Progress progress("generate");
    if (!request.placement.empty() || !request.loads.empty()) {
        if (request.placement == "-" && request.loads == "-")
            throw InputError::at_key("--loads", "expected a file: the placements go to standard output");
        require_writable({request.placement, request.loads});
        write_data_sets(request, shard, progress);
        return 0;
    }
    if (!request.shard.empty())
        throw InputError::at_key("--shard", "expected --placement or --loads: shards are parts of data sets");
    require_writable({request.to.path});
    write_assignment(request.to, instance_of(request));
    return 0;
}

namespace {

Option shown_number(const char* name, auto& target, const char* meaning) {
    return {.names = name, .value = "N", .target = &target, .meaning = meaning, .show_default = true};
}

OptionTable options(GenerateAssignmentRequest& r) {
    return {shown_number("--tasks", r.tasks, "number of tasks"),
            shown_number("--servers", r.servers, "number of servers"),
            shown_number("--cores", r.cores, "cores of each server; also the cap of the cost"),
            shown_number("--replicas", r.replicas, "different servers that hold a task's data"),
            shown_number("--alpha", r.alpha, "how much the largest load grows from server to server"),
            shown_number("--beta", r.beta, "largest load of the first server's cores"),
            shown_number("--theta", r.theta, "network factor: g(n) = 1 + theta min(n, cores)"),
            shown_number("--ticks", r.ticks, "loads are multiples of 1/TICKS"),
            shown_number("--seed", r.seed, "seed of all draws"),
            {.names = "--placement",
             .value = "FILE",
             .target = &r.placement,
             .meaning = "write the data set of placements to this file, - for standard output; no instance"},
            {.names = "--loads",
             .value = "FILE",
             .target = &r.loads,
             .meaning = "write the data set of loads to this file, - for standard output; no instance"},
            {.names = "--shard",
             .value = "I/N",
             .target = &r.shard,
             .meaning = "write part i of n, i/n, of the data sets; parts joined in order are the whole"},
            {.names = "--format",
             .target = &r.to.format,
             .meaning = "form of the instance: text is TOML, unless -o ends in .json",
             .show_default = true,
             .words = {"text", "json"}},
            {.names = "-o,--output",
             .value = "FILE",
             .target = &r.to.path,
             .meaning = "file for the instance, - for standard output",
             .show_default = true,
             .excludes = {"--placement", "--loads"}}};
}

}  // namespace

Subcommand generate() {
    Subcommand group{"generate",
                     "make random instances",
                     "schedproof generate assignment --tasks 1000 --servers 100 --cores 10 -o random.json",
                     {}};
    group.parts = {make_subcommand<GenerateAssignmentRequest>(
        "assignment", "the paper's random instances: loads uniform on [0, alpha server + beta], replicas uniform",
        "schedproof generate assignment --tasks 1000000 --servers 10000 --cores 40 --beta 1000 "
        "--placement placement.txt --loads loads.txt",
        options)};
    return group;
}

}  // namespace schedproof::cli
