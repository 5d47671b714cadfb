/// Writing exact chains in the unified Markov binary format: see umb.hpp for the format.
///
/// Every array is built in memory and put into the archive in one piece, since a member's size stands before it; the
/// chain itself, with a GMP rational per branch, is larger. Integers are written byte by byte from their definition, so
/// the byte order of the machine does not matter.
///
/// Widths are the least that hold what is there. A variable without negative values is unsigned, any other signed in
/// two's complement; the values of a state follow each other bit by bit, the first in the lowest bits, and zeros fill
/// the last byte. An array of rationals has one width for all its entries, for the format has no other.
#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <ostream>
#include <set>
#include <utility>

#include "checks/umb/tar.hpp"
#include "checks/umb/umb.hpp"
#include "model/base/json.hpp"
#include "model/base/output_file.hpp"
#include "model/core/errors.hpp"

namespace schedproof::graph {

using base::Json;

namespace {

void append_word(std::string& bytes, std::uint64_t value) {
    for (int i = 0; i < 8; ++i) bytes.push_back(static_cast<char>((value >> (8 * i)) & 0xFF));
}

/// The least number of bits of a number in two's complement.
std::size_t signed_bits(const Integer& n) {
    const Integer magnitude = n < 0 ? Integer(-n - 1) : n;
    return magnitude == 0 ? 1 : msb(magnitude) + 2;
}

/// In two's complement, lowest byte first. Requires that it fits.
void append_integer(std::string& bytes, Integer n, std::size_t size) {
    if (n < 0) n += Integer(1) << (8 * size);
    for (std::size_t i = 0; i < size; ++i, n >>= 8) bytes.push_back(static_cast<char>(static_cast<unsigned>(n & 0xFF)));
}

/// An array of rationals as bytes.
struct Rationals {
    std::size_t bits = 128;  ///< per entry
    std::string bytes;

