#include "policies/assignment/task_flow.hpp"

#include <algorithm>
#include <limits>

namespace schedproof::assignment {

namespace {

constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint32_t unseen = none - 1;     // in the part, not reached by the current search
constexpr std::uint32_t elsewhere = none - 2;  // not in the part, or with no way on
constexpr std::size_t most_inline = 7;

}  // namespace

TaskFlow::TaskFlow(const Shape& shape, const std::vector<ServerId>& server_of, Counters& counters)
    : shape_(shape),
      counters_(counters),
      width_(1),
      on_(shape.servers().size()),
      layer_(on_.size(), elsewhere),
      cursor_(on_.size(), 0) {
    std::vector<std::uint32_t> count(on_.size(), 0);
    for (const TaskId t : shape.tasks()) {
        width_ = std::max(width_, std::min(most_inline, shape.replicas(t).size()));
        ++count[server_of[t.index()].index()];
    }
    for (std::size_t s = 0; s < on_.size(); ++s) on_[s].reserve((count[s] + count[s] / 8 + 2) * (width_ + 1));
    for (const TaskId t : shape.tasks()) {
        std::vector<Word>& tasks = on_[server_of[t.index()].index()];
        const auto holders = shape.replicas(t);
        tasks.push_back(static_cast<Word>(t.index()));
        for (std::size_t i = 0; i < width_; ++i)
            tasks.push_back(holders.size() > width_ ? none
                                                    : static_cast<Word>(holders[i < holders.size() ? i : 0].index()));
    }
}

template <class F>
inline bool TaskFlow::any_replica(const Word* task, F&& f) {
    counters_.edge_scans += width_;
    if (task[1] != none) [[likely]] {
        for (std::size_t i = 1; i <= width_; ++i)
            if (f(task[i])) return true;
        return false;
    }
    for (const ServerId s : shape_.replicas(TaskId(task[0])))
        if (f(static_cast<Word>(s.index()))) return true;
    return false;
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
        cursor_[s] = 0;
        const Word next = layer_[s] + 1;
        const std::vector<Word>& tasks = on_[s];
        for (std::size_t at = 0; at < tasks.size(); at += width_ + 1)
            any_replica(&tasks[at], [&](Word other) {
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
    const std::vector<Word>& tasks = on_[server];
    const Word next = layer_[server] + 1;
    for (; cursor_[server] < tasks.size(); cursor_[server] += static_cast<Word>(width_ + 1))
        if (any_replica(&tasks[cursor_[server]], [&](Word other) {
                if (layer_[other] != next) return false;
                path_.push_back(other);
                return true;
            }))
            return true;
    return false;
}

void TaskFlow::move_along_path() {
    ++counters_.flips;
    const auto words = static_cast<std::ptrdiff_t>(width_ + 1);
    for (std::size_t i = path_.size() - 1; i-- > 0;) {
        std::vector<Word>& from = on_[path_[i]];
        std::vector<Word>& to = on_[path_[i + 1]];
        const auto task = from.begin() + cursor_[path_[i]];
        to.insert(to.end(), task, task + words);
        std::copy(from.end() - words, from.end(), task);
        from.resize(from.size() - (width_ + 1));
        ++counters_.moves;
    }
}

std::vector<ServerId> TaskFlow::server_of() const {
    std::vector<ServerId> result(shape_.tasks().size());
    for (const ServerId s : shape_.servers())
        for (std::size_t at = 0; at < on_[s.index()].size(); at += width_ + 1) result[on_[s.index()][at]] = s;
    return result;
}

}  // namespace schedproof::assignment
