/// What machines get done in each slot of time: sample paths of their service.
///
/// A machine goes through periods, in each at a constant rate; its work in the slot [k, k+1) is the integral of its
/// rate over the slot, whatever periods begin and end within. Paths are drawn or recorded, independently of
/// the policy.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace schedproof::simulation {

class MachineWork {
  public:
    virtual ~MachineWork() = default;
    [[nodiscard]] std::size_t machines() const { return period_.size(); }
    /// Sets work[i] to what machine i gets done in [slot, slot + 1). Slots must ascend from call to call.
    /// Cost: one comparison per machine whose period lasts.
    void in_slot(std::uint64_t slot, std::span<double> work);

  protected:
    /// At `rate` until `end`, from the end of the period before.
    struct Period {
        double rate = 0;
        double end = 0;
    };
    explicit MachineWork(std::size_t machines) : period_(machines) {}
    /// The period that follows on `before`, ending no earlier.
    [[nodiscard]] virtual Period next(std::size_t machine, const Period& before) = 0;

  private:
    [[nodiscard]] double across_periods(std::size_t machine, double from, double to);

    std::vector<Period> period_;
};

/// Rate 1 throughout.
class ConstantWork final : public MachineWork {
  public:
    explicit ConstantWork(std::size_t machines) : MachineWork(machines) {}

  private:
    [[nodiscard]] Period next(std::size_t, const Period&) override {
        return {1, std::numeric_limits<double>::infinity()};
    }
};

}  // namespace schedproof::simulation
