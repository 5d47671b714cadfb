/// What `schedproof simulate` asks for, and what a family of models gives it to run.
///
/// A family (FamilySimulation) reads its options and the policies' names, and returns a setting: for each policy an
/// experiment with everything fixed but the random numbers, and words about the system. What replications, intervals,
/// files and pictures become of it is not the family's business. Each family has a folder with its options and its
/// setting.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "checks/core/family.hpp"
#include "experiments/command/core/plot_file.hpp"
#include "experiments/command/core/requests.hpp"
#include "experiments/command/core/subcommand.hpp"
#include "experiments/input/text/hashed_input.hpp"
#include "experiments/simulators/core/observation.hpp"
#include "experiments/workload/trace_report.hpp"

namespace schedproof::cli {

/// How long a run is, in batches of equal length.
struct RunLength {
    std::optional<double> horizon;  ///< Unit: the experiment's time unit; none: the family's default
    std::uint64_t batches = 200;    ///< Range: at least 1
};

/// One policy with its parameters, ready to run.
struct SimulatedPolicy {
    std::string label;
    /// Options that choose this one alone, such as {"--policy", "delay", "--delay", "5"}.
    std::vector<std::string> words;
    std::unique_ptr<const simulation::Experiment> experiment;
    std::optional<double> parameter = {};  ///< a number that tells policies of one kind apart, such as D
    std::string parameter_name = {};       ///< of its axis, with the unit
    std::string definition = {};           ///< its rules, or the values of its parameters
};

struct SimulationSetting {
    std::vector<SimulatedPolicy> policies;                   ///< in the order asked for; at least one
    std::vector<std::pair<std::string, std::string>> lines;  ///< such as {"servers", "1000 in 20 racks"}
    std::vector<std::string> warnings;                       ///< such as a load above capacity
    std::vector<input::InputFile> inputs;                    ///< the files that were read
    std::vector<std::string> varied;  ///< options that the policies' words stand for, besides --policy: "--delay"
    bool terminating = false;         ///< a run has an end of its own (a trace), so nothing of it is warm-up
    std::string nothing_random = {};  ///< why all replications are the same; empty: they are not
    /// Digest of the queueing instance that all policies run on, in slots and without truncation; empty otherwise.
    std::string instance_digest;
};

struct SimulateRequest;

/// How a family's policies are simulated: by options of its own and the common ones.
class FamilySimulation {
  public:
    virtual ~FamilySimulation() = default;
    /// Those that it reads, besides the common ones; they fill this object. An option of several families has one name,
    /// and each of them gets its value.
    [[nodiscard]] virtual OptionTable options() = 0;
    /// Whether there is nothing to simulate without any of them.
    [[nodiscard]] virtual bool needs_options() const { return false; }
    /// Common options that mean nothing here, each with the reason.
    [[nodiscard]] virtual std::vector<std::pair<std::string, std::string>> meaningless() const { return {}; }
    /// Throws InputError that names the option, or the place in a file.
    [[nodiscard]] virtual SimulationSetting setting(const SimulateRequest& request) const = 0;
    /// Answers where nothing is random, and returns the exit code; none: there is a study to be made. Throws as above.
    [[nodiscard]] virtual std::optional<int> answer(const SimulateRequest&) const { return {}; }
    /// Of these answers in JSON.
    [[nodiscard]] virtual Forms forms() const { return {}; }
};

struct SimulatedFamily {
    const checks::Family* family;
    std::shared_ptr<FamilySimulation> simulation;
    OptionTable options;
};

/// Lines on what a trace says about the assumptions of theorems; `capacity` is in the submissions' work per second.
void assess_trace(const std::vector<workload::Submission>& jobs, const Rational& capacity, SimulationSetting& setting);

/// A picture of results.
struct FigureRequest : PlotRequest {
    std::string kind = "auto";  ///< `auto`, `series`, `cdf` or `mean`
    std::string x, y;           ///< variable and quantity of `mean`; empty: the first of each
};
[[nodiscard]] OptionTable figure_options(FigureRequest& figure);
/// `--series`.
[[nodiscard]] OptionTable series_options(std::string& series);
/// Numbers are words here where the command reads and checks them.
struct SimulateRequest {
    std::vector<std::string> policies;
    RunLength length;
    std::uint64_t seed = 1, first = 0;
    std::optional<std::uint64_t> replications;  ///< none: 10
    std::string precision;                      ///< such as `1%`, or empty
    std::uint64_t most = 1000;                  ///< replications, with a precision
    std::string confidence = "0.95";
    std::string warm_up = "auto";
    std::string control;                    ///< file of a certificate, or empty
    std::vector<SimulatedFamily> families;  ///< all that are simulated

    std::uint64_t threads = 0;  ///< 0: one per core
    bool dry_run = false;       ///< list the runs, and run nothing
    bool explain = false;       ///< say which engine would run, and run nothing
    std::string resume;         ///< directory of units, or empty
    std::string shard;
    std::string series;  ///< file, or empty
    FigureRequest figure;
    Destination to;

    /// The options that results depend on, as they were given, name by name without dashes; the argument has none.
    std::vector<std::pair<std::string, std::vector<std::string>>> given;
    /// Every option that was given, as it is written.
    std::vector<std::string> given_names;
};

int run(const SimulateRequest& request);

/// Of the family that has all the policies and reads the options that were given. Throws InputError for an unknown
/// policy, with the nearest name, and for an option of another family.
[[nodiscard]] SimulationSetting make_setting(const SimulateRequest& request);

/// The request that these arguments of `simulate` make. Throws InputError with the parser's complaint.
[[nodiscard]] SimulateRequest parse_simulate(const std::vector<std::string>& arguments);

/// An option of `simulate` as a key of a sweep: its long name without dashes; the argument is called `instance`.
struct SimulateKey {
    std::string name;
    bool flag = false;
    bool simulated = true;  ///< false for those that say where answers go
};
[[nodiscard]] std::vector<SimulateKey> simulate_keys();

}  // namespace schedproof::cli
