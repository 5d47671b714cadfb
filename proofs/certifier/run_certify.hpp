/// The answer of `certify` to a list of files, for both programs that give it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "model/base/form.hpp"
#include "proofs/certifier/any_certificate.hpp"

namespace schedproof::certify {

struct Request {
    std::vector<std::string> files;
    std::string instance;  ///< file of the instance that the certificates should be about, or empty
    bool json = false;
    std::string output = {};  ///< file that the answer goes to, which it names in JSON; empty: standard output
    /// Called with family and id of the policy of each accepted certificate: throws to keep the answer from being
    /// given.
    std::function<void(const std::string& family, const std::string& policy)> before_verdict = {};
    /// Called with each certificate of a theorem that is accepted.
    std::function<void(const AnyCertificate& certificate)> on_acceptance = {};
};

struct Answer {
    std::string text;  ///< what standard output is to show
    bool accepted = true;
};

/// What the answer in JSON holds.
[[nodiscard]] base::Form certify_form();

/// Checks every file. Throws InputError when one is no certificate, or --instance does not apply to it.
[[nodiscard]] Answer answer(const Request& request);

}  // namespace schedproof::certify
