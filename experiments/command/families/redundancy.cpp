/// Problems of the redundancy family as files, bundles and pictures (family_files.hpp).
///
/// The picture of a counterexample shows the remaining work of every job under the policy, recomputed exactly: the
/// claim is about flow times, and these are where a job's curve reaches 0.
#include <fmt/core.h>

#include "checks/redundancy/family.hpp"
#include "checks/suite/shown_problem.hpp"
#include "experiments/command/families/family_files.hpp"
#include "experiments/command/families/tables.hpp"
#include "experiments/command/simulate/redundancy/request.hpp"
#include "experiments/command/worst/worst.hpp"
#include "experiments/figures/plot.hpp"
#include "experiments/simulators/redundancy/experiment.hpp"
#include "model/base/output_file.hpp"
#include "model/redundancy/codec/codec.hpp"
#include "policies/core/definition.hpp"

namespace schedproof::cli {

namespace {

using namespace redundancy;
using checks::Counterexample;
using checks::RedundancyFamily;

std::string summary_of_jobs(const Instance& instance) {
    const auto& [machines, service, jobs] = instance.problem;
    std::string text = fmt::format("instance  {}\n", instance.name);
    if (!instance.source.empty()) text += fmt::format("source    {}\n", instance.source);
    text += fmt::format("machines  {}\nservice   {}, peak rate {}; gains of copies", machines, service.to_string(),
                        service.peak().to_string());
    for (std::size_t r = 1; r <= machines && r <= longest_row; ++r)
        text += " " + service.gain(static_cast<std::uint32_t>(r)).to_string();
    if (machines > longest_row) text += " ...";
    text += fmt::format("\nspeed     {}\nbeta      {}\njobs      {}   (arrival; size)\n", instance.speed.to_string(),
                        instance.beta.to_string(), jobs.size());
    for (std::size_t j = 0; j < jobs.size() && j < longest_table; ++j)
        text += fmt::format("  {}: {}; {}\n", j, jobs[j].arrival.to_string(), jobs[j].size.to_string());
    if (jobs.size() > longest_table) text += fmt::format("  ... and {} more\n", jobs.size() - longest_table);
    return text;
}

class RedundancyFile final : public InstanceFile {
  public:
    explicit RedundancyFile(Instance instance) : instance_(std::move(instance)) {}
    [[nodiscard]] std::string summary() const override { return summary_of_jobs(instance_); }
    [[nodiscard]] std::string toml() const override { return write_toml(instance_); }
    [[nodiscard]] std::string json() const override { return write_json(instance_); }
    [[nodiscard]] checks::DomainPtr domain() const override {
        return checks::single_case<RedundancyFamily>(instance_.name, instance_);
    }

  private:
    Instance instance_;
};

/// Remaining work of every job over time under the policy, from its arrival to its completion.
figures::Plot schedule_plot(const Instance& instance, const std::string& policy, const std::string& title,
                            const std::string& subtitle) {
    const History<Rational> history =
        redundancy::history(make_policy(policy, instance.beta), instance.problem, instance.speed);
    std::vector<figures::Curve> curves(instance.problem.jobs.size());
    for (std::size_t j = 0; j < curves.size(); ++j) curves[j].name = fmt::format("job {}", j);
    for (const auto& interval : history.intervals)
        for (const auto& active : interval.active)
            curves[active.job.index()].points.push_back({interval.start.approximate(), active.remaining.approximate()});
    for (std::size_t j = 0; j < curves.size(); ++j)
        curves[j].points.push_back({history.completion[j].approximate(), 0});
    return {title, {{subtitle, "time", "remaining work", std::move(curves), {}, {}, false, false}}};
}

figures::Plot schedule_picture(const std::string& claim, const Counterexample& c) {
    const Instance& instance = checks::case_of<RedundancyFamily>(c);
    return schedule_plot(instance, c.policy,
                         fmt::format("{}, {} at speed {}", claim, c.policy, instance.speed.to_string()), c.violation);
}

/// Three jobs that come one after another on four machines: fewer jobs than machines, so that copies tell.
PolicyPicture jobs_picture(const std::string& policy) {
    const Instance instance = parse_instance(
        "family = \"redundancy\"\nname = \"three-jobs\"\nmachines = 4\nservice = \"two-point:3,0\"\n"
        "beta = \"1/2\"\njobs = [{arrival = 0, size = 3}, {arrival = \"1/2\", size = 1}, {arrival = 1, size = 2}]\n",
        base::Format::toml, "three-jobs");
    return {"Three jobs on four machines",
            "The remaining work of three jobs of sizes 3, 1 and 2 that come at 0, 1/2 and 1, with service "
            "two-point:3,0 and beta = 1/2: exact, at the events of the schedule.",
            {},
            {{"schedule", figures::draw(schedule_plot(instance, policy, policy + ", three jobs on four machines", ""),
                                        figures::Picture::svg)}}};
}

constexpr std::string_view redundancy_header =
    R"text(/// @ID@: how many copies each job has, and which share of its machines.
///
/// What is hoped for, and the commands that decide it:
///   all of it at once               schedproof validate @FILE@
///   how much worse than the best    schedproof worst --shape n2-m2-det --policy-file @FILE@
///   claims about every policy       schedproof check redundancy --policy-file @FILE@
///   how it does beside another      schedproof simulate --policy-file @FILE@ -p @ID@ -p srpt+r --rate 1 --horizon 20000
///
/// A policy sees two counts. grant(allocation, first, last, {copies, ways}) gives the jobs of ranks first to last - 1
/// `copies` copies each, on machines that each of them shares with ways - 1 others. The sum of copies / ways is at most
/// the number of machines.
#pragma once

#include <algorithm>
#include <array>

#include "model/redundancy/allocation.hpp"

namespace schedproof::redundancy {

struct @TYPE@ {
    /// Its name in commands, where it comes from, what it does in one sentence.
    static constexpr PolicyInfo info{"@ID@", "", "one copy for each of the M oldest jobs"};
    /// Claims of `schedproof list claims` that `validate` asks of it, whichever policies they speak of.
    static constexpr std::array<const char*, 0> hopes{};

