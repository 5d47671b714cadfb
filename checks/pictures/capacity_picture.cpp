/// A cluster and the optimum of its capacity program as DOT text.
///
/// The optimum x of the capacity program (minimise the largest load rho over all ways to split the arrival rates among
/// servers) is drawn as a flow: types on the left, servers on the right, an edge per x(type, server) > 0. A server
/// whose dual price is the highest is a bottleneck by complementary slackness, and is filled in the colour that the
/// legend names.
///
/// Basic optima have at most types + servers edges, so a picture of a small cluster stays readable. A larger cluster is
/// drawn by groups: servers of one rack or, without racks or with too many, of one price; past the limit, all further
/// groups are one.
/// Then the left side shows locality levels instead of types, since a type's edges say nothing once servers are merged.
/// The amounts of a group are exact sums; only labels are rounded, and tooltips hold the exact numbers.
///
/// Source: the capacity region of [schedproof], docs/models/queueing.md. Cost: linear in the decomposition.
#include "checks/pictures/capacity_picture.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <utility>

#include "checks/pictures/dot.hpp"
#include "checks/pictures/state_label.hpp"

namespace schedproof::graph {

namespace {

using namespace queueing;
using capacity::Assignment;
using capacity::CapacityCertificate;

// Okabe and Ito's palette. Styles repeat what the colours say.
constexpr std::string_view busy_fill = "#F0E442";  // dearest servers
constexpr std::string_view plain_fill = "#FFFFFF";
constexpr std::string_view type_fill = "#DDEEF8";

struct Stroke {
    std::string_view colour;
    std::string_view style;
};
/// Local solid, remote dotted, everything between dashed.
Stroke stroke(const Instance& instance, Level level) {
    if (level == instance.local()) return {"#0072B2", "solid"};
    if (level == instance.remote()) return {"#D55E00", "dotted"};
    return {"#009E73", "dashed"};
}

std::string edge(const std::string& from, const std::string& to, const Rational& amount, const Stroke& stroke) {
    return fmt::format(
        "  {} -> {} [label=\"{}\", tooltip=\"{} tasks a slot\", color=\"{}\", fontcolor=\"{}\", style={}, "
        "penwidth=1.6];\n",
        from, to, short_number(amount, 7), amount.to_string(), stroke.colour, stroke.colour, stroke.style);
}

/// Title above, how to read it below.
std::string open(const Instance& instance, const CapacityCertificate& certificate, bool grouped) {
    const std::string load = certificate.exact()
                                 ? fmt::format("load rho* = {}", short_number(certificate.load(), 20))
                                 : fmt::format("load rho* between {} and {}", short_number(certificate.lower),
                                               short_number(certificate.upper));
    return fmt::format(
        "digraph capacity {{\n  rankdir=LR; ranksep=1.6; nodesep=0.12; labelloc=t; fontname=\"Helvetica\"; "
        "fontsize=16; compound=true;\n"
        "  label=\"{}: {}\\nhow the optimum splits the work (tasks a slot){}\";\n"
        "  node [fontname=\"Helvetica\", fontsize=11, style=filled, margin=\"0.12,0.05\"];\n"
        "  edge [fontname=\"Helvetica\", fontsize=10, arrowsize=0.6];\n",
        escape_label(instance.name()), load,
        grouped ? fmt::format("\\n{} servers and {} task types, drawn by groups", instance.servers().size(),
                              instance.types().size())
                : "");
}

std::string legend(const Instance& instance, bool grouped) {
    std::string rows;
    for (const Level level : instance.levels()) {
        const Stroke s = stroke(instance, level);
        rows += fmt::format(
            "<tr><td align=\"left\"><font color=\"{}\">{}</font></td><td align=\"left\">{}, rate {}{}</td></tr>",
            s.colour,
            s.style == "solid"    ? "&#9473;&#9473;&#9473;"
            : s.style == "dashed" ? "&#9473; &#9473;"
                                  : "&#8226; &#8226; &#8226;",
            escape_html(instance.data().levels[level.index()].name), instance.rate(level).to_string(),
            instance.rates_by_type() ? " unless the type has its own" : "");
    }
    return fmt::format(
        "  subgraph cluster_legend {{ style=invis; label=\"\"; legend [shape=plain, fillcolor=\"#FFFFFF\", "
        "label=<<table border=\"0\" cellborder=\"0\" cellspacing=\"1\">"
        "{}<tr><td bgcolor=\"{}\"> </td><td align=\"left\">{}</td></tr></table>>]; }}\n",
        rows, busy_fill,
        grouped ? "holds servers of the highest price (bottleneck)" : "server of the highest price (bottleneck)");
}

struct Servers {
    std::vector<Rational> load;
    std::vector<Rational> price;
    Rational highest;
    Rational lowest;

