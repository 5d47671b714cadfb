#include "experiments/command/core/policy_file.hpp"

#include "model/base/text.hpp"
#include "model/queueing/codec/policy_text.hpp"
#include "policies/queueing/registry.hpp"

namespace schedproof::command {

std::string add_policy_file(const std::string& path) {
    const queueing::codec::PolicyText policy = queueing::codec::read_policy_text(base::read_file(path), path);
    try {
        queueing::add_policy({policy.id, policy.source, policy.summary}, policy.rules);
    } catch (const InputError& error) {
        throw error.within({path, 0, ""});
    }
    return policy.id;
}

}  // namespace schedproof::command
