/// Queueing instances as text, TOML or JSON.
///
/// One `Writer` makes the values of both languages, and a `Notation` supplies what differs inside them, so the two
/// files hold the same data. The text is explicit: task types from a generator are written one by one. An arrival law
/// is written by a named constructor (`bernoulli`, `single`) only if building it again gives the same outcomes in the
/// same order, and otherwise as joint outcomes, by factor. So what is written reads back as an equal instance.
#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

#include "model/base/notation.hpp"
#include "model/core/errors.hpp"
#include "model/queueing/codec/codec.hpp"

namespace schedproof::queueing {

namespace {

using base::in_quotes;
using base::joined;
using base::list;
using base::Notation;

class Writer {
  public:
    Writer(const Instance& instance, Notation notation)
        : instance_(instance), data_(instance.data()), note_(notation) {}

    [[nodiscard]] std::string levels() const {
        return list(data_.levels, [&](const auto& level) {
            return "{" + note_.text("name", level.name) + ", " + note_.text("rate", level.rate.to_string()) + "}";
        });
    }

    /// Whether levels are data, and not found from rates at servers.
    [[nodiscard]] bool has_levels() const { return data_.types.front().at_servers.empty(); }

    [[nodiscard]] std::string servers() const {
        bool numbered = true;
        for (std::size_t i = 0; i < data_.servers.size(); ++i)
            numbered = numbered && data_.servers[i].groups.empty() && data_.servers[i].name == "s" + std::to_string(i);
        if (numbered) return std::to_string(data_.servers.size());
        return note_.long_list(data_.servers, [&](const Server& server) {
            std::string text = "{" + note_.text("name", server.name);
            if (server.groups.size() == 1) text += ", " + note_.text("rack", server.groups.front());
            if (server.groups.size() > 1) text += ", " + note_.key("groups") + list(server.groups, in_quotes);
            return text + "}";
        });
    }

    [[nodiscard]] std::string types() const {
        const auto name = [&](ServerId m) { return in_quotes(data_.servers[m.index()].name); };
        return note_.long_list(data_.types, [&](const TaskType& type) {
            const TaskType plain;
            std::string text =
                "{" + note_.text("name", type.name) + ", " + note_.key("replicas") + list(type.replicas, name);
            if (type.cost != plain.cost) text += ", " + note_.text("cost", type.cost.to_string());
            if (type.exponent != plain.exponent) text += ", " + note_.key("exponent") + std::to_string(type.exponent);
            if (type.class_number != plain.class_number)
                text += ", " + note_.key("class") + std::to_string(type.class_number);
            if (!type.preference.empty()) text += ", " + note_.key("preference") + list(type.preference, name);
            if (!type.at_servers.empty())
                text += ", " + note_.key("rates") + rates_at_servers(type.at_servers);
            else if (!type.rates.empty())
                text += ", " + note_.key("rates") +
                        list(type.rates, [](const Rational& rate) { return in_quotes(rate.to_string()); });
            return text + "}";
        });
    }

    /// `assign(key, value)` writes one entry of the arrivals table.
    template <class Assign>
    void arrivals(Assign&& assign) const {
        if (data_.arrivals && !data_.time) return law(*data_.arrivals, data_.rates, assign);
        assign("kind", in_quotes(data_.time ? "poisson" : "rates"));
        if (data_.batches.empty()) return assign("values", numbers(data_.rates));
        std::vector<Rational> arrivals;
        for (const TaskTypeId type : instance_.types()) arrivals.push_back(instance_.batch_rate(type));
        assign("values", numbers(arrivals));
        assign("batches", batches());
    }

    /// The family of loads as the law at its far end.
    [[nodiscard]] std::string slack() const {
        std::string text = "{" + note_.text("up-to", data_.slack->up_to.to_string()) + ", " + note_.key("arrivals");
        std::string separator = "{";
        law(data_.slack->end, data_.slack->end.means(data_.types.size()),
            [&](std::string_view key, const std::string& value) {
                text += std::exchange(separator, ", ") + note_.key(key) + value;
            });
        return text + "}}";
    }

