/// The drift of a Lyapunov function as a sum of terms, each with its alternatives.
///
/// V is a function of the lengths plus one per server of its status and the lengths. In continuous time its drift in an
/// event is a sum over events of probability times change, so a sum of terms that depend on one decision each:
///
///     arrival of L   lambda_L/Gamma times the change of V's part without statuses as the task joins a queue; one
///                    for each outcome of the route's own draws, with its probability
///     end at m       mu/Gamma times: the change of that part as m's task ends, less m's own part, plus the bound of
///                    what m turns to; and what arrivals and the ends of others' tasks do to m's own part. Where m is
///                    idle, the bound of what it starts after such an event.
///
/// The bounds of what follows are terms, too, of the lengths by then, which are no part of the sum:
///
///     next at m      the own part of the status that m turns to after the end of its task
///     start at m     the own part of the status that m starts after an event elsewhere at which it was idle
///
/// An alternative says where it takes place, by premises that the rules imply (implied.hpp), and what happens then.
/// Some alternative of each term takes place at every state of the chain: an arriving task joins a queue that may be in
/// the answer; a server is idle, or executes a task of a queue that may be in its answer; and when that ends, it turns
/// to one that may be in its answer then, or declines.
///
/// Where tasks are interrupted, no status is part of a state: V has no parts of servers, and each server executes
/// before every event what its answer may be.
///
/// In a slot all this may happen at once. Each decision then has a term with what it would do alone, at the lengths
/// from which the slot starts, and what they do together is bounded by a number (maxima.hpp):
///
///     arrival of L   lambda_L times the change of V's part without statuses as a task joins a queue
///     server m       mu times the change of that part as m's task ends, and the change of m's own part; of an idle m,
///                    as it starts a task of a queue that may be in its answer, finds none left there, or declines
///
/// Routes of several types may look at the same: a gate sends all types home, or all to one server. `together` then has
/// a term for the arrivals of all types, of which an alternative is a mode: a server that all choose, or types that
/// choose for themselves, whose bounds it counts (implied_modes.cpp). It says nothing of where a mode is.
///
/// A server m that finds no task left in its own queue q, though there are some, knows that others execute them. With
/// links, this alternative is one for each server x, less a form of the lengths that is nowhere negative, which the
/// alternatives of x that execute a task of q have in return.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/base/memo.hpp"
#include "proofs/queueing/symbolic/symbolic_system.hpp"
#include "proofs/queueing/theorems/lyapunov_form.hpp"
#include "proofs/queueing/theorems/summands/implied.hpp"

namespace schedproof::queueing {

/// With a probability a queue rises or falls by a task, and a server's status changes: the part of the old one is that
/// before, the part of the new one that after.
struct Happening {
    Rational probability;  ///< >= 0
    QueueId queue{};
    int sign = 0;                      ///< of the queue: 1, -1, or 0 for nothing
    std::optional<ServerId> server{};  ///< whose part of V changes, besides the part without statuses
    std::optional<Service> before{};   ///< its status; none where it is idle
    std::optional<Service> after{};
};

/// A queue, and by how many tasks it changes.
using Shift = std::pair<QueueId, int>;
/// With a probability the lengths are shifted by one of these, and the bound of another term is counted there.
struct Follows {
    std::size_t term;
    Rational probability;
    std::vector<Shift> shifts;
};

struct Alternative {
    Premises where;
    std::vector<Happening> happen;
    /// In continuous time, whose part of V others change too, and its status.
    std::optional<std::pair<ServerId, Service>> beside{};
    std::vector<Follows> then{};
    /// In slots, the forms of these links count with the sign.
    std::vector<std::pair<std::size_t, int>> links{};
};

/// In a slot `idle`, the owner of the queue, finds no task left in it, of which `works` executes one.
struct Link {
    ServerId idle;
    QueueId queue;
    ServerId works;
};

/// At every state one of the alternatives takes place, or nothing of positive drift.
struct Term {
    std::string name;
    std::vector<Alternative> alternatives{};
    /// Of a term that follows an event, by what the lengths may have been shifted before; else none.
    std::vector<Shift> after{};
    bool of_mode = false;  ///< its bound is counted by modes
    bool arrives = false;  ///< it is of tasks that arrive
    /// Whether its bound is part of another's, and not of the sum.
    [[nodiscard]] bool follows() const { return of_mode || !after.empty(); }
};

/// What the terms are.
enum class SummandKind {
    single,    ///< one for each decision
    linked,    ///< in slots with links, of queues with an owner
    together,  ///< the arrivals as modes
};

/// The terms of one decision each, or of all arrivals, in the order of the types and then of the servers.
/// Throws InputError where the statement is not defined: queues that list their tasks, batches in continuous time, in
/// slots phantoms and tasks that are routed one after another; and LimitExceeded where nothing is derived from a rule,
/// or more alternatives than `most_alternatives`, or more premises of all of them than `most_premises`.
class Summands {
  public:
    explicit Summands(const SymbolicSystem& system, SummandKind kind = SummandKind::single);

