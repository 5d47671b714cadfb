#include "proofs/queueing/bounds/box_chain.hpp"

#include <algorithm>
#include <atomic>

#include "model/base/parallel.hpp"
#include "model/core/errors.hpp"

namespace schedproof::queueing {

namespace {

/// Rows of one range of states.
struct Rows {
    std::vector<std::int32_t> column;
    std::vector<double> weight;
    std::vector<std::int64_t> length;  // of each row
};

double exact_double(const Integer& value) {
    if (value > (Integer(1) << 53U)) throw LimitExceeded("2^53", "the common denominator of a slot's probabilities");
    return static_cast<double>(static_cast<std::int64_t>(value));
}

}  // namespace

BoxChain box_chain(const ExactSystem& system, const StateFunction& of, const LyapunovForm& w, const StateBox& box,
                   unsigned threads, const std::function<void(std::uint64_t)>& progress) {
    const std::uint64_t n = box.size();
    if (n >= (std::uint64_t{1} << 31U)) throw LimitExceeded("states", "a box of 2^31 states or more");
    const Integer scale = integral_scale(w, Rational(1));
    const FarFunction scaled(w, Rational(1), Rational(0), scale);
    const auto unit = static_cast<long double>(Rational(scale).approximate());
    const auto factor = static_cast<long double>(of.factor(system.instance()).approximate());
    const auto w_at = [&](const ExactState& state) { return static_cast<long double>(scaled(state)) / unit; };

    BoxChain chain;
    chain.common.resize(n);
    chain.leaving.resize(n);
    chain.far.resize(n);
    chain.w.resize(n);
    chain.f.resize(n);
    constexpr std::uint64_t piece = 4096;
    const std::uint64_t pieces = (n + piece - 1) / piece;
    std::vector<Rows> all(pieces);
    std::atomic<std::uint64_t> done = 0;
    base::for_each_index(pieces, threads, [&](std::size_t part) {
        Rows& rows = all[part];
        std::vector<std::pair<std::int32_t, double>> row;
        std::vector<Rational> probabilities;
        const std::uint64_t begin = part * piece, end = std::min(begin + piece, n);
        box.each(begin, end, [&](std::uint64_t i, const ExactState& state) {
            const std::vector<Move> moves = system.moves(state);
            probabilities.clear();
            for (const Move& move : moves) probabilities.push_back(move.probability);
            const Integer common = common_denominator(probabilities);
            row.clear();
            chain.common[i] = exact_double(common);
            chain.w[i] = w_at(state);
            chain.f[i] = factor * static_cast<long double>(of.count(state));
            for (const Move& move : moves) {
                const double weight = exact_double((move.probability * Rational(common)).numerator());
                if (const auto next = box.index(move.slot.next)) {
                    row.emplace_back(static_cast<std::int32_t>(*next), weight);
                } else {
                    chain.leaving[i] += weight;
                    chain.far[i] += static_cast<long double>(weight) * w_at(move.slot.next);
                }
            }
            std::sort(row.begin(), row.end());
            const std::size_t before = rows.column.size();
            for (const auto& [column, weight] : row)
                if (rows.column.size() > before && rows.column.back() == column) {
                    rows.weight.back() += weight;
                } else {
                    rows.column.push_back(column);
                    rows.weight.push_back(weight);
                }
            rows.length.push_back(static_cast<std::int64_t>(rows.column.size() - before));
        });
        done += end - begin;
        if (progress) progress(done);
    });
    chain.start.push_back(0);
    std::size_t entries = 0;
    for (const Rows& rows : all) entries += rows.column.size();
    chain.column.reserve(entries);
    chain.weight.reserve(entries);
    for (Rows& rows : all) {
        for (const std::int64_t length : rows.length) chain.start.push_back(chain.start.back() + length);
        chain.column.insert(chain.column.end(), rows.column.begin(), rows.column.end());
        chain.weight.insert(chain.weight.end(), rows.weight.begin(), rows.weight.end());
        rows = {};
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
