/// Laws of gaps and sizes: reading them, their moments, and drawing from them.
///
/// A law is a variant; each operation is one overload set over it. Moments are closed formulas, those of recorded
/// values the moments of the sample; a Pareto law has a mean for shapes above 1, which is required, and an infinite
/// variance up to shape 2. Draws are made 256 at a time, so that the kind of law is looked at once per block:
/// exponential and uniform from one word each, Pareto by inversion (scale / U^(1/shape)), Gamma by Boost's rejection,
/// hyperexponential by a branch and then an exponential. The values of a law depend on its own stream alone, in order.
#include "experiments/workload/random_law.hpp"

#include <fmt/core.h>
#include <fmt/format.h>

#include <algorithm>
#include <boost/random/exponential_distribution.hpp>
#include <boost/random/gamma_distribution.hpp>
#include <boost/random/uniform_01.hpp>
#include <cmath>
#include <limits>
#include <numeric>

#include "experiments/input/text/hashed_input.hpp"
#include "experiments/input/text/line_reader.hpp"
#include "experiments/input/text/real_text.hpp"
#include "model/base/nearest.hpp"
#include "model/base/split.hpp"
#include "model/base/text.hpp"
#include "model/core/errors.hpp"

namespace schedproof::workload {

namespace {

using Unit = boost::random::uniform_01<double>;
using StandardExponential = boost::random::exponential_distribution<double>;

constexpr double infinity = std::numeric_limits<double>::infinity();

/// A text of a law that is being read.
struct Text {
    std::string_view kind;
    std::vector<double> values;
    const std::string& key;

    [[noreturn]] void expected(const std::string& what) const { throw InputError::at_key(key, "expected " + what); }
    void require(bool holds, std::string_view form) const {
        if (!holds) expected(std::string(form));
    }
};

std::vector<double> numbers(std::string_view text, const std::string& key) {
    std::vector<double> values;
    for (const std::string_view part : base::split(text, ',')) {
        const auto value = input::real_number(part);
        if (!value) throw InputError::at_key(key, fmt::format("expected a number, not {}", base::shown(part)));
        values.push_back(*value);
    }
    return values;
}

RealLaw parse_hyperexponential(const Text& text) {
    constexpr std::string_view form =
        "hyperexponential:P,MEAN,P,MEAN,... with probabilities that add up to 1 and means above 0";
    const std::vector<double>& v = text.values;
    text.require(v.size() % 2 == 0, form);
    Hyperexponential law{{}};
    double sum = 0;
    for (std::size_t i = 0; i < v.size(); i += 2) {
        text.require(v[i] > 0 && v[i + 1] > 0, form);
        law.branches.push_back({v[i], v[i + 1]});
        sum += v[i];
    }
    text.require(std::abs(sum - 1) <= 1e-9, form);
    return law;
}

Recorded read_recorded(const std::string& file) {
    input::HashedInput in(file);
    input::LineReader lines(in.stream(), file);
    std::vector<double> values;
    while (const auto line = lines.next()) {
        if (line->empty() || line->front() == '#') continue;
        const auto value = input::real_number(*line);
        if (!value || *value < 0)
            throw InputError::at_line(file, lines.line(),
                                      fmt::format("expected a number of at least 0, not {}", base::shown(*line)));
        if (!lines.ended())
            throw InputError::at_line(file, lines.line(),
                                      "the last line has no newline; if the file is complete, add one");
        if (values.size() == max_recorded_values)
            throw InputError::at_line(file, lines.line(),
                                      fmt::format("expected at most {} values", max_recorded_values));
        values.push_back(*value);
    }
    if (std::none_of(values.begin(), values.end(), [](double v) { return v > 0; }))
        throw InputError::in_file(file, "expected a value above 0");
    return {file, std::make_shared<const std::vector<double>>(std::move(values)), in.file().sha256};
}

struct Mean {
    double operator()(const Exponential& l) const { return l.mean; }
    double operator()(const Constant& l) const { return l.value; }
    double operator()(const Uniform& l) const { return (l.from + l.to) / 2; }
    double operator()(const Pareto& l) const { return l.shape * l.scale / (l.shape - 1); }
    double operator()(const Gamma& l) const { return l.shape * l.scale; }
    double operator()(const Hyperexponential& l) const {
        double sum = 0;
        for (const auto& branch : l.branches) sum += branch.probability * branch.mean;
        return sum;
    }
    double operator()(const Recorded& l) const {
        return std::accumulate(l.values->begin(), l.values->end(), 0.0) / static_cast<double>(l.values->size());
    }
};

struct Variance {
    double operator()(const Exponential& l) const { return l.mean * l.mean; }
    double operator()(const Constant&) const { return 0; }
    double operator()(const Uniform& l) const { return (l.to - l.from) * (l.to - l.from) / 12; }
    double operator()(const Pareto& l) const {
        if (l.shape <= 2) return infinity;
        return l.scale * l.scale * l.shape / ((l.shape - 1) * (l.shape - 1) * (l.shape - 2));
    }
    double operator()(const Gamma& l) const { return l.shape * l.scale * l.scale; }
    double operator()(const Hyperexponential& l) const {
        double square = 0;
        for (const auto& branch : l.branches) square += 2 * branch.probability * branch.mean * branch.mean;
        return square - Mean{}(l)*Mean{}(l);
    }
    double operator()(const Recorded& l) const {
        const double mean = Mean{}(l);
        double squares = 0;
        for (const double value : *l.values) squares += (value - mean) * (value - mean);
        return squares / static_cast<double>(l.values->size());
    }
};

struct ToText {
    std::string operator()(const Exponential& l) const { return fmt::format("exponential:{}", l.mean); }
    std::string operator()(const Constant& l) const { return fmt::format("constant:{}", l.value); }
    std::string operator()(const Uniform& l) const { return fmt::format("uniform:{},{}", l.from, l.to); }
    std::string operator()(const Pareto& l) const { return fmt::format("pareto:{},{}", l.shape, l.scale); }
    std::string operator()(const Gamma& l) const { return fmt::format("gamma:{},{}", l.shape, l.scale); }
    std::string operator()(const Hyperexponential& l) const {
        std::string text = "hyperexponential";
        char before = ':';
        for (const auto& branch : l.branches) {
            text += fmt::format("{}{},{}", before, branch.probability, branch.mean);
            before = ',';
        }
        return text;
    }
    std::string operator()(const Recorded& l) const { return "trace:" + l.file; }
};

/// Fills `values` by inverse transforms, except where Boost has something faster or exact.
struct Fill {
    std::array<double, 256>& values;
    statistics::Stream& stream;

