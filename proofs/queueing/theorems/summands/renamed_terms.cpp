/// Terms and their parts are compared as texts, which are the same where the parts are, in whatever order they stand.
/// A term counts bounds of earlier ones, by their numbers, so that images are found in the order of the terms. Where
/// two terms have the same text, either may be the image: what is asked of one is asked of the other, and their bounds
/// are compared.
#include "proofs/queueing/theorems/summands/renamed_terms.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <map>
#include <unordered_map>

#include "model/core/errors.hpp"
#include "proofs/queueing/theorems/lyapunov.hpp"
#include "proofs/queueing/theorems/summands/maxima.hpp"

namespace schedproof::queueing {

using proof::LinearForm;
using proof::Variable;

namespace {

template <class T, class Text>
std::string in_any_order(const std::vector<T>& parts, Text&& text_of) {
    std::vector<std::string> texts;
    for (const T& part : parts) texts.push_back(text_of(part));
    std::sort(texts.begin(), texts.end());
    std::string all;
    for (const std::string& text : texts) all += text + ";";
    return all;
}

/// Terms by new names, as texts.
class RenamedText {
  public:
    /// `term` and `link`: the new numbers of the terms so far, and of links.
    RenamedText(const Renaming& by, const std::vector<std::size_t>& term, const std::vector<std::size_t>& link)
        : by_(by), term_(term), link_(link) {}

    [[nodiscard]] std::string of(const Term& term) const {
        return fmt::format("{}{} after {} | {}", term.of_mode, term.arrives, of(term.after),
                           in_any_order(term.alternatives, [&](const Alternative& a) { return of(a); }));
    }
    [[nodiscard]] std::string of(const Link& link) const {
        return fmt::format("{} {} {}", server(link.idle), queue(link.queue), server(link.works));
    }

  private:
    [[nodiscard]] std::string server(ServerId m) const { return std::to_string(by_.server[m.index()]); }
    [[nodiscard]] std::string queue(QueueId q) const { return std::to_string(by_.queue[q.index()]); }
    [[nodiscard]] std::string of(const Service& s) const {
        return fmt::format("{} {} {}", static_cast<int>(s.status), s.level.index(), queue(s.queue));
    }
    [[nodiscard]] std::string of(const LinearForm& premise) const {
        const LinearForm form = renamed(premise, by_);
        std::string text = form.constant().to_string();
        for (const auto& [q, c] : form.terms()) text += fmt::format(" {}*{}", c.to_string(), q);
        return text;
    }
    [[nodiscard]] std::string of(const Happening& h) const {
        std::string text = fmt::format("{} {}{}", h.probability.to_string(), h.sign, h.sign == 0 ? "" : queue(h.queue));
        if (h.server) text += " at " + server(*h.server);
        if (h.before) text += " from " + of(*h.before);
        if (h.after) text += " to " + of(*h.after);
        return text;
    }
    [[nodiscard]] std::string of(const std::vector<Shift>& shifts) const {
        return in_any_order(shifts, [&](const Shift& s) { return fmt::format("{} {}", queue(s.first), s.second); });
    }
    [[nodiscard]] std::string of(const Alternative& a) const {
        std::string text = in_any_order(a.where, [&](const LinearForm& h) { return of(h); }) + " do " +
                           in_any_order(a.happen, [&](const Happening& h) { return of(h); });
        if (a.beside) text += " beside " + server(a.beside->first) + " " + of(a.beside->second);
        text += " then " + in_any_order(a.then, [&](const Follows& f) {
                    return fmt::format("{} {} {}", term_[f.term], f.probability.to_string(), of(f.shifts));
                });
        return text + " links " + in_any_order(a.links, [&](const std::pair<std::size_t, int>& l) {
                   return fmt::format("{} {}", link_[l.first], l.second);
               });
    }

