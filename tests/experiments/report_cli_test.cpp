/// `schedproof report` as its users meet it: the site of a few claims, its links, what it takes from where.
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>

#include "tests/experiments/cli_fixture.hpp"

namespace schedproof::testing_support {

namespace {

namespace fs = std::filesystem;

class Report : public CliTest {
  protected:
    inline static const std::string two = "report queueing.squares-drift-negative redundancy.lemma-5 ";

    [[nodiscard]] std::vector<fs::path> pages(const std::string& site) const {
        std::vector<fs::path> found;
        for (const fs::directory_entry& entry : fs::recursive_directory_iterator(at(site)))
            if (entry.path().extension() == ".html") found.push_back(entry.path());
        return found;
    }
};

/// What a page refers to or fetches.
std::vector<std::string> targets(const std::string& page) {
    static const std::regex reference("\\s(?:href|src)=\"([^\"]*)\"");
    std::vector<std::string> all;
    for (std::sregex_iterator found(page.begin(), page.end(), reference), end; found != end; ++found)
        all.push_back((*found)[1]);
    return all;
}

/// A small rule that is transient on a cluster of two servers.
TEST_F(Report, OfAPolicyOfOnesOwn) {
    write("hot.policy",
          "policy: hot\nsummary: \"all tasks to the first server\"\nkeep: per_server_and_level\nroute: lowest(1, "
          "servers)\nserve: first_of(most_local(nonempty(own_levels)), own)\n");
    const std::string claims = "report queueing.transient-inside-the-region queueing.tasks-balance ",
                      of_it = "-p hot.policy --instance experiments/instances/m2-half.toml ";
    good(claims + of_it + "-o alone");
    const std::string first = read("alone/index.html");
    EXPECT_TRUE(contains(first, "What is proved, refuted and measured of hot")) << first;
    EXPECT_TRUE(contains(first, "2 claims were asked of"));
    EXPECT_FALSE(contains(first, "jsq-maxweight"));
    // Its page shows its text, its verdicts and its chain; no other policy has one.
    const std::string page = read("alone/policies/queueing-hot.html");
    EXPECT_TRUE(contains(page, "route: lowest(1, servers)")) << page;
    EXPECT_TRUE(contains(page, "queueing.tasks-balance"));
    EXPECT_TRUE(contains(page, "Its chain on a small cluster"));
    EXPECT_EQ(std::distance(fs::directory_iterator(at("alone/policies")), fs::directory_iterator()), 1);
    // Verdicts are of the file as it is now.
    write("hot.policy", replaced(read("hot.policy"), "route: lowest(1, servers)", "route: local"));
    good(claims + of_it + "-o alone");
    EXPECT_TRUE(contains(read("alone/policies/queueing-hot.html"), "route: local"));
    EXPECT_FALSE(contains(read("alone/index.html"), "speaks against the policy"));
    EXPECT_TRUE(contains(first, "speaks against the policy"));
    // Beside the others.
    good("report queueing.tasks-balance " + of_it + "--beside -o beside");
    EXPECT_TRUE(contains(read("beside/index.html"), "queueing-jsq-maxweight.html"));
    EXPECT_TRUE(contains(read("beside/index.html"), "queueing-hot.html"));
    // A registered policy on another instance: what was found of it is one row.
    good(
        "report queueing.tasks-balance -p pandas --instance experiments/instances/m2-one-type.toml --beside -o beside");
    const std::string beside = read("beside/index.html"), row = "queueing-pandas-plain.html";
    EXPECT_NE(beside.find(row), std::string::npos) << beside;
    EXPECT_EQ(beside.find(row), beside.rfind(row));
    // A short name stands for the policy.
    good("report queueing.tasks-balance -p pandas --instance experiments/instances/m2-one-type.toml -o alone");
    EXPECT_TRUE(contains(read("alone/index.html"), "queueing-pandas-plain.html"));
    EXPECT_TRUE(fs::exists(at("alone/policies/queueing-pandas-plain.html")));
    expect_refused("report -p pandaz", "did you mean 'pandas'");
    expect_refused("report --instance experiments/instances/m2-half.toml", "--policy");
}

TEST_F(Report, EveryLinkLeadsToAFileOfTheSite) {
    good(two + "--evidence evidence -o site");
    const std::vector<fs::path> all = pages("site");
    EXPECT_GE(all.size(), 40U);
    std::size_t followed = 0;
    for (const fs::path& page : all) {
        const std::string text = slurp(page);
        EXPECT_TRUE(text.starts_with("<!DOCTYPE html>"));
        EXPECT_EQ(text.find("<h1>"), text.rfind("<h1>")) << page;
        for (const std::string& target : targets(text)) {
            if (target.starts_with("data:")) continue;  // it is in the page itself
            EXPECT_EQ(target.find(':'), target.find(':', target.find('#'))) << page << ": " << target;
            EXPECT_FALSE(target.starts_with("/")) << page << ": " << target;
            const std::size_t hash = std::min(target.find('#'), target.size());
            const fs::path file = hash == 0 ? page : page.parent_path() / target.substr(0, hash);
            ASSERT_TRUE(fs::is_regular_file(file)) << page << ": " << target;
            if (hash < target.size()) {
                EXPECT_TRUE(contains(slurp(file), "id=\"" + target.substr(hash + 1) + "\"")) << page << ": " << target;
            }
            ++followed;
        }
    }
    EXPECT_GE(followed, 500U);
    for (const fs::directory_entry& asset : fs::directory_iterator(at("site/assets")))
        EXPECT_FALSE(contains(slurp(asset.path()), "://")) << asset.path();
}

TEST_F(Report, TellsVerdictsEvidenceAndTheWayToACounterexample) {
    good(two + "--evidence evidence -o site");
    const std::string first = slurp(at("site/index.html"));
    for (const char* told : {"2 claims about cluster schedulers", "nothing was expected, the others are as expected.",
                             "claims/redundancy.lemma-5.html", "policies/redundancy-srpt.html"})
        EXPECT_TRUE(contains(first, told)) << told;
    const std::string refuted = slurp(at("site/claims/queueing.squares-drift-negative.html"));
    for (const char* told : {"Refuted", "It was found again by exact enumeration", "Slot 0", "here the claim fails",
                             "<svg", "policies/queueing/", "TEST(Counterexample", "<code>route</code> at",
                             "random_baselines.hpp:13</a>", "queueing-random-local.html#L13"})
        EXPECT_TRUE(contains(refuted, told)) << told;
    const std::string policy = slurp(at("site/policies/queueing-wang-jsq-maxweight.html"));
    for (const char* told : {"Its chain on a small cluster", "href=\"#chain.1\"",
                             "<details class=\"level\" id=\"chain.3\"", "Each state with 1 task<", "href=\"#chain\""})
        EXPECT_TRUE(contains(policy, told)) << told;
    EXPECT_FALSE(contains(slurp(at("site/policies/redundancy-srpt.html")), "Its chain"));
    const std::string proved = slurp(at("site/claims/redundancy.lemma-5.html"));
    EXPECT_TRUE(contains(proved, "schedproof certify redundancy.lemma-5--srpt--"));
    EXPECT_TRUE(contains(slurp(at("site/claims/redundancy.lemma-5.js")), ".certificate.json\": \"H4sI"));
    EXPECT_TRUE(contains(slurp(at("site/policies/redundancy-srpt.html")), "policies/redundancy/"));
    EXPECT_TRUE(contains(slurp(at("site/papers/xu2017.html")), "Finishing n jobs") ||
                contains(slurp(at("site/papers/xu2017.html")), "Lemma 5 (4.2.2)"));
    expect_schema("counterexample-steps",
                  slurp(at("evidence/queueing.squares-drift-negative--random-local--m2-uneven/steps.json")),
                  {"waiting", "counters"});
}

TEST_F(Report, VerdictsThatAreThereAreTaken) {
    good("check redundancy.lemma-5 --no-times --evidence evidence");
    expect_schema("check", slurp(at("evidence/check.json")), {});
    EXPECT_TRUE(contains(good("report redundancy.lemma-5 -o site"), "verdicts  of evidence"));
    expect_schema("report", good("report redundancy.lemma-5 -o site --format json"), {});
    // Of another version, or of other rows, they are found anew.
    const std::string verdicts = slurp(at("evidence/check.json"));
    write("evidence/check.json", replaced(verdicts, "\"version\": \"", "\"version\": \"9"));
    EXPECT_TRUE(contains(good("report redundancy.lemma-5 -o site"), "verdicts  checked now"));
    EXPECT_TRUE(contains(good("report redundancy.lemma-2 -o site"), "verdicts  checked now"));
    EXPECT_FALSE(fs::exists(at("site/claims/redundancy.lemma-5.html")));
    write("evidence/check.json", "{");
    expect_refused("report redundancy.lemma-2 -o site", "evidence/check.json");
}

TEST_F(Report, FiguresAreTakenAsTheyCome) {
    fs::create_directories(at("reproduced/fig-1"));
    write("reproduced/fig-1/claims.json",
          R"({"paper": "xu2017", "number": "5", "declaration": "experiments/reproduction/xu2017/figure-7.toml",
             "title": "Means <b>", "claims": [{"id": "a", "says": "it falls",
             "verdict": "not reproduced", "comparisons": [{"compared": "x", "value": 1.5, "half_width": 0.25,
             "below": 1, "truth": "fails"}]}], "assumptions": [{"parameter": "W", "taken": "3"}]})");
    write("reproduced/fig-1/data.csv", "a,b\n");
    write("reproduced/fig-1/figure.svg", "<svg></svg>");
    write("reproduced/fig-1/figure.png", "png");
    good("report redundancy.lemma-5 -o site");
    const std::string page = slurp(at("site/figures/fig-1.html"));
    for (const char* told : {"Means &lt;b&gt;", "it falls", "not reproduced", "x: 1.5 ± 0.25 (to be below 1), fails",
                             "fig-1/data.csv", "src=\"fig-1/figure.svg\"", ">3</td>"})
        EXPECT_TRUE(contains(page, told)) << told << "\n" << page;
    EXPECT_EQ(slurp(at("site/figures/fig-1/data.csv")), "a,b\n");
    EXPECT_FALSE(fs::exists(at("site/figures/fig-1/figure.png")));
    EXPECT_TRUE(contains(page, "../policies/redundancy-laps+r.html")) << page;
    const std::string policy = slurp(at("site/policies/redundancy-srpt+r.html"));
    for (const char* told :
         {"<h2>Curves</h2>", "src=\"../figures/fig-1/figure.svg\"", "href=\"../figures/fig-1.html\"", "not reproduced"})
        EXPECT_TRUE(contains(policy, told)) << told;
    EXPECT_FALSE(contains(slurp(at("site/policies/queueing-fifo.html")), "<h2>Curves</h2>"));
    EXPECT_TRUE(contains(slurp(at("site/papers/xu2017.html")), "figures/fig-1.html"));
    EXPECT_TRUE(contains(good("report redundancy.lemma-5 --reproduced nowhere -o other"), "figures   0"));
}

TEST_F(Report, AFolderOfSomethingElseIsLeftAlone) {
    fs::create_directories(at("site/claims"));
    write("site/claims/mine.txt", "mine");
    expect_refused("report redundancy.lemma-5 -o site", "site: expected a new or empty directory");
    EXPECT_EQ(slurp(at("site/claims/mine.txt")), "mine");
    expect_refused("report no.such-claim -o other", "no.such-claim");
}

TEST_F(Report, ABundleIsReplayedFromAnywhere) {
    good("check redundancy.cost-lower-bound --evidence evidence");
    const auto folder = std::find_if(fs::directory_iterator(at("evidence")), fs::directory_iterator(),
                                     [](const fs::directory_entry& entry) { return entry.is_directory(); });
    ASSERT_NE(folder, fs::directory_iterator());
    fs::create_directories(at("elsewhere"));
    fs::rename(folder->path(), at("elsewhere/bundle"));
    const std::string script = "sh '" + at("elsewhere/bundle/replay.sh").string() + "' 2>&1";
    const auto replayed = [&](const std::string& environment) {
        return run_script("cd / && " + environment + " " + script);
    };
    const Answer here = replayed("env -u SCHEDPROOF PATH=/usr/bin:/bin");
    EXPECT_EQ(here.exit, 0) << here.out;
    EXPECT_TRUE(contains(here.out, "violation  ")) << here.out;
    // The program that wrote it has gone: the one of the environment, the one of the path, or a line that says so.
    const std::string text = slurp(at("elsewhere/bundle/replay.sh"));
    write("elsewhere/bundle/replay.sh",
          std::regex_replace(text, std::regex("written_by='[^\n]*"), "written_by='/gone'"));
    EXPECT_EQ(replayed("env SCHEDPROOF='" + command + "'").exit, 0);
    EXPECT_EQ(replayed("env -u SCHEDPROOF PATH='" + fs::path(command).parent_path().string() + "':/usr/bin:/bin").exit,
              0);
    const Answer gone = replayed("env -u SCHEDPROOF PATH=/usr/bin:/bin");
    EXPECT_EQ(gone.exit, 2);
    EXPECT_TRUE(contains(gone.out, "replay.sh: schedproof 0.")) << gone.out;
    EXPECT_EQ(std::count(gone.out.begin(), gone.out.end(), '\n'), 1) << gone.out;
}

}  // namespace

}  // namespace schedproof::testing_support
