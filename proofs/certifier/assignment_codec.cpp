#include <fmt/core.h>

#include "model/core/errors.hpp"
#include "proofs/certifier/proof_codec.hpp"
#include "proofs/certifier/theorem_codec.hpp"

namespace schedproof::certify {

using assignment::Theorem;

std::string to_json(const Theorem& theorem) {
    return fmt::format("{{\"statement\": {}, \"problems\": {}, \"bound\": {}}}", json_string(theorem.statement),
                       json_string(name(theorem.family)), to_json(theorem.bound));
}

Theorem read_assignment(const Spot& data) {
    data.members({"statement", "problems", "bound"});
    const Spot problems = data.member("problems");
    Theorem theorem;
    try {
        theorem.statement = assignment::statement(data.member("statement").text()).name;
        theorem.family = assignment::parse_family(problems.text());
    } catch (const InputError& error) { throw error.within({data.file(), data.node().line, data.path()}); }
    if (name(theorem.family) != problems.text())
        problems.fail("expected the problems as they are written: " + name(theorem.family));
    theorem.bound = data.member("bound").number();
    return theorem;
}

}  // namespace schedproof::certify
