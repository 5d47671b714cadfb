/// A violation of the drift argument involves the asker (a task's type or an idle server), a chosen queue and a better
/// one. For which rules is a violation in a large cluster one in a small cluster that keeps only the servers of these
/// queues and a few more?
///
/// Leaving servers out. Let E be a set of the language and E(K) the same set in the cluster that keeps the servers K.
/// For every set E there are numbers c and e such that
///   (member)  if q is in E, some K of at most c servers beside the asker's has q in E(K') within E for all K' over K;
///   (whole)   some K of at most e servers has E(K') within E for all K' over K.
/// They are counted on the expression by `set` below: a named set has c = 1, e = 0 (none of both for the asker's own
/// queues); a filter changes nothing; argmin, argmax and most_local need a best member for (whole); first_of(A, B)
/// needs (whole) of A for a member of B. The value least or greatest of a key over E, which is not empty, stays what it
/// is where K keeps a member of E that attains it: c servers for each different value that a rule mentions, kept
/// whatever is asked. So max(c, e) + (servers for the values) + 1 servers suffice, the last for the better queue.
///
/// Adding servers. One cluster may stand for all smaller ones of its patterns of distances if servers can be added to K
/// that change nothing: with empty queues, for sets that name no queue without work, or, for a route over all servers,
/// with queues so long that an increasing key never chooses them. Hence the conditions on `reachable` and `servers`,
/// which a filter, or a comparison in between, may undo. Where they fail, every pattern of at most so many servers is a
/// cluster of its own (small_clusters.hpp). Only queues of servers are counted so; types have no such clusters.
///
/// Numbers of servers, means, sums over servers, draws, plans and places in an order are outside, and so are values
/// over a set that may be empty.
#include "proofs/queueing/theorems/fragment.hpp"

#include <algorithm>
#include <optional>
#include <vector>

namespace schedproof::queueing {

namespace {

using language::Growth;
using language::Op;
using language::Operation;
using language::Tree;
using Kind = language::Fragment;

/// Servers beside the asker's that a small cluster must keep: c and e above.
struct Kept {
    std::size_t member = 0;
    std::size_t whole = 0;
};

/// The set under which a named set stands, as far as servers may be added to it.
struct Under {
    bool work = false;        ///< a filter for work, and no comparison of members, or with no members, in between
    bool increasing = false;  ///< an argmin of an increasing key, and no filter or other comparison in between
};

class Fragment {
  public:
    explicit Fragment(const Tree& tree) : tree_(tree) {
        const Kept kept = set(tree_.root(), {});
        servers_ = std::max(kept.member, kept.whole) + 1;
        for (const Value& value : values_) servers_ += value.kept;
    }
    /// The first part that is outside whatever the clusters; empty when there is none.
    [[nodiscard]] const std::string& outside() const { return outside_; }
    /// The first part for which no servers can be added; empty when there is none.
    [[nodiscard]] const std::string& unfilled() const { return unfilled_; }
    /// Servers beside the asker's that show every violation.
    [[nodiscard]] std::size_t servers() const { return servers_; }

  private:
    struct Value {
        Tree expression;
        std::size_t kept;
    };

    [[nodiscard]] const Operation& row(std::size_t at) const { return language::operation(tree_[at].op); }

