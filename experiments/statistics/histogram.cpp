#include "experiments/statistics/histogram.hpp"

#include <algorithm>
#include <cmath>

#include "model/core/errors.hpp"

namespace schedproof::statistics {

Histogram& Histogram::operator+=(const Histogram& other) {
    if (counts_.size() < other.counts_.size()) counts_.resize(other.counts_.size());
    for (std::size_t b = 0; b < other.counts_.size(); ++b) counts_[b] += other.counts_[b];
    total_ += other.total_;
    return *this;
}

std::uint64_t Histogram::quantile(double p) const {
    require(total_ > 0 && p >= 0 && p <= 1, "a quantile needs a value, and a part between 0 and 1");
    const auto rank =
        std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::ceil(p * static_cast<double>(total_))));
    std::uint64_t seen = 0;
    for (std::size_t b = 0; b < counts_.size(); ++b)
        if ((seen += counts_[b]) >= rank) return largest_in(b);
    return largest_in(counts_.size() - 1);
}

std::vector<std::pair<std::uint64_t, std::uint64_t>> Histogram::bins() const {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> list;
    for (std::size_t b = 0; b < counts_.size(); ++b)
        if (counts_[b] > 0) list.emplace_back(largest_in(b), counts_[b]);
    return list;
}

std::uint64_t Histogram::largest_in(std::size_t bin) {
    if (bin < 2 * half) return bin;
    const auto shift = static_cast<unsigned>(bin / half) - 1;
    const std::uint64_t first = (bin % half + half) << shift;
    return first + ((std::uint64_t{1} << shift) - 1);
}

}  // namespace schedproof::statistics
