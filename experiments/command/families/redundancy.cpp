/// Problems of the redundancy family as files, bundles and pictures (family_files.hpp).
///
/// The picture of a counterexample shows the remaining work of every job under the policy, recomputed exactly: the
/// claim is about flow times, and these are where a job's curve reaches 0.
#include <fmt/core.h>

#include "checks/redundancy/family.hpp"
#include "experiments/command/families/family_files.hpp"
#include "experiments/command/families/tables.hpp"
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
figures::Plot schedule_picture(const std::string& claim, const Counterexample& c) {
    const Instance& instance = checks::case_of<RedundancyFamily>(c);
    const History<Rational> history =
        redundancy::history(make_policy(c.policy, instance.beta), instance.problem, instance.speed);
    std::vector<figures::Curve> curves(instance.problem.jobs.size());
    for (std::size_t j = 0; j < curves.size(); ++j) curves[j].name = fmt::format("job {}", j);
    for (const auto& interval : history.intervals)
        for (const auto& active : interval.active)
            curves[active.job.index()].points.push_back({interval.start.approximate(), active.remaining.approximate()});
    for (std::size_t j = 0; j < curves.size(); ++j)
        curves[j].points.push_back({history.completion[j].approximate(), 0});
    const std::string title = fmt::format("{}, {} at speed {}", claim, c.policy, instance.speed.to_string());
    return {title, {{c.violation, "time", "remaining work", std::move(curves), {}, {}, false, false}}};
}

class RedundancyFiles final : public FamilyFiles {
  public:
    [[nodiscard]] std::string_view family() const override { return RedundancyFamily::id; }
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
