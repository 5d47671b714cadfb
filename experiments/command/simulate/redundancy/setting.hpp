/// From the words of a request to policies, jobs and machines.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "experiments/command/simulate/redundancy/request.hpp"
#include "experiments/input/text/hashed_input.hpp"
#include "experiments/input/traces/availability.hpp"
#include "experiments/simulators/redundancy/machine_work.hpp"
#include "experiments/simulators/redundancy/random_periods.hpp"
#include "experiments/simulators/redundancy/slotted_run.hpp"
#include "experiments/workload/redundancy_workload.hpp"
#include "policies/redundancy/registry.hpp"

namespace schedproof::cli {

/// A policy in the comparison.
struct Contender {
    std::string name;              ///< with beta where there are several
    std::string policy;            ///< id
    std::optional<Rational> beta;  ///< of policies that have one
    redundancy::AnyPolicy algorithm;
};

/// The policies, those with a beta once for each; `beta` is that of a request that names none.
/// Throws InputError that names the option.
[[nodiscard]] std::vector<Contender> contenders(const RedundancySimulation& request,
                                                const std::vector<std::string>& policies, const Rational& beta);

class RedundancySetting {
  public:
    /// Reads trace and table; `horizon`: after which no drawn job arrives, none: 10000. Throws InputError that names
    /// the option or the place in the file.
    RedundancySetting(const RedundancySimulation& request, const std::vector<std::string>& policies,
                      const std::optional<double>& horizon);

    [[nodiscard]] const std::vector<Contender>& contenders() const { return contenders_; }
    [[nodiscard]] double within() const { return within_; }
    [[nodiscard]] bool in_slots() const { return !service_; }
    /// Why all replications are the same; empty: they are not.
    [[nodiscard]] std::string nothing_random() const;
    [[nodiscard]] double mean_size() const;
    /// Two lines for people.
    [[nodiscard]] std::string workload_line() const;
    [[nodiscard]] std::string machines_line() const;
    [[nodiscard]] const std::vector<input::InputFile>& inputs() const { return inputs_; }

    /// The same for every contender.
    [[nodiscard]] redundancy::Jobs<Real> jobs(const statistics::Replication& replication) const;
    [[nodiscard]] simulation::Run run(const Contender& contender, const redundancy::Jobs<Real>& jobs,
                                      const statistics::Replication& replication,
                                      const simulation::Progress& progress) const;

  private:
    void read_trace(const RedundancySimulation& request);
    void read_workload(const RedundancySimulation& request, const std::optional<double>& horizon);
    void read_machines(const RedundancySimulation& request);
    [[nodiscard]] std::unique_ptr<simulation::MachineWork> paths(const statistics::Replication& replication) const;

    std::vector<Contender> contenders_;
    Rational speed_;
    double within_ = 0;
    std::uint64_t machines_ = 100;
    std::vector<input::InputFile> inputs_;
    std::string trace_;  // name of its file, or empty
    redundancy::Jobs<Real> traced_;
    std::string passed_over_;  // jobs of the trace without work, in words; empty when it has none
    workload::RedundancyWorkload workload_;
    std::string sizes_;  // the law in words
    std::optional<redundancy::Service> service_;
    std::optional<simulation::PeriodLaw> periods_;
    std::string table_file_;
    input::Availability table_;
};

}  // namespace schedproof::cli
