/// The linear program, for a threshold K. Variables: theta, per term t a bound l_t = (l_t0, l_t1, ...), per alternative
/// a multiplier for each premise and for `measure >= K`, per server and status what others do to its part, and tau.
/// Rows:
///     alternative   l_t - value - sum_i y_i h_i has no negative coefficient
///     follows       where another term follows, its bound is part of the value, and the most that a shift adds to it
///     maxima        what others do to the part of a server at a status, or what is done together in a slot, is at
///     least
///                   what each may do
///     sum           sum_t l_tq <= -tau measure_q for each queue q
///     size          the sum of the parameters, none of which is negative, is bounded: else multiples of a V whose
///     drift
///                   falls would have no best one
/// It minimises delta + sum_t l_t0 - tau K, in slots plus what is done together. Where that is at most 0, the drift is
/// at most -delta from K on. The least such K is looked for by fourfold steps, then in between, to a tenth.
/// Where servers are alike, what renamings make one of another is one variable, and one term of these has rows
/// (summand_symmetry.hpp).
/// Floating point proposes theta and the multipliers; the bounds are computed from these exactly, and so is the
/// threshold.
///
/// Long: the program, its solution and the proof share the numbering of terms, alternatives and premises.
#include "proofs/queueing/drift/summand_search.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "model/core/errors.hpp"
#include "proofs/certifier/binding.hpp"
#include "proofs/linear_programs/linear_program.hpp"
#include "proofs/queueing/drift/summand_symmetry.hpp"
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
constexpr std::array<unsigned, 3> places{6, 14, 32};
constexpr double largest_threshold = 0x1p30;
const Rational margin(1, 20'000);  // of the falls of the sum, more than the roundings

/// One run of the search.
class SummandSearch {
  public:
    SummandSearch(const SymbolicSystem& system, const LyapunovTemplate& shape, const DriftGoal& goal,
                  const SummandBudget& budget, bool linked, bool explains)
        : system_(system),
          shape_(shape),
          goal_(goal),
          budget_(budget),
          explains_(explains),
          summands_(terms_of(system, linked ? SummandKind::linked : SummandKind::single)),
          queues_(system.layout().queues()),
          measure_(goal.measure.value_or(sum_of_queues(system.layout()))),
          symmetry_(system, summands_, shape, measure_) {
        for (std::size_t t = 0; t < summands_.terms().size(); ++t) {
            if (!symmetry_.is_first(t)) continue;
            for (const Alternative& alternative : summands_.terms()[t].alternatives) {
                auto& changes = changes_[&alternative];
                const auto add = [&](Coefficient of, const LyapunovForm& v) {
                    LinearForm form = change(v, alternative);
                    if (form != LinearForm()) changes.emplace_back(of, std::move(form));
                };
                for_each_part(add);
            }
        }
        for_each_part([&](Coefficient of, const LyapunovForm& v) {
            for (const auto& [slope, c] : slopes_of(system, summands_, v)) slopes_[slope].emplace_back(of, c);
        });
    }

    /// Thresholds are tried from below, each four times the last, until the program's optimum is not positive; then
    /// between the last two until these are within a tenth.
    std::variant<DriftProof, DriftUnknown> run() {
        double low = 0, high = static_cast<double>(4 * queues_);
        for (;; low = high, high *= 4) {
            if (high > largest_threshold || !propose(integer(high))) return nothing_falls();
            if (seems_to_fall()) break;
        }
        while (high > std::max(low + 1, 1.1 * low)) {
            const double middle = std::max(low + 1, std::floor(std::sqrt(low * high)));
            if (!propose(integer(middle))) break;
            (seems_to_fall() ? high : low) = middle;
        }
        // Floating point may be wrong by a little.
        auto outcome = at_threshold(integer(high));
        for (int more = 0; more < 3 && std::holds_alternative<DriftUnknown>(outcome); ++more) {
            high = std::floor(1.05 * high) + 1;
            outcome = at_threshold(integer(high));
        }
        return outcome;
    }

  private:
    using Column = std::uint32_t;
    using Coefficient = std::optional<std::size_t>;  ///< of V's fixed part, or of a parameter

    /// Of V: its fixed part, and what its parameters multiply.
    template <class Visit>
    void for_each_part(Visit&& visit) const {
        visit(Coefficient(), shape_.fixed);
        for (std::size_t j = 0; j < shape_.parameters.size(); ++j) visit(Coefficient(j), shape_.parameters[j].form);
    }

    /// Why no threshold does: how little the sum of the bounds can rise with a queue, and the terms that do most to it.
    [[nodiscard]] DriftUnknown nothing_falls() {
        const std::string which =
            fmt::format("no V of the form {}{}{}", shape_.fixed.name,
                        shape_.parameters.empty() ? "" : fmt::format(" with {} parameters", shape_.parameters.size()),
                        summands_.links().empty() ? "" : ", and links,");
        if (!x_.empty()) return {which + " has summands that fall together below 2^30 tasks", {}};
        if (!explains_) return {which + " has summands that fall together", {}};
        state_program(true);
        const auto point = capacity::float_point(program_, free_, places.back());
        if (!point) return {which + " has summands that fall together", {}};
        std::vector<double> rises(queues_, 0);
        const auto rise = [&](std::size_t t, std::size_t q) { return (*point)[bounds_[t][q]].approximate(); };
        for (std::size_t t = 0; t < bounds_.size(); ++t)
            if (!summands_.terms()[t].follows())
                for (std::size_t q = 0; q < queues_; ++q) rises[q] += rise(t, q);
        const auto worst = static_cast<std::size_t>(std::max_element(rises.begin(), rises.end()) - rises.begin());
        std::vector<std::pair<double, std::size_t>> most;
        for (std::size_t t = 0; t < bounds_.size(); ++t)
            if (!summands_.terms()[t].follows() && rise(t, worst) > 0) most.emplace_back(rise(t, worst), t);
        std::sort(most.rbegin(), most.rend());
        std::string terms;
        constexpr std::size_t named = 3;
        for (std::size_t i = 0; i < std::min(named, most.size()); ++i)
            terms +=
                fmt::format("{}{} {:.3g}", i == 0 ? "" : ", ", summands_.terms()[most[i].second].name, most[i].first);
        return {fmt::format("{} has summands that fall together: with the best one they rise by {:.3g} per task in {}, "
                            "most of all {}",
                            which, rises[worst], lengths_space(system_).symbols[worst].name, terms),
                {}};
    }

    [[nodiscard]] static Rational integer(double threshold) { return Rational(static_cast<std::int64_t>(threshold)); }

    /// The program's solution at a threshold, if it has one; that of the least one that seems to do is kept.
    [[nodiscard]] bool propose(const Rational& known) {
        threshold_ = known;
        if (best_ && best_->threshold == known) {
            x_ = best_->x;
            return true;
        }
        if (budget_.tries) budget_.tries(known);
        state_program();
        if (program_.cost.size() > budget_.variables)
            throw LimitExceeded("variables", fmt::format("the linear program of the summands has {}, more than {}",
                                                         program_.cost.size(), budget_.variables));
        x_ = capacity::float_point(program_, free_, places.back(), &basis_).value_or(std::vector<Rational>());
        if (seems_to_fall()) best_ = {known, x_};
        return !x_.empty();
    }

    /// Whether what the program minimises is not positive.
    [[nodiscard]] bool seems_to_fall() const {
        Rational value(0);
        for (std::size_t j = 0; j < x_.size(); ++j)
            if (program_.cost[j].sign() != 0) value += program_.cost[j] * x_[j];
        return !x_.empty() && value.sign() <= 0;
    }

    std::variant<DriftProof, DriftUnknown> at_threshold(const Rational& known) {
        if (!propose(known)) return nothing_falls();
        std::variant<DriftProof, DriftUnknown> outcome;
        for (const unsigned next : places) {
            places_ = next;
            outcome = certify();
            if (std::holds_alternative<DriftProof>(outcome)) break;
        }
        return outcome;
    }

    // ---- the program ----

    [[nodiscard]] Column free_variable(const Rational& price = Rational(0)) {
        free_.push_back(program_.add_variable(price));
        return free_.back();
    }
    static void put(LinearRow& row, Column column, const Rational& c) {
        if (c.sign() == 0) return;
        const auto known = std::find_if(row.entries.begin(), row.entries.end(),
                                        [&](const auto& entry) { return entry.first == column; });
        if (known == row.entries.end())
            row.entries.emplace_back(column, c);
        else if ((known->second += c).sign() == 0)
            row.entries.erase(known);
    }
    /// The variable of a class of the symmetry, new where the class has none yet; with this added to its price.
    [[nodiscard]] Column column_of(std::uint32_t number, bool is_free, const Rational& price = Rational(0)) {
        const auto [known, is_new] = of_class_.try_emplace(number, 0);
        if (is_new)
            known->second = is_free ? free_variable(price) : program_.add_variable(price);
        else
            program_.cost[known->second] += price;
        return known->second;
    }
    [[nodiscard]] static LinearRow at_least(const Rational& bound) { return {{}, Relation::at_least, bound}; }

    /// `relaxed`: how much the sum must be let rise per task, for there to be a solution, is what is minimised.
    void state_program(bool relaxed = false) {
        program_ = {};
        free_.clear(), theta_.clear(), others_.clear(), bounds_.clear(), links_.clear(), multipliers_.clear();
        of_class_.clear(), largest_.clear();
        scale_ = program_.add_variable(goal_.delta);
        program_.rows.push_back({{{scale_, Rational(1)}}, Relation::equal, Rational(1)});
        for (std::size_t j = 0; j < shape_.parameters.size(); ++j)
            theta_.push_back(column_of(symmetry_.parameter(j), false));
        LinearRow size{{}, Relation::at_most, Rational(static_cast<std::int64_t>(16 * queues_ * queues_))};
        for (const Column parameter : theta_) put(size, parameter, Rational(1));
        program_.rows.push_back(std::move(size));
        if (!system_.instance().continuous()) (void)state(done_together(system_, summands_), Rational(1));
        for (std::size_t i = 0; i < summands_.links().size(); ++i) {
            std::vector<Column>& form = links_.emplace_back();
            for (std::size_t q = 0; q <= queues_; ++q) form.push_back(column_of(symmetry_.link(i, q), false));
        }
        for (std::size_t t = 0; t < summands_.terms().size(); ++t) state_term(t);
        const Column slope = program_.add_variable(-threshold_);
        std::optional<Column> rise;
        if (relaxed) rise = program_.add_variable();
        std::set<Entries> stated;  // of queues that renamings lead between the rows are the same
        for (std::size_t q = 0; q < queues_; ++q) {
            LinearRow row = at_least(margin);
            for (std::size_t t = 0; t < bounds_.size(); ++t)
                if (!summands_.terms()[t].follows()) put(row, bounds_[t][q], Rational(-1));
            put(row, slope, -measure_.coefficient(static_cast<Variable>(q)));
            if (rise) put(row, *rise, Rational(1));
            std::sort(row.entries.begin(), row.entries.end());
            if (stated.insert(row.entries).second) program_.rows.push_back(std::move(row));
        }
        if (rise) {
            program_.cost.assign(program_.cost.size(), Rational(0));
            program_.cost[*rise] = Rational(1);
        }
    }

    /// What others do to the part of a server at a status, in continuous time.
    [[nodiscard]] Column others(const std::pair<ServerId, Service>& beside) {
        const auto known = others_.find(beside);
        if (known != others_.end()) return known->second;
        const Column column = state(moved_by_others(system_, summands_, beside.first, beside.second));
        return others_.emplace(beside, column).first->second;
    }

    void state_term(std::size_t t) {
        const Term& term = summands_.terms()[t];
        std::vector<Column> bound;
        const Rational price(term.follows() ? 0 : 1);  // of the constant: only these are summed
        for (std::size_t q = 0; q <= queues_; ++q)
            bound.push_back(column_of(symmetry_.bound(t, q), true, q == queues_ ? price : Rational(0)));
        std::vector<std::vector<Column>> multipliers;
        for (const Alternative& alternative : term.alternatives) {
            if (!symmetry_.is_first(t)) break;
            if (term.follows() && !alternative.happen.empty() && changes_.at(&alternative).empty()) {
                multipliers.emplace_back();
                continue;
            }
            std::vector<LinearRow> rows(queues_ + 1, at_least(Rational(0)));
            const auto put_form = [&](const LinearForm& form, const auto& variable) {
                for (const auto& [q, c] : form.terms()) put(rows[q], variable, -c);
                put(rows[queues_], variable, -form.constant());
            };
            for (std::size_t q = 0; q <= queues_; ++q) put(rows[q], bound[q], Rational(1));
            for (const auto& [of, form] : changes_.at(&alternative)) put_form(form, of ? theta_[*of] : scale_);
            if (alternative.beside) put(rows[queues_], others(*alternative.beside), Rational(-1));
            for (const Follows& then : alternative.then) put_following(rows, then);
            for (const auto& [link, sign] : alternative.links)
                for (std::size_t q = 0; q <= queues_; ++q) put(rows[q], links_[link][q], Rational(-sign));
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

    /// In the rows of an alternative, by queue and of the constant: less the bound of what follows, and the most that a
    /// shift adds to it.
    void put_following(std::vector<LinearRow>& rows, const Follows& follows) {
        const std::vector<Column>& bound = bounds_[follows.term];
        for (std::size_t q = 0; q <= queues_; ++q) put(rows[q], bound[q], -follows.probability);
        std::vector<LinearRow> shifted;
        for (const auto& [q, sign] : follows.shifts) {
            shifted.emplace_back();
            put(shifted.back(), bound[q.index()], Rational(sign));
        }
        if (shifted.size() == 1)
            for (const auto& [column, c] : shifted.front().entries)
                put(rows[queues_], column, -follows.probability * c);
        else if (!shifted.empty())
            put(rows[queues_], most_of(shifted, false), -follows.probability);
    }

    /// Of the premise that the measure is at least the threshold: large numbers beside small ones spoil floating point.
    [[nodiscard]] Rational far_scale() const { return Rational(1) / threshold_; }

    /// Those of the alternative, and that the measure is at least the threshold.
    [[nodiscard]] Premises premises_of(const Term& term, const Alternative& alternative) const {
        Premises all = alternative.where;
        all.push_back(far_scale() * far_premise(measure_, threshold_, term));
        return all;
    }

    void put(LinearRow& row, Coefficient of, const Rational& c) const {
        if (of)
            put(row, theta_[*of], c);
        else
            put(row, scale_, c);
    }
    /// A variable that is at least each of these, and at least 0 if `positive`; then those that are never above 0,
    /// since parameters are not below, are left out.
    [[nodiscard]] Column most_of(const std::vector<LinearRow>& candidates, bool positive) {
        // Of the same candidates it is the same.
        std::pair<bool, std::vector<Entries>> key{positive, {}};
        for (const LinearRow& candidate : candidates) {
            key.second.push_back(candidate.entries);
            std::sort(key.second.back().begin(), key.second.back().end());
        }
        std::sort(key.second.begin(), key.second.end());
        const auto [known, is_new] = largest_.try_emplace(std::move(key), 0);
        if (!is_new) return known->second;
        const Column most = known->second = positive ? program_.add_variable() : free_variable();
        for (const LinearRow& candidate : candidates) {
            if (positive && std::all_of(candidate.entries.begin(), candidate.entries.end(),
                                        [](const auto& entry) { return entry.second.sign() < 0; }))
                continue;
            LinearRow row = at_least(Rational(0));
            put(row, most, Rational(1));
            for (const auto& [column, c] : candidate.entries) put(row, column, -c);
            program_.rows.push_back(std::move(row));
        }
        return most;
    }

    /// A variable that is at least the bound, with a price.
    [[nodiscard]] Column state(const Maxima& bound, const Rational& price = Rational(0)) {
        std::vector<Column> value;
        for (const Maxima::Node& node : bound.nodes) {
            std::vector<LinearRow> candidates;
            for (const auto& [factor, of] : node.entries) {
                LinearRow& row = candidates.emplace_back();
                if (const auto* earlier = std::get_if<std::size_t>(&of))
                    put(row, value[*earlier], factor);
                else if (const auto known = slopes_.find(std::get<Slope>(of)); known != slopes_.end())
                    for (const auto& [part, c] : known->second) put(row, part, factor * c);
            }
            value.push_back(most_of(candidates, node.or_nothing));
        }
        LinearRow sum = at_least(Rational(0));
        const Column total = free_variable(price);
        put(sum, total, Rational(1));
        for (const auto& [factor, node] : bound.sum) put(sum, value[node], -factor);
        program_.rows.push_back(std::move(sum));
        return total;
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
        for (const std::vector<Column>& link : links_) {
            LinearForm& form = theorem.links.emplace_back(not_negative(link[queues_]));
            for (std::size_t q = 0; q < queues_; ++q)
                form.add(not_negative(link[q]), LinearForm::variable(static_cast<Variable>(q)));
        }
        theorem.summands.emplace();
        multiplied_.clear();
        const Sloped v{theorem.v, slopes_of(system_, summands_, theorem.v)};
        theorem.renamings = symmetry_.renamings();
        for (std::size_t t = 0; t < bounds_.size(); ++t) {
            if (symmetry_.is_first(t)) {
                theorem.summands->push_back(bound_of(v, theorem, t));
            } else {
                theorem.summands->push_back(symmetry_.of_first(*theorem.summands, t));
                multiplied_.emplace_back();
            }
        }
        if (const auto wrong = set_threshold(theorem)) return *wrong;
        // Premises that know of a smaller threshold hold from a larger one on.
        if (theorem.threshold > Rational(21, 20) * threshold_ + Rational(1))
            return DriftUnknown{"the proposed summands fall from a larger threshold only", {}};
        DriftProof proof{theorem, proofs(theorem, v), {}};
        if (const std::string wrong = certify::rejection(questions(system_, theorem), proof.proofs); !wrong.empty())
            return DriftUnknown{"the proposed summands do not hold: " + wrong, {}};
        return proof;
    }

    [[nodiscard]] Rational round(const Rational& value) const {
        const Rational unit(Integer(1), Integer(std::int64_t{1} << places_));
        return Rational(nearest_integer(value / unit)) * unit;
    }

    [[nodiscard]] Rational not_negative(Column column) const { return std::max(Rational(0), round(at(column))); }

    /// The least form that is above each alternative's value plus its multiples of premises, coefficient by
    /// coefficient.
    LinearForm bound_of(const Sloped& v, const DriftTheorem& theorem, std::size_t t) {
        const Term& term = summands_.terms()[t];
        std::vector<std::vector<Rational>> multiples;
        Premises needed;
        for (std::size_t a = 0; a < term.alternatives.size(); ++a) {
            if (says_nothing(v.v, term, term.alternatives[a])) {
                multiples.emplace_back();
                continue;
            }
            const Premises premises = premises_of(term, term.alternatives[a]);
            needed.push_back(value_of(system_, summands_, v, *theorem.summands, theorem.links, term.alternatives[a]));
            std::vector<Rational> mine;
            for (std::size_t i = 0; i < premises.size(); ++i) {
                // An alternative of which the program said nothing has no multipliers.
                const std::vector<Column>& columns = multipliers_[t][a];
                mine.push_back(columns.empty() ? Rational(0) : not_negative(columns[i]));
                needed.back().add(mine.back(), premises[i]);
            }
            mine.back() *= far_scale();
            multiples.push_back(std::move(mine));
        }
        multiplied_.push_back(std::move(multiples));
        LinearForm bound;
        std::optional<Rational> constant;
        for (const LinearForm& form : needed) constant = std::max(constant, std::optional(form.constant()));
        std::map<std::uint32_t, Rational> most;  // by class: renamings that lead to the term itself do not change it
        for (std::size_t q = 0; q < queues_; ++q)
            for (const LinearForm& form : needed) {
                const Rational here = form.coefficient(static_cast<Variable>(q));
                const auto [known, is_new] = most.try_emplace(symmetry_.bound(t, q), here);
                if (!is_new) known->second = std::max(known->second, here);
            }
        for (std::size_t q = 0; q < queues_; ++q)
            if (const Rational& c = most.at(symmetry_.bound(t, q)); c.sign() != 0)
                bound.append(static_cast<Variable>(q), c);
        return bound += LinearForm(*constant);
    }

    /// The least threshold that the bounds give, rounded up.
    std::optional<DriftUnknown> set_threshold(DriftTheorem& theorem) {
        const LinearForm sum = sum_of_bounds(system_, summands_, theorem) + LinearForm(theorem.delta);
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

    [[nodiscard]] std::vector<proof::ExploredProof> proofs(const DriftTheorem& theorem, const Sloped& v) const {
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
            if (!symmetry_.is_first(t)) continue;
            std::vector<proof::Obligation> obligations;
            const Term& term = summands_.terms()[t];
            for (std::size_t a = 0; a < term.alternatives.size(); ++a) {
                if (says_nothing(theorem.v, term, term.alternatives[a])) continue;
                std::vector<Rational> multiples = multiplied_[t][a];
                multiples.emplace_back(1);
                obligations.push_back(refuted(
                    forbidden(theorem, term, term.alternatives[a],
                              value_of(system_, summands_, v, *theorem.summands, theorem.links, term.alternatives[a]),
                              (*theorem.summands)[t]),
                    multiples));
            }
            add(term.name, std::move(obligations));
        }
        add("sum",
            {refuted(forbidden_of_sum(theorem, sum_of_bounds(system_, summands_, theorem)), {slope_, Rational(1)})});
        return all;
    }

    const SymbolicSystem& system_;
    const LyapunovTemplate& shape_;
    const DriftGoal& goal_;
    const SummandBudget& budget_;
    bool explains_;
    const Summands& summands_;
    std::size_t queues_;
    LinearForm measure_;
    SummandSymmetry symmetry_;
    LinearProgram program_;
    std::map<std::uint32_t, Column> of_class_;  // by class of the symmetry
    using Entries = std::vector<std::pair<Column, Rational>>;
    std::map<std::pair<bool, std::vector<Entries>>, Column> largest_;
    Column scale_ = 0;
    std::map<const Alternative*, std::vector<std::pair<Coefficient, LinearForm>>> changes_;
    std::map<Slope, std::vector<std::pair<Coefficient, Rational>>> slopes_;
    std::vector<Column> free_;
    std::vector<Column> theta_;
    std::map<std::pair<ServerId, Service>, Column> others_;
    std::vector<std::vector<Column>> bounds_;                    // by term, the last one the constant
    std::vector<std::vector<Column>> links_;                     // by link, alike
    std::vector<std::vector<std::vector<Column>>> multipliers_;  // by term, alternative and premise
    std::vector<Rational> x_;
    capacity::FloatBasis basis_;  // of the last threshold: another one changes few numbers
    struct Proposal {
        Rational threshold;
        std::vector<Rational> x;
    };
    std::optional<Proposal> best_;                                // of the least threshold so far
    std::vector<std::vector<std::vector<Rational>>> multiplied_;  // the multipliers of the proof
    Rational slope_;
    Rational threshold_;  // that premises know
    unsigned places_ = places.front();
};

void require_goal(const DriftGoal& goal) {
    if (goal.sense != Sense::below) throw InputError::at_key("--above", "summands bound a drift from above only");
    if (goal.threshold) throw InputError::at_key("--threshold", "a proof by summands finds its own threshold");
}

}  // namespace

std::variant<DriftProof, DriftUnknown> prove_by_summands(const SymbolicSystem& system, const LyapunovTemplate& shape,
                                                         const DriftGoal& goal, const SummandBudget& budget) {
    require_goal(goal);
    if (std::any_of(shape.fixed.pieces.begin(), shape.fixed.pieces.end(),
                    [](const LyapunovForm::Piece& piece) { return piece.largest_of.size() != 1; }))
        throw InputError::at_key("--lyapunov",
                                 "a proof by summands is about a function without maxima; without "
                                 "--lyapunov one is found");
    return SummandSearch(system, shape, goal, budget, false, true).run();
}

std::variant<DriftProof, DriftUnknown> find_by_summands(const SymbolicSystem& system, const DriftGoal& goal,
                                                        const SummandBudget& budget) {
    require_goal(goal);
    struct Way {
        LyapunovTemplate (*form)(const SymbolicSystem&);
        bool linked = false;
    };
    std::vector<Way> ways{{squares_alone}};
    if (!system.instance().preemptive()) ways.push_back({squares_with_allocations});
    ways.push_back({products_with_statuses});
    if (!terms_of(system, SummandKind::linked).links().empty()) ways.push_back({products_with_statuses, true});
    std::variant<DriftProof, DriftUnknown> outcome;
    for (std::size_t i = 0; i < ways.size(); ++i) {
        // The last template is the largest, so that its reason is told.
        const LyapunovTemplate shape = ways[i].form(system);
        outcome = SummandSearch(system, shape, goal, budget, ways[i].linked, i + 1 == ways.size()).run();
        if (std::holds_alternative<DriftProof>(outcome)) break;
    }
    return outcome;
}

std::size_t combined_statuses(const SymbolicSystem& system, std::size_t most, SummandKind kind) {
    try {
        const Summands& summands = terms_of(system, kind);
        std::size_t together = 1;
        for (const ServerId m : system.instance().servers())
            together = std::min(most, together * (summands.statuses(m).size() + 1));
        return together;
    } catch (const InputError&) {
        return 0;
    } catch (const LimitExceeded&) {
        return 0;
    }
}

}  // namespace schedproof::queueing
