/// States of a cluster as lines of text: see state_label.hpp for their form.
///
/// The labels name nothing that the order of queues or servers says already, which keeps the nodes of a graph narrow;
/// the order is written once, in the notes. A number is shown as a fraction while that is short, and as a rounded
/// decimal with a sign of approximation otherwise: the reader always sees which of the two it is.
#include "checks/pictures/state_label.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace schedproof::graph {

using queueing::Arrangement;
using queueing::ExactState;
using queueing::ExactSystem;
using queueing::Layout;
using queueing::Service;
using queueing::Tracking;

namespace {

/// Whether a bar stands before this queue: queues of one server, and the common queue, are kept apart.
bool starts_group(const Layout& layout, QueueId q) {
    if (q.index() == 0) return false;
    if (layout.is_shared(q)) return true;
    if (layout.arrangement() != Arrangement::per_server_and_level) return false;
    return layout.owner(q) != layout.owner(QueueId(q.index() - 1));
}

bool is_one_of(const std::vector<QueueId>& queues, QueueId q) {
    return std::find(queues.begin(), queues.end(), q) != queues.end();
}

/// Texts of the queues but for those left out.
std::string in_groups(const Layout& layout, const std::vector<QueueId>& left_out, const auto& text_of) {
    std::string line;
    bool bar = false;
    for (const QueueId q : IdRange<QueueId>(layout.queues())) {
        bar = bar || starts_group(layout, q);
        if (is_one_of(left_out, q)) continue;
        if (!line.empty()) line += bar ? " | " : " ";
        line += text_of(q);
        bar = false;
    }
    return line;
}

bool belongs_to(const Layout& layout, QueueId q, ServerId m) {
    return layout.arrangement() != Arrangement::per_type && !layout.is_shared(q) && layout.owner(q) == m;
}

/// The queue a server works on, as short as it can be said at that server.
std::string target(const ExactSystem& system, const Service& service, ServerId m) {
    const Layout& layout = system.layout();
    const auto& levels = system.instance().data().levels;
    if (layout.arrangement() == Arrangement::single) return levels[service.level.index()].name;
    if (layout.arrangement() == Arrangement::per_type)
        return system.instance().type(TaskTypeId(service.queue.index())).name;
    std::string name = layout.name(system.instance(), service.queue);
    if (belongs_to(layout, service.queue, m))
        name = layout.arrangement() == Arrangement::per_server_and_level
                   ? layout.name_at_server(system.instance(), service.queue)
                   : "own";
    // Of counted queues the level follows from queue and server; elsewhere it belongs to the task.
    if (layout.tracking(service.queue) != Tracking::counted) name += "@" + levels[service.level.index()].name;
    return name;
}

std::string doing(const ExactSystem& system, const Service& service, ServerId m) {
    switch (service.status) {
        case Service::Status::idle:
            return "idle";
        case Service::Status::busy:
            return target(system, service, m);
        case Service::Status::phantom:
            return "~" + target(system, service, m);
    }
    throw ContractViolation("unknown status of a server");
}

}  // namespace

std::vector<std::string> wrapped(std::string_view text, std::size_t width) {
    std::vector<std::string> lines(1);
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(' '), text.size());
        if (!lines.back().empty() && lines.back().size() + end + 1 > width) lines.emplace_back();
        if (!lines.back().empty()) lines.back() += ' ';
        lines.back() += text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

std::vector<std::string> state_lines(const ExactSystem& system, const ExactState& state,
                                     const std::vector<QueueId>& unjoined) {
    const Layout& layout = system.layout();
    const auto length = [&](QueueId q) { return std::to_string(state.length[q.index()].value()); };
    std::vector<std::string> lines{"Q " + in_groups(layout, unjoined, length)};
    for (const QueueId q : unjoined)
        if (state.length[q.index()] > CheckedInt(0))
            lines.back() += fmt::format(", {}: {}", layout.name(system.instance(), q), length(q));
    std::string servers = "f";
    for (const ServerId m : system.instance().servers()) servers += " " + doing(system, state.serving[m.index()], m);
    lines.push_back(std::move(servers));
    for (std::size_t q = 0; q < state.waiting.size(); ++q) {
        if (state.waiting[q].empty()) continue;
        std::string line = "w " + layout.name(system.instance(), QueueId(q)) + ":";
        for (const TaskTypeId type : state.waiting[q]) line += " " + system.instance().type(type).name;
        lines.push_back(std::move(line));
    }
    if (!state.memory.empty()) {
        std::string line = "c";
        for (const CheckedInt counter : state.memory) line += fmt::format(" {}", counter.value());
        lines.push_back(std::move(line));
    }
    return lines;
}

std::vector<std::string> state_notes(const ExactSystem& system, const std::vector<QueueId>& unjoined) {
    const Layout& layout = system.layout();
    const auto& instance = system.instance();
    std::vector<std::string> notes;
    const auto name = [&](QueueId q) { return layout.name(instance, q); };
    notes.push_back("Q: tasks of " + in_groups(layout, unjoined, name));
    if (!unjoined.empty()) {
        std::vector<std::string> names;
        for (const QueueId q : unjoined) names.push_back(name(q));
        notes.push_back(fmt::format("left out, as no task joins {}: {}", names.size() == 1 ? "it" : "them",
                                    fmt::join(names, ", ")));
    }
    std::string servers = "f: what each of";
    for (const ServerId m : instance.servers()) servers += " " + instance.server(m).name;
    switch (layout.arrangement()) {
        case Arrangement::single:
            servers += " does: idle, or the level of its task";
            break;
        case Arrangement::per_type:
            servers += " does: idle, or the type of its task";
            break;
        case Arrangement::per_server_and_level:
            servers += " does: idle, or the queue it serves (a level: its own)";
            break;
        default:
            servers += " does: idle, or the queue it serves";
            break;
    }
    notes.push_back(std::move(servers));
    if (instance.options().unmatched == queueing::Unmatched::phantom)
        notes.push_back("~: committed to that queue without a task");
    if (layout.lists_tasks()) notes.push_back("w: types waiting in that queue, the next one first");
    if (!system.initial().memory.empty()) notes.push_back("c: counters that the policy keeps");
    return notes;
}

std::int64_t working_servers(const ExactState& state) {
    return std::count_if(state.serving.begin(), state.serving.end(),
                         [](const Service& s) { return s.status == Service::Status::busy; });
}

std::int64_t total_tasks(const ExactState& state) {
    CheckedInt total;
    for (const CheckedInt length : state.length) total += length;
    return total.value();
}

std::string short_number(const Rational& value, std::size_t width) {
    std::string exact = value.to_string();
    return exact.size() <= width ? exact : fmt::format("≈{:.3g}", value.approximate());
}

}  // namespace schedproof::graph
