/// Everything is written as integers: a form is multiplied by the denominators of its coefficients, and V as a whole by
/// one number, so that what the theorem says of scale * V and scale * delta it says of V and delta.
///
/// A regret of V is a pair of pieces, c max l_k and -c' l under one condition; it is written as one term
/// c (max l_k - (c'/c) l), which is at least zero where (c'/c) l is one of the l_k. Merging them changes no comparison:
/// a maximum over one form makes none.
#include "proofs/rocq/export/gallina.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "model/core/errors.hpp"

namespace schedproof::rocq {

using proof::LinearForm;
using queueing::Arrangement;
using queueing::Instance;
using queueing::Layout;
using queueing::LyapunovForm;
using queueing::Service;
using queueing::language::Op;

namespace {

tl::unexpected<std::string> none(std::string reason) { return tl::unexpected<std::string>(std::move(reason)); }

/// A list of what `make` makes of each element.
template <class Range, class Make>
Term list(const Range& range, Make&& make, std::string scope = "") {
    std::vector<Term> parts;
    for (const auto& element : range) parts.push_back(make(element));
    return Term::list(std::move(parts), std::move(scope));
}

/// An option by its number; the name in the theory differs here and there from the one in files.
template <class Enum>
Term option_term(Enum value) {
    const auto number = static_cast<std::size_t>(value);
    std::string name(queueing::OptionNames<Enum>::values[number]);
    if constexpr (std::is_same_v<Enum, queueing::Unmatched>)
        if (value == queueing::Unmatched::idle) name = "idle_again";
    std::replace(name.begin(), name.end(), '-', '_');
    return Term::constructor(std::move(name), number);
}

Term arrivals_term(const Instance& instance) {
    return list(instance.arrivals().factors(), [&](const queueing::ArrivalFactor& factor) {
        return list(factor.outcomes(), [&](const queueing::ArrivalOutcome& outcome) {
            std::vector<std::uint32_t> count(instance.types().size());
            for (std::size_t i = 0; i < outcome.count.size(); ++i) count[factor.types()[i].index()] += outcome.count[i];
            return Term::pair(Term::fraction(outcome.probability),
                              list(
                                  count, [](std::uint32_t n) { return Term::natural(n); }, "nat"));
        });
    });
}

MaybeTerm expression(const queueing::language::Tree& tree, std::size_t at) {
    const auto& node = tree[at];
    const queueing::language::Operation& row = queueing::language::operation(node.op);
    if (row.rocq.number < 0)
        return none("the theory has no term for rules such as " + queueing::to_string(tree.subtree(at)) +
                    ", which draw, follow a plan or name servers by their numbers");
    std::vector<Term> parts;
    std::size_t child = 0;
    for (std::size_t k = 0; k < parts_of(row); ++k) {
        if (!is_expression(row.parts[k])) {
            parts.push_back(Term::integer(node.a));
            if (row.parts[k] == queueing::language::Part::number) parts.push_back(Term::integer(node.b));
            continue;
        }
        MaybeTerm part = expression(tree, tree.child(at, child++));
        if (!part) return part;
        parts.push_back(*std::move(part));
    }
    return Term::constructor(std::string(row.rocq.name), static_cast<std::size_t>(row.rocq.number), std::move(parts));
}

Term status_term(const Service& service) {
    if (service.status == Service::Status::idle) return Term::constructor("Idle", 0);
    const bool busy = service.status == Service::Status::busy;
    return Term::constructor(busy ? "Busy" : "Phantom", busy ? 1 : 2, {Term::natural(service.queue.index())});
}

Integer denominators(const LinearForm& form) {
    std::vector<Rational> numbers{form.constant()};
    for (const auto& [x, c] : form.terms()) numbers.push_back(c);
    return common_denominator(numbers);
}

Term lyapunov_record(std::vector<Term> products, std::vector<Term> regrets) {
    return Term::record({"products", "regrets"}, {Term::list(std::move(products)), Term::list(std::move(regrets))});
}

/// c (max of forms - less), c > 0.
struct Regret {
    std::optional<LyapunovForm::Condition> when;
    Rational coefficient;
    std::vector<LinearForm> largest_of;
    LinearForm less;
};

bool nonnegative(const LinearForm& form) {
    return form.constant().sign() >= 0 && std::all_of(form.terms().begin(), form.terms().end(),
                                                      [](const auto& term) { return term.second.sign() >= 0; });
}

tl::expected<std::vector<Regret>, std::string> regrets(const LyapunovForm& v) {
    std::vector<Regret> found;
    for (const LyapunovForm::Piece& piece : v.pieces) {
        const bool merges = piece.coefficient.sign() < 0 && piece.largest_of.size() == 1 && !found.empty() &&
                            found.back().when == piece.when && found.back().less == LinearForm();
        if (merges) {
            LinearForm less = piece.largest_of.front();
            less *= -piece.coefficient / found.back().coefficient;
            found.back().less = std::move(less);
        } else if (piece.coefficient.sign() > 0) {
            found.push_back({piece.when, piece.coefficient, piece.largest_of, {}});
        } else {
            return none("a term of V is negative");
        }
    }
    for (const Regret& regret : found) {
        const auto& forms = regret.largest_of;
        const bool own = std::find(forms.begin(), forms.end(), regret.less) != forms.end();
        if (!own && !(regret.less == LinearForm() && std::any_of(forms.begin(), forms.end(), nonnegative)))
            return none("the theory does not see that V is at least zero: a regret is of a form not under its maximum");
    }
    return found;
}

}  // namespace

MaybeTerm condition_term(const std::optional<LyapunovForm::Condition>& when, const Instance& instance,
                         const Layout& layout) {
    if (!when) return Term::constructor("Always", 0);
    if (when->level && (!when->queue || !layout.serves(instance, when->server, *when->queue) ||
                        layout.service_level(instance, *when->queue, when->server) != *when->level))
        return none("a condition of V names a level");
    const std::size_t first = when->phantom ? 3 : 1;
    const std::string what = when->phantom ? "WhilePhantom" : "WhileBusy";
    const Term server = Term::natural(when->server.index());
    if (!when->queue) return Term::constructor(what, first, {server});
    return Term::constructor(what + (when->phantom ? "Of" : "With"), first + 1,
                             {server, Term::natural(when->queue->index())});
}

Term form_term(const LinearForm& form, const Rational& scale, std::size_t queues) {
    std::vector<Integer> coefficients(queues);
    for (const auto& [x, c] : form.terms()) coefficients.at(x) = (c * scale).numerator();
    return Term::pair(Term::integer((form.constant() * scale).numerator()), list(coefficients, Term::integer));
}

Term statuses_term(const std::vector<std::vector<Service>>& statuses) {
    return list(statuses, [](const std::vector<Service>& own) { return list(own, status_term); });
}

namespace {

Term rates_term(const Instance& instance) {
    std::vector<Term> rows;
    for (std::size_t row = 0; row < instance.rate_rows(); ++row)
        rows.push_back(list(instance.levels(), [&](Level level) {
            return Term::fraction(instance.rate(instance.first_type(row), level));
        }));
    return Term::list(std::move(rows));
}

Term costs_term(const Instance& instance) {
    std::vector<Rational> costs;
    for (const queueing::TaskType& type : instance.data().types)
        costs.push_back(type.cost * Rational(type.exponent + 1));
    const Rational scale(common_denominator(costs));
    return list(costs, [&](const Rational& cost) { return Term::integer((cost * scale).numerator()); });
}

Term options_term(const queueing::Options& options) {
    return Term::record({"routes", "counts", "unmatched_is", "empty_is", "scarce"},
                        {option_term(options.routing), option_term(options.counting), option_term(options.unmatched),
                         option_term(options.empty_target), option_term(options.scarcity)});
}

}  // namespace

std::string cluster_gap(const Instance& instance, const Layout& layout) {
    if (layout.rates_at_servers()) return "the theory has no rates at servers: its levels are distances";
    if (layout.lists_tasks()) return "the theory has no queues that list the types of their tasks";
    for (const QueueId q : IdRange<QueueId>(layout.queues()))
        if (layout.tracking(q) != queueing::Tracking::counted)
            return "the theory has no tasks whose type is drawn when service starts";
    for (const queueing::TaskType& type : instance.data().types)
        if (layout.arrangement() == Arrangement::per_type && type.exponent != 1)
            return "the theory has quadratic holding costs only";
    return "";
}

Term cluster_term(const Instance& instance) {
    return cluster_term(instance, instance.continuous() ? Term::list({}) : arrivals_term(instance));
}

Term streams_term(const Instance& instance) {
    return list(instance.types(), [&](TaskTypeId type) { return Term::fraction(instance.arrival_rate(type)); });
}

Term cluster_term(const Instance& instance, Term arrivals) {
    const auto row = [&](TaskTypeId type) { return Term::natural(instance.row(type)); };
    const auto levels_of_type = [&](TaskTypeId type) {
        return list(instance.servers(), [&](ServerId m) { return Term::natural(instance.level(type, m).index()); });
    };
    const auto levels_of_server = [&](ServerId m) {
        return list(instance.servers(), [&](ServerId n) { return Term::natural(instance.distance(m, n).index()); });
    };
    return Term::record(
        {"servers", "rates", "row_of_type", "level_of_task", "level_between", "marginal_costs", "arrivals",
         "option_of"},
        {Term::natural(instance.servers().size(), "nat"), rates_term(instance), list(instance.types(), row, "nat"),
         list(instance.types(), levels_of_type, "nat"), list(instance.servers(), levels_of_server, "nat"),
         costs_term(instance), std::move(arrivals), options_term(instance.options())});
}

MaybeTerm policy_term(const queueing::Rules& rules) {
    MaybeTerm route = expression(rules.route(), rules.route().root());
    if (!route) return route;
    MaybeTerm serve = expression(rules.serve(), rules.serve().root());
    if (!serve) return serve;
    Term keeps =
        Term::constructor(std::string(to_string(rules.arrangement())), static_cast<std::size_t>(rules.arrangement()));
    return Term::record({"keeps", "route", "serve"}, {std::move(keeps), *std::move(route), *std::move(serve)});
}

namespace {

/// What the products weigh over integral forms, if each is seen to be at least zero.
tl::expected<std::vector<Rational>, std::string> product_weights(const LyapunovForm& v) {
    std::vector<Rational> weights;
    for (const auto& product : v.products) {
        const bool square = product.first == product.second;
        if (product.coefficient.sign() < 0 || !(square || (nonnegative(product.first) && nonnegative(product.second))))
            return none(
                "the theory does not see that V is at least zero: a product is neither a square nor of factors "
                "without negative coefficients");
        weights.push_back(product.coefficient / Rational(denominators(product.first) * denominators(product.second)));
    }
    return weights;
}

/// Of weights that the scale makes integral.
std::vector<Term> product_terms(const LyapunovForm& v, const std::vector<Rational>& weights, const Rational& scale,
                                const Layout& layout) {
    std::vector<Term> terms;
    for (std::size_t i = 0; i < v.products.size(); ++i) {
        const auto& [coefficient, first, second] = v.products[i];
        terms.push_back(Term::constructor("Product", std::nullopt,
                                          {Term::integer((weights[i] * scale).numerator()),
                                           form_term(first, Rational(denominators(first)), layout.queues()),
                                           form_term(second, Rational(denominators(second)), layout.queues())}));
    }
    return terms;
}

/// Pieces of one form each as regrets, times a scale that makes them integral.
tl::expected<std::vector<Term>, std::string> linear_terms(const LyapunovForm& w, const Integer& scale,
                                                          const Instance& instance, const Layout& layout) {
    std::vector<Term> terms;
    for (const LyapunovForm::Piece& piece : w.pieces) {
        MaybeTerm when = condition_term(piece.when, instance, layout);
        if (!when) return none(when.error());
        const Term form = form_term(piece.largest_of.at(0), piece.coefficient * Rational(scale), layout.queues());
        terms.push_back(
            Term::constructor("Regret", std::nullopt,
                              {*std::move(when), Term::integer(1), Term::list({form}), form_term({}, Rational(1), 0)}));
    }
    return terms;
}

}  // namespace

tl::expected<LyapunovTerm, std::string> lyapunov_term(const LyapunovForm& v, const Rational& delta,
                                                      const Instance& instance, const Layout& layout) {
    const auto found = regrets(v);
    if (!found) return none(found.error());
    auto of_products = product_weights(v);
    if (!of_products) return none(of_products.error());
    std::vector<Rational> weights = *std::move(of_products);  // and then of regrets, over integral forms
    std::vector<Rational> factors;
    for (const Regret& regret : *found) {
        Integer factor = denominators(regret.less);
        for (const LinearForm& form : regret.largest_of) factor = lcm(factor, denominators(form));
        factors.emplace_back(factor);
        weights.push_back(regret.coefficient / Rational(factor));
    }
    std::vector<Rational> numbers = weights;
    numbers.push_back(delta);
    const Integer scale = common_denominator(numbers);
    const auto weight = [&](std::size_t i) { return Term::integer((weights[i] * Rational(scale)).numerator()); };
    const auto form = [&](const LinearForm& of, const Rational& factor) {
        return form_term(of, factor, layout.queues());
    };
    std::vector<Term> terms;
    for (std::size_t i = 0; i < found->size(); ++i) {
        const Regret& regret = (*found)[i];
        MaybeTerm when = condition_term(regret.when, instance, layout);
        if (!when) return none(when.error());
        terms.push_back(
            Term::constructor("Regret", std::nullopt,
                              {*std::move(when), weight(v.products.size() + i),
                               list(regret.largest_of, [&](const LinearForm& of) { return form(of, factors[i]); }),
                               form(regret.less, factors[i])}));
    }
    return LyapunovTerm{lyapunov_record(product_terms(v, weights, Rational(scale), layout), std::move(terms)), scale};
}

MaybeTerm linear_term(const LyapunovForm& w, const Integer& scale, const Instance& instance, const Layout& layout) {
    auto terms = linear_terms(w, scale, instance, layout);
    if (!terms) return none(terms.error());
    return lyapunov_record({}, *std::move(terms));
}

tl::expected<LyapunovTerm, std::string> quadratic_term(const LyapunovForm& v, std::vector<Rational> numbers,
                                                       const Instance& instance, const Layout& layout) {
    const auto weights = product_weights(v);
    if (!weights) return none(weights.error());
    numbers.insert(numbers.end(), weights->begin(), weights->end());
    for (const LyapunovForm::Piece& piece : v.pieces) {
        if (piece.largest_of.size() != 1) return none("the theory has no maxima in what bounds the rest of the tasks");
        numbers.push_back(piece.coefficient * piece.largest_of.front().constant());
        for (const auto& [q, c] : piece.largest_of.front().terms()) numbers.push_back(piece.coefficient * c);
    }
    const Integer scale = common_denominator(numbers);
    auto terms = linear_terms(v, scale, instance, layout);
    if (!terms) return none(terms.error());
    return LyapunovTerm{lyapunov_record(product_terms(v, *weights, Rational(scale), layout), *std::move(terms)), scale};
}

std::string fraction_text(const Rational& q) {
    return fmt::format("({} # {})", q.numerator().str(), q.denominator().str());
}

std::string comment(const std::string& text) {
    std::string inside;
    for (const char c : text) {
        if (!inside.empty() && ((inside.back() == '(' && c == '*') || (inside.back() == '*' && c == ')')))
            inside += ' ';
        inside += c == '"' ? '\'' : c;
    }
    return "(* " + inside + " *)";
}

std::string identifier(const std::string& name, const std::string& kind) {
    std::string plain;
    for (const char c : name) {
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        const bool digit = c >= '0' && c <= '9';
        if (plain.empty() && !letter) plain += 'x';
        plain += letter || digit ? c : '_';
    }
    return plain + "_" + kind;
}

}  // namespace schedproof::rocq