    const Renaming& by_;
    const std::vector<std::size_t>& term_;
    const std::vector<std::size_t>& link_;
};

/// The numbers of items by their texts, those of one text ascending.
using ByText = std::unordered_map<std::string, std::vector<std::size_t>>;

/// The links and terms by their own names.
struct OwnTexts {
    ByText link, term;
};
template <class T>
ByText by_text(const RenamedText& names, const std::vector<T>& items) {
    ByText all;
    for (std::size_t i = 0; i < items.size(); ++i) all[names.of(items[i])].push_back(i);
    return all;
}
OwnTexts own_texts(const Summands& summands) {
    const Renaming same = same_names(summands.servers(), summands.queues());
    std::vector<std::size_t> numbers(std::max(summands.terms().size(), summands.links().size()));
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = i;
    const RenamedText names(same, numbers, numbers);
    return {by_text(names, summands.links()), by_text(names, summands.terms())};
}

/// Whether `image` was filled: by item, another whose text is that of this one by the new names, each taken once.
template <class T>
bool matched(const std::vector<T>& items, const ByText& own, const RenamedText& names,
             std::vector<std::size_t>& image) {
    std::map<const std::vector<std::size_t>*, std::size_t> taken;
    for (const T& item : items) {
        const auto found = own.find(names.of(item));
        if (found == own.end()) return false;
        std::size_t& next = taken[&found->second];
        if (next == found->second.size()) return false;
        image.push_back(found->second[next++]);
    }
    return true;
}

/// Why a renaming does not leave a theorem what it is, once it makes terms of terms.
std::string change_by(const SymbolicSystem& system, const Summands& summands, const DriftTheorem& theorem,
                      const Slopes& slopes, const Renaming& by, const Images& to) {
    if (!are_equal(renamed(theorem.v, by), theorem.v)) return "a renaming changes V";
    if (renamed(theorem.measure, by) != theorem.measure) return "a renaming changes the measure";
    for (std::size_t t = 0; t < to.term.size(); ++t)
        if (renamed((*theorem.summands)[t], by) != (*theorem.summands)[to.term[t]])
            return "a renaming does not make bounds of bounds";
    for (std::size_t i = 0; i < to.link.size(); ++i)
        if (renamed(theorem.links[i], by) != theorem.links[to.link[i]])
            return "a renaming does not make forms of links of such forms";
    if (!system.instance().continuous() || system.instance().preemptive()) return "";
    const auto moved = [&](ServerId m, const Service& status) {
        return value_of(moved_by_others(system, summands, m, status), slopes);
    };
    for (const ServerId m : system.instance().servers())
        for (const Service& status : summands.statuses(m))
            if (moved(m, status) != moved(ServerId(by.server[m.index()]), renamed(status, by)))
                return "a renaming changes what others do to a server's part";
    return "";
}

}  // namespace

LinearForm renamed(const LinearForm& form, const Renaming& by) {
    LinearForm image(form.constant());
    for (const auto& [q, c] : form.terms()) image.add(c, LinearForm::variable(by.queue.at(q)));
    return image;
}

LyapunovForm renamed(const LyapunovForm& v, const Renaming& by) {
    LyapunovForm image = v;
    for (LyapunovForm::Product& product : image.products) {
        product.first = renamed(product.first, by);
        product.second = renamed(product.second, by);
    }
    for (LyapunovForm::Piece& piece : image.pieces) {
        for (LinearForm& form : piece.largest_of) form = renamed(form, by);
        if (!piece.when) continue;
        piece.when->server = ServerId(by.server.at(piece.when->server.index()));
        if (piece.when->queue) piece.when->queue = QueueId(by.queue.at(piece.when->queue->index()));
    }
    return image;
}

LyapunovCoefficients coefficients_of(const LyapunovForm& v) {
    constexpr Variable none = std::numeric_limits<Variable>::max();
    LyapunovCoefficients all;
    const auto add = [&](Variable q, Variable r, const Rational& c) {
        if (c.sign() != 0) all.product[std::minmax(q, r)] += c;
    };
    const auto each = [&](const LinearForm& form, const auto& visit) {
        for (const auto& [q, c] : form.terms()) visit(q, c);
        visit(none, form.constant());
    };
    for (const LyapunovForm::Product& product : v.products)
        each(product.first, [&](Variable q, const Rational& a) {
            each(product.second, [&](Variable r, const Rational& b) { add(q, r, product.coefficient * a * b); });
        });
    for (const LyapunovForm::Piece& piece : v.pieces) {
        require(piece.largest_of.size() == 1, "V has no maxima");
        if (!piece.when) {
            each(piece.largest_of.front(), [&](Variable q, const Rational& a) { add(q, none, piece.coefficient * a); });
            continue;
        }
        const auto& [server, queue, level, phantom] = *piece.when;
        auto& part = all.part[{server.index(), queue ? static_cast<std::int64_t>(queue->index()) : -1,
                               level ? static_cast<std::int64_t>(level->index()) : -1, phantom}];
        each(piece.largest_of.front(), [&](Variable q, const Rational& a) { part[q] += piece.coefficient * a; });
    }
    const auto is_zero = [](const auto& entry) { return entry.second.sign() == 0; };
    std::erase_if(all.product, is_zero);
    for (auto& [status, part] : all.part) std::erase_if(part, is_zero);
    std::erase_if(all.part, [](const auto& entry) { return entry.second.empty(); });
    return all;
}

std::optional<Images> images(const Summands& summands, const Renaming& by) {
    const auto& own = summands.derived().get<OwnTexts>(0, [&] { return own_texts(summands); });
    Images to;
    const RenamedText names(by, to.term, to.link);
    if (!matched(summands.links(), own.link, names, to.link) || !matched(summands.terms(), own.term, names, to.term))
        return std::nullopt;
    return to;
}

std::string renamings_rejection(const SymbolicSystem& system, const Summands& summands, const DriftTheorem& theorem) {
    if (theorem.renamings.empty()) return "";
    require_fits(theorem.v, system.instance(), system.layout());
    const Slopes slopes = slopes_of(system, summands, theorem.v);
    for (const Renaming& by : theorem.renamings) {
        if (!is_permutation_of(by.server, system.instance().servers().size()) ||
            !is_permutation_of(by.queue, system.layout().queues()))
            return "a renaming does not name each server and each queue once";
        const std::optional<Images> to = images(summands, by);
        if (!to) return "a renaming does not make terms of terms";
        if (std::string wrong = change_by(system, summands, theorem, slopes, by, *to); !wrong.empty()) return wrong;
    }
    return "";
}

std::vector<bool> first_terms(const Summands& summands, const std::vector<Renaming>& renamings) {
    const std::size_t terms = summands.terms().size();
    Classes classes(terms);
    for (const Renaming& by : renamings) {
        const Images to = images(summands, by).value();
        for (std::size_t t = 0; t < terms; ++t)
            classes.join(static_cast<std::uint32_t>(t), static_cast<std::uint32_t>(to.term[t]));
    }
    std::vector<bool> first;
    for (std::size_t t = 0; t < terms; ++t) first.push_back(classes.least(static_cast<std::uint32_t>(t)) == t);
    return first;
}

}  // namespace schedproof::queueing
