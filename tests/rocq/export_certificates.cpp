/// export_certificates DIR FILE...: certificates as files for Rocq whatever they are worth, to test what is refused.
///
/// Of the file at position i, from 0, DIR/i.1.v and DIR/i.1.integers hold the logic (level 1) and, where the theory has
/// a statement, DIR/i.3.v and, where the extracted checker reads one, DIR/i.3.integers the theorem about the chain. A
/// line of standard output per file says, separated by tabs: its levels (`1`, `13`, or `-`), why it is rejected by the
/// whole checker and why by its logic alone (`-` where it is not), and why there is no file, or none of level 3.
#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <string>

#include "model/base/output_file.hpp"
#include "model/base/text.hpp"
#include "proofs/certificate/explored_proof.hpp"
#include "proofs/certifier/certify.hpp"
#include "proofs/rocq/export/identities.hpp"
#include "proofs/rocq/export/theorem_file.hpp"

namespace {

using namespace schedproof;

/// One field of a line.
std::string field(std::string text) {
    std::replace_if(
        text.begin(), text.end(), [](unsigned char c) { return c < ' '; }, ' ');
    return text.empty() ? "-" : text;
}

std::string logic_rejection(const AnyCertificate& certificate) {
    for (const proof::ExploredProof& proof : certificate->proofs())
        if (std::string wrong = proof::rejection(proof); !wrong.empty()) return wrong;
    for (const auto& [lemma, proof] : rocq::identities(certificate))
        if (std::string wrong = proof::rejection(lemma, proof); !wrong.empty()) return wrong;
    return "";
}

/// What `check` returns, or what it throws.
template <class Check>
std::string reason(Check check) {
    try {
        return check();
    } catch (const std::exception& error) {
        return error.what();
    }
}

void write(const std::string& stem, const rocq::TheoremFile& file) {
    base::write_file(fmt::format("{}.{}.v", stem, file.level), file.text);
    if (const std::string bytes = file.integers.bytes(); !bytes.empty())
        base::write_file(fmt::format("{}.{}.integers", stem, file.level), bytes);
}

std::string line(const std::string& path, const std::string& stem) {
    std::string levels, whole = "no certificate", logic = whole;
    const std::string gap = reason([&] {
        const std::string text = base::read_text(path, certify::max_certificate_bytes);
        const certify::CertificateFile file = certify::read_certificate(certify::read_document(text, path), path);
        whole = reason([&] { return certify::rejection(file); });
        logic = reason([&] { return logic_rejection(file.certificate); });
        write(stem, rocq::logic_file(file.certificate, ""));
        levels = "1";
        const rocq::TheoremFile best = rocq::theorem_file(file.certificate);
        if (best.level == 3) {
            write(stem, best);
            levels = "13";
        }
        return best.gap;
    });
    return field(levels) + '\t' + field(whole) + '\t' + field(logic) + '\t' + field(gap);
}

}  // namespace

int main(int argc, char** argv) {
    for (int i = 2; i < argc; ++i) fmt::print("{}\n", line(argv[i], fmt::format("{}/{}", argv[1], i - 2)));
    return argc < 3 ? 2 : 0;
}
