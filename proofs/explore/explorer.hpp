/// Symbolic execution: run a body once per way its comparisons can go, for all symbolic inputs at once.
///
/// Stateless exploration, as `enumerate` does it: the body is a function of its decisions and is run again for each
/// path. A decision here is an atom, a linear inequality in the inputs; sides that no input satisfies are closed at
/// once, and both sides otherwise visited. A path that ends is a cell, a polyhedron of inputs on which the body did one
/// fixed thing; its result is a leaf of the tree.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/core/randomness.hpp"
#include "proofs/explore/feasibility.hpp"
#include "proofs/symbolic/affine.hpp"

namespace schedproof::explore {

/// Deterministic limits: the same budget ends the same exploration at the same place on every machine.
struct Budget {
    std::uint64_t solver = 10'000'000;  ///< Z3's resource units per question
    std::uint64_t paths = 100'000;      ///< cells of a question
    /// Called now and then with the number of cells so far; may be empty.
    std::function<void(std::uint64_t)> progress;
    std::uint64_t atoms = 5'000;  ///< on one path: what ends the floor of a value that nothing bounds
};

struct Statistics {
    std::uint64_t cells = 0;
    std::uint64_t closed = 0;     ///< sides that no input satisfies
    std::uint64_t questions = 0;  ///< put to the solver
    Statistics& operator+=(const Statistics& other);
};

template <class Result>
struct Exploration {
    proof::Tree tree;            ///< closed sides carry no multipliers yet: see farkas.hpp
    std::vector<Result> leaves;  ///< by leaf
    Statistics statistics;
    std::optional<std::string> ended;  ///< which budget ended it; then tree and leaves are incomplete
};

/// The decider behind `explore`.
class Explorer final : public Decider {
  public:
    Explorer(const proof::Space& space, const Budget& budget);

    /// Hangs a leaf under the end of the path.
    void end_leaf();
    /// The constraints of the space, then of the path, as `proof::for_each_leaf` gives them.
    [[nodiscard]] std::vector<proof::Constraint> path() const;
    /// Moves on to the next path; false when all have been taken.
    [[nodiscard]] bool next_path();
    /// What ended the exploration, if a budget did. Thrown out of the body, caught by `explore`.
    struct BudgetEnded {
        std::string reason;
    };
    [[nodiscard]] proof::Tree take_tree() { return std::move(tree_); }
    [[nodiscard]] Statistics statistics() const;

  private:
    [[nodiscard]] bool choose(const proof::Atom& atom) override;
    [[nodiscard]] bool ask(const proof::Atom& atom);
    void attach(proof::Side side);

    /// One atom on the current path. A side has been pushed to the solver for each.
    struct Step {
        std::uint32_t node;
        bool holds;
        bool forked;
    };
    const proof::Space& space_;
    const Budget& budget_;
    Feasibility feasibility_;
    DecisionStack stack_;
    std::vector<Step> path_;
    std::size_t position_ = 0;
    std::optional<std::vector<Rational>> witness_;  // a point on the current path, when one is known
    proof::Tree tree_;
    std::uint64_t closed_ = 0;
};

/// The cells of `body(symbols)`, a function of the symbols' comparisons alone: all of them, or those up to the first
/// at which `go_on(cells so far, explorer)` is false.
template <class Body, class GoOn>
[[nodiscard]] auto explore_while(const proof::Space& space, Body&& body, const Budget& budget, GoOn&& go_on) {
    using Result = std::decay_t<std::invoke_result_t<Body&, const std::vector<Affine>&>>;
    Exploration<Result> exploration;
    Explorer explorer(space, budget);
    const std::vector<Affine> inputs = symbols(explorer);
    try {
        do {
            if (exploration.leaves.size() >= budget.paths)
                throw Explorer::BudgetEnded{"more than " + std::to_string(budget.paths) + " cells"};
            try {
                exploration.leaves.push_back(body(inputs));
                explorer.end_leaf();
                if (!go_on(exploration.leaves, std::as_const(explorer))) break;
            } catch (const EmptyPath&) {  // both sides of its last question are closed
            }
            if (budget.progress && exploration.leaves.size() % 64 == 0) budget.progress(exploration.leaves.size());
        } while (explorer.next_path());
    } catch (const Explorer::BudgetEnded& end) {
        exploration.ended = end.reason;
    }
    exploration.statistics = explorer.statistics();
    exploration.tree = explorer.take_tree();
    return exploration;
}

/// All cells of `body(symbols)`.
template <class Body>
[[nodiscard]] auto explore(const proof::Space& space, Body&& body, const Budget& budget = {}) {
    return explore_while(space, std::forward<Body>(body), budget, [](const auto&, const Explorer&) { return true; });
}

}  // namespace schedproof::explore
