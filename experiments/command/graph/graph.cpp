/// `graph`: a truncated chain, the neighbourhood of a state or a sampled path as a picture; also PRISM and UMB files.
///
/// The chain is built only where all of it is drawn or written. A neighbourhood or a path is explored from its state,
/// so it needs no finite chain; a path is sampled slot by slot, however long the law of a slot is. Stationary
/// probabilities are exact and belong to the whole chain. Beyond the limits of nodes and edges states are merged by
/// their number of tasks (checks/pictures/collapse_picture.cpp), the report names the rule, and `--open` opens levels.
/// Cost: one enumeration of the slot per state; with `--stationary` an exact linear system besides.
#include <fmt/core.h>

#include <optional>
#include <vector>

#include "checks/pictures/dot.hpp"
#include "checks/pictures/render.hpp"
#include "checks/pictures/state_graph.hpp"
#include "checks/prism/prism.hpp"
#include "checks/umb/umb.hpp"
#include "experiments/command/core/options.hpp"
#include "experiments/command/core/output.hpp"
#include "experiments/command/core/picture_file.hpp"
#include "experiments/command/core/state_json.hpp"
#include "experiments/command/core/system.hpp"
#include "model/core/errors.hpp"

namespace schedproof::cli {

struct GraphRequest {
    SystemRequest system;
    StateRequest state;
    std::optional<std::uint32_t> around;
    std::optional<std::uint32_t> path;
    std::uint64_t seed = 1;
    std::uint64_t max_nodes = 120;
    std::uint64_t max_edges = 200;
    std::vector<std::uint64_t> open;
    std::uint64_t max_states = queueing::default_max_states;
    bool stationary = false;
    std::string prism;  ///< prefix of PRISM files to write, or empty
    std::string umb;    ///< UMB file to write, or empty
    std::string picture = "-";
    Destination to;
};

namespace {

using namespace queueing;

std::vector<ExactState> sampled_path(const ExactSystem& system, const ExactState& from, std::size_t slots,
                                     std::uint64_t seed) {
    std::vector<ExactState> path{from};
    Sampler randomness({seed, 0, 0});
    while (path.size() <= slots) path.push_back(system.sample(path.back(), randomness));
    return path;
}

struct GraphAnswer {
    const GraphRequest& request;
    const ExactSystem& system;
    const graph::StateGraph& drawing;
    std::size_t states;                  ///< of the chain, or 0
    std::optional<graph::UmbSizes> umb;  ///< of the UMB file, if one was written

