/// Sample paths of machines that alternate between available and unavailable periods, stationary from the start.
///
/// An alternating renewal process is stationary when its first period is length-biased: the machine is available with
/// the long-run probability, the current period has the density x f(x) / mean, and the point reached in it is uniform.
/// For a Gamma law of shape a the length-biased law is Gamma of shape a + 1, so the rest of the first period is a
/// uniform part of such a draw. Rates are divided by their long-run mean, so that a machine gets one unit of work done
/// per slot on average.
#include "experiments/simulators/redundancy/random_periods.hpp"

#include "model/core/errors.hpp"

namespace schedproof::simulation {

namespace {

double uniform(double from, double to, statistics::Stream& stream) {
    return from < to ? boost::random::uniform_real_distribution<double>(from, to)(stream) : from;
}

double gamma(double shape, double scale, statistics::Stream& stream) {
    return boost::random::gamma_distribution<double>(shape, scale)(stream);
}

}  // namespace

double PeriodLaw::mean_rate() const {
    const double on = available.mean_length(), off = unavailable.mean_length();
    return (on * available.mean_rate() + off * unavailable.mean_rate()) / (on + off);
}

double PeriodLaw::availability() const {
    return available.mean_length() / (available.mean_length() + unavailable.mean_length());
}

PeriodLaw period_law(std::string_view name) {
    if (name == "A") return {"A", {0.34, 94.35, 1, 2}, {0.19, 39.92, 0, 1}};
    if (name == "B") return {"B", {0.34, 94.35, 0.5, 2}, {0.19, 39.92, 0, 0.5}};
    throw InputError::at_key("periods", "expected the configuration A or B, not '" + std::string(name) + "'");
}

RandomPeriods::RandomPeriods(PeriodLaw law, std::size_t machines, const statistics::Replication& replication)
    : MachineWork(machines), law_(std::move(law)), mean_rate_(law_.mean_rate()) {
    machine_.reserve(machines);
    for (std::size_t i = 0; i < machines; ++i) machine_.push_back({statistics::Stream(replication, "periods", i)});
}

double RandomPeriods::draw_rate(const PeriodKind& kind, Machine& machine) const {
    return uniform(kind.least, kind.most, machine.stream) / mean_rate_;
}

MachineWork::Period RandomPeriods::next(std::size_t i, const Period& before) {
    Machine& machine = machine_[i];
    if (!machine.begun) {
        machine.begun = true;
        machine.available = uniform(0, 1, machine.stream) < law_.availability();
        const PeriodKind& kind = machine.available ? law_.available : law_.unavailable;
        const double rest = uniform(0, 1, machine.stream) * gamma(kind.shape + 1, kind.scale, machine.stream);
        return {draw_rate(kind, machine), rest};
    }
    machine.available = !machine.available;
    const PeriodKind& kind = machine.available ? law_.available : law_.unavailable;
    const double length = gamma(kind.shape, kind.scale, machine.stream);
    return {draw_rate(kind, machine), before.end + length};
}

}  // namespace schedproof::simulation
