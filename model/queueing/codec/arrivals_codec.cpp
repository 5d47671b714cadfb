/// Arrival laws of queueing instances: independent types, one task a slot, or joint outcomes by factor; in continuous
/// time rates, with the sizes of batches. A file states the rate of arrivals, an instance the rate of tasks, which is
/// that times the mean size of a batch.
///
/// Rates and probabilities are exact, so sums of them are as long as their common denominator. A file of ten thousand
/// unrelated fractions would take hours to add up; the common denominator is therefore bounded while the numbers are
/// read.
#include <fmt/core.h>

#include <algorithm>
#include <set>
#include <utility>

#include "model/base/nearest.hpp"
#include "model/base/text.hpp"
#include "model/core/errors.hpp"
#include "model/queueing/codec/codec.hpp"
#include "model/queueing/codec/decode.hpp"
#include "model/queueing/load.hpp"

namespace schedproof::queueing::codec {

namespace {

class ArrivalsDecoder {
  public:
    explicit ArrivalsDecoder(InstanceData& data) : data_(data), index_(index_names(data.types)) {}

    void decode(const Cursor& at) {
        at.expect_table("a table with kind and values");
        const Cursor kind = at.require(
            "kind", data_.time ? "\"poisson\"" : "\"bernoulli\", \"single\", \"rates\", \"joint\" or \"product\"");
        const std::string& name = kind.text("a kind of arrivals");
        if (data_.time && name != "poisson")
            kind.fail(fmt::format("expected poisson in continuous time, not {}{}", shown(name),
                                  is_kind_of_slots(name) ? ", which is a law of a slot" : ""));
        if (name == "poisson" && !data_.time)
            kind.fail(
                "expected time = \"continuous\" beside poisson arrivals: a slot has a law of finitely many "
                "outcomes (bernoulli, single, joint or product)");
        if (data_.time) return decode_rates(at, name);
        if (name == "rates" || name == "bernoulli" || name == "single") return decode_rates(at, name);
        if (name == "joint") {
            at.allow_only({"kind", "types", "outcomes"});
            std::vector<ArrivalFactor> factors;
            factors.push_back(decode_factor(at));
            return set_law(at, std::move(factors));
        }
        if (name == "product") return decode_product(at);
        kind.fail(fmt::format("expected bernoulli, single, rates, joint or product, not {}{}", shown(name),
                              did_you_mean(name, kinds)));
    }

  private:
    static constexpr std::array<std::string_view, 5> kinds{"bernoulli", "single", "rates", "joint", "product"};
    static bool is_kind_of_slots(std::string_view name) {
        return std::find(kinds.begin(), kinds.end(), name) != kinds.end();
    }
    std::size_t types() const { return data_.types.size(); }

    void decode_rates(const Cursor& at, const std::string& kind) {
        if (const auto batches = at.find("batches"); batches && !data_.time)
            batches->fail("expected no batches in slots: kind joint or product has outcomes of several tasks");
        at.allow_only({"kind", "values", "each", "total", "weights", "batches"});
        const auto values = at.find("values"), each = at.find("each"), total = at.find("total"),
                   weights = at.find("weights");
        if ((values ? 1 : 0) + (each ? 1 : 0) + (total ? 1 : 0) != 1)
            at.fail("expected exactly one of 'values', 'each' and 'total'");
        if (weights && !total) weights->fail("expected 'weights' only beside 'total'");
        const bool probability = kind != "rates" && kind != "poisson";
        if (values) data_.rates = per_type(*values, probability);
        if (each) data_.rates.assign(types(), each->rate(probability));
        if (total) data_.rates = spread(*total, weights);
        CommonDenominator common;
        for (const Rational& rate : data_.rates) {
            common.add(at, rate);
            if (probability && rate > 1)
                at.fail("expected at most one task of a type in a slot, but a rate is " + display(rate));
        }
        if (const auto batches = at.find("batches")) decode_batches(*batches, common);
        if (kind == "bernoulli") data_.arrivals = ArrivalLaw::bernoulli(data_.rates);
        if (kind != "single") return;
        require_cells(at, types(), types() + 1);
        try {
            data_.arrivals = ArrivalLaw::single(data_.rates);
        } catch (const InputError& error) {
            at.fail(error.expected());
        }
    }

    /// A list in the order of the types, or a table by name with an entry for every type.
    std::vector<Rational> per_type(const Cursor& at, bool probability) const {
        std::vector<Rational> result(types());
        if (at.is_array()) {
            const std::size_t size = at.array("").size();
            if (size != types())
                at.fail(fmt::format("expected one number per task type, {} in all, not {}", types(), size));
            for (std::size_t i = 0; i < size; ++i) result[i] = at.item(i).rate(probability);
            return result;
        }
        std::vector<bool> given(types());
        for (const Field& field : at.table("a list in the order of the types, or a table by type name")) {
            const Cursor entry = at.entry(field);
            const std::size_t type = type_named(entry, field.key);
            given[type] = true;
            result[type] = entry.rate(probability);
        }
        const auto missing = std::find(given.begin(), given.end(), false);
        if (missing != given.end())
            at.fail("expected a value for every task type, also for " +
                    shown(data_.types[static_cast<std::size_t>(missing - given.begin())].name));
        return result;
    }

