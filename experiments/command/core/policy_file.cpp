#include "experiments/command/core/policy_file.hpp"

#include <map>

#include "experiments/command/policy_header/policy_header.hpp"
#include "model/base/text.hpp"
#include "policies/queueing/registry.hpp"

namespace schedproof::command {

namespace {

std::map<std::string, InputPlace, std::less<>>& places() {
    static std::map<std::string, InputPlace, std::less<>> all;
    return all;
}

}  // namespace

queueing::codec::PolicyText read_policy_file(const std::string& path) {
    if (policy_header::is_header(path)) return policy_header::read_policy_header(path);
    return queueing::codec::read_policy_text(base::read_file(path), path);
}

std::string add_policy_file(const std::string& path) {
    const queueing::codec::PolicyText policy = read_policy_file(path);
    const InputPlace place{path, policy.line, ""};
    if (const InputPlace* taken = policy_place(policy.id))
        throw InputError(place, "expected a name that no policy has, not '" + policy.id + "', which is that of " +
                                    taken->to_string());
    try {
        queueing::add_policy({policy.id, policy.source, policy.summary}, policy.rules);
    } catch (const InputError& error) {
        throw error.within(place);
    }
    places().emplace(policy.id, place);
    return policy.id;
}

const InputPlace* policy_place(std::string_view id) {
    const auto found = places().find(id);
    return found == places().end() ? nullptr : &found->second;
}

std::vector<std::string> policy_words(std::string_view id) {
    std::vector<std::string> words{"-p", std::string(id)};
    if (const InputPlace* place = policy_place(id)) words.insert(words.end(), {"--policy-file", place->file});
    return words;
}

}  // namespace schedproof::command
