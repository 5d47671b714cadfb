/// Theorems about families of loads as JSON: prices at the boundary, forms that collapse, constants at both ends.
///
/// Values are filled member by member: g++ 12 destroys a half-built aggregate when an initialiser throws.
#include <fmt/core.h>

#include <limits>

#include "proofs/certifier/proof_codec.hpp"
#include "proofs/certifier/queueing/theorem_codec.hpp"

namespace schedproof::certify {

using queueing::BoundaryPrices;
using queueing::CollapseTheorem;
using queueing::HeavyLowerTheorem;
using queueing::HeavyRayTheorem;
using queueing::HeavyUpperTheorem;

namespace {

std::string numbers_json(const auto& numbers) {
    return json_list(numbers, [](const Rational& number) { return to_json(number); });
}

std::string prices_json(const BoundaryPrices& prices) {
    return "{\"type\": " + numbers_json(prices.type) + ", \"server\": " + numbers_json(prices.server) + "}";
}

BoundaryPrices read_prices(const StrictCursor& at) {
    BoundaryPrices prices;
    prices.type = read_numbers(at.member("type"));
    prices.server = read_numbers(at.member("server"));
    return prices;
}

Shape prices_shape() {
    return named(record_shape({member("type", list_shape(number_shape()), "By type; the dearest 1."),
                               member("server", list_shape(number_shape()), "By server.")}),
                 "boundary_prices", "Prices of the capacity program at slack 0.");
}

std::array<Rational, 2> read_ends(const StrictCursor& at) {
    std::array<Rational, 2> ends;
    ends[0] = at.item(0).number();
    ends[1] = at.item(1).number();
    return ends;
}

Shape ends_shape() { return tuple_shape({number_shape(), number_shape()}); }

/// An integer that a text spells, of either sign.
std::int64_t read_integer(const StrictCursor& at) {
    const Rational number = at.number();
    constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
    if (!number.is_integer() || number > Rational(most) || number < Rational(-most))
        at.fail("expected an integer of moderate size");
    return static_cast<std::int64_t>(number.numerator());
}

base::Members collapse_members() {
    const Shape form = record_shape({member("form", lyapunov_shape(), "Linear, with integers."),
                                     member("low", number_shape(), "Up to here its exponential counts as there."),
                                     member("high", number_shape(), "From here on its exponential must fall.")});
    return {member("statuses", statuses_shape(), "Of the servers."),
            member("empty", list_shape(index_shape()), "Queues that hold no task at a reachable state."),
            member("forms", list_shape(form), "Exponents of q."),
            member("base", number_shape(), "q."),
            member("rate", number_shape(), "rho: E F(next) <= (1 - rho) F + b."),
            member("bound", number_shape(), "b.")};
}

std::string collapse_json(const CollapseTheorem& theorem) {
    const auto form = [](const queueing::CollapseForm& one) {
        return "{\"form\": " + to_json(one.form) + ", \"low\": " + to_json(Rational(one.low)) +
               ", \"high\": " + to_json(Rational(one.high)) + "}";
    };
    return "\"statuses\": " + to_json(theorem.closed.statuses) + ",\n     \"empty\": " +
           json_list(theorem.closed.empty, [](QueueId q) { return std::to_string(q.index()); }) +
           ",\n     \"forms\": " + json_list(theorem.forms, form) + ",\n     \"base\": " + to_json(theorem.base) +
           ", \"rate\": " + to_json(theorem.rate) + ", \"bound\": " + to_json(theorem.bound);
}

}  // namespace

Shape collapse_shape() { return record_shape(collapse_members()); }

std::string to_json(const CollapseTheorem& theorem) { return "{" + collapse_json(theorem) + "}"; }

CollapseTheorem read_collapse(const StrictCursor& at) {
    CollapseTheorem theorem;
    theorem.closed.statuses = read_statuses(at.member("statuses"));
    const StrictCursor empty = at.member("empty");
    for (std::size_t i = 0; i < empty.size(); ++i) theorem.closed.empty.emplace_back(empty.item(i).index(max_index));
    const StrictCursor forms = at.member("forms");
    for (std::size_t i = 0; i < forms.size(); ++i) {
        const StrictCursor form = forms.item(i);
        queueing::CollapseForm one;
        one.form = read_lyapunov(form.member("form"));
        one.low = read_integer(form.member("low"));
        one.high = read_integer(form.member("high"));
        theorem.forms.push_back(std::move(one));
    }
    theorem.base = at.member("base").number();
    theorem.rate = at.member("rate").number();
    theorem.bound = at.member("bound").number();
    return theorem;
}

Shape heavy_lower_shape() {
    return record_shape({member("prices", prices_shape(), "Of types and servers."),
                         member("constant", ends_shape(), "c at both ends of the family."),
                         member("correction", list_shape(number_shape()), "k, by type."),
                         member("deficit", number_shape(), "K.")});
}

std::string to_json(const HeavyLowerTheorem& theorem) {
    return "{\"prices\": " + prices_json(theorem.prices) + ",\n     \"constant\": " + numbers_json(theorem.constant) +
           ", \"correction\": " + numbers_json(theorem.correction) + ", \"deficit\": " + to_json(theorem.deficit) + "}";
}

HeavyLowerTheorem read_heavy_lower(const StrictCursor& at) {
    HeavyLowerTheorem theorem;
    theorem.prices = read_prices(at.member("prices"));
    theorem.constant = read_ends(at.member("constant"));
    theorem.correction = read_numbers(at.member("correction"));
    theorem.deficit = at.member("deficit").number();
    return theorem;
}

Shape heavy_upper_shape() {
    const Shape rest = record_shape({member("tasks", form_shape(), "r, over queues."),
                                     member("g", lyapunov_shape(), "G, bounded below."),
                                     member("bound", number_shape(), "B: r + E dG is at most this.")});
    const Shape tasks = record_shape({member("spread", number_shape(), "Tasks beyond the workload per unit of a form."),
                                      member("constant", number_shape(), "Further tasks."),
                                      optional("factor", number_shape(), "Tasks per unit of the workload; 1 without."),
                                      optional("rest", rest, "Tasks that neither workload nor forms bound.")});
    base::Members members{member("prices", prices_shape(), "Of types and servers."),
                          member("h", lyapunov_shape(), "H, the workload."),
                          member("h0", lyapunov_shape(), "H0, whose mean change tells the loss."),
                          member("k", lyapunov_shape(), "Correction of the second moments."),
                          member("largest-loss", number_shape(), "u is at most this."),
                          member("constant", ends_shape(), "c at both ends of the family."),
                          member("with-loss", number_shape(), "K."),
                          member("with-slack", number_shape(), "K'."),
                          member("spread", number_shape(), "kappa: the workload per unit of a form."),
                          optional("starving", form_shape(), "s, over queues; the bound is one of H + s."),
                          optional("tasks", tasks, "How many tasks there can be for a workload.")};
    for (base::Member& each : collapse_members()) members.push_back(std::move(each));
    return record_shape(std::move(members));
}

namespace {

std::string rest_json(const HeavyUpperTheorem::Rest& rest) {
    return "{\"tasks\": " + to_json(rest.tasks) + ", \"g\": " + to_json(rest.g) +
           ", \"bound\": " + to_json(rest.bound) + "}";
}

}  // namespace

std::string to_json(const HeavyUpperTheorem& theorem) {
    return "{\"prices\": " + prices_json(theorem.prices) + ",\n     \"h\": " + to_json(theorem.h) +
           ",\n     \"h0\": " + to_json(theorem.h0) + ",\n     \"k\": " + to_json(theorem.k) +
           ",\n     \"largest-loss\": " + to_json(theorem.largest_loss) +
           ", \"constant\": " + numbers_json(theorem.constant) + ", \"with-loss\": " + to_json(theorem.with_loss) +
           ", \"with-slack\": " + to_json(theorem.with_slack) + ", \"spread\": " + to_json(theorem.spread) +
           (theorem.starving.is_constant() ? "" : ",\n     \"starving\": " + to_json(theorem.starving)) +
           (theorem.tasks
                ? ",\n     \"tasks\": {\"spread\": " + to_json(theorem.tasks->spread) +
                      ", \"constant\": " + to_json(theorem.tasks->constant) +
                      (theorem.tasks->factor == Rational(1) ? "" : ", \"factor\": " + to_json(theorem.tasks->factor)) +
                      (theorem.tasks->rest ? ",\n      \"rest\": " + rest_json(*theorem.tasks->rest) : "") + "}"
                : "") +
           ",\n     " + collapse_json(theorem.collapse) + "}";
}

HeavyUpperTheorem read_heavy_upper(const StrictCursor& at) {
    HeavyUpperTheorem theorem;
    theorem.prices = read_prices(at.member("prices"));
    theorem.h = read_lyapunov(at.member("h"));
    theorem.h0 = read_lyapunov(at.member("h0"));
    theorem.k = read_lyapunov(at.member("k"));
    theorem.largest_loss = at.member("largest-loss").number();
    theorem.constant = read_ends(at.member("constant"));
    theorem.with_loss = at.member("with-loss").number();
    theorem.with_slack = at.member("with-slack").number();
    theorem.spread = at.member("spread").number();
    if (at.has("starving")) theorem.starving = read_form(at.member("starving"));
    if (at.has("tasks")) {
        queueing::HeavyUpperTheorem::Tasks tasks;
        tasks.spread = at.member("tasks").member("spread").number();
        tasks.constant = at.member("tasks").member("constant").number();
        if (at.member("tasks").has("factor")) tasks.factor = at.member("tasks").member("factor").number();
        if (at.member("tasks").has("rest")) {
            const StrictCursor rest = at.member("tasks").member("rest");
            queueing::HeavyUpperTheorem::Rest of;
            of.tasks = read_form(rest.member("tasks"));
            of.g = read_lyapunov(rest.member("g"));
            of.bound = rest.member("bound").number();
            tasks.rest = std::move(of);
        }
        theorem.tasks = std::move(tasks);
    }
    theorem.collapse = read_collapse(at);
    return theorem;
}

Shape heavy_ray_shape() {
    const Shape starving =
        record_shape({member("upper", heavy_upper_shape(), "A bound of H + s with the same prices, limit and forms."),
                      member("multiple", number_shape(), "Of s, on the right of (R).")});
    base::Members members{member("lower", heavy_lower_shape(), "The bound of every policy."),
                          member("price", list_shape(number_shape()), "z, by queue."),
                          member("factor", number_shape(), "zeta."),
                          member("spread", number_shape(), "lambda."),
                          member("constant", number_shape(), "C."),
                          optional("starving", starving, "Queues that starve.")};
    for (base::Member& each : collapse_members()) members.push_back(std::move(each));
    return record_shape(std::move(members));
}

std::string to_json(const HeavyRayTheorem& theorem) {
    return "{\"lower\": " + to_json(theorem.lower) + ",\n     \"price\": " + numbers_json(theorem.price) +
           ", \"factor\": " + to_json(theorem.factor) + ", \"spread\": " + to_json(theorem.spread) +
           ", \"constant\": " + to_json(theorem.constant) +
           (theorem.starving ? ",\n     \"starving\": {\"multiple\": " + to_json(theorem.starving->multiple) +
                                   ", \"upper\": " + to_json(theorem.starving->upper) + "}"
                             : "") +
           ",\n     " + collapse_json(theorem.collapse) + "}";
}

HeavyRayTheorem read_heavy_ray(const StrictCursor& at) {
    HeavyRayTheorem theorem;
    theorem.lower = read_heavy_lower(at.member("lower"));
    theorem.price = read_numbers(at.member("price"));
    theorem.factor = at.member("factor").number();
    theorem.spread = at.member("spread").number();
    theorem.constant = at.member("constant").number();
    if (at.has("starving")) {
        HeavyRayTheorem::Starving starving;
        starving.multiple = at.member("starving").member("multiple").number();
        starving.upper = read_heavy_upper(at.member("starving").member("upper"));
        theorem.starving = std::move(starving);
    }
    theorem.collapse = read_collapse(at);
    return theorem;
}

}  // namespace schedproof::certify
