/// The exact one-step drift of a Lyapunov function on symbolic lengths, and the questions of a drift theorem.
///
/// In each outcome of a slot a queue changes by a constant. A product a b of V therefore changes by a db + b da + da
/// db, which is affine in the lengths, and its mean needs E[da], E[db] and E[da db] only. `MeanChange` collects these
/// numbers over the outcomes and multiplies once at the end. A maximum of forms is settled by comparisons, which split
/// the cell. In continuous time a state is reached only if it is settled; of others nothing is asked. One question per
/// server shows that no slot leads out of the listed statuses. `serve` sees the others only
/// by their tasks in execution, so shapes with equal numbers are asked about once.
/// Cost: shapes are the product of the lists of statuses; each takes one enumeration of the slot per cell.
///
/// Long: the drift on a cell, the closed set, and the theorem that asks about both.
#include "proofs/queueing/theorems/drift.hpp"

#include <algorithm>
#include <memory>
#include <set>

#include "model/core/errors.hpp"
#include "proofs/queueing/theorems/about.hpp"
#include "proofs/queueing/theorems/boundedness.hpp"
#include "proofs/queueing/theorems/lyapunov_formula.hpp"
#include "proofs/queueing/theorems/summands/summands.hpp"
#include "proofs/queueing/theorems/user_lyapunov.hpp"

namespace schedproof::queueing {

using explore::Affine;
using explore::Forbidden;
using explore::Question;
using proof::LinearForm;

LyapunovForm::Linear sum_of_queues(const Layout& layout) {
    LinearForm sum;
    for (std::size_t q = 0; q < layout.queues(); ++q) sum += LinearForm::variable(static_cast<proof::Variable>(q));
    return sum;
}

std::string vacuity(const LyapunovForm::Linear& measure, const Rational& threshold) {
    if (measure.is_constant()) return "the measure is constant: it depends on no queue";
    const bool grows =
        std::any_of(measure.terms().begin(), measure.terms().end(), [](const auto& term) { return term.second > 0; });
    if (grows || measure.constant() >= threshold) return "";
    return "no state reaches the threshold " + threshold.to_string() + ": the measure is at most " +
           measure.constant().to_string();
}

LinearForm on_symbols(const LyapunovForm::Linear& form, const SymbolicSystem& system, const Shape& shape) {
    std::vector<Affine> symbols;  // never compared, so without a decider
    const std::size_t count = system.space(shape).symbols.size();
    for (proof::Variable x = 0; x < count; ++x) symbols.emplace_back(LinearForm::variable(x), nullptr);
    return detail::evaluate(form, system.state(shape, symbols).length).form();
}

namespace {

/// later - earlier, of lengths that differ by a constant.
Rational growth(const Affine& later, const Affine& earlier) {
    require(later.form().terms() == earlier.form().terms(), "a slot changes a queue by a constant");
    return later.form().constant() - earlier.form().constant();
}

/// The changes of the queues in a move.
std::vector<Rational> growths(const SymbolicState& now, const SymbolicMove& move) {
    std::vector<Rational> all;
    for (std::size_t q = 0; q < now.length.size(); ++q) all.push_back(growth(move.slot.next.length[q], now.length[q]));
    return all;
}

/// The mean of weights times the change of V, with whatever does not depend on the outcome of the slot computed once.
/// With probabilities as weights the same value as the mean of LyapunovForm::change, for a fraction of the work.
class MeanChange {
  public:
    MeanChange(const LyapunovForm& v, const SymbolicState& now) : v_(v), now_(now) {
        means_.resize(v.products.size());
        for (const LyapunovForm::Piece& piece : v.pieces) {
            at_now_.emplace_back();
            for (const LinearForm& form : piece.largest_of)
                at_now_.back().push_back(detail::evaluate(form, now.length));
            if (!piece.when || piece.when->holds(now.serving))
                pieces_now_.add(piece.coefficient, largest(at_now_.back()).form());
        }
    }
    void add(const SymbolicMove& move) { add(move, growths(now_, move), move.probability); }
    /// Of a move in which the queues change by `growth`.
    void add(const SymbolicMove& move, const std::vector<Rational>& growth, const Rational& weight) {
        const SymbolicState& next = move.slot.next;
        growth_ = growth;
        sum_.add(-weight, pieces_now_);
        for (std::size_t i = 0; i < means_.size(); ++i) {
            const Rational first = growth_of(v_.products[i].first), second = growth_of(v_.products[i].second);
            means_[i].first += weight * first;
            means_[i].second += weight * second;
            means_[i].both += weight * first * second;
        }
        for (std::size_t j = 0; j < v_.pieces.size(); ++j) {
            const LyapunovForm::Piece& piece = v_.pieces[j];
            if (piece.when && !piece.when->holds(next.serving)) continue;
            std::vector<Affine> forms = at_now_[j];
            for (std::size_t k = 0; k < forms.size(); ++k) forms[k] += Affine(growth_of(piece.largest_of[k]));
            sum_.add(weight * piece.coefficient, largest(forms).form());
        }
    }
    /// V now, in the symbols of products.
    [[nodiscard]] LinearForm value(const proof::Space& space) const {
        LinearForm value = pieces_now_;
        for (const LyapunovForm::Product& product : v_.products)
            value.add(product.coefficient, space.product(detail::evaluate(product.first, now_.length).form(),
                                                         detail::evaluate(product.second, now_.length).form()));
        return value;
    }
    [[nodiscard]] LinearForm total() const {
        LinearForm total = sum_;
        for (std::size_t i = 0; i < means_.size(); ++i) {
            const LyapunovForm::Product& product = v_.products[i];
            total.add(product.coefficient * means_[i].first, detail::evaluate(product.second, now_.length).form());
            total.add(product.coefficient * means_[i].second, detail::evaluate(product.first, now_.length).form());
            total += LinearForm(product.coefficient * means_[i].both);
        }
        return total;
    }