    /// How active jobs are ranked from 0: Order::remaining, least remaining work first, or Order::arrival, oldest first.
    static constexpr Order order = Order::arrival;

    /// What n >= 1 active jobs get of this many machines. Parameters, if there are any, are public members that a
    /// `parameters` list names (model/core/parameters.hpp).
    [[nodiscard]] constexpr Allocation allocate(std::size_t n, std::size_t machines) const {
        Allocation allocation;
        grant(allocation, 0, std::min(n, machines), {1, 1});
        return allocation;
    }
};

// Says at the first rule that is broken what the family asks of a policy.
static_assert(admitted<@TYPE@>());

}  // namespace schedproof::redundancy
)text";

class RedundancyFiles final : public FamilyFiles {
  public:
    [[nodiscard]] std::string_view family() const override { return RedundancyFamily::id; }
    [[nodiscard]] std::string policy_template() const override { return std::string(redundancy_header); }
    [[nodiscard]] std::string shown(const Counterexample& c) const override {
        return suite::shown(checks::case_of<RedundancyFamily>(c));
    }
    /// Source: docs/models/redundancy.md, Optimum and duals, Theorems; [xu2017], Sections 3 to 5.
    [[nodiscard]] std::vector<Argument> arguments() const override {
        return {{"redundancy.theorem-1",
                 {"redundancy.lemma-3", "redundancy.weak-duality", "redundancy.srpt-dual-value", "redundancy.lemma-4",
                  "redundancy.copies-help-srpt"}},
                {"redundancy.srpt-dual-value", {"redundancy.lemma-5", "redundancy.alpha-is-an-increment"}},
                {"redundancy.alpha-is-an-increment", {"redundancy.lemma-5"}},
                {"redundancy.lemma-4",
                 {"redundancy.lemma-4.static", "redundancy.dominance-step", "redundancy.dominance-arrival"}},
                {"redundancy.copies-help-srpt", {"redundancy.copies-leave-less"}},
                {"redundancy.copies-leave-less", {"redundancy.copies-leave-less.step", "redundancy.dominance-arrival"}},
                {"redundancy.theorem-2",
                 {"redundancy.lemma-3", "redundancy.weak-duality", "redundancy.fair-feasible.cap",
                  "redundancy.fair-value.cap"}},
                {"redundancy.fair-feasible.cap", {"redundancy.lemma-6"}},
                {"redundancy.fair-feasible.rank", {"redundancy.lemma-6"}},
                {"redundancy.fair-feasible.shifted", {"redundancy.lemma-6"}},
                {"redundancy.fair-value.cap", {"redundancy.lemma-7"}},
                {"redundancy.fair-value.rank", {"redundancy.lemma-7"}},
                {"redundancy.fair-value.shifted", {"redundancy.lemma-7"}},
                {"redundancy.theorem-3", {"redundancy.laps-potential", "redundancy.laps-potential.strengthened"}},
                {"redundancy.laps-potential", {"redundancy.laps-drift"}},
                {"redundancy.laps-potential.strengthened", {"redundancy.laps-drift.strengthened"}},
                {"redundancy.laps-drift.strengthened", {"redundancy.laps-core"}},
                {"redundancy.lemma-1", {"redundancy.lemma-1.pointwise"}},
                {"redundancy.lemma-2", {"redundancy.lemma-2.pointwise"}}};
    }
    [[nodiscard]] std::shared_ptr<FamilySimulation> simulation() const override { return redundancy_simulation(); }
    [[nodiscard]] std::unique_ptr<InstanceFile> decode(const base::Cursor& document) const override {
        return std::make_unique<RedundancyFile>(decode_instance(document));
    }
    [[nodiscard]] std::optional<PolicyHeaders> policy_headers() const override {
        return PolicyHeaders{"model/redundancy/allocation.hpp", "policies/redundancy/any_policy.hpp"};
    }
    std::string add_policy(const std::any& added) const override {
        return known(std::any_cast<const AnyPolicy&>(added));
    }
    void write_problem(const std::string& folder, const std::string& claim, const Counterexample& c) const override {
        write(folder + "/instance.toml", claim, c);
    }
    [[nodiscard]] std::string write_found(const std::string& folder, const std::string& claim,
                                          const Counterexample& found) const override {
        write(folder + "/found.toml", claim, found);
        return "found.toml";
    }
    [[nodiscard]] std::string definition(const Counterexample& c) const override {
        return schedproof::definition(make_policy(c.policy, checks::case_of<RedundancyFamily>(c).beta));
    }
    [[nodiscard]] Counterexample read_problem(const BundleText& bundle, const std::string& policy) const override {
        return checks::counterexample<RedundancyFamily>(
            redundancy::read_instance(bundle.directory() + "/instance.toml"), policy);
    }
    void illustrate(const std::string& folder, const std::string& claim, const Counterexample& c) const override {
        const auto& problem = checks::case_of<RedundancyFamily>(c).problem;
        if (!problem.jobs.empty() && problem.service.linear())
            base::write_file(folder + "/schedule.svg",
                             figures::draw(schedule_picture(claim, c), figures::Picture::svg));
    }
    [[nodiscard]] std::optional<PolicyPicture> pictured(const std::string& policy) const override {
        return jobs_picture(policy);
    }
    [[nodiscard]] Worst worst() const override { return run_redundancy; }
    [[nodiscard]] std::vector<std::string> worst_cases(
        const std::string& policy, const explore::Budget& budget,
        const std::function<void(const WorstFound&)>& found) const override {
        for (const char* shape : {"n2-m2-det", "n2-m2-two-point:3,0"}) found(worst_redundancy(policy, shape, budget));
        return {"worst cases: more than two jobs or machines, other services, other speeds than 1"};
    }
    /// The cluster of the paper's simulations, as far as its constants are known: those of `simulate`.
    [[nodiscard]] std::vector<Comparison> comparisons(const std::string& policy, std::uint64_t length) const override {
        Comparison comparison{"100-machines", "flowtime", {}};
        for (const std::string& id : {policy, std::string(SrptR::info.id), std::string(FairR::info.id)}) {
            if (!comparison.policies.empty() && id == policy) continue;
            simulation::FlowtimeSettings settings{.policy = make_policy(id, Rational(1) / Rational(2))};
            settings.periods = simulation::period_law("A");
            settings.workload.horizon = static_cast<double>(length);
            comparison.policies.emplace_back(id, simulation::make_flowtime_experiment(std::move(settings)));
        }
        std::vector<Comparison> all;
        all.push_back(std::move(comparison));
        return all;
    }
    [[nodiscard]] TestCode test_code(const Counterexample& c) const override {
        return {{"checks/redundancy/family.hpp", "model/redundancy/codec/codec.hpp"},
                "    const redundancy::Instance instance = redundancy::parse_instance(" +
                    text_literal(write_toml(checks::case_of<RedundancyFamily>(c))) +
                    ",\n        base::Format::toml, \"counterexample\");\n",
                "instance",
                "RedundancyFamily"};
    }

  private:
    static std::string known(const AnyPolicy& added) {
        redundancy::add_policy(added);
        return checks::policy_id(added);
    }
    static void write(const std::string& path, const std::string& claim, const Counterexample& c) {
        Instance instance = checks::case_of<RedundancyFamily>(c);
        instance.name = "counterexample";
        instance.source = "counterexample to " + claim;
        base::write_file(path, write_toml(instance));
    }
};

}  // namespace

std::unique_ptr<const FamilyFiles> redundancy_files() { return std::make_unique<RedundancyFiles>(); }

}  // namespace schedproof::cli
