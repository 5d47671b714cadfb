#include "experiments/reproduction/measurements.hpp"

namespace schedproof::reproduction {

const Sample* Measurements::find(const Place& place) const {
    const auto found = samples_.find(place);
    return found == samples_.end() ? nullptr : &found->second;
}

std::vector<std::string> Measurements::curves(const std::string& measure) const {
    std::vector<std::string> names;
    for (const auto& [place, sample] : samples_)
        if (place.measure == measure && (names.empty() || names.back() != place.curve)) names.push_back(place.curve);
    return names;
}

std::vector<double> Measurements::places(const std::string& measure, const std::string& curve) const {
    std::vector<double> places;
    for (const auto& [place, sample] : samples_)
        if (place.measure == measure && place.curve == curve) places.push_back(place.x);
    return places;
}

}  // namespace schedproof::reproduction
