#include "experiments/command/core/answer_fields.hpp"

#include <algorithm>
#include <filesystem>

#include "model/base/answer.hpp"
#include "model/base/line_breaks.hpp"
#include "model/base/output_file.hpp"

namespace schedproof::cli {

Json text_or_null(const std::string& text) { return text.empty() ? Json() : Json(text); }

int write_answer(const Destination& to, std::string_view schema, const Json& json, const std::string& text,
                 int exit_code) {
    if (to.json())
        write_json_answer(to.path, schema, json);
    else
        base::write_text(to.path, to.format == "text" ? base::with_line_breaks(text) : text);
    return exit_code;
}

void write_json_answer(const std::string& path, std::string_view schema, Json body) {
    std::vector<std::string> files = base::FileLog::paths();
    std::error_code error;
    const bool device = std::filesystem::exists(path, error) && !std::filesystem::is_regular_file(path, error);
    const std::string own = base::FileLog::name(path);
    if (path != "-" && !device && std::find(files.begin(), files.end(), own) == files.end())
        files.insert(std::lower_bound(files.begin(), files.end(), own), own);
    body["files"] = files;
    write_json(path, schema, body);
}

}  // namespace schedproof::cli
