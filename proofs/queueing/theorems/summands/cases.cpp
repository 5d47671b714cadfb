/// Ranges narrow each other: what a premise says of one queue is taken with what is known of the others, in a few
/// rounds.
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

namespace {

/// Of form >= 0, the least value of c Q for its term c Q, as the others are in the ranges; nothing where there is none.
std::optional<Rational> least_of_term(const LinearForm& form, proof::Variable queue, const std::vector<Range>& known) {
    Rational value = -form.constant();
    for (const auto& [other, c] : form.terms()) {
        if (other == queue) continue;
        const Range& range = known[other];
        if (c.sign() > 0 && !range.most) return std::nullopt;
        value -= c * (c.sign() > 0 ? *range.most : range.least);
    }
    return value;
}

/// Whether the range became smaller by c Q >= least. Lengths are integers.
bool narrow(Range& range, const Rational& c, const Rational& least) {
    const Rational bound = least / c;
    if (c.sign() > 0 && bound > range.least) {
        range.least = -Rational(floor(-bound));
        return true;
    }
    if (c.sign() < 0 && (!range.most || bound < *range.most)) {
        Rational most(floor(bound));
        const bool is_new = !range.most || most < *range.most;
        range.most = std::move(most);
        return is_new;
    }
    return false;
}

}  // namespace

std::vector<Range> ranges(const Premises& premises, std::size_t queues) {
    std::vector<Range> known(queues, Range{Rational(0), std::nullopt});
    constexpr int rounds = 3;
    bool changes = true;
    for (int round = 0; round < rounds && changes; ++round) {
        changes = false;
        for (const LinearForm& form : premises)
            for (const auto& [queue, c] : form.terms())
                if (const auto least = least_of_term(form, queue, known))
                    changes = narrow(known[queue], c, *least) || changes;
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
