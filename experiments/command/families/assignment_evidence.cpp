#include "experiments/command/families/assignment_evidence.hpp"

#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "checks/assignment/shrink.hpp"
#include "checks/pictures/render.hpp"
#include "experiments/command/core/output.hpp"
#include "model/assignment/codec/codec.hpp"
#include "model/base/output_file.hpp"

namespace schedproof::command {

namespace {

using namespace assignment;
using checks::AssignmentClaim;
using checks::AssignmentCounterexample;
using checks::AssignmentProblem;

/// The test that a project would keep: the counterexample as a file, judged again.
std::string test_snippet(const AssignmentClaim& claim, const AssignmentCounterexample& c) {
    return fmt::format(
        "// {}: {}\n// Fails: {}\n#include <gtest/gtest.h>\n\n#include \"checks/core/registry.hpp\"\n"
        "#include \"checks/core/run.hpp\"\n#include \"model/assignment/codec/codec.hpp\"\n\n"
        "TEST(Counterexample, {}) {{\n    using namespace schedproof;\n"
        "    const assignment::Instance instance = assignment::read_instance(\"instance.toml\");\n"
        "    const auto claims = checks::all_claims();\n"
        "    const auto& claim = std::get<checks::AssignmentClaim>(checks::select(claims, "
        "{{\"{}\"}}).front()->asked);\n"
        "    EXPECT_NE(claim.violation(assignment::make_scheduler(\"{}\"), instance.problem()), \"\");\n}}\n",
        claim.id, claim.statement, c.violation, test_name(claim.id), claim.id, c.policy);
}

void write_picture(const std::string& stem, const std::string& dot) {
    base::write_file(stem + ".dot", dot);
    base::write_file(stem + ".svg", graph::picture(dot, graph::PictureFormat::svg));
}

/// The graph of the assignment that fails, with the path that should have been flipped; and the loads before and after.
void write_pictures(const std::string& folder, const AssignmentClaim& claim, const AssignmentCounterexample& c) {
    if (c.problem->shape->tasks().size() == 0) return;
    const checks::Exhibit exhibit = claim.exhibit(make_scheduler(c.policy), *c.problem);
    const std::vector<std::string> title{claim.id + ", " + c.policy, c.violation};
    write_picture(folder + "/graph", exhibit.graph_dot(*c.problem, title));
    write_picture(folder + "/loads", exhibit.loads_dot(*c.problem, title));
}

Instance named(const AssignmentProblem& problem, const AssignmentClaim& claim) {
    return instance_of(problem, "counterexample", "counterexample to " + claim.id);
}

}  // namespace

void write_bundle(const AssignmentClaim& claim, const AssignmentCounterexample& found, const std::string& folder) {
    const AnyScheduler scheduler = make_scheduler(found.policy);
    const auto complaint = [&](const AssignmentProblem& problem) { return claim.violation(scheduler, problem); };
    checks::ShrunkProblem shrunk = checks::shrink(*found.problem, complaint);
    AssignmentCounterexample c{std::make_shared<const AssignmentProblem>(std::move(shrunk.problem)), found.policy, ""};
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
    write_pictures(folder, claim, c);
    base::write_file(folder + "/counterexample_test.cpp", test_snippet(claim, c));
}

Replay replay(const AssignmentClaim& claim, const BundleText& bundle) {
    const Instance instance = assignment::read_instance(bundle.directory() + "/instance.toml");
    const std::string policy = bundle.text("policy");
    return {claim.id, policy, instance.name(), claim.violation(make_scheduler(policy), instance.problem())};
}

}  // namespace schedproof::command
