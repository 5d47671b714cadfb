#include "proofs/explore/explorer.hpp"

#include "model/core/errors.hpp"

namespace schedproof::explore {

using proof::Atom;
using proof::Closed;
using proof::Side;
using proof::ToLeaf;
using proof::ToNode;

Statistics& Statistics::operator+=(const Statistics& other) {
    cells += other.cells;
    closed += other.closed;
    questions += other.questions;
    return *this;
}

Explorer::Explorer(const proof::Space& space, const Budget& budget)
    : Decider(space), space_(space), budget_(budget), feasibility_(space, budget.solver) {}

Statistics Explorer::statistics() const { return {tree_.leaves, closed_, feasibility_.questions()}; }

bool Explorer::choose(const Atom& atom) {
    if (position_ == path_.size()) return ask(atom);
    Step& step = path_[position_++];
    require(tree_.nodes[step.node].atom == atom,
            "the body, run again, asked another question: it must be a function "
            "of its decisions alone");
    if (step.forked) step.holds = stack_.decide(2) == 0;
    return step.holds;
}

/// A new question on this path: close the sides that are empty, fork when none is.
bool Explorer::ask(const Atom& atom) {
    if (path_.size() >= budget_.atoms)
        throw BudgetEnded{"more than " + std::to_string(budget_.atoms) + " questions on one path"};
    const auto node = static_cast<std::uint32_t>(tree_.nodes.size());
    attach(ToNode{node});
    tree_.nodes.push_back({atom, Closed{}, Closed{}});

    const auto feasible = [&](bool holds) {
        if (witness_ && atom.side(holds).holds(*witness_)) return true;
        feasibility_.push(atom.side(holds));
        const Answer answer = feasibility_.check();
        feasibility_.pop(1);
        if (answer == Answer::unknown)
            throw BudgetEnded{"the solver's budget of " + std::to_string(budget_.solver) + " units for one question"};
        if (answer == Answer::feasible) witness_ = feasibility_.witness();
        return answer == Answer::feasible;
    };
    // The side of the known point first: it costs nothing. The point found last lies on the other side, or there is
    // none; either way the path goes on with `holds` and needs a point there.
    const bool first = !witness_ || atom.side(true).holds(*witness_);
    const bool first_feasible = feasible(first);
    const std::optional<std::vector<Rational>> first_witness = witness_;
    const bool other_feasible = feasible(!first);
    const bool yes = first ? first_feasible : other_feasible;
    const bool no = first ? other_feasible : first_feasible;
    closed_ += (yes ? 0 : 1) + (no ? 0 : 1);
    if (!yes && !no) throw EmptyPath{};

    Step step{node, yes, yes && no};
    if (step.forked) step.holds = stack_.decide(2) == 0;
    if (step.holds == first) witness_ = first_witness;
    feasibility_.push(atom.side(step.holds));
    path_.push_back(step);
    ++position_;
    return step.holds;
}

/// Hangs a side under the end of the current path.
void Explorer::attach(Side side) {
    if (path_.empty()) {
        tree_.root = std::move(side);
        return;
    }
    proof::Tree::Node& parent = tree_.nodes[path_.back().node];
    (path_.back().holds ? parent.yes : parent.no) = std::move(side);
}

void Explorer::end_leaf() { attach(ToLeaf{tree_.leaves++}); }

std::vector<proof::Constraint> Explorer::path() const {
    std::vector<proof::Constraint> path = space_.constraints();
    for (const Step& step : path_) path.push_back(tree_.nodes[step.node].atom.side(step.holds));
    return path;
}

bool Explorer::next_path() {
    // The last fork whose second side is still to come; what follows it belongs to the path that has ended.
    if (!stack_.next_path()) return false;
    std::size_t keep = path_.size();
    while (!(path_[keep - 1].forked && path_[keep - 1].holds)) --keep;
    feasibility_.pop(path_.size() - keep + 1);
    path_.resize(keep);
    path_.back().holds = false;
    feasibility_.push(tree_.nodes[path_.back().node].atom.side(false));
    witness_.reset();
    position_ = 0;
    begin_path();
    return true;
}

}  // namespace schedproof::explore
