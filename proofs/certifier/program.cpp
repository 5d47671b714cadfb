/// schedproof-certify: `schedproof certify` as a program of its own, linked with no solver.
///
///     schedproof-certify [--instance FILE] [--format text|json] FILE...
/// Exit codes and output as those of `schedproof certify`.
#include <cstdio>
#include <exception>
#include <new>
#include <optional>
#include <string>
#include <vector>

#include "model/base/nearest.hpp"
#include "model/core/errors.hpp"
#include "proofs/certifier/certify.hpp"
#include "proofs/certifier/run_certify.hpp"

namespace {

using namespace schedproof;

constexpr const char* help =
    "schedproof-certify: checks certificates of schedproof without any solver.\n"
    "Usage: schedproof-certify [--instance FILE] [--format text|json] FILE...\n"
    "  FILE             a certificate, - for standard input\n"
    "  --instance FILE  the instance that they must be about; certificates of a load only name theirs and need it\n"
    "  --format         text for people, json for programs\n"
    "Exit codes: 0 all accepted, 1 one rejected, 2 usage or input error, 3 a limit was reached.\n"
    "Example:\n  schedproof-certify cert.json\n";

certify::Request parse(const std::vector<std::string>& words) {
    certify::Request request;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string& word = words[i];
        const auto value = [&]() -> const std::string& {
            if (i + 1 == words.size() || words[i + 1].empty()) throw InputError::at_key(word, "expected a value");
            return words[++i];
        };
        if (word == "--instance") {
            request.instance = value();
        } else if (word == "--format") {
            const std::string& format = value();
            if (format != "text" && format != "json")
                throw InputError::at_key(word, "expected text or json, not '" + format + "'");
            request.json = format == "json";
        } else if (word.starts_with("-") && word != "-") {
            const std::vector<std::string_view> known{"--instance", "--format", "--help"};
            throw InputError::at_key(word, "expected a known option" + base::did_you_mean(word, known));
        } else {
            request.files.push_back(word);
        }
    }
    if (request.files.empty()) throw InputError("expected the name of a certificate file");
    return request;
}

}  // namespace

int main(int argc, char** argv) {
    const std::vector<std::string> words(argv + 1, argv + argc);
    const auto complain = [](const char* what, int code) {
        std::fprintf(stderr, "schedproof-certify: %s\n", what);
        return code;
    };
    try {
        for (const std::string& word : words)
            if (word == "--help" || word == "-h") return std::fputs(help, stdout) < 0 ? 2 : 0;
        const certify::Answer answer = certify::answer(parse(words));
        if (std::fwrite(answer.text.data(), 1, answer.text.size(), stdout) != answer.text.size() ||
            std::fflush(stdout) != 0)
            return complain("standard output: cannot write", 2);
        return answer.accepted ? 0 : 1;
    } catch (const InputError& error) {
        return complain(error.what(), 2);
    } catch (const LimitExceeded& error) {
        return complain(error.what(), 3);
    } catch (const std::bad_alloc&) {
        return complain("out of memory", 3);
    } catch (const std::exception& error) {
        return complain(error.what(), 4);
    }
}
