#include "proofs/queueing/theorems/theorem.hpp"

#include "model/core/errors.hpp"
#include "proofs/queueing/theorems/lyapunov.hpp"

namespace schedproof::queueing {

namespace {

SymbolicSystem system_of(const Certificate& certificate) {
    return {*certificate.instance, make_policy(certificate.policy, *certificate.instance, no_planner)};
}

}  // namespace

std::string arithmetic_fault(const SymbolicSystem& system, const DriftTheorem& theorem) {
    if (theorem.delta.sign() <= 0) return "delta is not positive";
    if (std::string wrong = statuses_fault(system, theorem.statuses); !wrong.empty()) return wrong;
    const std::size_t queues = system.layout().queues();
    if (!theorem.measure.is_constant() && theorem.measure.terms().back().first >= queues)
        return "the measure mentions an unknown queue";
    require_fits(theorem.v, system.instance(), system.layout());
    for (const LyapunovInfo& named : lyapunov_functions())
        if (theorem.v.name == named.id && theorem.v != named_lyapunov(named.id, system.instance(), system.layout()))
            return "the function has the name of another one";
    return "";
}

namespace {

/// Calls `use(reading, theorem)` with the reading of the policy that the theorem is about.
template <class Use>
std::string with_reading(const Certificate& certificate, Use&& use) {
    if (const auto* uniform = std::get_if<UniformTheorem>(&certificate.theorem)) {
        require(!certificate.instance, "a theorem about every instance has none");
        return use(ParametricPolicy::registered(certificate.policy), *uniform);
    }
    require(certificate.instance != nullptr, "a theorem about an instance needs it");
    const SymbolicSystem system = system_of(certificate);
    return std::visit(
        [&]<class T>(const T& theorem) -> std::string {
            if constexpr (std::same_as<T, UniformTheorem>)
                throw ContractViolation("a theorem about every instance has another reading");
            else
                return use(system, theorem);
        },
        certificate.theorem);
}

}  // namespace

std::string sentence(const Certificate& certificate) {
    return with_reading(certificate,
                        [](const auto& reading, const auto& theorem) { return sentence(reading, theorem); });
}

std::string fault(const Certificate& certificate) {
    return with_reading(certificate, [&](const auto& reading, const auto& theorem) -> std::string {
        if (std::string wrong = arithmetic_fault(reading, theorem); !wrong.empty()) return wrong;
        const std::vector<explore::Question> all = questions(reading, theorem);
        if (all.size() != certificate.proofs.size()) return "there is not one proof per question";
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (std::string wrong = proof::fault(certificate.proofs[i]); !wrong.empty()) return wrong;
            if (std::string wrong = binding_fault(all[i], certificate.proofs[i]); !wrong.empty()) return wrong;
        }
        return "";
    });
}

}  // namespace schedproof::queueing
