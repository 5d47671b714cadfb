/// The search starts from a guess, how the queues grow while every task goes to where it is served fastest and servers
/// prefer such tasks. That direction v contradicts some premises of the rules' alternatives (h >= 0, with h(v) < 0): a
/// gate that is shut along v, a queue that is empty nowhere on v. W must keep away from these alternatives.
///
/// A function -h - sum_q s_q Q_q plus constants of statuses, with s >= 0, is bounded where h >= 0. So for each
/// contradicted premise a linear program looks for s and constants with which the function grows in all alternatives
/// that are left (term_program.hpp). Where there are none, the premise is given up, and what it excluded is left, too.
/// Premises are taken that exclude most alternatives, then functions are dropped that the others do not need.
///
/// Whatever the guess was, what is found is checked as any theorem.
#include "proofs/queueing/transience/cone_search.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "proofs/explore/farkas.hpp"
#include "proofs/queueing/capacity/region.hpp"
#include "proofs/queueing/theorems/summands/summands.hpp"
#include "proofs/queueing/transience/term_program.hpp"

namespace schedproof::queueing {

using capacity::LinearRow;
using capacity::Relation;
using explore::Maximum;
using proof::Constraint;
using proof::LinearForm;

namespace {

Rational value_at(const LinearForm& form, const std::vector<Rational>& lengths) {
    Rational sum;
    for (const auto& [q, c] : form.terms()) sum += c * lengths[q];
    return sum;
}

struct ByTerms {
    bool operator()(const LinearForm& a, const LinearForm& b) const { return a.terms() < b.terms(); }
};

/// Rows of a linear program, and of all of a search. Those that found functions had 996 and 15,000 at most, on six
/// workers; a program of 30,000 takes half a minute.
constexpr std::size_t most_rows = 5'000, most_rows_in_all = 150'000;

class ConeSearch {
  public:
    explicit ConeSearch(const SymbolicSystem& system)
        : system_(system), summands_(terms_of(system)), queues_(system.layout().queues()) {}

    TransienceOutcome run() {
        guess_direction();
        if (std::all_of(growth_.begin(), growth_.end(), [](const Rational& g) { return g.sign() == 0; }))
            return unknown("no queue grows while every task goes to where it is served fastest");
        find_contradicted();
        if (term_.size() > most_rows)
            return unknown(
                fmt::format("the rules have {} alternatives, which are too many to look for functions", term_.size()));
        if (!find_functions())
            return unknown(rows_ > most_rows_in_all
                               ? "functions were sought in as many rows of linear programs as the search may have"
                               : "no functions grow where the modes that they grow in are the only ones");
        drop_needless();
        return certify();
    }

  private:
    /// A contradicted premise, and the function that is large only where it does not hold.
    struct Side {
        LinearForm premise;  ///< the part of the lengths, scaled so that it falls by 1 along the guess
        LyapunovForm w{};
        TermProgram::Found found{};
    };
    using Address = const Alternative*;

    static TransienceUnknown unknown(std::string reason) { return {std::move(reason), {}, {}}; }

    [[nodiscard]] Rational rate(const Service& status) const {
        return system_.layout().rate(system_.instance(), status.queue, status.level);
    }

    /// Of each type, the queues in which its tasks are served fastest, in equal parts.
    [[nodiscard]] std::vector<Rational> inflow() const {
        const Instance& instance = system_.instance();
        std::vector<Rational> fastest(queues_), all(queues_);
        for (const ServerId m : instance.servers())
            for (const Service& status : summands_.statuses(m))
                fastest[status.queue.index()] = std::max(fastest[status.queue.index()], rate(status));
        for (const TaskTypeId type : instance.types()) {
            std::vector<QueueId> best;
            for (const QueueId q : summands_.joined(type)) {
                if (!best.empty() && fastest[q.index()] < fastest[best.front().index()]) continue;
                if (!best.empty() && fastest[q.index()] > fastest[best.front().index()]) best.clear();
                best.push_back(q);
            }
            for (const QueueId q : best)
                all[q.index()] += instance.arrival_rate(type) / Rational(static_cast<std::int64_t>(best.size()));
        }
        return all;
    }

    /// What is left of the inflow when each server has spent its time on the queues that it serves fastest, scaled so
    /// that the least that is not 0 is 1.
    void guess_direction() {
        growth_ = inflow();
        for (const ServerId m : system_.instance().servers()) {
            std::vector<Service> order = summands_.statuses(m);
            std::stable_sort(order.begin(), order.end(),
                             [&](const Service& a, const Service& b) { return rate(a) > rate(b); });
            Rational time(1);
            for (const Service& status : order) {
                Rational& left = growth_[status.queue.index()];
                const Rational spent = std::min(time, left / rate(status));
                left -= spent * rate(status);
                time -= spent;
            }
        }
        std::optional<Rational> least;
        for (const Rational& g : growth_)
            if (g.sign() > 0) least = least ? std::min(*least, g) : g;
        if (least)
            for (Rational& g : growth_) g = g / *least;
    }

