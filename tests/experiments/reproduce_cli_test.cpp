/// `schedproof reproduce` and `schedproof paper` as processes: a small figure in all its files, verdicts and exit
/// codes, resuming and shards, the catalogue, and complaints about declarations.
///
/// Long: each test stands beside the figure that it declares.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "tests/support/schema.hpp"

namespace schedproof {
namespace {

using namespace testing_support;

const std::string figure = R"([figure]
id = "small"
paper = "xu2017"
number = "Figure 0"
title = "A small figure"
place = "nowhere"
drawing = "curves"
x = "rate"
x-label = "rate"

[[measure]]
name = "mean"
quantity = "flowtime"

[[panel]]
measure = "mean"
label = "mean flowtime"

[simulate]
policy = ["srpt", "srpt+r"]
machines = 4
mean-size = 4
service = "two-point:2,0"
seed = 3

[grid]
rate = [0.2, 0.4]

[quick]
minutes = 0.01
simulate = { horizon = 200, replications = 6 }

[full]
minutes = 0.02
simulate = { horizon = 400, replications = 6 }

[[claim]]
id = "copies-help"
place = "nowhere"
says = "Copies help."
expected = "reproduced"
[[claim.statement]]
kind = "ratio"
measure = "mean"
curves = ["srpt+r", "srpt"]
below = 1.01

[[claim]]
id = "copies-hurt"
place = "nowhere"
says = "Copies hurt."
expected = "depends on an unstated parameter"
[[claim.statement]]
kind = "ratio"
measure = "mean"
curves = ["srpt+r", "srpt"]
at = [0.2]
above = 0.99

[[assumption]]
parameter = "service"
taken = "two rates"
[[assumption.alternative]]
taken = "one rate"
simulate = { service = "det" }
)";

class ReproduceCli : public SchemaTest {
  protected:
    void SetUp() override {
        SchemaTest::SetUp();
        write("small.toml", figure);
    }
    void expect_wrong(const std::string& from, const std::string& to, const std::string& words) const {
        write("wrong.toml", replaced(figure, from, to));
        const Answer answer = run("reproduce wrong.toml --format csv --out wrong");
        EXPECT_EQ(answer.exit, 2) << answer.out;
        EXPECT_TRUE(contains(answer.err, words)) << words << "\n" << answer.err;
        std::filesystem::remove_all(at("wrong"));
    }
};

TEST_F(ReproduceCli, MakesTablePicturesAndVerdicts) {
    const std::string text =
        good("reproduce small.toml --format csv,svg,pdf,png,tikz,markdown --width 60 --font-size 7 --title");
    EXPECT_TRUE(contains(text,
                         "small  Figure 0 of xu2017: A small figure (quick, 6 replications)\n"
                         "  reproduced      copies-help\n"))
        << text;
    EXPECT_TRUE(contains(text, "  depends on an unstated parameter copies-hurt\n")) << text;
    EXPECT_TRUE(contains(text, "service: one rate: holds: srpt+r over srpt at 0.2: 1, to be above 0.99")) << text;
    EXPECT_TRUE(contains(text, "1 figure, 2 claims, 0 not as expected; tables, pictures and verdicts in reproduced\n"));
    EXPECT_TRUE(contains(read("reproduced/small/figure.svg"), "A small figure"));
    EXPECT_TRUE(read("reproduced/small/figure.pdf").starts_with("%PDF-"));
    EXPECT_EQ(read("reproduced/small/figure.png").substr(1, 3), "PNG");
    EXPECT_TRUE(contains(read("reproduced/small/figure.tikz"), "\n\\begin{tikzpicture}"));
    EXPECT_TRUE(
        contains(read("reproduced/small/data.csv"), "setting,measure,curve,rate,mean,half-width,replications\n"));
    EXPECT_TRUE(contains(read("reproduced/small/data.csv"), "\nservice: one rate,mean,srpt,0.2,"));
    const std::string page = read("reproduced/small/figure.md");
    for (const char* part :
         {"# Figure 0 of [xu2017]: A small figure\n\n![A small figure](figure.svg)\n",
          "\nRun at quick scale, 6 replications, by schedproof ", "\nDeclaration: `small.toml`, SHA-256 `",
          "\n| Copies help. (nowhere) | **reproduced** | srpt+r over srpt at 0.2: ",
          "; but with one rate (service): srpt+r over srpt at 0.2: 1, to be above 0.99 |\n",
          "\n| service | two rates | one rate |\n", "\nmean:\n\n| rate | srpt | srpt+r |\n|---:|---:|---:|\n| 0.2 | "})
        EXPECT_TRUE(contains(page, part)) << part << page;
    expect_schema("reproduced-figure", read("reproduced/small/claims.json"), {"above", "below"});
}

/// An alternative may be run for longer where a picture needs it less.
TEST_F(ReproduceCli, RunsAnAlternativeAtAScaleOfItsOwn) {
    const std::string longer =
        replaced(figure, "{ service = \"det\" }", "{ service = \"det\" }\nquick = { replications = 9 }");
    write("longer.toml", longer);
    good("reproduce longer.toml --format csv");
    const std::string data = read("reproduced/small/data.csv");
    const auto replications = [&](const std::string& row) {
        const std::size_t from = data.find("\n" + row), to = data.find('\n', from + 1);
        EXPECT_NE(from, std::string::npos) << row << data;
        return data.substr(data.rfind(',', to) + 1, to - data.rfind(',', to) - 1);
    };
    EXPECT_EQ(replications("as taken,mean,srpt,0.2,"), "6");
    EXPECT_EQ(replications("service: one rate,mean,srpt,0.2,"), "9");
    good("reproduce longer.toml --format csv --full --out full");
    EXPECT_FALSE(contains(read("full/small/data.csv"), ",9\n"));
}

TEST_F(ReproduceCli, GoesOnWhereItWasAndInShards) {
    static_cast<void>(good("reproduce small.toml --format csv --out whole"));
    EXPECT_EQ(good("reproduce small.toml --format csv --out parts --shard 1/2"), "");
    EXPECT_FALSE(std::filesystem::exists(at("parts/small/claims.json")));
    EXPECT_EQ(good("reproduce small.toml --format csv --out parts --shard 2/2"), "");
    std::filesystem::remove(at("parts/small/runs/quick/p0001-c01-r000002.json"));
    static_cast<void>(good("reproduce small.toml --format csv --out parts --threads 1"));
    for (const char* file : {"data.csv", "claims.json", "runs/quick/p0001-c01-r000002.json"})
        EXPECT_EQ(read(std::string("parts/small/") + file), read(std::string("whole/small/") + file)) << file;
}

/// Two remote tasks on a node whose data is on another: with cost functions as with fluids each reads twice as long.
const std::string fluid_figure = R"([figure]
id = "linked"
paper = "jin2018"
number = "Figure 0"
title = "Cost functions"
place = "nowhere"
drawing = "bars"

[[measure]]
name = "remote"
quantity = "remote tasks"

[[panel]]
measure = "remote"
label = "remote tasks"

[simulate]
policy = ["hadoop-fifo"]
nodes = 2
slots = 2
data-nodes = 1
block-replicas = 1
sizes = "2"
at-once = 2
run-time = "constant:10"
transfer = 3
batches = 1

[quick]
minutes = 0.01
simulate = { replications = 3 }

[full]
minutes = 0.01

[fluid]
title = "Links as fluids"
network = "fluids"
simulate = { network = "fluid" }

[[claim]]
id = "half-remote"
place = "nowhere"
says = "Half of the tasks are remote."
expected = "not reproduced"
expected-fluid = "reproduced"
[[claim.statement]]
kind = "band"
measure = "remote"
curves = ["hadoop-fifo"]
above = 0.4
below = 0.6

[[assumption]]
parameter = "network"
taken = "functions"
)";

