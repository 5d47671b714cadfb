/// The exact pass: at each state of the box the policy's code is enumerated, its probabilities brought to one
/// denominator, and both inequalities computed in 128-bit integers whose every sum and product is checked. What a state
/// asks of c is rounded towards the safe side, up for the upper bound and down for the lower; the worst over all states
/// is the bound of the table, whatever the table.
#include "proofs/queueing/theorems/mean_table.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <atomic>

#include "model/base/parallel.hpp"
#include "model/core/errors.hpp"

namespace schedproof::queueing {

namespace {

std::int64_t small(const Rational& value, const char* what) {
    const Fixed wide = fixed(value, what);
    const auto narrow = static_cast<std::int64_t>(wide);
    if (narrow != wide) throw LimitExceeded("64-bit integers", what);
    return narrow;
}

/// Of the coefficients of a form, and of several.
Integer denominator_of(const proof::LinearForm& form) {
    Integer common = form.constant().denominator();
    for (const auto& [variable, c] : form.terms()) common = lcm(common, c.denominator());
    return common;
}
Integer denominator_of(const LyapunovForm::Piece& piece) {
    Integer common = 1;
    for (const proof::LinearForm& form : piece.largest_of) common = lcm(common, denominator_of(form));
    return common;
}
/// What multiplies a product of two forms with integer coefficients.
Rational multiplier(const LyapunovForm::Product& product) {
    return product.coefficient / Rational(denominator_of(product.first) * denominator_of(product.second));
}
Rational multiplier(const LyapunovForm::Piece& piece) { return piece.coefficient / Rational(denominator_of(piece)); }

}  // namespace

std::string to_bytes(const MeanTable& table) { return to_bytes({&table.upper, &table.lower}); }

MeanTable read_table(std::string_view bytes, const std::string& file) {
    std::vector<std::vector<Fixed>> columns = read_columns(bytes, file, 2);
    return {std::move(columns[0]), std::move(columns[1])};
}

Integer integral_scale(const LyapunovForm& w, const Rational& kappa) {
    std::vector<Rational> multipliers;
    for (const LyapunovForm::Product& product : w.products) multipliers.push_back(kappa * multiplier(product));
    for (const LyapunovForm::Piece& piece : w.pieces) multipliers.push_back(kappa * multiplier(piece));
    return common_denominator(multipliers);
}

FarFunction::FarFunction(const LyapunovForm& w, const Rational& kappa, const Rational& offset, const Integer& scale) {
    const Rational unit = kappa * Rational(scale);
    for (const LyapunovForm::Product& product : w.products)
        products_.push_back({fixed(unit * multiplier(product), "every product of kappa W"),
                             integral(product.first, denominator_of(product.first)),
                             integral(product.second, denominator_of(product.second))});
    for (const LyapunovForm::Piece& piece : w.pieces) {
        Piece own{piece.when, fixed(unit * multiplier(piece), "every piece of kappa W"), {}};
        for (const proof::LinearForm& form : piece.largest_of)
            own.largest_of.push_back(integral(form, denominator_of(piece)));
        pieces_.push_back(std::move(own));
    }
    offset_ = fixed(offset * Rational(scale), "the offset");
}

FarFunction::Linear FarFunction::integral(const proof::LinearForm& form, const Integer& denominator) {
    Linear result;
    for (const auto& [queue, c] : form.terms())
        result.terms.emplace_back(queue, small(c * Rational(denominator), "a coefficient of W"));
    result.constant = small(form.constant() * Rational(denominator), "a constant of W");
    return result;
}

Fixed FarFunction::value(const Linear& form, const ExactState& state) {
    Fixed sum = form.constant;
    for (const auto& [queue, c] : form.terms) sum = sum_of(sum, product_of(c, state.length[queue].value()));
    return sum;
}

Fixed FarFunction::operator()(const ExactState& state) const {
    Fixed sum = offset_;
    for (const Product& product : products_)
        sum = sum_of(sum, product_of(product.coefficient,
                                     product_of(value(product.first, state), value(product.second, state))));
    for (const Piece& piece : pieces_) {
        if (piece.when && !piece.when->holds(state.serving)) continue;
        Fixed largest = value(piece.largest_of.front(), state);
        for (const Linear& form : piece.largest_of) largest = std::max(largest, value(form, state));
        sum = sum_of(sum, product_of(piece.coefficient, largest));
    }
    return sum;
}

namespace {

/// The pass over one range of states.
class BoxPass {
  public:
    BoxPass(const ExactSystem& system, const MeanSetting& setting, const StateBox& box, const MeanTable& table)
        : system_(system),
          of_(setting.of),
          box_(box),
          table_(table),
          far_(setting.w, setting.kappa, setting.offset, setting.scale),
          unit_(fixed(setting.of.factor(system.instance()) * Rational(setting.scale), "a unit of the function")) {}