    void find_contradicted() {
        for (std::size_t t = 0; t < summands_.terms().size(); ++t)
            for (const Alternative& alternative : summands_.terms()[t].alternatives) {
                term_[&alternative] = t;
                for (const LinearForm& premise : alternative.where) {
                    LinearForm slope = premise - LinearForm(premise.constant());
                    const Rational along = value_at(slope, growth_);
                    if (along.sign() >= 0) continue;
                    slope *= Rational(-1) / along;
                    excludes_[slope].insert(&alternative);
                }
            }
    }

    /// The premises that exclude most of what the others leave, without those that were given up.
    void choose_premises() {
        sides_.clear();
        excluded_.clear();
        for (;;) {
            const LinearForm* best = nullptr;
            std::size_t most = 0;
            for (const auto& [premise, alternatives] : excludes_) {
                const auto gained = static_cast<std::size_t>(
                    std::count_if(alternatives.begin(), alternatives.end(),
                                  [&](Address alternative) { return !excluded_.contains(alternative); }));
                if (gained <= most) continue;
                most = gained;
                best = &premise;
            }
            if (best == nullptr) return;
            sides_.push_back({*best});
            excluded_.insert(excludes_.at(*best).begin(), excludes_.at(*best).end());
        }
    }

    bool find_functions() {
        for (;;) {
            choose_premises();
            if (sides_.empty() || rows_ > most_rows_in_all) return false;
            const auto failed = std::find_if(sides_.begin(), sides_.end(),
                                             [&](Side& side) { return rows_ > most_rows_in_all || !solve(side); });
            if (failed == sides_.end()) return true;
            excludes_.erase(failed->premise);
        }
    }

    /// Finds the function of a side that grows most in the alternatives that are not excluded; false where none grows.
    bool solve(Side& side) {
        TermProgram program(summands_);
        const LyapunovForm base{"W", {}, {{std::nullopt, Rational(1), {-side.premise}}}};
        // W must grow along the guess, and need not be much steeper than the premise.
        const Rational slope(Integer(1), Integer(2));
        Rational steepest;
        for (const auto& [q, c] : side.premise.terms()) steepest = std::max(steepest, c.sign() < 0 ? -c : c);
        LinearRow rises{{}, Relation::at_most, slope}, bounded{{}, Relation::at_most, steepest * Rational(4)};
        for (const QueueId q : IdRange<QueueId>(queues_)) {
            const TermProgram::Column s = program.add({std::nullopt, Rational(1), {-length_of(q)}});
            bounded.entries.emplace_back(s, Rational(1));
            if (growth_[q.index()].sign() > 0) rises.entries.emplace_back(s, growth_[q.index()]);
        }
        program.add_row(std::move(rises));
        program.add_row(std::move(bounded));
        program.add_statuses();
        program.add_terms(
            &base, [&](const Term&, const Alternative& alternative) { return excluded_.contains(&alternative); });
        rows_ += term_.size() - excluded_.size();
        auto found = program.solve();
        if (!found) return false;
        side.found = std::move(*found);
        side.w = program.function(side.found, -side.premise, Rational(1));
        return true;
    }

    /// Whether the least of the functions is bounded where the constraints hold.
    [[nodiscard]] bool is_bounded(std::vector<Constraint> constraints) const {
        const auto level = static_cast<proof::Variable>(queues_);
        for (const QueueId q : IdRange<QueueId>(queues_)) constraints.push_back({length_of(q), false});
        for (const Side& side : sides_) constraints.push_back({slopes(side.w) - LinearForm::variable(level), false});
        return explore::maximise(constraints, LinearForm::variable(level), queues_ + 1).kind !=
               Maximum::Kind::unbounded;
    }

    [[nodiscard]] Rational least_delta() const {
        return std::min_element(sides_.begin(), sides_.end(),
                                [](const Side& a, const Side& b) { return a.found.delta < b.found.delta; })
            ->found.delta;
    }