    [[nodiscard]] std::string lyapunov() const {
        return note_.long_list(data_.lyapunov, [&](const LyapunovText& v) {
            std::string text = "{" + note_.text("name", v.name);
            if (!v.products.empty())
                text += ", " + note_.key("products") + list(v.products, [&](const auto& p) { return product(p); });
            if (!v.pieces.empty())
                text += ", " + note_.key("pieces") + list(v.pieces, [&](const auto& p) { return piece(p); });
            return text + "}";
        });
    }

    [[nodiscard]] const InstanceData& data() const { return data_; }

    /// What a file says of time; nothing where time runs in slots.
    template <class Assign>
    void time(Assign&& assign) const {
        if (!data_.time) return;
        assign("time", in_quotes("continuous"));
        if (!data_.time->unit.empty()) assign("unit", in_quotes(data_.time->unit));
    }

    /// The options that mean something in the time of the instance.
    template <class Assign>
    void options(Assign&& assign) const {
        const auto write = [&]<class Enum>(const Enum& option) {
            using Names = OptionNames<std::remove_const_t<Enum>>;
            assign(Names::key, in_quotes(Names::values[static_cast<std::size_t>(option)]));
        };
        data_.time ? for_each_event_option(data_.options, write) : for_each_option(data_.options, write);
    }

  private:
    /// By name, of the types that come in batches.
    [[nodiscard]] std::string batches() const {
        std::string text, separator;
        for (std::size_t i = 0; i < data_.batches.size(); ++i)
            if (!data_.batches[i].empty())
                text += std::exchange(separator, ", ") + in_quotes(data_.types[i].name) + std::string(note_.equals) +
                        list(data_.batches[i], [&](const BatchSize& size) {
                            return "{" + note_.key("size") + std::to_string(size.tasks) + ", " +
                                   note_.text("probability", size.probability.to_string()) + "}";
                        });
        return "{" + text + "}";
    }
    [[nodiscard]] std::string rates_at_servers(const std::vector<std::optional<Rational>>& rates) const {
        std::string text, separator;
        for (std::size_t m = 0; m < rates.size(); ++m)
            if (rates[m])
                text += std::exchange(separator, ", ") + in_quotes(data_.servers[m].name) + std::string(note_.equals) +
                        in_quotes(rates[m]->to_string());
        return "{" + text + "}";
    }
    /// A table whose keys are names of queues.
    [[nodiscard]] std::string form(const LyapunovText::Form& form) const {
        std::string text = joined(form.terms, ", ", [&](const LyapunovText::Form::Term& term) {
            require(term.queue != "constant", "a queue named 'constant' cannot stand in a function of a file");
            return in_quotes(term.queue) + std::string(note_.equals) + in_quotes(term.coefficient.to_string());
        });
        if (form.constant.sign() != 0)
            text += (text.empty() ? "" : ", ") + note_.text("constant", form.constant.to_string());
        return "{" + text + "}";
    }
    [[nodiscard]] std::string product(const LyapunovText::Product& product) const {
        return "{" + note_.text("coefficient", product.coefficient.to_string()) + ", " + note_.key("first") +
               form(product.first) + ", " + note_.key("second") + form(product.second) + "}";
    }
    [[nodiscard]] std::string piece(const LyapunovText::Piece& piece) const {
        std::string text = "{" + note_.text("coefficient", piece.coefficient.to_string()) + ", " +
                           note_.key("largest-of") +
                           list(piece.largest_of, [&](const LyapunovText::Form& one) { return form(one); });
        if (piece.when) {
            text += ", " + note_.key("when") + "{" + note_.text("server", piece.when->server);
            if (piece.when->queue) text += ", " + note_.text("queue", *piece.when->queue);
            if (piece.when->level) text += ", " + note_.text("level", *piece.when->level);
            text += "}";
        }
        return text + "}";
    }

    /// A law and its means.
    template <class Assign>
    void law(const ArrivalLaw& law, const std::vector<Rational>& rates, Assign&& assign) const {
        const std::string_view kind = kind_of(law, rates);
        assign("kind", in_quotes(kind));
        if (kind == "joint") {
            const ArrivalFactor& only = law.factors().front();
            assign("types", factor_types(only));
            assign("outcomes", outcomes(only));
        } else if (kind == "product") {
            assign("factors", note_.long_list(law.factors(), [&](const ArrivalFactor& factor) {
                return "{" + note_.key("types") + factor_types(factor) + ", " + note_.key("outcomes") +
                       outcomes(factor) + "}";
            }));
        } else {
            assign("values", numbers(rates));
        }
    }

