/// Task maps as CSV and JSON: a row per task with its file, the servers of its replicas and the server that runs it.
#include "experiments/command/assign/map.hpp"

#include <fmt/core.h>

#include "experiments/command/core/csv.hpp"
#include "experiments/command/core/output.hpp"
#include "experiments/command/core/state_json.hpp"
#include "experiments/command/core/task_json.hpp"
#include "model/base/output_file.hpp"
#include "model/base/text.hpp"
#include "model/core/errors.hpp"

namespace schedproof::cli {

namespace {

/// A row, with what has the names.
struct RowOf {
    const input::PlacedTasks& tasks;
    const MapRow& row;

    [[nodiscard]] PlacedTask placed() const { return {tasks.instance, row.task, row.core}; }
    [[nodiscard]] std::optional<std::string> file() const {
        return tasks.files.empty() ? std::nullopt : std::optional(tasks.files[tasks.file_of[row.task.index()]]);
    }
};

const Record<RowOf>& map_row_record() {
    const char* unit = "a local task's cost, from when the initial loads were taken";
    static const Record<RowOf> record = task_record<RowOf>(
        &RowOf::placed,
        {field("file", &RowOf::file, "Path of the file that the block is part of; of listings only.").optional()},
        {field(
             "start", [](const RowOf& r) { return r.row.start; }, "When it starts.")
             .unit(unit)
             .least(0),
         field(
             "finish", [](const RowOf& r) { return r.row.finish; }, "When it is done.")
             .unit(unit)
             .least(0)});
    return record;
}

/// The file as a whole, which is written row by row.
struct MapFile {
    const input::PlacedTasks& tasks;
    std::string policy;
    std::vector<RowOf> rows;
};

void write_csv(std::ostream& out, const input::PlacedTasks& tasks, const std::vector<MapRow>& rows) {
    bool first = true;
    for (const base::Member& member : map_row_record().shape().members) {
        if (member.left_out && tasks.files.empty()) continue;
        out << (first ? "" : ",") << member.name;
        first = false;
    }
    out << '\n';
    for (const MapRow& row : rows) out << csv_line(map_row_record().value({tasks, row}, false));
}

void write_json_rows(std::ostream& out, const input::PlacedTasks& tasks, std::string_view policy,
                     const std::vector<MapRow>& rows) {
    out << fmt::format(R"({{"schema": "assignment-map", "version": {}, "instance": {}, "policy": {}, "tasks": [)",
                       base::json_string(SCHEDPROOF_VERSION), base::json_string(tasks.instance.name()),
                       base::json_string(policy));
    bool first = true;
    for (const MapRow& row : rows) {
        out << (first ? "\n" : ",\n") << to_text(map_row_record().value({tasks, row}, false));
        first = false;
    }
    out << "\n]}\n";
}

}  // namespace

base::Form map_form() {
    const Record<MapFile> record{
        field(
            "instance", [](const MapFile& f) { return f.tasks.instance.name(); }, "Name of the instance."),
        policy_field(&MapFile::policy),
        field("tasks", &MapFile::rows, "Every task once, in the order of the instance.", map_row_record())};
    return {"assignment-map",
            "Which core runs which task, and when. Written by `schedproof assign ... -p SCHEDULER --map FILE.json`.",
            false, record.shape()};
}

void require_map_name(const std::string& path) {
    if (!path.ends_with(".csv") && !path.ends_with(".json"))
        throw InputError::in_file(path, "--map", "expected a name that ends in .csv or .json");
}

void write_map(const std::string& path, const input::PlacedTasks& tasks, std::string_view policy,
               const std::vector<MapRow>& rows) {
    base::OutputFile file(path);
    if (path.ends_with(".csv"))
        write_csv(file.stream(), tasks, rows);
    else
        write_json_rows(file.stream(), tasks, policy, rows);
    file.commit();
}

}  // namespace schedproof::cli
