/// W = sum of theta_q Q_q, theta >= 0, at first; then also with constants of statuses. Their program (term_program.hpp)
/// has every alternative, and the b_t of the servers, who take away from W, come to 1.
///
/// In a mode all that arrives brings is known, and servers take away at most what they do when busy. So 1 + delta is
/// the value of a game, in which the policy chooses modes and the weights are the other side's mixture of servers.
#include "proofs/queueing/transience/mode_search.hpp"

#include <algorithm>
#include <optional>

#include "proofs/queueing/capacity/region.hpp"
#include "proofs/queueing/theorems/summands/summands.hpp"
#include "proofs/queueing/transience/term_program.hpp"

namespace schedproof::queueing {

using capacity::LinearRow;
using capacity::Relation;
using proof::LinearForm;

namespace {

class ModeSearch {
  public:
    explicit ModeSearch(const SymbolicSystem& system)
        : system_(system), summands_(terms_of(system, SummandKind::together)), queues_(system.layout().queues()) {}

    TransienceOutcome run() {
        for (const bool statuses : {false, true})
            if (const auto theorem = find(statuses)) return proved(system_, *theorem);
        return TransienceUnknown{"no linear W grows in every mode of arrivals", {}, {}};
    }

  private:
    std::optional<TransienceTheorem> find(bool statuses) {
        TermProgram program(summands_);
        // More than the weights of queues that a server serves can be, so that those of others have a bound.
        LinearRow bounded{{}, Relation::at_most, largest_sum()};
        for (const QueueId q : IdRange<QueueId>(queues_))
            bounded.entries.emplace_back(program.add({std::nullopt, Rational(1), {length_of(q)}}), Rational(1));
        program.add_row(std::move(bounded));
        if (statuses) program.add_statuses();
        program.add_terms(nullptr, [](const Term&, const Alternative&) { return false; });
        program.make_one([](const Term& term) { return !term.follows() && !term.arrives; });
        const auto found = program.solve();
        if (!found) return std::nullopt;
        return theorem_of(program, *found);
    }

    /// A queue per server that takes away 1 at the least rate.
    [[nodiscard]] Rational largest_sum() const {
        const Instance& instance = system_.instance();
        const std::vector<Rational> rates = instance.rate_table();
        const Rational steps = instance.continuous() ? instance.event_rate() : Rational(1);
        return Rational(static_cast<std::int64_t>(queues_)) * steps / *std::min_element(rates.begin(), rates.end());
    }

    /// The solution, scaled so that the least weight of a queue that is not 0 is 1.
    [[nodiscard]] TransienceTheorem theorem_of(const TermProgram& program, const TermProgram::Found& found) const {
        TransienceTheorem theorem;
        std::optional<Rational> least;
        for (std::size_t q = 0; q < queues_; ++q)
            if (const Rational& weight = found.weights[q]; weight.sign() > 0)
                least = least ? std::min(*least, weight) : weight;
        const Rational scale = Rational(1) / least.value();
        theorem.w = program.function(found, {}, scale);
        theorem.delta = scale * found.delta;
        theorem.threshold = Rational(1);
        theorem.statuses = statuses_of(system_, summands_);
        theorem.capacity = capacity::solve(system_.instance());
        theorem.modes.emplace();
        for (const Rational& bound : found.bounds) theorem.modes->push_back(scale * bound);
        theorem.jump = jump_bound(system_, theorem);
        return theorem;
    }

    const SymbolicSystem& system_;
    const Summands& summands_;
    std::size_t queues_;
};

}  // namespace

TransienceOutcome prove_by_modes(const SymbolicSystem& system) { return ModeSearch(system).run(); }

}  // namespace schedproof::queueing
