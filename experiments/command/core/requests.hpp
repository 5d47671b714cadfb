/// What the command line asks for, one plain struct per subcommand, and the functions that answer.
///
/// main.cpp and the options_*.cpp alone know the command-line library; the commands alone know the models. Each command
/// returns the exit code: 0 as asked, 1 when something was refuted or a bound missed; errors are thrown and become 2, 3
/// or 4.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/queueing/chain.hpp"

namespace schedproof::command {

/// Where the answer goes, and in which form.
struct Destination {
    std::string format = "text";  ///< `text` or `json`
    std::string path = "-";       ///< a file, or `-` for standard output
    [[nodiscard]] bool json() const { return format == "json"; }
};

/// A cluster under a policy.
struct SystemRequest {
    std::string instance;
    std::string policy;
    std::optional<std::uint32_t> cap_total;
    std::optional<std::uint32_t> cap_queue;
};

/// A state in words; see system.hpp. Empty parts mean: every queue empty, every server idle.
struct StateRequest {
    std::string queues;
    std::string serving;
    std::string counters;
};

struct ListRequest {
    std::string what;  ///< `policies`, `schedulers`, `lyapunov`, `options` or `claims`
    Destination to;
};
struct ShowRequest {
    std::string instance;
    std::string as = "summary";  ///< `summary`, `toml` or `json`
    Destination to;
};
struct KernelRequest {
    SystemRequest system;
    StateRequest state;
    std::string lyapunov;
    Destination to;
};
struct ChainRequest {
    SystemRequest system;
    bool whole_law = false;
    std::uint64_t max_states = queueing::default_max_states;
    Destination to;
};
struct CapacityRequest {
    std::string instance;
    std::string certificate;  ///< file to write the certificate to, or empty
    std::string verify;       ///< certificate file to check instead of solving, or empty
    std::string picture;      ///< .dot, .svg or .png to draw, or empty
    std::string policy;       ///< policy whose stability program to compare, or empty
    std::uint64_t rows = 10;  ///< longest table in text output
    Destination to;
};
struct GraphRequest {
    SystemRequest system;
    StateRequest state;
    std::optional<std::uint32_t> around;
    std::optional<std::uint32_t> path;
    std::uint64_t seed = 1;
    std::uint64_t max_nodes = 120;
    std::uint64_t max_states = queueing::default_max_states;
    bool stationary = false;
    std::string prism;  ///< prefix of PRISM files to write, or empty
    std::string picture = "-";
    Destination to;
};
struct ImportRequest {
    std::string listing;
    std::string path_prefix;
    std::string by = "host";
    std::string weight = "blocks";
    std::string rates;
    std::string total_rate;
    std::string name;
    bool erasure_coded = false;
    Destination to;
};
struct HeavyTrafficRequest {
    std::string instance;
    std::string policy;  ///< or empty: the instance alone
    std::optional<std::uint32_t> cap_total;
    std::optional<std::uint32_t> cap_queue;
    std::uint64_t max_states = queueing::default_max_states;
    Destination to;
};
struct ProveStepsRequest {
    std::string instance;
    std::string policy;
    std::uint32_t max_steps = 1000;
    Destination to;
};

/// How much an exploration may cost before it ends as Unknown.
struct BudgetRequest {
    std::optional<std::uint64_t> rlimit;     ///< the solver's resource units per question
    std::optional<std::uint64_t> max_cells;  ///< of one question
};
/// What a proof leaves behind.
struct EvidenceRequest {
    std::string certificate;  ///< file, or empty
    std::string smtlib;       ///< directory, or empty
};
struct ProveDriftRequest {
    SystemRequest system;
    std::string lyapunov;  ///< or empty with `find_lyapunov`
    bool find_lyapunov = false;
    bool above = false;
    std::string delta;
    std::string threshold;
    BudgetRequest budget;
    EvidenceRequest evidence;
    Destination to;
};
struct ProveThroughputRequest {
    std::string instance;  ///< or empty with `for_all`
    std::string policy;
    bool for_all = false;
    std::size_t levels = 2;      ///< of `for_all`
    std::string counterexample;  ///< file for the small instance of a failing leaf, or empty
    BudgetRequest budget;
    EvidenceRequest evidence;
    Destination to;
};
struct ProveTransienceRequest {
    SystemRequest system;
    BudgetRequest budget;
    EvidenceRequest evidence;
    std::string picture;  ///< .dot, .svg or .png to draw the cells in, or empty
    Destination to;
};
struct CertifyRequest {
    std::vector<std::string> files;
    std::string instance;  ///< of certificates that only name theirs, or empty
    Destination to;
};
struct CheckRequest {
    std::vector<std::string> claims;
    std::string family;  ///< only claims of this family, or empty
    std::string policy;
    std::string instance;
    std::string evidence;  ///< directory for certificates and bundles, or empty
    std::string replay;    ///< bundle to check again instead, or empty
    bool mutants = false;
    unsigned jobs = 0;  ///< threads; 0: one per core
    std::uint64_t seed = 1;
    std::uint64_t cases = 200;
    BudgetRequest budget;
    Destination to;
};

/// Schedulers of the assignment family, on an instance or on what a real cluster says.
struct AssignRequest {
    std::string instance;   ///< or empty with `placement`
    std::string placement;  ///< listing of fsck, or data set
    std::string loads;      ///< CSV or data set, or empty with `cores`
    std::string path = "/";
    std::optional<std::uint32_t> cores;  ///< of servers without loads; per server, where cores are numbered through
    std::string by = "host";
    std::string cost;   ///< as `assignment::parse_cost` reads it, or empty
    std::string theta;  ///< short for `capped:THETA`, or empty
    bool erasure_coded = false;
    bool incomplete = false;
    std::vector<std::string> schedulers;  ///< none: all that suit
    std::string map;                      ///< .json or .csv, or empty
    std::string wait;
    std::string threshold;                 ///< of ltfpa, or empty
    std::optional<std::uint64_t> timeout;  ///< of hta, in seconds
    std::string job_order = "fifo";
    bool random_picks = false;
    std::uint64_t seed = 1;
    Destination to;
};
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

int run(const ListRequest& request);
int run(const ShowRequest& request);
int run(const KernelRequest& request);
int run(const ChainRequest& request);
int run(const CapacityRequest& request);
int run(const GraphRequest& request);
int run(const ImportRequest& request);
int run(const CheckRequest& request);
int run(const ProveDriftRequest& request);
int run(const ProveThroughputRequest& request);
int run(const ProveTransienceRequest& request);
int run(const CertifyRequest& request);
int run(const HeavyTrafficRequest& request);
int run(const AssignRequest& request);
int run(const GenerateAssignmentRequest& request);
int run(const ProveStepsRequest& request);

}  // namespace schedproof::command
