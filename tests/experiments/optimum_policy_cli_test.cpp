/// `optimum-policy`: bounds over all policies, their certificates, decisions beside a policy's, and what is refused.
#include <nlohmann/json.hpp>

#include "tests/support/command.hpp"
#include "tests/support/schema.hpp"

namespace schedproof {
namespace {

using nlohmann::json;
using namespace testing_support;

const std::string on_half = "optimum-policy experiments/instances/m2-half.toml ";

class OptimumPolicyCli : public CommandTest {};

TEST_F(OptimumPolicyCli, ProvesABoundThatTheCheckerAccepts) {
    const std::string text = out(on_half + "--box 20 --certificate c.json");
    EXPECT_TRUE(text.starts_with("verdict       Proved\ntasks         at least 0.66666")) << text;
    EXPECT_TRUE(contains(text, "under every policy of non-preemptive service")) << text;
    EXPECT_EQ(validated("certificate", "c.json").exit, 0);
    for (const std::string& program :
         std::vector<std::string>{SCHEDPROOF_COMMAND "' certify", SCHEDPROOF_CERTIFY "'"}) {
        const Answer answer = shell("'" + program + " c.json");
        EXPECT_EQ(answer.exit, 0) << answer.out << answer.err;
        EXPECT_TRUE(answer.out.starts_with("accepted      c.json\ntheorem       On 'm2-half'")) << answer.out;
    }
    EXPECT_EQ(run("certify c.json --instance experiments/instances/m2-half.toml").exit, 0);
    EXPECT_NE(run("certify c.json --instance experiments/instances/m2-shared.toml").exit, 0);
    write("found.json", out("certify c.json --format json"));
    EXPECT_EQ(validated("certify", "found.json").exit, 0);
}

TEST_F(OptimumPolicyCli, AlteredCertificatesAreRejected) {
    (void)out(on_half + "--box 12 --certificate c.json");
    const auto right = nlohmann::ordered_json::parse(read("c.json"));
    const auto expect_rejected = [&](const char* place, const nlohmann::ordered_json& value) {
        auto wrong = right;
        wrong[nlohmann::ordered_json::json_pointer(place)] = value;
        write("d.json", wrong.dump());
        EXPECT_NE(run("certify d.json").exit, 0) << place << " " << value;
    };
    write("same.json", right.dump());
    EXPECT_EQ(run("certify same.json").exit, 0);
    expect_rejected("/statement/mode", "names-types");
    expect_rejected("/statement/mode", "none");
    expect_rejected("/statement/radius", 13);
    expect_rejected("/statement/outside", "1");
    expect_rejected("/statement/bits", right["statement"]["bits"].get<int>() + 1);
    expect_rejected("/statement/bits", right["statement"]["bits"].get<int>() - 1);
    expect_rejected("/statement/lower", "2/3");
    expect_rejected("/statement/lower", "1/2");
    expect_rejected("/statement/table", std::string(64, '0'));
    expect_rejected("/statement/unknown", 1);
    expect_rejected("/sentence", "It is fast.");
    expect_rejected("/policy", "fifo");
    expect_rejected("/definition", "serve: own");
    expect_rejected("/theorem", "mean");
    expect_rejected("/instance-digest", std::string(64, '0'));
    expect_rejected("/instance/levels/0/rate", "9/10");
    expect_rejected("/proofs", nlohmann::ordered_json::array({nlohmann::ordered_json::object()}));
    const std::string table = right["statement"]["table"].get<std::string>() + ".table";
    const std::string bytes = read(table);
    write(table, bytes.substr(0, bytes.size() - 1));
    EXPECT_NE(run("certify c.json").exit, 0);
    std::string other = bytes;
    other[other.size() / 2] = static_cast<char>(other[other.size() / 2] ^ 1);
    write(table, other);
    EXPECT_TRUE(contains(run("certify c.json").out, "not the one of the digest"));
}

TEST_F(OptimumPolicyCli, ShowsDecisionsBesideThoseOfAPolicy) {
    // On two servers with fast and slow tasks each server serves its own type; MaxWeight helps where it had better not.
    const std::string text = out(on_half + "--mode names-types --box 20 --decisions 2 --beside join-shortest-queue");
    EXPECT_TRUE(contains(text, "decisions     what idle servers name")) << text;
    EXPECT_TRUE(contains(text, "    2  A,B  A,B  A,B\n")) << text;
    EXPECT_TRUE(contains(text, "beside        join-shortest-queue, * where its decision costs: 0 of 9 states\n"))
        << text;
    const std::string answer =
        out(on_half + "--mode names-types --box 20 --decisions 4 --beside jsq-maxweight --format json");
    write("answer.json", answer);
    EXPECT_EQ(validated("optimum-policy", "answer.json").exit, 0) << answer;
    const json parsed = json::parse(answer);
    EXPECT_EQ(parsed["decisions"].size(), 25U);
    std::size_t costly = 0;
    for (const json& state : parsed["decisions"]) costly += state["cost"].get<double>() > 1e-9 ? 1 : 0;
    EXPECT_GT(costly, 0U);
}

TEST_F(OptimumPolicyCli, RefusesWhatItCannotTake) {
    expect_refused(on_half + "--mode knows", "--mode");
    expect_refused(on_half + "--digits 0", "--digits");
    expect_refused(on_half + "--decisions 2", "--decisions: expected --mode names-types");
    expect_refused(on_half + "--mode names-types --beside fifo", "--decisions");
    expect_refused(on_half + "--mode names-types --decisions 2 --beside fif", "fifo");
    expect_refused(on_half + "--certificate -", "--certificate");
    EXPECT_TRUE(contains(out(on_half + "--max-states 500", 3), "not reached   a box")) << "too few states";
    const Answer large = run(on_half + "--box 100000");
    EXPECT_EQ(large.exit, 3);
    EXPECT_TRUE(contains(large.err, "more than 400000 states")) << large.err;
}

}  // namespace
}  // namespace schedproof
