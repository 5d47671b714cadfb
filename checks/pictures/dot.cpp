/// State graphs as DOT text: see dot.hpp for the form and the appearance.
///
/// Text is escaped here and nowhere else. Names come from instance files, and Graphviz reads escape sequences in
/// labels, entities everywhere and markup in HTML-like labels; it also fails on bytes that are not UTF-8. So both
/// escape functions walk over UTF-8 sequences (rejecting overlong forms and surrogates), replace what cannot be shown
/// by U+FFFD, and turn the few special characters into a form that shows as itself.
#include "checks/pictures/dot.hpp"

#include <fmt/core.h>
#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <map>
#include <utility>
#include <vector>

#include "checks/pictures/dot_colours.hpp"
#include "checks/pictures/dot_parts.hpp"
#include "checks/pictures/state_label.hpp"
#include "model/base/output_file.hpp"

namespace schedproof::graph {

namespace {

/// Length of the UTF-8 sequence that a byte begins; 0 when it begins none.
std::size_t length_from_lead(unsigned char lead) {
    if (lead < 0x80) return 1;
    if (lead < 0xC2) return 0;
    if (lead < 0xE0) return 2;
    if (lead < 0xF0) return 3;
    return lead < 0xF5 ? 4 : 0;
}

/// Length of the UTF-8 sequence at the start of `text`, which is not empty; 0 when there is none.
std::size_t sequence_length(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char lead = byte(0);
    const std::size_t length = length_from_lead(lead);
    if (length == 0 || length > text.size()) return 0;
    for (std::size_t i = 1; i < length; ++i)
        if (byte(i) < 0x80 || byte(i) > 0xBF) return 0;
    // Overlong forms, surrogates and what lies above U+10FFFF.
    if (lead == 0xE0 && byte(1) < 0xA0) return 0;
    if (lead == 0xED && byte(1) > 0x9F) return 0;
    if (lead == 0xF0 && byte(1) < 0x90) return 0;
    if (lead == 0xF4 && byte(1) > 0x8F) return 0;
    return length;
}

/// A character that is written another way.
struct Escape {
    char from;
    std::string_view to;
};

/// Writes the characters of the table its way, copies the others, and replaces what cannot be shown.
std::string escaped(std::string_view text, std::initializer_list<Escape> escapes) {
    std::string out;
    while (!text.empty()) {
        const std::size_t length = sequence_length(text);
        const char c = text.front();
        const auto* const escape =
            std::find_if(escapes.begin(), escapes.end(), [c](const Escape& e) { return e.from == c; });
        const bool shows = length > 1 || (length == 1 && static_cast<unsigned char>(c) >= 0x20 && c != 0x7F);
        if (escape != escapes.end())
            out += escape->to;
        else
            out += shows ? text.substr(0, length) : std::string_view("\uFFFD");
        text.remove_prefix(std::max<std::size_t>(length, 1));
    }
    return out;
}

std::string node_style(const Node& node) {
    std::string style = node.kind == Node::Kind::collapsed ? "filled" : "rounded,filled";
    if (node.frontier) style += ",dashed";
    std::string text = fmt::format("style=\"{}\"", style);
    switch (node.kind) {
        case Node::Kind::normal:
            break;
        case Node::Kind::start:
            text += fmt::format(", fillcolor=\"{}\", peripheries=2", sky_blue);
            break;
        case Node::Kind::highlighted:
            text += fmt::format(", fillcolor=\"{}\", penwidth=3", yellow);
            break;
        case Node::Kind::collapsed:
            text += fmt::format(", fillcolor=\"{}\", shape=box3d, margin=\"0.15,0.12\"", grey);
            break;
    }
    return text;
}

/// What a probability is the sum of, where that is more than one: ` = 2 × 1/8 + 1/4`.
std::string sum_of_parts(const std::vector<Rational>& parts) {
    if (parts.size() < 2) return "";
    constexpr std::size_t most = 8;
    std::map<Rational, std::size_t> counts;
    for (const Rational& part : parts) ++counts[part];
    std::string text;
    std::size_t terms = 0;
    for (const auto& [part, count] : counts) {
        text += terms == 0 ? " = " : " + ";
        if (++terms > most) return text + "…";
        text += count == 1 ? part.to_string() : fmt::format("{} × {}", count, part.to_string());
    }
    return text;
}

/// Whether the layout should run to the right: boxes are wider than high, so many side by side stack better than they
/// line up. Estimated from the layers by distance from the first node.
bool is_wide(const StateGraph& graph) {
    std::vector<std::vector<std::size_t>> successors(graph.nodes.size());
    for (const Edge& edge : graph.edges) successors[edge.source].push_back(edge.target);
    std::vector<bool> seen(graph.nodes.size(), false);
    std::vector<std::size_t> layer;
    std::size_t depth = 0, width = 0;
    const auto reach = [&](std::size_t node, std::vector<std::size_t>& into) {
        if (!seen[node]) into.push_back(node);
        seen[node] = true;
    };
    if (!graph.nodes.empty()) reach(0, layer);
    while (!layer.empty()) {
        ++depth;
        width = std::max(width, layer.size());
        std::vector<std::size_t> next;
        for (const std::size_t node : layer)
            for (const std::size_t target : successors[node]) reach(target, next);
        layer = std::move(next);
    }
    return width > 6 && width > 2 * depth;
}

}  // namespace

std::string escape_label(std::string_view text) {
    return escaped(text, {{'\\', "\\\\"}, {'"', "\\\""}, {'&', "&amp;"}, {'\n', "\\n"}});
}

std::string escape_html(std::string_view text) {
    return escaped(text,
                   {{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\n', "<BR ALIGN=\"LEFT\"/>"}});
}

namespace detail {

std::vector<std::string> node_lines(const Node& node) {
    std::vector<std::string> lines = node.lines;
    for (const Annotation& a : node.annotations) lines.push_back(a.symbol + " " + short_number(a.value));
    return lines;
}

std::vector<std::string> edge_lines(const Edge& edge) {
    std::vector<std::string> lines{edge.probability ? short_number(*edge.probability)
                                                    : fmt::format("{}×", edge.transitions)};
    if (edge.flow) lines.push_back("flow " + short_number(*edge.flow));
    return lines;
}

std::string quoted_lines(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) text += (&line == &lines.front() ? "" : "\\n") + escape_label(line);
    return text;
}

std::string node_attributes(std::size_t id, const Node& node) {
    std::string tooltip = fmt::format("n{}: {} state{}", id, node.states, node.states == 1 ? "" : "s");
    for (const Annotation& a : node.annotations)
        tooltip += "\\n" + escape_label(a.symbol + " = " + a.value.to_string());
    if (!node.link.empty()) tooltip += "\\nopens: each of its states alone";
    const std::string link = node.link.empty() ? "" : fmt::format(", URL=\"{}\"", escape_label(node.link));
    return fmt::format("tooltip=\"{}\", {}{}", tooltip, node_style(node), link);
}

std::string edge_tooltip(const Edge& edge) {
    std::string text = fmt::format("n{} to n{}: {} move{}", edge.source, edge.target, edge.transitions,
                                   edge.transitions == 1 ? "" : "s");
    if (edge.probability) text += "\\nprobability " + edge.probability->to_string() + sum_of_parts(edge.parts);
    if (edge.flow) text += "\\nflow " + edge.flow->to_string();
    return text;
}

std::string edge_style(const Edge& edge) {
    std::string text;
    if (edge.tie) text += ", style=dashed";
    if (edge.highlighted)
        text += fmt::format(", penwidth=2.5, color=\"{}\"", blue);
    else if (edge.tie)
        text += fmt::format(", color=\"{}\"", vermillion);
    return text;
}

}  // namespace detail

std::string dot_text(const StateGraph& graph) {
    if (graph.by_levels) return detail::level_text(graph);
    std::string out = "digraph schedproof {\n";
    out += fmt::format(
        "  graph [label=<{}>, labelloc=t, labeljust=l, fontname=\"Helvetica\", fontsize=12, charset=\"UTF-8\",\n",
        detail::title_label(graph));
    // Past a few hundred edges a search for the best layout takes minutes; its limits cost beauty, so few get them.
    const std::string_view limits = graph.edges.size() > 200 ? ", nslimit=2, nslimit1=2, mclimit=0.5" : "";
    out += fmt::format("    rankdir={}, nodesep=0.3, ranksep=0.5, bgcolor=white{}];\n", is_wide(graph) ? "LR" : "TB",
                       limits);
    out +=
        "  node [shape=box, style=\"rounded,filled\", fillcolor=white, color=black, fontname=\"Helvetica\", "
        "fontsize=11, "
        "margin=\"0.1,0.05\"];\n";
    out += "  edge [color=\"#333333\", fontname=\"Helvetica\", fontsize=10, arrowsize=0.7];\n";
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        const Node& node = graph.nodes[i];
        out += fmt::format("  n{} [label=\"{}\", {}];\n", i, detail::quoted_lines(detail::node_lines(node)),
                           detail::node_attributes(i, node));
        if (!node.frontier) continue;
        out +=
            fmt::format("  more{} [label=\"…\", shape=plaintext, style=\"\", margin=0, width=0.2, height=0.15];\n", i);
        out += fmt::format("  n{} -> more{} [style=dotted, arrowhead=none];\n", i, i);
    }
    for (const Edge& edge : graph.edges) {
        const std::string tooltip = detail::edge_tooltip(edge);
        out += fmt::format("  n{} -> n{} [label=\" {} \", tooltip=\"{}\", labeltooltip=\"{}\"{}{}];\n", edge.source,
                           edge.target, fmt::join(detail::edge_lines(edge), " \\n "), tooltip, tooltip,
                           edge.highlighted ? ", weight=20" : "", detail::edge_style(edge));
    }
    out += "  subgraph cluster_legend {\n    graph [label=\"legend\", labeljust=l, color=\"#999999\", fontsize=11];\n";
    out += fmt::format(
        "    legend [shape=plaintext, style=\"\", margin=0, fontsize=10, "
        "label=<<TABLE BORDER=\"0\" CELLBORDER=\"0\" CELLSPACING=\"1\" CELLPADDING=\"2\">{}</TABLE>>];\n  }}\n",
        detail::legend(graph).html);
    out += "}\n";
    return out;
}

void write_dot(const StateGraph& graph, const std::string& path) { base::write_file(path, dot_text(graph)); }

}  // namespace schedproof::graph
