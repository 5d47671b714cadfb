/// Files that the command writes, read back: instances, listings, pictures, PRISM files, certificates. Certificates are
/// altered in every place and must never be accepted.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "tests/experiments/cli_fixture.hpp"

namespace schedproof {
namespace {

using namespace testing_support;

class CliFiles : public CliTest {};

// ------------------------------------------------------------------------------------------- files out and in again

TEST_F(CliFiles, ShownInstancesReadBack) {
    for (const std::string name : {"example-cluster", "m2-shared", "wang-cluster"}) {
        SCOPED_TRACE(name);
        const std::string file = instances + name + ".toml";
        good("show " + file + " --as toml -o a.toml");
        good("show " + file + " --as json -o a.json");
        EXPECT_EQ(good("show a.json --as toml"), read("a.toml"));
        EXPECT_EQ(good("show a.toml --as json"), read("a.json"));
        EXPECT_EQ(good("show a.toml --format json"), read("a.json"));
        EXPECT_EQ(good("show a.json"), good("show " + file));
        EXPECT_EQ(good("show - < a.json"), good("show " + file));
    }
}

TEST_F(CliFiles, AListingBecomesAnInstance) {
    const std::string listing = "import hdfs-fsck " + instances + "example-fsck.txt ";
    good(listing + "-o data.toml");
    expect_lines("capacity data.toml", {"instance      fsck: 8 servers, 11 task types, 16/5 (approx. 3.2) tasks a slot",
                                        "load rho*     1/2 (approx. 0.5)"});
    EXPECT_EQ(good(listing), read("data.toml"));
    EXPECT_EQ(good("import hdfs-fsck - < " + instances + "example-fsck.txt --format json -o data.json"), "");
    EXPECT_EQ(ordered_json::parse(read("data.json"))["levels"].size(), 3u);
    const std::string renamed = good(listing + "--name mine --rates 1/2,1/8 --total-rate 5/3 --by port --weight bytes");
    for (const std::string words : {"name = \"mine\"", "\"1/8\""}) EXPECT_TRUE(contains(renamed, words)) << words;
    write("mine.toml", renamed);
    expect_lines("show mine.toml", {"arrivals  5/3 (approx. 1.66667) in a slot on average"});
}

TEST_F(CliFiles, AListingTakesALawOfArrivals) {
    const std::string listing = "import hdfs-fsck " + instances + "example-fsck.txt ";
    EXPECT_TRUE(contains(good(listing), "kind = \"rates\""));
    good(listing + "--arrivals bernoulli -o data.toml");
    EXPECT_TRUE(contains(read("data.toml"), "kind = \"bernoulli\""));
    EXPECT_EQ(good("capacity data.toml"), good(listing + "-o rates.toml && '" + command + "' capacity rates.toml"));
    good(listing + "--arrivals single --total-rate 9/10 -o data.toml");
    EXPECT_TRUE(contains(read("data.toml"), "kind = \"single\""));
    const ordered_json law = ordered_json::parse(good("kernel data.toml -p jsq-maxweight --format json"));
    EXPECT_GT(law["next"].size(), 1U);
    expect_refused(listing + "--arrivals single",
                   "example-fsck.txt: --arrivals: expected at most one task in a slot on average, not 16/5");
    expect_refused(
        listing + "--arrivals bernoulli --total-rate 20",
        "example-fsck.txt: --arrivals: expected at most one task of a type in a slot on average, but the rate "
        "of t");
    expect_refused(listing + "--arrivals poisson",
                   "--arrivals: expected one of rates, bernoulli, single, not 'poisson'");
    EXPECT_TRUE(contains(good("import hdfs-fsck --help"), "--total-rate 1 --arrivals bernoulli"));
    // Rates alone make no slot: what to ask for instead is said.
    EXPECT_TRUE(
        contains(run(listing + "-o rates.toml").err, "import it with --arrivals bernoulli or --arrivals single"));
    EXPECT_FALSE(contains(run(listing + "--arrivals bernoulli -o law.toml").err, "mean rates only"));
}

TEST_F(CliFiles, PicturesAreOfTheirKind) {
    const std::string system = "graph " + half + " -p wang-jsq-maxweight --cap-total 2 ";
    good(system + "-o a.dot");
    good(system + "--stationary -o a.svg");
    good(system + "--around 1 --queues 1,0,1 -o a.png");
    EXPECT_TRUE(read("a.dot").starts_with("digraph"));
    EXPECT_TRUE(contains(read("a.svg"), "<svg") && contains(read("a.svg"), "</svg>"));
    EXPECT_TRUE(read("a.png").starts_with("\x89PNG\r\n"));
    EXPECT_EQ(good(system), read("a.dot"));
    good("capacity " + instances + "example-cluster.toml --picture cluster.svg");
    EXPECT_TRUE(contains(read("cluster.svg"), "</svg>"));
}

TEST_F(CliFiles, ASeedFixesThePath) {
    const std::string path = "graph " + half + " -p jsq-maxweight --path 6 ";
    EXPECT_EQ(good(path + "--seed 7"), good(path + "--seed 7"));
    EXPECT_NE(good(path + "--seed 7"), good(path + "--seed 8"));
    EXPECT_EQ(good(path), good(path + "--seed 1"));
}

/// Thirty independent types have 2^30 arrival vectors: no law can be enumerated, and a path is sampled all the same.
TEST_F(CliFiles, APathNeedsNoLawOfItsSlots) {
    write("many.toml",
          "family = \"queueing\"\nname = \"many\"\nservers = 30\n"
          "levels = [{name = \"local\", rate = \"4/5\"}, {name = \"remote\", rate = \"1/5\"}]\n"
          "types = [{cyclic = {servers = 30, replicas = 3}}]\n"
          "arrivals = {kind = \"bernoulli\", each = \"1/2\"}\n");
    expect_refused("kernel many.toml -p jsq-maxweight", "more than 200000 combinations of outcomes", 3);
    const std::string path = "graph many.toml -p jsq-maxweight --path 40 ";
    const std::string drawn = good(path);
    EXPECT_TRUE(contains(drawn, "from slot 1 on without probabilities")) << drawn;
    EXPECT_TRUE(contains(drawn, "slot 40")) << drawn;
    EXPECT_EQ(good(path), drawn);
    EXPECT_NE(good(path + "--seed 2"), drawn);
    // A node per slot and none for what else could have happened.
    EXPECT_TRUE(contains(good(path + "-o a.dot --format json"), "\"nodes\": 41"));
}

TEST_F(CliFiles, PrismFilesHoldTheChain) {
    good("graph " + half + " -p fifo --cap-total 2 -o a.dot --prism model");
    const std::string states = std::to_string(
        ordered_json::parse(good("chain " + half + " -p fifo --cap-total 2 --format json"))["states"].get<int>());
    EXPECT_EQ(read("model.tra").substr(0, states.size() + 1), states + " ");
    for (const std::string ending : {".sta", ".lab", "1.srew"}) EXPECT_FALSE(read("model" + ending).empty()) << ending;
}

/// The whole chain is written, whatever is drawn; tests/checks/umb_files.py reads such files.
TEST_F(CliFiles, AUmbFileHoldsTheChain) {
    const std::string system = "graph " + half + " -p fifo --cap-total 2 ";
    const std::string report = good(system + "-o a.dot --umb a.umb");
    const std::string states = std::to_string(
        ordered_json::parse(good("chain " + half + " -p fifo --cap-total 2 --format json"))["states"].get<int>());
    EXPECT_TRUE(contains(report, "a.umb: " + states + " states, ")) << report;
    EXPECT_TRUE(contains(report, "fractions of 128 bits\n")) << report;
    EXPECT_EQ(read("a.umb").substr(257, 5), "ustar");
    EXPECT_TRUE(contains(read("a.umb"), "\"#states\": " + states));
    good(system + "--path 3 -o b.dot --umb b.umb");
    good(system + "--around 1 -o b.svg --umb c.umb --prism model");
    EXPECT_EQ(read("b.umb"), read("a.umb"));
    EXPECT_EQ(read("c.umb"), read("a.umb"));
    EXPECT_EQ(good(system + "--umb d.umb"), good(system));
    EXPECT_EQ(read("d.umb"), read("a.umb"));
}

// ----------------------------------------------------------------------------------------------------- certificates

TEST_F(CliFiles, ACertificateIsAccepted) {
    for (const std::string name : {"example-cluster", "m2-half", "n2-pandas", "wang-cluster"}) {
        const std::string capacity = "capacity " + instances + name + ".toml ";
        const std::string solved = good(capacity + "--certificate c.json");
        EXPECT_EQ(good(capacity + "--verify c.json"), solved) << name;
    }
}

std::string nudged(const std::string& number) {
    const std::size_t slash = number.find('/');
    const long p = std::stol(number), q = slash == std::string::npos ? 1 : std::stol(number.substr(slash + 1));
    return std::to_string(p * 1000 + q) + "/" + std::to_string(q * 1000);
}

/// The certificate changed in one place, with a word on the change.
std::vector<std::pair<std::string, ordered_json>> tampered(const ordered_json& certificate) {
    std::vector<std::pair<std::string, ordered_json>> all;
    const auto change = [&](const Pointer& at, const ordered_json& value) {
        all.emplace_back(at.to_string() + " = " + value.dump(), certificate);
        all.back().second[at] = value;
    };
    const auto drop = [&](const Pointer& at) {
        ordered_json less = certificate;
        if (less[at.parent_pointer()].is_array())
            less[at.parent_pointer()].erase(std::stoul(at.back()));
        else
            less[at.parent_pointer()].erase(at.back());
        all.emplace_back("without " + at.to_string(), less);
    };
    const ordered_json flat = certificate.flatten();
    for (const auto& [place, value] : flat.items()) {
        const Pointer at(place);
        // The version says who wrote the file; the proof stands or falls without it.
        if (at.back() == "version") continue;
        const std::string text = value.get<std::string>();
        const bool number = text.find_first_not_of("-0123456789/") == std::string::npos;
        change(at, number ? nudged(text) : text + "x");
        change(at, nullptr);
        if (number) change(at, 1.5);
        if (number) change(at, text == "0" ? "1" : "-" + text);
        drop(at);
    }
    for (const auto& [key, value] : certificate.items())
        if (value.is_structured()) drop(Pointer("/" + key));
    const Pointer list("/decomposition");
    for (std::size_t i = 0; i < certificate[list].size(); ++i) drop(list / i);
    ordered_json twice = certificate[list], backwards = ordered_json::array();
    for (const auto& entry : certificate[list]) backwards.insert(backwards.begin(), entry);
    twice.push_back(twice.back());
    change(list, twice);
    change(list, backwards);
    return all;
}

TEST_F(CliFiles, NoFieldOfACertificateCanBeAltered) {
    for (const std::string name : {"example-cluster", "m2-uneven"}) {
        const std::string capacity = "capacity " + instances + name + ".toml ";
        good(capacity + "--certificate c.json");
        const auto changes = tampered(ordered_json::parse(read("c.json")));
        EXPECT_GT(changes.size(), 40u);
        for (const auto& [what, certificate] : changes) {
            write("d.json", certificate.dump());
            const Answer answer = run(capacity + "--verify d.json");
            EXPECT_TRUE(answer.exit == 1 || answer.exit == 2) << what << "\n" << answer.out << answer.err;
            EXPECT_EQ(answer.exit == 1, answer.out.starts_with("rejected      ")) << what << "\n" << answer.out;
            EXPECT_EQ(answer.exit == 2, contains(answer.err, "d.json:")) << what << "\n" << answer.err;
        }
    }
}

TEST_F(CliFiles, ACertificateIsOfOneInstance) {
    good("capacity " + half + " --certificate c.json");
    expect_refused("capacity " + instances + "m2-uneven.toml --verify c.json", "instance: expected 'm2-uneven'");
    // An instance that shares the name is told apart by its digest, and, were that renewed, by what is proved.
    const std::string own = read("c.json");
    const auto digest = [](const std::string& certificate) {
        return nlohmann::ordered_json::parse(certificate)["instance_digest"].get<std::string>();
    };
    const auto expect_told_apart = [&](const std::string& from, const std::string& to, int exit) {
        write("other.toml", replaced(read(half), from, to));
        expect_refused("capacity other.toml --verify c.json", "c.json:5: instance_digest: expected ");
        good("capacity other.toml --certificate theirs.json");
        write("renewed.json", replaced(own, digest(own), digest(read("theirs.json"))));
        EXPECT_EQ(run("capacity other.toml --verify renewed.json").exit, exit);
    };
    expect_told_apart("A = \"1/2\"", "A = \"2/5\"", 1);
    expect_told_apart("rate = \"4/5\"", "rate = \"3/5\"", 1);
    expect_told_apart("servers = 2", "servers = 3", 2);
}

TEST_F(CliFiles, ACertificateHasNoSpareRoom) {
    write("idle-type.toml", replaced(read(half), "A = \"1/2\"", "A = 0"));
    good("capacity idle-type.toml --certificate c.json");
    const std::string certificate = read("c.json");
    const std::vector<std::string> changed{replaced(certificate, "\"lower\":", "\"unknown\": 1,\n\"lower\":"),
                                           replaced(certificate, "\"lower\":", "\"lower\": \"9/10\",\n\"lower\":"),
                                           // A type that never arrives: its price changes no bound.
                                           replaced(certificate, "\"A\": \"1/4\"", "\"A\": \"-7\"")};
    for (const std::string& text : changed) {
        write("d.json", text);
        EXPECT_NE(run("capacity idle-type.toml --verify d.json").exit, 0) << text;
    }
}

TEST_F(CliFiles, AnErrorLeavesTheOldFile) {
    write("a.json", "old");
    expect_refused("chain " + half + " -p fifo --cap-total 2 --max-states 3 -o a.json", "limit", 3);
    EXPECT_EQ(read("a.json"), "old");
    good("chain " + half + " -p fifo --cap-total 2 --format json -o a.json");
    EXPECT_EQ(rejected("chain", "a.json"), std::set<std::string>{});
}

}  // namespace
}  // namespace schedproof
