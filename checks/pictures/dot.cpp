/// State graphs as DOT text: see dot.hpp for the form and the appearance.
///
/// Two decisions shape this file. First, text is escaped here and nowhere else. Names come from instance files, and
/// Graphviz reads escape sequences in labels, entities everywhere and markup in HTML-like labels; it also fails on
/// bytes that are not UTF-8. So both escape functions walk over UTF-8 sequences (rejecting overlong forms and
/// surrogates), replace what cannot be shown by U+FFFD, and turn the few special characters into a form that shows as
/// itself.
///
/// Second, the legend is made from the graph: a row stands in it only when its sign occurs in the picture, so that a
/// legend never explains what is not there.
#include "checks/pictures/dot.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <initializer_list>
#include <utility>
#include <vector>

#include "checks/pictures/state_label.hpp"
#include "model/base/output_file.hpp"

namespace schedproof::graph {

namespace {

// Okabe and Ito's palette, as far as it is used here.
constexpr std::string_view sky_blue = "#56B4E9";
constexpr std::string_view yellow = "#F0E442";
constexpr std::string_view blue = "#0072B2";
constexpr std::string_view vermillion = "#D55E00";
constexpr std::string_view grey = "#E4E4E4";

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

std::string node_label(const Node& node) {
    std::string label;
    for (const std::string& line : node.lines) label += (label.empty() ? "" : "\\n") + escape_label(line);
    for (const Annotation& a : node.annotations) label += "\\n" + escape_label(a.symbol + " " + short_number(a.value));
    return label;
}

std::string node_tooltip(std::size_t id, const Node& node) {
    std::string text = fmt::format("n{}: {} state{}", id, node.states, node.states == 1 ? "" : "s");
    for (const Annotation& a : node.annotations) text += "\\n" + escape_label(a.symbol + " = " + a.value.to_string());
    return text;
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

std::string edge_label(const Edge& edge) {
    std::string label = edge.probability ? short_number(*edge.probability) : fmt::format("{}×", edge.transitions);
    if (edge.flow) label += " \\n flow " + short_number(*edge.flow);
    return label;
}

std::string edge_tooltip(const Edge& edge) {
    std::string text = fmt::format("n{} to n{}: {} move{}", edge.source, edge.target, edge.transitions,
                                   edge.transitions == 1 ? "" : "s");
    if (edge.probability) text += "\\nprobability " + edge.probability->to_string();
    if (edge.flow) text += "\\nflow " + edge.flow->to_string();
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

std::string edge_style(const Edge& edge) {
    std::string text;
    if (edge.highlighted) text += ", weight=20";
    if (edge.tie) text += ", style=dashed";
    if (edge.highlighted)
        text += fmt::format(", penwidth=2.5, color=\"{}\"", blue);
    else if (edge.tie)
        text += fmt::format(", color=\"{}\"", vermillion);
    return text;
}

std::string title_label(const StateGraph& graph) {
    const auto row = [](std::string_view text) { return fmt::format("<TR><TD ALIGN=\"LEFT\">{}</TD></TR>", text); };
    std::string html = row("<B>" + escape_html(graph.title) + "</B>");
    for (const std::string& line : graph.caption)
        for (const std::string& part : wrapped(line, 100)) html += row(escape_html(part));
    return "<TABLE BORDER=\"0\" CELLSPACING=\"0\" CELLPADDING=\"1\">" + html + "</TABLE>";
}

/// The rows of the legend: only what occurs in the graph is explained.
class Legend {
  public:
    explicit Legend(const StateGraph& graph) {
        for (const std::string& note : graph.notes) text(note);
        nodes(graph);
        edges(graph);
        if (graph.collapse) text(graph.collapse->to_string());
        if (graph.collapse && !any_tie_) text("merged: ties are not shown");
        if (rounded_) text("≈: rounded; the exact number is in the tooltip of the SVG, and in the DOT text");
    }
    [[nodiscard]] const std::string& rows() const { return rows_; }

  private:
    void text(std::string_view line) {
        std::string cell;
        for (const std::string& part : wrapped(line, 64)) cell += escape_html(part) + "<BR ALIGN=\"LEFT\"/>";
        rows_ += fmt::format("<TR><TD COLSPAN=\"2\" ALIGN=\"LEFT\" BALIGN=\"LEFT\">{}</TD></TR>", cell);
    }
    void row(std::string_view sample, std::string_view meaning) {
        rows_ += fmt::format("<TR><TD ALIGN=\"CENTER\">{}</TD><TD ALIGN=\"LEFT\">{}</TD></TR>", sample,
                             escape_html(meaning));
    }
    void nodes(const StateGraph& graph) {
        const auto any = [&](Node::Kind kind) {
            return std::any_of(graph.nodes.begin(), graph.nodes.end(), [&](const Node& n) { return n.kind == kind; });
        };
        const auto box = [](std::string_view fill, int border) {
            return fmt::format(
                "<TABLE BORDER=\"{}\" CELLBORDER=\"0\" CELLPADDING=\"1\" BGCOLOR=\"{}\"><TR><TD>  </TD></TR></TABLE>",
                border, fill);
        };
        if (any(Node::Kind::start)) row(box(sky_blue, 1), "double border: start");
        if (any(Node::Kind::highlighted)) row(box(yellow, 3), "thick border: highlighted");
        if (any(Node::Kind::collapsed)) row(box(grey, 1), "solid body: several states in one node");
        if (std::any_of(graph.nodes.begin(), graph.nodes.end(), [](const Node& n) { return n.frontier; }))
            row("…", "dashed border: not all of its moves are drawn");
        for (const Node& node : graph.nodes)
            for (const Annotation& a : node.annotations) rounded_ = rounded_ || is_rounded(a.value);
    }
    void edges(const StateGraph& graph) {
        bool probability = false, count = false, flow = false, highlighted = false;
        for (const Edge& edge : graph.edges) {
            probability = probability || edge.probability.has_value();
            count = count || !edge.probability;
            flow = flow || edge.flow.has_value();
            highlighted = highlighted || edge.highlighted;
            any_tie_ = any_tie_ || edge.tie;
            rounded_ = rounded_ || (edge.probability && is_rounded(*edge.probability)) ||
                       (edge.flow && is_rounded(*edge.flow));
        }
        if (probability) row("p/q", "probability that a slot makes this move");
        if (count) row("n×", "number of moves between states drawn as one");
        if (flow) row("flow", "stationary probability that a slot makes one of them");
        if (any_tie_) row(fmt::format("<FONT COLOR=\"{}\">╌╌▶</FONT>", vermillion), "dashed: only by breaking a tie");
        if (highlighted) row(fmt::format("<FONT COLOR=\"{}\"><B>━━▶</B></FONT>", blue), "thick: highlighted");
    }
    static bool is_rounded(const Rational& value) { return short_number(value) != value.to_string(); }

    std::string rows_;
    bool any_tie_ = false;
    bool rounded_ = false;
};

}  // namespace

std::string escape_label(std::string_view text) {
    return escaped(text, {{'\\', "\\\\"}, {'"', "\\\""}, {'&', "&amp;"}, {'\n', "\\n"}});
}

std::string escape_html(std::string_view text) {
    return escaped(text,
                   {{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\n', "<BR ALIGN=\"LEFT\"/>"}});
}

std::string dot_text(const StateGraph& graph) {
    std::string out = "digraph schedproof {\n";
    out += fmt::format(
        "  graph [label=<{}>, labelloc=t, labeljust=l, fontname=\"Helvetica\", fontsize=12, charset=\"UTF-8\",\n",
        title_label(graph));
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
        out += fmt::format("  n{} [label=\"{}\", tooltip=\"{}\", {}];\n", i, node_label(node), node_tooltip(i, node),
                           node_style(node));
        if (!node.frontier) continue;
        out +=
            fmt::format("  more{} [label=\"…\", shape=plaintext, style=\"\", margin=0, width=0.2, height=0.15];\n", i);
        out += fmt::format("  n{} -> more{} [style=dotted, arrowhead=none];\n", i, i);
    }
    for (const Edge& edge : graph.edges)
        out += fmt::format("  n{} -> n{} [label=\" {} \", tooltip=\"{}\", labeltooltip=\"{}\"{}];\n", edge.source,
                           edge.target, edge_label(edge), edge_tooltip(edge), edge_tooltip(edge), edge_style(edge));
    out += "  subgraph cluster_legend {\n    graph [label=\"legend\", labeljust=l, color=\"#999999\", fontsize=11];\n";
    out += fmt::format(
        "    legend [shape=plaintext, style=\"\", margin=0, fontsize=10, "
        "label=<<TABLE BORDER=\"0\" CELLBORDER=\"0\" CELLSPACING=\"1\" CELLPADDING=\"2\">{}</TABLE>>];\n  }}\n",
        Legend(graph).rows());
    out += "}\n";
    return out;
}

void write_dot(const StateGraph& graph, const std::string& path) { base::write_file(path, dot_text(graph)); }

}  // namespace schedproof::graph
