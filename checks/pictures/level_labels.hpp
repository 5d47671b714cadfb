/// The labels of lines: each stands on its curve where it covers the least of other labels, nodes and other curves.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "checks/pictures/level_layout.hpp"

namespace schedproof::graph {

struct Box {
    Point first, last;

    [[nodiscard]] bool meets(const Box& other) const {
        return first.x < other.last.x && other.first.x < last.x && first.y < other.last.y && other.first.y < last.y;
    }
    [[nodiscard]] bool holds(Point p) const {
        return first.x <= p.x && p.x <= last.x && first.y <= p.y && p.y <= last.y;
    }
};

[[nodiscard]] Box box_at(Point centre, Point size);

/// Points of the curve of a line, from its source on: those that end its pieces, and as many between in each.
[[nodiscard]] std::vector<Point> samples(const Line& line);

/// Where labels are put, one after the other. Borrows the lines, whose curves are there, and sets their labels.
class Labels {
  public:
    Labels(std::vector<Line>& lines, std::vector<Box> nodes);

    /// The box of the label, at the point of the line where it covers the least and is nearest to the middle.
    /// Cost: linear in the samples of all lines, for each sample of this one.
    Box put(std::size_t line, Point size);

  private:
    [[nodiscard]] std::int64_t covered(const Box& box, std::size_t line) const;

    std::vector<Line>& lines_;
    std::vector<Box> taken_;
    std::size_t nodes_ = 0;
    std::vector<std::vector<Point>> samples_;
};

}  // namespace schedproof::graph
