#include "experiments/command/families/instance_file.hpp"

#include "model/base/nearest.hpp"
#include "model/base/text.hpp"

namespace schedproof::cli {

namespace {

/// `"a", "b" or "c"`.
std::string quoted(const std::vector<std::string_view>& names) {
    std::string text;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (i > 0) text += i + 1 < names.size() ? ", " : " or ";
        text += "\"" + std::string(names[i]) + "\"";
    }
    return text;
}

}  // namespace

std::unique_ptr<InstanceFile> parse_any_instance(std::string_view text, base::Format format, const std::string& file) {
    std::vector<std::string_view> names;
    for (const auto& files : family_files())
        if (files->has_instance_files()) names.push_back(files->family());
    const std::string form = quoted(names);
    const base::Node document = base::parse_document(text, format, file);
    const base::Cursor root(document, file);
    const base::Cursor family = root.require("family", form);
    const std::string& name = family.text(form);
    for (const auto& files : family_files())
        if (files->has_instance_files() && files->family() == name) return files->decode(root);
    family.fail("expected the family " + form + ", not " + base::shown(name) + base::did_you_mean(name, names));
}

std::unique_ptr<InstanceFile> read_any_instance(const std::string& path) {
    const std::string text = base::read_text(path, base::max_json_bytes);
    return parse_any_instance(text, base::detect_format(path, text), base::display_name(path));
}

}  // namespace schedproof::cli
