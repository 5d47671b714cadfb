#include "experiments/command/core/csv.hpp"

namespace schedproof::cli {

std::string csv_field(const std::string& text) {
    if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
    std::string quoted = "\"";
    for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + "\"";
}

std::string csv_line(const base::Json& record) {
    using Kind = base::Json::Kind;
    std::string line;
    for (const base::Json& value : record.items()) {
        const bool text = value.kind() == Kind::text || value.kind() == Kind::exact;
        if (&value != &record.items().front()) line += ',';
        if (value.kind() != Kind::null) line += text ? csv_field(value.text()) : base::to_text(value);
    }
    return line + "\n";
}

}  // namespace schedproof::cli
