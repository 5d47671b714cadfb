#include "proofs/queueing/symbolic/symbolic_policies.hpp"

#include <array>

#include "policies/queueing/registry.hpp"

namespace schedproof::queueing {

namespace detail {
#define SCHEDPROOF_POLICY(header, Name)                        \
    PolicyOn<explore::Affine> affine_##Name(const AnyPolicy&); \
    PolicyOn<explore::Parametric> parametric_##Name(const AnyPolicy&);
#include "policies/queueing/registry.def"
#undef SCHEDPROOF_POLICY
}  // namespace detail

PolicyOn<explore::Affine> on_affine(const AnyPolicy& policy) {
    static constexpr std::array rows{
#define SCHEDPROOF_POLICY(header, Name) &detail::affine_##Name,
#include "policies/queueing/registry.def"
#undef SCHEDPROOF_POLICY
    };
    return rows[registry_index(policy.info().id)](policy);
}

PolicyOn<explore::Parametric> on_parametric(const AnyPolicy& policy) {
    static constexpr std::array rows{
#define SCHEDPROOF_POLICY(header, Name) &detail::parametric_##Name,
#include "policies/queueing/registry.def"
#undef SCHEDPROOF_POLICY
    };
    return rows[registry_index(policy.info().id)](policy);
}

}  // namespace schedproof::queueing