TEST_F(ReproduceCli, SharesLinksAsFluidsWhereItCan) {
    write("linked.toml", fluid_figure);
    const std::string functions = good("reproduce linked.toml --format csv --network cost-functions", 1);
    EXPECT_TRUE(contains(functions, "Figure 0 of jin2018: Cost functions (quick, 3 replications)")) << functions;
    EXPECT_TRUE(contains(functions, "reproduced      half-remote   NOT AS EXPECTED: not reproduced")) << functions;
    const bool can =
        std::filesystem::exists(std::filesystem::path(SCHEDPROOF_COMMAND).parent_path() / "schedproof-links");
    EXPECT_EQ(run("reproduce linked.toml --format csv --out chosen").exit, can ? 0 : 1);
    const Answer fluid = run("reproduce linked.toml --format csv,json --network fluid");
    EXPECT_EQ(fluid.exit, can ? 0 : 2) << fluid.err;
    if (!can) {
        EXPECT_TRUE(contains(fluid.err, "fluid needs the program schedproof-links beside this one")) << fluid.err;
        return;
    }
    const ordered_json found = ordered_json::parse(fluid.out)["figures"][0];
    EXPECT_EQ(found["title"], "Links as fluids");
    EXPECT_EQ(found["assumptions"][0]["taken"], "fluids");
    EXPECT_EQ(found["claims"][0]["expected"], "reproduced");
    EXPECT_EQ(found["claims"][0]["sensitivity"][0]["taken"], "functions");
}

