#include "experiments/command/families/queueing_evidence.hpp"

#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "checks/pictures/dot.hpp"
#include "checks/pictures/render.hpp"
#include "checks/queueing/shrink.hpp"
#include "experiments/command/core/output.hpp"
#include "experiments/command/core/system.hpp"
#include "experiments/command/kernel/kernel.hpp"
#include "model/base/output_file.hpp"
#include "model/core/errors.hpp"
#include "model/queueing/codec/codec.hpp"

namespace schedproof::command {

namespace {

using namespace queueing;
using checks::QueueingClaim;
using checks::QueueingCounterexample;
using nlohmann::ordered_json;

/// The test that a project would keep: the counterexample in code.
std::string test_snippet(const QueueingClaim& claim, const ExactSystem& system, const QueueingCounterexample& c) {
    const std::string name = test_name(claim.id);
    std::string body;
    for (std::size_t q = 0; q < c.state.length.size(); ++q)
        if (c.state.length[q].value() > 0)
            body += fmt::format("    state.length[{}] = CheckedInt({});\n", q, c.state.length[q].value());
    for (std::size_t m = 0; m < c.state.serving.size(); ++m)
        if (const Service& s = c.state.serving[m]; s.status != Service::Status::idle)
            body +=
                fmt::format("    state.serving[{}] = {{Service::Status::{}, Level({}), QueueId({})}};\n", m,
                            s.status == Service::Status::busy ? "busy" : "phantom", s.level.index(), s.queue.index());
    for (std::size_t q = 0; q < c.state.waiting.size(); ++q)
        for (const TaskTypeId type : c.state.waiting[q])
            body += fmt::format("    state.waiting[{}].emplace_back({});\n", q, type.index());
    return fmt::format(
        "// {}: {}\n// Fails at {}\n#include <gtest/gtest.h>\n\n#include \"checks/core/registry.hpp\"\n"
        "#include \"checks/core/run.hpp\"\n#include \"model/queueing/codec/codec.hpp\"\n\n"
        "TEST(Counterexample, {}) {{\n    using namespace schedproof;\n    using namespace schedproof::queueing;\n"
        "    const Instance instance = queueing::read_instance(\"instance.toml\");\n"
        "    const auto claims = checks::all_claims();\n"
        "    const checks::Claim& claim = *checks::select(claims, {{\"{}\"}}).front();\n"
        "    const ExactSystem system = checks::registered_exact(instance, \"{}\");\n"
        "    ExactState state = system.initial();\n{}    EXPECT_NE(claim.violation(system, state), \"\");\n}}\n",
        claim.id, claim.statement, checks::describe(system, c.state), name, claim.id, c.policy, body);
}

ordered_json state_json(const ExactSystem& system, const ExactState& state) {
    const StateWords words = to_words(system, state);
    return {{"queues", words.queues}, {"serving", words.serving}, {"counters", words.counters}};
}

/// What the policy does at the state and where the slot leads: the answer of `schedproof kernel`, in both forms.
void write_trace(const std::string& folder, const std::string& policy, const StateWords& words) {
    for (const bool json : {false, true}) {
        KernelRequest request;
        request.system = {folder + "/instance.toml", policy, {}, {}};
        request.state = {words.queues, words.serving, words.counters};
        request.to = {json ? "json" : "text", folder + (json ? "/trace.json" : "/trace.txt")};
        (void)run(request);
    }
}

void write_pictures(const std::string& folder, const ExactSystem& system, const QueueingCounterexample& c) {
    graph::GraphOptions options;
    options.highlighted = {c.state};
    options.max_nodes = 40;
    graph::StateGraph picture = graph::neighbourhood_graph(system, c.state, 1, options);
    picture.caption.push_back(c.violation);
    graph::write_dot(picture, folder + "/state.dot");
    graph::write_picture(picture, folder + "/state.svg", graph::PictureFormat::svg);
}

}  // namespace

void write_bundle(const QueueingClaim& claim, const QueueingCounterexample& found, const std::string& folder) {
    checks::Shrunk shrunk = checks::shrink(claim, found);
    QueueingCounterexample& c = shrunk.counterexample;
    InstanceData data = c.instance->data();
    data.name += ", shrunk";
    data.source = "counterexample to " + claim.id;
    c.instance = std::make_shared<const Instance>(std::move(data));
    const ExactSystem system = checks::registered_exact(*c.instance, c.policy);
    const ExactSystem original = checks::registered_exact(*found.instance, found.policy);
    const StateWords words = to_words(system, c.state);
    base::write_file(folder + "/instance.toml", write_toml(*c.instance));
    write_json(folder + "/counterexample.json", "counterexample",
               {{"claim", claim.id},
                {"statement", claim.statement},
                {"policy", c.policy},
                {"state", state_json(system, c.state)},
                {"violation", c.violation},
                {"found",
                 {{"instance", found.instance->name()},
                  {"state", state_json(original, found.state)},
                  {"violation", found.violation}}},
                {"candidates_tried", shrunk.tried}});
    write_trace(folder, c.policy, words);
    write_pictures(folder, system, c);
    base::write_file(folder + "/counterexample_test.cpp", test_snippet(claim, system, c));
}

Replay replay(const QueueingClaim& claim, const BundleText& bundle) {
    const LoadedSystem loaded = load({bundle.directory() + "/instance.toml", bundle.text("policy"), {}, {}});
    const BundleText state_words = bundle.member("state");
    const ExactState state = parse_state(
        loaded.system, {state_words.text("queues"), state_words.text("serving"), state_words.text("counters")});
    return {claim.id, std::string(loaded.system.info().id), checks::describe(loaded.system, state),
            claim.violation(loaded.system, state)};
}

}  // namespace schedproof::command
