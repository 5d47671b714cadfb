#include "experiments/cli/certify/run_certify.hpp"
#include "experiments/cli/output.hpp"
#include "experiments/cli/requests.hpp"

namespace schedproof::cli {

int run(const CertifyRequest& request) {
    require_writable({request.to.path});
    const certify::Answer answer = certify::answer({request.files, request.instance, request.to.json()});
    write_text(request.to.path, answer.text);
    return answer.accepted ? 0 : 1;
}

}  // namespace schedproof::cli