  private:
    static const Affine& largest(const std::vector<Affine>& values) {
        const Affine* best = &values.front();
        for (const Affine& other : values)
            if (&other != best && other > *best) best = &other;
        return *best;
    }
    [[nodiscard]] Rational growth_of(const LinearForm& form) const {
        Rational sum;
        for (const auto& [q, c] : form.terms())
            if (growth_[q].sign() != 0) sum += c * growth_[q];
        return sum;
    }

    /// Means of the changes of a product's factors, and of their product.
    struct Means {
        Rational first, second, both;
    };
    const LyapunovForm& v_;
    const SymbolicState& now_;
    std::vector<Rational> growth_;  // of each queue, in the move at hand
    std::vector<Means> means_;
    std::vector<std::vector<Affine>> at_now_;  // the forms of each piece
    LinearForm pieces_now_, sum_;
};

}  // namespace

LinearForm symbolic_drift(const SymbolicSystem& system, const SymbolicState& state, const LyapunovForm& v) {
    MeanChange change(v, state);
    for (const SymbolicMove& move : system.moves(state)) change.add(move);
    return change.total();
}

DriftParts drift_parts(const SymbolicSystem& system, const SymbolicState& state, const LyapunovForm& v,
                       const proof::Space& space) {
    const std::size_t queues = state.length.size();
    MeanChange change(v, state);
    std::vector<MeanChange> joint(queues, change);
    DriftParts parts;
    parts.growth.resize(queues);
    for (const SymbolicMove& move : system.moves(state)) {
        const std::vector<Rational> growth = growths(state, move);
        change.add(move, growth, move.probability);
        for (std::size_t q = 0; q < queues; ++q) {
            if (growth[q].sign() == 0) continue;
            const Rational weight = move.probability * growth[q];
            parts.growth[q] += weight;
            joint[q].add(move, growth, weight);
        }
    }
    parts.drift = change.total();
    for (const MeanChange& one : joint) parts.joint.push_back(one.total());
    parts.value = change.value(space);
    return parts;
}

LinearForm drift_of_product(const DriftParts& parts, const LyapunovForm::Linear& factor, const LinearForm& on_symbols,
                            const proof::Space& space) {
    LinearForm drift = space.product(on_symbols, parts.drift);
    Rational growth;
    for (const auto& [q, c] : factor.terms()) {
        growth += c * parts.growth[q];
        drift.add(c, parts.joint[q]);
    }
    return drift.add(growth, parts.value);
}

Forbidden forbidden(const DriftTheorem& theorem, const LinearForm& measure, const LinearForm& drift) {
    return {
        {measure - LinearForm(theorem.threshold), false},
        {theorem.sense == Sense::below ? drift + LinearForm(theorem.delta) : LinearForm(theorem.delta) - drift, true}};
}

std::vector<Shape> shapes_of(const std::vector<std::vector<Service>>& statuses, std::size_t limit) {
    std::vector<Shape> all(1);
    for (const std::vector<Service>& own : statuses) {
        if (all.size() * own.size() > limit)
            throw LimitExceeded("shapes", "more than " + std::to_string(limit) + " combinations of statuses");
        std::vector<Shape> longer;
        for (const Shape& shape : all)
            for (const Service& status : own) {
                longer.push_back(shape);
                longer.back().serving.push_back(status);
            }
        all = std::move(longer);
    }
    return all;
}

std::string shape_name(const SymbolicSystem& system, const Shape& shape) {
    std::string name;
    for (const Service& s : shape.serving) {
        name += name.empty() ? "f=" : ",";
        if (s.status == Service::Status::idle) {
            name += "idle";
            continue;
        }
        name += (s.status == Service::Status::phantom ? "phantom:" : "") +
                system.layout().name(system.instance(), s.queue) + "@" +
                system.instance().data().levels[s.level.index()].name;
    }
    return name;
}

std::string statuses_rejection(const SymbolicSystem& system, const std::vector<std::vector<Service>>& statuses) {
    if (system.layout().lists_tasks()) return "the policy's queues list their tasks: its shapes are infinitely many";
    return decision_statuses_rejection(system, statuses);
}

std::string decision_statuses_rejection(const SymbolicSystem& system,
                                        const std::vector<std::vector<Service>>& statuses) {
    const Instance& instance = system.instance();
    if (statuses.size() != instance.servers().size()) return "there is not one list of statuses per server";
    for (const auto& own : statuses) {
        if (own.empty() || own.front() != Service{}) return "a list of statuses does not begin with idle";
        for (const Service& status : own)
            if (status.queue.index() >= system.layout().queues() || status.level.index() >= instance.levels().size())
                return "a status has an unknown queue or level";
        if (std::set<Service>(own.begin(), own.end()).size() != own.size()) return "a status is listed twice";
    }
    return "";
}

std::vector<Shape> shapes_with_idle(const SymbolicSystem& system, ServerId m,
                                    const std::vector<std::vector<Service>>& statuses) {
    std::vector<std::vector<Service>> others = statuses;
    others.at(m.index()) = {Service{}};
    std::set<std::vector<std::size_t>> met;
    std::vector<Shape> distinct;
    for (Shape& shape : shapes_of(others)) {
        std::vector<std::size_t> executing(system.layout().queues());
        for (const Service& s : shape.serving)
            if (s.status == Service::Status::busy) ++executing[s.queue.index()];
        if (met.insert(std::move(executing)).second) distinct.push_back(std::move(shape));
    }
    return distinct;
}

std::vector<Service> statuses_led_to(const SymbolicSystem& system, ServerId m, const std::vector<Shape>& shapes,
                                     const std::vector<Affine>& symbols) {
    std::set<Service> found;
    for (const Shape& shape : shapes)
        for (const Service& status : system.statuses_after(system.serve(system.state(shape, symbols), m), m))
            found.insert(status);
    return {found.begin(), found.end()};
}

proof::Space space_without(const SymbolicSystem& system, const Shape& shape, const std::vector<QueueId>& empty) {
    proof::Space space = system.space(shape);
    for (const QueueId q : empty)
        space.premises.push_back({-LinearForm::variable(static_cast<proof::Variable>(q.index())), false});
    return space;
}

std::string without(const SymbolicSystem& system, const std::vector<QueueId>& empty) {
    if (empty.empty()) return "";
    std::string names;
    for (const QueueId q : empty)
        names += (names.empty() ? "Q[" : ", Q[") + system.layout().name(system.instance(), q) + "]";
    return " and no task in " + names + ", which none joins";
}

std::string closed_rejection(const SymbolicSystem& system, const ClosedSet& closed) {
    if (std::string wrong = statuses_rejection(system, closed.statuses); !wrong.empty()) return wrong;
    for (std::size_t i = 0; i < closed.empty.size(); ++i) {
        if (closed.empty[i].index() >= system.layout().queues() || (i > 0 && closed.empty[i] <= closed.empty[i - 1]))
            return "the empty queues are not known ones in ascending order";
        for (const std::vector<Service>& own : closed.statuses)
            for (const Service& status : own)
                if (turns_to_one_of({closed.empty[i]}, status))
                    return "a server serves a queue that is said to be empty";
    }
    return "";
}

bool turns_to_one_of(const std::vector<QueueId>& empty, const Service& status) {
    return status.status == Service::Status::busy && std::binary_search(empty.begin(), empty.end(), status.queue);
}

std::vector<Question> status_questions(const SymbolicSystem& system, const ClosedSet& closed) {
    const std::vector<std::vector<Service>>& statuses = closed.statuses;
    require(statuses.size() == system.instance().servers().size(), "one list of statuses per server");
    if (system.instance().preemptive()) return {};
    Shape idle;  // its symbols range over all lengths, those of every shape among them
    idle.serving.assign(statuses.size(), Service{});
    std::vector<Question> questions;
    for (const ServerId m : system.instance().servers()) {
        const auto body = [&system, m, shapes = shapes_with_idle(system, m, statuses), own = statuses[m.index()],
                           empty = closed.empty](const std::vector<Affine>& symbols) {
            std::vector<Forbidden> impossible;
            for (const Service& status : statuses_led_to(system, m, shapes, symbols))
                if (!turns_to_one_of(empty, status) && std::find(own.begin(), own.end(), status) == own.end())
                    impossible.emplace_back();
            return impossible;
        };
        questions.push_back(
            {"statuses of " + system.instance().server(m).name, space_without(system, idle, closed.empty), body});
    }
    return questions;
}

namespace {

/// Whether a step may bring a task to one of the queues.
bool fills_one_of(const std::vector<QueueId>& empty, const SymbolicSystem& system, const SymbolicState& state) {
    if (empty.empty()) return false;
    for (const SymbolicMove& move : system.moves(state))
        for (const QueueId q : empty)
            if (growth(move.slot.next.length[q.index()], state.length[q.index()]).sign() != 0) return true;
    return false;
}

}  // namespace

std::vector<Question> questions_by_shape(
    const SymbolicSystem& system, const ClosedSet& closed, const std::string& what,
    const std::function<std::vector<Forbidden>(const Shape&, const std::vector<Affine>&)>& forbidden, bool products) {
    std::vector<Question> all = status_questions(system, closed);
    for (const Shape& shape : shapes_of(closed.statuses)) {
        const auto plain = static_cast<std::ptrdiff_t>(system.space(shape).symbols.size());
        all.push_back(
            {what + " " + shape_name(system, shape),
             products ? space_with_products(system, shape, closed.empty) : space_without(system, shape, closed.empty),
             [&system, forbidden, shape, plain, empty = closed.empty](const std::vector<Affine>& symbols) {
                 const std::vector<Affine> own(symbols.begin(), symbols.begin() + plain);
                 const SymbolicState state = system.state(shape, own);
                 if (!system.is_settled(state)) return std::vector<Forbidden>();
                 if (fills_one_of(empty, system, state)) return std::vector<Forbidden>{{}};
                 return forbidden(shape, own);
             }});
    }
    return all;
}

proof::Space space_with_products(const SymbolicSystem& system, const Shape& shape, const std::vector<QueueId>& empty) {
    proof::Space space = space_without(system, shape, empty);
    space.add_products();
    return space;
}

std::vector<Question> questions(const SymbolicSystem& system, const DriftTheorem& theorem) {
    require_fits(theorem.v, system.instance(), system.layout());
    if (theorem.summands) return summand_questions(system, theorem);
    const auto shared = std::make_shared<const DriftTheorem>(theorem);
    return questions_by_shape(
        system, theorem.closed(), "drift", [&system, shared](const Shape& shape, const std::vector<Affine>& symbols) {
            return std::vector<Forbidden>{forbidden(*shared, on_symbols(shared->measure, system, shape),
                                                    symbolic_drift(system, system.state(shape, symbols), shared->v))};
        });
}

std::string stability_gap(const SymbolicSystem& system, const DriftTheorem& theorem) {
    if (theorem.sense != Sense::below) return "the drift is bounded from below, not from above";
    if (std::string gap = boundedness_gap(theorem.v, system.instance(), system.layout()); !gap.empty())
        return "V is not shown to be bounded below: " + gap;
    if (system.layout().lists_tasks() || system.counters() > 0)
        return "states are more than lengths and statuses: those below the threshold may be infinitely many";
    for (const QueueId q : IdRange<QueueId>(system.layout().queues()))
        if (theorem.measure.coefficient(static_cast<proof::Variable>(q.index())).sign() <= 0 &&
            !std::binary_search(theorem.empty.begin(), theorem.empty.end(), q))
            return "the measure does not grow with every queue: states below the threshold are infinitely many";
    return "";
}

std::string sentence(const SymbolicSystem& system, const DriftTheorem& theorem) {
    const bool below = theorem.sense == Sense::below;
    const std::string measure = theorem.measure == sum_of_queues(system.layout())
                                    ? "sum of Q"
                                    : to_string(theorem.measure, system.instance(), system.layout());
    std::string text = "On " + about(system.instance(), system.info().id) +
                       ", the drift of V = " + in_quotes(theorem.v.name) + in_an_event(system.instance()) +
                       (below ? " is at most -" : " is at least ") + theorem.delta.to_string() +
                       " at every state with " + measure + " >= " + theorem.threshold.to_string() +
                       without(system, theorem.empty) + ", for all queue lengths and all statuses of the servers. ";
    if (below) {
        const std::string gap = stability_gap(system, theorem);
        text += gap.empty() ? std::string("V is bounded below, so from every ") +
                                  (theorem.empty.empty() ? "state" : "such state") + " the finite set " + measure +
                                  " < " + theorem.threshold.to_string() + " is reached in finite mean time (Foster). "
                            : "Stability does not follow: " + gap + ". ";
    }
    return text + "Here V = " + formula(theorem.v, system.instance(), system.layout()) + ".";
}

}  // namespace schedproof::queueing
