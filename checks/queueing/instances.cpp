/// The instances of the queueing claims, written as code and found by name.
///
/// Claims must not depend on files, and a counterexample names its instance; so each instance has a function in one
/// table sorted by name, and is built when it is looked up. Names tell the size (m2, m3: servers) or the counterexample
/// (n1 to n5), or that it is a family of loads (slack). Every number is an exact rational, given as text. `flat` makes
/// two levels of locality, `racks` three, with servers s0 and s1 in one rack. Source: docs/models/queueing.md,
/// Stability, Counterexamples N1 to N5.
#include "checks/queueing/instances.hpp"

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "model/core/errors.hpp"
#include "model/queueing/load.hpp"

namespace schedproof::checks {

using namespace queueing;

namespace {

Rational q(std::string_view text) { return *Rational::parse(text); }

std::vector<Rational> all_of(std::initializer_list<std::string_view> texts) {
    std::vector<Rational> values;
    for (const std::string_view text : texts) values.push_back(q(text));
    return values;
}

using Types = std::vector<std::pair<const char*, std::vector<std::size_t>>>;

std::vector<TaskType> types(const Types& described) {
    std::vector<TaskType> made;
    for (const auto& [name, replicas] : described) {
        TaskType type;
        type.name = name;
        for (const std::size_t m : replicas) type.replicas.emplace_back(m);
        made.push_back(std::move(type));
    }
    return made;
}

const Types separate{{"A", {0}}, {"B", {1}}};

/// Servers without racks, two levels.
InstanceData flat(const char* source, std::size_t servers, const char* alpha, const char* gamma,
                  const Types& described) {
    InstanceData data;
    data.source = source;
    data.levels = {{"local", q(alpha)}, {"remote", q(gamma)}};
    for (std::size_t m = 0; m < servers; ++m) data.servers.push_back({"s" + std::to_string(m), {}});
    data.types = types(described);
    return data;
}

/// Racks {s0, s1} and {s2}, three levels.
InstanceData racks(const char* source, std::initializer_list<const char*> rates, const Types& described) {
    InstanceData data;
    data.source = source;
    const char* const names[] = {"local", "rack", "remote"};
    for (const char* rate : rates) data.levels.push_back({names[data.levels.size()], q(rate)});
    data.servers = {{"s0", {"r0"}}, {"s1", {"r0"}}, {"s2", {"r1"}}};
    data.types = types(described);
    return data;
}

InstanceData bernoulli(InstanceData data, std::initializer_list<std::string_view> rates) {
    data.arrivals = ArrivalLaw::bernoulli(all_of(rates));
    return data;
}

const Types n2_types{{"A", {0}}, {"B", {1, 2}}};
/// The rack of two servers is that of the second type: s0 and s1.
const Types n5_types{{"A", {2}}, {"D", {0}}};

InstanceData two_servers(const char* source, std::initializer_list<std::string_view> rates) {
    return bernoulli(flat(source, 2, "4/5", "1/5", separate), rates);
}

InstanceData shared() {
    InstanceData data = flat("[schedproof], docs/models/queueing.md, Stability", 2, "4/5", "1/5", {{"AB", {0, 1}}});
    data.arrivals = ArrivalLaw({ArrivalFactor({TaskTypeId(0)}, {{{0}, q("1/4")}, {{1}, q("1/4")}, {{2}, q("1/2")}})});
    return data;
}

InstanceData single(Reveal reveal) {
    InstanceData data = flat("[schedproof], docs/models/queueing.md, Counterexample N1", 2, "4/5", "1/5", separate);
    data.arrivals = ArrivalLaw::single(all_of({"7/20", "7/20"}));
    data.options.reveal = reveal;
    return data;
}

/// A family of loads along which the first type has fewer tasks.
InstanceData with_slack(InstanceData data, const char* up_to) {
    data.slack = ArrivalSlack{q(up_to), with_fewer(*data.arrivals, TaskTypeId(0), q(up_to))};
    return data;
}

/// One type of tasks, none or so many of them in a slot, with two probabilities of none.
InstanceData all_or_none(InstanceData data, std::uint32_t tasks, const char* up_to, const char* none,
                         const char* none_at_last) {
    const auto law = [&](const char* of_none) {
        return ArrivalLaw({ArrivalFactor({TaskTypeId(0)}, {{{0}, q(of_none)}, {{tasks}, Rational(1) - q(of_none)}})});
    };
    data.arrivals = law(none);
    data.slack = ArrivalSlack{q(up_to), law(none_at_last)};
    return data;
}

InstanceData slack_three_shared() {
    return all_or_none(flat("[schedproof], docs/heavy-traffic.md", 3, "4/5", "1/5", {{"AB", {0, 1, 2}}}), 3, "1/10",
                       "1/5", "7/30");
}

InstanceData slack_two_local() {
    return all_or_none(flat("[wang2013], Section IV", 3, "4/5", "1/5", {{"AB", {0, 1}}}), 2, "1/10", "1/10", "3/20");
}

InstanceData slack_shared() {
    const auto law = [](const char* none, const char* two) {
        return ArrivalLaw({ArrivalFactor({TaskTypeId(0)}, {{{0}, q(none)}, {{1}, q("1/5")}, {{2}, q(two)}})});
    };
    InstanceData data = flat("[schedproof], docs/heavy-traffic.md", 2, "4/5", "1/5", {{"AB", {0, 1}}});
    data.arrivals = law("1/10", "7/10");
    data.slack = ArrivalSlack{q("1/20"), law("1/8", "27/40")};
    return data;
}

struct Stream {
    const char *unit, *type, *rate;
};
/// Servers of rate 1 in continuous time, and one stream of tasks that any of them can serve.
InstanceData alike_in_time(const char* source, const Stream& stream, std::size_t servers) {
    InstanceData data;
    data.source = source;
    data.time = ContinuousTime{stream.unit};
    data.types = {{stream.type, {}}};
    for (std::size_t m = 0; m < servers; ++m) {
        data.servers.push_back({"s" + std::to_string(m), {}});
        data.types.front().at_servers.emplace_back(Rational(1));
    }
    data.rates = {q(stream.rate)};
    return data;
}

/// Servers in continuous time, and per type its arrivals and its rate at each of them; a server without one cannot run
/// it.
InstanceData unlike_in_time(const char* source,
                            const std::vector<std::pair<const char*, std::vector<const char*>>>& types,
                            Preemption preemption = Preemption::none) {
    InstanceData data;
    data.source = source;
    data.time = ContinuousTime{};
    data.options.preemption = preemption;
    for (std::size_t m = 0; m < types.front().second.size(); ++m) data.servers.push_back({"s" + std::to_string(m), {}});
    for (const auto& [arrivals, rates] : types) {
        data.types.push_back({std::string(1, static_cast<char>('A' + data.types.size())), {}});
        for (const char* rate : rates)
            data.types.back().at_servers.push_back(rate ? std::optional(q(rate)) : std::nullopt);
        data.rates.push_back(q(arrivals));
    }
    return data;
}

InstanceData two_classes(Preemption preemption) {
    return unlike_in_time("[cobham1954]", {{"3/10", {"1"}}, {"3/10", {"3/5"}}}, preemption);
}

InstanceData with_empty_target_conserved(InstanceData data) {
    data.options.empty_target = EmptyTarget::conserved;
    return data;
}

constexpr const char* tables = "[schedproof], docs/models/queueing.md, Stability";
constexpr const char* n2 = "[schedproof], docs/models/queueing.md, Counterexample N2";
constexpr const char* n5 = "[schedproof], docs/models/queueing.md, Counterexample N5";
constexpr const char* ours = "[schedproof], made for the claims";

struct Named {
    std::string_view name;
    InstanceData (*make)();
};

/// Sorted by name.
constexpr std::array<Named, 32> all{{
    {"m2-conserved",
     [] {
         return with_empty_target_conserved(two_servers(ours, {"9/10", "1/4"}));
     }},
    {"m2-fast-remote",
     [] {
         return bernoulli(flat(tables, 2, "9/10", "1/2", separate), {"7/10", "7/10"});
     }},
    {"m2-half",
     [] {
         return two_servers(tables, {"1/2", "1/2"});
     }},
    {"m2-one-type",
     [] {
         return bernoulli(flat(tables, 2, "4/5", "1/5", {{"A", {0}}}), {"9/10"});
     }},
    {"m2-overloaded",
     [] {
         return two_servers(ours, {"1", "1"});
     }},
    {"m2-shared", shared},
    {"m2-shared-half", [] { return with_load(Instance(shared()), q("1/2")).data(); }},
    {"m2-shared-three-quarters", [] { return with_load(Instance(shared()), q("3/4")).data(); }},
    {"m2-uneven",
     [] {
         return two_servers(tables, {"9/10", "1/4"});
     }},
    {"m3-fast-remote",
     [] {
         return bernoulli(flat(ours, 3, "3/5", "1/2", {{"A", {0}}, {"B", {1, 2}}}), {"1/2", "1/2"});
     }},
    {"m3-overloaded",
     [] {
         return bernoulli(racks(ours, {"1/2", "1/4", "1/8"}, {{"A", {0}}}), {"19/20"});
     }},
    {"m3-racks",
     [] {
         return bernoulli(racks(ours, {"4/5", "1/2", "1/5"}, {{"A", {0}}, {"B", {1, 2}}}), {"4/5", "1/2"});
     }},
    {"mm2-jsq",
     [] {
         return alike_in_time("[winston1977]; [adan1990]", {"", "A", "9/5"}, 2);
     }},
    {"mm5",
     [] {
         return alike_in_time("[erlang1917]", {"minute", "call", "4"}, 5);
     }},
    {"n-system-preemptive",
     [] {
         return unlike_in_time("[harrison1998]; [bell2001]", {{"117/100", {"1", "1/2"}}, {"9/25", {nullptr, "1"}}},
                               Preemption::resume);
     }},
    {"n1-fifo", [] { return single(Reveal::on_start); }},
    {"n1-fifo-listed", [] { return single(Reveal::on_arrival); }},
    {"n2-pandas",
     [] {
         return bernoulli(racks(n2, {"1/2", "2/5", "1/20"}, n2_types), {"22/25", "9/20"});
     }},
    {"n2-pandas-lighter",
     [] {
         return bernoulli(racks(n2, {"1/2", "2/5", "1/20"}, n2_types), {"17/20", "9/20"});
     }},
    {"n2-pandas-slow-rack",
     [] {
         return bernoulli(racks(n2, {"1/2", "1/4", "1/20"}, n2_types), {"19/25", "3/8"});
     }},
    {"n3-three-levels-eps001",
     [] {
         return bernoulli(
             racks("[schedproof], docs/models/queueing.md, Counterexample N3", {"1/2", "1/5", "1/20"}, separate),
             {"33/50", "1/5"});
     }},
    {"n3-two-levels-eps001",
     [] {
         return two_servers("[schedproof], docs/models/queueing.md, Counterexamples N3, N4", {"173/200", "1/2"});
     }},
    {"n5-slow-rack-eps001",
     [] {
         return bernoulli(racks(n5, {"1/2", "1/8", "1/20"}, n5_types), {"13/25", "11/20"});
     }},
    {"n5-three-levels-eps001",
     [] {
         return bernoulli(racks(n5, {"1/2", "1/5", "1/20"}, n5_types), {"211/400", "11/20"});
     }},
    {"slack-one-type",
     [] {
         return with_slack(bernoulli(flat("[wang2013], Section IV", 2, "4/5", "1/5", {{"A", {0}}}), {"1"}), "1/10");
     }},
    {"slack-shared", slack_shared},
    {"slack-three-shared", slack_three_shared},
    {"slack-two-levels",
     [] {
         return with_slack(two_servers("[schedproof], docs/models/queueing.md, Counterexample N3", {"7/8", "1/2"}),
                           "1/20");
     }},
    {"slack-two-local", slack_two_local},
    {"slow-server",
     [] {
         return unlike_in_time("[lin1984]", {{"4/5", {"1", "1/5"}}});
     }},
    {"two-classes", [] { return two_classes(Preemption::none); }},
    {"two-classes-preemptive", [] { return two_classes(Preemption::resume); }},
}};

constexpr auto names = [] {
    std::array<std::string_view, all.size()> list{};
    for (std::size_t i = 0; i < list.size(); ++i) list[i] = all[i].name;
    return list;
}();

}  // namespace

std::span<const std::string_view> instance_names() { return names; }

InstancePtr named_instance(std::string_view name) {
    for (const Named& named : all)
        if (named.name == name) {
            InstanceData data = named.make();
            data.name = name;
            return std::make_shared<const Instance>(std::move(data));
        }
    throw InputError::at_key("instance", "expected a named instance of the claims, not '" + std::string(name) + "'");
}

}  // namespace schedproof::checks
