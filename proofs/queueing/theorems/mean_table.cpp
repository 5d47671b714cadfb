/// The exact pass: at each state of the box the policy's code is enumerated, its probabilities brought to one
/// denominator, and both inequalities computed in 128-bit integers whose every sum and product is checked. What a state
/// asks of c is rounded towards the safe side, up for the upper bound and down for the lower; the worst over all states
/// is the bound of the table, whatever the table. In continuous time a state that is not settled asks nothing: no event
/// leads to it, and the empty state, which is settled, is in every box.
#include "proofs/queueing/theorems/mean_table.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <mutex>

#include "model/base/parallel.hpp"
#include "model/core/errors.hpp"
#include "proofs/queueing/theorems/table_demand.hpp"

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

namespace {

/// What multiplies a linear factor with integer coefficients; 1 where there is none.
Rational multiplier(const std::optional<LyapunovForm::Linear>& factor) {
    return factor ? Rational(1) / Rational(denominator_of(*factor)) : Rational(1);
}

}  // namespace

Integer integral_scale(const FarForm& w, const Rational& kappa) {
    const Rational unit = kappa * multiplier(w.factor);
    std::vector<Rational> multipliers;
    for (const LyapunovForm::Product& product : w.v.products) multipliers.push_back(unit * multiplier(product));
    for (const LyapunovForm::Piece& piece : w.v.pieces) multipliers.push_back(unit * multiplier(piece));
    return common_denominator(multipliers);
}

FarFunction::FarFunction(const FarForm& w, const Rational& kappa, const Rational& offset, const Integer& scale) {
    const Rational unit = kappa * multiplier(w.factor) * Rational(scale);
    for (const LyapunovForm::Product& product : w.v.products)
        products_.push_back({fixed(unit * multiplier(product), "every product of kappa W"),
                             integral(product.first, denominator_of(product.first)),
                             integral(product.second, denominator_of(product.second))});
    for (const LyapunovForm::Piece& piece : w.v.pieces) {
        Piece own{piece.when, fixed(unit * multiplier(piece), "every piece of kappa W"), {}};
        for (const proof::LinearForm& form : piece.largest_of)
            own.largest_of.push_back(integral(form, denominator_of(piece)));
        pieces_.push_back(std::move(own));
    }
    if (w.factor) factor_ = integral(*w.factor, denominator_of(*w.factor));
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
    Fixed sum = 0;
    for (const Product& product : products_)
        sum = sum_of(sum, product_of(product.coefficient,
                                     product_of(value(product.first, state), value(product.second, state))));
    for (const Piece& piece : pieces_) {
        if (piece.when && !piece.when->holds(state.serving)) continue;
        Fixed largest = value(piece.largest_of.front(), state);
        for (const Linear& form : piece.largest_of) largest = std::max(largest, value(form, state));
        sum = sum_of(sum, product_of(piece.coefficient, largest));
    }
    if (factor_) sum = product_of(sum, value(*factor_, state));
    return sum_of(sum, offset_);
}

namespace {

/// The pass over one range of states.
class BoxPass {
  public:
    /// The functions are the table's on the box, after `far` was made of the setting.
    BoxPass(const ExactSystem& system, const MeanSetting& setting, const FoldedBox& box, FarFunction far,
            const MeanTable& table)
        : system_(system),
          of_(setting.of),
          box_(box),
          far_(std::move(far)),
          functions_(table),
          unit_(fixed(setting.of.factor(system.instance()) * Rational(setting.scale), "a unit of the function")) {}

    /// What the states numbered from `begin` to before `end` ask of c; nothing if none of them is settled.
    [[nodiscard]] std::optional<FixedBounds> over_states(std::uint64_t begin, std::uint64_t end) const {
        WeightedMoves moves;
        std::optional<FixedBounds> worst;
        box_.states().each(begin, end, [&](std::uint64_t i, const ExactState& state) {
            if (system_.is_settled(state)) join(worst, at(box_.entry(i), state, moves));
        });
        return worst;
    }
    /// Calls `use(entry, bounds)` for what the first states of entries ask of c, where these are settled.
    template <class Use>
    void over_entries(std::uint64_t begin, std::uint64_t end, Use&& use) const {
        WeightedMoves moves;
        box_.each_entry(begin, end, [&](std::uint64_t e, const ExactState& state) {
            if (system_.is_settled(state)) use(e, at(e, state, moves));
        });
    }
    static void join(std::optional<FixedBounds>& sum, const FixedBounds& more) {
        sum = sum ? FixedBounds{std::max(sum->upper, more.upper), std::min(sum->lower, more.lower)} : more;
    }

