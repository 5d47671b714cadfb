/// A candidate that says nothing new of which servers are alike is not tried: those kept lead between the same servers,
/// and what it would add, forms that it does not change, the linear program need not know.
#include "proofs/queueing/drift/summand_symmetry.hpp"

#include <algorithm>
#include <map>

namespace schedproof::queueing {

namespace {

using Permutation = std::vector<std::uint32_t>;

/// With more, each candidate would take seconds, and the linear program that symmetry makes smaller is out of reach.
/// Twenty servers in a ring have 35,000 under the policies of the papers.
constexpr std::size_t most_premises = 200'000;

std::size_t premises_of(const Summands& summands) {
    std::size_t premises = 0;
    for (const Term& term : summands.terms())
        for (const Alternative& alternative : term.alternatives) premises += alternative.where.size();
    return premises;
}

/// Rotations, exchanges of two, and the reversal.
std::vector<Permutation> candidates(std::size_t servers) {
    const Permutation same = same_names(servers, 0).server;
    std::vector<Permutation> all;
    for (std::size_t by = 1; by < servers; ++by) {
        all.push_back(same);
        std::rotate(all.back().begin(), all.back().begin() + static_cast<std::ptrdiff_t>(by), all.back().end());
    }
    for (std::size_t i = 0; i < servers; ++i)
        for (std::size_t j = i + 1; j < servers; ++j) {
            all.push_back(same);
            std::swap(all.back()[i], all.back()[j]);
        }
    all.push_back(same);
    std::reverse(all.back().begin(), all.back().end());
    return all;
}

}  // namespace

SummandSymmetry::SummandSymmetry(const SymbolicSystem& system, const Summands& summands, const LyapunovTemplate& shape,
                                 const proof::LinearForm& measure)
    : terms_(summands.terms().size()),
      links_(summands.links().size()),
      row_(system.layout().queues() + 1),
      classes_((terms_ + links_) * row_ + shape.parameters.size()) {
    const std::size_t servers = system.instance().servers().size();
    Classes alike(servers);
    const std::vector<Permutation> tried =
        premises_of(summands) > most_premises ? std::vector<Permutation>() : candidates(servers);
    for (std::size_t i = 0; i < tried.size(); ++i) {
        const Permutation& candidate = tried[i];
        const auto says_more = [&] {
            for (std::uint32_t m = 0; m < servers; ++m)
                if (alike.least(m) != alike.least(candidate[m])) return true;
            return false;
        };
        if (!says_more()) continue;
        const std::optional<Renaming> by = renaming_of(system.instance(), system.layout(), candidate);
        if (!by || !add(summands, shape, measure, *by, i)) continue;
        for (std::uint32_t m = 0; m < servers; ++m) alike.join(m, candidate[m]);
    }
    find_firsts(images_, servers);
}

/// Whether the renaming changes nothing; then its classes are joined.
bool SummandSymmetry::add(const Summands& summands, const LyapunovTemplate& shape, const proof::LinearForm& measure,
                          const Renaming& by, std::size_t candidate) {
    if (renamed(measure, by) != measure || !are_equal(renamed(shape.fixed, by), shape.fixed)) return false;
    std::map<LyapunovCoefficients, std::size_t> known;
    for (std::size_t j = 0; j < shape.parameters.size(); ++j)
        known.emplace(coefficients_of(shape.parameters[j].form), j);
    std::vector<std::size_t> parameter;
    for (const LyapunovTemplate::Parameter& one : shape.parameters) {
        const auto image = known.find(coefficients_of(renamed(one.form, by)));
        if (image == known.end()) return false;
        parameter.push_back(image->second);
    }
    // The same for every template.
    const auto& to = summands.derived().get<std::optional<Images>>(static_cast<int>(candidate),
                                                                   [&] { return images(summands, by); });
    if (!to) return false;
    const auto join = [&](std::size_t a, std::size_t b) {
        classes_.join(static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b));
    };
    const auto join_rows = [&](std::size_t a, std::size_t b) {
        for (std::size_t q = 0; q + 1 < row_; ++q) join(a * row_ + q, b * row_ + by.queue[q]);
        join(a * row_ + row_ - 1, b * row_ + row_ - 1);
    };
    for (std::size_t t = 0; t < terms_; ++t) join_rows(t, to->term[t]);
    for (std::size_t i = 0; i < links_; ++i) join_rows(terms_ + i, terms_ + to->link[i]);
    for (std::size_t j = 0; j < parameter.size(); ++j)
        join((terms_ + links_) * row_ + j, (terms_ + links_) * row_ + parameter[j]);
    renamings_.push_back(by);
    images_.push_back(*to);
    return true;
}

/// Breadth first from each term that no earlier one leads to.
void SummandSymmetry::find_firsts(const std::vector<Images>& all, std::size_t servers) {
    first_.assign(terms_, terms_);
    from_first_.resize(terms_);
    for (std::size_t t = 0; t < terms_; ++t) {
        if (first_[t] != terms_) continue;
        first_[t] = t;
        from_first_[t] = same_names(servers, row_ - 1);
        std::vector<std::size_t> reached{t};
        for (std::size_t i = 0; i < reached.size(); ++i)
            for (std::size_t g = 0; g < all.size(); ++g) {
                const std::size_t next = all[g].term[reached[i]];
                if (first_[next] != terms_) continue;
                first_[next] = t;
                from_first_[next] = after(from_first_[reached[i]], renamings_[g]);
                reached.push_back(next);
            }
    }
}

}  // namespace schedproof::queueing
