#include "checks/queueing/slot_mutants.hpp"

#include <algorithm>
#include <utility>

namespace schedproof::checks::mutants {

using namespace queueing;

namespace {

std::int64_t executing(const ExactState& state, std::size_t queue) {
    return std::count_if(state.serving.begin(), state.serving.end(), [&](const Service& s) {
        return s.status == Service::Status::busy && s.queue.index() == queue;
    });
}

}  // namespace

System altered_slot(System system, Alter alter) {
    system.slot = [exact = system.exact, alter](const ExactState& state) {
        std::vector<Move> outcomes = exact.moves(state);
        alter(exact, state, outcomes);
        return outcomes;
    };
    return system;
}

void loses_a_task(const ExactSystem&, const ExactState&, std::vector<Move>& outcomes) {
    for (Move& move : outcomes)
        for (std::size_t q = 0; q < move.slot.next.length.size(); ++q)
            if (CheckedInt& n = move.slot.next.length[q]; n.value() > executing(move.slot.next, q)) {
                n = n - CheckedInt(1);
                break;
            }
}

void executes_nothing(const ExactSystem& system, const ExactState&, std::vector<Move>& outcomes) {
    for (Move& move : outcomes)
        for (const ServerId m : system.instance().servers())
            if (move.slot.next.serving[m.index()].status == Service::Status::idle)
                for (const QueueId q : IdRange<QueueId>(move.slot.next.length.size()))
                    if (move.slot.next.length[q.index()].value() == 0)
                        move.slot.next.serving[m.index()] = {Service::Status::busy, Level(0), q};
}

void empties_a_queue(const ExactSystem&, const ExactState&, std::vector<Move>& outcomes) {
    for (Move& move : outcomes) {
        auto& length = move.slot.next.length;
        const auto most = std::max_element(length.begin(), length.end());
        const auto q = static_cast<std::size_t>(most - length.begin());
        const std::int64_t left = executing(move.slot.next, q);
        move.slot.completed += static_cast<std::uint32_t>(most->value() - left);
        *most = CheckedInt(left);
    }
}

void changes_a_task(const ExactSystem&, const ExactState& from, std::vector<Move>& outcomes) {
    for (Move& move : outcomes)
        for (std::size_t m = 0; m < from.serving.size(); ++m)
            if (Service& s = move.slot.next.serving[m];
                from.serving[m].status == Service::Status::busy && s == from.serving[m])
                s.queue = QueueId((s.queue.index() + 1) % from.length.size());
}

void leaves_an_outcome_out(const ExactSystem&, const ExactState&, std::vector<Move>& outcomes) {
    outcomes.erase(outcomes.begin());
}

}  // namespace schedproof::checks::mutants
