/// A ray with more tasks than the workload needs.
///
/// A queue has the largest price of the types that the code routes to it. For a form l that falls where it is large,
/// (R) asks for zeta z_i - 1 <= lambda l_i for every queue i: the largest zeta is a linear program in two variables,
/// solved by its vertices. Forms are those that the code compares, on either side.
///
/// Where none of them does, queues may starve: those that the workload counts for more than the price of what is
/// routed to them, for such a task brings a loss. With a bound of their tasks and the forms of its collapse, the
/// largest zeta is a linear program again; a second one keeps zeta and makes the multiples of the forms small.
#include "proofs/queueing/heavy_traffic/ray_search.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <optional>

#include "model/core/errors.hpp"
#include "proofs/explore/farkas.hpp"
#include "proofs/linear_programs/linear_program.hpp"
#include "proofs/queueing/heavy_traffic/base_search.hpp"
#include "proofs/queueing/heavy_traffic/collapse_sides.hpp"
#include "proofs/queueing/heavy_traffic/upper_search.hpp"
#include "proofs/queueing/heavy_traffic/workload_search.hpp"

namespace schedproof::heavy_traffic {

using namespace queueing;
using capacity::LinearProgram;
using capacity::LinearRow;
using capacity::Relation;
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
        if (!best) return with_starving();
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

    /// The queues that the workload counts for more than the price of what is routed to them, one each.
    [[nodiscard]] LinearForm starving_queues() const {
        const Workloads workloads(cells_, lower_.prices);
        LinearForm starving;
        for (std::size_t q = 0; q < cells_.queues(); ++q)
            if (!cells_.is_empty(q) && workloads.honest().weights[q] > price_[q])
                starving.add(Rational(1), LinearForm::variable(static_cast<proof::Variable>(q)));
        return starving;
    }

    std::variant<RayProof, std::string> with_starving() {
        constexpr const char* none =
            "no form that the policy compares keeps its state near a ray with more tasks than needed";
        const LinearForm starving = starving_queues();
        if (starving.is_constant()) return none;
        UpperOutcome bound = upper_with_starving(cells_, lower_.prices, starving, budget_);
        if (std::holds_alternative<UpperUnknown>(bound)) return none;
        auto& upper = std::get<UpperProof>(bound);
        if (upper.theorem.constant != lower_.constant) return none;
        HeavyRayTheorem theorem;
        theorem.lower = lower_;
        theorem.price = price_;
        theorem.collapse = upper.theorem.collapse;
        theorem.starving = HeavyRayTheorem::Starving{std::move(upper.theorem), Rational(0)};
        if (!choose_multiples(theorem) || theorem.factor <= Rational(1)) return none;
        return prove(theorem, std::move(upper));
    }

    /// (R) for each queue: zeta z_i - 1 <= sum of lambda_j l_ji + the multiple of s_i. Variables: zeta, the multiple of
    /// s, lambda_j by form; lambda is their sum.
    [[nodiscard]] LinearProgram multiples(const HeavyRayTheorem& theorem, const std::optional<Rational>& factor) const {
        LinearProgram program;
        (void)program.add_variable(Rational(factor ? 0 : -1));
        for (std::size_t x = 0; x <= theorem.collapse.forms.size(); ++x)
            (void)program.add_variable(Rational(factor ? 1 : 0));
        if (factor) program.rows.push_back({{{0, Rational(1)}}, Relation::at_least, *factor});
        for (std::size_t i = 0; i < cells_.queues(); ++i) {
            if (cells_.is_empty(i)) continue;
            const auto q = static_cast<proof::Variable>(i);
            LinearRow row{{{0, price_[i]}}, Relation::at_most, Rational(1)};
            const auto add = [&](std::uint32_t x, const LinearForm& form) {
                if (const Rational c = form.coefficient(q); c.sign() != 0) row.entries.emplace_back(x, -c);
            };
            add(1, theorem.starving->upper.starving);
            for (std::size_t j = 0; j < theorem.collapse.forms.size(); ++j)
                add(static_cast<std::uint32_t>(2 + j), over_queues(theorem.collapse.forms[j].form));
            program.rows.push_back(std::move(row));
        }
        return program;
    }
    [[nodiscard]] static LinearForm over_queues(const LyapunovForm& form) {
        LinearForm sum;
        for (const LyapunovForm::Piece& piece : form.pieces)
            if (!piece.when) sum.add(piece.coefficient, piece.largest_of.front());
        return sum;
    }
    [[nodiscard]] bool choose_multiples(HeavyRayTheorem& theorem) const {
        const auto largest = capacity::solve(multiples(theorem, std::nullopt));
        if (!largest) return false;
        const auto smallest = capacity::solve(multiples(theorem, largest->x.front()));
        if (!smallest) return false;
        theorem.factor = largest->x.front();
        theorem.starving->multiple = smallest->x[1];
        theorem.spread = std::accumulate(smallest->x.begin() + 2, smallest->x.end(), Rational(0));
        return true;
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

    /// `known` are proofs of its first questions.
    std::variant<RayProof, std::string> prove(const HeavyRayTheorem& theorem, UpperProof known = {}) {
        if (const std::string wrong = arithmetic_rejection(system_, theorem); !wrong.empty())
            throw OracleConflict("the ray that was found does not fit: " + wrong);
        std::vector<explore::Question> left = questions(system_, theorem);
        left.erase(left.begin(), left.begin() + static_cast<std::ptrdiff_t>(known.proofs.size()));
        QuestionProofs proved = prove_all(left, budget_);
        if (!proved.failed.empty()) return proved.failed;
        known.statistics += proved.statistics;
        known.proofs.insert(known.proofs.end(), std::make_move_iterator(proved.proofs.begin()),
                            std::make_move_iterator(proved.proofs.end()));
        return RayProof{theorem, std::move(known.proofs), known.statistics};
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
