/// Nodes of a JMT model are lists of sections, and sections lists of parameters that a class of Java takes.
///
/// A parameter that is not known here may change the system, so that it is refused like one that does. What JMT writes
/// of a station with one server and says nothing (names of server types, rules for a buffer that is never full) is
/// passed over.
#include "experiments/input/jmt/jmt_network.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "model/base/nearest.hpp"
#include "model/base/text.hpp"
#include "model/core/errors.hpp"

namespace schedproof::input {

namespace {

/// What an element of another kind would be, and why there is none of it here.
struct Refusal {
    std::string_view word, why;
};

constexpr std::array<Refusal, 17> refused_sections{{{"Delay", "no task has a server of its own"},
                                                    {"PSServer", "a server runs one task at a time"},
                                                    {"PreemptiveServer", "no task is interrupted"},
                                                    {"PollingServer", "servers do not poll"},
                                                    {"Fork", "tasks do not fork"},
                                                    {"Join", "tasks do not fork"},
                                                    {"LogTunnel", "a logger hides the queues behind it; take it out"},
                                                    {"ClassSwitch", "a task keeps its class"},
                                                    {"Semaphore", "tasks do not fork"},
                                                    {"Scaler", "tasks do not fork"},
                                                    {"Cache", "there are no caches"},
                                                    {"Storage", "there are no Petri nets"},
                                                    {"Linkage", "there are no Petri nets"},
                                                    {"Tunnel", "there are no Petri nets"},
                                                    {"Enabling", "there are no Petri nets"},
                                                    {"Timing", "there are no Petri nets"},
                                                    {"Firing", "there are no Petri nets"}}};
constexpr std::array<std::string_view, 6> known_sections{"RandomSource",  "Queue",  "Server",
                                                         "ServiceTunnel", "Router", "JobSink"};
/// Elements of a node that only stations with deadlines or time shares read.
constexpr std::array<std::string_view, 3> said_of_others{"classSoftDeadlines", "quantumSize", "quantumSwitchoverTime"};

template <class Range>
bool is_among(const Range& words, std::string_view word) {
    return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

/// The parameters of a section by name. A strategy by which a queue is read is called `get`, whatever its name.
std::string parameter_name(const JmtCursor& parameter) {
    const bool gets = parameter.attribute("classPath").find("QueueGetStrategies.") != std::string::npos;
    return gets ? "get" : parameter.attribute("name");
}

void expect_value(const JmtCursor& at, std::string_view value, std::string_view form) {
    if (at.value() != value) at.fail(fmt::format("expected {}, not {}", form, base::shown(at.value())));
}

/// lambda of an exponential law, or nothing where the class is disabled.
std::optional<Rational> rate_of(const JmtCursor& strategy) {
    const std::string kind = strategy.class_name();
    if (kind == "DisabledServiceTimeStrategy" || (kind == "ServiceTimeStrategy" && strategy.is_null())) return {};
    if (kind != "ServiceTimeStrategy")
        strategy.fail(fmt::format("expected an exponential law, not {}{}", kind,
                                  kind == "ZeroServiceTimeStrategy" ? ": every service takes time"
                                  : kind == "LoadDependentStrategy" ? ": rates do not depend on lengths"
                                                                    : ""));
    const std::vector<JmtCursor> law = strategy.parts();
    if (law.size() != 2) strategy.fail("expected a law and its parameters");
    if (const std::string name = law[0].class_name(); name != "Exponential")
        law[0].fail(fmt::format("expected an exponential law, not {}", name));
    const JmtCursor lambda = law[1].part("lambda");
    Rational number = lambda.number();
    if (number.sign() <= 0) lambda.fail("expected a rate above 0, not " + number.to_string());
    return number;
}

class NetworkReader {
  public:
    NetworkReader(const XmlElement& root, const std::string& file) : root_(root, file, ""), sim_(sim_of(root_)) {}

    JmtNetwork run() {
        network_.name = name_of_model();
        for (const XmlElement& child : sim_.element().children)
            if (child.name == "userClass") add_class(sim_.below(child, "userClass"));
        if (network_.classes.empty()) sim_.fail("expected a userClass");
        for (const XmlElement& child : sim_.element().children) add(sim_.below(child, child.name));
        for (std::size_t i = 0; i < sources_.size(); ++i) {
            const auto [name, at] = sources_[i];
            network_.classes[i].source = node_named(at, name);
            if (network_.nodes[network_.classes[i].source].role != JmtRole::source)
                at.fail(fmt::format("expected a source, not {}", base::in_sentence(name)));
        }
        for (const JmtCursor& connection : connections_) connect(connection);
        for (const JmtNode& node : network_.nodes) check_outputs(node);
        return std::move(network_);
    }

  private:
    static JmtCursor sim_of(const JmtCursor& root) {
        if (root.element().name == "sim") return root;
        if (root.element().name != "archive") root.fail("expected a model of JSIM: an archive, or a sim");
        for (const XmlElement& child : root.element().children)
            if (child.name == "sim") return root.below(child, "sim");
        root.fail("expected a sim in the archive");
    }

    /// Of the model, which JMT calls by its file.
    [[nodiscard]] std::string name_of_model() const {
        for (const JmtCursor& at : {sim_, root_})
            if (const std::string* name = at.element().attribute("name"); name != nullptr && !name->empty()) {
                for (const std::string_view ending : {".jsimg", ".jsim", ".xml"})
                    if (name->ends_with(ending)) return name->substr(0, name->size() - ending.size());
                return *name;
            }
        return "model";
    }

    void note(const JmtCursor& at, std::string says) {
        network_.notes.push_back({at.line(), at.path(), std::move(says)});
    }

    void add_class(const JmtCursor& place) {
        const std::string& name = place.attribute("name");
        const JmtCursor at(place.element(), file(), name);
        if (!class_.try_emplace(name, class_.size()).second) at.fail("expected another name: a class has this one");
        if (const std::string& type = at.attribute("type"); type != "open")
            at.fail(fmt::format("expected an open class, not one that is {}: tasks come from outside, and leave",
                                base::shown(type)));
        const std::string* priority = at.element().attribute("priority");
        if (priority_ != nullptr && priority != nullptr && *priority != *priority_)
            note(at, "stations serve in order of arrival, so that its priority says nothing");
        if (priority_ == nullptr) priority_ = priority;
        network_.classes.push_back({name, 0, at.line()});
        sources_.emplace_back(at.attribute("referenceSource"), at);
    }

    void add(const JmtCursor& at) {
        const std::string& tag = at.element().name;
        if (tag == "node") {
            add_node(at);
        } else if (tag == "connection") {
            connections_.push_back(at);
        } else if (tag == "blockingRegion") {
            at.fail("expected no region of finite capacity: a task that arrives is always let in");
        } else if (tag == "preload") {
            note(at, "the tasks that are there at first are left out");
        } else if (tag != "userClass" && tag != "measure" && !is_among(said_of_others, tag)) {
            constexpr std::array<std::string_view, 5> tags{"userClass", "node", "connection", "measure", "preload"};
            at.fail("expected a part of an open system of queues" + base::did_you_mean(tag, tags));
        }
    }

    void add_node(const JmtCursor& place) {
        const std::string& name = place.attribute("name");
        const JmtCursor at(place.element(), file(), name);
        if (!node_.try_emplace(name, node_.size()).second) at.fail("expected another name: a node has this one");
        std::string all;
        const std::vector<JmtCursor> sections = sections_of(at, all);
        JmtNode node{name, JmtRole::sink, at};
        if (all == "RandomSource, ServiceTunnel, Router") {
            node.role = JmtRole::source;
            node.rates = rates(sections[0], {"ServiceStrategy"});
        } else if (all == "Queue, ServiceTunnel, Router") {
            node.role = JmtRole::router;
            check_room(sections[0]);
        } else if (all == "Queue, Server, Router") {
            node.role = JmtRole::station;
            check_room(sections[0]);
            check_order(sections[0]);
            node.rates = server(sections[1]);
        } else if (all != "JobSink") {
            at.fail(fmt::format("expected a source, a router, a station or a sink, not the sections {}", all));
        }
        if (node.role == JmtRole::source || node.role == JmtRole::router)
            for (const JmtCursor& parameter : sections[2].parts("parameter")) {
                if (parameter.attribute("name") != "RoutingStrategy" || !node.strategies.empty())
                    parameter.fail("expected one parameter, a RoutingStrategy");
                node.strategies = parameter.by_class(class_);
            }
        network_.nodes.push_back(std::move(node));
    }

    /// `all`: their names, between commas.
    [[nodiscard]] static std::vector<JmtCursor> sections_of(const JmtCursor& node, std::string& all) {
        std::vector<JmtCursor> sections;
        for (const XmlElement& child : node.element().children) {
            if (is_among(said_of_others, child.name)) continue;
            const JmtCursor section = node.below(child, child.name);
            if (child.name != "section") section.fail("expected a section");
            const std::string name = section.class_name("className");
            sections.push_back(node.below(child, name));
            check_section(sections.back(), name);
            all += (all.empty() ? "" : ", ") + name;
        }
        return sections;
    }

    static void check_section(const JmtCursor& section, const std::string& name) {
        for (const Refusal& refused : refused_sections)
            if (refused.word == name)
                section.fail(fmt::format("expected no section {} of a node: {}", name, refused.why));
        if (!is_among(known_sections, name))
            section.fail(fmt::format("expected a section of a source, a router, a station or a sink, not {}{}",
                                     base::shown(name), base::did_you_mean(name, known_sections)));
    }

    /// A buffer without limit.
    static void check_room(const JmtCursor& queue) {
        bool has_size = false;
        for (const JmtCursor& parameter : queue.parts("parameter")) {
            if (parameter.attribute("name") != "size") continue;
            expect_value(parameter, "-1", "a queue without limit, -1");
            has_size = true;
        }
        if (!has_size) queue.fail("expected a size");
    }

    /// First come, first served, by tasks that wait as long as it takes.
    void check_order(const JmtCursor& queue) const {
        for (const JmtCursor& parameter : queue.parts("parameter")) {
            const std::string name = parameter_name(parameter);
            if (name == "get" && parameter.class_name() != "FCFSstrategy")
                parameter.fail(fmt::format("expected FCFSstrategy, not {}", parameter.class_name()));
            if (name == "QueuePutStrategy") {
                for (const JmtCursor& one : parameter.by_class(class_))
                    if (const std::string put = one.class_name(); put != "TailStrategy")
                        one.fail(fmt::format("expected TailStrategy, which is first come, first served, not {}", put));
            } else if (name == "Impatience") {
                for (const JmtCursor& one : parameter.by_class(class_))
                    if (!one.is_null()) one.fail("expected no impatience: a task waits as long as it takes");
            } else if (name != "get" && name != "size" && name != "dropStrategies" && name != "retrialDistributions") {
                constexpr std::array<std::string_view, 4> names{"size", "dropStrategies", "QueuePutStrategy",
                                                                "Impatience"};
                parameter.fail("expected a parameter of a queue" + base::did_you_mean(name, names));
            }
        }
    }

    std::vector<std::optional<Rational>> rates(const JmtCursor& section,
                                               std::initializer_list<std::string_view> known) const {
        std::vector<std::optional<Rational>> found;
        for (const JmtCursor& parameter : section.parts("parameter")) {
            const std::string& name = parameter.attribute("name");
            if (!is_among(known, name))
                parameter.fail(fmt::format("expected a parameter of a {}{}", section.class_name("className"),
                                           base::did_you_mean(name, known)));
            if (name != "ServiceStrategy") continue;
            for (const JmtCursor& strategy : parameter.by_class(class_)) found.push_back(rate_of(strategy));
        }
        if (found.size() != network_.classes.size()) section.fail("expected one ServiceStrategy");
        return found;
    }

    /// One server, which serves each task once.
    [[nodiscard]] std::vector<std::optional<Rational>> server(const JmtCursor& section) const {
        bool counts_servers = false;
        for (const JmtCursor& parameter : section.parts("parameter")) {
            const std::string& name = parameter.attribute("name");
            if (name == "maxJobs") expect_value(parameter, "1", "one server");
            counts_servers = counts_servers || name == "maxJobs";
            if (name == "numberOfVisits")
                for (const JmtCursor& one : parameter.by_class(class_)) expect_value(one, "1", "one visit");
            if (name == "classParallelism")
                for (const JmtCursor& one : parameter.by_class(class_)) expect_value(one, "1", "one server for a task");
            if (name == "serversPerServerType")
                for (const JmtCursor& one : parameter.parts()) expect_value(one, "1", "one server");
            if (name == "serverCompatibilities")
                for (const JmtCursor& one : parameter.parts())
                    for (const JmtCursor& flag : one.parts())
                        expect_value(flag, "true", "a server for every class: disable a class by its service");
            if ((name == "serversPerServerType" || name == "serverCompatibilities") && parameter.parts().size() != 1)
                parameter.fail("expected one server");
            if (name == "delayOffTime" || name == "setUpTime") parameter.fail("expected a server that is always on");
        }
        if (!counts_servers) section.fail("expected maxJobs, the number of servers");
        return rates(section, {"maxJobs", "numberOfVisits", "ServiceStrategy", "classParallelism", "serverNames",
                               "serversPerServerType", "serverCompatibilities", "schedulingPolicy"});
    }

    [[nodiscard]] std::size_t node_named(const JmtCursor& at, const std::string& name) const {
        const auto found = node_.find(name);
        if (found == node_.end())
            at.fail(fmt::format("expected a node of the model, not {}{}", base::shown(name), nearest_of(name, node_)));
        return found->second;
    }

    void connect(const JmtCursor& at) {
        const std::pair<std::size_t, std::size_t> ends{node_named(at, at.attribute("source")),
                                                       node_named(at, at.attribute("target"))};
        if (!connected_.insert(ends).second) at.fail("expected the connection once");
        network_.nodes[ends.first].outputs.push_back(ends.second);
    }

    /// From a station tasks leave the system.
    void check_outputs(const JmtNode& node) const {
        if (node.role != JmtRole::sink && node.outputs.empty()) node.at.fail("expected a connection from here");
        for (const std::size_t output : node.outputs)
            if (node.role == JmtRole::station && network_.nodes[output].role != JmtRole::sink)
                node.at.fail(fmt::format("expected a station from which tasks leave, not one that sends them to {}",
                                         base::in_sentence(network_.nodes[output].name)));
    }

    [[nodiscard]] const std::string& file() const { return root_.file(); }

    JmtCursor root_, sim_;
    JmtNetwork network_;
    JmtNames class_, node_;
    std::vector<std::pair<std::string, JmtCursor>> sources_;  // by class, with the class
    std::vector<JmtCursor> connections_;
    std::set<std::pair<std::size_t, std::size_t>> connected_;
    const std::string* priority_ = nullptr;  // of the first class
};

}  // namespace

JmtNetwork read_network(const XmlElement& root, const std::string& file) { return NetworkReader(root, file).run(); }

}  // namespace schedproof::input
