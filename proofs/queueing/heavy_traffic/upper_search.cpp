/// From prices to a heavy-traffic upper bound, by linear programs over the cells of the kernel.
///
///   closed set   queues that can be joined from the empty cluster; statuses that servers can then have.
///   H, H0, kappa workload_search.cpp
///   forms        candidates are the forms that the code compares, with both signs where their coefficients have both.
///                Where none of these bounds H: all that tell how far sets of queues are below the mean of all
///                (subset_search.cpp); then those of a maximum of forms that the instance states.
///   statuses     constants that make the form fall fastest where it is large: one linear program over all cells.
///   q, rho, b    on a grid of bases, with doubles; then exactly, rounded to the safe side.
///   k, K, K'     one linear program over all cells and both ends.
///   tasks        tasks_search.cpp
/// What is found is then proved, question by question; a double decides nothing.
#include "proofs/queueing/heavy_traffic/upper_search.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>
#include <optional>

#include "model/core/errors.hpp"
#include "proofs/explore/farkas.hpp"
#include "proofs/linear_programs/linear_program.hpp"
#include "proofs/queueing/heavy_traffic/base_search.hpp"
#include "proofs/queueing/heavy_traffic/collapse_sides.hpp"
#include "proofs/queueing/heavy_traffic/subset_search.hpp"
#include "proofs/queueing/heavy_traffic/tasks_search.hpp"
#include "proofs/queueing/heavy_traffic/workload_search.hpp"
#include "proofs/queueing/theorems/mean.hpp"
#include "proofs/queueing/theorems/user_lyapunov.hpp"

namespace schedproof::heavy_traffic {

using namespace queueing;
using capacity::LinearProgram;
using capacity::LinearRow;
using capacity::Relation;
using explore::Maximum;
using proof::Constraint;
using proof::LinearForm;

namespace {

class UpperSearch {
  public:
    UpperSearch(const SlackCells& cells, const BoundaryPrices& prices, const explore::Budget& budget,
                const LinearForm& starving)
        : cells_(cells),
          prices_(prices),
          budget_(budget),
          starving_(starving),
          system_(cells.system()),
          family_(system_.instance()),
          at_(family_.slack().up_to / Rational(10)),
          workloads_(cells, prices) {}

    UpperOutcome run() {
        if (const std::string wrong = workloads_.rejection(); !wrong.empty())
            return UpperUnknown{"U", wrong, cells_.name(workloads_.worst())};
        std::optional<UpperUnknown> why;
        std::optional<HeavyUpperTheorem> best;
        const auto note = [&](UpperUnknown unknown) {
            if (!why || why->fact == "B") why = std::move(unknown);
        };
        for (const std::vector<LinearForm>& forms : candidates()) {
            const auto charged = workloads_.charged(forms);
            if (const auto* cell = std::get_if<const SlackCell*>(&charged)) {
                note({"B",
                      "value is lost in states along a direction in which the workload grows and no form does, and no "
                      "service can be charged for it",
                      cells_.name(**cell)});
                continue;
            }
            const auto& h = std::get<ChargedWorkload>(charged);
            for (const Manner& manner : manners(forms)) {
                std::variant<HeavyUpperTheorem, UpperUnknown> found = with_forms(h, forms, manner);
                if (auto* unknown = std::get_if<UpperUnknown>(&found)) {
                    note(std::move(*unknown));
                    continue;
                }
                auto& theorem = std::get<HeavyUpperTheorem>(found);
                if (!best || bound(theorem) < bound(*best)) best = std::move(theorem);
            }
            if (best && best->collapse.forms.empty()) break;
        }
        if (!best) best = with_many_forms(all_sides());
        if (!best) return *why;
        return prove(*best);
    }

    /// With queues that starve: from many forms at once.
    UpperOutcome run_starving() {
        if (const auto found = with_many_forms(all_sides())) return prove(*found);
        return UpperUnknown{"B", "no forms bound the workload and the queues that starve", ""};
    }

  private:
    [[nodiscard]] Rational bound(const HeavyUpperTheorem& theorem) const {
        return theorem.tasks ? theorem.tasks_at_most(family_, at_) : theorem.workload_at_most(family_, at_);
    }
    /// No forms; then one form that the code compares, on both its sides if it has both.
    [[nodiscard]] std::vector<std::vector<LinearForm>> candidates() const {
        std::vector<std::vector<LinearForm>> all{{}};
        for (const std::vector<Rational>& coefficients : cells_.compared()) {
            LinearForm form;
            for (std::size_t q = 0; q < coefficients.size(); ++q)
                form.add(coefficients[q], LinearForm::variable(static_cast<proof::Variable>(q)));
            if (form.is_constant()) continue;
            all.push_back(is_mixed(form) ? std::vector<LinearForm>{form, -form} : std::vector<LinearForm>{form});
        }
        return all;
    }

