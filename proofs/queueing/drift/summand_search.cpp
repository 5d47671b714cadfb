/// The linear program, for a threshold K. Variables: theta, per term t a bound l_t = (l_t0, l_t1, ...), per alternative
/// a multiplier for each premise and for `measure >= K`, per server and status what others do to its part, and tau.
/// Rows:
///     alternative   l_t - value - sum_i y_i h_i has no negative coefficient
///     late ones     the same, less the most that a shift of the term adds to l_t
///     others        what others do to the part of a server at a status is at least what each may do
///     sum           sum_t l_tq <= -tau measure_q for each queue q
/// It minimises delta + sum_t l_t0 - tau K. Where that is at most 0, the drift is at most -delta from K on. The least
/// such K is found from below, by doubling and then by halving, to a tenth. Floating point proposes theta and the
/// multipliers; the bounds are computed from these exactly, and so is the threshold.
///
/// Long: the program, its solution and the proof share the numbering of terms, alternatives and premises.
#include "proofs/queueing/drift/summand_search.hpp"

#include <algorithm>
#include <map>

#include "model/core/errors.hpp"
#include "proofs/certifier/binding.hpp"
#include "proofs/linear_programs/linear_program.hpp"
#include "proofs/queueing/theorems/lyapunov.hpp"
#include "proofs/queueing/theorems/summands/summands.hpp"