TEST_F(ReproduceCli, SaysWhatIsNotAsExpected) {
    write("other.toml", replaced(figure, "expected = \"reproduced\"", "expected = \"not reproduced\""));
    const std::string text = good("reproduce other.toml --format csv", 1);
    EXPECT_TRUE(contains(text, "  reproduced      copies-help   NOT AS EXPECTED: not reproduced\n")) << text;
    write("single.toml", replaced(figure, "horizon = 200, replications = 6", "horizon = 200, replications = 1"));
    const std::string open = good("reproduce single.toml --format csv --out single", 3);
    EXPECT_TRUE(contains(open, "  inconclusive    copies-help   NOT AS EXPECTED: reproduced\n")) << open;
    EXPECT_TRUE(contains(open, ", a single run, to be below 1.01\n")) << open;
}

TEST_F(ReproduceCli, AnswersInJson) {
    const ordered_json answer = json("reproduce", "reproduce small.toml --format csv,json", 0, {"above", "below"});
    EXPECT_EQ(answer["figures"][0]["claims"][1]["verdict"], "depends on an unstated parameter");
    EXPECT_EQ(answer["files"], ordered_json({"reproduced/small/claims.json", "reproduced/small/data.csv"}));
    const ordered_json all = json("reproduce-list", "reproduce --list", 0);
    EXPECT_GE(all["figures"].size(), 5U);
}

const std::string assignment = R"([figure]
id = "batch"
paper = "jin2018"
number = "Figure 0"
title = "A batch"
place = "nowhere"
drawing = "curves"
x = "beta"

[[measure]]
name = "makespan"
quantity = "makespan"

[[panel]]
measure = "makespan"
label = "makespan"

[assign]
policy = ["hadoop", "dyndloff"]
tasks = 12
servers = 4
cores = 2
alpha = 0
theta = 1
wait = 3

[grid]
beta = [0, 5]

[quick]
minutes = 0.01
assign = { replications = 4 }

[full]
minutes = 0.01
assign = { replications = 8 }

[[claim]]
id = "loads-delay"
place = "nowhere"
says = "Loads delay."
expected = "reproduced"
[[claim.statement]]
kind = "monotone"
measure = "makespan"
curves = ["dyndloff"]
)";