  private:
    /// `moves` is room to work in.
    [[nodiscard]] FixedBounds at(std::uint64_t entry, const ExactState& state, WeightedMoves& moves) const {
        system_.weigh_moves(state, moves);
        // What the functions rise by in a slot, times the common denominator.
        Fixed rise_upper = 0, rise_lower = 0;
        const auto add = [&](Fixed weight, Fixed upper, Fixed lower) {
            rise_upper = sum_of(rise_upper, product_of(weight, upper));
            rise_lower = sum_of(rise_lower, product_of(weight, lower));
        };
        for (std::size_t k = 0; k < moves.next.size(); ++k) {
            const Fixed weight = moves.weight[k];
            if (const auto next = box_.entry(moves.next[k])) {
                add(weight, functions_.upper[*next], functions_.lower[*next]);
            } else {
                const Fixed far = far_(moves.next[k]);
                add(weight, far, -far);
            }
        }
        const Fixed all = moves.common;
        add(-all, functions_.upper[entry], functions_.lower[entry]);
        const Fixed f = product_of(unit_, static_cast<Fixed>(of_.count(state)));
        return {sum_of(f, -floor_of(-rise_upper, all)), sum_of(f, floor_of(rise_lower, all))};
    }

    const ExactSystem& system_;
    const StateFunction& of_;
    const FoldedBox& box_;
    FarFunction far_;
    const MeanTable& functions_;
    Fixed unit_;
};

}  // namespace

namespace {

void require_covers(const FoldedBox& box, const MeanTable& table) {
    if (table.upper.size() != box.entries() || table.lower.size() != box.entries())
        throw InputError::at_key("table", fmt::format("expected two columns of the {} entries of the box, not of {}",
                                                      box.entries(), table.upper.size()));
}

/// Calls `use(begin, end)` for parts of 0 to before `size`, on several threads.
template <class Use>
void in_parts(std::uint64_t size, unsigned threads, Use&& use) {
    constexpr std::uint64_t piece = 4096;
    base::for_each_index((size + piece - 1) / piece, threads,
                         [&](std::size_t part) { use(part * piece, std::min((part + 1) * piece, size)); });
}

/// The functions g and h at the entries of the box: what the table and the far function make of each other. One value
/// for all states of an entry, none above the far function at any of them.
MeanTable glued(const FarFunction& far, const FoldedBox& box, const MeanTable& table) {
    MeanTable glued = table;
    box.states().each(0, box.states().size(), [&](std::uint64_t i, const ExactState& state) {
        const std::uint64_t e = box.entry(i);
        const Fixed outside = far(state);
        glued.upper[e] = std::min(glued.upper[e], outside);
        glued.lower[e] = std::max(glued.lower[e], -outside);
    });
    return glued;
}

FarFunction far_of(const MeanSetting& setting) { return {setting.w, setting.kappa, setting.offset, setting.scale}; }

}  // namespace

FixedBounds bounds_on_box(const ExactSystem& system, const MeanSetting& setting, const FoldedBox& box,
                          const MeanTable& table, unsigned threads,
                          const std::function<void(std::uint64_t)>& progress) {
    require_covers(box, table);
    const MeanTable functions = glued(far_of(setting), box, table);
    const BoxPass pass(system, setting, box, far_of(setting), functions);
    std::uint64_t done = 0;
    std::mutex one_at_a_time;
    std::optional<FixedBounds> worst;
    in_parts(box.states().size(), threads, [&](std::uint64_t begin, std::uint64_t end) {
        const std::optional<FixedBounds> own = pass.over_states(begin, end);
        const std::lock_guard lock(one_at_a_time);
        if (own) BoxPass::join(worst, *own);
        done += end - begin;
        if (progress) progress(done);
    });
    return worst.value();
}

std::vector<std::optional<FixedBounds>> asked_by_table(const ExactSystem& system, const MeanSetting& setting,
                                                       const FoldedBox& box, const MeanTable& table, unsigned threads) {
    require_covers(box, table);
    const BoxPass pass(system, setting, box, far_of(setting), table);
    std::vector<std::optional<FixedBounds>> all(box.entries());
    in_parts(box.entries(), threads, [&](std::uint64_t begin, std::uint64_t end) {
        pass.over_entries(begin, end, [&](std::uint64_t e, const FixedBounds& here) { all[e] = here; });
    });
    return all;
}

}  // namespace schedproof::queueing