namespace schedproof::queueing {

using capacity::LinearProgram;
using capacity::LinearRow;
using capacity::Relation;
using proof::LinearForm;
using proof::Variable;

namespace {

// Binary places of what floating point proposes: few for short certificates, and more where few do not do, as near the
// boundary of the capacity region.
constexpr unsigned few_places = 20, more_places = 32;
const Rational margin(1, 20'000);  // of the falls of the sum, more than the roundings

/// One run of the search.
class SummandSearch {
  public:
    SummandSearch(const SymbolicSystem& system, const LyapunovTemplate& shape, const DriftGoal& goal,
                  const TriesThreshold& tries)
        : system_(system),
          shape_(shape),
          goal_(goal),
          tries_(tries),
          summands_(system),
          queues_(system.layout().queues()) {
        measure_ = goal.measure.value_or(sum_of_queues(system.layout()));
        for (const Term& term : summands_.terms())
            for (const Alternative& alternative : term.alternatives) {
                auto& changes = changes_[&alternative];
                const auto add = [&](Coefficient of, const LyapunovForm& v) {
                    LinearForm form = alternative.rate * change(v, alternative.happens);
                    if (form != LinearForm()) changes.emplace_back(of, std::move(form));
                };
                add(std::nullopt, shape.fixed);
                for (std::size_t j = 0; j < shape.parameters.size(); ++j) add(j, shape.parameters[j].form);
            }
    }

    /// Thresholds are tried from below: first by doubling, which ends where no multiple of the measure is a fall at
    /// any, then by halving the interval.
    std::variant<DriftProof, DriftUnknown> run() {
        Rational low(0), high(static_cast<std::int64_t>(4 * queues_));
        const Rational largest(std::int64_t{1} << 30);
        while (!seems_to_hold_from(high)) {
            if (x_.empty() || high > largest)
                return DriftUnknown{"no V of the form " + shape_.fixed.name + " has summands that fall together", {}};
            low = high, high *= Rational(2);
        }
        while (high - low > std::max(Rational(1), Rational(1, 10) * high)) {
            const Rational middle(floor((low + high) / Rational(2)));
            (seems_to_hold_from(middle) ? high : low) = middle;
        }
        // Floating point may be wrong by a little.
        auto outcome = at_threshold(high);
        for (int more = 0; more < 3 && std::holds_alternative<DriftUnknown>(outcome); ++more) {
            high = Rational(floor(high * Rational(21, 20))) + Rational(1);
            outcome = at_threshold(high);
        }
        return outcome;
    }

  private:
    using Column = std::uint32_t;
    using Coefficient = std::optional<std::size_t>;  ///< of V's fixed part, or of a parameter

    [[nodiscard]] bool propose(const Rational& known) {
        if (best_ && best_->threshold == known) {
            threshold_ = known;
            x_ = best_->x;
            return true;
        }
        if (tries_) tries_(known);
        threshold_ = known;
        state_program();
        const auto point = capacity::float_point(program_, free_, more_places);
        x_ = point.value_or(std::vector<Rational>());
        return point.has_value();
    }

    /// Whether the bounds fall far enough from the threshold on, by floating point.
    [[nodiscard]] bool seems_to_hold_from(const Rational& threshold) {
        if (!propose(threshold)) return false;
        Rational value(0);
        for (std::size_t j = 0; j < x_.size(); ++j)
            if (program_.cost[j].sign() != 0) value += program_.cost[j] * x_[j];
        if (value.sign() > 0) return false;
        best_ = {threshold, x_};
        return true;
    }

    std::variant<DriftProof, DriftUnknown> at_threshold(const Rational& known) {
        if (!propose(known))
            return DriftUnknown{"no V of the form " + shape_.fixed.name + " has summands that fall together", {}};
        places_ = few_places;
        auto outcome = certify();
        if (std::holds_alternative<DriftProof>(outcome)) return outcome;
        places_ = more_places;
        return certify();
    }

    // ---- the program ----

    [[nodiscard]] Column free_variable(const Rational& price = Rational(0)) {
        free_.push_back(program_.add_variable(price));
        return free_.back();
    }
    static void put(LinearRow& row, Column column, const Rational& c) {
        if (c.sign() != 0) row.entries.emplace_back(column, c);
    }
    [[nodiscard]] static LinearRow at_least(const Rational& bound) { return {{}, Relation::at_least, bound}; }

    void state_program() {
        program_ = {};
        free_.clear(), theta_.clear(), others_.clear(), bounds_.clear(), multipliers_.clear();
        scale_ = program_.add_variable(goal_.delta);
        program_.rows.push_back({{{scale_, Rational(1)}}, Relation::equal, Rational(1)});
        for (std::size_t j = 0; j < shape_.parameters.size(); ++j) theta_.push_back(free_variable());
        if (!system_.instance().preemptive())
            for (const ServerId x : system_.instance().servers()) state_others(x);
        for (const Term& term : summands_.terms()) state_term(term);
        const Column slope = program_.add_variable(-threshold_);
        for (std::size_t q = 0; q < queues_; ++q) {
            LinearRow row = at_least(margin);
            for (const std::vector<Column>& bound : bounds_) put(row, bound[q], Rational(-1));
            put(row, slope, -measure_.coefficient(static_cast<Variable>(q)));
            program_.rows.push_back(std::move(row));
        }
    }

    void state_term(const Term& term) {
        std::vector<Column> bound;
        for (std::size_t q = 0; q <= queues_; ++q) bound.push_back(free_variable(Rational(q == queues_ ? 1 : 0)));
        std::optional<Column> shifted;  // the most that a shift adds to the bound
        if (!term.shifts.empty()) {
            std::vector<LinearRow> candidates;
            for (const auto& [q, sign] : term.shifts) {
                candidates.emplace_back();
                put(candidates.back(), bound[q.index()], Rational(sign));
            }
            shifted = most_of(candidates, false);
        }
        std::vector<std::vector<Column>> multipliers;
        for (const Alternative& alternative : term.alternatives) {
            if (alternative.late && changes_.at(&alternative).empty()) {
                multipliers.emplace_back();
                continue;
            }
            std::vector<LinearRow> rows(queues_ + 1, at_least(Rational(0)));
            const auto put_form = [&](const LinearForm& form, const auto& variable) {
                for (const auto& [q, c] : form.terms()) put(rows[q], variable, -c);
                put(rows[queues_], variable, -form.constant());
            };
            for (std::size_t q = 0; q <= queues_; ++q) put(rows[q], bound[q], Rational(1));
            if (alternative.late) put(rows[queues_], *shifted, Rational(-1));
            for (const auto& [of, form] : changes_.at(&alternative)) put_form(form, of ? theta_[*of] : scale_);
            if (alternative.beside)
                put(rows[queues_], others_.at({*alternative.happens.server, *alternative.happens.before}),
                    Rational(-1));
            std::vector<Column> mine;
            for (const LinearForm& premise : premises_of(term, alternative)) {
                mine.push_back(program_.add_variable());
                put_form(premise, mine.back());
            }
            multipliers.push_back(std::move(mine));
            for (LinearRow& row : rows) program_.rows.push_back(std::move(row));
        }
        bounds_.push_back(std::move(bound));
        multipliers_.push_back(std::move(multipliers));
    }

    /// Of the premise that the measure is at least the threshold: large numbers beside small ones spoil floating point.
    [[nodiscard]] Rational far_scale() const { return Rational(1) / threshold_; }

    /// Those of the alternative, and that the measure is at least the threshold.
    [[nodiscard]] Premises premises_of(const Term& term, const Alternative& alternative) const {
        Premises all = alternative.where;
        all.push_back(far_scale() * far_premise(measure_, threshold_, term, alternative));
        return all;
    }

    void put(LinearRow& row, Coefficient of, const Rational& c) const {
        if (of)
            put(row, theta_[*of], c);
        else
            put(row, scale_, c);
    }
    /// What V's base and its parts have at a status of a server, where that is something.
    [[nodiscard]] std::vector<std::pair<Coefficient, LinearForm>> parts_at(ServerId x, const Service& status) const {
        std::vector<std::pair<Coefficient, LinearForm>> all;
        const auto add = [&](Coefficient of, const LyapunovForm& v) {
            LinearForm form = part_of(v, x, status);
            if (form != LinearForm()) all.emplace_back(of, std::move(form));
        };
        add(std::nullopt, shape_.fixed);
        for (std::size_t j = 0; j < shape_.parameters.size(); ++j) add(j, shape_.parameters[j].form);
        return all;
    }

    /// A variable that is at least each of these, and at least 0 if `positive`.
    [[nodiscard]] Column most_of(const std::vector<LinearRow>& candidates, bool positive) {
        const Column most = positive ? program_.add_variable() : free_variable();
        for (const LinearRow& candidate : candidates) {
            if (positive && candidate.entries.empty()) continue;
            LinearRow row = at_least(Rational(0));
            put(row, most, Rational(1));
            for (const auto& [column, c] : candidate.entries) put(row, column, -c);
            program_.rows.push_back(std::move(row));
        }
        return most;
    }

    /// What others do to the part of x: as `moved_by_others` computes it for a V that is known.
    void state_others(ServerId x) {
        const Instance& instance = system_.instance();
        const auto rate = [&](const Service& s) { return system_.layout().rate(instance, s.queue, s.level); };
        for (const Service& status : summands_.statuses(x)) {
            const auto parts = parts_at(x, status);
            const auto moved = [&](QueueId q, const Rational& factor) {
                LinearRow row;
                for (const auto& [of, form] : parts)
                    put(row, of, factor * form.coefficient(static_cast<Variable>(q.index())));
                return row;
            };
            LinearRow sum = at_least(Rational(0));
            const Column others = free_variable();
            put(sum, others, instance.event_rate());
            for (const TaskTypeId type : instance.types()) {
                std::vector<LinearRow> candidates;
                for (const QueueId q : summands_.joined(type)) candidates.push_back(moved(q, Rational(1)));
                put(sum, most_of(candidates, false), -instance.arrival_rate(type));
            }
            for (const ServerId m : instance.servers()) {
                if (m == x) continue;
                std::vector<LinearRow> candidates;
                for (const Service& ended : summands_.statuses(m))
                    candidates.push_back(moved(ended.queue, -rate(ended)));
                put(sum, most_of(candidates, true), Rational(-1));
            }
            program_.rows.push_back(std::move(sum));
            others_.emplace(std::pair(x, status), others);
        }
    }

    // ---- the proof ----

    [[nodiscard]] const Rational& at(Column column) const { return x_[column]; }

    std::variant<DriftProof, DriftUnknown> certify() {
        std::vector<Rational> theta;
        for (const Column x : theta_) theta.push_back(round(at(x)));
        DriftTheorem theorem;
        theorem.v = shape_.at(theta, theta.empty() ? shape_.fixed.name : "found");
        theorem.delta = goal_.delta;
        theorem.measure = measure_;
        theorem.statuses = statuses_of(system_, summands_);
        theorem.summands.emplace();
        multiplied_.clear();
        for (std::size_t t = 0; t < bounds_.size(); ++t) theorem.summands->push_back(bound_of(theorem.v, t));
        if (const auto wrong = set_threshold(theorem)) return *wrong;
        if (theorem.threshold > threshold_) return DriftUnknown{"the threshold is larger", {}};
        DriftProof proof{theorem, proofs(theorem), {}};
        if (const std::string wrong = certify::rejection(questions(system_, theorem), proof.proofs); !wrong.empty())
            return DriftUnknown{"the proposed summands do not hold: " + wrong, {}};
        return proof;
    }

    [[nodiscard]] Rational round(const Rational& value) const {
        const Rational unit(Integer(1), Integer(std::int64_t{1} << places_));
        return Rational(nearest_integer(value / unit)) * unit;
    }

    /// The least form that is above each alternative's value plus its multiples of premises, coefficient by
    /// coefficient; that of a late alternative plus the most that a shift adds to the form, whose linear part comes
    /// first.
    LinearForm bound_of(const LyapunovForm& v, std::size_t t) {
        const Term& term = summands_.terms()[t];
        std::vector<std::vector<Rational>> multiples;
        Premises needed;
        std::vector<bool> late;
        for (std::size_t a = 0; a < term.alternatives.size(); ++a) {
            if (says_nothing(v, term.alternatives[a])) {
                multiples.emplace_back();
                continue;
            }
            late.push_back(term.alternatives[a].late);
            const Premises premises = premises_of(term, term.alternatives[a]);
            needed.push_back(value_of(system_, summands_, v, term.alternatives[a]));
            std::vector<Rational> mine;
            for (std::size_t i = 0; i < premises.size(); ++i) {
                mine.push_back(std::max(Rational(0), round(at(multipliers_[t][a].at(i)))));
                needed.back().add(mine.back(), premises[i]);
            }
            mine.back() *= far_scale();
            multiples.push_back(std::move(mine));
        }
        multiplied_.push_back(std::move(multiples));
        LinearForm bound;
        for (std::size_t q = 0; q < queues_; ++q) {
            std::optional<Rational> most;
            for (const LinearForm& form : needed)
                most = std::max(most, std::optional(form.coefficient(static_cast<Variable>(q))));
            if (most->sign() != 0) bound.append(static_cast<Variable>(q), *most);
        }
        const Rational shifted = most_shifted(bound, term.shifts);
        std::optional<Rational> constant;
        for (std::size_t i = 0; i < needed.size(); ++i)
            constant = std::max(constant, std::optional(needed[i].constant() + (late[i] ? shifted : Rational(0))));
        return bound += LinearForm(*constant);
    }

    /// The least threshold that the bounds give, rounded up.
    std::optional<DriftUnknown> set_threshold(DriftTheorem& theorem) {
        LinearForm sum(theorem.delta);
        for (const LinearForm& bound : *theorem.summands) sum += bound;
        std::optional<Rational> slope;
        for (const auto& [q, c] : measure_.terms()) {
            const Rational here = -sum.coefficient(q) / c;
            if (!slope || here < *slope) slope = here;
        }
        for (const auto& [q, c] : sum.terms())
            if (c.sign() > 0) slope = Rational(-1);
        if (!slope || slope->sign() <= 0) return DriftUnknown{"the sum of the proposed bounds does not fall", {}};
        slope_ = *slope;
        theorem.threshold = std::max(threshold_, -Rational(floor(-(sum.constant() / *slope + measure_.constant()))));
        return std::nullopt;
    }

    /// A refutation: what is forbidden, after the bounds of the lengths, with multipliers for it; those of the lengths
    /// take away what is left.
    [[nodiscard]] proof::Obligation refuted(explore::Forbidden against, const std::vector<Rational>& multiples) const {
        proof::Obligation obligation{std::move(against), {}};
        LinearForm sum;
        for (std::size_t i = 0; i < obligation.against.size(); ++i) sum.add(multiples[i], obligation.against[i].form);
        for (const auto& [q, c] : sum.terms())
            if (c.sign() < 0) obligation.multipliers.push_back({q, -c});
        for (std::size_t i = 0; i < obligation.against.size(); ++i)
            if (multiples[i].sign() > 0)
                obligation.multipliers.push_back({static_cast<std::uint32_t>(queues_ + i), multiples[i]});
        return obligation;
    }

    [[nodiscard]] std::vector<proof::ExploredProof> proofs(const DriftTheorem& theorem) const {
        std::vector<proof::ExploredProof> all;
        const auto add = [&](const std::string& name, std::vector<proof::Obligation> obligations) {
            proof::ExploredProof one;
            one.name = name;
            one.space = lengths_space(system_);
            one.tree.root = proof::ToLeaf{0};
            one.leaves.push_back(std::move(obligations));
            all.push_back(proof::canonical(one));
        };
        for (std::size_t t = 0; t < bounds_.size(); ++t) {
            std::vector<proof::Obligation> obligations;
            const Term& term = summands_.terms()[t];
            for (std::size_t a = 0; a < term.alternatives.size(); ++a) {
                if (says_nothing(theorem.v, term.alternatives[a])) continue;
                std::vector<Rational> multiples = multiplied_[t][a];
                multiples.emplace_back(1);
                obligations.push_back(refuted(
                    forbidden(theorem, term, term.alternatives[a],
                              value_of(system_, summands_, theorem.v, term.alternatives[a]), (*theorem.summands)[t]),
                    multiples));
            }
            add(term.name, std::move(obligations));
        }
        add("sum", {refuted(forbidden_of_sum(theorem), {slope_, Rational(1)})});
        return all;
    }

    const SymbolicSystem& system_;
    const LyapunovTemplate& shape_;
    const DriftGoal& goal_;
    const TriesThreshold& tries_;
    Summands summands_;
    std::size_t queues_;
    LinearForm measure_;
    LinearProgram program_;
    Column scale_ = 0;
    std::map<const Alternative*, std::vector<std::pair<Coefficient, LinearForm>>> changes_;
    std::vector<Column> free_;
    std::vector<Column> theta_;
    std::map<std::pair<ServerId, Service>, Column> others_;
    std::vector<std::vector<Column>> bounds_;                    // by term, the last one the constant
    std::vector<std::vector<std::vector<Column>>> multipliers_;  // by term, alternative and premise
    std::vector<Rational> x_;
    struct Proposal {
        Rational threshold;
        std::vector<Rational> x;
    };
    std::optional<Proposal> best_;                                // of the least threshold so far
    std::vector<std::vector<std::vector<Rational>>> multiplied_;  // the multipliers of the proof
    Rational slope_;
    Rational threshold_;  // that premises know
    unsigned places_ = few_places;
};

}  // namespace

std::variant<DriftProof, DriftUnknown> prove_by_summands(const SymbolicSystem& system, const LyapunovTemplate& shape,
                                                         const DriftGoal& goal, const TriesThreshold& tries) {
    if (goal.sense != Sense::below) throw InputError::at_key("--above", "summands bound a drift from above only");
    if (goal.threshold) throw InputError::at_key("--threshold", "a proof by summands finds its own threshold");
    if (std::any_of(shape.fixed.pieces.begin(), shape.fixed.pieces.end(),
                    [](const LyapunovForm::Piece& piece) { return piece.largest_of.size() != 1; }))
        throw InputError::at_key("--lyapunov",
                                 "a proof by summands is about a function without maxima; without "
                                 "--lyapunov one is found");
    return SummandSearch(system, shape, goal, tries).run();
}

std::variant<DriftProof, DriftUnknown> find_by_summands(const SymbolicSystem& system, const DriftGoal& goal,
                                                        const TriesThreshold& tries) {
    std::string reasons;
    for (const auto form : {squares_alone, squares_with_allocations, products_with_statuses}) {
        if (system.instance().preemptive() && form == squares_with_allocations) continue;
        const LyapunovTemplate v = form(system);
        auto outcome = prove_by_summands(system, v, goal, tries);
        if (std::holds_alternative<DriftProof>(outcome)) return outcome;
        reasons += (reasons.empty() ? "" : "; ") + std::get<DriftUnknown>(outcome).reason;
    }
    return DriftUnknown{reasons, {}};
}

// ---- what V may be ----

LyapunovTemplate squares_alone(const SymbolicSystem& system) {
    const bool workloads = system.layout().arrangement() == Arrangement::per_server_and_level;
    LyapunovTemplate shape;
    shape.fixed = named_lyapunov(workloads ? "workload-squares" : "squares", system.instance(), system.layout());
    return shape;
}

LyapunovTemplate squares_with_allocations(const SymbolicSystem& system) {
    LyapunovTemplate shape;
    shape.fixed = named_lyapunov("squares", system.instance(), system.layout());
    const Layout& layout = system.layout();
    const auto rate = [&](const Service& s) { return layout.rate(system.instance(), s.queue, s.level); };
    const auto piece = [](ServerId m, const Service& at, const Rational& coefficient, QueueId of) {
        return LyapunovForm::Piece{LyapunovForm::Condition{m, at.queue, at.level}, coefficient, {length_of(of)}};
    };
    const Summands summands(system);
    for (const ServerId m : system.instance().servers()) {
        // -2 Q_q at a status q takes away what the end of the task takes from Q_q^2 ...
        for (const Service& now : summands.statuses(m))
            shape.fixed.pieces.push_back(piece(m, now, Rational(-2), now.queue));
        // ... and 2 a_k mu_k Q_k / mu_q of each queue k puts a mixture of the queues there, with a that is looked for.
        for (const Service& mixed : summands.statuses(m)) {
            LyapunovForm part;
            for (const Service& now : summands.statuses(m))
                part.pieces.push_back(piece(m, now, Rational(2) * rate(mixed) / rate(now), mixed.queue));
            shape.parameters.push_back({"", std::move(part)});
        }
    }
    return shape;
}

LyapunovTemplate products_with_statuses(const SymbolicSystem& system) {
    LyapunovTemplate shape;
    shape.fixed = named_lyapunov("squares", system.instance(), system.layout());
    const IdRange<QueueId> queues(system.layout().queues());
    for (const QueueId i : queues)
        for (const QueueId j : queues)
            if (!(j < i)) shape.parameters.push_back({"", {"", {{Rational(1), length_of(i), length_of(j)}}, {}}});
    if (system.instance().preemptive()) return shape;
    const Summands summands(system);
    for (const ServerId m : system.instance().servers())
        for (const Service& now : summands.statuses(m))
            for (const QueueId k : queues)
                shape.parameters.push_back(
                    {"", {"", {}, {{LyapunovForm::Condition{m, now.queue, now.level}, Rational(1), {length_of(k)}}}}});
    return shape;
}

}  // namespace schedproof::queueing
