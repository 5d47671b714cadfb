/// Collapses to queues of equal lengths, by exponentials over sets of queues.
///
/// For a set S of some of the n queues that can be joined, l_S = c_S (sum of all / n - sum over S / |S|). No maximum of
/// such forms has a negative drift in one slot: where two of them meet the state slides along the kink. The sum of
/// q^(l_S) falls all the same when c_S grows with S. A set that holds the shortest queue gets what arrives, and l_S
/// falls. A set S without it may rise, but with the shortest queue k it makes a set whose mean is no larger, so that
/// l_(S+k) >= (c_(S+k) / c_S) l_S where l_S > 0: far out its term, which falls, outweighs that of S.
/// For a base q and a rate rho the coefficients a_S of a cell are numbers (heavy_collapse.hpp). Where a_S > 0 the value
/// of l_S is bounded by a linear program over the part of the cell where no other term outweighs it; its window ends
/// above the largest of these values, and b is the largest sum of a_S q^high over the positive terms of a cell.
#include "proofs/queueing/heavy_traffic/subset_search.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "proofs/queueing/theorems/mean.hpp"

namespace schedproof::heavy_traffic {

using namespace queueing;
using explore::Maximum;
using proof::Constraint;
using proof::LinearForm;

namespace {

/// One base and one rate, and what they give.
struct Choice {
    Rational base, rate, bound;
    std::vector<std::int64_t> high;
};

class SubsetBase {
  public:
    SubsetBase(const SlackCells& cells, const std::vector<CollapseSide>& sides) : cells_(cells), sides_(sides) {
        for (const SlackCell& cell : cells.all()) {
            std::vector<LinearForm>& values = values_.emplace_back();
            std::vector<Maximum>& alone = alone_.emplace_back();
            std::vector<std::vector<std::pair<std::int64_t, Rational>>>& changes = changes_.emplace_back();
            for (const CollapseSide& side : sides) {
                values.push_back(side.form + LinearForm(cells.statuses_at(cell.shape, side.statuses, 0)));
                alone.push_back(explore::maximise(cell.path, values.back(), cells.queues()));
                changes.push_back(changes_on(cell, side));
                for (const auto& [change, p] : changes.back()) unit_ = std::max(unit_, std::abs(change) / 64);
            }
        }
    }

    /// Larger than 1 where forms change by hundreds in a slot, which takes bases that are nearer to 1.
    [[nodiscard]] std::int64_t unit() const { return unit_; }

    /// The least bound with this base, if there is one.
    [[nodiscard]] std::optional<Choice> with_base(const Rational& base, double factor) const {
        std::vector<std::vector<Rational>> growth;
        for (const auto& cell : changes_) growth.push_back(growth_of(cell, base));
        std::optional<Choice> best;
        // What is not bounded at a rate is not bounded at a larger one.
        for (const std::int64_t power : {2048, 1024, 512, 256, 128, 64, 32, 16, 8}) {
            Choice choice{base, Rational(Integer(1), Integer(power * unit_)), Rational(0),
                          std::vector<std::int64_t>(sides_.size(), 1)};
            if (!bounds(choice, growth)) break;
            if (!best || value(choice, factor) < value(*best, factor)) best = std::move(choice);
        }
        return best;
    }

    [[nodiscard]] static double value(const Choice& choice, double factor) {
        return std::log(factor * (choice.bound / choice.rate).approximate()) / std::log(choice.base.approximate());
    }

  private:
    [[nodiscard]] std::vector<std::pair<std::int64_t, Rational>> changes_on(const SlackCell& cell,
                                                                            const CollapseSide& side) const {
        std::vector<std::pair<std::int64_t, Rational>> changes;
        for (const LinearOutcome& outcome : cell.outcomes) {
            Rational change = -cells_.statuses_at(cell.shape, side.statuses, 0);
            for (const auto& [q, c] : side.form.terms()) change += c * outcome.growth[q];
            for (std::size_t i = 0; i < side.statuses.size(); ++i)
                if (cells_.basis().indicators[i].holds(outcome.serving)) change += side.statuses[i];
            changes.emplace_back(static_cast<std::int64_t>(change.numerator()), outcome.probability);
        }
        return changes;
    }

    /// E q^(change) - 1, by form.
    [[nodiscard]] static std::vector<Rational> growth_of(
        const std::vector<std::vector<std::pair<std::int64_t, Rational>>>& changes, const Rational& base) {
        std::map<std::int64_t, Rational> power;
        std::vector<Rational> all;
        for (const auto& of_form : changes) {
            Rational mean(-1);
            for (const auto& [change, p] : of_form) {
                const auto [at, fresh] = power.try_emplace(change);
                if (fresh) at->second = to_the_power(base, change);
                mean += p * at->second;
            }
            all.push_back(std::move(mean));
        }
        return all;
    }

