/// Tasks of the assignment family in answers, in one form.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "experiments/command/core/answer_fields.hpp"
#include "model/assignment/instance.hpp"

namespace schedproof::cli {

/// A task, and the core that runs it.
struct PlacedTask {
    const assignment::Instance& instance;
    TaskId task;
    CoreId core;

    [[nodiscard]] ServerId server() const { return instance.shape().server_of(core); }
};

/// Who runs a task: its position and name, the server, the position of the core within it, and whether the task is
/// local; and what the answer says of it besides, behind the name and at the end. `of` is the way to the task.
template <class T, class Of>
[[nodiscard]] Record<T> task_record(Of way, const std::vector<FieldOf<T>>& after_name,
                                    const std::vector<FieldOf<T>>& more) {
    const auto of = [way](const T& t) -> PlacedTask { return std::invoke(way, t); };
    std::vector<FieldOf<T>> fields{
        field(
            "task", [of](const T& t) { return of(t).task.index(); }, "Position in the instance."),
        field(
            "name", [of](const T& t) { return of(t).instance.task_name(of(t).task); },
            "Name of the task; of a block of a listing, blk_ID_STAMP."),
        field(
            "server", [of](const T& t) { return of(t).instance.server_name(of(t).server()); }, "Name of the server."),
        field(
            "core",
            [of](const T& t) { return of(t).core.index() - of(t).instance.shape().core(of(t).server(), 0).index(); },
            "Position within the server."),
        field(
            "locality",
            [of](const T& t) {
                return of(t).instance.shape().is_local(of(t).task, of(t).server()) ? "local" : "remote";
            },
            "Local: the server holds the task's block.")
            .words({"local", "remote"})};
    fields.insert(fields.begin() + 2, after_name.begin(), after_name.end());
    fields.insert(fields.end(), more.begin(), more.end());
    return Record<T>(fields);
}

}  // namespace schedproof::cli
