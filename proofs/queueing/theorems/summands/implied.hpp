/// What a rule's answer implies about the queue lengths, candidate by candidate.
///
/// "Queue q is in the answer of argmin(local, length)" implies Q_q <= Q_r for every other queue r of the set: one
/// premise per rival, where an enumeration of the rule's cells would have 3^(r-1). `contains` derives such premises by
/// recursion over the rule's expression, together with its duals `lacks` and `empty`:
///
///     where(A, t)     q is in A and passes t
///     argmin(A, key)  q is in A, and its key is at most every rival's
///     A | B           q is in A, or it is in B
///     first_of(A, B)  q is in A, or A is empty and q is in B
///     when(t, A, B)   t and q in A, or not t and q in B
///     sample(d, A)    q is in A
///
/// and so on for every primitive. The result is a disjunction of cases, each a conjunction of premises that are affine
/// in the lengths. It is implied and need not be equivalent: what a primitive says beyond affine forms is left out, a
/// rival that may be outside the set weakens its premise by the most that the key of such a rival can exceed the
/// candidate's, and tasks in execution, which rules see under `counting = waiting` and where they ask for work, are
/// between 0 and a bound per queue. So a proof from the premises holds for the rule, and a rule that implies little
/// gets no proof.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "model/queueing/language/evaluate.hpp"
#include "model/queueing/layout.hpp"
#include "proofs/queueing/theorems/summands/cases.hpp"

namespace schedproof::queueing {

/// What several rules may answer at one state: all choose the same server, each the candidate that it has there; or in
/// one of the cases of `apart` its parts take place, each with its probability.
struct Modes {
    struct Part;
    std::vector<std::vector<Candidate>> same{};  ///< by server, of each rule
    std::vector<std::vector<Part>> apart{};
};
/// Some of the rules, by their numbers, and what they may answer.
struct Modes::Part {
    Rational probability;
    std::vector<std::size_t> rules;
    Modes modes;
};

/// A rule asked by an arriving task or an idle server. Borrows the instance, the layout, the tree and the plan.
class Implied {
  public:
    /// `executing`: by queue, the most tasks that are in execution when the rule is asked. `plan` may be null.
    Implied(const Instance& instance, const Layout& layout, const language::Tree& tree, language::Asker asker,
            std::vector<std::uint32_t> executing, const PlanData* plan);

    /// The queues that may be in the answer, without repetition. Throws LimitExceeded of primitives that nothing is
    /// derived for.
    [[nodiscard]] std::vector<Candidate> candidates() const;
    /// What holds where the candidate may be in the answer. Throws LimitExceeded past `most_cases`.
    [[nodiscard]] Cases contains(const Candidate& c) const;
    /// What holds where the answer may be empty.
    [[nodiscard]] Cases empty() const;
    /// What holds where an idle server that is asked may start nothing: it turns to no queue, or to one in which no
    /// task waits.
    [[nodiscard]] Cases declines() const;

    /// The rule after its own random choices, as far as these do not depend on the state, with their probabilities.
    [[nodiscard]] std::vector<std::pair<Rational, Implied>> drawn() const { return drawn(tree_->root()); }

    /// The queues that may be in the answer by the sets that the rule names, ascending.
    [[nodiscard]] std::vector<QueueId> met() const;
    /// What rules of one tree, asked by tasks, may answer at one state, whichever it is. Requires a rule.
    [[nodiscard]] static Modes modes(const std::vector<const Implied*>& rules);

  private:
    /// A key's value is the form where the premises hold.
    struct Valued {
        Premises where;
        proof::LinearForm form;
    };
    /// It lies between the two.
    struct Bounds {
        Premises where;
        proof::LinearForm low, high;
    };
    /// Another candidate of a set, and what holds where it is no member.
    struct Rival {
        QueueId queue;
        proof::LinearForm low, high;  ///< of its key
        Cases absent;
        /// Its key is not better than one that lies between the two.
        [[nodiscard]] proof::LinearForm not_better_than(const proof::LinearForm& others_low,
                                                        const proof::LinearForm& others_high, bool greatest) const;
    };
    using Op = language::Op;
    class Keys;
    struct Ways;

