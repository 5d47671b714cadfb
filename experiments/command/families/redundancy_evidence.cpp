#include "experiments/command/families/redundancy_evidence.hpp"

#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "checks/redundancy/shrink.hpp"
#include "experiments/command/core/output.hpp"
#include "experiments/figures/plot.hpp"
#include "model/base/output_file.hpp"
#include "model/redundancy/codec/codec.hpp"

namespace schedproof::command {

namespace {

using namespace redundancy;
using checks::RedundancyClaim;
using checks::RedundancyCounterexample;

/// The test that a project would keep: the counterexample as a file, judged again.
std::string test_snippet(const RedundancyClaim& claim, const RedundancyCounterexample& c) {
    return fmt::format(
        "// {}: {}\n// Fails: {}\n#include <gtest/gtest.h>\n\n#include \"checks/core/registry.hpp\"\n"
        "#include \"checks/core/run.hpp\"\n#include \"model/redundancy/codec/codec.hpp\"\n\n"
        "TEST(Counterexample, {}) {{\n    using namespace schedproof;\n"
        "    const redundancy::Instance instance = redundancy::read_instance(\"instance.toml\");\n"
        "    const auto claims = checks::all_claims();\n"
        "    const auto& claim = std::get<checks::RedundancyClaim>(checks::select(claims, "
        "{{\"{}\"}}).front()->asked);\n"
        "    EXPECT_NE(claim.violation(\"{}\", instance), \"\");\n}}\n",
        claim.id, claim.statement, c.violation, test_name(claim.id), claim.id, c.policy);
}

/// Remaining work of every job over time under the policy, from its arrival to its completion.
figures::Plot schedule_picture(const RedundancyClaim& claim, const RedundancyCounterexample& c) {
    const Instance& instance = *c.problem;
    const History<Rational> history =
        redundancy::history(make_policy(c.policy, instance.beta), instance.problem, instance.speed);
    std::vector<figures::Curve> curves(instance.problem.jobs.size());
    for (std::size_t j = 0; j < curves.size(); ++j) curves[j].name = fmt::format("job {}", j);
    for (const auto& interval : history.intervals)
        for (const auto& active : interval.active)
            curves[active.job.index()].points.push_back({interval.start.approximate(), active.remaining.approximate()});
    for (std::size_t j = 0; j < curves.size(); ++j)
        curves[j].points.push_back({history.completion[j].approximate(), 0});
    const std::string title = fmt::format("{}, {} at speed {}", claim.id, c.policy, instance.speed.to_string());
    return {title, {{c.violation, "time", "remaining work", std::move(curves), {}, {}, false, false}}};
}

bool drawable(const RedundancyCounterexample& c) {
    return !c.problem->problem.jobs.empty() && c.problem->problem.service.linear();
}

Instance named(Instance instance, const RedundancyClaim& claim) {
    instance.name = "counterexample";
    instance.source = "counterexample to " + claim.id;
    return instance;
}

}  // namespace

void write_bundle(const RedundancyClaim& claim, const RedundancyCounterexample& found, const std::string& folder) {
    const auto complaint = [&](const Instance& instance) { return claim.violation(found.policy, instance); };
    checks::ShrunkInstance shrunk = checks::shrink(*found.problem, complaint);
    RedundancyCounterexample c{std::make_shared<const Instance>(std::move(shrunk.instance)), found.policy, ""};
    c.violation = complaint(*c.problem);
    base::write_file(folder + "/instance.toml", write_toml(named(*c.problem, claim)));
    base::write_file(folder + "/found.toml", write_toml(named(*found.problem, claim)));
    write_json(folder + "/counterexample.json", "counterexample",
               {{"claim", claim.id},
                {"statement", claim.statement},
                {"policy", c.policy},
                {"violation", c.violation},
                {"found", {{"instance", "found.toml"}, {"violation", found.violation}}},
                {"candidates_tried", shrunk.tried}});
    if (drawable(c))
        base::write_file(folder + "/schedule.svg", figures::draw(schedule_picture(claim, c), figures::Picture::svg));
    base::write_file(folder + "/counterexample_test.cpp", test_snippet(claim, c));
}

Replay replay(const RedundancyClaim& claim, const BundleText& bundle) {
    const Instance instance = redundancy::read_instance(bundle.directory() + "/instance.toml");
    const std::string policy = checks::RedundancyFamily::policy(bundle.text("policy"));
    return {claim.id, policy, instance.name, claim.violation(policy, instance)};
}

}  // namespace schedproof::command
