#include "checks/pictures/render.hpp"

#include <fmt/core.h>
#include <graphviz/cgraph.h>
#include <graphviz/gvc.h>

#include <algorithm>
#include <memory>
#include <mutex>

#include "checks/pictures/dot.hpp"
#include "model/base/output_file.hpp"

namespace schedproof::graph {

namespace {

/// What Graphviz complained about since `collect_messages`. Its error hook takes no context, so this cannot be local.
std::string& messages() {
    static std::string text;
    return text;
}

void collect_messages() {
    messages().clear();
    agseterrf([](char* text) {
        messages() += text;
        return 0;
    });
}

[[noreturn]] void fail(const char* what) {
    std::string said = messages();
    while (!said.empty() && said.back() == '\n') said.pop_back();
    throw Error(fmt::format("Graphviz could not {}{}{}", what, said.empty() ? "" : ": ", said));
}

struct CloseContext {
    void operator()(GVC_t* context) const { gvFreeContext(context); }
};
struct CloseGraph {
    void operator()(Agraph_t* graph) const { agclose(graph); }
};
struct FreeLayout {
    GVC_t* context;
    void operator()(Agraph_t* graph) const { gvFreeLayout(context, graph); }
};
struct FreeData {
    void operator()(char* data) const { gvFreeRenderData(data); }
};

void check_size(const StateGraph& graph) {
    const auto stubs = static_cast<std::size_t>(
        std::count_if(graph.nodes.begin(), graph.nodes.end(), [](const Node& node) { return node.frontier; }));
    if (graph.nodes.size() + stubs > max_drawn_nodes || graph.edges.size() > max_drawn_edges)
        throw LimitExceeded(
            "nodes of a picture",
            fmt::format("{} nodes and {} edges, of which at most {} and {} are laid out; allow fewer, so that states "
                        "are merged, or write DOT text",
                        graph.nodes.size() + stubs, graph.edges.size(), max_drawn_nodes, max_drawn_edges));
}

}  // namespace

std::string picture(const StateGraph& graph, PictureFormat format) {
    check_size(graph);
    return picture(dot_text(graph), format);
}

std::string picture(const std::string& dot, PictureFormat format) {
    // The library keeps its state in globals, so one picture is made at a time; and its text module remembers the name
    // of the last font beyond the context that owns it, so there is one context for the life of the process.
    static std::mutex one_at_a_time;
    const std::lock_guard lock(one_at_a_time);
    collect_messages();
    static const std::unique_ptr<GVC_t, CloseContext> context(gvContext());
    if (!context) fail("start");
    const std::unique_ptr<Agraph_t, CloseGraph> parsed(agmemread(dot.c_str()));
    if (!parsed) fail("read the graph");
    if (format == PictureFormat::png)
        agsafeset(parsed.get(), const_cast<char*>("dpi"), const_cast<char*>("110"), const_cast<char*>(""));
    const char* engine = agget(parsed.get(), const_cast<char*>("layout"));
    if (gvLayout(context.get(), parsed.get(), engine != nullptr && *engine != '\0' ? engine : "dot") != 0)
        fail("lay out the graph");
    const std::unique_ptr<Agraph_t, FreeLayout> layout(parsed.get(), FreeLayout{context.get()});
    char* data = nullptr;
    unsigned length = 0;
    const char* name = format == PictureFormat::svg ? "svg" : "png";
    if (gvRenderData(context.get(), parsed.get(), name, &data, &length) != 0 || data == nullptr) fail("draw the graph");
    const std::unique_ptr<char, FreeData> owned(data);
    return {data, length};
}

void write_picture(const StateGraph& graph, const std::string& path, PictureFormat format) {
    base::write_file(path, picture(graph, format));
}

}  // namespace schedproof::graph