    void operator()(const Exponential& l) const {
        StandardExponential unit;
        for (double& value : values) value = l.mean * unit(stream);
    }
    void operator()(const Constant& l) const { values.fill(l.value); }
    void operator()(const Uniform& l) const {
        Unit unit;
        for (double& value : values) value = l.from + (l.to - l.from) * unit(stream);
    }
    void operator()(const Pareto& l) const {
        Unit unit;
        for (double& value : values) value = l.scale / std::pow(1 - unit(stream), 1 / l.shape);
    }
    void operator()(const Gamma& l) const {
        boost::random::gamma_distribution<double> gamma(l.shape, l.scale);
        for (double& value : values) value = gamma(stream);
    }
    void operator()(const Hyperexponential& l) const {
        Unit which;
        StandardExponential unit;
        for (double& value : values) {
            double left = which(stream);
            std::size_t i = 0;
            while (i + 1 < l.branches.size() && left >= l.branches[i].probability) left -= l.branches[i++].probability;
            value = l.branches[i].mean * unit(stream);
        }
    }
    void operator()(const Recorded& l) const {
        for (double& value : values) value = (*l.values)[stream.below(l.values->size())];
    }
};

}  // namespace

RealLaw parse_law(std::string_view text, const std::string& key) {
    static constexpr std::array<std::string_view, 8> kinds{"exponential",      "constant", "deterministic", "uniform",
                                                           "hyperexponential", "pareto",   "gamma",         "trace"};
    const std::string_view kind = text.substr(0, text.find(':'));
    if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end() || kind.size() == text.size())
        throw InputError::at_key(
            key, fmt::format("expected {}, not {}{}", law_forms, base::shown(text), base::did_you_mean(kind, kinds)));
    const std::string_view rest = text.substr(kind.size() + 1);
    if (kind == "trace") return read_recorded(std::string(rest));
    const Text read{kind, numbers(rest, key), key};
    const std::vector<double>& v = read.values;
    if (kind == "hyperexponential") return parse_hyperexponential(read);
    if (kind == "pareto") {
        read.require(v.size() == 2 && v[0] > 1 && v[1] > 0,
                     "pareto:SHAPE,SCALE with a shape above 1 and a scale above 0");
        return Pareto{v[0], v[1]};
    }
    if (kind == "gamma") {
        read.require(v.size() == 2 && v[0] > 0 && v[1] > 0, "gamma:SHAPE,SCALE, both above 0");
        return Gamma{v[0], v[1]};
    }
    if (kind == "uniform") {
        read.require(v.size() == 2 && v[0] >= 0 && v[1] > v[0], "uniform:FROM,TO with 0 <= FROM < TO");
        return Uniform{v[0], v[1]};
    }
    read.require(v.size() == 1 && v[0] > 0, fmt::format("{}:X with X above 0", kind));
    if (kind == "exponential") return Exponential{v[0]};
    return Constant{v[0]};
}

std::string to_text(const RealLaw& law) { return std::visit(ToText{}, law); }
double mean(const RealLaw& law) { return std::visit(Mean{}, law); }
double squared_variation(const RealLaw& law) {
    const double m = mean(law);
    return std::visit(Variance{}, law) / (m * m);
}

void Draws::refill() {
    std::visit(Fill{values_, stream_}, law_);
    next_ = 0;
}

}  // namespace schedproof::workload