    /// Turns rates of arrivals into rates of tasks.
    void decode_batches(const Cursor& at, CommonDenominator& common) {
        constexpr const char* form = "a table by type name with a list of tables with size and probability";
        data_.batches.resize(types());
        for (const Field& field : at.table(form)) {
            const Cursor list = at.entry(field);
            const std::size_t type = type_named(list, field.key), size = list.array(form).size();
            if (size == 0) list.fail("expected at least one size, or no entry where tasks come one by one");
            std::vector<BatchSize>& sizes = data_.batches[type];
            Rational more, sum;  // tasks beyond the first, in the mean
            for (std::size_t i = 0; i < size; ++i) {
                sizes.push_back(decode_batch(list.item(i), sizes, common));
                sum += sizes.back().probability;
                more += Rational(sizes.back().tasks - 1) * sizes.back().probability;
                if (sum > 1) list.item(i).fail("expected probabilities that sum to at most 1, not to " + display(sum));
            }
            data_.rates[type] *= Rational(1) + more;
        }
    }

    static BatchSize decode_batch(const Cursor& at, const std::vector<BatchSize>& before, CommonDenominator& common) {
        at.expect_table("a table with size and probability");
        at.allow_only({"size", "probability"});
        const Cursor size = at.require("size", "the number of tasks of the batch"),
                     probability = at.require("probability", "the probability that so many tasks come");
        const BatchSize batch{static_cast<std::uint32_t>(size.count(2, max_batch_size, "the tasks of a batch")),
                              probability.rate(true)};
        if (batch.probability.sign() == 0)
            probability.fail("expected a probability above 0: leave sizes out that do not occur");
        const auto same = [&](const BatchSize& other) { return other.tasks == batch.tasks; };
        if (std::any_of(before.begin(), before.end(), same))
            size.fail(fmt::format("expected each size once, but {} stands twice", batch.tasks));
        common.add(probability, batch.probability);
        return batch;
    }

    std::vector<Rational> spread(const Cursor& total_at, const std::optional<Cursor>& weights_at) const {
        const Rational total = total_at.rate(false);
        if (!weights_at) return std::vector<Rational>(types(), total / Rational(types()));
        std::vector<Rational> weights = per_type(*weights_at, false);
        CommonDenominator common;
        Rational sum;
        for (const Rational& weight : weights) {
            common.add(*weights_at, weight);
            sum += weight;
        }
        if (sum.sign() == 0) weights_at->fail("expected weights of which at least one is above 0");
        for (Rational& weight : weights) weight = total * weight / sum;
        return weights;
    }

    void decode_product(const Cursor& at) {
        at.allow_only({"kind", "factors"});
        const Cursor list = at.require("factors", "a list of tables with types and outcomes");
        std::vector<ArrivalFactor> factors;
        const std::size_t size = list.array("a list of tables with types and outcomes").size();
        for (std::size_t i = 0; i < size; ++i) {
            const Cursor item = list.item(i);
            item.expect_table("a table with types and outcomes");
            item.allow_only({"types", "outcomes"});
            if (!item.find("types")) item.fail("expected the key 'types': the task types that the factor speaks of");
            factors.push_back(decode_factor(item));
        }
        set_law(list, std::move(factors));
    }

    ArrivalFactor decode_factor(const Cursor& at) {
        const std::vector<TaskTypeId> of = factor_types(at);
        const Cursor list = at.require("outcomes", "a list of tables with probability and tasks");
        const std::size_t size = list.array("a list of tables with probability and tasks").size();
        require_cells(list, of.size(), size);
        std::unordered_map<std::size_t, std::size_t> position;
        for (std::size_t i = 0; i < of.size(); ++i) position[of[i].index()] = i;
        std::vector<ArrivalOutcome> outcomes;
        for (std::size_t i = 0; i < size; ++i) outcomes.push_back(decode_outcome(list.item(i), of, position));
        try {
            return ArrivalFactor(of, std::move(outcomes));
        } catch (const InputError& error) {
            list.fail(error.expected());
        }
    }