    [[nodiscard]] std::optional<std::string> collapse() const {
        return drawing.collapse ? std::optional(drawing.collapse->to_string()) : std::nullopt;
    }
    [[nodiscard]] std::string text() const {
        std::string text =
            fmt::format("{}: {} nodes, {} edges\n", request.picture, drawing.nodes.size(), drawing.edges.size());
        if (drawing.collapse)
            text += fmt::format("{}, beyond {} nodes or {} edges (--max-nodes, --max-edges)\n", *collapse(),
                                request.max_nodes, request.max_edges);
        if (!request.prism.empty())
            text += fmt::format("{}.tra, .sta, .lab and rewards: {} states\n", request.prism, states);
        if (umb)
            text += fmt::format("{}: {} states, {} branches, fractions of {} bits\n", request.umb, umb->states,
                                umb->branches, umb->rational_bits);
        return text;
    }
};

const Answer<GraphAnswer>& graph_answer() {
    using A = GraphAnswer;
    static const Answer<A> answer{
        "graph",
        "What was drawn. Answer of `schedproof graph --format json -o PICTURE`; the picture itself is in its own file.",
        Record<A>{
            instance_field([](const A& a) { return a.system.instance().name(); }),
            policy_field([](const A& a) { return a.system.info().id; }),
            truncation_field([](const A& a) { return describe(a.system.truncation(), a.system.instance()); }),
            field(
                "picture", [](const A& a) { return a.request.picture; }, "File that holds the picture.")
                .pattern("\\.(dot|svg|png)$"),
            field(
                "nodes", [](const A& a) { return a.drawing.nodes.size(); },
                "Nodes drawn: states, or merged sets of states.")
                .least(1),
            field(
                "edges", [](const A& a) { return a.drawing.edges.size(); }, "Arrows drawn."),
            field("collapse", &A::collapse, "How states were merged, in words; null when every node is one state."),
            field(
                "prism", [](const A& a) { return if_any(a.request.prism); },
                "Prefix of the PRISM explicit files; null when none were written."),
            field(
                "umb", [](const A& a) { return if_any(a.request.umb); },
                "File in the unified Markov binary format; null when none was written.")}
            .told_by(&A::text)};
    return answer;
}

void require_consistent(const GraphRequest& request) {
    if (request.stationary && (request.around || request.path))
        throw InputError::at_key("--stationary", "expected the whole chain: without --around and --path");
    check_picture_path(request.picture);
    if (request.to.json() && request.picture == "-")
        throw InputError::at_key("--format json",
                                 "expected a file for the picture (-o): both cannot go to standard output");
    // Readers tell the format by the ending; --prism takes a prefix, which this is not.
    if (!request.umb.empty() && !request.umb.ends_with(".umb"))
        throw InputError::at_key("--umb",
                                 fmt::format("expected a file name that ends with .umb, not '{}'", request.umb));
    require_writable({request.picture, request.prism.empty() ? "" : request.prism + ".tra", request.umb});
}

/// Whether the whole chain is drawn or written.
bool needs_chain(const GraphRequest& request) {
    return (!request.around && !request.path) || !request.prism.empty() || !request.umb.empty();
}

/// Writes the chain for other programs where that was asked for.
std::optional<graph::UmbSizes> write_chain(const GraphRequest& request, const ExactSystem& system,
                                           const std::optional<Chain>& chain) {
    if (request.prism.empty() && request.umb.empty()) return std::nullopt;
    const graph::PrismModel model = graph::prism_model(system, *chain);
    if (!request.prism.empty()) graph::write_prism(model, request.prism);
    if (request.umb.empty()) return std::nullopt;
    return graph::write_umb(
        request.umb, model,
        {system.instance().name(),
         fmt::format("policy {}; {}", system.info().id, describe(system.truncation(), system.instance())),
         SCHEDPROOF_VERSION});
}

}  // namespace

int run(const GraphRequest& request) {
    require_consistent(request);
    const LoadedSystem loaded = load(request.system);
    const ExactSystem& system = loaded.system;
    const ExactState state = parse_state(system, request.state);
    const bool given = !request.state.queues.empty() || !request.state.serving.empty();
    graph::GraphOptions options;
    options.max_nodes = request.max_nodes;
    options.max_edges = request.max_edges;
    options.open.assign(request.open.begin(), request.open.end());
    options.max_explored = request.max_states;
    options.unjoined = unjoined_queues(system);

    Progress progress("graph");
    ChainLimits limits;
    limits.states = request.max_states;
    limits.progress = [&](std::size_t done, std::size_t) {
        progress.report("states expanded", static_cast<double>(done), 0);
    };
    std::optional<Chain> chain;
    if (needs_chain(request)) chain = chain_of(system, limits);
    std::optional<markov::Stationary> law;
    if (request.stationary) {
        law = markov::stationary_distribution(chain->matrix);
        options.stationary = &*law;
    }
    const graph::StateGraph drawing = [&] {
        if (request.around) return graph::neighbourhood_graph(system, state, *request.around, options);
        if (request.path)
            return graph::path_graph(system, sampled_path(system, state, *request.path, request.seed), options);
        if (given) options.highlighted = {state};
        return graph::chain_graph(system, *chain, options);
    }();

    const std::optional<graph::UmbSizes> umb = write_chain(request, system, chain);
    if (request.picture == "-") {
        write_text("-", graph::dot_text(drawing));
        return 0;
    }
    write_state_graph(drawing, request.picture);
    return write_answer({request.to.format, "-"}, graph_answer(),
                        {request, system, drawing, chain ? chain->states.size() : 0, umb});
}

namespace {

OptionTable options(GraphRequest& r) {
    return joined({system_options(r.system),
                   state_options(r.state),
                   {{.names = "--around",
                     .value = "N",
                     .target = &r.around,
                     .meaning = "draw what the state reaches within N slots, instead of the whole chain"},
                    {.names = "--path",
                     .target = &r.path,
                     .meaning = "draw a sampled path of N slots from the state",
                     .range = Interval{0, 1000},
                     .excludes = {"--around"}},
                    {.names = "--seed",
                     .value = "N",
                     .target = &r.seed,
                     .meaning = "seed of the sampled path",
                     .show_default = true},
                    {.names = "--stationary",
                     .target = &r.stationary,
                     .meaning = "show stationary probabilities (whole chain only)"},
                    {.names = "--max-nodes",
                     .target = &r.max_nodes,
                     .meaning = "merge states beyond this many nodes",
                     .show_default = true,
                     .range = Interval{8, 300}},
                    {.names = "--max-edges",
                     .target = &r.max_edges,
                     .meaning = "merge states beyond this many edges; a picture holds 400, DOT text more",
                     .show_default = true,
                     .range = Interval{8, 2000}},
                    {.names = "--open",
                     .value = "N",
                     .target = &r.open,
                     .meaning = "number of tasks whose states are not merged; may be repeated",
                     .repeated = true},
                    max_states_option(r.max_states),
                    {.names = "--prism",
                     .value = "PREFIX",
                     .target = &r.prism,
                     .meaning = "prefix of PRISM explicit files, to which the whole chain is written as well"},
                    {.names = "--umb",
                     .value = "FILE",
                     .target = &r.umb,
                     .meaning = "UMB file (.umb) for Storm and PRISM, to which the whole chain is written as well"},
                    {.names = "-o,--output,--picture",
                     .value = "FILE",
                     .target = &r.picture,
                     .meaning = "picture to write (.dot, .svg or .png), - for DOT on standard output",
                     .show_default = true},
                    {.names = "--format",
                     .target = &r.to.format,
                     .meaning = "text for people, json for programs: the report on standard output",
                     .show_default = true,
                     .words = {"text", "json"}}}});
}

}  // namespace

Subcommand graph() {
    return make_subcommand<GraphRequest>(
        "graph", "draw a chain, the surroundings of a state or a path; write PRISM and UMB files",
        "schedproof graph experiments/instances/m2-half.toml -p wang-jsq-maxweight --cap-total 2 -o chain.svg", options,
        forms(graph_answer));
}

}  // namespace schedproof::cli
