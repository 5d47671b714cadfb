/// Theorems that carry arithmetic of their own: loads, constants, polynomial identities.
#include <fmt/core.h>

#include "experiments/cli/certify/proof_codec.hpp"
#include "experiments/cli/certify/theorem_codec.hpp"

namespace schedproof::certify {

namespace {

using capacity::CapacityCertificate;
using proof::PolynomialProof;

std::string to_json(const CapacityCertificate& capacity) {
    const auto entry = [](const capacity::Assignment& x) {
        return fmt::format("{{\"type\": {}, \"server\": {}, \"amount\": {}}}", x.type.index(), x.server.index(),
                           certify::to_json(x.amount));
    };
    const auto price = [](const Rational& p) { return certify::to_json(p); };
    return "{\"lower\": " + certify::to_json(capacity.lower) + ", \"upper\": " + certify::to_json(capacity.upper) +
           ",\n      \"decomposition\": " + json_list(capacity.decomposition, entry) +
           ",\n      \"type-price\": " + json_list(capacity.type_price, price) +
           ",\n      \"server-price\": " + json_list(capacity.server_price, price) + "}";
}

std::vector<Rational> read_numbers(const Spot& at) {
    std::vector<Rational> numbers;
    for (std::size_t i = 0; i < at.size(); ++i) numbers.push_back(at.item(i).number());
    return numbers;
}

CapacityCertificate read_capacity(const Spot& at) {
    at.members({"lower", "upper", "decomposition", "type-price", "server-price"});
    CapacityCertificate capacity{at.member("lower").number(), at.member("upper").number(), {}, {}, {}};
    const Spot entries = at.member("decomposition");
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const Spot entry = entries.item(i);
        entry.members({"type", "server", "amount"});
        capacity.decomposition.push_back({TaskTypeId(entry.member("type").index(max_index)),
                                          ServerId(entry.member("server").index(max_index)),
                                          entry.member("amount").number()});
    }
    capacity.type_price = read_numbers(at.member("type-price"));
    capacity.server_price = read_numbers(at.member("server-price"));
    return capacity;
}

/// A list of identities; of each, a list of [coefficient, positions of the hypotheses].
std::string to_json(const std::vector<PolynomialProof>& lemmas) {
    const auto term = [](const PolynomialProof::Term& t) {
        const auto position = [](std::uint32_t factor) { return std::to_string(factor); };
        return "[" + certify::to_json(t.coefficient) + ", " + json_list(t.factors, position) + "]";
    };
    return json_list(
        lemmas, [&](const PolynomialProof& p) { return json_list(p.terms, term); }, ",\n      ");
}

std::vector<PolynomialProof> read_lemmas(const Spot& at) {
    std::vector<PolynomialProof> lemmas;
    for (std::size_t i = 0; i < at.size(); ++i) {
        const Spot terms = at.item(i);
        lemmas.emplace_back();
        for (std::size_t j = 0; j < terms.size(); ++j) {
            const Spot term = terms.item(j);
            if (term.size() != 2) term.fail("expected a coefficient and a list of hypotheses");
            PolynomialProof::Term read{term.item(0).number(), {}};
            const Spot factors = term.item(1);
            if (factors.size() > max_degree) factors.fail(fmt::format("expected at most {} factors", max_degree));
            for (std::size_t k = 0; k < factors.size(); ++k) read.factors.push_back(factors.item(k).index(max_index));
            lemmas.back().terms.push_back(std::move(read));
        }
    }
    return lemmas;
}

}  // namespace

std::string to_json(const queueing::TransienceTheorem& theorem) {
    return "{\"w\": " + to_json(theorem.w) + ",\n     \"delta\": " + to_json(theorem.delta) +
           ", \"threshold\": " + to_json(theorem.threshold) + ", \"jump\": " + to_json(theorem.jump) +
           ",\n     \"statuses\": " + to_json(theorem.statuses) + ",\n     \"load\": " + to_json(theorem.capacity) +
           "}";
}

queueing::TransienceTheorem read_transience(const Spot& at) {
    at.members({"w", "delta", "threshold", "jump", "statuses", "load"});
    return {read_lyapunov(at.member("w")), at.member("delta").number(),          at.member("threshold").number(),
            at.member("jump").number(),    read_statuses(at.member("statuses")), read_capacity(at.member("load"))};
}

std::string to_json(const queueing::MaxWeightTheorem& theorem) {
    return "{\"load\": " + to_json(theorem.capacity) + ",\n     \"delta\": " + to_json(theorem.delta) +
           ", \"slope\": " + to_json(theorem.bound.slope) + ", \"constant\": " + to_json(theorem.bound.constant) +
           ", \"coverage\": " + to_json(theorem.bound.coverage) + ",\n     \"lemmas\": " + to_json(theorem.lemmas) +
           "}";
}

queueing::MaxWeightTheorem read_max_weight(const Spot& at) {
    at.members({"load", "delta", "slope", "constant", "coverage", "lemmas"});
    return {read_capacity(at.member("load")),
            at.member("delta").number(),
            {at.member("slope").number(), at.member("constant").number(), at.member("coverage").number()},
            read_lemmas(at.member("lemmas"))};
}

std::string to_json(const queueing::UniformTheorem& theorem) {
    return fmt::format("{{\"levels\": {},\n     \"lemmas\": ", theorem.levels) + to_json(theorem.lemmas) + "}";
}

queueing::UniformTheorem read_uniform(const Spot& at) {
    at.members({"levels", "lemmas"});
    return {at.member("levels").index(max_index), read_lemmas(at.member("lemmas"))};
}

}  // namespace schedproof::certify