    std::vector<TaskTypeId> factor_types(const Cursor& at) const {
        std::vector<TaskTypeId> result;
        const auto names = at.find("types");
        if (!names) {
            for (std::size_t i = 0; i < types(); ++i) result.emplace_back(i);
            return result;
        }
        const std::size_t size = names->array("a list of task types").size();
        std::set<std::size_t> seen;
        for (std::size_t i = 0; i < size; ++i) {
            const Cursor item = names->item(i);
            const std::size_t type = known_name(item, index_, data_.types);
            if (!seen.insert(type).second) item.fail("expected each task type once");
            result.emplace_back(type);
        }
        return result;
    }

    ArrivalOutcome decode_outcome(const Cursor& at, const std::vector<TaskTypeId>& of,
                                  const std::unordered_map<std::size_t, std::size_t>& position) {
        at.expect_table("a table with probability and tasks");
        at.allow_only({"probability", "tasks"});
        const Cursor probability = at.require("probability", "the probability of the outcome");
        const Cursor tasks = at.require("tasks", "the number of tasks of each type, a list or a table by name");
        ArrivalOutcome outcome{std::vector<std::uint32_t>(of.size()), probability.rate(true)};
        if (outcome.probability.sign() == 0)
            probability.fail("expected a probability above 0: leave impossible outcomes out");
        common_.add(probability, outcome.probability);
        const auto number = [](const Cursor& entry) {
            return static_cast<std::uint32_t>(entry.count(0, max_tasks_per_outcome, "a number of tasks"));
        };
        if (tasks.is_array()) {
            const std::size_t size = tasks.array("").size();
            if (size != of.size())
                tasks.fail(fmt::format("expected one number per task type, {} in all, not {}", of.size(), size));
            for (std::size_t i = 0; i < size; ++i) outcome.count[i] = number(tasks.item(i));
            return outcome;
        }
        for (const Field& field : tasks.table("a list in the order of the types, or a table by type name")) {
            const Cursor entry = tasks.entry(field);
            const auto found = position.find(type_named(entry, field.key));
            if (found == position.end()) entry.fail("expected a task type among the 'types' of this factor");
            outcome.count[found->second] = number(entry);
        }
        return outcome;
    }

    std::size_t type_named(const Cursor& at, const std::string& name) const {
        if (const auto found = index_.find(name); found != index_.end()) return found->second;
        std::vector<std::string_view> names;
        for (const auto& type : data_.types) names.emplace_back(type.name);
        at.fail(fmt::format("expected a known task type, not {}{}", shown(name), did_you_mean(name, names)));
    }

    void set_law(const Cursor& at, std::vector<ArrivalFactor> factors) {
        try {
            data_.arrivals = ArrivalLaw(std::move(factors));
        } catch (const InputError& error) {
            at.fail(error.expected());
        }
    }

    void require_cells(const Cursor& at, std::size_t columns, std::size_t rows) {
        cells_ += columns * rows;  // both are far below 2^32
        if (cells_ > max_law_cells)
            at.fail(fmt::format(
                "expected a law of at most {} outcomes times task types; independent types are kind 'bernoulli'",
                max_law_cells));
    }

    InstanceData& data_;
    Index index_;
    CommonDenominator common_;
    std::size_t cells_ = 0;
};

}  // namespace

void CommonDenominator::add(const Cursor& at, const Rational& value) {
    const Integer denominator = value.denominator();
    if (common_ % denominator == 0) return;
    common_ = lcm(common_, denominator);
    if (mpz_sizeinbase(common_.backend().data(), 10) > max_common_digits)
        at.fail(fmt::format("expected numbers whose common denominator has at most {} digits", max_common_digits));
}

void decode_arrivals(const Cursor& at, InstanceData& data) { ArrivalsDecoder(data).decode(at); }

void decode_slack(const Cursor& at, InstanceData& data) {
    at.expect_table("a table with up-to and type, or up-to and arrivals");
    at.allow_only({"type", "up-to", "arrivals"});
    if (!data.arrivals) at.fail("expected no slack beside arrivals of kind rates, which have no law");
    const Rational up_to = at.require("up-to", "the largest slack, in tasks a slot").number();
    const auto type = at.find("type"), arrivals = at.find("arrivals");
    if (type.has_value() == arrivals.has_value())
        at.fail("expected either 'type', whose arrivals become fewer, or 'arrivals', the law at the largest slack");
    if (arrivals) {
        InstanceData end;
        end.types = data.types;
        decode_arrivals(*arrivals, end);
        if (!end.arrivals) arrivals->fail("expected a law: kind bernoulli, single, joint or product");
        data.slack = ArrivalSlack{up_to, *std::move(end.arrivals)};
        return;
    }
    const TaskTypeId of(known_name(*type, index_names(data.types), data.types));
    try {
        data.slack = ArrivalSlack{up_to, with_fewer(*data.arrivals, of, up_to)};
    } catch (const InputError& error) {
        at.fail(error.expected());
    }
}

}  // namespace schedproof::queueing::codec
