/// Layout of a graph in rows of equally many tasks.
///
/// A chain of tasks moves between neighbouring levels, so rows of levels show its direction: arrivals lead down,
/// departures up. The layout is the layered one (Sugiyama, Tagawa and Toda, 1981) with the layers given: long edges get
/// a place in every row that they pass, rows are ordered by sweeps over the mean position of neighbours, of which the
/// order with the fewest crossings is kept, and places are moved towards their neighbours as far as their order and
/// widths allow. Graphviz is not asked to do it: `dot` finds no room for labelled edges within a row and draws detours.
///
/// A line leaves a node below or above, at a point of its own, in the order of where it leads; within a row it is an
/// arc below the nodes. Labels come last (level_labels.hpp).
///
/// All is computed in whole points, so that the same graph gives the same picture on every machine.
#include "checks/pictures/level_layout.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <utility>

#include "checks/pictures/level_labels.hpp"

namespace schedproof::graph {

namespace {

constexpr std::int64_t widest_row = 1400, space_between = 26, sweeps = 12;

/// A node, or where a long line passes a row.
struct RowEntry {
    std::size_t row = 0;
    Point size = {};
    std::int64_t x = 0;
};

class Layered {
  public:
    Layered(const StateGraph& graph, const std::vector<Point>& boxes) : graph_(graph), lines_(lines_of(graph)) {
        for (const Point& box : boxes) add_place({0, box, 0});
        make_rows();
        for (Line& line : lines_) pass_rows(line);
        order_rows();
        spread();
        set_heights();
    }

    [[nodiscard]] LevelLayout layout(const std::function<Point(const Line&)>& label);

  private:
    void add_place(const RowEntry& place) {
        places_.push_back(place);
        for (auto* beside : {&above_, &below_, &within_}) beside->emplace_back();
    }
    void make_rows();
    void centre_hub(std::vector<std::size_t>& row) const;
    void pass_rows(Line& line);
    void order_rows();
    void spread();
    void set_heights();
    [[nodiscard]] std::size_t crossings() const;
    void order_by_neighbours(std::size_t row, bool above);
    void move_to_neighbours(std::size_t row);
    [[nodiscard]] std::map<std::pair<std::size_t, std::size_t>, std::int64_t> ports() const;
    [[nodiscard]] std::vector<Point> curve(
        std::size_t line, const std::map<std::pair<std::size_t, std::size_t>, std::int64_t>& ports) const;
    [[nodiscard]] bool is_flat(std::size_t line) const {
        return places_[way_[line].front()].row == places_[way_[line].back()].row;
    }
    [[nodiscard]] std::int64_t top(std::size_t place) const {
        return rows_y_[places_[place].row] - places_[place].size.y / 2;
    }
    [[nodiscard]] std::int64_t bottom(std::size_t place) const {
        return rows_y_[places_[place].row] + places_[place].size.y / 2;
    }

