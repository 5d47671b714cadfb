#include "model/queueing/ties.hpp"

namespace schedproof::queueing {

Decision::Decision(std::vector<std::pair<Ties, Rational>> outcomes) {
    std::vector<Rational> probabilities;
    for (std::pair<Ties, Rational>& outcome : outcomes) {
        outcomes_.push_back(std::move(outcome.first));
        probabilities.push_back(std::move(outcome.second));
    }
    if (outcomes_.size() != 1) law_.emplace(std::move(probabilities));
}

bool operator==(const Decision& a, const Decision& b) {
    if (a.outcomes_ != b.outcomes_) return false;
    for (std::size_t i = 0; i < a.size(); ++i)
        if (a.probability(i) != b.probability(i)) return false;
    return true;
}

std::vector<Candidate> candidates(const Decision& decision) {
    if (decision.size() == 1) return {decision[0].begin(), decision[0].end()};
    std::vector<Candidate> all;
    for (std::size_t i = 0; i < decision.size(); ++i) all.insert(all.end(), decision[i].begin(), decision[i].end());
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
}

}  // namespace schedproof::queueing
