/// Labels are put greedily, in the order of the lines: what is covered is weighted, a node most, then another label,
/// then each sample of another curve, and a place off the middle of the curve last. All is computed in whole points, so
/// that the same graph has the same picture everywhere.
#include "checks/pictures/level_labels.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace schedproof::graph {

namespace {

constexpr std::int64_t parts_of_piece = 24;

/// The point of the Bezier piece that begins at `p`, at k parts of it.
Point point_at(const Point* p, std::int64_t k) {
    const std::int64_t n = parts_of_piece, a = n - k;
    const auto mix = [&](std::int64_t p0, std::int64_t p1, std::int64_t p2, std::int64_t p3) {
        return (a * a * a * p0 + 3 * a * a * k * p1 + 3 * a * k * k * p2 + k * k * k * p3) / (n * n * n);
    };
    return {mix(p[0].x, p[1].x, p[2].x, p[3].x), mix(p[0].y, p[1].y, p[2].y, p[3].y)};
}

}  // namespace

Box box_at(Point centre, Point size) {
    return {{centre.x - size.x / 2, centre.y - size.y / 2}, {centre.x + size.x / 2, centre.y + size.y / 2}};
}

std::vector<Point> samples(const Line& line) {
    std::vector<Point> all;
    for (std::size_t i = 0; i + 3 < line.curve.size(); i += 3)
        for (std::int64_t k = i == 0 ? 0 : 1; k <= parts_of_piece; ++k)
            all.push_back(point_at(line.curve.data() + i, k));
    return all;
}

Labels::Labels(std::vector<Line>& lines, std::vector<Box> nodes)
    : lines_(lines), taken_(std::move(nodes)), nodes_(taken_.size()) {
    for (const Line& line : lines) samples_.push_back(samples(line));
}

Box Labels::put(std::size_t line, Point size) {
    std::int64_t least = -1;
    const std::vector<Point>& all = samples_[line];
    const auto count = static_cast<std::int64_t>(all.size());
    for (std::int64_t i = count / 10; i < count - count / 10; ++i) {
        const Box box = box_at(all[static_cast<std::size_t>(i)], {size.x + 4, size.y + 2});
        const std::int64_t cost = covered(box, line) + 20 * std::abs(2 * i - count) / count;
        if (least >= 0 && cost >= least) continue;
        least = cost;
        lines_[line].label = all[static_cast<std::size_t>(i)];
    }
    taken_.push_back(box_at(lines_[line].label, {size.x + 4, size.y + 2}));
    return taken_.back();
}

std::int64_t Labels::covered(const Box& box, std::size_t line) const {
    std::int64_t cost = 0;
    for (std::size_t i = 0; i < taken_.size(); ++i)
        if (box.meets(taken_[i])) cost += i < nodes_ ? 2000 : 500;
    for (std::size_t other = 0; other < samples_.size(); ++other)
        if (other != line)
            cost += 10 * std::count_if(samples_[other].begin(), samples_[other].end(),
                                       [&](Point p) { return box.holds(p); });
    return cost;
}

}  // namespace schedproof::graph
