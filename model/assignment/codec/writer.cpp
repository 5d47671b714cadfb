/// An assignment instance as TOML or JSON, in the shortest form that reads back as the same instance.
///
/// One cost function stands at the top, several with their servers; cores of one load are a count; names and jobs of
/// tasks are left out where there are none. Both formats are made by one writer and differ in notation alone.
#include <fmt/core.h>

#include <algorithm>
#include <string>

#include "model/assignment/codec/codec.hpp"
#include "model/base/notation.hpp"

namespace schedproof::assignment {

namespace {

using base::exact_literal;
using base::in_quotes;
using base::list;
using base::Notation;

class Writer {
  public:
    Writer(const Instance& instance, Notation notation) : instance_(instance), note_(notation) {}

    [[nodiscard]] std::string cost(const Cost& cost) const {
        return "{" + note_.text("kind", kind(cost)) + ", " +
               std::visit([&](const auto& g) { return parameters(g); }, cost) + "}";
    }

    [[nodiscard]] std::string servers() const {
        return note_.long_list(instance_.shape().servers(), [&](ServerId s) {
            std::string text = "{" + note_.text("name", instance_.server_name(s));
            if (!instance_.racks().empty() && !instance_.racks()[s.index()].empty())
                text += ", " + note_.text("rack", instance_.racks()[s.index()]);
            text += ", " + loads(s);
            if (instance_.costs().size() > 1) text += ", " + note_.key("cost") + cost(instance_.cost(s));
            return text + "}";
        });
    }

    [[nodiscard]] std::string tasks() const {
        const bool named = instance_.has_task_names(), jobs = instance_.has_jobs();
        if (instance_.shape().tasks().size() == 0) return "[]";
        return note_.long_list(instance_.shape().tasks(), [&](TaskId t) {
            std::string replicas =
                list(instance_.shape().replicas(t), [&](ServerId s) { return in_quotes(instance_.server_name(s)); });
            if (!named && !jobs) return replicas;
            std::string text = "{";
            if (named) text += note_.text("name", instance_.task_name(t)) + ", ";
            text += note_.key("replicas") + replicas;
            if (jobs) text += ", " + note_.text("job", instance_.job_name(instance_.shape().job_of(t)));
            return text + "}";
        });
    }

  private:
    /// One value for all cores when they are several and alike, else a list.
    [[nodiscard]] std::string loads(ServerId s) const {
        std::vector<Rational> values;
        for (std::size_t i = 0; i < instance_.shape().cores_of(s); ++i)
            values.push_back(instance_.problem().load(instance_.shape().core(s, i)));
        const bool alike = std::all_of(values.begin(), values.end(), [&](const auto& v) { return v == values[0]; });
        if (values.size() == 1 || !alike) return note_.key("loads") + list(values, exact_literal);
        return note_.key("cores") + std::to_string(values.size()) + ", " + note_.key("load") + exact_literal(values[0]);
    }
    [[nodiscard]] std::string parameters(const AffineCost& g) const {
        const std::string theta = note_.key("theta") + exact_literal(g.theta);
        return g.cap ? theta + ", " + note_.key("cap") + std::to_string(*g.cap) : theta;
    }
    [[nodiscard]] std::string parameters(const TableCost& g) const {
        const std::string values = note_.key("values") + list(g.values, exact_literal);
        return g.slope.sign() == 0 ? values : values + ", " + note_.key("slope") + exact_literal(g.slope);
    }
    [[nodiscard]] std::string parameters(const StepCost& g) const {
        return note_.key("steps") + list(g.steps, [&](const StepCost::Step& step) {
                   return "{" + note_.key("from") + std::to_string(step.from) + ", " + note_.key("cost") +
                          exact_literal(step.cost) + "}";
               });
    }

    const Instance& instance_;
    Notation note_;
};

/// `assign(key, value)` writes one entry of the document.
template <class Assign>
void write_entries(const Instance& instance, const Writer& writer, Assign&& assign) {
    assign("family", in_quotes("assignment"));
    assign("name", in_quotes(instance.name()));
    assign("source", in_quotes(instance.source()));
    if (instance.costs().size() == 1) assign("cost", writer.cost(instance.costs().front()));
    assign("servers", writer.servers());
    assign("tasks", writer.tasks());
}

}  // namespace

std::string write_toml(const Instance& instance) {
    std::string text;
    write_entries(instance, Writer(instance, {" = ", false}), [&](std::string_view key, const std::string& value) {
        text += fmt::format("{} = {}\n", key, value);
    });
    return text;
}

std::string write_json(const Instance& instance) {
    std::string text = "{";
    write_entries(instance, Writer(instance, {": ", true}), [&](std::string_view key, const std::string& value) {
        text += fmt::format("{}\n  {}: {}", text.size() > 1 ? "," : "", in_quotes(key), value);
    });
    return text + "\n}\n";
}

}  // namespace schedproof::assignment
