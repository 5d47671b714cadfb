/// Intervals: the ratio estimator of batch means, order statistics for quantiles, exact intervals of proportions.
///
/// Batch means. A batch has a sum S and a weight W (tasks, or time), which vary together. The mean is m = sum S / sum
/// W, and its error to first order the mean of S - m W over the mean of W; so the half width is that of Student's t for
/// the residuals S_i - m W_i, divided by the mean weight. The lag-1 correlation of the residuals shows whether batches
/// are too short.
///
/// Quantiles. The number of n independent values below the p-quantile is Bin(n, p), whatever their law; the ranks are
/// the tightest pair with at most (1 - confidence)/2 on each side, found by bisection on the binomial distribution
/// function.
///
/// Proportions. Clopper and Pearson's interval inverts the two one-sided binomial tests; it covers at least as often as
/// it says.
#include "experiments/statistics/intervals.hpp"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <numeric>
#include <vector>

#include "model/core/errors.hpp"

namespace schedproof::statistics {

namespace {

using Binomial = boost::math::binomial_distribution<double>;

void require_confidence(double confidence) {
    require(confidence > 0 && confidence < 1, "a confidence lies between 0 and 1");
}

std::vector<Part> merged(std::span<const Part> parts, std::size_t batches) {
    const std::size_t each = parts.size() / batches, first = parts.size() - each * batches;
    std::vector<Part> result(batches);
    for (std::size_t i = first; i < parts.size(); ++i) {
        Part& into = result[(i - first) / each];
        into.sum += parts[i].sum;
        into.weight += parts[i].weight;
    }
    return result;
}

}  // namespace

BatchMeans batch_means(std::span<const Part> parts, std::size_t batches, double confidence) {
    require_confidence(confidence);
    require(batches >= 1 && !parts.empty(), "batch means need a batch");
    std::vector<Part> list = merged(parts, std::min(batches, parts.size()));
    // A stretch in which nothing was seen says nothing of the spread.
    std::erase_if(list, [](const Part& part) { return part.weight <= 0; });
    if (list.empty())
        list.assign(1, std::accumulate(parts.begin(), parts.end(), Part{}, [](Part sum, const Part& part) {
                        return Part{sum.sum + part.sum, sum.weight + part.weight};
                    }));
    const auto k = static_cast<double>(list.size());
    Part all;
    for (const Part& part : list) {
        all.sum += part.sum;
        all.weight += part.weight;
    }
    require(all.weight > 0, "the mean of nothing");
    BatchMeans result{{all.sum / all.weight, {}}, list.size(), 0};
    if (list.size() < 2) return result;
    // Sum and weight vary together: S - m W has mean zero, and the ratio's error is its mean over that of W.
    std::vector<double> residual;
    for (const Part& part : list) residual.push_back(part.sum - result.estimate.mean * part.weight);
    double squares = 0, products = 0;
    for (std::size_t i = 0; i < residual.size(); ++i) {
        squares += residual[i] * residual[i];
        if (i > 0) products += residual[i - 1] * residual[i];
    }
    const double t = boost::math::quantile(boost::math::students_t(k - 1), (1 + confidence) / 2);
    result.estimate.half_width = t * std::sqrt(squares / (k - 1) / k) / (all.weight / k);
    if (squares > 0) result.correlation = products / squares;
    return result;
}

std::optional<std::vector<double>> stretch_values(std::span<const Part> parts, std::size_t batches) {
    require(batches >= 1 && parts.size() >= batches, "a stretch has a part");
    const std::vector<Part> list = merged(parts, batches);
    Part all;
    for (const Part& part : list) {
        if (part.weight <= 0) return std::nullopt;
        all.sum += part.sum;
        all.weight += part.weight;
    }
    const double mean = all.sum / all.weight, each = all.weight / static_cast<double>(list.size());
    std::vector<double> values;
    for (const Part& part : list) values.push_back(mean + (part.sum - mean * part.weight) / each);
    return values;
}

std::optional<std::pair<std::size_t, std::size_t>> quantile_ranks(std::size_t n, double p, double confidence) {
    require_confidence(confidence);
    require(p > 0 && p < 1, "a quantile's part lies between 0 and 1");
    if (n == 0) return std::nullopt;
    // B ~ Bin(n, p) values lie below the quantile: it is at least the l-th value when B >= l, at most the u-th when
    // B < u. So l is the largest with P(B <= l-1) <= tail, u the least with P(B >= u) <= tail.
    const Binomial law(static_cast<double>(n), p);
    const double tail = (1 - confidence) / 2;
    const auto below = [&](std::size_t k) { return k == 0 ? 0.0 : boost::math::cdf(law, static_cast<double>(k - 1)); };
    const auto above = [&](std::size_t k) {
        return boost::math::cdf(boost::math::complement(law, static_cast<double>(k) - 1));
    };
    if (below(1) > tail || above(n) > tail) return std::nullopt;
    std::size_t low = 1, beyond = n;  // below(low) <= tail; above(high) <= tail
    for (std::size_t high = n; low < high;) {
        const std::size_t middle = low + (high - low + 1) / 2;
        if (below(middle) <= tail)
            low = middle;
        else
            high = middle - 1;
    }
    for (std::size_t least = 1; least < beyond;) {
        const std::size_t middle = least + (beyond - least) / 2;
        if (above(middle) <= tail)
            beyond = middle;
        else
            least = middle + 1;
    }
    return std::pair(low, beyond);
}

bool is_precise(const Estimate& estimate, double precision) {
    require(precision > 0, "a precision is above 0");
    return estimate.half_width && *estimate.half_width <= precision / (1 + precision) * std::abs(estimate.mean);
}

Interval proportion(std::size_t successes, std::size_t n, double confidence) {
    require_confidence(confidence);
    require(n >= 1 && successes <= n, "a proportion is of at least one trial");
    const auto trials = static_cast<double>(n), hits = static_cast<double>(successes);
    const double tail = (1 - confidence) / 2;
    return {successes == 0 ? 0 : Binomial::find_lower_bound_on_p(trials, hits, tail),
            successes == n ? 1 : Binomial::find_upper_bound_on_p(trials, hits, tail)};
}

double binomial_at_most(std::size_t k, std::size_t n, double p) {
    require(p >= 0 && p <= 1, "a probability lies between 0 and 1");
    return k >= n ? 1 : boost::math::cdf(Binomial(static_cast<double>(n), p), static_cast<double>(k));
}

}  // namespace schedproof::statistics
