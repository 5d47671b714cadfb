/// Rows are enumerated in pieces on several threads and put in place group by group, so that the matrix is held once.
/// Entries are integers below 2^53, hence exact in doubles: what is rounded is the solution alone. Taboo states are
/// found on the graph of the moves: whatever reaches neither a taboo state nor the outside holds a class that needs
/// one.
#include "proofs/queueing/bounds/box_chain.hpp"

#include <algorithm>
#include <limits>

#include "model/base/parallel.hpp"
#include "model/core/errors.hpp"

namespace schedproof::queueing {

namespace {

double exact_double(std::uint64_t value) {
    if (value > std::uint64_t{1} << 53U)
        throw LimitExceeded(
            "2^53", "the common denominator of a slot's probabilities; shorter fractions in the instance lower it");
    return static_cast<double>(value);
}

/// What the rows of a chain are made from.
class RowMaker {
  public:
    RowMaker(const ExactSystem& system, const StateFunction& of, const FarForm& w, const FoldedBox& box,
             BoxChain& chain)
        : system_(system),
          of_(of),
          box_(box),
          chain_(chain),
          scale_(integral_scale(w, Rational(1))),
          scaled_(w, Rational(1), Rational(0), scale_),
          unit_(static_cast<long double>(Rational(scale_).approximate())),
          factor_(static_cast<long double>(of.factor(system.instance()).approximate())) {}

    /// Rows `begin` to before `end`; sums per row go into the chain.
    [[nodiscard]] BoxRows rows(std::uint64_t begin, std::uint64_t end) const {
        BoxRows rows;
        std::vector<std::pair<std::int32_t, double>> row;
        WeightedMoves moves;
        box_.each_entry(begin, end, [&](std::uint64_t i, const ExactState& state) {
            fill(i, state, moves, row);
            std::sort(row.begin(), row.end());
            const std::size_t before = rows.column.size();
            for (const auto& [column, entry] : row)
                if (rows.column.size() > before && rows.column.back() == column) {
                    rows.entry.back() += entry;
                } else {
                    rows.column.push_back(column);
                    rows.entry.push_back(entry);
                }
            rows.length.push_back(static_cast<std::int32_t>(rows.column.size() - before));
        });
        return rows;
    }

  private:
    [[nodiscard]] long double w_at(const ExactState& state) const {
        return static_cast<long double>(scaled_(state)) / unit_;
    }
    void fill(std::uint64_t i, const ExactState& state, WeightedMoves& moves,
              std::vector<std::pair<std::int32_t, double>>& row) const {
        chain_.w[i] = w_at(state);
        if (!system_.is_settled(state)) {  // is never reached: leaves the box, so that its entry is of no consequence
            chain_.common[i] = chain_.leaving[i] = 1;
            chain_.far[i] = chain_.w[i];
            row.assign(1, {static_cast<std::int32_t>(i), 1.0});
            return;
        }
        system_.weigh_moves(state, moves);
        chain_.common[i] = exact_double(moves.common);
        chain_.f[i] = factor_ * static_cast<long double>(of_.count(state));
        row.assign(1, {static_cast<std::int32_t>(i), chain_.common[i]});
        long double next_w = 0;
        for (std::size_t k = 0; k < moves.next.size(); ++k) {
            const auto weight = static_cast<double>(moves.weight[k]);
            const long double w = static_cast<long double>(weight) * w_at(moves.next[k]);
            next_w += w;
            if (const auto next = box_.entry(moves.next[k])) {
                row.emplace_back(static_cast<std::int32_t>(*next), -weight);
            } else {
                chain_.leaving[i] += weight;
                chain_.far[i] += w;
            }
        }
        chain_.drift[i] = next_w / static_cast<long double>(chain_.common[i]) - chain_.w[i];
    }

