/// Whole policies of the sharing family as trees of its questions, sensible and perverse.
///
/// A tree is data: RapidCheck draws it and makes it smaller, one policy type per kind runs it in every mode, and it
/// prints as the C++ policy that it stands for.
#pragma once

#include <rapidcheck.h>

#include <memory>
#include <ostream>
#include <string>
#include <type_traits>
#include <vector>

#include "model/sharing/policy.hpp"

namespace schedproof::sharing::trees {

/// What is asked about the job at hand, or the whole.
enum class Question { constant, skips, running, waited, since_submitted, reserved, nearest, remote_tasks, remote_time };
struct Term {
    Question question = Question::constant;
    std::int64_t constant = 0;
};
enum class Relation { less, at_least, equal };
struct Atom {
    Term left;
    Relation relation = Relation::less;
    Term right;
};
enum class Action { launch_nearest, launch_local, launch_remote, skip, set_skips, next_job, decline };
/// What happens when every atom holds.
struct Rule {
    std::vector<Atom> when;
    Action action = Action::decline;
    std::int64_t skips = 0;
};
/// The rules are tried on each job in the order; the first that fits acts, and after `skip` and `set_skips` the
/// following ones are tried too.
struct JobTree {
    bool local_first = false;
    Order order = Order::fair;
    std::vector<Rule> rules;
};
/// How queues are joined and served, and what is launched from them.
struct QueueTree {
    bool join_common = true;
    Relation relation = Relation::at_least;  ///< own weight against the common queue's: serve own where it holds
    std::int64_t allowance = 0;              ///< added to the own weight
    bool try_other = false;                  ///< when nothing waits in the chosen queue
    bool true_level = true;                  ///< of the launch
};
/// Kills a task while slots are wanted.
struct KillTree {
    Relation relation = Relation::less;  ///< free slots against the bound
    std::int64_t bound = 1;
    bool spare_poor = true;  ///< not of a job below the fair share
    bool first_job = false;  ///< kills of the first ready job, not of the one with most running tasks
};

[[nodiscard]] rc::Gen<JobTree> job_trees();
[[nodiscard]] rc::Gen<QueueTree> queue_trees();
[[nodiscard]] rc::Gen<KillTree> kill_trees();
/// As the C++ policy.
std::ostream& operator<<(std::ostream& out, const JobTree& tree);
std::ostream& operator<<(std::ostream& out, const QueueTree& tree);
std::ostream& operator<<(std::ostream& out, const KillTree& tree);

template <class Count>
[[nodiscard]] constexpr bool holds(const Count& left, Relation relation, const std::type_identity_t<Count>& right) {
    return relation == Relation::less ? left < right : relation == Relation::equal ? left == right : left >= right;
}

/// Runs a JobTree.
struct JobTreePolicy {
    static constexpr PolicyInfo info{"job-tree", "test", "rules tried on each job in an order"};
    std::shared_ptr<const JobTree> tree;
    static constexpr std::tuple parameters{Parameter("tree", &JobTreePolicy::tree)};

    template <SharingView V>
    [[nodiscard]] std::optional<Launch> offer(V& now, NodeRef n) const {
        if (tree->local_first)
            if (const auto j = now.first_local(tree->order, n)) return Launch{*j, Locality::local};
        for (const JobRef j : now.jobs(tree->order))
            for (const Rule& rule : tree->rules) {
                if (!fits(rule, now, j, n)) continue;
                if (rule.action == Action::skip) now.skip(j);
                if (rule.action == Action::set_skips) now.set_skips(j, rule.skips);
                if (rule.action == Action::launch_nearest) return Launch{j, now.nearest(j, n)};
                if (rule.action == Action::launch_local) return Launch{j, Locality::local};
                if (rule.action == Action::launch_remote) return Launch{j, Locality::remote};
                if (rule.action == Action::decline) return {};
                if (rule.action == Action::next_job) break;
            }
        return {};
    }

  private:
    template <SharingView V>
    [[nodiscard]] static typename V::Count value(const Term& term, const V& now, JobRef j, NodeRef n) {
        switch (term.question) {
            case Question::skips:
                return now.skips(j);
            case Question::running:
                return now.running(j);
            case Question::waited:
                return now.waited(j);
            case Question::since_submitted:
                return now.since_submitted(j);
            case Question::reserved:
                return now.reserved(j, n);
            case Question::nearest:
                return static_cast<std::int64_t>(now.nearest(j, n));
            case Question::remote_tasks:
                return now.remote_tasks(n);
            case Question::remote_time:
                return now.remote_time(n);
            default:
                return term.constant;
        }
    }
    template <SharingView V>
    [[nodiscard]] static bool fits(const Rule& rule, const V& now, JobRef j, NodeRef n) {
        for (const Atom& atom : rule.when)
            if (!holds(value(atom.left, now, j, n), atom.relation, value(atom.right, now, j, n))) return false;
        return true;
    }
};

/// Runs a QueueTree.
struct QueueTreePolicy {
    static constexpr PolicyInfo info{"queue-tree", "test", "joins and serves queues by weights"};
    QueueTree tree;
    static constexpr std::tuple parameters{Parameter("tree", &QueueTreePolicy::tree)};

    template <RoutingView V>
    [[nodiscard]] constexpr typename V::Tied route(const V& now, DataRef data) const {
        return now.shortest(tree.join_common ? now.own_and_common(data) : now.own(data));
    }
    template <QueueView V>
    [[nodiscard]] constexpr std::optional<Launch> offer(V& now, NodeRef n) const {
        const bool own = holds(now.weight(now.own(n)) + tree.allowance, tree.relation, now.weight(now.common()));
        for (const QueueRef q : {own ? now.own(n) : now.common(), own ? now.common() : now.own(n)}) {
            if (const auto j = now.fewest_running(q))
                return Launch{*j, tree.true_level ? now.level(q) : Locality::rack_local};
            if (!tree.try_other) break;
        }
        return {};
    }
};

/// Offers by a JobTree, kills by a KillTree.
struct KillTreePolicy {
    static constexpr PolicyInfo info{"kill-tree", "test", "kills while slots are wanted"};
    std::shared_ptr<const JobTree> offers;
    KillTree kills;
    static constexpr std::tuple parameters{Parameter("offers", &KillTreePolicy::offers),
                                           Parameter("kills", &KillTreePolicy::kills)};

    template <SharingView V>
    [[nodiscard]] std::optional<Launch> offer(V& now, NodeRef n) const {
        return JobTreePolicy{offers}.offer(now, n);
    }
    template <ReclaimingView V>
    [[nodiscard]] std::optional<JobRef> reclaim(const V& now) const {
        for (const JobRef waiting : now.jobs(Order::fair)) {
            if (!holds(now.free_slots(), kills.relation, kills.bound)) return {};
            const std::optional<JobRef> rich = kills.first_job ? std::optional(waiting) : now.most_running();
            if (!rich || now.running(*rich) == 0) return {};
            if (kills.spare_poor && now.running(*rich) <= now.fair_share()) return {};
            return rich;
        }
        return {};
    }
};

}  // namespace schedproof::sharing::trees
