/// A violation of the drift argument involves the asker (a task's type or an idle server), a chosen queue and a better
/// one. For which rules is a violation in a large cluster one in the small cluster that keeps only the servers of these
/// queues, and the other way round for clusters that are smaller than the small one?
///
/// Leaving servers out. Let E be a set of the language, E' the same set in the cluster that keeps the servers K.
///   * A named set, or one filtered by what a candidate knows of itself, has E' = E restricted to K.
///   * argmin and argmax of such a set by a key of the candidate itself keep their members as long as K keeps one of
///     them: the best of fewer is the best of all if it is among them. A filter on top changes nothing in this.
///   * first_of(E, F) is E where K keeps a member of E; and where E is empty, K must show that it is: if E is the
///   filtered
///     best of a set, K keeps one best member, which then fails the filter in the small cluster too.
/// So K consists of the asker's own queues, the chosen queue, the better one, and such witnesses. `chosen` below counts
/// the servers of a chosen queue and of the witnesses that a choice needs, `witnesses` those that fix the set whatever
/// is chosen. The small clusters show, around every asker, two other servers at every pair of distances: one better
/// queue, and one counted here.
///
/// Adding servers. A cluster smaller than the small one is completed by servers whose queues are empty, for sets that
/// name no queue without work, or, for a route over all servers, whose queues are so long that an increasing key never
/// chooses them. Hence the conditions on `reachable` and `servers`.
///
/// Numbers of servers, means, sums over servers, draws, plans and places in an order are outside.
#include "proofs/queueing/theorems/fragment.hpp"

#include <algorithm>
#include <optional>

namespace schedproof::queueing {

namespace {

using language::Op;
using language::Tree;

/// Servers beside the asker's that a small cluster must keep.
struct Kept {
    int chosen = 0;
    int witnesses = 0;
};

class Fragment {
  public:
    explicit Fragment(const Tree& tree) : tree_(tree) {}

    /// The first part outside the fragment; empty when there is none.
    [[nodiscard]] std::string outside() {
        const Kept kept = set(tree_.root(), false, false);
        if (!outside_ && kept.chosen > 1) refuse(tree_.root(), "which needs a larger cluster than the small one");
        return outside_.value_or("");
    }

  private:
    /// `with_work`: under a filter for work; `increasing`: under an argmin of an increasing key.
    Kept set(std::size_t at, bool with_work, bool increasing) {
        const auto child = [&](std::size_t k) { return tree_.child(at, k); };
        switch (tree_[at].op) {
            case Op::own:
            case Op::own_levels:
            case Op::own_type:
            case Op::common:
                return {};
            case Op::local:
                return {1, 0};
            case Op::servers:
                if (!increasing) refuse(at, "outside an argmin of a key that grows with its queue");
                return {1, 0};
            case Op::reachable:
                if (!with_work) refuse(at, "which is not filtered for work");
                return {1, 0};
            case Op::where:
                own_parts(child(1));
                return set(child(0), with_work || implies_work(child(1)), increasing);
            case Op::argmin:
            case Op::argmax: {
                own_parts(child(1));
                const bool grows = tree_[at].op == Op::argmin && is_increasing(child(1));
                const Kept of = set(child(0), with_work, increasing || grows);
                return {of.chosen, of.witnesses + std::min(of.chosen, 1)};
            }
            case Op::most_local: {
                const Kept of = set(child(0), with_work, increasing);
                return {of.chosen, of.witnesses + std::min(of.chosen, 1)};
            }
            case Op::unite: {
                const Kept a = set(child(0), with_work, increasing), b = set(child(1), with_work, increasing);
                return {std::max(a.chosen + b.witnesses, a.witnesses + b.chosen), a.witnesses + b.witnesses};
            }
            case Op::first_of: {
                const Kept a = set(child(0), with_work, increasing), b = set(child(1), with_work, increasing);
                return {std::max(a.chosen, a.witnesses + b.chosen),
                        a.witnesses + std::max(std::min(a.chosen, 1), b.witnesses)};
            }
            case Op::when: {
                own_parts(child(0));
                const Kept a = set(child(1), with_work, increasing), b = set(child(2), with_work, increasing);
                return {std::max(a.chosen, b.chosen), std::max(a.witnesses, b.witnesses)};
            }
            default:
                refuse(at, "");
                return {};
        }
    }

    [[nodiscard]] bool implies_work(std::size_t test) const {
        if (tree_[test].op == Op::has_work) return true;
        return tree_[test].op == Op::both && (implies_work(tree_.child(test, 0)) || implies_work(tree_.child(test, 1)));
    }
    /// Whether the key exceeds every bound as the queue of its candidate does.
    [[nodiscard]] bool is_increasing(std::size_t key) const {
        switch (tree_[key].op) {
            case Op::length:
            case Op::server_length:
            case Op::server_workload:
                return true;
            case Op::times_rate:
            case Op::over_rate:
            case Op::times_local:
            case Op::times_remote:
                return is_increasing(tree_.child(key, 0));
            case Op::multiple:
                return tree_[key].a > 0 && is_increasing(tree_.child(key, 0));
            case Op::plus: {
                const std::size_t a = tree_.child(key, 0), b = tree_.child(key, 1);
                const auto bounded = [&](std::size_t k) {
                    return tree_[k].op == Op::constant || tree_[k].op == Op::distance;
                };
                return (is_increasing(a) && (bounded(b) || is_increasing(b))) || (bounded(a) && is_increasing(b));
            }
            default:
                return false;
        }
    }
    /// Refuses a key or a test that speaks of more than the candidate and the asker's own queues.
    void own_parts(std::size_t at) {
        switch (tree_[at].op) {
            case Op::total:
            case Op::mean:
                refuse(at, "");
                return;
            case Op::least:
            case Op::greatest:
                if (const Kept of = set(tree_.child(at, 0), false, false); of.chosen > 0)
                    refuse(at, "over queues of other servers");
                own_parts(tree_.child(at, 1));
                return;
            default:
                for (std::size_t k = 0; k < tree_[at].children; ++k) own_parts(tree_.child(at, k));
        }
    }

    void refuse(std::size_t at, const std::string& why) {
        if (!outside_) outside_ = "'" + to_string(tree_.subtree(at)) + "'" + (why.empty() ? "" : " " + why);
    }

    const Tree& tree_;
    std::optional<std::string> outside_;
};

}  // namespace

std::string outside_fragment(const Rules& rules) {
    if (std::string part = Fragment(rules.route()).outside(); !part.empty()) return "route: " + part;
    if (std::string part = Fragment(rules.serve()).outside(); !part.empty()) return "serve: " + part;
    return {};
}

}  // namespace schedproof::queueing
