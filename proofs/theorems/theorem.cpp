#include "proofs/theorems/theorem.hpp"

#include "model/core/errors.hpp"

namespace schedproof::queueing {

namespace {

/// The policies that plan need a solver, and none of their theorems is certified.
SymbolicSystem system_of(const Certificate& certificate) {
    const Planner no_planner = [](const Instance&) -> FluidPlan {
        throw InputError({"", 0, "policy"}, "expected a policy that needs no plan");
    };
    return {*certificate.instance, make_policy(certificate.policy, *certificate.instance, no_planner)};
}

}  // namespace

std::string arithmetic_fault(const SymbolicSystem& system, const DriftTheorem& theorem) {
    if (theorem.delta.sign() <= 0) return "delta is not positive";
    if (theorem.statuses.size() != system.instance().servers().size())
        return "there is not one list of statuses per server";
    const std::size_t queues = system.layout().queues(), levels = system.instance().levels().size();
    for (const auto& own : theorem.statuses) {
        if (own.empty() || own.front() != Service{}) return "a list of statuses does not begin with idle";
        for (const Service& status : own)
            if (status.queue.index() >= queues || status.level.index() >= levels)
                return "a status has an unknown queue or level";
    }
    if (!theorem.measure.is_constant() && theorem.measure.terms().back().first >= queues)
        return "the measure mentions an unknown queue";
    require_fits(theorem.v, system.instance(), system.layout());
    return "";
}

std::string sentence(const Certificate& certificate) {
    const SymbolicSystem system = system_of(certificate);
    return std::visit([&](const auto& theorem) { return sentence(system, theorem); }, certificate.theorem);
}

std::string fault(const Certificate& certificate) {
    const SymbolicSystem system = system_of(certificate);
    return std::visit(
        [&](const auto& theorem) -> std::string {
            if (std::string wrong = arithmetic_fault(system, theorem); !wrong.empty()) return wrong;
            const std::vector<explore::Question> all = questions(system, theorem);
            if (all.size() != certificate.proofs.size()) return "there is not one proof per question";
            for (std::size_t i = 0; i < all.size(); ++i) {
                if (std::string wrong = proof::fault(certificate.proofs[i]); !wrong.empty()) return wrong;
                if (std::string wrong = binding_fault(all[i], certificate.proofs[i]); !wrong.empty()) return wrong;
            }
            return "";
        },
        certificate.theorem);
}

}  // namespace schedproof::queueing
