#include "experiments/workload/redundancy_workload.hpp"

#include <fmt/core.h>

#include <array>
#include <boost/math/distributions/pareto.hpp>
#include <boost/random/exponential_distribution.hpp>
#include <boost/random/uniform_01.hpp>
#include <vector>

#include "experiments/input/nearest.hpp"
#include "experiments/input/real_text.hpp"
#include "experiments/input/text.hpp"
#include "model/core/errors.hpp"

namespace schedproof::workload {

namespace {

constexpr std::string_view forms = "pareto:SHAPE,SCALE, exponential:MEAN, uniform:FROM,TO or constant:SIZE";

[[noreturn]] void expected(const std::string& what) { throw InputError({"", 0, "sizes"}, "expected " + what); }

std::vector<double> numbers(std::string_view text) {
    std::vector<double> values;
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t end = std::min(text.find(',', at), text.size());
        const auto value = input::real_number(text.substr(at, end - at));
        if (!value) expected(fmt::format("a number, not {}", input::shown(text.substr(at, end - at))));
        values.push_back(*value);
        at = end + 1;
    }
    return values;
}

/// One size from a uniform number in [0, 1).
struct Draw {
    double u;
    double operator()(const ParetoSizes& law) const {
        return boost::math::quantile(boost::math::complement(boost::math::pareto(law.scale, law.shape), 1 - u));
    }
    double operator()(const ExponentialSizes& law) const { return -law.mean * std::log1p(-u); }
    double operator()(const UniformSizes& law) const { return law.from + (law.to - law.from) * u; }
    double operator()(const ConstantSizes& law) const { return law.size; }
};

}  // namespace

SizeLaw parse_sizes(std::string_view text) {
    static constexpr std::array<std::string_view, 4> kinds{"pareto", "exponential", "uniform", "constant"};
    const std::string_view kind = text.substr(0, text.find(':'));
    if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end() || kind.size() == text.size())
        expected(fmt::format("{}, not {}{}", forms, input::shown(text), input::did_you_mean(kind, kinds)));
    const std::vector<double> values = numbers(text.substr(kind.size() + 1));
    if (values.size() != (kind == "pareto" || kind == "uniform" ? 2U : 1U)) expected(std::string(forms));
    if (kind == "pareto") {
        if (values[0] <= 1 || values[1] <= 0) expected("pareto:SHAPE,SCALE with a shape above 1 and a scale above 0");
        return ParetoSizes{values[0], values[1]};
    }
    if (kind == "uniform") {
        if (values[0] < 0 || values[1] <= values[0]) expected("uniform:FROM,TO with 0 <= FROM < TO");
        return UniformSizes{values[0], values[1]};
    }
    if (values[0] <= 0) expected("a size above 0");
    if (kind == "exponential") return ExponentialSizes{values[0]};
    return ConstantSizes{values[0]};
}

double mean(const SizeLaw& law) {
    struct Mean {
        double operator()(const ParetoSizes& l) const { return l.shape * l.scale / (l.shape - 1); }
        double operator()(const ExponentialSizes& l) const { return l.mean; }
        double operator()(const UniformSizes& l) const { return (l.from + l.to) / 2; }
        double operator()(const ConstantSizes& l) const { return l.size; }
    };
    return std::visit(Mean{}, law);
}

redundancy::Jobs<Real> generate(const RedundancyWorkload& workload, const statistics::Replication& replication) {
    if (!(workload.rate > 0)) throw InputError({"", 0, "rate"}, "expected a rate above 0");
    if (!(workload.horizon > 0)) throw InputError({"", 0, "horizon"}, "expected a horizon above 0");
    if (!(workload.rate * workload.horizon <= max_generated_jobs))
        throw InputError({"", 0, "horizon"},
                         fmt::format("expected at most {} jobs, rate times horizon", max_generated_jobs));
    statistics::Stream arrivals(replication, "arrivals"), sizes(replication, "sizes");
    boost::random::exponential_distribution<double> gap(workload.rate);
    boost::random::uniform_01<double> uniform;
    redundancy::Jobs<Real> jobs;
    for (double now = gap(arrivals); now < workload.horizon; now += gap(arrivals)) {
        double size = 0;
        while (!(size > 0)) size = std::visit(Draw{uniform(sizes)}, workload.sizes);
        jobs.push_back({Real(now), Real(size)});
    }
    return jobs;
}

}  // namespace schedproof::workload
