#include "model/base/answer.hpp"

#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
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

void write_json(const std::string& path, std::string_view schema, const nlohmann::ordered_json& body) {
    nlohmann::ordered_json answer{{"schema", schema}, {"version", SCHEDPROOF_VERSION}};
    answer.update(body);
    write_text(path, answer.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
}

nlohmann::ordered_json number(const Rational& value) {
    const double approximation = value.approximate();
    return {{"exact", value.to_string()},
            {"approx",
             std::isfinite(approximation) ? nlohmann::ordered_json(approximation) : nlohmann::ordered_json(nullptr)}};
}

}  // namespace schedproof::base
