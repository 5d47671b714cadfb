/// Dinic's algorithm without a graph: an arc is a task that one server runs and another holds a replica of.
///
/// A round labels servers by their distance from those with too many tasks (search), then shifts tasks along paths that
/// go up one layer each, depth first; a cursor per server never returns to a task that led nowhere in this round, so a
/// round costs O(replicas + shifted path lengths). The number of rounds is that of distinct shortest path lengths.
/// Tasks of a server are a range of one pool, replicas inline (`width_`), because a search is bound by memory: a range
/// that overflows moves to the end of the pool at twice its size. Types with more than seven replicas keep none inline
/// and are looked up.
/// Source: [dinic1970].
#include "policies/assignment/task_flow.hpp"

namespace schedproof::assignment {

namespace {

constexpr std::size_t most_inline = 7;

}  // namespace

TaskFlow::TaskFlow(const Shape& shape, const std::vector<ServerId>& server_of, Counters& counters)
    : shape_(shape),
      counters_(counters),
      width_(1),
      on_(shape.servers().size()),
      layer_(on_.size(), unseen),
      cursor_(on_.size(), 0),
      parent_(on_.size(), 0),
      via_(on_.size(), 0) {
    for (const TaskId t : shape.tasks()) {
        width_ = std::max(width_, std::min(most_inline, shape.replicas(t).size()));
        ++on_[server_of[t.index()].index()].capacity;
    }
    std::size_t end = 0;
    for (Range& range : on_) {
        range.begin = end;
        range.capacity = (range.capacity + range.capacity / 8 + 1) * (width_ + 1);
        end += range.capacity;
    }
    pool_.resize(end);
    for (const TaskId t : shape.tasks()) {
        Range& range = on_[server_of[t.index()].index()];
        Word* task = &pool_[range.end()];
        range.size += width_ + 1;
        const auto holders = shape.replicas(t);
        *task++ = static_cast<Word>(t.index());
        for (std::size_t i = 0; i < width_; ++i)
            *task++ =
                holders.size() > width_ ? nowhere : static_cast<Word>(holders[i < holders.size() ? i : 0].index());
    }
}

std::size_t TaskFlow::settle(std::span<ServerId> part, std::vector<std::int64_t>& excess) {
    for (const ServerId s : part) layer_[s.index()] = unseen;
    while (search(part, excess)) {
        for (const ServerId s : part)
            if (excess[s.index()] > 0) shift_from(static_cast<Word>(s.index()), excess);
        for (const ServerId s : part) layer_[s.index()] = unseen;
    }
    const auto rest =
        std::stable_partition(part.begin(), part.end(), [&](ServerId s) { return layer_[s.index()] != unseen; });
    for (const ServerId s : part) layer_[s.index()] = elsewhere;
    return static_cast<std::size_t>(rest - part.begin());
}

/// Gives layers to all that sources reach, up to the first layer that has a sink; whether there is one.
bool TaskFlow::search(std::span<const ServerId> part, const std::vector<std::int64_t>& excess) {
    open_.clear();
    for (const ServerId s : part)
        if (excess[s.index()] > 0) {
            layer_[s.index()] = 0;
            open_.push_back(static_cast<Word>(s.index()));
        }
    if (!open_.empty()) ++counters_.searches;
    last_layer_ = unseen;
    for (std::size_t head = 0; head < open_.size(); ++head) {
        const Word s = open_[head];
        if (layer_[s] == last_layer_) break;
        cursor_[s] = on_[s].begin;
        const Word next = layer_[s] + 1;
        for (std::size_t at = on_[s].begin; at < on_[s].end(); at += width_ + 1)
            any_replica(&pool_[at], [&](Word other) {
                if (layer_[other] == unseen) {
                    layer_[other] = next;
                    open_.push_back(other);
                    if (excess[other] < 0) last_layer_ = next;
                }
                return false;
            });
    }
    return last_layer_ != unseen;
}

/// Shifts as many tasks as leave `source` along shortest paths.
void TaskFlow::shift_from(Word source, std::vector<std::int64_t>& excess) {
    path_.assign(1, source);
    while (!path_.empty()) {
        const Word s = path_.back();
        if (layer_[s] == last_layer_ && excess[s] < 0) {
            move_along_path();
            ++excess[s];
            if (--excess[source] == 0) return;
            path_.assign(1, source);
        } else if (layer_[s] == last_layer_ || !advance(s)) {
            layer_[s] = elsewhere;
            path_.pop_back();
        }
    }
}

/// Puts a server of the next layer on the path, by a task of `server` from its cursor on; false when none leads there.
bool TaskFlow::advance(Word server) {
    const Word next = layer_[server] + 1;
    for (std::size_t& at = cursor_[server]; at < on_[server].end(); at += width_ + 1)
        if (any_replica(&pool_[at], [&](Word other) {
                if (layer_[other] != next) return false;
                path_.push_back(other);
                return true;
            }))
            return true;
    return false;
}

/// Each task at a cursor of the path joins the next server; the last of its server takes its place.
void TaskFlow::move_along_path() {
    ++counters_.flips;
    for (std::size_t i = path_.size() - 1; i-- > 0;) {
        const Word from = path_[i];
        append(path_[i + 1], cursor_[from]);
        on_[from].size -= width_ + 1;
        std::copy_n(&pool_[on_[from].end()], width_ + 1, &pool_[cursor_[from]]);
        ++counters_.moves;
    }
}

/// Copies the task at a position of the pool to the end of a server's range.
void TaskFlow::append(Word server, std::size_t task) {
    Range& range = on_[server];
    if (range.size == range.capacity) {
        const std::size_t begin = pool_.size();
        pool_.resize(begin + 2 * range.capacity);
        std::copy_n(pool_.begin() + static_cast<std::ptrdiff_t>(range.begin), range.size,
                    pool_.begin() + static_cast<std::ptrdiff_t>(begin));
        cursor_[server] += begin - range.begin;
        range.begin = begin;
        range.capacity *= 2;
    }
    std::copy_n(&pool_[task], width_ + 1, &pool_[range.end()]);
    range.size += width_ + 1;
}

std::vector<ServerId> TaskFlow::server_of() const {
    std::vector<ServerId> result(shape_.tasks().size());
    for (const ServerId s : shape_.servers())
        for (std::size_t at = on_[s.index()].begin; at < on_[s.index()].end(); at += width_ + 1) result[pool_[at]] = s;
    return result;
}

}  // namespace schedproof::assignment
