#include "experiments/command/assign/map.hpp"

#include <fmt/core.h>

#include "experiments/command/core/csv.hpp"
#include "experiments/command/core/json.hpp"
#include "experiments/command/core/output.hpp"
#include "experiments/command/core/task_json.hpp"
#include "model/base/output_file.hpp"
#include "model/core/errors.hpp"

namespace schedproof::cli {

namespace {

/// One row as text. The core is its position within the server, from 0.
struct RowText {
    std::string name, file, server;
    std::size_t core;
};

RowText row_text(const input::PlacedTasks& tasks, const MapRow& row) {
    const assignment::Shape& shape = tasks.instance.shape();
    const ServerId s = shape.server_of(row.core);
    return {tasks.instance.task_name(row.task), tasks.files.empty() ? "" : tasks.files[tasks.file_of[row.task.index()]],
            tasks.instance.server_name(s), row.core.index() - shape.core(s, 0).index()};
}

void write_csv(std::ostream& out, const input::PlacedTasks& tasks, const std::vector<MapRow>& rows) {
    const bool files = !tasks.files.empty();
    out << "task,name," << (files ? "file," : "") << "server,core,locality,start,finish\n";
    for (const MapRow& row : rows) {
        const RowText words = row_text(tasks, row);
        out << row.task.index() << ',' << csv_field(words.name) << ',';
        if (files) out << csv_field(words.file) << ',';
        out << csv_field(words.server) << ',' << words.core << ',' << (row.local ? "local" : "remote") << ','
            << row.start.to_string() << ',' << row.finish.to_string() << '\n';
    }
}

void write_json_rows(std::ostream& out, const input::PlacedTasks& tasks, std::string_view policy,
                     const std::vector<MapRow>& rows) {
    const auto text = [](std::string_view value) { return to_text(Json(value)); };
    out << fmt::format(R"({{"schema": "assignment-map", "version": {}, "instance": {}, "policy": {}, "tasks": [)",
                       text(SCHEDPROOF_VERSION), text(tasks.instance.name()), text(policy));
    bool first = true;
    for (const MapRow& row : rows) {
        Json task = task_json(tasks.instance, row.task, row.core);
        if (!tasks.files.empty()) task["file"] = tasks.files[tasks.file_of[row.task.index()]];
        task["start"] = number(row.start);
        task["finish"] = number(row.finish);
        out << (first ? "\n" : ",\n") << to_text(task);
        first = false;
    }
    out << "\n]}\n";
}

}  // namespace

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