    static std::string numbers(const std::vector<Rational>& rates) {
        return list(rates, [](const Rational& rate) { return in_quotes(rate.to_string()); });
    }

    [[nodiscard]] std::string_view kind_of(const ArrivalLaw& law, const std::vector<Rational>& rates) const {
        // The constructors' laws are recognised by building them again, so the order of outcomes is theirs too.
        if (is_bernoulli(law, rates)) return "bernoulli";
        if (law.factors().size() != 1) return "product";
        return is_single(law, rates) ? "single" : "joint";
    }

    static bool is_bernoulli(const ArrivalLaw& law, const std::vector<Rational>& rates) {
        for (const ArrivalFactor& factor : law.factors())
            if (factor.types().size() != 1 || factor.outcomes().size() > 2) return false;
        for (const Rational& rate : rates)
            if (rate > 1) return false;
        return equal(law, ArrivalLaw::bernoulli(rates));
    }

    [[nodiscard]] bool is_single(const ArrivalLaw& law, const std::vector<Rational>& rates) const {
        Rational sum;
        for (const Rational& rate : rates) sum += rate;
        if (sum > 1 || law.factors().front().outcomes().size() > data_.types.size() + 1) return false;
        return law.factors().front().types().size() == data_.types.size() && equal(law, ArrivalLaw::single(rates));
    }

    static bool equal(const ArrivalLaw& a, const ArrivalLaw& b) {
        if (a.factors().size() != b.factors().size()) return false;
        for (std::size_t i = 0; i < a.factors().size(); ++i) {
            const ArrivalFactor &x = a.factors()[i], &y = b.factors()[i];
            if (!std::equal(x.types().begin(), x.types().end(), y.types().begin(), y.types().end())) return false;
            const auto same = [](const auto& p, const auto& q) {
                return p.count == q.count && p.probability == q.probability;
            };
            if (!std::equal(x.outcomes().begin(), x.outcomes().end(), y.outcomes().begin(), y.outcomes().end(), same))
                return false;
        }
        return true;
    }

    [[nodiscard]] std::string factor_types(const ArrivalFactor& factor) const {
        return list(factor.types(), [&](TaskTypeId type) { return in_quotes(data_.types[type.index()].name); });
    }

    [[nodiscard]] std::string outcomes(const ArrivalFactor& factor) const {
        return list(factor.outcomes(), [&](const ArrivalOutcome& outcome) {
            return "{" + note_.text("probability", outcome.probability.to_string()) + ", " + note_.key("tasks") +
                   list(outcome.count, [](std::uint32_t tasks) { return std::to_string(tasks); }) + "}";
        });
    }

    const Instance& instance_;
    const InstanceData& data_;
    Notation note_;
};

/// What both languages say before the arrivals.
template <class Assign>
void write_cluster(const Writer& writer, Assign&& assign) {
    assign("family", in_quotes("queueing"));
    assign("name", in_quotes(writer.data().name));
    assign("source", in_quotes(writer.data().source));
    writer.time(assign);
    if (writer.has_levels()) assign("levels", writer.levels());
    assign("servers", writer.servers());
    assign("types", writer.types());
    if (writer.data().slack) assign("slack", writer.slack());
    if (!writer.data().lyapunov.empty()) assign("lyapunov", writer.lyapunov());
}

}  // namespace

std::string write_toml(const Instance& instance) {
    const Writer writer(instance, {" = ", false});
    std::string text;
    const auto assign = [&](std::string_view key, const std::string& value) {
        text += fmt::format("{} = {}\n", key, value);
    };
    write_cluster(writer, assign);
    text += "\n[arrivals]\n";
    writer.arrivals(assign);
    text += "\n[options]\n";
    writer.options(assign);
    return text;
}

std::string write_json(const Instance& instance) {
    const Writer writer(instance, {": ", true});
    std::string text;
    const auto assign = [&](std::string_view key, const std::string& value) {
        if (text.back() != '{') text += ',';
        text += fmt::format("\n  {}: {}", in_quotes(key), value);
    };
    text = "{";
    write_cluster(writer, assign);
    assign("arrivals", "{");
    writer.arrivals(assign);
    text += "\n  },\n  \"options\": {";
    writer.options(assign);
    return text + "\n  }\n}\n";
}

}  // namespace schedproof::queueing