TEST_F(ReproduceCli, DrawsInstancesOfTheAssignmentFamily) {
    write("batch.toml", assignment);
    const std::string text = good("reproduce batch.toml --format csv");
    EXPECT_TRUE(contains(text, "  reproduced      loads-delay\n")) << text;
    EXPECT_FALSE(std::filesystem::exists(at("reproduced/batch/runs"))) << "they take milliseconds";
    const auto refused = [&](const std::string& from, const std::string& to, const std::string& words) {
        write("wrong.toml", replaced(assignment, from, to));
        const Answer answer = run("reproduce wrong.toml --format csv");
        EXPECT_EQ(answer.exit, 2);
        EXPECT_TRUE(contains(answer.err, words)) << answer.err;
    };
    refused("\"dyndloff\"]\ntasks", "\"dyndlof\"]\ntasks", "wrong.toml:19: assign.policy: expected a policy");
    refused("servers = 4", "server = 4",
            "wrong.toml:21: assign.server: expected a parameter of an assignment figure, not "
            "'server' (did you mean 'servers'?)");
    refused("policy = [\"hadoop\", \"dyndloff\"]", "steps = [\"remote-13\"]",
            "expected at most the 12 tasks to be remote");
    refused("policy = [\"hadoop\", \"dyndloff\"]", "steps = [\"first\"]", "expected greedy, balanced or remote-N");
    refused("[assign]", "[assign]\ninstance = \"nowhere.toml\"", "nowhere.toml");
    refused("quantity = \"makespan\"", "quantity = \"makspan\"", "(did you mean 'makespan'?)");
    refused("wait = 3", "in-place = { hadoop = \"hadop\" }", "assign.in-place.hadoop: expected a policy");
    refused("wait = 3", "in-place = { hadop = \"hadoop\" }", "assign.in-place.hadop: expected a policy");
    refused("wait = 3", "only-at = { hadop = [5] }", "assign.only-at.hadop: expected a policy");
    refused("wait = 3", "only-at = { hadoop = 5 }", "assign.only-at.hadoop: expected a list of places");
    refused("wait = 3", "pick = \"first\"", "assign.pick: expected lowest or random, not 'first'");
    refused("wait = 3", "threshold = -1", "assign.threshold: ");
    refused("wait = 3", "wait-of = { hadop = 1 }", "assign.wait-of.hadop: expected a policy");
    refused("wait = 3", "wait-of = { delay = -1 }", "assign.wait-of.delay: ");
    refused("wait = 3", "quantity = { makspan = \"makespan\" }",
            "assign.quantity.makspan: expected a measure of the figure, not 'makspan' (did you mean 'makespan'?)");
    refused("wait = 3", "quantity = { makespan = \"makspan\" }", "(did you mean 'makespan'?)");
    refused("[[claim]]", "[combination]\nparameters = [\"W\"]\n\n[[claim]]",
            "combination.parameters: expected the parameter of an assumption, not 'W'");
}