    [[nodiscard]] FixedBounds over(std::uint64_t begin, std::uint64_t end) const {
        std::optional<FixedBounds> worst;
        box_.each(begin, end, [&](std::uint64_t i, const ExactState& state) {
            const FixedBounds here = at(i, state);
            worst = worst ? FixedBounds{std::max(worst->upper, here.upper), std::min(worst->lower, here.lower)} : here;
        });
        return *worst;
    }

  private:
    [[nodiscard]] Fixed upper(std::uint64_t i, Fixed far) const { return std::min(table_.upper[i], far); }
    [[nodiscard]] Fixed lower(std::uint64_t i, Fixed far) const { return std::max(table_.lower[i], -far); }

    [[nodiscard]] FixedBounds at(std::uint64_t i, const ExactState& state) const {
        const std::vector<Move> moves = system_.moves(state);
        std::vector<Rational> probabilities;
        for (const Move& move : moves) probabilities.push_back(move.probability);
        const Integer common = common_denominator(probabilities);
        const Fixed all = fixed(Rational(common), "a probability");
        Fixed mean_upper = 0, mean_lower = 0;
        for (const Move& move : moves) {
            const Fixed weight = fixed(move.probability * Rational(common), "a probability");
            const Fixed far = far_(move.slot.next);
            const auto next = box_.index(move.slot.next);
            mean_upper = sum_of(mean_upper, product_of(weight, next ? upper(*next, far) : far));
            mean_lower = sum_of(mean_lower, product_of(weight, next ? lower(*next, far) : -far));
        }
        const Fixed far = far_(state), f = product_of(unit_, static_cast<Fixed>(of_.count(state)));
        const Fixed rise_upper = sum_of(mean_upper, -product_of(all, upper(i, far)));
        const Fixed rise_lower = sum_of(mean_lower, -product_of(all, lower(i, far)));
        return {sum_of(f, -floor_of(-rise_upper, all)), sum_of(f, floor_of(rise_lower, all))};
    }

    const ExactSystem& system_;
    const StateFunction& of_;
    const StateBox& box_;
    const MeanTable& table_;
    FarFunction far_;
    Fixed unit_;
};

}  // namespace

FixedBounds bounds_on_box(const ExactSystem& system, const MeanSetting& setting, const StateBox& box,
                          const MeanTable& table, unsigned threads,
                          const std::function<void(std::uint64_t)>& progress) {
    if (table.upper.size() != box.size() || table.lower.size() != box.size())
        throw InputError::at_key(
            "table", fmt::format("expected two entries for each of the {} states of the box, not {}", box.size(),
                                 table.upper.size()));
    const BoxPass pass(system, setting, box, table);
    constexpr std::uint64_t piece = 4096;
    const std::uint64_t pieces = (box.size() + piece - 1) / piece;
    std::vector<FixedBounds> found(pieces);
    std::atomic<std::uint64_t> done = 0;
    base::for_each_index(pieces, threads, [&](std::size_t p) {
        const std::uint64_t begin = p * piece, end = std::min(begin + piece, box.size());
        found[p] = pass.over(begin, end);
        done += end - begin;
        if (progress) progress(done);
    });
    FixedBounds worst = found.at(0);
    for (const FixedBounds& one : found) worst = {std::max(worst.upper, one.upper), std::min(worst.lower, one.lower)};
    return worst;
}

}  // namespace schedproof::queueing
