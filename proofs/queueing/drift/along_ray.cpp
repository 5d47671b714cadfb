#include "proofs/queueing/drift/along_ray.hpp"

#include <algorithm>

#include "model/core/errors.hpp"
#include "proofs/queueing/theorems/drift.hpp"
#include "proofs/queueing/theorems/lyapunov.hpp"

namespace schedproof::queueing {

using explore::Affine;
using proof::LinearForm;

namespace {

/// Answers as every large k does.
class FarDecider final : public explore::Decider {
  public:
    explicit FarDecider(const proof::Space& space) : Decider(space) {}
    /// The answers are those of every integer k from here on.
    [[nodiscard]] const Rational& from() const { return from_; }

  private:
    /// A normal atom of the only symbol is k >= bound, which holds in the end. The integer part of what grows with k
    /// would be asked for without end.
    [[nodiscard]] bool choose(const proof::Atom& atom) override {
        if (++asked_ > most_atoms) throw LimitExceeded("atoms", "the slot asks too much along a ray");
        from_ = std::max(from_, atom.bound);
        return true;
    }
    static constexpr std::size_t most_atoms = 5'000;
    std::size_t asked_ = 0;
    Rational from_{0};
};

std::int64_t entry(const CheckedInt& at, std::int64_t step, std::int64_t k) {
    return (at + CheckedInt(step) * CheckedInt(k)).value();
}

}  // namespace

std::string RayDrift::text() const {
    const std::string value = slope.sign() == 0 ? "stays " + constant.to_string()
                                                : "is " + constant.to_string() + " + " + slope.to_string() + " k";
    return from > 1 ? value + " from k = " + std::to_string(from) + " on" : value;
}

ExactState along(const ExactState& start, const Direction& direction, std::int64_t k) {
    ExactState state = start;
    auto step = direction.begin();
    for (CheckedInt& n : state.length) n = CheckedInt(entry(n, *step++, k));
    for (CheckedInt& n : state.memory) n = CheckedInt(entry(n, *step++, k));
    return state;
}

RayDrift drift_along(const SymbolicSystem& system, const ExactSystem& exact, const ExactState& start,
                     const Direction& direction, const LyapunovForm& v) {
    require(!system.layout().lists_tasks(), "queues that list no tasks");
    require(direction.size() == start.length.size() + start.memory.size(), "a step for every symbol");
    require(std::none_of(direction.begin(), direction.begin() + static_cast<std::ptrdiff_t>(start.length.size()),
                         [](std::int64_t step) { return step < 0; }),
            "a direction in which no queue shrinks");
    require(std::any_of(direction.begin(), direction.end(), [](std::int64_t step) { return step != 0; }),
            "a direction that leads on");
    proof::Space space;
    space.add("k", true, Rational(0));
    FarDecider decider(space);
    const std::vector<Rational> point = system.point(start);
    std::vector<Affine> symbols;
    for (std::size_t x = 0; x < point.size(); ++x) {
        LinearForm form(point[x]);
        form.add(Rational(direction[x]), LinearForm::variable(0));
        symbols.emplace_back(std::move(form), &decider);
    }
    const LinearForm change = symbolic_drift(system, system.state(start, symbols), v);
    RayDrift found{change.constant(), change.is_constant() ? Rational(0) : change.terms().begin()->second,
                   NumberTraits<CheckedInt>::coefficient(decider.from()).value()};
    for (const std::int64_t k : {found.from, found.from + 1})
        if (const Rational here = drift(exact, along(start, direction, k), v);
            here != found.constant + found.slope * Rational(k))
            throw OracleConflict("the drift along a ray is not that of its states: " + here.to_string());
    return found;
}

}  // namespace schedproof::queueing