    const ExactSystem& system_;
    const StateFunction& of_;
    const FoldedBox& box_;
    BoxChain& chain_;
    Integer scale_;
    FarFunction scaled_;
    long double unit_, factor_;
};

}  // namespace

void append(BoxChain& chain, const BoxRows& rows) {
    if (chain.column.size() + rows.column.size() > std::size_t{std::numeric_limits<std::int32_t>::max()})
        throw LimitExceeded("entries", "a matrix of 2^31 entries or more");
    for (const std::int32_t length : rows.length) chain.start.push_back(chain.start.back() + length);
    chain.column.insert(chain.column.end(), rows.column.begin(), rows.column.end());
    chain.entry.insert(chain.entry.end(), rows.entry.begin(), rows.entry.end());
}

BoxChain box_chain(const ExactSystem& system, const StateFunction& of, const FarForm& w, const FoldedBox& box,
                   unsigned threads, const std::function<void(std::uint64_t)>& progress) {
    const std::uint64_t n = box.entries();
    BoxChain chain;
    chain.common.resize(n);
    chain.leaving.resize(n);
    for (std::vector<long double>* values : {&chain.far, &chain.w, &chain.drift, &chain.f}) values->resize(n);
    const RowMaker maker(system, of, w, box, chain);
    // Rows are made in pieces, and a group of pieces is put in place before the next is begun.
    constexpr std::uint64_t piece = 2048, group = 64;
    for (std::uint64_t first = 0; first < n; first += piece * group) {
        const std::uint64_t left = (n - first + piece - 1) / piece;
        std::vector<BoxRows> all(std::min(group, left));
        base::for_each_index(all.size(), threads, [&](std::size_t part) {
            const std::uint64_t begin = first + part * piece;
            all[part] = maker.rows(begin, std::min(begin + piece, n));
        });
        for (const BoxRows& rows : all) append(chain, rows);
        if (first == 0) {  // the first rows tell how long the others are; a little more, for boxes grow wider
            const std::size_t expected = chain.column.size() / (chain.start.size() - 1) * n / 10 * 11;
            chain.column.reserve(expected);
            chain.entry.reserve(expected);
        }
        if (progress) progress(std::min(n, first + piece * group));
    }
    return chain;
}

std::vector<std::uint32_t> taboo_states(const BoxChain& chain, std::uint32_t most_likely) {
    const std::size_t n = chain.states();
    // Moves backwards, as one list sorted by target.
    std::vector<std::int64_t> start(n + 1, 0);
    for (const std::int32_t column : chain.column) ++start[static_cast<std::size_t>(column) + 1];
    for (std::size_t i = 0; i < n; ++i) start[i + 1] += start[i];
    std::vector<std::uint32_t> source(chain.column.size());
    std::vector<std::int64_t> next(start.begin(), start.end() - 1);
    for (std::size_t i = 0; i < n; ++i)
        for (std::int64_t e = chain.start[i]; e < chain.start[i + 1]; ++e)
            source[static_cast<std::size_t>(
                next[static_cast<std::size_t>(chain.column[static_cast<std::size_t>(e)])]++)] =
                static_cast<std::uint32_t>(i);
    std::vector<bool> reaches(n, false);
    std::vector<std::uint32_t> work;
    const auto reach = [&](std::uint32_t i) {
        if (!reaches[i]) work.push_back(i);
        reaches[i] = true;
    };
    const auto close = [&] {
        while (!work.empty()) {
            const std::uint32_t i = work.back();
            work.pop_back();
            for (std::int64_t e = start[i]; e < start[i + std::size_t{1}]; ++e)
                reach(source[static_cast<std::size_t>(e)]);
        }
    };
    std::vector<std::uint32_t> taboo{most_likely};
    reach(most_likely);
    for (std::uint32_t i = 0; i < n; ++i)
        if (chain.leaving[i] > 0) reach(i);
    close();
    for (std::uint32_t i = 0; i < n; ++i) {
        if (reaches[i]) continue;
        // From a state that reaches neither, moves lead on to such states only: walk until one comes back.
        std::vector<bool> met(n, false);
        std::uint32_t at = i;
        for (std::uint64_t step = 0; !met[at]; ++step) {
            met[at] = true;
            const auto first = chain.start[at], last = chain.start[at + std::size_t{1}];
            at = static_cast<std::uint32_t>(
                chain.column[static_cast<std::size_t>(first + static_cast<std::int64_t>(step) % (last - first))]);
        }
        taboo.push_back(at);
        reach(at);
        close();
    }
    return taboo;
}

}  // namespace schedproof::queueing
