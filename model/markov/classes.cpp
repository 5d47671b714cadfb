/// Communicating classes by Tarjan's algorithm, and periods by distances.
///
/// The depth-first search keeps its calls on a stack of its own: a chain of queues is a path of thousands of states,
/// too deep for the machine's stack. `low` of a state is the least discovery number reachable from it within open
/// classes; a state whose low is its own number closes a class, which is then on top of the stack of open states.
/// Classes are completed in reverse topological order, hence a class is numbered after every class that it can move to.
///
/// The period of a class is the greatest common divisor of its cycle lengths. With distances from one of its states, a
/// move from distance a to distance b adds a + 1 - b to the divisor; a breadth-first search keeps these numbers
/// nonnegative. Both are linear in the transitions.
#include "model/markov/classes.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace schedproof::markov {

namespace {

constexpr std::uint32_t unvisited = std::numeric_limits<std::uint32_t>::max();

/// Tarjan's search with its stack of calls made explicit. `low` of a state is the oldest discovery number known to be
/// reachable from it through states whose class is still open.
class Search {
  public:
    explicit Search(const TransitionMatrix& chain)
        : chain_(chain), low_(chain.states(), unvisited), class_of_(chain.states(), unvisited) {}

    std::vector<ClassIndex> run() {
        for (StateIndex root = 0; root < chain_.states(); ++root)
            if (low_[root] == unvisited) explore(root);
        return std::move(class_of_);
    }

  private:
    struct Call {
        StateIndex state;
        std::uint32_t discovered;
        std::size_t next_move;
    };

    void explore(StateIndex root) {
        enter(root);
        while (!calls_.empty()) {
            Call& call = calls_.back();
            const auto row = chain_.row(call.state);
            if (call.next_move == row.size()) {
                leave();
                continue;
            }
            const StateIndex target = row[call.next_move++].target;
            if (low_[target] == unvisited)
                enter(target);
            else if (class_of_[target] == unvisited)
                low_[call.state] = std::min(low_[call.state], low_[target]);
        }
    }

    void enter(StateIndex state) {
        low_[state] = discovered_;
        calls_.push_back({state, discovered_++, 0});
        open_.push_back(state);
    }

    void leave() {
        const auto [state, discovered, end] = calls_.back();
        calls_.pop_back();
        if (low_[state] == discovered) {
            StateIndex member = 0;
            do {
                member = open_.back();
                open_.pop_back();
                class_of_[member] = classes_;
            } while (member != state);
            ++classes_;
        } else {
            StateIndex& caller_low = low_[calls_.back().state];
            caller_low = std::min(caller_low, low_[state]);
        }
    }

    const TransitionMatrix& chain_;
    std::vector<std::uint32_t> low_;
    std::vector<ClassIndex> class_of_;
    std::vector<Call> calls_;
    std::vector<StateIndex> open_;
    std::uint32_t discovered_ = 0;
    ClassIndex classes_ = 0;
};

}  // namespace

std::vector<ClassIndex> Classes::closed_classes() const {
    std::vector<ClassIndex> result;
    for (ClassIndex c = 0; c < count(); ++c)
        if (closed_[c]) result.push_back(c);
    return result;
}

Classes classify(const TransitionMatrix& chain) {
    chain.require_closed();
    Classes result;
    result.class_of_ = Search(chain).run();
    const auto& class_of = result.class_of_;
    const std::size_t count = class_of.empty() ? 0 : *std::max_element(class_of.begin(), class_of.end()) + 1u;

    result.start_.assign(count + 1, 0);
    for (const ClassIndex c : class_of) ++result.start_[c + 1];
    std::partial_sum(result.start_.begin(), result.start_.end(), result.start_.begin());
    result.members_.resize(chain.states());
    result.closed_.assign(count, true);
    std::vector<std::size_t> next(result.start_.begin(), result.start_.end() - 1);
    for (StateIndex state = 0; state < chain.states(); ++state) {
        const ClassIndex c = class_of[state];
        result.members_[next[c]++] = state;
        for (const Transition& move : chain.row(state))
            if (class_of[move.target] != c) result.closed_[c] = false;
    }
    return result;
}

std::size_t period(const TransitionMatrix& chain, const Classes& classes, ClassIndex c) {
    // Give every state its distance from one of them. A move from level a to level b closes walks whose lengths differ
    // by a + 1 - b, and the gcd of these over all moves of the class is the period.
    const auto members = classes.members(c);
    std::vector<std::size_t> level(members.size(), members.size());
    const auto position = [&](StateIndex state) {
        return static_cast<std::size_t>(std::lower_bound(members.begin(), members.end(), state) - members.begin());
    };
    std::vector<std::size_t> queue{0};
    level[0] = 0;
    std::size_t divisor = 0;
    for (std::size_t head = 0; head < queue.size(); ++head) {
        const std::size_t from = queue[head];
        for (const Transition& move : chain.row(members[from])) {
            if (classes.of(move.target) != c) continue;
            const std::size_t to = position(move.target);
            if (level[to] == members.size()) {
                level[to] = level[from] + 1;
                queue.push_back(to);
            }
            // Breadth first: level[to] <= level[from] + 1, so the difference is not negative.
            divisor = std::gcd(divisor, level[from] + 1 - level[to]);
        }
    }
    return divisor;
}

}  // namespace schedproof::markov