    /// How forms are tried: with constants of the statuses or without, and in multiples of up to `parts`, which are in
    /// proportion to how much of the workload each side must bound. A side that falls slowly may need little of it.
    struct Manner {
        bool plain = false;
        std::int64_t parts = 1;
    };
    [[nodiscard]] static std::vector<Manner> manners(const std::vector<LinearForm>& forms) {
        if (forms.empty()) return {{true, 1}};
        if (forms.size() == 1) return {{true, 1}, {false, 1}};
        return {{true, 1}, {false, 1}, {true, 8}, {false, 8}};
    }

    /// Sides of the forms that must bound the workload, in multiples that share a scale, and what is left of kappa.
    struct Sides {
        std::vector<CollapseSide> all;
        Rational spread;
    };
    std::variant<Sides, UpperUnknown> sides_of(const ChargedWorkload& h, const std::vector<LinearForm>& forms,
                                               const Manner& manner) const {
        const std::vector<Rational> least = workloads_.spreads(h);
        Sides sides{{}, *std::max_element(least.begin(), least.end()) / Rational(manner.parts)};
        std::vector<std::int64_t> multiples;
        std::int64_t scale = 1;
        for (std::size_t j = 0; j < forms.size(); ++j) {
            if (least[j].sign() == 0) continue;
            std::optional<CollapseSide> side = find_side(cells_, forms[j], manner.plain);
            if (!side)
                return UpperUnknown{"F",
                                    fmt::format("no constants of the statuses make {} fall where it is large",
                                                to_string(forms[j], system_.space(cells_.shapes().front()))),
                                    ""};
            sides.all.push_back(std::move(*side));
            scale = std::lcm(scale, sides.all.back().scale);
            multiples.push_back(static_cast<std::int64_t>(-floor(-least[j] / sides.spread)));
        }
        if (sides.all.empty() && !forms.empty())
            return UpperUnknown{"B", "the workload is bounded by no form where value is lost", ""};
        for (std::size_t j = 0; j < sides.all.size(); ++j) {
            sides.all[j].rescale(scale);
            sides.all[j].rescale(scale * multiples[j]);
        }
        sides.spread /= Rational(scale);
        return sides;
    }

    std::variant<HeavyUpperTheorem, UpperUnknown> with_forms(const ChargedWorkload& h,
                                                             const std::vector<LinearForm>& forms,
                                                             const Manner& manner) const {
        auto found = sides_of(h, forms, manner);
        if (auto* unknown = std::get_if<UpperUnknown>(&found)) return std::move(*unknown);
        const auto& sides = std::get<Sides>(found);
        HeavyUpperTheorem theorem = unbounded_theorem(h, sides);
        if (!sides.all.empty())
            if (const auto why = choose_base(theorem.collapse, system_, cells_.ends(), factor(), budget_))
                if (!choose_subset_base(theorem.collapse, cells_, sides.all, factor()))
                    return UpperUnknown{"F", *why, ""};
        if (auto unknown = balance(theorem, h, sides.all)) return *unknown;
        theorem.tasks = bound_tasks(cells_, h.weights, sides.all, theorem.collapse);
        return theorem;
    }