    [[nodiscard]] std::size_t part(std::size_t at, std::size_t k) const { return tree_->child(at, k); }
    [[nodiscard]] Op op(std::size_t at) const { return (*tree_)[at].op; }
    [[nodiscard]] bool work_waits() const;
    [[nodiscard]] proof::LinearForm none_waits(QueueId q) const;
    /// Whether the set at the node is the same in all states, whatever is drawn.
    [[nodiscard]] bool is_certain(std::size_t at) const;
    [[nodiscard]] Ties certain(std::size_t at) const;
    [[nodiscard]] Ties universe(std::size_t at) const;
    [[nodiscard]] Cases contains(std::size_t at, const Candidate& c) const;
    [[nodiscard]] Cases lacks(std::size_t at, const Candidate& c) const;
    [[nodiscard]] Cases empty(std::size_t at) const;
    [[nodiscard]] Cases is_extreme(std::size_t set, std::size_t key, bool greatest, const Candidate& c) const;
    [[nodiscard]] Cases find_extreme(std::size_t set, std::size_t key, bool greatest, const Candidate& c) const;
    [[nodiscard]] std::vector<Rival> rivals_of(std::size_t set, std::size_t key, const Candidate& c) const;
    [[nodiscard]] static Cases led_by_absent(const std::vector<Rival>& rivals, bool greatest, const Premises& known);
    [[nodiscard]] Cases is_nearest(std::size_t set, const Candidate& c) const;
    [[nodiscard]] Cases is_preferred(std::size_t at, const Candidate& c) const;
    /// In the order of preference of the task's type.
    [[nodiscard]] bool stands_before(const Candidate& a, const Candidate& b) const;
    [[nodiscard]] Cases is_beaten(std::size_t at, const Candidate& c) const;
    [[nodiscard]] Cases none_passes(std::size_t at) const;
    [[nodiscard]] Cases holds(std::size_t test, const Candidate& c) const;
    [[nodiscard]] Cases fails(std::size_t test, const Candidate& c) const;
    [[nodiscard]] Cases compared(std::size_t smaller, std::size_t larger, bool strictly, const Candidate& c) const;
    [[nodiscard]] std::optional<std::vector<Valued>> values(std::size_t key, const Candidate& c) const;
    [[nodiscard]] std::optional<std::vector<Bounds>> bounds(std::size_t key, const Candidate& c) const;
    [[nodiscard]] std::optional<Ways> attained(std::size_t at, const Ways& ways) const;
    [[nodiscard]] bool holds_of_two(std::size_t key) const;
    [[nodiscard]] std::optional<Ways> chosen_of_two(std::size_t at, const Candidate& c, const Ways& ways) const;
    [[nodiscard]] bool counts_waiting(std::size_t key) const;
    [[nodiscard]] Bounds bounds_of(Valued value, bool waiting) const;
    template <class Then>
    [[nodiscard]] auto within(std::size_t among, Then&& then) const;
    [[nodiscard]] std::vector<std::size_t> choices(std::size_t at) const;
    [[nodiscard]] std::vector<std::pair<Rational, Implied>> drawn(std::size_t at) const;
    using Rules = std::vector<const Implied*>;
    using ByServer = std::vector<std::vector<Candidate>>;
    [[nodiscard]] static std::optional<ByServer> by_server(const Rules& rules, std::size_t at);
    [[nodiscard]] static std::optional<std::size_t> common_branch(const Rules& rules, std::size_t at);
    template <class What>
    [[nodiscard]] static bool is_same(const ByServer* over, const What& what);
    [[nodiscard]] static bool is_shared(const Rules& rules, std::size_t at, const ByServer* over);
    [[nodiscard]] static Modes modes(const Rules& rules, std::size_t at);
    [[nodiscard]] static std::vector<Modes::Part> divided(const Rules& rules, std::size_t at);
    [[nodiscard]] static std::optional<std::vector<Modes::Part>> by_draw(const Rules& rules, std::size_t at);

    const Instance* instance_;
    const Layout* layout_;
    const language::Tree* tree_;
    language::Asker asker_;
    std::vector<std::uint32_t> executing_;
    const PlanData* plan_;
    std::map<std::size_t, Ties> chosen_;         ///< by node that draws a set: the set
    std::map<std::size_t, std::size_t> branch_;  ///< by node that draws a part: its number
    mutable std::optional<std::size_t> it_;      ///< the node whose set `it` is
    mutable std::optional<QueueId> none_waits_;  ///< a queue of which it is known that none of its tasks waits
    std::shared_ptr<const Keys> keys_;
    /// What `is_extreme` found, by its arguments and what is known: a rule is asked for each candidate, and asks itself
    /// again.
    using Extreme =
        std::tuple<std::size_t, std::size_t, bool, Candidate, std::optional<std::size_t>, std::optional<QueueId>>;
    mutable std::map<Extreme, Cases> extremes_;
};

}  // namespace schedproof::queueing
