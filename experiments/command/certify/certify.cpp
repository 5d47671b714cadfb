#include "experiments/command/core/output.hpp"
#include "experiments/command/core/requests.hpp"
#include "proofs/certifier/run_certify.hpp"

namespace schedproof::command {

int run(const CertifyRequest& request) {
    require_writable({request.to.path});
    const certify::Answer answer = certify::answer({request.files, request.instance, request.to.json()});
    write_text(request.to.path, answer.text);
    return answer.accepted ? 0 : 1;
}

}  // namespace schedproof::command