/// Two policies that are one when they wait alike: each has its own wait, and a combination takes both alternatives.
TEST_F(ReproduceCli, RunsAWaitOfItsOwnAnotherMakespanAndBothAtOnce) {
    const std::string choices = R"(
[[assumption]]
parameter = "W"
taken = "3"
[[assumption.alternative]]
taken = "0"
assign = { wait-of = { delay = 0 } }

[[assumption]]
parameter = "makespan"
taken = "of events"
[[assumption.alternative]]
taken = "of the map"
assign = { quantity = { finish = "makespan" } }

[combination]
parameters = ["W", "makespan"]
)";
    std::string own =
        replaced(assignment, "[[panel]]", "[[measure]]\nname = \"finish\"\nquantity = \"latest finish\"\n\n[[panel]]");
    own = replaced(own, "\"hadoop\", \"dyndloff\"]", "\"hadoop\", \"delay\", \"dyndloff\"]");
    write("own.toml", own + choices);
    good("reproduce own.toml --format csv,markdown");
    const std::string data = read("reproduced/batch/data.csv");
    const auto value = [&](const std::string& setting, const std::string& measure, const std::string& curve) {
        const std::string begin = "\n" + setting + "," + measure + "," + curve + ",5,";
        const std::size_t from = data.find(begin);
        EXPECT_NE(from, std::string::npos) << begin << data;
        return data.substr(from + begin.size(), data.find('\n', from + 1) - from - begin.size());
    };
    const std::string both = "several of these at once: 0; of the map";
    EXPECT_EQ(value("W: 0", "finish", "delay"), value("W: 0", "finish", "hadoop"));
    EXPECT_NE(value("as taken", "finish", "delay"), value("as taken", "finish", "hadoop"));
    EXPECT_EQ(value("makespan: of the map", "finish", "delay"), value("as taken", "makespan", "delay"));
    EXPECT_EQ(value("as taken", "finish", "dyndloff"), value("as taken", "makespan", "dyndloff"));
    EXPECT_EQ(value(both, "finish", "delay"), value(both, "makespan", "hadoop"));
    const std::string page = read("reproduced/batch/figure.md");
    for (const char* part : {"\n| several of these at once | none | every other combination of: W; makespan |\n",
                             "\n## Each choice by itself\n", "\n| choice | loads-delay |\n", "\n| as taken | holds: ",
                             "\n| W: 0 | holds: ", "\n| several of these at once: 0; of the map | holds: "})
        EXPECT_TRUE(contains(page, part)) << part << page;
}

/// The curve of a policy for which another runs keeps its name, so that claims speak of it.
TEST_F(ReproduceCli, RunsAVariantUnderThePolicysName) {
    write("other.toml", replaced(assignment, "wait = 3", "in-place = { hadoop = \"dyndloff\" }"));
    good("reproduce other.toml --format csv");
    const std::string data = read("reproduced/batch/data.csv");
    const auto at_five = [&](const std::string& curve) {
        const std::string begin = "as taken,makespan," + curve + ",5,";
        const std::size_t from = data.find(begin);
        EXPECT_NE(from, std::string::npos) << data;
        return data.substr(from + begin.size(), data.find('\n', from) - from - begin.size());
    };
    EXPECT_EQ(at_five("hadoop"), at_five("dyndloff"));
    write("usual.toml", assignment);
    good("reproduce usual.toml --format csv");
    EXPECT_NE(read("reproduced/batch/data.csv"), data);
}

/// The makespan of the map, of every policy, and that of the events, of those that have events.
TEST_F(ReproduceCli, ShowsOnePoliciesMakespanApartFromTheOther) {
    std::string two =
        replaced(assignment, "[[panel]]", "[[measure]]\nname = \"events\"\nquantity = \"event makespan\"\n\n[[panel]]");
    write("two.toml", replaced(two, "wait = 3", "wait = 3\nonly-at = { dyndloff = [5] }"));
    good("reproduce two.toml --format csv", 3);  // of one point nothing is monotone
    const std::string data = read("reproduced/batch/data.csv");
    for (const char* there :
         {",makespan,hadoop,0,", ",makespan,hadoop,5,", ",events,hadoop,5,", ",makespan,dyndloff,5,"})
        EXPECT_TRUE(contains(data, there)) << there << "\n" << data;
    for (const char* not_there : {",events,dyndloff,", ",makespan,dyndloff,0,"})
        EXPECT_FALSE(contains(data, not_there)) << not_there;
}

TEST_F(ReproduceCli, DrawsSchedulesOfAnInstanceExactly) {
    const std::string text = good("reproduce jin2018-2 jin2018-3 jin2018-4 --format csv,svg");
    EXPECT_TRUE(
        contains(text, "  reproduced      hadoop\n                  hadoop: 3.5, to be between 3.49 and 3.51\n"))
        << text;
    EXPECT_TRUE(contains(text, "  depends on an unstated parameter delay\n")) << text;
    EXPECT_TRUE(contains(text, "0 not as expected"));
    const std::string svg = read("reproduced/jin2018-2/figure.svg");
    for (const char* words : {"(c) DynDLOn", "remote task", "s3.2", "t5"}) EXPECT_TRUE(contains(svg, words)) << words;
    EXPECT_TRUE(contains(read("reproduced/jin2018-4/data.csv"), "as taken,makespan,remote-1,,3,,0\n"));
}