    const StateGraph& graph_;
    std::vector<Line> lines_;
    std::vector<RowEntry> places_;
    std::vector<std::vector<std::size_t>> way_;   ///< of each line, the places from its source to its target
    std::vector<std::vector<std::size_t>> rows_;  ///< places from left to right
    std::vector<std::vector<std::size_t>> above_, below_, within_;  ///< of each place, its neighbours, by row
    std::vector<std::int64_t> levels_, rows_y_, gaps_;              ///< of each row; the gap is below it
};

/// One row a level, or several where one would be too wide.
void Layered::make_rows() {
    std::map<std::int64_t, std::vector<std::size_t>> by_level;
    for (std::size_t n = 0; n < graph_.nodes.size(); ++n) by_level[graph_.nodes[n].level].push_back(n);
    for (const auto& [level, nodes] : by_level) {
        std::int64_t width = 0;
        for (const std::size_t n : nodes) width += places_[n].size.x + space_between;
        const auto pieces = static_cast<std::size_t>((width + widest_row - 1) / widest_row);
        for (std::size_t piece = 0; piece < pieces; ++piece) {
            const std::size_t begin = nodes.size() * piece / pieces, end = nodes.size() * (piece + 1) / pieces;
            for (std::size_t i = begin; i < end; ++i) places_[nodes[i]].row = rows_.size();
            rows_.emplace_back(nodes.begin() + static_cast<std::ptrdiff_t>(begin),
                               nodes.begin() + static_cast<std::ptrdiff_t>(end));
            levels_.push_back(level);
        }
    }
    for (std::vector<std::size_t>& row : rows_) centre_hub(row);
}

/// Begins with the node in the middle that has the most lines within its row, so that arcs lead to both sides.
void Layered::centre_hub(std::vector<std::size_t>& row) const {
    std::map<std::size_t, std::size_t> within;
    for (const Line& line : lines_) {
        const Edge& edge = graph_.edges[line.edge];
        if (places_[edge.source].row != places_[edge.target].row ||
            places_[edge.source].row != places_[row.front()].row)
            continue;
        ++within[edge.source];
        ++within[edge.target];
    }
    if (within.empty()) return;
    const auto hub = std::max_element(within.begin(), within.end(),
                                      [](const auto& a, const auto& b) { return a.second < b.second; });
    row.erase(std::find(row.begin(), row.end(), hub->first));
    row.insert(row.begin() + static_cast<std::ptrdiff_t>((row.size() + 1) / 2), hub->first);
}

/// Gives a line its places, from its source to its target. Of two opposite edges the one downwards comes first.
void Layered::pass_rows(Line& line) {
    if (line.back && places_[graph_.edges[line.edge].source].row > places_[graph_.edges[line.edge].target].row)
        std::swap(line.edge, *line.back);
    const Edge& edge = graph_.edges[line.edge];
    std::vector<std::size_t> way{edge.source};
    const bool down = places_[edge.source].row < places_[edge.target].row;
    for (std::size_t row = places_[edge.source].row; row != places_[edge.target].row;) {
        row = down ? row + 1 : row - 1;
        if (row == places_[edge.target].row) break;
        way.push_back(places_.size());
        rows_[row].push_back(places_.size());
        add_place({row, {10, 0}, 0});
    }
    way.push_back(edge.target);
    if (places_[edge.source].row == places_[edge.target].row) {
        within_[edge.source].push_back(edge.target);
        within_[edge.target].push_back(edge.source);
    }
    for (std::size_t i = 0; i + 1 < way.size() && places_[way.front()].row != places_[way.back()].row; ++i) {
        below_[down ? way[i] : way[i + 1]].push_back(down ? way[i + 1] : way[i]);
        above_[down ? way[i + 1] : way[i]].push_back(down ? way[i] : way[i + 1]);
    }
    way_.push_back(std::move(way));
}

/// Positions within rows stand in `x` while the order is sought.
void Layered::order_by_neighbours(std::size_t row, bool above) {
    const auto mean = [&](std::size_t place) {
        const auto& beside = above ? above_[place] : below_[place];
        if (beside.empty()) return places_[place].x * 1024;
        std::int64_t sum = 0;
        for (const std::size_t other : beside) sum += places_[other].x * 1024;
        return sum / static_cast<std::int64_t>(beside.size());
    };
    std::vector<std::pair<std::int64_t, std::size_t>> keys;
    for (const std::size_t place : rows_[row]) keys.emplace_back(mean(place), place);
    std::stable_sort(keys.begin(), keys.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (std::size_t i = 0; i < keys.size(); ++i) {
        rows_[row][i] = keys[i].second;
        places_[keys[i].second].x = static_cast<std::int64_t>(i);
    }
}

std::size_t Layered::crossings() const {
    std::size_t count = 0;
    for (const std::vector<std::size_t>& row : rows_) {
        std::vector<std::pair<std::int64_t, std::int64_t>> links;
        for (const std::size_t place : row)
            for (const std::size_t other : below_[place]) links.emplace_back(places_[place].x, places_[other].x);
        for (std::size_t i = 0; i < links.size(); ++i)
            for (std::size_t j = i + 1; j < links.size(); ++j)
                count += (links[i].first - links[j].first) * (links[i].second - links[j].second) < 0 ? 1 : 0;
    }
    return count;
}

void Layered::order_rows() {
    for (const auto& row : rows_)
        for (std::size_t i = 0; i < row.size(); ++i) places_[row[i]].x = static_cast<std::int64_t>(i);
    std::size_t fewest = crossings();
    auto best = rows_;
    for (std::int64_t sweep = 0; sweep < sweeps && fewest > 0; ++sweep) {
        const bool down = sweep % 2 == 0;
        for (std::size_t i = 1; i < rows_.size(); ++i) order_by_neighbours(down ? i : rows_.size() - 1 - i, down);
        if (const std::size_t found = crossings(); found < fewest) {
            fewest = found;
            best = rows_;
        }
    }
    rows_ = std::move(best);
}

/// Moves the places of a row towards the mean of their neighbours: as far as the widths allow from the left, as far as
/// they allow from the right, and to the middle of the two, which keeps the distances since both do.
void Layered::move_to_neighbours(std::size_t row) {
    const std::vector<std::size_t>& places = rows_[row];
    std::vector<std::int64_t> wish, from_left(places.size()), from_right(places.size());
    for (const std::size_t place : places) {
        std::int64_t sum = 0, count = 0;
        const auto add = [&](const std::vector<std::size_t>& beside) {
            for (const std::size_t other : beside) sum += places_[other].x;
            count += static_cast<std::int64_t>(beside.size());
        };
        add(above_[place]);
        add(below_[place]);
        if (count == 0) add(within_[place]);
        wish.push_back(count == 0 ? places_[place].x : sum / count);
    }
    const auto apart = [&](std::size_t i) {
        return (places_[places[i]].size.x + places_[places[i + 1]].size.x) / 2 + space_between;
    };
    for (std::size_t i = 0; i < places.size(); ++i)
        from_left[i] = i == 0 ? wish[i] : std::max(wish[i], from_left[i - 1] + apart(i - 1));
    for (std::size_t i = places.size(); i-- > 0;)
        from_right[i] = i + 1 == places.size() ? wish[i] : std::min(wish[i], from_right[i + 1] - apart(i));
    for (std::size_t i = 0; i < places.size(); ++i) places_[places[i]].x = (from_left[i] + from_right[i]) / 2;
}

void Layered::spread() {
    for (const auto& row : rows_) {
        std::int64_t width = 0;
        for (const std::size_t place : row) width += places_[place].size.x + space_between;
        std::int64_t x = -width / 2;
        for (const std::size_t place : row) {
            places_[place].x = x + places_[place].size.x / 2;
            x += places_[place].size.x + space_between;
        }
    }
    for (std::int64_t sweep = 0; sweep < sweeps; ++sweep)
        for (std::size_t i = 0; i < rows_.size(); ++i) move_to_neighbours(sweep % 2 == 0 ? i : rows_.size() - 1 - i);
}

/// Rows stand further apart the more lines run between them.
void Layered::set_heights() {
    std::vector<std::int64_t> lines(rows_.size(), 0);
    for (std::size_t l = 0; l < lines_.size(); ++l)
        for (std::size_t i = 0; i + 1 < way_[l].size(); ++i)
            ++lines[std::min(places_[way_[l][i]].row, places_[way_[l][i + 1]].row)];
    std::int64_t y = 0;
    for (std::size_t row = 0; row < rows_.size(); ++row) {
        std::int64_t height = 0;
        for (const std::size_t place : rows_[row]) height = std::max(height, places_[place].size.y);
        const bool within = row + 1 < rows_.size() && levels_[row] == levels_[row + 1];
        gaps_.push_back(std::clamp<std::int64_t>(56 + 6 * lines[row], 56, within ? 170 : 260));
        rows_y_.push_back(y + height / 2);
        y += height + gaps_.back();
    }
}

/// The x at which each line meets the first and the last place of its way, by line and end: the lines of one side of a
/// node share its width in the order of where they lead.
std::map<std::pair<std::size_t, std::size_t>, std::int64_t> Layered::ports() const {
    struct End {
        std::int64_t towards;
        std::size_t line, end;
    };
    std::map<std::pair<std::size_t, bool>, std::vector<End>> sides;
    for (std::size_t l = 0; l < lines_.size(); ++l)
        for (const std::size_t end : {std::size_t{0}, std::size_t{1}}) {
            const auto& way = way_[l];
            const std::size_t here = end == 0 ? way.front() : way.back();
            const std::size_t next = end == 0 ? way[1] : way[way.size() - 2];
            const bool below = is_flat(l) || places_[next].row > places_[here].row;
            sides[{here, below}].push_back({places_[next].x, l, end});
        }
    std::map<std::pair<std::size_t, std::size_t>, std::int64_t> x;
    for (auto& [side, ends] : sides) {
        std::stable_sort(ends.begin(), ends.end(), [](const End& a, const End& b) { return a.towards < b.towards; });
        const RowEntry& place = places_[side.first];
        const auto count = static_cast<std::int64_t>(ends.size());
        for (std::int64_t k = 0; k < count; ++k) {
            const End& end = ends[static_cast<std::size_t>(k)];
            x[{end.line, end.end}] = place.x + place.size.x * 84 * (2 * k + 1 - count) / (200 * count);
        }
    }
    return x;
}

std::vector<Point> Layered::curve(std::size_t line,
                                  const std::map<std::pair<std::size_t, std::size_t>, std::int64_t>& ports) const {
    const std::vector<std::size_t>& way = way_[line];
    if (is_flat(line)) {
        const Point from{ports.at({line, 0}), bottom(way[0])}, to{ports.at({line, 1}), bottom(way[1])};
        const std::int64_t gap = gaps_[places_[way[0]].row];
        const std::vector<std::size_t>& row = rows_[places_[way[0]].row];
        const std::int64_t width = places_[row.back()].x - places_[row.front()].x;
        const std::int64_t depth = 36 + (gap * 3 / 4 - 36) * std::abs(to.x - from.x) / std::max(width, space_between);
        const std::int64_t low = std::max(from.y, to.y) + depth * 4 / 3;
        return {from, {from.x, low}, {to.x, low}, to};
    }
    const bool down = places_[way.front()].row < places_[way.back()].row;
    std::vector<Point> points;
    for (std::size_t i = 0; i + 1 < way.size(); ++i) {
        const Point from{i == 0 ? ports.at({line, 0}) : places_[way[i]].x, down ? bottom(way[i]) : top(way[i])};
        const Point to{i + 2 == way.size() ? ports.at({line, 1}) : places_[way[i + 1]].x,
                       down ? top(way[i + 1]) : bottom(way[i + 1])};
        const std::int64_t bend = (to.y - from.y) * 2 / 5;
        if (i == 0) points.push_back(from);
        points.insert(points.end(), {{from.x, from.y + bend}, {to.x, to.y - bend}, to});
    }
    return points;
}

LevelLayout Layered::layout(const std::function<Point(const Line&)>& label) {
    LevelLayout result;
    if (places_.empty()) return result;
    // The frame holds what is drawn, and nothing else: the places may have moved away from 0.
    result.first = result.last = {places_.front().x, rows_y_[places_.front().row]};
    std::vector<Box> boxes;
    const auto include = [&](const Box& box) {
        result.first = {std::min(result.first.x, box.first.x), std::min(result.first.y, box.first.y)};
        result.last = {std::max(result.last.x, box.last.x), std::max(result.last.y, box.last.y)};
    };
    for (std::size_t n = 0; n < graph_.nodes.size(); ++n) {
        result.nodes.push_back({places_[n].x, rows_y_[places_[n].row]});
        boxes.push_back(box_at(result.nodes.back(), places_[n].size));
        include(boxes.back());
    }
    const auto x = ports();
    for (std::size_t l = 0; l < lines_.size(); ++l) lines_[l].curve = curve(l, x);
    Labels labels(lines_, boxes);
    for (std::size_t l = 0; l < lines_.size(); ++l) include(labels.put(l, label(lines_[l])));
    for (const Line& line : lines_)
        for (const Point p : samples(line)) include({p, p});
    for (std::size_t row = 0; row < rows_.size(); ++row) result.rows.push_back({levels_[row], rows_y_[row]});
    result.lines = std::move(lines_);
    return result;
}

}  // namespace

std::vector<Line> lines_of(const StateGraph& graph) {
    std::map<std::pair<std::size_t, std::size_t>, std::size_t> by_ends;
    for (std::size_t e = 0; e < graph.edges.size(); ++e) by_ends[{graph.edges[e].source, graph.edges[e].target}] = e;
    std::vector<Line> lines;
    std::set<std::size_t> merged;
    for (std::size_t e = 0; e < graph.edges.size(); ++e) {
        const Edge& edge = graph.edges[e];
        if (edge.source == edge.target || merged.contains(e)) continue;
        lines.push_back({e, {}, {}, {}});
        const auto opposite = by_ends.find({edge.target, edge.source});
        if (opposite == by_ends.end()) continue;
        const Edge& other = graph.edges[opposite->second];
        if (other.tie != edge.tie || other.highlighted != edge.highlighted) continue;
        lines.back().back = opposite->second;
        merged.insert(opposite->second);
    }
    return lines;
}

LevelLayout level_layout(const StateGraph& graph, const std::vector<Point>& boxes,
                         const std::function<Point(const Line&)>& label) {
    return Layered(graph, boxes).layout(label);
}

}  // namespace schedproof::graph