    static constexpr std::size_t most_alternatives = 200'000, most_premises = 1'000'000;

    [[nodiscard]] const std::vector<Term>& terms() const { return terms_; }
    [[nodiscard]] const std::vector<Link>& links() const { return links_; }
    [[nodiscard]] std::size_t servers() const { return statuses_.size(); }
    [[nodiscard]] std::size_t queues() const { return queues_; }
    /// What a server may be executing, without idle.
    [[nodiscard]] const std::vector<Service>& statuses(ServerId m) const { return statuses_[m.index()]; }
    /// Of an idle server, by queue: what its declining implies.
    [[nodiscard]] const std::vector<Range>& idle(ServerId m) const { return idle_[m.index()]; }
    /// What is derived from the terms, each once.
    [[nodiscard]] base::Memo& derived() const { return *derived_; }
    /// The queues that a task of the type may join.
    [[nodiscard]] const std::vector<QueueId>& joined(TaskTypeId type) const { return joined_[type.index()]; }

  private:
    [[nodiscard]] std::vector<std::uint32_t> executing_but(std::optional<ServerId> asked) const;
    [[nodiscard]] const Implied& serve_of(ServerId m) const { return serve_[m.index()]; }
    void require_events() const;
    void require_slots() const;
    void find_statuses();
    [[nodiscard]] Implied route_of(TaskTypeId type) const;
    void add_arrival(TaskTypeId type);
    void add_arrivals_together();
    [[nodiscard]] Term term_of(std::string name, const std::vector<Rational>& rates, const Modes& modes);
    [[nodiscard]] std::vector<Range> idle_after_event(ServerId m) const;
    void add_end(ServerId m);
    [[nodiscard]] Follows add_next(ServerId m);
    [[nodiscard]] Follows add_start(ServerId m);
    void find_links();
    void add_server(ServerId m);
    void add_unmatched(Term& term, ServerId m, QueueId q, Premises where);
    [[nodiscard]] Follows add_following(std::string name, ServerId m, const std::vector<Range>& known,
                                        const Rational& probability, std::vector<Shift> after);
    [[nodiscard]] Rational per_step(const Rational& rate) const;
    [[nodiscard]] Rational rate(const Service& status) const;
    void add(Term& term, Alternative alternative);

    const SymbolicSystem* system_;  ///< of the construction alone: what is derived may outlive it
    std::size_t queues_;
    std::vector<std::vector<Service>> statuses_;
    std::vector<Implied> serve_;
    std::vector<std::vector<Range>> idle_;
    std::vector<std::vector<QueueId>> joined_;
    std::vector<Term> terms_;
    std::vector<Link> links_;
    std::size_t alternatives_ = 0, premises_ = 0;
    std::shared_ptr<base::Memo> derived_ = std::make_shared<base::Memo>();
};

/// The terms of a system, derived at the first request. Throws as the constructor; lives as long as the system.
[[nodiscard]] const Summands& terms_of(const SymbolicSystem& system, SummandKind kind = SummandKind::single);

/// The change of V, without the parts of other servers: a form in the lengths before.
/// Requires V without maxima of several forms.
[[nodiscard]] proof::LinearForm change(const LyapunovForm& v, const Happening& happens);
/// The expected change of V by what happens in the alternative.
[[nodiscard]] proof::LinearForm change(const LyapunovForm& v, const Alternative& alternative);

/// The part of V of a server at a status.
[[nodiscard]] proof::LinearForm part_of(const LyapunovForm& v, ServerId m, const Service& status);

}  // namespace schedproof::queueing
