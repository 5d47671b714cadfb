#include "experiments/command/families/instance_file.hpp"

#include "model/base/nearest.hpp"
#include "model/base/text.hpp"

namespace schedproof::input {

AnyInstance parse_any_instance(std::string_view text, Format format, const std::string& file) {
    static constexpr std::string_view families[] = {"queueing", "assignment", "redundancy"};
    constexpr std::string_view form = "\"queueing\", \"assignment\" or \"redundancy\"";
    const Node document = parse_document(text, format, file);
    const Cursor root(document, file);
    const Cursor family = root.require("family", form);
    const std::string& name = family.text(form);
    if (name == "assignment") return decode_assignment(root);
    if (name == "redundancy") return decode_redundancy(root);
    if (name == "queueing") return decode_instance(root);
    family.fail("expected the family " + std::string(form) + ", not " + shown(name) + did_you_mean(name, families));
}

AnyInstance read_any_instance(const std::string& path) {
    const std::string text = read_text(path, max_json_bytes);
    return parse_any_instance(text, detect_format(path, text), display_name(path));
}

}  // namespace schedproof::input
