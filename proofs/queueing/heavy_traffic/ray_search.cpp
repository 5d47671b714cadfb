/// A ray with more tasks than the workload needs.
///
/// A queue has the largest price of the types that the code routes to it. For a form l that falls where it is large,
/// (R) asks for zeta z_i - 1 <= lambda l_i for every queue i: the largest zeta is a linear program in two variables,
/// solved by its vertices. Forms are those that the code compares, on either side.
#include "proofs/queueing/heavy_traffic/ray_search.hpp"

#include <algorithm>
#include <optional>

#include "model/core/errors.hpp"
#include "proofs/explore/farkas.hpp"
#include "proofs/queueing/heavy_traffic/base_search.hpp"
#include "proofs/queueing/heavy_traffic/collapse_sides.hpp"

namespace schedproof::heavy_traffic {

using namespace queueing;
using explore::Affine;
using explore::Maximum;
using proof::LinearForm;

namespace {

class RaySearch {
  public:
    RaySearch(const SlackCells& cells, const HeavyLowerTheorem& lower, const explore::Budget& budget)
        : cells_(cells), lower_(lower), budget_(budget), system_(cells.system()) {}

    std::variant<RayProof, std::string> run() {
        price_queues();
        struct Found {
            Rational factor, spread;
            CollapseSide side;
        };
        std::optional<Found> best;
        for (const std::vector<Rational>& coefficients : cells_.compared())
            for (const int sign : {1, -1}) {
                LinearForm form;
                for (std::size_t q = 0; q < coefficients.size(); ++q)
                    form.add(Rational(sign) * coefficients[q], LinearForm::variable(static_cast<proof::Variable>(q)));
                if (form.is_constant()) continue;
                const auto [factor, spread] = largest_factor(form);
                if (factor <= Rational(1) || (best && factor <= best->factor)) continue;
                std::optional<CollapseSide> side = find_side(cells_, form, true);
                if (!side) side = find_side(cells_, form, false);
                if (side) best = Found{factor, spread / Rational(side->scale), std::move(*side)};
            }
        if (!best) return "no form that the policy compares keeps its state near a ray with more tasks than needed";
        HeavyRayTheorem theorem;
        theorem.lower = lower_;
        theorem.price = price_;
        theorem.factor = best->factor;
        theorem.spread = best->spread;
        theorem.collapse.closed = cells_.closed();
        theorem.collapse.forms = {collapse_form(cells_, best->side, "l1")};
        if (const auto why = choose_base(theorem.collapse, system_, cells_.ends(), 1, budget_)) return *why;
        bound_constant(theorem, best->side);
        return prove(theorem);
    }

  private:
    void price_queues() {
        const Instance& instance = system_.instance();
        price_.assign(cells_.queues(), Rational(0));
        for (const Shape& shape : cells_.shapes())
            for (const TaskTypeId type : types_of_slack(instance)) {
                const auto routes = explore::explore(
                    space_without(system_, shape, cells_.closed().empty),
                    [&](const std::vector<Affine>& symbols) {
                        return system_.route(system_.state(shape, symbols), type);
                    },
                    budget_);
                if (routes.ended) throw LimitExceeded("exploration", *routes.ended);
                for (const auto& answer : routes.leaves)
                    for (const Candidate& candidate : answer)
                        price_[candidate.queue.index()] =
                            std::max(price_[candidate.queue.index()], lower_.prices.type[type.index()]);
            }
    }

    /// The largest zeta with some lambda for which zeta z_i - 1 <= lambda l_i wherever a task can be.
    [[nodiscard]] std::pair<Rational, Rational> largest_factor(const LinearForm& form) const {
        const auto factor_of = [&](const Rational& spread) {
            std::optional<Rational> least;
            for (std::size_t q = 0; q < cells_.queues(); ++q) {
                if (cells_.is_empty(q) || price_[q].sign() == 0) continue;
                const Rational at =
                    (Rational(1) + spread * form.coefficient(static_cast<proof::Variable>(q))) / price_[q];
                if (!least || at < *least) least = at;
            }
            return least.value_or(Rational(0));
        };
        // The least of lines in lambda: its largest value is where two of them meet, or at lambda = 0.
        std::pair<Rational, Rational> best{factor_of(Rational(0)), Rational(0)};
        for (std::size_t i = 0; i < cells_.queues(); ++i)
            for (std::size_t j = 0; j < i; ++j) {
                if (cells_.is_empty(i) || cells_.is_empty(j) || price_[i].sign() == 0 || price_[j].sign() == 0)
                    continue;
                const Rational a = form.coefficient(static_cast<proof::Variable>(i)) / price_[i] -
                                   form.coefficient(static_cast<proof::Variable>(j)) / price_[j];
                if (a.sign() == 0) continue;
                const Rational spread = (Rational(1) / price_[j] - Rational(1) / price_[i]) / a;
                if (spread.sign() < 0) continue;
                if (const Rational factor = factor_of(spread); factor > best.first) best = {factor, spread};
            }
        return best;
    }

    void bound_constant(HeavyRayTheorem& theorem, const CollapseSide& side) const {
        std::optional<Rational> most;
        for (std::size_t s = 0; s < cells_.shapes().size(); ++s) {
            LinearForm left;
            for (std::size_t q = 0; q < cells_.queues(); ++q)
                left.add(theorem.factor * price_[q] - Rational(1),
                         LinearForm::variable(static_cast<proof::Variable>(q)));
            left.add(-theorem.spread, side.form + LinearForm(cells_.statuses_at(s, side.statuses, 0)));
            const auto space = space_without(system_, cells_.shapes()[s], cells_.closed().empty).constraints();
            const Maximum here = explore::maximise(space, left, cells_.queues());
            require(here.kind != Maximum::Kind::unbounded, "a factor that the form supports");
            if (here.kind == Maximum::Kind::attained && (!most || here.value > *most)) most = here.value;
        }
        theorem.constant = most.value_or(Rational(0));
    }

    std::variant<RayProof, std::string> prove(const HeavyRayTheorem& theorem) {
        if (const std::string wrong = arithmetic_rejection(system_, theorem); !wrong.empty())
            throw OracleConflict("the ray that was found does not fit: " + wrong);
        QuestionProofs proved = prove_all(questions(system_, theorem), budget_);
        if (!proved.failed.empty()) return proved.failed;
        return RayProof{theorem, std::move(proved.proofs), proved.statistics};
    }

    const SlackCells& cells_;
    const HeavyLowerTheorem& lower_;
    const explore::Budget& budget_;
    const SymbolicSystem& system_;
    std::vector<Rational> price_;  // by queue
};

}  // namespace

std::variant<RayProof, std::string> best_ray(const SlackCells& cells, const HeavyLowerTheorem& lower,
                                             const explore::Budget& budget) {
    return RaySearch(cells, lower, budget).run();
}

}  // namespace schedproof::heavy_traffic
