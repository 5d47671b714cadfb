/// What both pictures of an assignment share: names, numbers, colours, and how much they draw.
#pragma once

#include <fmt/core.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "checks/pictures/assignment_picture.hpp"
#include "checks/pictures/state_label.hpp"

namespace schedproof::graph {

// Okabe and Ito's palette, the fills paler.
namespace assignment_colour {
inline constexpr std::string_view initial = "#C9C9C9";
inline constexpr std::string_view local = "#9CD0F0";
inline constexpr std::string_view remote = "#F3B56B";
inline constexpr std::string_view critical = "#F0E442";
inline constexpr std::string_view local_line = "#0072B2";
inline constexpr std::string_view remote_line = "#B35900";
inline constexpr std::string_view accent = "#D55E00";
inline constexpr std::string_view faint = "#8A8A8A";
}  // namespace assignment_colour

/// Throws LimitExceeded past the limits of assignment_picture.hpp.
inline void require_drawable(const assignment::Shape& shape) {
    if (shape.tasks().size() > max_drawn_tasks || shape.cores().size() > max_drawn_cores)
        throw LimitExceeded("tasks and cores of a picture",
                            fmt::format("{} tasks and {} cores, of which at most {} and {} are drawn",
                                        shape.tasks().size(), shape.cores().size(), max_drawn_tasks, max_drawn_cores));
}

/// Names with their defaults filled in.
class AssignmentNaming {
  public:
    AssignmentNaming(const assignment::Shape& shape, const AssignmentNames& names) : shape_(shape), names_(names) {}
    [[nodiscard]] std::string operator()(TaskId t) const {
        return t.index() < names_.tasks.size() ? names_.tasks[t.index()] : fmt::format("t{}", t.index());
    }
    [[nodiscard]] std::string operator()(ServerId s) const {
        return s.index() < names_.servers.size() ? names_.servers[s.index()] : fmt::format("s{}", s.index());
    }
    [[nodiscard]] std::string operator()(CoreId p) const {
        if (p.index() < names_.cores.size()) return names_.cores[p.index()];
        const ServerId s = shape_.server_of(p);
        return fmt::format("p{}.{}", s.index(), p.index() - shape_.core(s, 0).index());
    }

  private:
    const assignment::Shape& shape_;
    const AssignmentNames& names_;
};

/// A time as a label: exact unless it takes more room than any label has.
inline std::string time_label(const Rational& value) { return short_number(value, 13); }

/// Lines broken at spaces so that none is longer than `width` characters, unless a word is.
inline std::vector<std::string> wrapped_lines(const std::vector<std::string>& lines, std::size_t width) {
    std::vector<std::string> parts;
    for (const std::string& line : lines)
        for (std::string& part : wrapped(line, width)) parts.push_back(std::move(part));
    return parts;
}

inline std::string makespan_label(const assignment::Evaluation<Rational>& e) {
    return e.makespan ? "makespan " + time_label(*e.makespan) : "no task";
}

}  // namespace schedproof::graph
