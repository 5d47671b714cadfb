/// W = sum of theta_q Q_q, theta >= 0, at first; then also with constants of statuses. Each term t of the drift of -W
/// is bounded by a number b_t:
///     alternative   b_t >= the expected change of -W in it, plus the bounds that it counts,
///     size          the b_t of the servers, who take away from W, come to 1,
/// and the sum of the b_t is minimised. Where the optimum is -delta, below 0, the drift of W is at least delta at every
/// state. The program is solved exactly.
///
/// In a mode all that arrives brings is known, and servers take away at most what they do when busy. So 1 + delta is
/// the value of a game, in which the policy chooses modes and the weights are the other side's mixture of servers.
#include "proofs/queueing/transience/mode_search.hpp"

#include <algorithm>
#include <optional>

#include "proofs/linear_programs/linear_program.hpp"
#include "proofs/queueing/capacity/region.hpp"
#include "proofs/queueing/theorems/summands/summands.hpp"

namespace schedproof::queueing {

using capacity::LinearProgram;
using capacity::LinearRow;
using capacity::Relation;
using proof::LinearForm;

namespace {

class ModeSearch {
  public:
    explicit ModeSearch(const SymbolicSystem& system)
        : system_(system), summands_(system, SummandKind::together), queues_(system.layout().queues()) {}

    TransienceOutcome run() {
        for (const bool statuses : {false, true})
            if (const auto theorem = find(statuses)) return certify(*theorem);
        return TransienceUnknown{"no linear W grows in every mode of arrivals", {}, {}};
    }

  private:
    using Column = std::uint32_t;
    /// A part of W and the variables whose difference is its weight.
    struct Weight {
        LyapunovForm::Piece piece;
        Column more;
        std::optional<Column> less{};
    };

    std::optional<TransienceTheorem> find(bool statuses) {
        program_ = {};
        weights_.clear(), bounds_.clear();
        // More than the weights of queues that a server serves can be, so that those of others have a bound.
        LinearRow bounded{{}, Relation::at_most, largest_sum()};
        for (const QueueId q : IdRange<QueueId>(queues_)) {
            weights_.push_back({{std::nullopt, Rational(1), {length_of(q)}}, program_.add_variable()});
            bounded.entries.emplace_back(weights_.back().more, Rational(1));
        }
        program_.rows.push_back(std::move(bounded));
        if (statuses) add_statuses();
        LinearRow size{{}, Relation::equal, Rational(1)};
        for (const Term& term : summands_.terms()) {
            state_term(term);
            if (!term.follows() && !term.arrives) put(size, bounds_.back(), Rational(1));
        }
        program_.rows.push_back(std::move(size));
        const auto solution = capacity::solve(program_);
        if (!solution || solution->value.sign() >= 0) return std::nullopt;
        return theorem_of(*solution);
    }

    /// A queue per server that takes away 1 at the least rate.
    [[nodiscard]] Rational largest_sum() const {
        const Instance& instance = system_.instance();
        const std::vector<Rational> rates = instance.rate_table();
        const Rational steps = instance.continuous() ? instance.event_rate() : Rational(1);
        return Rational(static_cast<std::int64_t>(queues_)) * steps / *std::min_element(rates.begin(), rates.end());
    }

    void add_statuses() {
        for (const ServerId m : system_.instance().servers())
            for (const Service& now : summands_.statuses(m)) {
                const LyapunovForm::Condition when{m, now.queue, now.level};
                weights_.push_back(
                    {{when, Rational(1), {{Rational(1)}}}, program_.add_variable(), program_.add_variable()});
            }
    }

    void state_term(const Term& term) {
        const Rational price(term.follows() ? 0 : 1);
        bounds_.emplace_back(program_.add_variable(price), program_.add_variable(-price));
        for (const Alternative& alternative : term.alternatives) {
            LinearRow row{{}, Relation::at_least, Rational(0)};
            put(row, bounds_.back(), Rational(1));
            for (const Follows& then : alternative.then) put(row, bounds_[then.term], -then.probability);
            for (const Weight& weight : weights_) {
                const Rational c = change(LyapunovForm{"", {}, {weight.piece}}, alternative).constant();
                if (c.sign() == 0) continue;
                row.entries.emplace_back(weight.more, c);
                if (weight.less) row.entries.emplace_back(*weight.less, -c);
            }
            program_.rows.push_back(std::move(row));
        }
    }
    static void put(LinearRow& row, const std::pair<Column, Column>& variable, const Rational& c) {
        row.entries.emplace_back(variable.first, c);
        row.entries.emplace_back(variable.second, -c);
    }

    /// The least weight of a queue that is not 0.
    [[nodiscard]] Rational least_weight(const capacity::LinearSolution& solution) const {
        std::optional<Rational> least;
        for (const Weight& weight : weights_)
            if (const Rational& value = solution.x[weight.more]; !weight.less && value.sign() > 0)
                least = least ? std::min(*least, value) : value;
        return least.value();
    }

    /// The solution, scaled so that the least weight is 1.
    [[nodiscard]] TransienceTheorem theorem_of(const capacity::LinearSolution& solution) const {
        TransienceTheorem theorem;
        theorem.w.name = "W";
        LinearForm of_queues;
        const Rational scale = Rational(1) / least_weight(solution);
        for (const Weight& weight : weights_) {
            const Rational value =
                scale * (solution.x[weight.more] - (weight.less ? solution.x[*weight.less] : Rational(0)));
            if (value.sign() == 0) continue;
            if (weight.piece.when) {
                theorem.w.pieces.push_back(weight.piece);
                theorem.w.pieces.back().coefficient = value;
            } else {
                of_queues.add(value, weight.piece.largest_of.front());
            }
        }
        theorem.w.pieces.insert(theorem.w.pieces.begin(), {std::nullopt, Rational(1), {of_queues}});
        theorem.delta = -scale * solution.value;
        theorem.threshold = Rational(1);
        theorem.statuses = statuses_of(system_, summands_);
        theorem.capacity = capacity::solve(system_.instance());
        theorem.modes.emplace();
        for (const auto& [more, less] : bounds_)
            theorem.modes->push_back(scale * (solution.x[more] - solution.x[less]));
        theorem.jump = jump_bound(system_, theorem);
        return theorem;
    }

    [[nodiscard]] TransienceOutcome certify(TransienceTheorem theorem) const {
        if (const std::string wrong = arithmetic_rejection(system_, theorem); !wrong.empty())
            return TransienceUnknown{wrong, {}, {}};
        TransienceProof proof;
        for (const explore::Question& question : questions(system_, theorem)) {
            explore::Reply reply = explore::ask(question, {});
            proof.statistics += reply.statistics;
            proof.proofs.push_back(std::get<proof::ExploredProof>(std::move(reply.result)));
        }
        proof.theorem = std::move(theorem);
        return proof;
    }

    const SymbolicSystem& system_;
    Summands summands_;
    std::size_t queues_;
    LinearProgram program_;
    std::vector<Weight> weights_;
    std::vector<std::pair<Column, Column>> bounds_;  // by term, the number as a difference
};

}  // namespace

TransienceOutcome prove_by_modes(const SymbolicSystem& system) { return ModeSearch(system).run(); }

}  // namespace schedproof::queueing
