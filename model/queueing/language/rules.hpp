/// The rules of a policy: which queues it keeps, which queue an arriving task joins, which one an idle server turns to.
///
///     static constexpr Rules rules{keep(Arrangement::per_server), route(argmin(local, length)),
///                                  serve(first_of(argmax(nonempty(reachable), rate * length), own))};
///
/// Rules are checked where they are made, at compile time for a constant: what an arrangement of queues does not have
/// cannot be named. What engines need to know of a policy is read off here, never stated beside it.
#pragma once

#include "model/core/errors.hpp"
#include "model/queueing/language/expressions.hpp"
#include "model/queueing/layout.hpp"

namespace schedproof::queueing {

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
[[nodiscard]] constexpr Route route(const Set<Decider::task>& set) { return {set.tree}; }
[[nodiscard]] constexpr Serve serve(const Set<Decider::server>& set) { return {set.tree}; }

}  // namespace language

class Rules {
  public:
    /// Throws ContractViolation, or does not compile, when a rule names what the arrangement does not have.
    constexpr Rules(language::Queues queues, const language::Route& route, const language::Serve& serve)
        : arrangement_(queues.arrangement), route_(route.tree), serve_(serve.tree) {
        require_sets();
        require_keys();
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
    [[nodiscard]] constexpr bool leaves_local() const {
        return route_.any([](language::Op op) { return op == language::Op::servers || op == language::Op::planned; });
    }
    /// Whether some primitive depends on how servers or types are numbered, so that renaming them changes the policy.
    [[nodiscard]] constexpr bool numbered() const { return mentions(&numbers); }
    /// Whether the policy follows a plan, which speaks of certain servers and types.
    [[nodiscard]] constexpr bool planned() const { return mentions(&plans); }
    /// Whether a rule looks decisions up in a table.
    [[nodiscard]] constexpr bool tabulated() const { return names(language::Op::tabulated); }
    [[nodiscard]] constexpr bool keeps_counters() const {
        return serve_.any([](language::Op op) { return op == language::Op::furthest_behind; });
    }

    friend constexpr bool operator==(const Rules&, const Rules&) = default;

  private:
    using Op = language::Op;

    [[nodiscard]] static constexpr bool numbers(Op op) {
        return op == Op::lowest || op == Op::ring || op == Op::partner || op == Op::tabulated;
    }
    [[nodiscard]] static constexpr bool plans(Op op) { return op == Op::planned || op == Op::furthest_behind; }
    /// The queues with what they list.
    [[nodiscard]] Layout tracked(const Instance& instance) const;
    template <class Predicate>
    [[nodiscard]] constexpr bool mentions(Predicate&& holds) const {
        return route_.any(holds) || serve_.any(holds);
    }
    [[nodiscard]] constexpr bool names(Op op) const {
        return mentions([op](Op other) { return op == other; });
    }
    [[nodiscard]] constexpr bool has(Arrangement a, Arrangement b) const {
        return arrangement_ == a || arrangement_ == b;
    }

    constexpr void require_sets() const {
        using enum Arrangement;
        const bool helps = has(per_server, per_server_and_common);
        if (names(Op::common) && !has(per_server_and_common, single))
            throw ContractViolation("a common queue is kept by per_server_and_common and single only");
        if ((names(Op::local) || names(Op::servers) || names(Op::own)) && has(per_type, single))
            throw ContractViolation("queues of servers are not kept by per_type and single");
        if ((names(Op::own_type) || names(Op::furthest_behind)) && arrangement_ != per_type)
            throw ContractViolation("queues of types are kept by per_type only");
        if (names(Op::own_levels) && arrangement_ != per_server_and_level)
            throw ContractViolation("queues of levels are kept by per_server_and_level only");
        if ((names(Op::reachable) || names(Op::tabulated)) && !helps && arrangement_ != per_type)
            throw ContractViolation("the level of a task in another server's queue of a level is not known");
        if ((names(Op::ring) || names(Op::partner)) && !helps)
            throw ContractViolation("queues of other servers are served by per_server and per_server_and_common only");
        if (names(Op::planned) && arrangement_ != per_server)
            throw ContractViolation("a plan routes to the queues of per_server only");
    }
    constexpr void require_keys() const {
        using enum Arrangement;
        if (names(Op::server_workload) && arrangement_ != per_server_and_level)
            throw ContractViolation("a workload is known where a server has a queue per level only");
        if (names(Op::server_length) && !has(per_server, per_server_and_level))
            throw ContractViolation("the tasks of a server are known where every queue belongs to one");
        if (names(Op::marginal_cost) && arrangement_ != per_type)
            throw ContractViolation("marginal costs are those of the queues of types");
    }
    [[nodiscard]] static constexpr bool draws(Op op) {
        return op == Op::sample || op == Op::best || op == Op::mix || op == Op::planned;
    }
    /// `it` stands in the second part of an `among` only. A set over which a value is taken is not drawn there, or it
    /// would be another one for each candidate: `among` draws it once.
    constexpr void require_scopes(const language::Tree& tree, std::size_t at, bool enclosed, bool in_value) const {
        const Op op = tree[at].op;
        if (op == Op::it && !enclosed) throw ContractViolation("'it' names the set of an enclosing 'among'");
        if (draws(op) && in_value) throw ContractViolation("a value is taken over a set that 'among' has drawn");
        const bool value = op == Op::least || op == Op::greatest || op == Op::total || op == Op::mean;
        for (std::size_t k = 0; k < tree[at].children; ++k)
            require_scopes(tree, tree.child(at, k), enclosed || (op == Op::among && k == 1), in_value || value);
    }

    Arrangement arrangement_;
    language::Tree route_, serve_;
};

/// The name of the arrangement in the language.
[[nodiscard]] std::string_view to_string(Arrangement arrangement);
/// The rules as C++ text that makes them again.
[[nodiscard]] std::string to_string(const Rules& rules);
/// An expression of the language as it is written.
[[nodiscard]] std::string to_string(const language::Tree& tree);

}  // namespace schedproof::queueing