    /// Drops each function that excludes nothing but what the others exclude, too, or what may take place as far as
    /// they are concerned.
    void drop_needless() {
        for (std::size_t j = sides_.size(); j-- > 0 && sides_.size() > 1;) {
            const std::vector<Side> all = sides_;
            sides_.erase(sides_.begin() + static_cast<std::ptrdiff_t>(j));
            const bool is_needed = std::any_of(excluded_.begin(), excluded_.end(), [&](Address alternative) {
                return !is_excluded_by_one(alternative) && !may_take_place(alternative) &&
                       !is_bounded(premises_of(*alternative));
            });
            if (is_needed) sides_ = all;
        }
        std::erase_if(excluded_, [&](Address alternative) { return may_take_place(alternative); });
    }
    /// Whether all functions grow in the alternative as their bounds say.
    [[nodiscard]] bool may_take_place(Address alternative) const {
        return std::all_of(sides_.begin(), sides_.end(), [&](const Side& side) {
            return least_bound(side.w, *alternative, side.found.bounds) <= side.found.bounds[term_.at(alternative)];
        });
    }
    [[nodiscard]] bool is_excluded_by_one(Address alternative) const {
        return std::any_of(sides_.begin(), sides_.end(),
                           [&](const Side& side) { return excludes_.at(side.premise).contains(alternative); });
    }

    /// The least integer from which on no excluded alternative takes place.
    [[nodiscard]] Rational threshold(const TransienceTheorem& theorem) const {
        Rational highest;
        const auto level = static_cast<proof::Variable>(queues_);
        // With a threshold of 0, what is added to it is a variable.
        std::vector<Constraint> cone = inside_cone(system_, theorem, summands_);
        for (Constraint& side : cone) side.form -= LinearForm::variable(level);
        for (const QueueId q : IdRange<QueueId>(queues_)) cone.push_back({length_of(q), false});
        const auto look = [&](std::vector<Constraint> constraints) {
            constraints.insert(constraints.end(), cone.begin(), cone.end());
            const Maximum most = explore::maximise(constraints, LinearForm::variable(level), queues_ + 1);
            if (most.kind == Maximum::Kind::attained) highest = std::max(highest, most.value);
        };
        for (const LinearForm& form : theorem.cone->excluded) look({{form, false}});
        for (const Address alternative : excluded_)
            if (!has_one_of(*alternative, theorem.cone->excluded)) look(premises_of(*alternative));
        return Rational(floor(highest)) + Rational(1);
    }

    /// Premises that alone exclude alternatives, in the order of the terms.
    [[nodiscard]] std::vector<LinearForm> excluded_premises() const {
        std::vector<LinearForm> forms;
        for (const Term& term : summands_.terms())
            for (const Alternative& alternative : term.alternatives) {
                if (!excluded_.contains(&alternative) || has_one_of(alternative, forms)) continue;
                const auto& where = alternative.where;
                const auto alone = std::find_if(where.begin(), where.end(), [&](const LinearForm& premise) {
                    return is_bounded({{premise, false}});
                });
                if (alone != where.end()) forms.push_back(*alone);
            }
        return forms;
    }

    /// Sets the first ray of a climb. Where the offset is small, a step may raise what is low at the cost of the rest,
    /// and the next one takes it back; where it is large, what is low stays so for long.
    bool set_ray(TransienceTheorem& theorem) const {
        const std::vector<LyapunovForm> parts = parts_of(theorem);
        for (const std::size_t steps : {25, 200})
            for (const std::int64_t jumps : {1, 10, 100}) {
                theorem.cone->offset = theorem.jump * Rational(jumps);
                const std::vector<SymbolicState> path = climb(system_, theorem, steps);
                for (std::size_t last = 1; last < path.size(); ++last)
                    for (std::size_t start = last; start-- > 0;) {
                        if (ray_between(parts, path[start], path[last]).empty()) continue;
                        theorem.cone->start = start;
                        theorem.cone->period = last - start;
                        return true;
                    }
            }
        return false;
    }

    TransienceOutcome certify() const {
        TransienceTheorem theorem;
        theorem.w = sides_.front().w;
        theorem.delta = least_delta();
        theorem.statuses = statuses_of(system_, summands_);
        theorem.capacity = capacity::solve(system_.instance());
        theorem.cone.emplace();
        for (const Side& side : sides_) {
            if (&side != &sides_.front()) theorem.cone->beside.push_back(side.w);
            theorem.cone->bounds.push_back(side.found.bounds);
        }
        theorem.cone->excluded = excluded_premises();
        theorem.threshold = threshold(theorem);
        theorem.jump = jump_bound(system_, theorem);
        if (!set_ray(theorem)) return unknown("the functions do not all rise in a climb from the empty state");
        return proved(system_, std::move(theorem));
    }

    const SymbolicSystem& system_;
    const Summands& summands_;
    std::size_t queues_;
    std::vector<Rational> growth_;                               // of the queues, in the direction that is guessed
    std::map<LinearForm, std::set<Address>, ByTerms> excludes_;  // by contradicted premise
    std::map<Address, std::size_t> term_;                        // by alternative
    std::vector<Side> sides_;
    std::set<Address> excluded_;
    std::size_t rows_ = 0;  // of all linear programs so far
};

}  // namespace

TransienceOutcome prove_in_cone(const SymbolicSystem& system) { return ConeSearch(system).run(); }

}  // namespace schedproof::queueing
