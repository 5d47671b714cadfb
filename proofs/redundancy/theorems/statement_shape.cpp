#include "proofs/redundancy/theorems/statement_shape.hpp"

#include <fmt/format.h>

#include "model/core/errors.hpp"

namespace schedproof::redundancy {

using explore::Affine;
using proof::LinearForm;

namespace {

/// Takes `letter`, a number from 1 to 32 and a dash off the text.
std::size_t take_number(std::string_view& text, char letter, std::string_view whole) {
    std::size_t value = 0, i = 1;
    for (; i < text.size() && text[i] >= '0' && text[i] <= '9' && i < 4; ++i)
        value = value * 10 + static_cast<std::size_t>(text[i] - '0');
    if (text.empty() || text[0] != letter || value < 1 || value > max_shape || i >= text.size() || text[i] != '-')
        throw InputError::at_key("shape", fmt::format("expected jobs, machines and a service, each number from 1 to "
                                                      "{}, as in n4-m2-det or n10-m5-b1/2-det, in '{}'",
                                                      max_shape, whole));
    text.remove_prefix(i + 1);
    return value;
}

/// Takes `letter`, a positive number and a dash off the text, where it begins so and a digit follows.
std::optional<Rational> take_positive(std::string_view& text, char letter) {
    if (text.size() < 2 || text[0] != letter || text[1] < '0' || text[1] > '9') return {};
    const std::size_t end = std::min(text.find('-'), text.size());
    const auto value = Rational::parse(text.substr(1, end - 1));
    if (!value || value->sign() <= 0) return {};
    text.remove_prefix(std::min(end + 1, text.size()));
    return *value;
}

Affine sum_to(const std::vector<Affine>& symbols, std::size_t first, std::size_t count) {
    Affine sum(0);
    for (std::size_t i = 0; i < count; ++i) sum += symbols[first + i];
    return sum;
}

}  // namespace

Shape parse_shape(std::string_view text) {
    Shape shape;
    std::string_view rest = text;
    shape.jobs = take_number(rest, 'n', text);
    shape.machines = take_number(rest, 'm', text);
    if (rest.starts_with('b')) {
        shape.beta = take_positive(rest, 'b');
        if (!shape.beta || *shape.beta > Rational(1))
            throw InputError::at_key("shape", fmt::format("expected 0 < beta <= 1, as in b1/2, in '{}'", text));
    }
    shape.speed = take_positive(rest, 's').value_or(Rational(1));
    shape.service = Service::parse(rest);
    if (!shape.service.linear())
        throw InputError::at_key("shape", fmt::format("expected a service that is linear in time, in '{}'", text));
    return shape;
}

std::string name(const Shape& shape) {
    return fmt::format(
        "n{}-m{}-{}{}{}", shape.jobs, shape.machines, shape.beta ? "b" + shape.beta->to_string() + "-" : "",
        shape.speed == Rational(1) ? "" : "s" + shape.speed.to_string() + "-", shape.service.to_string());
}

std::string describe(const Shape& shape) {
    return fmt::format("{} job{} on {} machine{}", shape.jobs, shape.jobs == 1 ? "" : "s", shape.machines,
                       shape.machines == 1 ? "" : "s");
}

void add_jobs(proof::Space& space, const Shape& shape) {
    for (std::size_t j = 2; j <= shape.jobs; ++j) space.add(fmt::format("gap[{}]", j), false, Rational(0));
    for (std::size_t j = 1; j <= shape.jobs; ++j) {
        const proof::Variable size = space.add(fmt::format("size[{}]", j), false, std::nullopt);
        space.premises.push_back({LinearForm::variable(size), true});
    }
}

Problem<Affine> problem(const Shape& shape, const std::vector<Affine>& symbols) {
    Problem<Affine> result{shape.machines, shape.service, {}};
    for (std::size_t j = 0; j < shape.jobs; ++j)
        result.jobs.push_back({sum_to(symbols, 0, j), symbols[shape.jobs - 1 + j]});
    return result;
}

Problem<Rational> at(const Shape& shape, const std::vector<Rational>& point) {
    std::vector<Affine> constants;
    for (const Rational& value : point) constants.emplace_back(value);
    Problem<Rational> result{shape.machines, shape.service, {}};
    for (const auto& job : problem(shape, constants).jobs)
        result.jobs.push_back({job.arrival.constant(), job.size.constant()});
    return result;
}

void add_sorted(proof::Space& space, std::string_view name, std::size_t count) {
    for (std::size_t i = 1; i <= count; ++i) {
        const proof::Variable step = space.add(fmt::format("{}[{}]", name, i), false, Rational(0));
        if (i == 1) space.premises.push_back({LinearForm::variable(step), true});
    }
}

std::vector<Affine> sorted(const std::vector<Affine>& symbols, std::size_t first, std::size_t count) {
    std::vector<Affine> sizes;
    for (std::size_t i = 1; i <= count; ++i) sizes.push_back(sum_to(symbols, first, i));
    return sizes;
}

}  // namespace schedproof::redundancy