TEST_F(ReproduceCli, TimesPhasesAndMakesACurveOfEveryOtherList) {
    std::string phases = replaced(assignment, "quantity = \"makespan\"", "quantity = \"phase 2 time\"");
    phases = replaced(phases, "beta = [0, 5]", "beta = [0, 5]\ncores = [1, 2]");
    phases = replaced(phases, "kind = \"monotone\"", "kind = \"band\"\nbelow = 1000");
    write("phases.toml", replaced(phases, "curves = [\"dyndloff\"]", "curves = [\"dyndloff, cores 2\"]"));
    EXPECT_TRUE(contains(good("reproduce phases.toml --format csv"), "  reproduced      loads-delay\n"));
    EXPECT_TRUE(contains(read("reproduced/batch/data.csv"), ",\"dyndloff, cores 1\",5,"));
    EXPECT_FALSE(contains(read("reproduced/batch/data.csv"), ",\"hadoop, cores 1\",")) << "it has no phases";
}

TEST_F(ReproduceCli, FitsCurves) {
    const std::string fit = R"(
[[fit]]
measure = "mean"
curves = ["srpt"]
boundary = 1
powers = [-1, 0]
coefficients = ["limit", "offset"]
name = "fit"

[[claim]]
id = "limit"
place = "nowhere"
says = "It has a limit."
expected = "reproduced"
[[claim.statement]]
kind = "band"
measure = "limit"
curves = ["srpt"]
above = -1000
below = 1000
)";
    write("fit.toml", figure + fit);
    EXPECT_TRUE(contains(good("reproduce fit.toml --format csv,svg"), "  reproduced      limit\n"));
    EXPECT_TRUE(contains(read("reproduced/small/data.csv"), "\nas taken,limit,srpt,0,"));
    EXPECT_TRUE(contains(read("reproduced/small/figure.svg"), ">fit<"));
    const auto refused = [&](const std::string& from, const std::string& to, const std::string& words) {
        write("wrong.toml", figure + replaced(fit, from, to));
        const Answer answer = run("reproduce wrong.toml --format csv --out wrong");
        EXPECT_EQ(answer.exit, 2);
        EXPECT_TRUE(contains(answer.err, words)) << answer.err;
    };
    refused("boundary = 1", "boundary = 0.4", "wrong.toml: fit.boundary: expected no value on it, but 0.4 is one");
    refused("powers = [-1, 0]", "powers = [-1]", "expected as many as powers");
    refused("coefficients = [\"limit\"", "coefficients = [\"mean\"", "expected names that no measure has, not 'mean'");
    refused("curves = [\"srpt\"]\nboundary", "curves = [\"srtp\"]\nboundary", "(did you mean 'srpt'?)");
    refused("[-1, 0]", "[-1, -1]", "expected powers that the places tell apart");
}

TEST_F(ReproduceCli, EveryFigureOfTheCatalogueIsReadable) {
    const std::string list = good("reproduce --list");
    for (const char* id : {"xu2017-5",
                           "xu2017-9",
                           "wang2013-3a",
                           "wang2013-4b",
                           "zaharia2010-choice-of-d",
                           "kavousi-two-levels",
                           "kavousi-three-levels",
                           "kavousi-completion-time",
                           "jin2018-1",
                           "jin2018-2",
                           "jin2018-7-small-loads",
                           "jin2018-3",
                           "jin2018-4",
                           "jin2018-5",
                           "jin2018-9a",
                           "jin2018-9b",
                           "jin2018-9c",
                           "jin2018-9d",
                           "jin2018-10",
                           "jin2018-11"})
        EXPECT_TRUE(contains("\n" + list, std::string("\n") + id + " ")) << id;
    EXPECT_LT(list.find("xu2017-8"), list.find("xu2017-9"));
}

