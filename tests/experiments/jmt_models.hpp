/// Models of JMT as texts: one that is stated in short, and random ones of the kind that can be imported.
#pragma once

#include <rapidcheck.h>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace schedproof::testing_support {

struct JmtTestClass {
    std::string name, lambda;
};

struct JmtTestStation {
    std::string name;
    std::vector<std::optional<std::string>> rates;  ///< by class, absent where it is disabled
};

/// Classes that arrive at one source, pass routers without a choice, and are sent to stations by the last node.
struct JmtTestModel {
    std::vector<JmtTestClass> classes;
    std::vector<JmtTestStation> stations;
    std::string strategy = "RandomStrategy";
    std::string parts = {};  ///< of the strategy, as elements
    std::size_t routers = 1;
};

namespace jmt {

inline std::string sub(const std::string& class_path, const std::string& name, const std::string& inside) {
    const std::string begin = "<subParameter classPath=\"" + class_path + "\" name=\"" + name + "\"";
    return inside.empty() ? begin + "/>\n" : begin + ">" + inside + "</subParameter>\n";
}
inline std::string value(const std::string& class_path, const std::string& name, const std::string& text) {
    return sub("java.lang." + class_path, name, "<value>" + text + "</value>");
}

inline std::string law(const std::optional<std::string>& lambda) {
    const std::string strategies = "jmt.engine.NetStrategies.ServiceStrategies.";
    if (!lambda) return sub(strategies + "DisabledServiceTimeStrategy", "DisabledServiceTimeStrategy", "");
    return sub(strategies + "ServiceTimeStrategy", "ServiceTimeStrategy",
               sub("jmt.engine.random.Exponential", "Exponential", "") +
                   sub("jmt.engine.random.ExponentialPar", "distrPar", value("Double", "lambda", *lambda)));
}

inline std::string probabilities(const std::vector<JmtTestStation>& stations, const std::vector<std::string>& p) {
    std::string entries;
    for (std::size_t i = 0; i < stations.size(); ++i)
        entries += sub("jmt.engine.random.EmpiricalEntry", "EmpiricalEntry",
                       value("String", "stationName", stations[i].name) + value("Double", "probability", p[i]));
    return sub("jmt.engine.random.EmpiricalEntry", "EmpiricalEntryArray", entries);
}

/// A parameter with an entry for each class.
template <class Entry>
std::string by_class(const JmtTestModel& model, const std::string& class_path, const std::string& name,
                     const Entry& entry) {
    std::string text = "<parameter array=\"true\" classPath=\"" + class_path + "\" name=\"" + name + "\">\n";
    for (std::size_t c = 0; c < model.classes.size(); ++c)
        text += "<refClass>" + model.classes[c].name + "</refClass>\n" + entry(c);
    return text + "</parameter>\n";
}

inline std::string section(const std::string& name, const std::string& inside) {
    return "<section className=\"" + name + "\">\n" + inside + "</section>\n";
}
inline std::string node(const std::string& name, const std::string& inside) {
    return "<node name=\"" + name + "\">\n" + inside + "</node>\n";
}
inline std::string connection(const std::string& from, const std::string& to) {
    return "<connection source=\"" + from + "\" target=\"" + to + "\"/>\n";
}

inline std::string sends(const JmtTestModel& model, bool decides) {
    return section(
        "Router", by_class(model, "jmt.engine.NetStrategies.RoutingStrategy", "RoutingStrategy", [&](auto) {
            return sub("jmt.engine.NetStrategies.RoutingStrategies." + (decides ? model.strategy : "RandomStrategy"),
                       "r", decides ? model.parts : "");
        }));
}

inline std::string queue(const JmtTestModel& model) {
    return section(
        "Queue",
        "<parameter classPath=\"java.lang.Integer\" name=\"size\"><value>-1</value></parameter>\n"
        "<parameter classPath=\"jmt.engine.NetStrategies.QueueGetStrategies.FCFSstrategy\" name=\"get\"/>\n" +
            by_class(model, "jmt.engine.NetStrategies.QueuePutStrategy", "QueuePutStrategy", [](auto) {
                return sub("jmt.engine.NetStrategies.QueuePutStrategies.TailStrategy", "TailStrategy", "");
            }));
}

inline std::string station(const JmtTestModel& model, const JmtTestStation& one) {
    return node(
        one.name,
        queue(model) +
            section("Server",
                    "<parameter classPath=\"java.lang.Integer\" name=\"maxJobs\"><value>1</value></parameter>\n" +
                        by_class(model, "java.lang.Integer", "numberOfVisits",
                                 [](auto) { return value("Integer", "numberOfVisits", "1"); }) +
                        by_class(model, "jmt.engine.NetStrategies.ServiceStrategy", "ServiceStrategy",
                                 [&](std::size_t c) { return law(one.rates[c]); })) +
            sends(model, false));
}

/// The whole file, an element or two a line.
inline std::string written(const JmtTestModel& model) {
    std::string nodes = node(
        "Source", section("RandomSource", by_class(model, "jmt.engine.NetStrategies.ServiceStrategy", "ServiceStrategy",
                                                   [&](std::size_t c) { return law(model.classes[c].lambda); })) +
                      section("ServiceTunnel", "") + sends(model, model.routers == 0));
    std::string before = "Source", ways;
    for (std::size_t i = 1; i <= model.routers; ++i) {
        const std::string name = "Router " + std::to_string(i);
        nodes += node(name, queue(model) + section("ServiceTunnel", "") + sends(model, i == model.routers));
        ways += connection(before, name);
        before = name;
    }
    for (const JmtTestStation& one : model.stations) {
        nodes += station(model, one);
        ways += connection(before, one.name) + connection(one.name, "Sink");
    }
    std::string text = "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\n<archive>\n<sim name=\"model.jsimg\">\n";
    for (const JmtTestClass& one : model.classes)
        text += "<userClass name=\"" + one.name + "\" priority=\"0\" referenceSource=\"Source\" type=\"open\"/>\n";
    return text + nodes + node("Sink", section("JobSink", "")) + ways + "</sim>\n</archive>\n";
}

/// A decimal above 0 as Java writes one.
inline std::string random_decimal() {
    std::string text = std::to_string(*rc::gen::inRange(0, 20)) + "." + std::to_string(*rc::gen::inRange(1, 1'000));
    const int power = *rc::gen::inRange(-4, 5);
    return power == 0 ? text : text + "E" + std::to_string(power);
}

/// Every class is served somewhere.
inline JmtTestModel random_model() {
    JmtTestModel model;
    const auto classes = static_cast<std::size_t>(*rc::gen::inRange(1, 4));
    const auto stations = static_cast<std::size_t>(*rc::gen::inRange(1, 5));
    const bool like = *rc::gen::arbitrary<bool>();  // all classes
    for (std::size_t c = 0; c < classes; ++c) model.classes.push_back({"Class " + std::to_string(c), random_decimal()});
    for (std::size_t m = 0; m < stations; ++m) {
        JmtTestStation station{"Queue " + std::to_string(m), {}};
        for (std::size_t c = 0; c < classes; ++c) {
            const bool serves = m == c % stations || *rc::gen::inRange(0, 4) > 0;
            if (like)
                station.rates.push_back(c == 0 ? random_decimal() : station.rates.front());
            else
                station.rates.push_back(serves ? std::optional(random_decimal()) : std::nullopt);
        }
        model.stations.push_back(station);
    }
    model.strategy = *rc::gen::element<std::string>("RandomStrategy", "ShortestQueueLengthRoutingStrategy",
                                                    "PowerOfKRoutingStrategy");
    if (model.strategy.starts_with("Power"))
        model.parts =
            value("Integer", "k", std::to_string(*rc::gen::inRange(1, 6))) + value("Boolean", "withMemory", "false");
    model.routers = static_cast<std::size_t>(*rc::gen::inRange(0, 3));
    return model;
}

}  // namespace jmt
}  // namespace schedproof::testing_support
