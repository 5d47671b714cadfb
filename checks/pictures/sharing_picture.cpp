/// A sharing state as DOT text: jobs in one column, nodes in another, as tables of one row per task and per slot.
///
/// All arcs are laid out from jobs to nodes, so that `dot` keeps the two columns; edges that are not drawn keep the
/// order in each.
#include "checks/pictures/sharing_picture.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "checks/pictures/dot.hpp"
#include "checks/pictures/dot_colours.hpp"
#include "checks/pictures/state_label.hpp"
#include "model/core/errors.hpp"

namespace schedproof::graph {

namespace {

using sharing::JobState;
using sharing::Locality;
using sharing::NodeId;
using sharing::RackId;
using sharing::Setting;
using sharing::SlotId;
using sharing::SlotState;
using sharing::Stage;
using sharing::State;

std::string cell(std::string_view port, std::string_view fill, const std::string& text) {
    return fmt::format("<tr><td align=\"left\"{}{}>{}</td></tr>", port.empty() ? "" : fmt::format(" port=\"{}\"", port),
                       fill.empty() ? "" : fmt::format(" bgcolor=\"{}\"", fill), escape_html(text));
}

std::string table(const std::string& name, const std::string& rows) {
    return fmt::format(
        "    {} [shape=plain, label=<<table border=\"1\" cellborder=\"0\" cellspacing=\"0\" "
        "cellpadding=\"4\">{}</table>>];\n",
        name, rows);
}

std::string_view line_of(Locality level) {
    return level == Locality::local ? "solid" : level == Locality::rack_local ? "dotted" : "dashed";
}

std::string queue_word(const Setting& setting, QueueId q) {
    return q.index() == setting.cluster.nodes() ? "the common queue" : fmt::format("the queue of n{}", q.index());
}

/// A job: its counts, then its tasks that wait or run, a row each.
std::string job_table(const Setting& setting, const State& state, std::size_t j) {
    constexpr std::array<std::string_view, sharing::priorities> names{"very high", "high", "normal", "low", "very low"};
    const sharing::Job& job = setting.jobs[j];
    const JobState& now = state.jobs[j];
    std::string head = now.tasks.empty() ? fmt::format("job {}: comes at {}", j, job.submit)
                                         : fmt::format("job {}: skip count {}", j, now.skips);
    if (!now.tasks.empty() && job.submit > 0) head += fmt::format(", submitted at {}", job.submit);
    if (job.priority != sharing::normal_priority) head += fmt::format(", {} priority", names[job.priority]);
    std::string rows = cell("", grey, head);
    for (std::size_t t = 0; now.tasks.empty() && t < job.tasks.size(); ++t)
        rows += cell(fmt::format("t{}", t), "", fmt::format("task {}", t));
    for (std::size_t t = 0; t < now.tasks.size(); ++t) {
        if (now.tasks[t] == Stage::done) continue;
        std::string text = fmt::format("task {} {}", t, now.tasks[t] == Stage::running ? "runs" : "waits");
        if (!now.queue.empty()) text += " in " + queue_word(setting, now.queue[t]);
        rows += cell(fmt::format("t{}", t), "", text);
    }
    if (const auto done = std::count(now.tasks.begin(), now.tasks.end(), Stage::done); done > 0)
        rows += cell("", "", fmt::format("done: {}", done));
    return table(fmt::format("j{}", j), rows);
}

std::string node_table(const Setting& setting, const State& state, NodeId n, std::optional<SlotId> offered) {
    std::string head = fmt::format("n{}", n.index());
    if (setting.cluster.racks() > 1) head += fmt::format(", rack {}", setting.cluster.rack[n.index()].index());
    std::string rows = cell("n", grey, head);
    for (std::size_t i = 0; i < setting.cluster.slots; ++i) {
        const SlotId slot = setting.cluster.slot(n, i);
        const SlotState& s = state.slots[slot.index()];
        const bool here = offered == slot;
        std::string text =
            !s.busy ? fmt::format("free since {}", s.since)
                    : fmt::format("job {}, task {}, {}, since {}", s.job.index(), s.task, name(s.level), s.since);
        if (here) text = "offered: " + text;
        rows += cell(fmt::format("s{}", i), here ? yellow : "", text);
    }
    return table(fmt::format("n{}", n.index()), rows);
}

/// The nodes of a column, in their order.
std::string column(char letter, std::size_t count) {
    std::string text;
    for (std::size_t i = 0; i + 1 < count; ++i)
        text += fmt::format("    {0}{1} -> {0}{2} [style=invis];\n", letter, i, i + 1);
    return text;
}

std::string arcs(const Setting& setting, const State& state) {
    std::string text;
    for (std::size_t j = 0; j < state.jobs.size(); ++j)
        for (std::size_t t = 0; t < setting.jobs[j].tasks.size(); ++t) {
            const std::vector<Stage>& now = state.jobs[j].tasks;
            if (!now.empty() && now[t] != Stage::unlaunched) continue;
            for (const NodeId n : setting.jobs[j].tasks[t])
                text +=
                    fmt::format("  j{}:t{}:e -> n{}:n:w [color=\"{}\", penwidth=0.9];\n", j, t, n.index(), "#777777");
        }
    for (std::size_t s = 0; s < state.slots.size(); ++s) {
        const SlotState& slot = state.slots[s];
        if (!slot.busy) continue;
        text += fmt::format("  j{}:t{}:e -> n{}:s{}:w [color=\"{}\", style={}, penwidth=2.2];\n", slot.job.index(),
                            slot.task, setting.cluster.node_of(SlotId(s)).index(), s % setting.cluster.slots,
                            slot.level == Locality::local ? blue : vermillion, line_of(slot.level));
    }
    return text;
}

/// Title, time, and what the lines mean.
std::string header(const State& state, const std::vector<std::string>& title) {
    std::string rows;
    const auto line = [&](const std::string& text, int points) {
        rows += fmt::format("<tr><td align=\"left\"><font point-size=\"{}\">{}</font></td></tr>", points,
                            escape_html(text));
    };
    for (const std::string& given : title)
        for (const std::string& text : wrapped(given, 60)) line(text, 14);
    line(fmt::format("at tick {}; thin lines lead from tasks that are to be launched to the nodes with their data,",
                     state.now),
         11);
    line("thick ones from tasks that run to their slots: local, rack-local (dotted), remote (dashed)", 11);
    return "<<table border=\"0\" cellborder=\"0\" cellspacing=\"1\">" + rows + "</table>>";
}

}  // namespace

bool is_drawable(const Setting& setting, const State& state) {
    return setting.cluster.nodes() > 0 && state.slots.size() == setting.cluster.all_slots() &&
           state.slots.size() <= max_drawn_slots && state.jobs.size() == setting.jobs.size() &&
           state.jobs.size() <= max_drawn_jobs;
}

std::string sharing_state_picture(const Setting& setting, const State& state, std::optional<sharing::SlotId> offered,
                                  const std::vector<std::string>& title) {
    require(is_drawable(setting, state), "a state that is drawn is small and of its setting");
    std::string text = fmt::format(
        "digraph sharing {{\n  rankdir=LR; ranksep=1.6; nodesep=0.25; labelloc=t; labeljust=l; fontname=\"Helvetica\"; "
        "fontsize=10; bgcolor=white;\n  label={};\n  node [fontname=\"Helvetica\", fontsize=11];\n"
        "  edge [arrowsize=0.7];\n  {{ rank=same;\n",
        header(state, title));
    for (std::size_t j = 0; j < state.jobs.size(); ++j) text += job_table(setting, state, j);
    text += column('j', state.jobs.size()) + "  }\n  { rank=same;\n";
    for (std::size_t n = 0; n < setting.cluster.nodes(); ++n) text += node_table(setting, state, NodeId(n), offered);
    text += column('n', setting.cluster.nodes()) + "  }\n";
    // The columns stand side by side also where no task waits or runs.
    if (!state.jobs.empty()) text += "  j0 -> n0 [style=invis];\n";
    return text + arcs(setting, state) + "}\n";
}

}  // namespace schedproof::graph
