#include "experiments/command/families/bundle_text.hpp"

#include <algorithm>

#include "experiments/command/families/bundle.hpp"
#include "model/base/text.hpp"

namespace schedproof::cli {

BundleText::BundleText(std::string directory) : directory_(std::move(directory)) {
    const std::string text = base::read_file(file());
    document_ =
        std::make_shared<const Document>(Document{file(), base::parse_document(text, base::Format::json, file())});
    require_form(base::Cursor(document_->root, document_->file), counterexample_form());
}

std::string BundleText::text(const char* key) const { return member(key).text("text of a bundle's counterexample"); }

bool BundleText::has(const char* key) const {
    return base::Cursor(document_->root, document_->file).find(key).has_value();
}

base::Cursor BundleText::member(const char* key) const {
    return base::Cursor(document_->root, document_->file).require(key, "a member of a bundle's counterexample");
}

std::string file_name(std::string id) {
    for (char& c : id)
        if (c == ':' || c == '/' || c == ' ' || c == ';' || c == ',') c = '-';
    return id;
}

std::string test_name(std::string id) {
    id = file_name(std::move(id));
    std::transform(id.begin(), id.end(), id.begin(), [](char c) { return c == '.' || c == '-' ? '_' : c; });
    return id;
}

std::string text_literal(const std::string& text) { return "R\"text(" + text + ")text\""; }

}  // namespace schedproof::cli
