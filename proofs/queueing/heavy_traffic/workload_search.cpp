/// Workloads near the boundary.
///
/// H0: a queue counts its price, the least w_m / rate over the servers that may serve it. A server that is busy below
/// its price, at t mu < w, counts (w - t mu) / mu besides: all that the service will lose is charged when it starts, so
/// that u > 0 only where something is decided against the prices.
/// H is H0, unless value is lost in states along a direction in which the workload grows and no form does, as where a
/// server idles for its only task is being served by another. Then services count the least more for which v <= 0 there
/// and where nothing is lost: a linear program over the cells.
/// kappa is the least number for which v H is at most kappa u times the largest form, up to a constant, on every cell:
/// a linear program on its directions.
#include "proofs/queueing/heavy_traffic/workload_search.hpp"

#include <algorithm>

#include "model/core/errors.hpp"
#include "proofs/linear_programs/linear_program.hpp"
#include "proofs/queueing/heavy_traffic/collapse_sides.hpp"

namespace schedproof::heavy_traffic {

using namespace queueing;
using capacity::LinearProgram;
using capacity::LinearRow;
using capacity::Relation;
using explore::Maximum;
using proof::Constraint;
using proof::LinearForm;

namespace {

std::vector<Rational> honest_weights(const SlackCells& cells, const BoundaryPrices& prices) {
    std::vector<Rational> weights(cells.basis().size());
    const auto rate = [&](const LyapunovForm::Condition& c) {
        return cells.system().layout().rate(cells.system().instance(), *c.queue, *c.level);
    };
    std::vector<bool> priced(cells.queues());
    for (const auto& condition : cells.basis().indicators) {
        if (condition.phantom) continue;
        const Rational here = prices.server[condition.server.index()] / rate(condition);
        Rational& price = weights[condition.queue->index()];
        if (!priced[condition.queue->index()] || here < price) price = here;
        priced[condition.queue->index()] = true;
    }
    for (std::size_t i = 0; i < cells.basis().indicators.size(); ++i) {
        const auto& condition = cells.basis().indicators[i];
        const Rational& w = prices.server[condition.server.index()];
        if (condition.phantom) continue;
        weights[cells.queues() + i] = w / rate(condition) - weights[condition.queue->index()];
    }
    return weights;
}

}  // namespace

Workloads::Workloads(const SlackCells& cells, const BoundaryPrices& prices) : cells_(cells) {
    sigma_[1] = value_slack(ends_of_slack(cells.system().instance())[1], prices);
    honest_ = workload("H0", honest_weights(cells, prices));
    for (std::size_t i = 0; i < cells_.all().size(); ++i) {
        if (loss(i) < loss(worst_)) worst_ = i;
        largest_loss_ = std::max(largest_loss_, loss(i));
    }
}

std::string Workloads::rejection() const {
    if (loss(worst_).sign() >= 0) return "";
    return "in a slot the workload can fall faster than the prices of the servers allow: the loss is " +
           loss(worst_).to_string();
}

ChargedWorkload Workloads::workload(const std::string& name, std::vector<Rational> weights) const {
    ChargedWorkload made{std::move(weights), {}, {}, {}};
    made.form = cells_.basis().form(name, made.weights);
    for (const SlackCell& cell : cells_.all())
        made.parts.push_back(
            balance_parts(made.form, sigma_[cell.end], cells_.shapes()[cell.shape].serving, cell.outcomes));
    return made;
}

LinearForm Workloads::value_at(const ChargedWorkload& h, const SlackCell& cell) const {
    LinearForm form;
    for (std::size_t q = 0; q < cells_.queues(); ++q)
        form.add(h.weights[q], LinearForm::variable(static_cast<proof::Variable>(q)));
    return form + LinearForm(cells_.statuses_at(cell.shape, h.weights, cells_.queues()));
}

std::optional<std::vector<Rational>> Workloads::growth(std::size_t i, const std::vector<LinearForm>& forms) const {
    std::vector<Rational> per_unit(std::max<std::size_t>(forms.size(), 1));
    const LinearForm h = value_at(honest_, cells_.all()[i]);
    for (std::size_t j = 0; j < per_unit.size(); ++j) {
        std::vector<Constraint> path = cells_.all()[i].path;
        for (const LinearForm& other : forms) path.push_back({forms[j] - other, false});
        const std::vector<LinearForm> own = forms.empty() ? forms : std::vector<LinearForm>{forms[j]};
        const Maximum most = steepest(cells_, std::move(path), h - LinearForm(h.constant()), own);
        if (most.kind == Maximum::Kind::unbounded) return std::nullopt;
        if (most.kind == Maximum::Kind::attained) per_unit[j] = most.value;
    }
    return per_unit;
}

std::variant<ChargedWorkload, const SlackCell*> Workloads::charged(const std::vector<LinearForm>& forms) const {
    std::vector<std::size_t> bad, falling;
    std::vector<std::optional<std::vector<Rational>>> per_unit(cells_.all().size());
    for (std::size_t i = 0; i < cells_.all().size(); ++i) {
        if (loss(i).sign() > 0) per_unit[i] = growth(i, forms);
        if (loss(i).sign() > 0 && !per_unit[i]) bad.push_back(i);
        if (!per_unit[i]) falling.push_back(i);
    }
    std::vector<Rational> weights = honest_.weights;
    if (!bad.empty()) {
        const auto charges = least_charges(falling);
        if (!charges) return &cells_.all()[bad.front()];
        for (std::size_t s = 0; s < charges->size(); ++s) weights[cells_.queues() + s] += (*charges)[s];
    }
    ChargedWorkload h = workload("H", std::move(weights));
    h.growth = std::move(per_unit);
    return h;
}

std::optional<std::vector<Rational>> Workloads::least_charges(const std::vector<std::size_t>& falling) const {
    const std::size_t count = cells_.basis().indicators.size();
    LinearProgram program;
    for (std::size_t s = 0; s < count; ++s) (void)program.add_variable(Rational(1));
    for (const std::size_t i : falling) {
        LinearRow row{{}, Relation::at_most, -loss(i)};
        for (std::size_t s = 0; s < count; ++s)
            if (const Rational& c = cells_.rows()[i][cells_.queues() + s]; c.sign() != 0)
                row.entries.emplace_back(static_cast<std::uint32_t>(s), c);
        program.rows.push_back(std::move(row));
    }
    auto solution = capacity::solve(program);
    if (!solution) return std::nullopt;
    return std::move(solution->x);
}

std::vector<Rational> Workloads::spreads(const ChargedWorkload& h) const {
    std::vector<Rational> least;
    for (std::size_t i = 0; i < cells_.all().size(); ++i) {
        if (!h.growth[i]) continue;
        least.resize(h.growth[i]->size());
        if (h.parts[i].loss.sign() <= 0) continue;
        for (std::size_t j = 0; j < least.size(); ++j)
            least[j] = std::max(least[j], (*h.growth[i])[j] * h.parts[i].loss / loss(i));
    }
    return least;
}

}  // namespace schedproof::heavy_traffic
