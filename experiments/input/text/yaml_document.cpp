/// By yaml-cpp, which no other file includes.
///
/// yaml-cpp shares what an alias stands for; here it becomes a tree, so that a few lines of aliases of aliases would be
/// a tree without end, but for the limit of values.
#include "experiments/input/text/yaml_document.hpp"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cstdint>
#include <sstream>

#include "model/base/numeral.hpp"
#include "model/base/text.hpp"
#include "model/core/errors.hpp"

namespace schedproof::input {

namespace {

using base::Node;

class Tree {
  public:
    explicit Tree(const std::string& file) : file_(file) {}

    [[nodiscard]] Node node(const YAML::Node& from, std::size_t depth = 0) {
        const std::size_t line = from.Mark().is_null() ? 0 : static_cast<std::size_t>(from.Mark().line) + 1;
        if (++values_ > most_values) fail(line, "expected fewer values, aliases counted as what they stand for");
        if (depth > base::max_document_depth) fail(line, "expected fewer levels of nesting");
        if (from.IsScalar()) return {scalar(from), line};
        if (from.IsSequence()) {
            Node::Array items;
            for (const YAML::Node& item : from) items.push_back(node(item, depth + 1));
            return {std::move(items), line};
        }
        if (!from.IsMap()) return {base::Literal{"null", "null"}, line};
        Node::Table fields;
        for (const auto& field : from) {
            const YAML::Node &key = field.first, &value = field.second;
            const std::size_t at = static_cast<std::size_t>(key.Mark().line) + 1;
            if (!key.IsScalar()) fail(at, "expected a key that is a text");
            const std::string name = key.Scalar();
            if (name == "<<") fail(at, "expected keys written out: merge keys are not read");
            if (std::any_of(fields.begin(), fields.end(), [&](const base::Field& other) { return other.key == name; }))
                fail(at, "expected the key " + base::shown(name) + " once");
            fields.push_back(base::Field{name, node(value, depth + 1)});
            if (fields.back().value.line == 0) fields.back().value.line = at;
        }
        return {std::move(fields), line};
    }

  private:
    /// Far above any configuration.
    static constexpr std::size_t most_values = 100'000;

    [[noreturn]] void fail(std::size_t line, std::string expected) const {
        throw InputError::at_line(file_, line, std::move(expected));
    }

    [[nodiscard]] static decltype(Node::value) scalar(const YAML::Node& from) {
        const std::string& text = from.Scalar();
        if (from.Tag() == "!") return text;  // it stands in quotes
        if (text == "true" || text == "false") return text == "true";
        if (const auto number = base::parse_numeral<std::int64_t>(text)) return *number;
        return text;
    }

    const std::string& file_;
    std::size_t values_ = 0;
};

/// Throws where a document begins where the one before it has: yaml-cpp reads an empty one at a comma again and again.
class Progress : public YAML::EventHandler {
  public:
    void OnDocumentStart(const YAML::Mark& mark) override {
        if (mark.pos <= last_) throw YAML::ParserException(mark, "expected a value");
        last_ = mark.pos;
    }
    void OnDocumentEnd() override {}
    void OnNull(const YAML::Mark&, YAML::anchor_t) override {}
    void OnAlias(const YAML::Mark&, YAML::anchor_t) override {}
    void OnScalar(const YAML::Mark&, const std::string&, YAML::anchor_t, const std::string&) override {}
    void OnSequenceStart(const YAML::Mark&, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {}
    void OnSequenceEnd() override {}
    void OnMapStart(const YAML::Mark&, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {}
    void OnMapEnd() override {}

  private:
    int last_ = -1;
};

void expect_progress(const std::string& text) {
    std::istringstream in(text);
    YAML::Parser parser(in);
    Progress progress;
    while (parser.HandleNextDocument(progress)) {}
}

}  // namespace

std::vector<Node> parse_yaml(std::string_view text, const std::string& file) {
    if (text.size() > base::max_toml_bytes) throw InputError::in_file(file, "expected a shorter text");
    if (base::first_invalid_utf8(text) != std::string_view::npos)
        throw InputError::in_file(file, "expected text in UTF-8");
    // What opens nests by recursion in the parser.
    std::size_t open = 0;
    for (const char c : text) {
        open += c == '[' || c == '{' ? 1 : 0;
        if (open > 10'000) throw InputError::in_file(file, "expected fewer brackets");
    }
    try {
        const std::string whole(text);
        expect_progress(whole);
        std::vector<Node> documents;
        for (const YAML::Node& document : YAML::LoadAll(whole))
            if (!document.IsNull()) documents.push_back(Tree(file).node(document));
        return documents;
    } catch (const YAML::Exception& error) {
        throw InputError::at_line(file, error.mark.is_null() ? 0 : static_cast<std::size_t>(error.mark.line) + 1,
                                  "expected well-formed YAML: " + error.msg);
    }
}

}  // namespace schedproof::input
