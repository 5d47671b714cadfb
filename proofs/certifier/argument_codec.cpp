/// Theorems that carry arithmetic of their own: loads, constants, polynomial identities.
/// Values are filled member by member: g++ 12 destroys a half-built aggregate when an initialiser throws.
#include <fmt/core.h>

#include "proofs/certifier/proof_codec.hpp"
#include "proofs/certifier/theorem_codec.hpp"

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
    CapacityCertificate capacity;
    capacity.lower = at.member("lower").number();
    capacity.upper = at.member("upper").number();
    const Spot entries = at.member("decomposition");
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const Spot entry = entries.item(i);
        entry.members({"type", "server", "amount"});
        capacity::Assignment assignment;
        assignment.type = TaskTypeId(entry.member("type").index(max_index));
        assignment.server = ServerId(entry.member("server").index(max_index));
        assignment.amount = entry.member("amount").number();
        capacity.decomposition.push_back(std::move(assignment));
    }
    capacity.type_price = read_numbers(at.member("type-price"));
    capacity.server_price = read_numbers(at.member("server-price"));
    return capacity;
}

}  // namespace

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
            PolynomialProof::Term read;
            read.coefficient = term.item(0).number();
            const Spot factors = term.item(1);
            if (factors.size() > max_degree) factors.fail(fmt::format("expected at most {} factors", max_degree));
            for (std::size_t k = 0; k < factors.size(); ++k) read.factors.push_back(factors.item(k).index(max_index));
            lemmas.back().terms.push_back(std::move(read));
        }
    }
    return lemmas;
}

std::string to_json(const queueing::TransienceTheorem& theorem) {
    return "{\"w\": " + to_json(theorem.w) + ",\n     \"delta\": " + to_json(theorem.delta) +
           ", \"threshold\": " + to_json(theorem.threshold) + ", \"jump\": " + to_json(theorem.jump) +
           ",\n     \"statuses\": " + to_json(theorem.statuses) + ",\n     \"load\": " + to_json(theorem.capacity) +
           "}";
}

queueing::TransienceTheorem read_transience(const Spot& at) {
    at.members({"w", "delta", "threshold", "jump", "statuses", "load"});
    queueing::TransienceTheorem theorem;
    theorem.w = read_lyapunov(at.member("w"));
    theorem.delta = at.member("delta").number();
    theorem.threshold = at.member("threshold").number();
    theorem.jump = at.member("jump").number();
    theorem.statuses = read_statuses(at.member("statuses"));
    theorem.capacity = read_capacity(at.member("load"));
    return theorem;
}

std::string to_json(const queueing::MaxWeightTheorem& theorem) {
    return "{\"load\": " + to_json(theorem.capacity) + ",\n     \"delta\": " + to_json(theorem.delta) +
           ", \"slope\": " + to_json(theorem.bound.slope) + ", \"constant\": " + to_json(theorem.bound.constant) +
           ", \"coverage\": " + to_json(theorem.bound.coverage) + ",\n     \"lemmas\": " + to_json(theorem.lemmas) +
           "}";
}

queueing::MaxWeightTheorem read_max_weight(const Spot& at) {
    at.members({"load", "delta", "slope", "constant", "coverage", "lemmas"});
    queueing::MaxWeightTheorem theorem;
    theorem.capacity = read_capacity(at.member("load"));
    theorem.delta = at.member("delta").number();
    theorem.bound.slope = at.member("slope").number();
    theorem.bound.constant = at.member("constant").number();
    theorem.bound.coverage = at.member("coverage").number();
    theorem.lemmas = read_lemmas(at.member("lemmas"));
    return theorem;
}

std::string to_json(const queueing::UniformTheorem& theorem) {
    return fmt::format("{{\"levels\": {},\n     \"lemmas\": ", theorem.levels) + to_json(theorem.lemmas) + "}";
}

queueing::UniformTheorem read_uniform(const Spot& at) {
    at.members({"levels", "lemmas"});
    queueing::UniformTheorem theorem;
    theorem.levels = at.member("levels").index(max_index);
    theorem.lemmas = read_lemmas(at.member("lemmas"));
    return theorem;
}

}  // namespace schedproof::certify
