#include "proofs/sharing/theorems/theorem.hpp"

#include <fmt/format.h>

#include "model/core/errors.hpp"
#include "proofs/certifier/binding.hpp"

namespace schedproof::sharing {

namespace {

/// At which moments.
std::string moments(Asked asked, std::size_t most, bool added) {
    switch (asked) {
        case Asked::offer:
            return fmt::format(
                "On every cluster, with up to {} jobs that have tasks to launch, whatever they run, have waited "
                "and reserved, however often they were passed over, and any others{}: ",
                most, added ? "" : ", and for all D, D1, D2 and W up to 2^61");
        case Asked::queues:
            return fmt::format(
                "On every cluster, with up to {} jobs that have tasks waiting in the node's queue or the common one, "
                "whatever they run, and all weights of these queues: ",
                most);
        case Asked::route:
            return fmt::format("Of a task with data on up to {} nodes and all lengths of queues: ", most);
        case Asked::reclaim:
            return fmt::format("With up to {} jobs, whatever they run and have waiting, and any number of slots: ",
                               most);
        case Asked::state:
            return fmt::format(
                "On three nodes of a slot, with up to {} jobs of a few tasks, whoever runs and waits where, and for "
                "all times "
                "and skip counts{}: ",
                most, added ? "" : ", and all D, D1, D2 and W up to 2^61");
    }
    return "";
}

}  // namespace

std::string shape_name(std::size_t most) { return fmt::format("n{}", most); }

std::vector<explore::Question> questions(const std::string& policy, const Theorem& theorem) {
    return questions(statement(theorem.statement), policy, theorem.most, code_of(policy));
}

std::string sentence(const Certificate& certificate) {
    const StatementInfo& what = statement(certificate.theorem.statement);
    const std::string where = what.where.empty() ? moments(asked_of(what, certificate.policy), certificate.theorem.most,
                                                           is_added(certificate.policy))
                                                 : std::string(what.where);
    return where + fmt::format(fmt::runtime(what.sentence), certificate.policy);
}

std::string rejection(const Certificate& certificate) {
    return certify::rejection(questions(certificate.policy, certificate.theorem), certificate.proofs);
}

}  // namespace schedproof::sharing
