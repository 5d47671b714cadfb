#include "proofs/queueing/theorems/summands/cases.hpp"

#include <algorithm>

#include "model/core/errors.hpp"

namespace schedproof::queueing {

using proof::LinearForm;

Cases always() { return {Premises{}}; }

Cases conjunction(const Cases& a, const Cases& b) {
    Cases all;
    for (const Premises& first : a)
        for (const Premises& second : b) {
            if (all.size() == most_cases)
                throw LimitExceeded("cases of a rule", "its answer implies one of more than 5000 lists of premises");
            all.push_back(first);
            all.back().insert(all.back().end(), second.begin(), second.end());
        }
    return all;
}

Cases disjunction(Cases a, const Cases& b) {
    a.insert(a.end(), b.begin(), b.end());
    if (std::any_of(a.begin(), a.end(), [](const Premises& p) { return p.empty(); })) return always();
    return a;
}

LinearForm above_zero(const LinearForm& form) {
    std::vector<Rational> numbers{form.constant()};
    for (const auto& [queue, c] : form.terms()) numbers.push_back(c);
    return form - LinearForm(Rational(Integer(1), common_denominator(numbers)));
}

std::optional<Rational> least_value(const LinearForm& form, const std::vector<Range>& ranges) {
    Rational value = form.constant();
    for (const auto& [queue, c] : form.terms()) {
        const Range& range = ranges[queue];
        if (c.sign() < 0 && !range.most) return std::nullopt;
        value += c * (c.sign() > 0 ? range.least : *range.most);
    }
    return value;
}

std::vector<Range> ranges(const Premises& premises, std::size_t queues) {
    std::vector<Range> known(queues, Range{Rational(0), std::nullopt});
    constexpr int rounds = 3;
    for (int round = 0; round < rounds; ++round)
        for (const LinearForm& form : premises)
            for (const auto& [queue, c] : form.terms()) {
                // c Q >= -(rest), and -(rest) is at least the least value of the negated rest.
                const LinearForm rest = form - c * LinearForm::variable(queue);
                const std::optional<Rational> at_least = least_value(-rest, known);
                if (!at_least) continue;
                // Lengths are integers.
                const Rational bound = *at_least / c;
                Range& range = known[queue];
                if (c.sign() > 0) range.least = std::max(range.least, -Rational(floor(-bound)));
                if (c.sign() < 0 && (!range.most || bound < *range.most)) range.most = Rational(floor(bound));
            }
    return known;
}

Premises as_premises(const std::vector<Range>& ranges) {
    Premises premises;
    for (std::size_t q = 0; q < ranges.size(); ++q)
        if (ranges[q].most) premises.push_back(LinearForm(*ranges[q].most) - length_of(QueueId(q)));
    return premises;
}

std::optional<std::vector<Range>> common_ranges(const Cases& cases, std::size_t queues) {
    std::vector<Range> common;
    for (const Premises& premises : cases) {
        const std::vector<Range> here = ranges(premises, queues);
        if (std::any_of(here.begin(), here.end(),
                        [](const Range& range) { return range.most && *range.most < range.least; }))
            continue;  // no length is in it
        if (common.empty()) {
            common = here;
            continue;
        }
        for (std::size_t q = 0; q < queues; ++q) {
            if (here[q].least < common[q].least) common[q].least = here[q].least;
            if (!here[q].most || !common[q].most)
                common[q].most.reset();
            else if (*here[q].most > *common[q].most)
                common[q].most = here[q].most;
        }
    }
    return common.empty() ? std::nullopt : std::optional(std::move(common));
}

}  // namespace schedproof::queueing
