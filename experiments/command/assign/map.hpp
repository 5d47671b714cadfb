/// A policy's map of tasks to cores, for a framework to carry out: who runs what, where, and when.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "experiments/input/placement/task_placement.hpp"
#include "model/core/rational.hpp"

namespace schedproof::cli {

/// One task of a map; times are in parts of a local task's cost, from when the initial loads were taken.
struct MapRow {
    TaskId task;
    CoreId core;
    bool local = true;
    Rational start;
    Rational finish;
};

/// Throws InputError unless the name ends in .csv or .json.
void require_map_name(const std::string& path);

/// Writes the map in the form that the name ends with. Memory: one row.
/// Throws InputError when the file cannot be written.
void write_map(const std::string& path, const input::PlacedTasks& tasks, std::string_view policy,
               const std::vector<MapRow>& rows);

}  // namespace schedproof::cli
