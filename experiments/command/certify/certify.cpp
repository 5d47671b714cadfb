#include "experiments/command/certify/rocq.hpp"
#include "experiments/command/core/options.hpp"
#include "experiments/command/core/output.hpp"
#include "experiments/command/core/policy_file.hpp"
#include "experiments/command/families/family_files.hpp"
#include "proofs/certifier/certificate_codec.hpp"
#include "proofs/certifier/run_certify.hpp"

namespace schedproof::cli {

struct CertifyRequest {
    std::vector<std::string> files;
    std::string instance;                   ///< that the certificates should be about, or empty
    std::vector<std::string> policy_files;  ///< of policies that are code, which certificates only name
    std::string rocq;                       ///< directory for Rocq's files, or empty
    bool run = false;                       ///< have Rocq compile them
    Destination to;
};

void require_rocq_fits(const CertifyRequest& request) {
    if (request.rocq.empty()) {
        if (request.run) throw InputError::at_key("--run", "needs --rocq DIR");
        return;
    }
    if (request.files.size() != 1 || request.files.front() == "-")
        throw InputError::at_key("--rocq", "expected one certificate, and not standard input");
    if (request.to.json()) throw InputError::at_key("--rocq", "expected --format text: Rocq answers in text");
}

/// Of a policy that does not agree with itself the answer is the reason, whatever the certificates are worth.
int run(const CertifyRequest& request) {
    require_writable({request.to.path});
    for (const std::string& file : request.policy_files) add_policy_file(file, code_families());
    require_rocq_fits(request);
    std::optional<AnyCertificate> certificate;
    const certify::Request asked{
        request.files,
        request.instance,
        request.to.json(),
        request.to.path == "-" ? "" : request.to.path,
        [](const std::string& family, const std::string& id) { require_agreement(family, id); },
        [&](const AnyCertificate& accepted) {
            // A certificate that is held defines its policy, and others may define one of that name otherwise.
            if (!request.rocq.empty()) certificate = accepted;
        }};
    certify::Answer answer = with_progress("certify", "check", [&] { return certify::answer(asked); });
    if (!request.rocq.empty() && answer.accepted) {
        if (!certificate)
            throw InputError::at_key("--rocq",
                                     "expected the certificate of a theorem: that of a load has no file for Rocq");
        const RocqAnswer closed =
            with_progress("certify", "Rocq", [&] { return hand_to_rocq(*certificate, request.rocq, request.run); });
        answer.text += closed.text;
        answer.accepted = closed.closed;
    }
    write_text(request.to.path, answer.text);
    return answer.accepted ? 0 : 1;
}

namespace {

OptionTable options(CertifyRequest& r) {
    return joined(
        {{{.names = "FILE", .target = &r.files, .meaning = "certificate files, - for standard input", .required = true},
          {.names = "--instance",
           .value = "FILE",
           .target = &r.instance,
           .meaning = "instance that the certificates must be about; required for those of `capacity --certificate`, "
                      "which hold only its name"},
          {.names = "--policy-file",
           .value = "FILE",
           .target = &r.policy_files,
           .meaning = "file of a compiled policy that a certificate is about; may be repeated",
           .repeated = true},
          {.names = "--rocq",
           .value = "DIR",
           .target = &r.rocq,
           .meaning = "write the certificate and the theory for the proof assistant Rocq into a directory"},
          {.names = "--run",
           .target = &r.run,
           .meaning = "compile the files of --rocq with coqc (Debian's package coq), and print the theorem that is "
                      "closed and its assumptions"}},
         destination_options(r.to)});
}

}  // namespace

Subcommand certify() {
    return make_subcommand<CertifyRequest>("certify", "check certificates without any solver",
                                           "schedproof certify drift.json", options,
                                           forms(certify::certify_form, certify::certificate_form));
}

}  // namespace schedproof::cli
