/// The linear program. Variables: the scale sigma of V's base, theta, per term t a bound l_t = (l_t0, l_t1, ...), per
/// alternative a multiplier for each premise, and per server and status what others do to its part. Rows:
///     alternative   l_t - value - sum_i y_i h_i has no negative coefficient
///     others        what others do to the part of a server at a status is at least what each may do
///     sum           sum_t l_tq <= -measure_q for each queue q
/// It minimises sigma delta + sum_t l_t0, which is the threshold. With a threshold K as one more premise of every
/// alternative the bounds are lower, and any threshold that comes out at most K is one: sigma is 1 then, the sum falls by
/// tau measure, and delta + sum_t l_t0 - tau K is minimised, which must be at most 0. The least such K is found from below, by fours and then
/// by halving, to a twentieth.
/// Floating point proposes theta and the multipliers; the bounds are computed from these exactly, and so is the threshold.
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

constexpr unsigned bits = 28;        // of what floating point proposes
const Rational margin(1, 20'000);  // of the falls of the sum, more than the roundings


/// One run of the search.
class Search {
  public:
    Search(const SymbolicSystem& system, const LyapunovTemplate& shape, const DriftGoal& goal)
        : system_(system), shape_(shape), goal_(goal), summands_(system), queues_(system.layout().queues()) {
        measure_ = goal.measure.value_or(sum_of_queues(system.layout()));
    }

    /// The program knows that the measure is at least some number, and gives a threshold, which must be at least that
    /// number. Without such knowledge there is a proof or none; then the least number is looked for by halving.
    std::variant<DriftProof, DriftUnknown> run() {
        auto outcome = at_threshold(Rational(0));
        auto* first = std::get_if<DriftProof>(&outcome);
        if (first == nullptr) return outcome;
        const Rational largest = first->theorem.threshold;
        const auto improve = [&](const Rational& threshold) {
            auto better = at_threshold(threshold);
            const auto* proof = std::get_if<DriftProof>(&better);
            if (proof == nullptr || proof->theorem.threshold > threshold) return false;
            outcome = std::move(better);
            return true;
        };
        Rational low(0), high(static_cast<std::int64_t>(queues_));
        while (high < largest && !improve(high)) low = high, high *= Rational(4);
        high = std::min(high, largest);
        while (high - low > std::max(Rational(1), Rational(1, 20) * high)) {
            const Rational middle(floor((low + high) / Rational(2)));
            (improve(middle) ? high : low) = middle;
        }
        return outcome;
    }

  private:
    using Column = std::uint32_t;

    std::variant<DriftProof, DriftUnknown> at_threshold(const Rational& known) {
        threshold_ = known;
        state_program();
        const auto point = capacity::float_point(program_, bits);
        if (!point) return DriftUnknown{"no V of the form " + shape_.fixed.name + " has summands that fall together", {}};
        x_ = *point;
        if (at(scale_).sign() <= 0) return DriftUnknown{"floating point proposes a V that is zero", {}};
        return certify();
    }

    // ---- the program ----

    /// A free variable is the difference of two.
    struct Free {
        Column plus, minus;
    };
    Free free_variable(const Rational& price = Rational(0)) {
        return {program_.add_variable(price), program_.add_variable(-price)};
    }
    static void put(LinearRow& row, Column column, const Rational& c) {
        if (c.sign() != 0) row.entries.emplace_back(column, c);
    }
    static void put(LinearRow& row, const Free& x, const Rational& c) { put(row, x.plus, c), put(row, x.minus, -c); }
    [[nodiscard]] static LinearRow at_least(const Rational& bound) { return {{}, Relation::at_least, bound}; }

    void state_program() {
        program_ = {};
        theta_.clear(), others_.clear(), bounds_.clear(), multipliers_.clear();
        scale_ = program_.add_variable(goal_.delta);
        for (std::size_t j = 0; j < shape_.parameters.size(); ++j) theta_.push_back(free_variable());
        if (!system_.instance().preemptive())
            for (const ServerId x : system_.instance().servers()) state_others(x);
        for (const Term& term : summands_.terms()) state_term(term);
        // The sum falls by the measure, or, where premises know a threshold and V's scale is fixed, by a multiple of it.
        const bool known = threshold_.sign() > 0;
        const std::optional<Column> slope =
            known ? std::optional(program_.add_variable(-threshold_)) : std::nullopt;
        for (std::size_t q = 0; q < queues_; ++q) {
            const Rational weight = measure_.coefficient(static_cast<Variable>(q));
            LinearRow row = at_least(known ? margin : weight + margin);
            for (const std::vector<Free>& bound : bounds_) put(row, bound[q], Rational(-1));
            if (slope) put(row, *slope, -weight);
            program_.rows.push_back(std::move(row));
        }
        if (known) program_.rows.push_back({{{scale_, Rational(1)}}, Relation::equal, Rational(1)});
    }

    void state_term(const Term& term) {
        std::vector<Free> bound;
        for (std::size_t q = 0; q <= queues_; ++q) bound.push_back(free_variable(Rational(q == queues_ ? 1 : 0)));
        std::optional<Free> shifted;  // the most that a shift adds to the bound
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
            if (is_idle(alternative)) {
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
            put_form(alternative.rate * change(shape_.fixed, alternative.happens), scale_);
            for (std::size_t j = 0; j < theta_.size(); ++j)
                put_form(alternative.rate * change(shape_.parameters[j].form, alternative.happens), theta_[j]);
            if (alternative.beside)
                put(rows[queues_], others_.at({*alternative.happens.server, *alternative.happens.before}), Rational(-1));
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

    /// Whether no V of the template has a part that the alternative changes.
    [[nodiscard]] bool is_idle(const Alternative& alternative) const {
        return says_nothing(shape_.fixed, alternative) &&
               std::all_of(shape_.parameters.begin(), shape_.parameters.end(),
                           [&](const auto& parameter) { return says_nothing(parameter.form, alternative); });
    }

    /// Of the premise that the measure is at least the threshold: large numbers beside small ones spoil floating point.
    [[nodiscard]] Rational far_scale() const { return threshold_.sign() > 0 ? Rational(1) / threshold_ : Rational(1); }

    /// Those of the alternative, and that the measure is at least the threshold.
    [[nodiscard]] Premises premises_of(const Term& term, const Alternative& alternative) const {
        Premises all = alternative.where;
        LinearForm far = measure_ - LinearForm(threshold_);
        if (alternative.late) far += LinearForm(most_shifted(measure_, term.shifts));
        all.push_back(far_scale() * far);
        return all;
    }

    /// The coefficient of V's base, or of a part.
    using Coefficient = std::optional<std::size_t>;
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

    /// A variable that is at least each of these; none of them is 0 where `positive`.
    [[nodiscard]] Free most_of(const std::vector<LinearRow>& candidates, bool positive) {
        const Free most = positive ? Free{program_.add_variable(), program_.add_variable()} : free_variable();
        for (const LinearRow& candidate : candidates) {
            LinearRow row = at_least(Rational(0));
            put(row, most, Rational(1));
            for (const auto& [column, c] : candidate.entries) put(row, column, -c);
            program_.rows.push_back(std::move(row));
        }
        if (positive) {  // the difference is at least 0
            LinearRow row = at_least(Rational(0));
            put(row, most, Rational(1));
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
            const Free others = free_variable();
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
        for (const Free& x : theta_) theta.push_back(round((at(x.plus) - at(x.minus)) / at(scale_)));
        DriftTheorem theorem;
        theorem.v = shape_.at(theta, theta.empty() ? shape_.fixed.name : "found");
        theorem.delta = goal_.delta;
        theorem.measure = measure_;
        theorem.statuses = statuses_of(system_, summands_);
        theorem.summands.emplace();
        multiplied_.clear();
        for (std::size_t t = 0; t < bounds_.size(); ++t) theorem.summands->push_back(bound_of(theorem.v, t));
        if (const auto wrong = set_threshold(theorem)) return *wrong;
        if (threshold_.sign() > 0 && theorem.threshold > threshold_) return DriftUnknown{"the threshold is larger", {}};
        DriftProof proof{theorem, proofs(theorem), {}};
        if (const std::string wrong = certify::rejection(questions(system_, theorem), proof.proofs); !wrong.empty())
            return DriftUnknown{"the proposed summands do not hold: " + wrong, {}};
        return proof;
    }

    [[nodiscard]] static Rational round(const Rational& value) {
        const Rational unit(Integer(1), Integer(std::int64_t{1} << bits));
        return Rational(nearest_integer(value / unit)) * unit;
    }

    /// The least form that is above each alternative's value plus its multiples of premises, coefficient by coefficient;
    /// that of a late alternative plus the most that a shift adds to the form, whose linear part comes first.
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
                mine.push_back(std::max(Rational(0), round(at(multipliers_[t][a].at(i)) / at(scale_))));
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
                obligations.push_back(
                    refuted(forbidden(theorem, term, term.alternatives[a],
                                      value_of(system_, summands_, theorem.v, term.alternatives[a]),
                                      (*theorem.summands)[t]),
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
    Summands summands_;
    std::size_t queues_;
    LinearForm measure_;
    LinearProgram program_;
    Column scale_ = 0;
    std::vector<Free> theta_;
    std::map<std::pair<ServerId, Service>, Free> others_;
    std::vector<std::vector<Free>> bounds_;                     // by term, the last one the constant
    std::vector<std::vector<std::vector<Column>>> multipliers_;  // by term, alternative and premise
    std::vector<Rational> x_;
    std::vector<std::vector<std::vector<Rational>>> multiplied_;  // the multipliers of the proof
    Rational slope_;
    Rational threshold_;  // that premises know
};

}  // namespace

std::variant<DriftProof, DriftUnknown> prove_by_summands(const SymbolicSystem& system, const LyapunovTemplate& shape,
                                                         const DriftGoal& goal) {
    return Search(system, shape, goal).run();
}

std::variant<DriftProof, DriftUnknown> find_by_summands(const SymbolicSystem& system, const DriftGoal& goal) {
    std::string reasons;
    for (const auto form : {squares_alone, squares_with_allocations, products_with_statuses}) {
        if (system.instance().preemptive() && form == squares_with_allocations) continue;
        const LyapunovTemplate v = form(system);
        auto outcome = prove_by_summands(system, v, goal);
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
            if (!(j < i))
                shape.parameters.push_back({"", {"", {{Rational(1), length_of(i), length_of(j)}}, {}}});
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
