#include "experiments/command/families/instance_file.hpp"

#include "model/base/nearest.hpp"
#include "model/base/text.hpp"

namespace schedproof::input {

AnyInstance parse_any_instance(std::string_view text, base::Format format, const std::string& file) {
    static constexpr std::string_view families[] = {"queueing", "assignment", "redundancy"};
    constexpr std::string_view form = "\"queueing\", \"assignment\" or \"redundancy\"";
    const base::Node document = base::parse_document(text, format, file);
    const base::Cursor root(document, file);
    const base::Cursor family = root.require("family", form);
    const std::string& name = family.text(form);
    if (name == "assignment") return assignment::decode_instance(root);
    if (name == "redundancy") return redundancy::decode_instance(root);
    if (name == "queueing") return queueing::decode_instance(root);
    family.fail("expected the family " + std::string(form) + ", not " + base::shown(name) +
                base::did_you_mean(name, families));
}

AnyInstance read_any_instance(const std::string& path) {
    const std::string text = base::read_text(path, base::max_json_bytes);
    return parse_any_instance(text, base::detect_format(path, text), base::display_name(path));
}

}  // namespace schedproof::input
