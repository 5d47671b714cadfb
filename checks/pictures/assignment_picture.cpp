/// The bipartite graph of an assignment as DOT text.
///
/// Tasks stand in one column, servers in another, each server as a table with one row per core, so that an arc of an
/// assigned task ends at its core's row while an arc of another replica ends at the server. Every arc is laid out from
/// task to server, whichever way its arrow points (`dir=back`): dot ranks nodes along the direction of layout, and arcs
/// in both directions would spread the two columns over many ranks.
///
/// An alternating path is given by its tasks and servers; step 2i+1 leaves server i to task i and step 2i+2 leads from
/// task i to server i+1. The path is checked against the assignment before anything is drawn, so that a picture never
/// shows a path that does not exist. All numbers come from `evaluate` and are exact.
///
/// Source: [jin2018], Section 5.1. Cost: linear in tasks x replicas, apart from the layout, which Graphviz does.
#include "checks/pictures/assignment_picture.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "checks/pictures/assignment_labels.hpp"
#include "checks/pictures/dot.hpp"

namespace schedproof::graph {

namespace {

using assignment::Evaluation;
using assignment::Problem;
using assignment::Shape;
namespace colour = assignment_colour;

/// A server with a row per core: name, initial load, load.
std::string server_node(const Problem<Rational>& problem, const Evaluation<Rational>& e, const AssignmentNaming& name,
                        ServerId s) {
    const Shape& shape = *problem.shape;
    const std::uint32_t remote = e.remote[s.index()];
    std::string rows =
        fmt::format("<tr><td port=\"s\" colspan=\"2\" bgcolor=\"#EFEFEF\"><b>{}</b>{}</td></tr>", escape_html(name(s)),
                    remote == 0 ? ""
                                : fmt::format(": {} remote, <font color=\"{}\">{} each</font>", remote,
                                              colour::remote_line, time_label(problem.cost(s)(remote))));
    for (std::size_t i = 0; i < shape.cores_of(s); ++i) {
        const CoreId p = shape.core(s, i);
        const std::size_t tasks = e.tasks[p.index()];
        const std::string from = time_label(problem.load(p)), to = time_label(e.load[p.index()]);
        const bool critical = tasks > 0 && e.makespan && e.load[p.index()] == *e.makespan;
        std::string load = tasks == 0 ? from : from + " &#8594; " + to;
        if (critical) load = "<b>" + load + "</b>";
        rows += fmt::format("<tr><td port=\"c{}\" align=\"left\">{}</td><td align=\"left\"{}>{}</td></tr>", i,
                            escape_html(name(p)), critical ? " bgcolor=\"#F0E442\"" : "", load);
    }
    return fmt::format(
        "    s{} [shape=plain, label=<<table border=\"1\" cellborder=\"0\" cellspacing=\"0\" cellpadding=\"4\">{}"
        "</table>>];\n",
        s.index(), rows);
}

/// The step of the path, from 1, that this arc is; 0 when it is none.
std::size_t step_of(const AlternatingPath& path, TaskId t, ServerId s) {
    for (std::size_t i = 0; i < path.tasks.size(); ++i) {
        if (path.tasks[i] != t) continue;
        if (path.servers[i] == s) return 2 * i + 1;
        if (path.servers[i + 1] == s) return 2 * i + 2;
    }
    return 0;
}

/// The arc between a task and a server, laid out from task to server whichever way its arrow points. `on`: the core, of
/// an assigned task.
std::string arc(const Shape& shape, TaskId t, ServerId s, const CoreId* on, std::size_t step) {
    const bool local = shape.is_local(t, s);
    const std::string port = on == nullptr ? "s" : fmt::format("c{}", on->index() - shape.core(s, 0).index());
    std::string_view line = on == nullptr ? colour::faint : local ? colour::local_line : colour::remote_line;
    std::string label;
    if (step > 0) {
        line = colour::accent;
        label = fmt::format(
            ", label=<<table border=\"0\" cellspacing=\"2\" cellpadding=\"1\"><tr><td bgcolor=\"white\"><b>{}</b></td>"
            "</tr></table>>",
            step);
    }
    const double width = step > 0 ? 3.2 : on != nullptr ? 2.4 : 0.8;
    return fmt::format("  t{}:e -> s{}:{}:w [dir={}, color=\"{}\", fontcolor=\"{}\", penwidth={:.1f}{}{}];\n",
                       t.index(), s.index(), port, on == nullptr ? "forward" : "back", line, line, width,
                       local ? "" : ", style=dashed", label);
}

/// Title, makespan, and what the lines mean: above the graph.
std::string graph_header(const std::vector<std::string>& title, const Evaluation<Rational>& e, bool path) {
    std::string rows;
    const auto line = [&](const std::string& text) {
        rows += fmt::format("<tr><td colspan=\"2\" align=\"left\"><font point-size=\"14\">{}</font></td></tr>",
                            escape_html(text));
    };
    const auto entry = [&](std::string_view ink, std::string_view sample, std::string_view meaning) {
        rows += fmt::format("<tr><td align=\"left\"><font color=\"{}\">{}</font></td><td align=\"left\">{}</td></tr>",
                            ink, sample, meaning);
    };
    for (const std::string& text : wrapped_lines(title, 60)) line(text);
    line(makespan_label(e));
    entry(colour::local_line, "<b>&#9473;&#9473;</b>", "from a server to a task assigned to it: local");
    entry(colour::faint, "&#9472;&#9472;", "from a task to another server that holds its block");
    if (e.remote_tasks > 0) entry(colour::remote_line, "<b>&#9592; &#9592;</b>", "to a task assigned remotely");
    if (path) entry(colour::accent, "<b>1 2 &#8230;</b>", "alternating path: each task on it moves on by one server");
    rows += fmt::format(
        "<tr><td bgcolor=\"{}\"> </td><td align=\"left\">core of the largest load (rows: core, initial "
        "load)</td></tr>",
        colour::critical);
    return "<<table border=\"0\" cellborder=\"0\" cellspacing=\"1\">" + rows + "</table>>";
}

void require_path(const Shape& shape, const assignment::Assignment& assignment, const AlternatingPath& path) {
    if (path.tasks.empty()) return;
    require(path.servers.size() == path.tasks.size() + 1, "an alternating path has one more server than tasks");
    for (std::size_t i = 0; i < path.tasks.size(); ++i) {
        const TaskId t = path.tasks[i];
        require(shape.server_of(assignment[t.index()]) == path.servers[i] && shape.is_local(t, path.servers[i + 1]),
                "an alternating path follows arcs of the assignment's graph");
    }
}

}  // namespace

std::string assignment_graph(const Problem<Rational>& problem, const assignment::Assignment& assignment,
                             const std::vector<std::string>& title, const AlternatingPath& path,
                             const AssignmentNames& names) {
    require_drawable(*problem.shape);
    const Shape& shape = *problem.shape;
    require_path(shape, assignment, path);
    const Evaluation<Rational> e = evaluate(problem, assignment);
    const AssignmentNaming name(shape, names);
    std::string text = fmt::format(
        "digraph assignment {{\n  rankdir=LR; ranksep=1.8; nodesep=0.25; labelloc=t; labeljust=l; "
        "fontname=\"Helvetica\"; fontsize=10; outputorder=edgesfirst; bgcolor=white;\n  label={};\n"
        "  node [fontname=\"Helvetica\", fontsize=11];\n"
        "  edge [fontname=\"Helvetica\", fontsize=11, arrowsize=0.8];\n",
        graph_header(title, e, !path.tasks.empty()));
    text += "  { rank=same;\n";
    for (const TaskId t : shape.tasks())
        text += fmt::format(
            "    t{} [shape=circle, width=0.5, margin=0.02, style=filled, fillcolor=\"{}\", "
            "label=\"{}\"];\n",
            t.index(), "#DDEEF8", escape_label(name(t)));
    text += "  }\n  { rank=same;\n";
    for (const ServerId s : shape.servers()) text += server_node(problem, e, name, s);
    text += "  }\n";
    for (const TaskId t : shape.tasks()) {
        const CoreId p = assignment[t.index()];
        const ServerId home = shape.server_of(p);
        text += arc(shape, t, home, &p, step_of(path, t, home));
        for (const ServerId s : shape.replicas(t))
            if (s != home) text += arc(shape, t, s, nullptr, step_of(path, t, s));
    }
    return text + "}\n";
}

}  // namespace schedproof::graph
