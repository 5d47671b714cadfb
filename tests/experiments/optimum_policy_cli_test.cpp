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
    EXPECT_TRUE(contains(text, "beside        join-shortest-queue; * marks where its decision costs: 0 of 9 states\n"))
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

TEST_F(OptimumPolicyCli, ExportsAPolicyWithACertifiedMean) {
    const std::string fast = "experiments/instances/m2-fast-remote.toml ";
    const std::string answer = out("optimum-policy " + fast +
                                   "--box 20 --digits 4 --export near.policy --policy-certificate "
                                   "near.json --format json");
    write("answer.json", answer);
    EXPECT_EQ(validated("optimum-policy", "answer.json").exit, 0) << answer;
    const json policy = json::parse(answer)["policy"];
    EXPECT_EQ(policy["verdict"], "proved");
    EXPECT_EQ(policy["waiting_tabulated"], 12);
    const double lower = policy["lower"]["approx"].get<double>(), upper = policy["upper"]["approx"].get<double>();
    // No policy that names types before tasks arrive is below; the best registered ones are above.
    EXPECT_GE(upper, 0.691246);
    EXPECT_LE(upper, 0.6913);
    EXPECT_LE(upper - lower, 1e-4);
    EXPECT_EQ(run("certify near.json --policy-file near.policy").exit, 0);
    EXPECT_EQ(run("certify near.json").exit, 0) << "the certificate holds the rules";
    write("other.policy", replaced(read("near.policy"), "rate * length", "length"));
    EXPECT_NE(run("certify near.json --policy-file other.policy").exit, 0);
    // Every command takes the file: the theorem is found again, and the simulator agrees.
    const json again = json::parse(out("mean " + fast + "--policy-file near.policy --digits 4 --format json"));
    EXPECT_LE(again["lower"]["approx"].get<double>(), upper);
    EXPECT_GE(again["upper"]["approx"].get<double>(), lower);
    const Answer simulation =
        run("simulate " + fast + "--policy-file near.policy --horizon 20000 --confidence 0.9999 --format json");
    EXPECT_EQ(simulation.err, "") << "its replications run side by side";
    const Answer events = run("simulate " + fast + "--policy-file near.policy --time continuous --horizon 50");
    EXPECT_EQ(events.err, "") << "two servers are few, whatever answers their questions";
    EXPECT_LE(run("simulate " + fast + "--policy-file near.policy --time continuous --horizon 50 --explain").out.size(),
              1000U)
        << "a table is not printed whole";
    const json simulated = json::parse(simulation.out);
    const json tasks = simulated["points"][0]["policies"][0]["quantities"][0];
    EXPECT_NEAR(tasks["mean"].get<double>(), upper, tasks["half_width"].get<double>() + 1e-4);
    expect_refused("optimum-policy " + fast + "--box 20 --export near.policy",
                   "near.policy: expected the name of a new");
}

TEST_F(OptimumPolicyCli, AnExportedPolicyOfALargerTableIsNearer) {
    const auto upper = [&](const std::string& file, const std::string& most) {
        return json::parse(
                   out("optimum-policy experiments/instances/m2-fast-remote.toml --box 20 --digits 6 --export " + file +
                       " --format json --tabulate " + most))["policy"]["upper"]["approx"]
            .get<double>();
    };
    const double none = upper("0.policy", "0"), some = upper("2.policy", "2"), more = upper("8.policy", "8");
    EXPECT_LT(some, none - 0.01);
    EXPECT_LT(more, some);
}

TEST_F(OptimumPolicyCli, DrawsDecisions) {
    (void)out(on_half + "--box 20 --decisions 3 --beside jsq-maxweight --picture decisions.svg");
    const std::string picture = read("decisions.svg");
    for (const char* part :
         {"<svg", "waiting tasks of A", "waiting tasks of B", "jsq-maxweight", "differs at a cost", "A,B"})
        EXPECT_TRUE(contains(picture, part)) << part;
}

TEST_F(OptimumPolicyCli, RefusesWhatItCannotTake) {
    const std::string instance = read("experiments/instances/m2-half.toml");
    write("over.toml", replaced(instance, "A = \"1/2\", B = \"1/2\"", "A = \"1\", B = \"1\""));
    expect_refused("optimum-policy over.toml --digits 2",
                   "over.toml: expected arrivals whose load rho* is below 1; it is 5/4");
    write("rates.toml", replaced(instance, "kind = \"bernoulli\"", "kind = \"rates\""));
    for (const char* command : {"optimum-policy rates.toml", "gap rates.toml -p jsq-maxweight"})
        expect_refused(command, "rates.toml: arrivals.kind: expected an arrival law");
    expect_refused(on_half + "--decisions 2 --beside nope", "--beside: expected a registered policy, not 'nope'");
    expect_refused(on_half + "--mode knows", "--mode");
    expect_refused(on_half + "--digits 0", "--digits");
    expect_refused(on_half + "--picture p.svg", "--decisions");
    expect_refused(on_half + "--decisions 2 --picture p.txt", "p.txt");
    expect_refused(on_half + "--tabulate 3", "--export");
    expect_refused(on_half + "--export -", "--export: expected a file");
    expect_refused(on_half + "--export p.policy --policy-certificate -", "--policy-certificate: expected a file");
    expect_refused(on_half + "--box 200 --export p.policy --tabulate 200", "a table of at most 40000 letters");
    expect_refused(on_half + "--mode names-types --beside fifo", "--decisions");
    expect_refused(on_half + "--mode names-types --decisions 2 --beside fif", "fifo");
    expect_refused(on_half + "--certificate -", "--certificate");
    EXPECT_TRUE(contains(out(on_half + "--max-states 500", 3), "not reached   a bound")) << "too few states";
    const Answer large = run(on_half + "--box 100000");
    EXPECT_EQ(large.exit, 3);
    EXPECT_TRUE(contains(large.err, "more than 400000 states")) << large.err;
}

}  // namespace
}  // namespace schedproof