    Kept set(std::size_t at, Under under) {
        const auto child = [&](std::size_t k) { return tree_.child(at, k); };
        switch (row(at).fragment) {
            case Kind::own:
                return {};
            case Kind::others:
                return {1, 0};
            case Kind::others_if_growing:
                if (!under.increasing) note(unfilled_, at, "outside an argmin of a key that grows with its queue");
                return {1, 0};
            case Kind::others_with_work:
                if (!under.work) note(unfilled_, at, "which is not filtered for work");
                return {1, 0};
            case Kind::filtered:
                parts(child(1));
                return set(child(0), {under.work || implies_work(child(1)), false});
            case Kind::compared: {
                const bool keyed = tree_[at].children > 1;
                if (keyed) parts(child(1));
                return compared(set(child(0), {false, keyed && tree_[at].op == Op::argmin && is_increasing(child(1))}));
            }
            case Kind::united: {
                const Kept a = set(child(0), under), b = set(child(1), under);
                return {std::max(a.member + b.whole, a.whole + b.member), a.whole + b.whole};
            }
            case Kind::first_of: {  // a server that is added must not make the first set other than empty
                const Kept a = set(child(0), {false, under.increasing}), b = set(child(1), under);
                return {std::max(a.member, a.whole + b.member), std::max(a.member, a.whole + b.whole)};
            }
            case Kind::chosen: {
                parts(child(0));
                const Kept a = set(child(1), under), b = set(child(2), under);
                return {std::max(a.member, b.member), std::max(a.whole, b.whole)};
            }
            default:
                note(outside_, at, why_outside(row(at)));
                return {};
        }
    }
    /// The best of a set: whether it is empty, and which are in it, shows in one best member.
    static Kept compared(const Kept& of) { return {of.member, std::max(of.whole, of.member)}; }
    /// Keys and tests may speak of the candidate, of the asker's own queues, and of least and greatest values.
    void parts(std::size_t at) {
        const Kind kind = row(at).fragment;
        if (kind == Kind::candidate) {
            for (std::size_t k = 0; k < tree_[at].children; ++k) parts(tree_.child(at, k));
            return;
        }
        if (kind != Kind::attained) return note(outside_, at, why_outside(row(at)));
        const std::size_t of = tree_.child(at, 0);
        if (!never_empty(of)) note(outside_, at, "over a set that may be empty");
        const Value value{tree_.subtree(at), set(of, {}).member};
        const bool known = std::any_of(values_.begin(), values_.end(),
                                       [&](const Value& other) { return other.expression == value.expression; });
        if (!known) values_.push_back(value);
        parts(tree_.child(at, 1));
    }
    /// On no cluster.
    [[nodiscard]] bool never_empty(std::size_t at) const {
        const auto child = [&](std::size_t k) { return never_empty(tree_.child(at, k)); };
        switch (row(at).fragment) {
            case Kind::filtered:
                return false;
            case Kind::compared:
                return child(0);
            case Kind::united:
            case Kind::first_of:
                return child(0) || child(1);
            case Kind::chosen:
                return child(1) && child(2);
            default:
                return tree_[at].children == 0;
        }
    }
    [[nodiscard]] bool implies_work(std::size_t test) const {
        if (tree_[test].op == Op::has_work) return true;
        return tree_[test].op == Op::both && (implies_work(tree_.child(test, 0)) || implies_work(tree_.child(test, 1)));
    }
    /// Whether the key exceeds every bound as the queue of its candidate does.
    [[nodiscard]] bool is_increasing(std::size_t key) const {
        const auto bounded = [&](std::size_t k) { return row(k).growth == Growth::bounded; };
        switch (row(key).growth) {
            case Growth::unbounded:
                return true;
            case Growth::of_part:  // a multiple may be negative, a rate is not
                return (tree_[key].op != Op::multiple || tree_[key].a > 0) && is_increasing(tree_.child(key, 0));
            case Growth::of_sum: {
                const std::size_t a = tree_.child(key, 0), b = tree_.child(key, 1);
                return (is_increasing(a) && (bounded(b) || is_increasing(b))) || (bounded(a) && is_increasing(b));
            }
            default:
                return false;
        }
    }

    static std::string why_outside(const Operation& row) {
        if (row.plans) return "which follows a plan for one cluster";
        if (row.draws) return "which may not draw the queue that the argument needs";
        if (row.numbers) return "which depends on how servers are numbered";
        return row.of_all ? "which depends on every server of a cluster" : "";
    }
    void note(std::string& where, std::size_t at, const std::string& why) {
        if (where.empty()) where = "'" + to_string(tree_.subtree(at)) + "'" + (why.empty() ? "" : " " + why);
    }

    const Tree& tree_;
    std::vector<Value> values_;
    std::string outside_, unfilled_;
    std::size_t servers_ = 1;
};

/// The first text that is not empty, after the name of its rule.
std::string first_part(const std::string& of_route, const std::string& of_serve) {
    if (!of_route.empty()) return "route: " + of_route;
    return of_serve.empty() ? "" : "serve: " + of_serve;
}

std::string too_many(const Tree& rule, std::size_t servers, std::size_t most) {
    if (servers <= most) return "";
    return "'" + to_string(rule) + "' which needs clusters with " + std::to_string(servers) +
           " servers beside the asker's, of which at most " + std::to_string(most) + " are tried";
}

}  // namespace

Reduction reduction(const Rules& rules) {
    const Fragment route(rules.route()), serve(rules.serve());
    Reduction found{first_part(route.outside(), serve.outside()), false, route.servers(), serve.servers()};
    if (!found.outside.empty()) return found;
    const std::string unfilled = first_part(route.unfilled(), serve.unfilled());
    found.patterns = !unfilled.empty() || std::max(route.servers(), serve.servers()) > small_cluster_servers;
    if (!found.patterns) return found;
    const bool of_servers = rules.arrangement() != Arrangement::per_type && rules.arrangement() != Arrangement::single;
    const std::size_t most = of_servers ? most_pattern_servers : small_cluster_servers;
    found.outside =
        first_part(too_many(rules.route(), route.servers(), most), too_many(rules.serve(), serve.servers(), most));
    if (found.outside.empty() && !of_servers) found.outside = unfilled;
    return found;
}

}  // namespace schedproof::queueing
