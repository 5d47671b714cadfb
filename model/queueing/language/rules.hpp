/// The rules of a policy: which queues it keeps, which queue an arriving task joins, which one an idle server turns to.
///
///     static constexpr Rules rules{keep(Arrangement::per_server), route(argmin(local, length)),
///                                  serve(first_of(argmax(nonempty(reachable), rate * length), own))};
///
/// Rules are checked where they are made, at compile time for a constant: what an arrangement of queues does not have
/// cannot be named. What engines need to know of a policy is read off here, never stated beside it.
#pragma once

#include <string>

#include "model/core/errors.hpp"
#include "model/queueing/arrangement.hpp"
#include "model/queueing/language/expressions.hpp"

namespace schedproof::queueing {

class Instance;
class Layout;

namespace language {

struct Queues {
    Arrangement arrangement;
};
struct Route {
    Tree tree;
};
struct Serve {
    Tree tree;
};
[[nodiscard]] constexpr Queues keep(Arrangement arrangement) { return {arrangement}; }
[[nodiscard]] constexpr Route route(const Expression& set) { return {rule_of(Decider::task, set)}; }
[[nodiscard]] constexpr Serve serve(const Expression& set) { return {rule_of(Decider::server, set)}; }

/// Whether these queues have what a primitive needs.
[[nodiscard]] constexpr bool provides(Arrangement queues, Needs needed) {
    using enum Arrangement;
    const auto is = [queues](auto... any) { return ((queues == any) || ...); };
    switch (needed) {
        case Needs::nothing:
            return true;
        case Needs::common:
            return is(per_server_and_common, single);
        case Needs::servers:
            return !is(per_type, single);
        case Needs::types:
        case Needs::costs:
            return is(per_type);
        case Needs::levels:
        case Needs::workloads:
            return is(per_server_and_level);
        case Needs::known_levels:
            return is(per_server, per_server_and_common, per_type);
        case Needs::helping:
            return is(per_server, per_server_and_common);
        case Needs::splits:
            return is(per_server);
        case Needs::owners:
            return is(per_server, per_server_and_level);
    }
    return false;
}

}  // namespace language

class Rules {
  public:
    /// Throws ContractViolation, or does not compile, when a rule names what the arrangement does not have.
    constexpr Rules(language::Queues queues, const language::Route& route, const language::Serve& serve)
        : arrangement_(queues.arrangement), route_(route.tree), serve_(serve.tree) {
        require_needs();
        require_scopes(route_, route_.root(), false, false);
        require_scopes(serve_, serve_.root(), false, false);
    }

    /// The same with one rule changed. Throws as the constructor does.
    [[nodiscard]] constexpr Rules with(const language::Route& route) const { return {{arrangement_}, route, {serve_}}; }
    [[nodiscard]] constexpr Rules with(const language::Serve& serve) const { return {{arrangement_}, {route_}, serve}; }

    [[nodiscard]] constexpr Arrangement arrangement() const { return arrangement_; }
    [[nodiscard]] constexpr const language::Tree& route() const { return route_; }
    [[nodiscard]] constexpr const language::Tree& serve() const { return serve_; }

    /// The queues on an instance. A server's queue lists its tasks where the route may send it tasks of several levels;
    /// the common queue where the option `common-rate` asks for their levels; the single queue unless `reveal` says
    /// that types are drawn when service starts. Throws InputError as Layout does, and where a type has rates of its
    /// own and a rule names the rate of a level, and where a decision table is of other numbers of servers and queues.
    [[nodiscard]] Layout layout(const Instance& instance) const;

    /// Whether a task may join a queue of a server that does not hold its data.
    [[nodiscard]] constexpr bool leaves_local() const { return mentions(&Operation::leaves_local); }
    /// Whether some primitive depends on how servers or types are numbered, so that renaming them changes the policy.
    [[nodiscard]] constexpr bool numbered() const { return mentions(&Operation::numbers); }
    /// Whether the policy follows a plan, which speaks of certain servers and types.
    [[nodiscard]] constexpr bool planned() const { return mentions(&Operation::plans); }
    /// Whether a rule looks decisions up in a table.
    [[nodiscard]] constexpr bool tabulated() const { return names(language::Op::tabulated); }
    /// Whether a rule names the rate of a level, which types with rates of their own do not have.
    [[nodiscard]] constexpr bool names_rates_of_levels() const { return mentions(&Operation::of_a_level); }
    [[nodiscard]] constexpr bool keeps_counters() const { return names(language::Op::furthest_behind); }

    friend constexpr bool operator==(const Rules&, const Rules&) = default;

  private:
    using Op = language::Op;

    using Operation = language::Operation;

    /// The queues with what they list.
    [[nodiscard]] Layout tracked(const Instance& instance) const;
    template <class Predicate>
    [[nodiscard]] constexpr bool some(Predicate&& holds) const {
        return route_.any(holds) || serve_.any(holds);
    }
    [[nodiscard]] constexpr bool mentions(bool Operation::*trait) const {
        return some([trait](Op op) { return language::operation(op).*trait; });
    }
    [[nodiscard]] constexpr bool names(Op op) const {
        return some([op](Op other) { return op == other; });
    }

    constexpr void require_needs() const {
        using language::Needs;
        const auto lacks = [this](Needs needed) {
            return !language::provides(arrangement_, needed) &&
                   some([needed](Op op) { return language::operation(op).needs == needed; });
        };
        if (lacks(Needs::common))
            throw ContractViolation("a common queue is kept by per_server_and_common and single only");
        if (lacks(Needs::servers)) throw ContractViolation("queues of servers are not kept by per_type and single");
        if (lacks(Needs::types)) throw ContractViolation("queues of types are kept by per_type only");
        if (lacks(Needs::levels)) throw ContractViolation("queues of levels are kept by per_server_and_level only");
        if (lacks(Needs::known_levels))
            throw ContractViolation("the level of a task in another server's queue of a level is not known");
        if (lacks(Needs::helping))
            throw ContractViolation("queues of other servers are served by per_server and per_server_and_common only");
        if (lacks(Needs::splits)) throw ContractViolation("a plan routes to the queues of per_server only");
        if (lacks(Needs::workloads))
            throw ContractViolation("a workload is known where a server has a queue per level only");
        if (lacks(Needs::owners))
            throw ContractViolation("the tasks of a server are known where every queue belongs to one");
        if (lacks(Needs::costs)) throw ContractViolation("marginal costs are those of the queues of types");
    }
    /// `it` stands in the second part of an `among` only. A set over which a value is taken is not drawn there, or it
    /// would be another one for each candidate: `among` draws it once.
    constexpr void require_scopes(const language::Tree& tree, std::size_t at, bool enclosed, bool in_value) const {
        const Operation& row = language::operation(tree[at].op);
        if (row.op == Op::it && !enclosed) throw ContractViolation("'it' names the set of an enclosing 'among'");
        if (row.draws && in_value) throw ContractViolation("a value is taken over a set that 'among' has drawn");
        for (std::size_t k = 0; k < tree[at].children; ++k)
            require_scopes(tree, tree.child(at, k), enclosed || (row.op == Op::among && k == 1),
                           in_value || language::is_value(row));
    }

    Arrangement arrangement_;
    language::Tree route_, serve_;
};

/// The rules as C++ text that makes them again.
[[nodiscard]] std::string to_string(const Rules& rules);
/// An expression of the language as it is written.
[[nodiscard]] std::string to_string(const language::Tree& tree);

}  // namespace schedproof::queueing
