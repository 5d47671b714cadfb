#include "proofs/queueing/theorems/mean_table.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <mutex>

#include "model/base/parallel.hpp"
#include "model/core/errors.hpp"

namespace schedproof::queueing {

namespace {

constexpr std::string_view heading = "schedproof table 1\n";

__extension__ typedef unsigned __int128 Bits;

/// Seven bits to a byte, the lowest first; a set highest bit says that more follow.
void append(std::string& bytes, Bits value) {
    for (; value >= 128; value >>= 7U) bytes += static_cast<char>(static_cast<unsigned char>(value & 127U) | 128U);
    bytes += static_cast<char>(value);
}

/// Small differences of either sign as small numbers: 0, -1, 1, -2, ...
Bits folded(Fixed value) { return value < 0 ? ~(static_cast<Bits>(value) << 1U) : static_cast<Bits>(value) << 1U; }
Fixed unfolded(Bits value) {
    const auto half = static_cast<Fixed>(value >> 1U);
    return (value & 1U) != 0 ? -half - 1 : half;
}

class TableReader {
  public:
    TableReader(std::string_view bytes, const std::string& file) : bytes_(bytes), file_(file) {}

    [[noreturn]] void fail(const std::string& expected) const { throw InputError::in_file(file_, expected); }
    void heading_line() {
        if (!bytes_.starts_with(heading)) fail("expected a table, which begins with the line 'schedproof table 1'");
        at_ = heading.size();
    }
    Bits number() {
        Bits value = 0;
        for (unsigned shift = 0;; shift += 7) {
            if (at_ == bytes_.size()) fail("expected more entries: the table ends early");
            const auto byte = static_cast<unsigned char>(bytes_[at_++]);
            const Bits part = byte & 127U;
            if (shift > 126 || (shift == 126 && part > 3)) fail("expected an entry of at most 128 bits");
            value |= part << shift;
            if (byte < 128) {
                if (byte == 0 && shift > 0) fail("expected an entry in as few bytes as it takes");
                return value;
            }
        }
    }
    std::vector<Fixed> entries(std::uint64_t states) {
        std::vector<Fixed> all;
        Fixed last = 0;
        for (std::uint64_t i = 0; i < states; ++i) {
            if (__builtin_add_overflow(last, unfolded(number()), &last)) fail("expected entries of at most 128 bits");
            all.push_back(last);
        }
        return all;
    }
    void end() const {
        if (at_ != bytes_.size()) fail("expected the end of the table");
    }

  private:
    std::string_view bytes_;
    const std::string& file_;
    std::size_t at_ = 0;
};

Fixed plus(Fixed a, Fixed b) {
    Fixed sum = 0;
    if (__builtin_add_overflow(a, b, &sum)) throw LimitExceeded("127 bits", "a number of the table's inequalities");
    return sum;
}
Fixed times(Fixed a, Fixed b) {
    Fixed product = 0;
    if (__builtin_mul_overflow(a, b, &product)) throw LimitExceeded("127 bits", "a number of the table's inequalities");
    return product;
}
/// Rounded down. Requires b > 0.
Fixed quotient(Fixed a, Fixed b) { return a / b - (a % b < 0 ? 1 : 0); }

Fixed fixed(const Rational& value, const char* what) {
    if (!value.is_integer())
        throw InputError::at_key("scale", fmt::format("expected a scale at which {} is an integer", what));
    const Integer integer = value.numerator();
    if (msb(abs(integer) + 1) > 125) throw LimitExceeded("127 bits", what);
    const Integer magnitude = abs(integer);
    const auto low = static_cast<std::uint64_t>(magnitude & ~std::uint64_t{0});
    const auto high = static_cast<std::uint64_t>(magnitude >> 64U);
    const auto result = static_cast<Fixed>((static_cast<Bits>(high) << 64U) | low);
    return integer < 0 ? -result : result;
}

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

Rational rational(Fixed value) {
    const Bits magnitude = value < 0 ? -static_cast<Bits>(value) : static_cast<Bits>(value);
    Integer integer(static_cast<std::uint64_t>(magnitude >> 64U));
    integer <<= 64U;
    integer += static_cast<std::uint64_t>(magnitude);
    return value < 0 ? Rational(Integer(-integer)) : Rational(integer);
}

std::string to_bytes(const MeanTable& table) {
    std::string bytes(heading);
    append(bytes, table.upper.size());
    for (const std::vector<Fixed>* entries : {&table.upper, &table.lower}) {
        Fixed last = 0;
        for (const Fixed entry : *entries) {
            append(bytes, folded(entry - last));
            last = entry;
        }
    }
    return bytes;
}

MeanTable read_table(std::string_view bytes, const std::string& file) {
    TableReader reader(bytes, file);
    reader.heading_line();
    const Bits states = reader.number();
    // Every entry takes a byte at least.
    if (states > StateBox::max_states || states > bytes.size()) reader.fail("expected as many entries as it says");
    MeanTable table;
    table.upper = reader.entries(static_cast<std::uint64_t>(states));
    table.lower = reader.entries(static_cast<std::uint64_t>(states));
    reader.end();
    return table;
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
    for (const auto& [queue, c] : form.terms) sum = plus(sum, times(c, state.length[queue].value()));
    return sum;
}

Fixed FarFunction::operator()(const ExactState& state) const {
    Fixed sum = offset_;
    for (const Product& product : products_)
        sum = plus(sum, times(product.coefficient, times(value(product.first, state), value(product.second, state))));
    for (const Piece& piece : pieces_) {
        if (piece.when && !piece.when->holds(state.serving)) continue;
        Fixed largest = value(piece.largest_of.front(), state);
        for (const Linear& form : piece.largest_of) largest = std::max(largest, value(form, state));
        sum = plus(sum, times(piece.coefficient, largest));
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
            mean_upper = plus(mean_upper, times(weight, next ? upper(*next, far) : far));
            mean_lower = plus(mean_lower, times(weight, next ? lower(*next, far) : -far));
        }
        const Fixed far = far_(state), f = times(unit_, static_cast<Fixed>(of_.count(state)));
        const Fixed rise_upper = plus(mean_upper, -times(all, upper(i, far)));
        const Fixed rise_lower = plus(mean_lower, -times(all, lower(i, far)));
        return {plus(f, -quotient(-rise_upper, all)), plus(f, quotient(rise_lower, all))};
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
