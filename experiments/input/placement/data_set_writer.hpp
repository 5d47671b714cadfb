/// The paper's two data sets, line by line, for writers that hold a part of an instance at a time.
///
/// A comment in front announces how much follows, so that a file that was cut is noticed when it is read; a reader that
/// knows no comments wants it removed.
#pragma once

#include <cstdint>
#include <ostream>
#include <span>
#include <string>

#include "model/core/rational.hpp"

namespace schedproof::input {

/// `per_server` 0: servers have different numbers of cores.
void announce_cores(std::ostream& out, std::uint64_t cores, std::uint64_t per_server);
void announce_tasks(std::ostream& out, std::uint64_t tasks, std::uint64_t pairs);

/// The loads of one server, on one line: its cores are PREFIX and the numbers from `first` on.
void write_core_pairs(std::ostream& out, const std::string& prefix, std::uint64_t first,
                      std::span<const Rational> loads);
/// The servers of one task, on one line.
void write_task_pairs(std::ostream& out, const std::string& task, std::span<const std::string> servers);

}  // namespace schedproof::input
