/// What a figure shows, as numbers: by measure, curve and place on the x axis, a value for each replication.
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace schedproof::reproduction {

/// The values of the replications, in their order, so that two samples can be paired; not finite where a replication
/// did not see the quantity. `exact`: computed and not drawn, one value without error.
struct Sample {
    std::vector<double> values;
    bool exact = false;
};

/// A place of a figure.
struct Place {
    std::string measure, curve;
    double x = 0;  ///< 0 in a figure without such an axis
    friend auto operator<=>(const Place&, const Place&) = default;
};

class Measurements {
  public:
    void add(const Place& place, Sample sample) { samples_.insert_or_assign(place, std::move(sample)); }
    /// Null when nothing was measured there.
    [[nodiscard]] const Sample* find(const Place& place) const;
    /// The curves of a measure, each once, by name.
    [[nodiscard]] std::vector<std::string> curves(const std::string& measure) const;
    /// Where a curve has values, ascending.
    [[nodiscard]] std::vector<double> places(const std::string& measure, const std::string& curve) const;
    [[nodiscard]] const std::map<Place, Sample>& all() const { return samples_; }

  private:
    std::map<Place, Sample> samples_;
};

}  // namespace schedproof::reproduction