    [[nodiscard]] bool bottleneck(std::size_t m) const { return price[m] == highest; }
};

Servers servers_of(const Instance& instance, const CapacityCertificate& certificate,
                   const std::vector<Assignment>& decomposition) {
    Servers servers{capacity::server_loads(instance, decomposition), certificate.server_price, {}, {}};
    const auto [low, high] = std::minmax_element(servers.price.begin(), servers.price.end());
    servers.lowest = *low;
    servers.highest = *high;
    return servers;
}

std::string relative_price(const Servers& servers, const Rational& price) {
    return servers.lowest.sign() > 0 ? fmt::format("price {}", short_number(price / servers.lowest, 7)) : std::string();
}

std::string server_node(const Instance& instance, const Servers& servers, ServerId m) {
    const std::size_t i = m.index();
    return fmt::format("    s{} [shape=box, fillcolor=\"{}\", penwidth={}, label=\"{}\\nload {}  {}\"];\n", i,
                       servers.bottleneck(i) ? busy_fill : plain_fill, servers.bottleneck(i) ? 2 : 1,
                       escape_label(instance.server(m).name), short_number(servers.load[i], 7),
                       relative_price(servers, servers.price[i]));
}

std::string whole(const Instance& instance, const Servers& servers, const std::vector<Assignment>& decomposition) {
    std::string text;
    for (const TaskTypeId t : instance.types())
        text += fmt::format("  t{} [shape=box, style=\"filled,rounded\", fillcolor=\"{}\", label=\"{}\\n{}\"];\n",
                            t.index(), type_fill, escape_label(instance.type(t).name),
                            short_number(instance.arrival_rate(t), 9));
    std::map<std::uint32_t, std::vector<ServerId>> racks;
    for (const ServerId m : instance.servers()) racks[instance.groupings() > 0 ? instance.group(m, 0) : 0].push_back(m);
    for (const auto& [rack, members] : racks) {
        const std::string name = instance.groupings() > 0 ? instance.server(members.front()).groups.front() : "servers";
        text +=
            fmt::format("  subgraph cluster_rack{} {{ label=\"{}\"; fontsize=12; color=\"#999999\"; style=rounded;\n",
                        rack, escape_label(name));
        for (const ServerId m : members) text += server_node(instance, servers, m);
        text += "  }\n";
    }
    for (const Assignment& a : decomposition)
        text += edge(fmt::format("t{}", a.type.index()), fmt::format("s{}", a.server.index()), a.amount,
                     stroke(instance, instance.level(a.type, a.server)));
    return text;
}

/// Servers drawn as one node.
struct Group {
    std::string name;
    std::vector<ServerId> members;
};

/// Racks, or without racks (or with too many) servers of equal price, dearest first; what is too much is one group.
std::vector<Group> groups_of(const Instance& instance, const Servers& servers, std::size_t limit) {
    std::map<std::uint32_t, Group> racks;
    if (instance.groupings() > 0)
        for (const ServerId m : instance.servers()) {
            Group& rack = racks[instance.group(m, 0)];
            rack.name = instance.server(m).groups.front();
            rack.members.push_back(m);
        }
    std::vector<Group> groups;
    for (auto& [id, rack] : racks) groups.push_back(std::move(rack));
    if (groups.empty() || groups.size() > limit) {
        std::map<Rational, Group, std::greater<>> prices;
        for (const ServerId m : instance.servers()) prices[servers.price[m.index()]].members.push_back(m);
        groups.clear();
        for (auto& [price, group] : prices) {
            group.name = relative_price(servers, price);
            groups.push_back(std::move(group));
        }
    }
    if (groups.size() > limit) {
        Group rest{"all others", {}};
        for (std::size_t g = limit - 1; g < groups.size(); ++g)
            rest.members.insert(rest.members.end(), groups[g].members.begin(), groups[g].members.end());
        groups.resize(limit - 1);
        groups.push_back(std::move(rest));
    }
    return groups;
}

std::string grouped(const Instance& instance, const Servers& servers, const std::vector<Assignment>& decomposition,
                    std::size_t limit) {
    const std::vector<Group> groups = groups_of(instance, servers, limit);
    std::vector<std::size_t> group_of(instance.servers().size());
    std::string text;
    for (std::size_t g = 0; g < groups.size(); ++g) {
        Rational low = servers.load[groups[g].members.front().index()], high = low;
        bool bottleneck = false;
        for (const ServerId m : groups[g].members) {
            group_of[m.index()] = g;
            low = std::min(low, servers.load[m.index()]);
            high = std::max(high, servers.load[m.index()]);
            bottleneck = bottleneck || servers.bottleneck(m.index());
        }
        text += fmt::format("  g{} [shape=box3d, fillcolor=\"{}\", label=\"{}\\n{} server{}, load {}\"];\n", g,
                            bottleneck ? busy_fill : plain_fill, escape_label(groups[g].name), groups[g].members.size(),
                            groups[g].members.size() == 1 ? "" : "s",
                            low == high ? short_number(low, 7) : short_number(low, 7) + " to " + short_number(high, 7));
    }
    std::map<std::pair<std::size_t, std::size_t>, Rational> work;  // (level, group): amount
    std::vector<Rational> at_level(instance.levels().size());
    for (const Assignment& a : decomposition) {
        const std::size_t level = instance.level(a.type, a.server).index();
        work[{level, group_of[a.server.index()]}] += a.amount;
        at_level[level] += a.amount;
    }
    for (const Level level : instance.levels())
        text += fmt::format(
            "  l{} [shape=box, style=\"filled,rounded\", fillcolor=\"{}\", label=\"{} work\\n{} tasks a slot\"];\n",
            level.index(), type_fill, escape_label(instance.data().levels[level.index()].name),
            short_number(at_level[level.index()], 9));
    for (const auto& [key, amount] : work)
        text += edge(fmt::format("l{}", key.first), fmt::format("g{}", key.second), amount,
                     stroke(instance, Level(key.first)));
    return text;
}

}  // namespace

std::string capacity_dot(const Instance& instance, const CapacityCertificate& certificate,
                         const std::vector<Assignment>& decomposition, const CapacityPictureLimits& limits) {
    const Servers servers = servers_of(instance, certificate, decomposition);
    const bool small = instance.types().size() <= limits.types && instance.servers().size() <= limits.servers &&
                       decomposition.size() <= limits.assignments;
    return open(instance, certificate, !small) +
           (small ? whole(instance, servers, decomposition)
                  : grouped(instance, servers, decomposition, limits.groups)) +
           legend(instance, !small) + "}\n";
}

}  // namespace schedproof::graph