    [[nodiscard]] Json type() const { return {{"type", "rational"}, {"size", bits}}; }
};

Rationals encoded(const std::vector<const Rational*>& values) {
    constexpr std::size_t word = 64;
    std::size_t widest = 1;
    for (const Rational* q : values)
        widest = std::max({widest, signed_bits(q->numerator()), signed_bits(q->denominator())});
    const std::size_t words = (widest + word - 1) / word;
    Rationals result{2 * word * words, {}};
    for (const Rational* q : values) {
        append_integer(result.bytes, q->numerator(), 8 * words);
        append_integer(result.bytes, q->denominator(), 8 * words);
    }
    return result;
}

Rationals encoded(const std::vector<Rational>& values) {
    std::vector<const Rational*> all;
    for (const Rational& q : values) all.push_back(&q);
    return encoded(all);
}

/// A bit per state, in whole words of 64.
std::string state_set(const std::vector<markov::StateIndex>& states, std::size_t of) {
    std::string bytes((of + 63) / 64 * 8, '\0');
    for (const markov::StateIndex s : states)
        bytes[s / 8] = static_cast<char>(static_cast<unsigned char>(bytes[s / 8]) | (1U << (s % 8)));
    return bytes;
}

/// How the values of a variable are stored.
struct PackedVariable {
    bool negative = false;  ///< whether some value is
    std::size_t bits = 1;
};

PackedVariable packed(const PrismModel& model, std::size_t variable) {
    std::int32_t least = 0, largest = 0;
    for (const auto& values : model.values) {
        least = std::min(least, values[variable]);
        largest = std::max(largest, values[variable]);
    }
    if (least >= 0) return {false, std::max<std::size_t>(1, std::bit_width(static_cast<std::uint32_t>(largest)))};
    return {true, std::max(signed_bits(Integer(least)), signed_bits(Integer(largest)))};
}

std::vector<PackedVariable> packing(const PrismModel& model) {
    std::vector<PackedVariable> result;
    for (std::size_t i = 0; i < model.variables.size(); ++i) result.push_back(packed(model, i));
    return result;
}

std::size_t bits_of(const std::vector<PackedVariable>& variables) {
    std::size_t bits = 0;
    for (const PackedVariable& variable : variables) bits += variable.bits;
    return bits;
}

std::string packed_values(const PrismModel& model, const std::vector<PackedVariable>& variables) {
    const std::size_t size = (bits_of(variables) + 7) / 8;
    std::string bytes(size * model.values.size(), '\0');
    for (std::size_t s = 0; s < model.values.size(); ++s) {
        std::size_t at = 8 * size * s;
        for (std::size_t i = 0; i < variables.size(); ++i) {
            const auto value = static_cast<std::uint32_t>(model.values[s][i]);
            for (std::size_t bit = 0; bit < variables[i].bits; ++bit, ++at)
                if (((value >> bit) & 1U) != 0)
                    bytes[at / 8] = static_cast<char>(static_cast<unsigned char>(bytes[at / 8]) | (1U << (at % 8)));
        }
    }
    return bytes;
}

Json valuations_entry(const PrismModel& model, const std::vector<PackedVariable>& packing) {
    Json variables = Json::array();
    for (std::size_t i = 0; i < packing.size(); ++i)
        variables.push_back(
            {{"name", model.variables[i]},
             {"type", Json{{"type", packing[i].negative ? "int" : "uint"}, {"size", packing[i].bits}}}});
    if (const std::size_t used = bits_of(packing) % 8; used > 0) {
        Json padding = Json::object();
        padding.append("padding", 8 - used);
        variables.push_back(std::move(padding));
    }
    Json of_class = Json::object();
    of_class.append("variables", std::move(variables));
    const std::set<std::vector<std::int32_t>> distinct(model.values.begin(), model.values.end());
    Json states{{"unique", distinct.size() == model.values.size()}, {"classes", Json::array({std::move(of_class)})}};
    Json entry = Json::object();
    entry.append("states", std::move(states));
    return entry;
}

/// The index and the files that it speaks of, in the order of the archive.
class Archive {
  public:
    Archive(const PrismModel& model, const UmbAbout& about) : model_(model) {
        index_ = {{"format-version", 1}, {"format-revision", 0}};
        index_.append("model-data", described(about));
        index_.append("file-data", Json{{"tool", "schedproof"}, {"tool-version", about.version}});
        Json system = counts();
        add_branches(system);
        add_initial_states();
        if (model.event_rate) add_exit_rates(system);
        index_.append("transition-system", std::move(system));
        Json annotations = Json::object();
        annotations.append("aps", labels());
        annotations.append("rewards", rewards());
        index_.append("annotations", std::move(annotations));
        if (!model.variables.empty()) add_valuations();
    }

    UmbSizes write(std::ostream& out) const {
        TarWriter tar(out);
        tar.add("index.json", base::to_text(index_, 2) + "\n");
        for (const auto& [name, bytes] : files_) tar.add(name, bytes);
        tar.close();
        return {model_.matrix.states(), model_.matrix.transitions(), widest_};
    }

  private:
    static Json described(const UmbAbout& about) {
        Json data = Json::object();
        data.append("name", about.name);
        if (!about.description.empty()) data.append("description", about.description);
        return data;
    }

    [[nodiscard]] const std::vector<markov::StateIndex>& initial_states() const {
        static const std::vector<markov::StateIndex> none;
        const auto init = std::find_if(model_.labels.begin(), model_.labels.end(),
                                       [](const PrismLabel& label) { return label.name == "init"; });
        return init == model_.labels.end() ? none : init->states;
    }

    [[nodiscard]] Json counts() const {
        return {{"time", model_.event_rate ? "stochastic" : "discrete"},
                {"#players", 0},
                {"#states", model_.matrix.states()},
                {"#initial-states", initial_states().size()},
                {"#choices", model_.matrix.states()},
                {"#choice-actions", 0},
                {"#branches", model_.matrix.transitions()},
                {"#branch-actions", 0},
                {"#observations", 0}};
    }

