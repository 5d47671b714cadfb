/// The setting of a redundancy simulation: from the words of a request to policies, machines and jobs.
///
/// Machines are given in one of three ways: a mean service linear in time, simulated in continuous time event by event;
/// a table of availability; or random periods, both in slots. Jobs come from a trace or from a Poisson process with a
/// law of sizes. Jobs and paths of machines depend on the seed and the replication alone, so all policies are compared
/// on the same ones. Defaults are the constants of the paper's simulations as far as they are known.
/// Source: [xu2017], Section 6; docs/models/redundancy.md, Interpretations R13 and R14.
#include "experiments/command/simulate/redundancy/setting.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "experiments/command/core/exact_option.hpp"
#include "experiments/command/families/family_files.hpp"
#include "experiments/input/traces/job_trace.hpp"
#include "experiments/simulators/redundancy/copies_in_slots.hpp"
#include "experiments/simulators/redundancy/mean_service.hpp"
#include "experiments/simulators/redundancy/recorded_periods.hpp"
#include "model/base/text.hpp"
#include "model/core/errors.hpp"
#include "model/redundancy/codec/codec.hpp"

namespace schedproof::cli {

namespace {

using redundancy::Jobs;

bool positive(const Rational& value) { return value.sign() > 0; }

/// What an option's reader complains about, at the option.
template <class Read>
auto at_option(const char* option, Read&& read) {
    try {
        return read();
    } catch (const InputError& error) {
        throw InputError::at_key(option, error.expected());
    }
}

double work_of(const Jobs<Real>& jobs) {
    double sum = 0;
    for (const auto& job : jobs) sum += job.size.value();
    return sum;
}

}  // namespace

std::vector<Contender> contenders(const RedundancySimulation& request, const std::vector<std::string>& policies,
                                  const Rational& beta) {
    std::vector<Contender> all;
    std::vector<Rational> betas;
    for (const std::string& text : request.betas)
        betas.push_back(option_number(text, "--beta", "0 < beta <= 1",
                                      [](const Rational& b) { return positive(b) && b <= Rational(1); }));
    if (betas.empty()) betas.push_back(beta);
    for (const std::string& name : policies) {
        require_agreement("redundancy", name);
        const bool with_beta = redundancy::has_beta(name);
        for (std::size_t b = 0; b < (with_beta ? betas.size() : 1); ++b) {
            const auto algorithm = at_option("--beta", [&] { return redundancy::make_policy(name, betas[b]); });
            const std::string label = with_beta && betas.size() > 1 ? name + " " + betas[b].to_string() : name;
            if (std::any_of(all.begin(), all.end(), [&](const auto& c) { return c.name == label; }))
                throw InputError::at_key("--policy",
                                         fmt::format("expected each policy once, but {} stands twice", label));
            all.push_back({label, name, with_beta ? std::optional(betas[b]) : std::nullopt, algorithm});
        }
    }
    return all;
}

RedundancySetting::RedundancySetting(const RedundancySimulation& request, const std::vector<std::string>& policies,
                                     const std::optional<double>& horizon)
    : contenders_(cli::contenders(request, policies, Rational(1) / Rational(2))),
      speed_(option_number(request.speed.empty() ? "1" : request.speed, "--speed", "a speed above 0", positive)),
      within_(option_number(request.within, "--within", "a time above 0", positive).approximate()) {
    read_machines(request);
    if (request.jobs.empty())
        read_workload(request, horizon);
    else if (horizon)
        throw InputError::at_key("--horizon",
                                 "cannot be used with --trace, which runs to its end; --until leaves out later jobs");
    else if (!request.sizes.empty())
        throw InputError::at_key("--sizes", "cannot be used with --trace, which gives it for every job");
    else
        read_trace(request);
}

void RedundancySetting::read_machines(const RedundancySimulation& request) {
    machines_ = request.machines.value_or(100);
    if (!request.service.empty()) {
        service_ = at_option("--service", [&] { return redundancy::parse_service(request.service); });
        if (!service_->linear())
            throw InputError::at_key(
                "--service", "expected a service linear in time: det, two-point:FAST,SLOW or gains:G1,G2,...@PEAK");
        if (machines_ > redundancy::max_machines)
            throw InputError::at_key("--machines", fmt::format("expected at most {} machines with --service, whose "
                                                               "gains are exact, not {}",
                                                               redundancy::max_machines, machines_));
    } else if (!request.availability.empty()) {
        table_file_ = base::display_name(request.availability);
        input::HashedInput in(request.availability);
        table_ = input::read_availability(in.stream(), table_file_);
        inputs_.push_back(in.file());
        if (table_.length < 1)
            throw InputError::in_file(table_file_, "end",
                                      fmt::format("expected a record of at least a second, the length "
                                                  "of a slot, not {}",
                                                  table_.length));
        machines_ = request.machines.value_or(table_.machines.size());
        if (machines_ > table_.machines.size())
            throw InputError::at_key("--machines", fmt::format("expected at most the {} machines of {}, not {}",
                                                               table_.machines.size(), table_file_, machines_));
    } else {
        periods_ = simulation::period_law(request.periods.empty() ? "A" : request.periods);
    }
}

void RedundancySetting::read_trace(const RedundancySimulation& request) {
    if (request.jobs == "-" && request.availability == "-")
        throw InputError::at_key("--availability", "expected one file from standard input, not two");
    trace_ = base::display_name(request.jobs);
    const double scale = option_number(request.scale, "--scale", "a scale above 0", positive).approximate();
    using Unit = input::TraceSizes::Unit;
    const input::TraceSizes sizes{request.unit == "tasks" ? Unit::tasks : Unit::bytes, scale};
    const input::TraceKind kind = input::trace_kind(request.jobs, "");
    input::HashedInput in(request.jobs);
    input::JobTrace trace = input::read_job_trace(in.stream(), trace_, kind, sizes);
    inputs_.push_back(in.file());
    if (request.until)
        std::erase_if(trace.jobs, [&](const input::TracedJob& job) { return job.submit > *request.until; });
    if (trace.jobs.empty()) throw InputError::at_key("--until", "expected a time up to which jobs arrive");
    traced_ = input::redundancy_jobs(trace);
    if (trace.without_work > 0)
        passed_over_ = fmt::format("; {} without {} passed over", trace.without_work, input::what_is_missing(kind));
}

void RedundancySetting::read_workload(const RedundancySimulation& request, const std::optional<double>& horizon) {
    workload_.rate = option_number(request.rate, "--rate", "a rate above 0", positive).approximate();
    workload_.horizon = horizon.value_or(10'000);
    const double mean = request.mean_size.empty()
                            ? 40
                            : option_number(request.mean_size, "--mean-size", "a size above 0", positive).approximate();
    sizes_ = request.sizes.empty() ? fmt::format("pareto:2,{}", mean / 2) : request.sizes;
    workload_.sizes = request.sizes.empty() ? workload::RealLaw(workload::Pareto{2, mean / 2})
                                            : workload::parse_law(sizes_, "--sizes");
    if (const auto* recorded = std::get_if<workload::Recorded>(&workload_.sizes))
        inputs_.push_back({recorded->file, recorded->sha256});
    if (workload_.rate * workload_.horizon > workload::max_generated_jobs)
        throw InputError::at_key("--horizon",
                                 fmt::format("expected at most {} jobs, rate times horizon, not {}",
                                             workload::max_generated_jobs, workload_.rate * workload_.horizon));
}

double RedundancySetting::mean_size() const {
    return trace_.empty() ? workload::mean(workload_.sizes) : work_of(traced_) / static_cast<double>(traced_.size());
}

std::string RedundancySetting::nothing_random() const {
    return service_ && !trace_.empty() ? "with a trace and mean service nothing is random" : "";
}

std::string RedundancySetting::workload_line() const {
    const double capacity = static_cast<double>(machines_) * speed_.approximate();
    if (trace_.empty())
        return fmt::format("Poisson, rate {}, sizes {}, up to {}; load {:.3g}", workload_.rate, sizes_,
                           workload_.horizon, workload_.rate * mean_size() / capacity);
    const double length = traced_.back().arrival.value();
    return fmt::format("{} of {} in {:.6g} s, mean size {:.4g}{}{}", traced_.size(), trace_, length, mean_size(),
                       length > 0 ? fmt::format("; load {:.3g}", work_of(traced_) / length / capacity) : "",
                       passed_over_);
}

std::string RedundancySetting::machines_line() const {
    const std::string text = fmt::format("{} at speed {}, ", machines_, speed_.to_string());
    if (service_) return text + fmt::format("service {} in continuous time", service_->to_string());
    double part = 0;
    if (periods_) {
        part = periods_->availability();
    } else {
        for (std::size_t m = 0; m < machines_; ++m)
            for (const auto& interval : table_.available[m])
                part += (interval.end - interval.start) / table_.length / static_cast<double>(machines_);
    }
    return text + fmt::format("{} in slots, {:.1f}% of the time available",
                              periods_ ? "periods " + periods_->name : "availability " + table_file_, 100 * part);
}

Jobs<Real> RedundancySetting::jobs(const statistics::Replication& replication) const {
    return trace_.empty() ? workload::generate(workload_, replication) : traced_;
}

std::unique_ptr<simulation::MachineWork> RedundancySetting::paths(const statistics::Replication& replication) const {
    if (periods_) return std::make_unique<simulation::RandomPeriods>(*periods_, machines_, replication);
    return std::make_unique<simulation::RecordedPeriods>(table_, machines_);
}

simulation::Run RedundancySetting::run(const Contender& contender, const Jobs<Real>& jobs,
                                       const statistics::Replication& replication,
                                       const simulation::Progress& progress) const {
    if (service_)
        return simulation::run_on_mean_service(contender.algorithm, {machines_, *service_, jobs}, speed_, progress);
    const auto machines = paths(replication);
    simulation::SlottedSetting setting{jobs, speed_.approximate(), replication};
    setting.progress = progress;
    return simulation::run_in_slots(contender.algorithm, *machines, setting);
}

}  // namespace schedproof::cli
