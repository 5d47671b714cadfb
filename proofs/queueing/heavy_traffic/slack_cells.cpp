/// Both ends explored shape by shape; each leaf keeps its constraints and what a slot does there, for linear programs.
#include "proofs/queueing/heavy_traffic/slack_cells.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "model/core/errors.hpp"
#include "proofs/explore/ask.hpp"
#include "proofs/queueing/drift/closed_set_search.hpp"

namespace schedproof::heavy_traffic {

using namespace queueing;
using explore::Affine;
using proof::Constraint;
using proof::LinearForm;

QuestionProofs prove_all(const std::vector<explore::Question>& questions, const explore::Budget& budget) {
    QuestionProofs all;
    for (const explore::Question& question : questions) {
        explore::Reply reply = explore::ask(question, budget);
        all.statistics += reply.statistics;
        if (auto* found = std::get_if<proof::ExploredProof>(&reply.result)) {
            all.proofs.push_back(std::move(*found));
            continue;
        }
        const auto* ended = std::get_if<explore::Ended>(&reply.result);
        all.failed = question.name + ": " +
                     (ended ? ended->reason : "what was found by linear programs does not hold at every state");
        break;
    }
    return all;
}

namespace {

const SymbolicSystem& with_counts_alone(const SymbolicSystem& system) {
    if (system.layout().lists_tasks() || system.counters() > 0)
        throw LimitExceeded("states", "the policy's queues list tasks, or it keeps counters: no form speaks of them");
    return system;
}

}  // namespace

SlackCells::SlackCells(const SymbolicSystem& system, const explore::Budget& budget)
    : system_(&with_counts_alone(system)),
      ends_(slack_ends(system)),
      closed_(find_closed_set(system, types_of_slack(system.instance()), budget)),
      shapes_(shapes_of(closed_.statuses)),
      basis_(system.layout(), closed_.statuses) {
    for (std::size_t end = 0; end < 2; ++end)
        for (std::size_t shape = 0; shape < shapes_.size(); ++shape) explore_at(end, shape, budget);
    for (const SlackCell& cell : cells_) rows_.push_back(basis_.drifts(shapes_[cell.shape].serving, cell.outcomes));
}

void SlackCells::explore_at(std::size_t end, std::size_t shape, const explore::Budget& budget) {
    const proof::Space space = space_without(*system_, shapes_[shape], closed_.empty);
    const SymbolicSystem& at = *ends_.system[end];
    auto found = explore::explore(
        space,
        [&](const std::vector<Affine>& symbols) { return linear_outcomes(at, at.state(shapes_[shape], symbols)); },
        budget);
    statistics_ += found.statistics;
    if (found.ended) throw LimitExceeded("exploration", *found.ended);
    for (const proof::Tree::Node& node : found.tree.nodes) compared_.insert(on_live_queues(node.atom.form));
    proof::for_each_leaf(space, found.tree, [&](std::uint32_t leaf, const std::vector<Constraint>& path) {
        cells_.push_back({end, shape, path, std::move(found.leaves[leaf])});
    });
}

bool SlackCells::is_empty(std::size_t queue) const {
    return std::binary_search(closed_.empty.begin(), closed_.empty.end(), QueueId(queue));
}

std::string SlackCells::name(const SlackCell& cell) const {
    std::string text = shape_name(*system_, shapes_[cell.shape]);
    const proof::Space space = system_->space(shapes_[cell.shape]);
    for (std::size_t i = space.symbols.size() + closed_.empty.size(); i < cell.path.size(); ++i)
        text += fmt::format("; {} {} 0", to_string(cell.path[i].form, space), cell.path[i].strict ? ">" : ">=");
    return text;
}

std::vector<Rational> SlackCells::on_live_queues(const LinearForm& form) const {
    std::vector<Rational> coefficients(basis_.queues);
    Integer divisor = 0;
    int sign = 0;
    for (const auto& [q, c] : form.terms())
        if (q < basis_.queues && !is_empty(q)) {
            coefficients[q] = c;
            divisor = gcd(divisor, c.numerator());
            if (sign == 0) sign = c.sign();
        }
    if (sign != 0)
        for (Rational& c : coefficients) c /= Rational(sign > 0 ? divisor : Integer(-divisor));
    return coefficients;
}

Rational SlackCells::statuses_at(std::size_t shape, const std::vector<Rational>& weights, std::size_t from) const {
    Rational sum;
    for (std::size_t i = 0; i < basis_.indicators.size(); ++i)
        if (basis_.indicators[i].holds(shapes_[shape].serving)) sum += weights[from + i];
    return sum;
}

}  // namespace schedproof::heavy_traffic
