/// `schedproof dual` as its users meet it: known numbers, the picture, certificates, complaints.
#include <gtest/gtest.h>

#include "tests/support/schema.hpp"

namespace schedproof {
namespace {

class DualCommand : public testing_support::SchemaTest {
  protected:
    [[nodiscard]] static std::string on(const std::string& instance) {
        return "dual experiments/instances/redundancy/" + instance + ".toml ";
    }
};

TEST_F(DualCommand, SaysWhatIsSharpAndWhatIsNot) {
    // One job of size 1, two machines, s = 2: alpha = 1/2 and beta(0) = 1/4, so C* = 1/4 is needed.
    expect_lines(on("one-job-two-machines") + "--speed 2 --optimum",
                 {"constant    C = 1/4 (approx. 0.25) demanded: feasible; least C = 1/4 (approx. 0.25)",
                  "dual value  1/4 (approx. 0.25) = sum alpha 1/2 - M int beta 1/4   (rule srpt)",
                  "optimum     1 without multitasking"});
    expect_lines(on("one-job-two-machines") + "--speed 2 --constant 0", {"constant    C = 0 demanded: NOT feasible"},
                 1);
    // The naive rule of Fair+R: alpha_1 = 11/15, beta(0) = 3/10, so 13/30 is needed.
    expect_lines(on("fair-naive") + "--rule naive --speed 5 --constant 1/5",
                 {"constant    C = 1/5 (approx. 0.2) demanded: NOT feasible: C = 13/30 (approx. 0.433333) is needed",
                  "  0            0          1      11/15       11/15      13/30", "  0               3       3/10"},
                 1);
    expect_lines(on("fair-naive") + "--rule cap --speed 5", {"constant    C = 1/10 (approx. 0.1) demanded: feasible"});
}

TEST_F(DualCommand, WritesAPictureAndACertificate) {
    EXPECT_EQ(good(on("beta-of-srpt-r") + "--plot dual.svg --certificate dual.json -o answer.txt"), "");
    for (const char* words : {"<svg", "beta + C", "slack of constraint (8)", "job 2"})
        EXPECT_TRUE(testing_support::contains(read("dual.svg"), words)) << words;
    expect_lines("certify dual.json", {"accepted      dual.json"});
    expect_schema("certificate", read("dual.json"));
    const std::string files = "certify dual.json --instance experiments/instances/redundancy/";
    expect_lines(files + "beta-of-srpt-r.toml", {"accepted      dual.json", "instance      "});
    EXPECT_TRUE(testing_support::contains(good(files + "one-job-two-machines.toml", 1), "the first difference is at"));
    expect_refused("certify dual.json --instance experiments/instances/m2-half.toml",
                   "expected the family \"redundancy\"");
    write("better.json",
          testing_support::replaced(read("dual.json"), "\"constant\": \"1/4\"", "\"constant\": \"1/5\""));
    EXPECT_EQ(run("certify better.json").exit, 1);
}

TEST_F(DualCommand, AnswersInJson) {
    const auto answer = json("dual", on("beta-of-srpt-r") + "--optimum");
    EXPECT_EQ(answer["least_constant"]["exact"], "1/4");
    EXPECT_EQ(answer["optimum"]["exact"], "5");
    EXPECT_EQ(answer["jobs"][2]["alpha"]["exact"], "1");
    EXPECT_EQ(answer["beta"][1]["active"], 3);
    // beta = n/M leaves nothing to conclude.
    const auto nothing = json("dual", on("one-job") + "--rule srpt:unscaled --speed 2");
    EXPECT_TRUE(nothing["ratio_at_most"].is_null());
}

TEST_F(DualCommand, Complains) {
    expect_refused(on("one-job") + "--rule capp", "--rule: expected a rule such as srpt or cap, not 'capp'");
    expect_refused(on("one-job") + "--speed 0", "speed: expected a speed above 0");
    expect_refused(on("one-job") + "--speed fast", "--speed: ");
    expect_refused(on("one-job") + "--constant -1", "--constant: expected at least 0");
    expect_refused(on("one-job") + "--picture dual.gif", ".svg, .png, .pdf or .tikz");
    expect_refused(on("one-job") + "--rule srpt:unscaled --certificate c.json",
                   "--certificate: expected dual variables that prove something");
    write("slotted.toml", testing_support::replaced(read("experiments/instances/redundancy/one-job.toml"),
                                                    "service = \"det\"", "service = \"slotted:2\""));
    expect_refused("dual slotted.toml", "service: expected a service linear in time");
    write("empty.toml", "family = \"redundancy\"\nname = \"x\"\nmachines = 1\nservice = \"det\"\njobs = []\n");
    expect_refused("dual empty.toml", "jobs: expected at least one job");
}

}  // namespace
}  // namespace schedproof
