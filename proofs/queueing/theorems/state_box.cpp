/// Numbering by counting. Let c(k, r) be the number of lengths of the queues from k on whose weighted sum is at most r:
///     c(k, r) = c(k + 1, r) + c(k, r - w_k),   c(number of queues, r) = 1.
/// In lexicographic order x_0, x_1, ... follows all points with a smaller entry at the first place where they differ,
/// so its number is the sum over k of c(k + 1, r_k - v w_k) over v < x_k, which telescopes to c(k, r_k) - c(k, r_{k+1})
/// with r_{k+1} = r_k - x_k w_k. A state of a combination of statuses is such a point beyond its tasks in execution.
#include "proofs/queueing/theorems/state_box.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "model/core/errors.hpp"

namespace schedproof::queueing {

StateBox::StateBox(std::vector<std::vector<Service>> statuses, std::vector<std::uint32_t> weights, std::uint32_t radius,
                   std::uint64_t most)
    : statuses_(std::move(statuses)), weights_(std::move(weights)), radius_(radius) {
    const std::size_t queues = weights_.size(), width = std::size_t{radius} + 1;
    require(std::all_of(weights_.begin(), weights_.end(), [](std::uint32_t w) { return w > 0; }), "positive weights");
    const auto throw_too_many = [&] {
        throw LimitExceeded("states", fmt::format("a box of radius {} has more than {} states", radius_, most));
    };
    if ((queues + 1) > most / width) throw_too_many();
    points_.assign((queues + 1) * width, 1);
    for (std::size_t k = queues; k-- > 0;)
        for (std::size_t r = 0; r < width; ++r) {
            std::uint64_t count = points_[(k + 1) * width + r];
            if (r >= weights_[k]) count += points_[k * width + r - weights_[k]];
            if (count > most) throw_too_many();
            points_[k * width + r] = count;
        }
    std::uint64_t combinations = 1;
    for (const auto& own : statuses_) {
        combinations *= own.size();
        if (combinations > most) throw_too_many();
    }
    place_.assign(combinations, -1);
    std::uint64_t total = 0;
    std::vector<std::size_t> choice(statuses_.size(), 0);
    for (std::uint64_t c = 0; c < combinations; ++c) {
        Shape shape;
        shape.executing.assign(queues, 0);
        std::uint64_t taken = 0, rest = c;
        for (std::size_t m = statuses_.size(); m-- > 0;) {
            choice[m] = rest % statuses_[m].size();
            rest /= statuses_[m].size();
        }
        for (std::size_t m = 0; m < statuses_.size(); ++m) {
            const Service& service = statuses_[m][choice[m]];
            shape.serving.push_back(service);
            if (service.status != Service::Status::busy) continue;
            ++shape.executing[service.queue.index()];
            taken += weights_[service.queue.index()];
        }
        if (taken > radius_) continue;
        shape.room = static_cast<std::uint32_t>(radius_ - taken);
        shape.begin = total;
        total += points(0, shape.room);
        if (total > most) throw_too_many();
        shape.end = total;
        place_[c] = static_cast<std::int64_t>(shapes_.size());
        shapes_.push_back(std::move(shape));
    }
}

namespace {

/// By the measure of the tasks in execution, how many combinations of statuses have it; nothing past `most` of them.
std::vector<std::uint64_t> combinations_by_measure(const std::vector<std::vector<Service>>& statuses,
                                                   const std::vector<std::uint32_t>& weights, std::uint64_t most) {
    std::vector<std::uint64_t> counts{1};
    std::uint64_t all = 1;
    for (const std::vector<Service>& own : statuses) {
        all *= own.size();
        if (all > most) return {};
        std::vector<std::uint64_t> longer(counts.size());
        for (const Service& service : own) {
            const std::uint32_t w = service.status == Service::Status::busy ? weights[service.queue.index()] : 0;
            longer.resize(std::max(longer.size(), counts.size() + w));
            for (std::size_t taken = 0; taken < counts.size(); ++taken) longer[taken + w] += counts[taken];
        }
        counts = std::move(longer);
    }
    return counts;
}

}  // namespace

std::uint32_t StateBox::largest_radius(const std::vector<std::vector<Service>>& statuses,
                                       const std::vector<std::uint32_t>& weights, std::uint64_t most,
                                       std::uint32_t limit) {
    const std::vector<std::uint64_t> combinations = combinations_by_measure(statuses, weights, most);
    if (combinations.empty()) return 0;
    std::vector<std::vector<std::uint64_t>> points(weights.size());  // c(k, r), by k and r
    std::vector<std::uint64_t> from_first;                           // c(0, r)
    const auto fits = [&](std::size_t r) {
        if (weights.size() + 1 > most / (r + 1)) return false;
        std::uint64_t count = 1;
        for (std::size_t k = weights.size(); k-- > 0;) {
            if (r >= weights[k]) count += points[k][r - weights[k]];
            if (count > most) return false;
            points[k].push_back(count);
        }
        from_first.push_back(count);
        std::uint64_t states = 0;
        for (std::size_t taken = 0; taken < std::min(combinations.size(), r + 1); ++taken) {
            const std::uint64_t own = from_first[r - taken];
            if (combinations[taken] > (most - states) / own) return false;
            states += combinations[taken] * own;
        }
        return true;
    };
    std::uint32_t radius = 0;
    while (radius <= limit && fits(radius)) ++radius;
    return radius > 0 ? radius - 1 : 0;
}

std::uint64_t StateBox::measure(const ExactState& state) const {
    CheckedInt sum(0);
    for (std::size_t q = 0; q < weights_.size(); ++q) sum = sum + std::int64_t{weights_[q]} * state.length[q];
    return static_cast<std::uint64_t>(sum.value());
}

std::optional<std::uint64_t> StateBox::index(const ExactState& state) const {
    std::uint64_t combination = 0;
    for (std::size_t m = 0; m < statuses_.size(); ++m) {
        const std::vector<Service>& own = statuses_[m];
        const Service& service = state.serving[m];
        std::size_t at = 0;
        while (at < own.size() && own[at] != service) ++at;
        if (at == own.size())
            throw InputError::at_key("statuses",
                                     "expected every status that a server can have; a slot leads to another");
        combination = combination * own.size() + at;
    }
    if (measure(state) > radius_) return {};
    const Shape& shape = shapes_[static_cast<std::size_t>(place_[combination])];
    std::uint64_t number = shape.begin;
    std::uint32_t room = shape.room;
    for (std::size_t q = 0; q < weights_.size(); ++q) {
        const auto waiting = static_cast<std::uint32_t>(state.length[q].value()) - shape.executing[q];
        const std::uint32_t left = room - waiting * weights_[q];
        number += points(q, room) - points(q, left);
        room = left;
    }
    return number;
}

const StateBox::Shape& StateBox::shape_of(std::uint64_t index) const {
    return *std::upper_bound(shapes_.begin(), shapes_.end(), index,
                             [](std::uint64_t i, const Shape& shape) { return i < shape.end; });
}

StateBox::Walk StateBox::start(const Shape& shape, std::uint64_t index) const {
    Walk walk{{}, &shape, {}};
    walk.state.serving = shape.serving;
    std::uint64_t rest = index - shape.begin;
    std::uint32_t room = shape.room;
    for (std::size_t q = 0; q < weights_.size(); ++q) {
        walk.room.push_back(room);
        std::uint32_t length = shape.executing[q];
        for (std::uint64_t block = points(q + 1, room); rest >= block; block = points(q + 1, room)) {
            rest -= block;
            room -= weights_[q];
            ++length;
        }
        walk.state.length.push_back(CheckedInt(length));
    }
    walk.room.push_back(room);
    return walk;
}

void StateBox::advance(Walk& walk) const {
    for (std::size_t q = weights_.size(); q-- > 0;) {
        if (walk.room[q + 1] >= weights_[q]) {
            walk.state.length[q] = walk.state.length[q] + CheckedInt(1);
            walk.room[q + 1] -= weights_[q];
            // The queues after it are at their least, so they leave what it leaves.
            for (std::size_t later = q + 1; later < weights_.size(); ++later) walk.room[later + 1] = walk.room[q + 1];
            return;
        }
        walk.state.length[q] = CheckedInt(walk.shape->executing[q]);
    }
}

}  // namespace schedproof::queueing
