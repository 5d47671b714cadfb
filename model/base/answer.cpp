#include "model/base/answer.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <set>

#include "model/base/output_file.hpp"
#include "model/core/errors.hpp"

namespace schedproof::base {

void write_text(const std::string& path, std::string_view text) {
    if (path == "-") {
        if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
            throw InputError::in_file("standard output", std::string("cannot write: ") + std::strerror(errno));
        return;
    }
    write_file(path, text);
}

void require_writable(std::initializer_list<std::string> paths) {
    std::set<std::filesystem::path> seen;
    for (const std::string& path : paths) {
        if (path.empty() || path == "-") continue;
        if (!seen.insert(std::filesystem::path(path).lexically_normal()).second)
            throw InputError::in_file(path, "expected another file: two answers cannot share one");
        const OutputFile probe(path);
    }
}

void write_json(const std::string& path, std::string_view schema, const Json& body) {
    Json file{{"schema", schema}, {"version", SCHEDPROOF_VERSION}};
    file.update(body);
    write_text(path, to_text(file, 2) + "\n");
}

}  // namespace schedproof::base