    /// The least bound with many forms at once, where more than one dimension collapses.
    [[nodiscard]] std::optional<HeavyUpperTheorem> with_many_forms(
        const std::vector<std::vector<CollapseSide>>& choices) const {
        std::optional<HeavyUpperTheorem> best;
        for (const std::vector<CollapseSide>& sides : choices) {
            const std::vector<LinearForm> forms = forms_of(sides);
            const auto charged = workloads_.charged(forms);
            const auto* h = std::get_if<ChargedWorkload>(&charged);
            const std::optional<Rational> spread = h ? spread_of(*h, forms) : std::nullopt;
            if (!spread) continue;
            HeavyUpperTheorem theorem = unbounded_theorem(*h, {sides, *spread});
            if (!choose_subset_base(theorem.collapse, cells_, sides, factor()) || balance(theorem, *h, sides)) continue;
            if (starving_.is_constant()) theorem.tasks = bound_tasks(cells_, h->weights, sides, theorem.collapse);
            if (!best || bound(theorem) < bound(*best)) best = std::move(theorem);
        }
        return best;
    }
    [[nodiscard]] std::vector<std::vector<CollapseSide>> all_sides() const {
        std::vector<std::vector<CollapseSide>> all = subset_sides(cells_);
        for (const LyapunovText& text : family_.data().lyapunov)
            if (std::vector<CollapseSide> sides = stated_sides(text); sides.size() > 1) all.push_back(std::move(sides));
        return all;
    }
    /// The forms of which a function of the instance is the maximum, if it is one on the queues of this policy, in
    /// multiples with integer coefficients. None where these are larger than a collapse may have.
    [[nodiscard]] std::vector<CollapseSide> stated_sides(const LyapunovText& text) const {
        if (!text.products.empty() || text.pieces.size() != 1 || text.pieces.front().when) return {};
        LyapunovForm stated;
        try {
            stated = resolve(text, family_, system_.layout());
        } catch (const InputError&) {
            return {};  // it is about the queues of another policy
        }
        std::vector<Rational> coefficients;
        for (LinearForm& form : stated.pieces.front().largest_of) {
            form *= stated.pieces.front().coefficient;
            if (form.constant().sign() != 0) return {};
            for (const auto& [q, c] : form.terms()) coefficients.push_back(c);
        }
        const Rational scale{common_denominator(coefficients)};
        const Rational most = Rational(largest_coefficient) / scale;
        const auto too_large = [&](const Rational& c) { return c > most || c < -most; };
        if (std::any_of(coefficients.begin(), coefficients.end(), too_large)) return {};
        std::vector<CollapseSide> sides;
        for (const LinearForm& form : stated.pieces.front().largest_of)
            sides.push_back({scale * form, std::vector<Rational>(cells_.basis().indicators.size()), 1, 0, 1});
        return sides;
    }

    /// kappa: how steeply the left side of (B) grows per unit of the largest form and of u. Nothing where no form
    /// bounds it.
    [[nodiscard]] std::optional<Rational> spread_of(const ChargedWorkload& h,
                                                    const std::vector<LinearForm>& forms) const {
        Rational spread;
        for (std::size_t i = 0; i < cells_.all().size(); ++i) {
            if (workloads_.loss(i).sign() == 0) continue;
            const SlackCell& cell = cells_.all()[i];
            const Maximum most = steepest(cells_, cell.path, growing_part(h, i), forms);
            if (most.kind == Maximum::Kind::unbounded) return std::nullopt;
            if (most.kind == Maximum::Kind::attained) spread = std::max(spread, most.value / workloads_.loss(i));
        }
        return spread;
    }
    /// What is linear in the lengths on the left side of (B) on a cell: v H, and H E ds + s v where queues starve.
    [[nodiscard]] LinearForm growing_part(const ChargedWorkload& h, std::size_t i) const {
        const SlackCell& cell = cells_.all()[i];
        LinearForm left = (h.parts[i].loss + starving(h, i).growth) * workloads_.value_at(h, cell);
        left.add(h.parts[i].loss, starving_);
        return left;
    }
    [[nodiscard]] StarvingParts starving(const ChargedWorkload& h, std::size_t i) const {
        const SlackCell& cell = cells_.all()[i];
        return starving_parts(h.form, starving_, cells_.shapes()[cell.shape].serving, cell.outcomes);
    }
    [[nodiscard]] static std::vector<LinearForm> forms_of(const std::vector<CollapseSide>& sides) {
        std::vector<LinearForm> forms;
        for (const CollapseSide& side : sides) forms.push_back(side.form);
        return forms;
    }

    /// A theorem with these sides, before a base is chosen and the facts are balanced.
    [[nodiscard]] HeavyUpperTheorem unbounded_theorem(const ChargedWorkload& h, const Sides& sides) const {
        HeavyUpperTheorem theorem;
        theorem.prices = prices_;
        theorem.collapse.closed = cells_.closed();
        theorem.collapse.base = theorem.collapse.rate = theorem.collapse.bound = Rational(1);
        theorem.h = h.form;
        theorem.h0 = workloads_.honest().form;
        theorem.largest_loss = workloads_.largest_loss();
        theorem.constant = leading_constants(family_, prices_);
        theorem.spread = sides.spread;
        theorem.starving = starving_;
        for (const CollapseSide& side : sides.all)
            theorem.collapse.forms.push_back(
                collapse_form(cells_, side, fmt::format("l{}", theorem.collapse.forms.size() + 1)));
        return theorem;
    }

