/// Models of JMT as instances and rules: generated models come back as they were, fixed probabilities as a mixture that
/// has them, means are those that are known, and what is another system is refused with its line.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "experiments/input/jmt/jmt_model.hpp"
#include "model/core/errors.hpp"
#include "model/queueing/codec/codec.hpp"
#include "model/queueing/codec/policy_text.hpp"
#include "tests/experiments/jmt_models.hpp"
#include "tests/support/command.hpp"

namespace schedproof {
namespace {

using testing_support::contains;
using testing_support::JmtTestModel;
using testing_support::JmtTestStation;
using testing_support::replaced;
namespace jmt = testing_support::jmt;

Rational exactly(const std::string& text) { return *Rational::parse(text); }

/// What the file said, in names that an instance may have.
std::string dashed(std::string name) {
    std::replace(name.begin(), name.end(), ' ', '-');
    return name;
}

/// The number of stations that serve the class.
std::size_t ways(const JmtTestModel& model, std::size_t c) {
    return static_cast<std::size_t>(std::count_if(model.stations.begin(), model.stations.end(),
                                                  [&](const JmtTestStation& s) { return s.rates[c].has_value(); }));
}

std::string expected_route(const JmtTestModel& model) {
    std::size_t most = 0;
    for (std::size_t c = 0; c < model.classes.size(); ++c) most = std::max(most, ways(model, c));
    if (most == 1 || model.strategy == "RandomStrategy") return "servers";
    if (model.strategy.starts_with("Shortest")) return "argmin(servers, server_length)";
    const std::size_t k = std::stoul(model.parts.substr(model.parts.find("<value>") + 7));
    return k >= most ? "argmin(servers, server_length)"
           : k == 1  ? "servers"
                     : "argmin(sample(" + std::to_string(k) + ", servers), server_length)";
}

/// The servers are the stations that serve some class, and the numbers are those of the text.
void expect_same(const queueing::InstanceData& data, const JmtTestModel& model) {
    std::vector<const JmtTestStation*> used;
    for (const JmtTestStation& one : model.stations)
        if (std::any_of(one.rates.begin(), one.rates.end(), [](const auto& rate) { return rate.has_value(); }))
            used.push_back(&one);
    RC_ASSERT(data.time.has_value());
    RC_ASSERT(data.servers.size() == used.size());
    RC_ASSERT(data.types.size() == model.classes.size());
    for (std::size_t c = 0; c < model.classes.size(); ++c) {
        RC_ASSERT(data.types[c].name == dashed(model.classes[c].name));
        RC_ASSERT(data.rates[c] == exactly(model.classes[c].lambda));
        for (std::size_t m = 0; m < used.size(); ++m) {
            RC_ASSERT(data.servers[m].name == dashed(used[m]->name));
            const std::optional<std::string>& stated = used[m]->rates[c];
            RC_ASSERT(data.types[c].at_servers[m] ==
                      (stated ? std::optional<Rational>(exactly(*stated)) : std::nullopt));
        }
    }
}

RC_GTEST_PROP(JmtModels, AreReadAsTheyWereWritten, ()) {
    const JmtTestModel model = jmt::random_model();
    input::JmtModel read = input::read_jmt(jmt::written(model), "file");
    RC_ASSERT(read.name == "model");
    RC_ASSERT(read.rule.route == expected_route(model));
    expect_same(read.data, model);
    // What is read can be written, and the text of the rule takes part in it.
    read.data.name = read.name;
    const queueing::Instance instance(std::move(read.data));
    const std::string text = queueing::write_toml(instance);
    RC_ASSERT(queueing::write_toml(queueing::parse_instance(text, base::Format::toml, "written")) == text);
}

/// Of each server in the order of preference, by the weights of the beginnings of their list that a route such as
/// `mix(1/4, preferred(1, servers), servers)` draws from.
std::vector<Rational> drawn_by(const std::string& route, std::size_t servers) {
    std::vector<Rational> p(servers);
    Rational rest = 1;
    std::size_t at = 0;
    while (true) {
        Rational part = 1;
        if (route.compare(at, 4, "mix(") == 0) {
            const std::size_t comma = route.find(',', at);
            part = exactly(route.substr(at + 4, comma - at - 4));
            at = comma + 2;
        }
        std::size_t first = servers;
        if (route.compare(at, 10, "preferred(") == 0) {
            first = std::stoul(route.substr(at + 10));
            at = route.find(')', at) + 1;
        } else {
            at += std::string("servers").size();
        }
        for (std::size_t i = 0; i < first; ++i) p[i] += rest * part / Rational(static_cast<std::int64_t>(first));
        rest *= Rational(1) - part;
        if (rest.sign() == 0) return p;
        at += 2;
    }
}

RC_GTEST_PROP(JmtModels, HaveTheProbabilitiesThatAreStated, ()) {
    JmtTestModel model = jmt::random_model();
    for (JmtTestStation& one : model.stations)
        for (auto& rate : one.rates) rate = rate.value_or("1");
    std::vector<int> parts;
    int all = 0;
    for (std::size_t m = 0; m < model.stations.size(); ++m) {
        parts.push_back(*rc::gen::inRange(0, 1'000));
        if (m + 1 == model.stations.size()) parts.back() = 1'000 * static_cast<int>(parts.size()) - all;
        all += parts.back();
    }
    std::map<std::string, Rational> stated;
    std::vector<std::string> texts;
    for (std::size_t m = 0; m < parts.size(); ++m) {
        const Rational p = Rational(parts[m]) / Rational(all);
        texts.push_back(p.to_string());
        if (p.sign() > 0) stated[dashed(model.stations[m].name)] = p;
    }
    model.strategy = "EmpiricalStrategy";
    model.parts = jmt::probabilities(model.stations, texts);
    const input::JmtModel read = input::read_jmt(jmt::written(model), "file");
    const std::vector<Rational> drawn = drawn_by(read.rule.route, read.data.servers.size());
    for (const queueing::TaskType& type : read.data.types) {
        std::map<std::string, Rational> found;
        for (std::size_t place = 0; place < drawn.size(); ++place) {
            const std::size_t m = type.preference.empty() ? place : type.preference[place].index();
            found[read.data.servers[m].name] = drawn[place];
        }
        RC_ASSERT(found == stated);
    }
    RC_ASSERT(std::all_of(read.data.types.begin(), read.data.types.end(),
                          [&](const queueing::TaskType& type) { return type.at_servers.size() == stated.size(); }));
}

RC_GTEST_PROP(JmtModels, ThatAreDamagedAreReadOrRefused, ()) {
    std::string text = jmt::written(jmt::random_model());
    const int changes = *rc::gen::inRange(1, 5);
    for (int i = 0; i < changes && !text.empty(); ++i) {
        const auto at = static_cast<std::size_t>(*rc::gen::inRange(0, static_cast<int>(text.size())));
        const int kind = *rc::gen::inRange(0, 4);
        if (kind == 0) text[at] = *rc::gen::element('<', '>', '"', '/', '&', '0', '-', '\0', '\xff');
        if (kind == 1) text.erase(at, static_cast<std::size_t>(*rc::gen::inRange(1, 40)));
        if (kind == 2) text.insert(at, text.substr(at / 2, 60));
        if (kind == 3) text.resize(at);
    }
    try {
        input::JmtModel read = input::read_jmt(text, "file");
        RC_ASSERT(!read.rule.route.empty());
        static_cast<void>(queueing::Instance(std::move(read.data)));
    } catch (const InputError& error) {
        RC_ASSERT(!error.expected().empty());
    }
}

/// One class and two stations of rates 2 and 1.
JmtTestModel two_stations(const std::string& strategy, const std::string& parts = "") {
    return {{{"A", "1.0"}}, {{"x", {"2.0"}}, {"y", {"1.0"}}}, strategy, parts, 1};
}

/// One class or several for which a text is written.
class ImportJmtCli : public testing_support::CommandTest {
  protected:
    static inline const std::string example = "experiments/instances/routers/three-stations.jsimg";

    /// The certified mean number of tasks of the model is about this number.
    void expect_mean(const JmtTestModel& model, const Rational& known) const {
        write("model.jsimg", jmt::written(model));
        good("import jmt model.jsimg --rule model.policy -o model.toml");
        const std::string answer = good("mean model.toml --policy-file model.policy --digits 3");
        const std::size_t open = answer.find('['), comma = answer.find(',', open), close = answer.find(']', comma);
        ASSERT_NE(close, std::string::npos) << answer;
        const Rational least = exactly(answer.substr(open + 1, comma - open - 1)),
                       most = exactly(answer.substr(comma + 2, close - comma - 2));
        const Rational near = exactly("1/1000");
        EXPECT_TRUE(least - near <= known && known <= most + near) << known << "\n" << answer;
        EXPECT_LT(most - least, exactly("1/100"));
    }
    void refuse(const std::string& text, const std::string& words) const {
        write("file", text);
        expect_refused("import jmt file", words);
    }
    /// The text with a change, which names the line that it is on.
    void refuse(const std::string& text, const std::string& from, const std::string& to,
                const std::string& words) const {
        const std::string changed = replaced(text, from, to);
        const auto end = changed.begin() + static_cast<std::ptrdiff_t>(text.find(from));
        const auto line = std::to_string(std::count(changed.begin(), end, '\n') + 1);
        refuse(changed, "file:" + line + ": " + words);
    }
};

/// Queues that are drawn at random are M/M/1: rho / (1 - rho) tasks at each.
TEST_F(ImportJmtCli, MeansAreThoseThatAreKnown) {
    expect_mean(two_stations("RandomStrategy"), exactly("1/3") + 1);
    const std::vector<JmtTestStation> stations = two_stations("").stations;
    const auto drawn = [&](const std::string& x, const std::string& y) {
        return two_stations("EmpiricalStrategy", jmt::probabilities(stations, {x, y}));
    };
    expect_mean(drawn("0.75", "0.25"), exactly("3/5") + exactly("1/3"));
    expect_mean(drawn("0.4", "0.6"), exactly("1/4") + exactly("3/2"));
    // Two that are alike and take the shorter queue: the instance that the project has of them.
    JmtTestModel shortest = two_stations("ShortestQueueLengthRoutingStrategy");
    shortest.classes = {{"A", "1.4"}, {"B", "0.4"}};
    shortest.stations = {{"x", {"1", "1"}}, {"y", {"1", "1"}}};
    const std::string known = good("mean experiments/instances/mm2-jsq.toml -p join-shortest-queue --digits 3");
    const std::size_t open = known.find('[');
    expect_mean(shortest, exactly(known.substr(open + 1, known.find(',', open) - open - 1)));
    EXPECT_TRUE(contains(read("model.policy"), "keep: per_server\nroute: argmin(servers, server_length)\nserve: own\n"))
        << read("model.policy");
}

TEST_F(ImportJmtCli, TheExampleBecomesAnInstanceAndAPolicy) {
    const auto answer = run("import jmt " + example + " --rule stations.policy -o stations.toml");
    EXPECT_EQ(answer.exit, 0) << answer.err;
    for (const char* note : {"three-stations.jsimg:59: 'Router.Router.RoutingStrategy.Large': no Large is sent to Old",
                             "three-stations.jsimg:63: 'Fast 1': at 'Fast 1' and 1 other station tasks go first"})
        EXPECT_TRUE(contains(answer.err, note)) << note << "\n" << answer.err;
    expect_lines("capacity stations.toml", {"load rho*     35/48 "});
    expect_lines("simulate stations.toml --policy-file stations.policy --horizon 1000 --discipline fcfs",
                 {"time        continuous", "discipline  fcfs"});
    expect_lines("zoo stations.policy --table --slots 0 --instance stations.toml", {"three-stations "});
    EXPECT_TRUE(contains(run("import jmt " + example + " --format json").err,
                         "note: tasks are sent by `argmin(servers, server_length)`"));
    EXPECT_TRUE(good("import jmt " + example + " --format json").starts_with("{"));
}

/// Each class is served four times as fast at a station of its own, and one comes more often than the other.
TEST_F(ImportJmtCli, TheLoadIsThatOfTheProgram) {
    JmtTestModel model = two_stations("ShortestQueueLengthRoutingStrategy");
    model.classes = {{"A", "1.5"}, {"B", "0.5"}};
    model.stations = {{"x", {"4", "1"}}, {"y", {"1", "4"}}};
    write("model.jsimg", jmt::written(model));
    good("import jmt model.jsimg -o model.toml");
    expect_lines("capacity model.toml", {"load rho*     13/40 "});  // A: 13/10 at x, 1/5 at y; B at y
}

/// Classes may have stations of their own, where one rule says what becomes of each.
TEST_F(ImportJmtCli, ClassesAreSentByOneRule) {
    const std::string strategies = "jmt.engine.NetStrategies.RoutingStrategies.";
    JmtTestModel model = two_stations("RandomStrategy");
    model.classes.push_back({"B", "0.5"});
    for (JmtTestStation& one : model.stations) one.rates.emplace_back("1.0");
    const std::string text = jmt::written(model);
    const std::string random = jmt::sub(strategies + "RandomStrategy", "r", "");
    const auto sent = [&](const std::string& a, const std::string& b) {
        const std::size_t at = text.find("<node name=\"Router 1\">");
        return text.substr(0, at) + replaced(replaced(text.substr(at), "A</refClass>\n" + random, "A</refClass>\n" + a),
                                             "B</refClass>\n" + random, "B</refClass>\n" + b);
    };
    const auto fixed = [&](const std::string& x, const std::string& y) {
        return jmt::sub(strategies + "EmpiricalStrategy", "r", jmt::probabilities(model.stations, {x, y}));
    };
    const std::string shortest = jmt::sub(strategies + "ShortestQueueLengthRoutingStrategy", "r", "");
    write("file", sent(fixed("1", "0"), shortest));
    EXPECT_TRUE(contains(good("import jmt file --rule p -o -"),
                         "name = \"A\", replicas = [\"x\"], rates = {\"x\" "
                         "= \"2\"}}"));
    EXPECT_TRUE(contains(read("p"), "\nroute: argmin(servers, server_length)\n")) << read("p");
    write("file", sent(fixed("1/2", "0.5"), random));
    EXPECT_TRUE(contains(run("import jmt file").err, "sent by `servers`"));
    // Or rules of their own.
    const auto by_class = [&](const std::string& file, const std::string& route, const char* types) {
        write("file", file);
        const std::string cluster = good("import jmt file --rule p -o -");
        EXPECT_TRUE(contains(read("p"), "\nroute: " + route + "\n")) << read("p");
        EXPECT_TRUE(contains(cluster, types)) << cluster;
    };
    by_class(sent(random, shortest), "when(of_class(1), argmin(servers, server_length), servers)",
             "name = \"B\", replicas = [\"x\", \"y\"], class = 1, rates = ");
    by_class(sent(random, fixed("0.3", "0.7")), "when(of_class(1), mix(2/5, preferred(1, servers), servers), servers)",
             "name = \"B\", replicas = [\"x\", \"y\"], class = 1, preference = [\"y\", \"x\"], rates = ");
    by_class(sent(fixed("0.3", "0.7"), fixed("0.7", "0.3")), "mix(2/5, preferred(1, servers), servers)",
             "name = \"A\", replicas = [\"x\"], preference = [\"y\", \"x\"], rates = ");
    by_class(sent(fixed("0.3", "0.7"), fixed("1", "0")), "mix(2/5, preferred(1, servers), servers)",
             "name = \"B\", replicas = [\"x\"], rates = {\"x\" = ");
    refuse(sent(fixed("0.3", "0.6"), random), "expected probabilities of sum 1, not 9/10");
    refuse(sent(fixed("-1", "2"), random), "expected a probability of at least 0");
    write("file", sent(fixed("0.333333", "0.666666"), fixed("0.333333", "0.666666")));
    const auto near = run("import jmt file");
    EXPECT_TRUE(contains(near.err, "divided by their sum, 999999/1000000") && contains(near.err, "mix(1/3, "))
        << near.err;
}

/// The second source is read like the first; of each, JMT writes null for the class of the other.
TEST_F(ImportJmtCli, EachClassMayHaveASource) {
    JmtTestModel model = two_stations("ShortestQueueLengthRoutingStrategy");
    model.classes.push_back({"B", "0.5"});
    for (JmtTestStation& one : model.stations) one.rates.emplace_back("3.0");
    const std::string text = jmt::written(model), none = "<value>null</value>";
    const auto law_inside = [](const std::string& lambda) {
        return jmt::sub("jmt.engine.random.Exponential", "Exponential", "") +
               jmt::sub("jmt.engine.random.ExponentialPar", "distrPar", jmt::value("Double", "lambda", lambda));
    };
    const std::size_t begin = text.find("<node name=\"Source\">"), end = text.find("<node name=\"Router 1\">");
    const std::string source = text.substr(begin, end - begin);
    const std::string first = replaced(source, law_inside("0.5"), none);
    const std::string second =
        replaced(replaced(source, law_inside("1.0"), none), "name=\"Source\"", "name=\"Source 2\"");
    const std::string two = replaced(
        replaced(replaced(text, source, first + second), "name=\"B\" priority=\"0\" referenceSource=\"Source\"",
                 "name=\"B\" priority=\"1\" referenceSource=\"Source 2\""),
        jmt::connection("Source", "Router 1"),
        jmt::connection("Source", "Router 1") + jmt::connection("Source 2", "Router 1") + "<preload/>\n");
    write("file", two);
    const auto answer = run("import jmt file");
    EXPECT_TRUE(contains(answer.out, "\nvalues = [\"1\", \"1/2\"]\n")) << answer.out << answer.err;
    EXPECT_TRUE(contains(answer.err, "'B': stations serve in order of arrival, so that its priority says nothing") &&
                contains(answer.err, "'sim.preload': the tasks that are there at first are left out"))
        << answer.err;
    refuse(replaced(two, "referenceSource=\"Source 2\"", "referenceSource=\"Source 3\""), "did you mean 'Source 2'?");
}

TEST_F(ImportJmtCli, AnotherSystemIsNamedWithItsLine) {
    const std::string text = jmt::written(two_stations("RandomStrategy"));
    const auto strategy = [&](const std::string& name, const std::string& words) {
        refuse(jmt::written(two_stations(name)), "RoutingStrategy.A': expected " + words);
    };
    refuse(text, "type=\"open\"", "type=\"closed\"", "A: expected an open class, not one that is 'closed'");
    refuse(text, "referenceSource=\"Source\"", "referenceSource=\"Sorce\"",
           "A: expected a node of the model, not 'Sorce' (did you mean 'Source'?)");
    refuse(text, "referenceSource=\"Source\"", "referenceSource=\"x\"", "A: expected a source, not x");
    refuse(text, "<value>1</value>", "<value>2</value>", "x.Server.maxJobs: expected one server, not '2'");
    refuse(text, "<value>2.0</value>", "<value>0.0</value>",
           "x.Server.ServiceStrategy.A.distrPar.lambda: expected a rate above 0, not 0");
    refuse(text, "<value>2.0</value>", "<value>Infinity</value>", "x.Server.ServiceStrategy.A.distrPar.lambda: ");
    refuse(text, "className=\"Server\"", "className=\"PSServer\"",
           "x.PSServer: expected no section PSServer of a node: a server runs one task at a time");
    refuse(
        text, "className=\"Server\"", "className=\"Sever\"",
        "x.Sever: expected a section of a source, a router, a station or a sink, not 'Sever' (did you mean 'Server'?)");
    refuse(text, "\"JobSink\"", "\"Fork\"", "Sink.Fork: expected no section Fork of a node: tasks do not fork");
    refuse(replaced(text, "\"JobSink\"", "\"Queue\""),
           "Sink: expected a source, a router, a station or a sink, not the sections Queue");
    refuse(replaced(text, jmt::connection("x", "Sink"), jmt::connection("x", "y")),
           "x: expected a station from which tasks leave, not one that sends them to y");
    refuse(replaced(text, jmt::connection("x", "Sink"), ""), "x: expected a connection from here");
    refuse(text, jmt::connection("x", "Sink"), jmt::connection("x", "Sinc"),
           "sim.connection: expected a node of the model, not 'Sinc' (did you mean 'Sink'?)");
    refuse(text, jmt::connection("x", "Sink"), "<blockingRegion/>" + jmt::connection("x", "Sink"),
           "sim.blockingRegion: expected no region of finite capacity");
    refuse(text, "<node name=\"Sink\">", "<nodes/><node name=\"Sink\">",
           "sim.nodes: expected a part of an open system of queues (did you mean 'node'?)");
    refuse(text, "<node name=\"y\">", "<node name=\"x\">", "x: expected another name: a node has this one");
    const std::size_t at = text.find("<node name=\"x\">");
    refuse(text.substr(0, at) + replaced(text.substr(at), "TailStrategy\" name", "HeadStrategy\" name"),
           "x.Queue.QueuePutStrategy.A: expected TailStrategy, which is first come, first served, not HeadStrategy");
    refuse(text.substr(0, at) +
               replaced(text.substr(at),
                        "<parameter classPath=\"java.lang.Integer\" name=\"size\"><value>-1</value></parameter>",
                        "<paramter/>"),
           "x.Queue.paramter: expected parameter");
    refuse(text.substr(0, at) + replaced(text.substr(at), "<value>-1</value>", "<value>8</value>"),
           "x.Queue.size: expected a queue without limit, -1, not '8'");
    refuse(replaced(text, "Exponential\" name", "Erlang\" name"), "expected an exponential law, not Erlang");
    refuse(replaced(text, "ServiceTimeStrategy\" name", "LoadDependentStrategy\" name"),
           "expected an exponential law, not LoadDependentStrategy: rates do not depend on lengths");
    refuse(replaced(text, "<refClass>A</refClass>", "<refClass>B</refClass>"),
           "expected a class of the model, not 'B' (did you mean 'A'?)");
    strategy("RoundRobinStrategy", "another routing strategy than RoundRobinStrategy: the policy language does not");
    strategy("WeightedRoundRobinStrategy", "another routing strategy");
    strategy("LeastUtilizationRoutingStrategy",
             "another routing strategy than LeastUtilizationRoutingStrategy: it goes by");
    strategy("FastestServiceRoutingStrategy", "another routing strategy");
    strategy("ShortestResponseTimeRoutingStrategy", "another routing strategy");
    strategy("LoadDependentRoutingStrategy", "another routing strategy");
    strategy("ClassSwitchRoutingStrategy", "another routing strategy than ClassSwitchRoutingStrategy: a task keeps");
    strategy("RandomStrategi",
             "a routing strategy that the policy language can say, not 'RandomStrategi' (did you mean "
             "'RandomStrategy'?)");
    refuse(jmt::written(two_stations("PowerOfKRoutingStrategy",
                                     jmt::value("Integer", "k", "2") + jmt::value("Boolean", "withMemory", "true"))),
           "RoutingStrategy.A.withMemory': expected false: the policy language does not remember lengths");
    refuse(jmt::written(two_stations("PowerOfKRoutingStrategy", jmt::value("Integer", "k", "0"))),
           "expected a number above 0, not '0'");
}

TEST_F(ImportJmtCli, WhatIsNoModelIsNamed) {
    const std::string text = jmt::written(two_stations("RandomStrategy"));
    refuse("", "file: ");
    refuse("nothing", "expected well-formed XML");
    refuse("<a/>", "file:1: expected a model of JSIM: an archive, or a sim");
    refuse("<archive/>", "file:1: expected a sim in the archive");
    refuse("<sim/>", "expected a userClass");
    refuse("<sim/><sim/>", "file:1: expected one root element");
    refuse("<!DOCTYPE a [<!ENTITY b \"c\">]>\n<sim/>", "file:1: expected no document type");
    refuse("<sim name=\"a\" name=\"b\"/>", "file:1: expected the attribute 'name' once");
    refuse(text.substr(0, text.size() / 2), "expected well-formed XML");
    std::string deep;
    for (int i = 0; i < 100; ++i) deep += "<a>";
    for (int i = 0; i < 100; ++i) deep += "</a>";
    refuse(deep, "expected fewer levels of nesting");
    // Names that an instance cannot have.
    JmtTestModel model = two_stations("RandomStrategy");
    model.stations[0].name = "a b";
    model.stations[1].name = "a  b";
    refuse(jmt::written(model), "expected another name: what is left of it, a-b, is that of line ");
    model.stations[1].name = "\xfc";  // in Latin-1, as the file says
    refuse(jmt::written(model), "expected a shorter name, with a letter or a digit");
    model.stations[1].name = "f\xfcr &amp; wider";
    write("file", jmt::written(model));
    EXPECT_TRUE(contains(good("import jmt file"), "{name = \"f-r-wider\"}"));
    // Of a class that is served nowhere, and one that never arrives.
    model.stations[0].rates = model.stations[1].rates = {std::nullopt};
    refuse(jmt::written(model), "expected a station that serves A");
    refuse(replaced(text, "ServiceTimeStrategy\" name", "DisabledServiceTimeStrategy\" name"),
           "file: expected a class that arrives");
}

}  // namespace
}  // namespace schedproof