    /// Windows and b for a base and a rate. False where a positive term is not bounded.
    [[nodiscard]] bool bounds(Choice& choice, const std::vector<std::vector<Rational>>& growth) const {
        for (std::size_t i = 0; i < growth.size(); ++i) {
            const std::vector<Rational> a = coefficients(growth[i], choice.rate);
            for (std::size_t s = 0; s < a.size(); ++s) {
                if (a[s].sign() <= 0) continue;
                const Maximum most = largest(i, s, a, choice.base);
                if (most.kind == Maximum::Kind::unbounded) return false;
                if (most.kind == Maximum::Kind::attained)
                    choice.high[s] = std::max(choice.high[s], static_cast<std::int64_t>(floor(most.value)) + 1);
            }
        }
        if (*std::max_element(choice.high.begin(), choice.high.end()) > 9'000) return false;
        std::vector<Rational> below;
        for (const std::int64_t high : choice.high) below.push_back(to_the_power(choice.base, high - 1));
        for (const std::vector<Rational>& cell : growth) {
            const std::vector<Rational> a = coefficients(cell, choice.rate);
            Rational sum;
            for (std::size_t s = 0; s < a.size(); ++s)
                if (a[s].sign() > 0) sum += a[s] * below[s];
            choice.bound = std::max(choice.bound, sum);
        }
        return true;
    }
    [[nodiscard]] static std::vector<Rational> coefficients(std::vector<Rational> growth, const Rational& rate) {
        for (Rational& one : growth) one += rate;
        return growth;
    }

    /// Of a form on a cell; where that is unbounded, on the part of the cell where no term outweighs its own.
    [[nodiscard]] Maximum largest(std::size_t cell, std::size_t form, const std::vector<Rational>& a,
                                  const Rational& base) const {
        if (alone_[cell][form].kind != Maximum::Kind::unbounded) return alone_[cell][form];
        std::vector<Constraint> path = cells_.all()[cell].path;
        for (std::size_t by = 0; by < a.size(); ++by)
            if (const auto distance = outweighing_distance(base, a, form, by))
                path.push_back({values_[cell][form] - values_[cell][by] + LinearForm(Rational(*distance - 1)), false});
        return explore::maximise(path, values_[cell][form], cells_.queues());
    }

    const SlackCells& cells_;
    const std::vector<CollapseSide>& sides_;
    std::int64_t unit_ = 1;
    /// By cell and form: change and probability of each outcome.
    std::vector<std::vector<std::vector<std::pair<std::int64_t, Rational>>>> changes_;
    std::vector<std::vector<LinearForm>> values_;  ///< by cell and form: the form with the constants of the statuses
    std::vector<std::vector<Maximum>> alone_;      ///< by cell and form: the largest value of the form there
};

/// The sets of some, not all, of the queues: each as marks of its members.
std::vector<std::vector<bool>> proper_sets(std::size_t queues) {
    std::vector<std::vector<bool>> sets;
    for (std::size_t set = 1; set + 1 < (std::size_t{1} << queues); ++set) {
        std::vector<bool>& marks = sets.emplace_back();
        for (std::size_t i = 0; i < queues; ++i) marks.push_back(((set >> i) & 1U) != 0);
    }
    return sets;
}

}  // namespace

std::vector<std::vector<CollapseSide>> subset_sides(const SlackCells& cells) {
    std::vector<proof::Variable> queues;
    for (std::size_t q = 0; q < cells.queues(); ++q)
        if (!cells.is_empty(q)) queues.push_back(static_cast<proof::Variable>(q));
    if (queues.size() < 3 || queues.size() > 4) return {};
    const auto n = static_cast<std::int64_t>(queues.size());
    std::vector<std::vector<CollapseSide>> all;
    for (const std::int64_t first : {1, 4}) {
        // c_S by the size of S: a multiple of what makes l_S integral, larger than that of the sets before.
        std::vector<std::int64_t> c{first * n};
        for (std::int64_t size = 2; size < n; ++size)
            c.push_back((c.back() / std::lcm(n, size) + 1) * std::lcm(n, size));
        std::vector<CollapseSide>& sides = all.emplace_back();
        for (const std::vector<bool>& set : proper_sets(queues.size())) {
            const auto size = std::count(set.begin(), set.end(), true);
            const std::int64_t scale = c[static_cast<std::size_t>(size - 1)];
            LinearForm form;
            for (std::size_t i = 0; i < set.size(); ++i)
                form.add(Rational(scale / n - (set[i] ? scale / size : 0)), LinearForm::variable(queues[i]));
            sides.push_back({std::move(form), std::vector<Rational>(cells.basis().indicators.size()), 1, 0, 1});
        }
    }
    return all;
}

bool choose_subset_base(CollapseTheorem& theorem, const SlackCells& cells, const std::vector<CollapseSide>& sides,
                        double factor) {
    const SubsetBase search(cells, sides);
    std::optional<Choice> best;
    std::vector<std::int64_t> steps{4, 8, 16, 32, 64, 128};
    if (search.unit() > 1) steps = {52, 56, 128, 256, 512, 1024};  // a step of the others is too wide
    for (const std::int64_t step : steps) {
        const std::int64_t parts = step * search.unit();
        const auto choice = search.with_base(Rational(Integer(parts + 1), Integer(parts)), factor);
        if (best && (!choice || SubsetBase::value(*choice, factor) >= SubsetBase::value(*best, factor))) break;
        if (choice) best = choice;
    }
    if (!best) return false;
    theorem.base = best->base;
    theorem.rate = best->rate;
    theorem.bound = rounded_up(best->bound, 4);
    for (std::size_t s = 0; s < sides.size(); ++s) {
        theorem.forms[s].high = best->high[s];
        theorem.forms[s].low = best->high[s] - 1;
    }
    return true;
}

}  // namespace schedproof::heavy_traffic