    void add_file(std::string name, std::string bytes) { files_.emplace_back(std::move(name), std::move(bytes)); }
    /// The type of the numbers.
    Json add_rationals(std::string name, Rationals values) {
        widest_ = std::max(widest_, values.bits);
        add_file(std::move(name), std::move(values.bytes));
        return values.type();
    }

    void add_branches(Json& system) {
        std::string starts, targets;
        std::vector<const Rational*> probabilities;
        append_word(starts, 0);
        for (std::size_t s = 0; s < model_.matrix.states(); ++s) {
            for (const markov::Transition& move : model_.matrix.row(s)) {
                append_word(targets, move.target);
                probabilities.push_back(&move.probability);
            }
            append_word(starts, probabilities.size());
        }
        add_file("choice-to-branches.bin", std::move(starts));
        system.append("branch-probability-type", add_rationals("branch-to-probability.bin", encoded(probabilities)));
        add_file("branch-to-target.bin", std::move(targets));
    }

    void add_initial_states() { add_file("state-is-initial.bin", state_set(initial_states(), model_.matrix.states())); }

    void add_exit_rates(Json& system) {
        const std::vector<const Rational*> rates(model_.matrix.states(), &*model_.event_rate);
        system.append("exit-rate-type", add_rationals("state-to-exit-rate.bin", encoded(rates)));
    }

    static std::string annotation_file(const char* group, const std::string& name) {
        if (name.empty() || name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_-") != std::string::npos)
            throw ContractViolation(
                fmt::format("a name in a UMB file has letters a-z, digits, _ and -, not '{}'", name));
        return fmt::format("annotations/{}/{}/states/values.bin", group, name);
    }
    static Json annotation(Json type) {
        Json entry = Json::object();
        entry.append("applies-to", Json::array({"states"}));
        entry.append("type", std::move(type));
        return entry;
    }

    /// Without init: Storm makes a label of that name from the initial states and refuses another.
    Json labels() {
        Json entries = Json::object();
        for (const PrismLabel& label : model_.labels) {
            if (label.name == "init") continue;
            entries.append(label.name, annotation(Json{{"type", "bool"}, {"size", 1}}));
            add_file(annotation_file("aps", label.name), state_set(label.states, model_.matrix.states()));
        }
        return entries;
    }

    Json rewards() {
        Json entries = Json::object();
        for (const PrismReward& reward : model_.rewards)
            entries.append(reward.name,
                           annotation(add_rationals(annotation_file("rewards", reward.name), encoded(reward.value))));
        return entries;
    }

    void add_valuations() {
        const std::vector<PackedVariable> variables = packing(model_);
        index_.append("valuations", valuations_entry(model_, variables));
        add_file("valuations/states/valuations.bin", packed_values(model_, variables));
    }

    const PrismModel& model_;
    Json index_;
    std::size_t widest_ = 128;
    std::vector<std::pair<std::string, std::string>> files_;
};

void require_shape(const PrismModel& model) {
    const std::size_t states = model.matrix.states();
    bool fits = states > 0 && (model.variables.empty() || model.values.size() == states);
    for (const auto& values : model.values) fits = fits && values.size() == model.variables.size();
    for (const PrismReward& reward : model.rewards) fits = fits && reward.value.size() == states;
    if (!fits) throw ContractViolation("a model for a UMB file has a value per variable, reward and state");
}

}  // namespace

UmbSizes write_umb(std::ostream& out, const PrismModel& model, const UmbAbout& about) {
    require_shape(model);
    return Archive(model, about).write(out);
}

UmbSizes write_umb(const std::string& path, const PrismModel& model, const UmbAbout& about) {
    base::OutputFile file(path);
    const UmbSizes sizes = write_umb(file.stream(), model, about);
    file.close();
    file.commit();
    return sizes;
}

}  // namespace schedproof::graph