    /// What b / rho is multiplied by where the bound is wanted.
    [[nodiscard]] double factor() const {
        return (workloads_.largest_loss() / (at_ / family_.slack().up_to * workloads_.sigma(1))).approximate();
    }

    /// (B) on a cell, where v H - kappa u M is at most `excess`. Variables of either sign as differences of two: k per
    /// function of the basis, then K, then K'.
    [[nodiscard]] LinearRow balance_row(std::size_t i, const ChargedWorkload& h, const Rational& excess,
                                        const Rational& constant) const {
        const std::size_t count = cells_.basis().size();
        LinearRow row{{}, Relation::at_most, constant - h.parts[i].half_square - starving(h, i).mixed - excess};
        const auto add = [&](std::size_t x, const Rational& c) {
            if (c.sign() == 0) return;
            row.entries.emplace_back(static_cast<std::uint32_t>(2 * x), c);
            row.entries.emplace_back(static_cast<std::uint32_t>(2 * x + 1), -c);
        };
        for (std::size_t k = 0; k < count; ++k)
            if (k >= cells_.queues() || !cells_.is_empty(k)) add(k, cells_.rows()[i][k]);
        add(count, -workloads_.loss(i));
        add(count + 1, -workloads_.sigma(cells_.all()[i].end));
        return row;
    }

    std::optional<UpperUnknown> balance(HeavyUpperTheorem& theorem, const ChargedWorkload& h,
                                        const std::vector<CollapseSide>& sides) const {
        const std::size_t count = cells_.basis().size();
        LinearProgram program;
        for (std::size_t x = 0; x < 2 * (count + 2); ++x)
            (void)program.add_variable(x < 2 * count ? Rational(0) : Rational(x % 2 == 0 ? 1 : -1));
        for (std::size_t i = 0; i < cells_.all().size(); ++i) {
            const SlackCell& cell = cells_.all()[i];
            const Maximum most = excess(cells_, cell, growing_part(h, i), theorem.spread * workloads_.loss(i), sides);
            if (most.kind == Maximum::Kind::unbounded)
                return UpperUnknown{"B", "the workload is not bounded by the forms where value is lost",
                                    cells_.name(cell)};
            if (most.kind == Maximum::Kind::attained)
                program.rows.push_back(balance_row(i, h, most.value, theorem.constant[cell.end]));
        }
        const auto solution = capacity::solve(program);
        if (!solution)
            return UpperUnknown{"B", "no corrections of the second moments balance the variance at the boundary", ""};
        std::vector<Rational> k;
        for (std::size_t x = 0; x < count + 2; ++x) k.push_back(solution->x[2 * x] - solution->x[2 * x + 1]);
        theorem.with_loss = k[count];
        theorem.with_slack = rounded_up(k[count + 1], 4);
        k.resize(count);
        theorem.k = cells_.basis().form("k", k);
        std::erase_if(theorem.k.pieces, [](const auto& piece) { return piece.largest_of.front() == LinearForm(); });
        return std::nullopt;
    }

    UpperOutcome prove(const HeavyUpperTheorem& theorem) {
        if (const std::string wrong = arithmetic_rejection(system_, theorem); !wrong.empty())
            throw OracleConflict("the facts that were found do not fit: " + wrong);
        QuestionProofs proved = prove_all(questions(system_, theorem), budget_);
        if (!proved.failed.empty())
            return UpperUnknown{proved.failed.substr(0, proved.failed.find(' ')), proved.failed, ""};
        proved.statistics += cells_.statistics();
        return UpperProof{theorem, std::move(proved.proofs), proved.statistics};
    }

    const SlackCells& cells_;
    const BoundaryPrices& prices_;
    const explore::Budget& budget_;
    const LinearForm& starving_;
    const SymbolicSystem& system_;
    const Instance& family_;
    Rational at_;  // the slack at which the least bound is wanted
    Workloads workloads_;
};

}  // namespace

UpperOutcome best_upper(const SlackCells& cells, const BoundaryPrices& prices, const explore::Budget& budget) {
    return UpperSearch(cells, prices, budget, LinearForm()).run();
}

UpperOutcome upper_with_starving(const SlackCells& cells, const BoundaryPrices& prices, const LinearForm& starving,
                                 const explore::Budget& budget) {
    return UpperSearch(cells, prices, budget, starving).run_starving();
}

}  // namespace schedproof::heavy_traffic