TEST_F(ReproduceCli, PrintsALedger) {
    const ordered_json before = json("paper", "paper xu2017");
    EXPECT_TRUE(before["figures"][0]["claims"][0]["verdict"].is_null());
    const auto& claims = before["claims"];
    EXPECT_TRUE(
        std::any_of(claims.begin(), claims.end(), [](const auto& c) { return c["id"] == "redundancy.lemma-4"; }));
    EXPECT_TRUE(std::any_of(before["deviations"].begin(), before["deviations"].end(),
                            [](const auto& d) { return d["claim"] == "redundancy.cost-lower-bound"; }));
    EXPECT_TRUE(contains(good("paper xu2017"), "xu2017-7, Figure 7: Mean flowtime along the arrival rate\n"));
    // The words of the ledger, where verdicts differ by instance.
    const std::string wang = good("paper wang2013");
    for (const char* word :
         {"  queueing.serve-takes-waiting: fails\n", "  queueing.heavy-traffic.condition-12: an assumption\n",
          "  queueing.route-minimises: holds\n"})
        EXPECT_TRUE(contains(wang, word)) << word << wang;
    expect_refused("paper xu2071",
                   "NAME: expected the key of a paper, such as xu2017, not 'xu2071' (did you mean 'xu2017'?)");
}

TEST_F(ReproduceCli, NamesWhatIsWrong) {
    expect_refused("reproduce xu2017-77",
                   "FIGURE: expected a figure or a paper of `schedproof reproduce --list`, or a file "
                   ".toml, not 'xu2017-77' (did you mean 'xu2017-7'?)");
    expect_refused("reproduce", "FIGURE: expected a figure of `schedproof reproduce --list`, or --all");
    expect_refused("reproduce small.toml --format gif",
                   "--format: expected one of csv, svg, pdf, png, tikz, markdown, json");
    expect_wrong(
        "drawing = \"curves\"", "drawing = \"curve\"",
        "wrong.toml:7: figure.drawing: expected one of curves, distribution, bars, series, schedules, not 'curve' "
        "(did you mean 'curves'?)");
    expect_wrong("title = ", "titel = ", "wrong.toml:5: figure.titel: ");
    expect_wrong("\"srpt\", \"srpt+r\"", "\"srpt\", \"srtp+r\"", "wrong.toml:20: simulate.policy: expected a policy");
    expect_wrong("machines = 4", "mashines = 4", "wrong.toml:21: simulate.mashines: expected an option of `simulate`");
    expect_wrong("curves = [\"srpt+r\", \"srpt\"]\nbelow", "curves = [\"srpt+r\", \"fair\"]\nbelow",
                 "claim copies-help: curves: expected a curve of the figure, 'srpt', 'srpt+r', not 'fair'");
    expect_wrong("kind = \"ratio\"", "kind = \"order\"", "expected one of ordering, ratio, band");
    expect_wrong("measure = \"mean\"\ncurves = [\"srpt+r\", \"srpt\"]\nat",
                 "measure = \"maen\"\ncurves = [\"srpt\"]\nat", "(did you mean 'mean'?)");
    expect_wrong("above = 0.99", "from = 1", "expected `above`, `below` or both");
    expect_wrong("simulate = { service = \"det\" }", "simulate = { servise = \"det\" }", "(did you mean 'service'?)");
    expect_wrong("expected = \"reproduced\"", "expected = \"holds\"", "claim[0].expected: expected one of reproduced");
    expect_wrong("quantity = \"flowtime\"", "quantity = \"flowtimes\"", "(did you mean 'flowtime'?)");
}

}  // namespace
}  // namespace schedproof
