/// A reader of declarations that knows as little of C++ as finding structs needs.
///
/// The preprocessor has removed comments, conditions and macros, and says by its line marks which line of which file
/// follows. Only the file's own lines are read; what it includes is taken to close the braces that it opens. Words,
/// literals and signs are told apart, braces are matched, and what stands before an opening brace says what it opens.
#include "experiments/command/policy_header/source_scan.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <set>
#include <utility>

namespace schedproof::cli::policy_header {

namespace {

struct Token {
    enum class Kind { word, literal, sign } kind;
    std::string_view text;
    std::size_t line;

    [[nodiscard]] bool is(std::string_view other) const { return kind != Kind::literal && text == other; }
};

bool begins_word(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool in_word(char c) { return begins_word(c) || std::isdigit(static_cast<unsigned char>(c)) != 0; }

/// The tokens of one stretch of lines.
class Lexer {
  public:
    Lexer(std::string_view text, std::size_t line) : text_(text), line_(line) {}

    void append_to(std::vector<Token>& tokens) {
        while (true) {
            while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) pass(1);
            if (at_ == text_.size()) return;
            const std::size_t line = line_, from = at_;
            const Token::Kind kind = token();
            tokens.push_back({kind, text_.substr(from, at_ - from), line});
        }
    }

  private:
    void pass(std::size_t count) {
        for (const std::size_t end = std::min(at_ + count, text_.size()); at_ < end; ++at_) line_ += text_[at_] == '\n';
    }
    Token::Kind token() {
        const char c = text_[at_];
        if (begins_word(c)) {
            const std::size_t from = at_;
            while (at_ < text_.size() && in_word(text_[at_])) pass(1);
            if (at_ < text_.size() && text_[at_] == '"' && text_[at_ - 1] == 'R' && at_ - from <= 3) {
                raw();
                return Token::Kind::literal;
            }
            return Token::Kind::word;
        }
        if (std::isdigit(static_cast<unsigned char>(c)) != 0) {
            while (at_ < text_.size() && (in_word(text_[at_]) || text_[at_] == '\'' || text_[at_] == '.')) pass(1);
            return Token::Kind::literal;
        }
        if (c == '"' || c == '\'') {
            quoted(c);
            return Token::Kind::literal;
        }
        pass(text_.substr(at_, 2) == "::" || text_.substr(at_, 2) == "[[" || text_.substr(at_, 2) == "]]" ? 2 : 1);
        return Token::Kind::sign;
    }
    void quoted(char mark) {
        for (pass(1); at_ < text_.size() && text_[at_] != mark;) pass(text_[at_] == '\\' ? 2 : 1);
        pass(1);
    }
    /// R"delimiter( ... )delimiter", from its quotation mark.
    void raw() {
        const std::size_t open = std::min(text_.find('(', at_), text_.size());
        const std::string end = ")" + std::string(text_.substr(at_ + 1, open - at_ - 1)) + "\"";
        const std::size_t close = text_.find(end, open);
        pass((close == std::string_view::npos ? text_.size() : close + end.size()) - at_);
    }

    std::string_view text_;
    std::size_t at_ = 0, line_;
};

/// What a brace has opened.
struct Scope {
    std::string name;   ///< of a namespace or a struct; empty for a nameless one
    bool named = true;  ///< whether structs inside are looked at: not so in a function, a template or another struct
};

class Reader {
  public:
    explicit Reader(const std::vector<Token>& tokens) : tokens_(tokens) {}

    [[nodiscard]] std::vector<DefinedStruct> structs() {
        while (at_ < tokens_.size()) {
            const Token& token = tokens_[at_++];
            if (token.is("template") && is(at_, "<"))
                skip_arguments(), template_ = true;
            else if (token.is("{") || (token.is("enum") && skip_to_brace()))
                open({"", false});
            else if (token.is("namespace"))
                name_space();
            else if (token.is("struct") || token.is("class"))
                structure();
            else if (token.is("}") && !scopes_.empty())
                scopes_.pop_back();
            else if (token.is(";"))
                template_ = false;
        }
        return std::move(found_);
    }

  private:
    [[nodiscard]] bool is(std::size_t i, std::string_view text) const {
        return i < tokens_.size() && tokens_[i].is(text);
    }
    [[nodiscard]] bool is_word(std::size_t i) const {
        return i < tokens_.size() && tokens_[i].kind == Token::Kind::word;
    }
    void open(Scope scope) {
        scopes_.push_back(std::move(scope));
        template_ = false;
    }
    /// From `<` behind the `>` that closes it.
    void skip_arguments() {
        for (int depth = 0; at_ < tokens_.size(); ++at_) {
            depth += tokens_[at_].is("<") ? 1 : 0;
            if (tokens_[at_].is(">") && --depth == 0) break;
        }
        at_ += at_ < tokens_.size() ? 1 : 0;
    }
    /// Behind the next `{`; to a `;` or `)` that comes first.
    bool skip_to_brace() {
        for (; at_ < tokens_.size(); ++at_) {
            if (is(at_, "{")) return ++at_, true;
            if (is(at_, ";") || is(at_, ")")) return false;
        }
        return false;
    }
    void name_space() {
        std::string name;
        for (; is_word(at_) || is(at_, "::"); ++at_)
            if (!is(at_, "inline")) name += tokens_[at_].text;
        if (is(at_, "{")) ++at_, open({name});
    }
    void structure() {
        while (is(at_, "[[") || is(at_, "alignas")) {
            const bool attribute = is(at_, "[[");
            while (at_ < tokens_.size() && !is(at_, attribute ? "]]" : ")")) ++at_;
            at_ += at_ < tokens_.size() ? 1 : 0;
        }
        const std::size_t name = at_;
        if (is_word(at_)) ++at_;
        const bool special = is(at_, "<") || is(at_, "::");
        if (is(at_, "final")) ++at_;
        if (special) {
            if (skip_to_brace()) open({"", false});
            return;
        }
        if (!is(at_, "{") && !is(at_, ":")) return;  // no definition
        if (!skip_to_brace()) return;
        const bool nameable = !template_ && at_ > name + 1 && is_word(name);
        const std::string own(nameable ? tokens_[name].text : std::string_view());
        if (nameable && std::all_of(scopes_.begin(), scopes_.end(), [](const Scope& scope) { return scope.named; }))
            found_.push_back({qualified(own), tokens_[name].line});
        open({own, false});
    }
    [[nodiscard]] std::string qualified(const std::string& own) const {
        std::string name;
        for (const Scope& scope : scopes_)
            if (!scope.name.empty()) name += scope.name + "::";
        return name + own;
    }

    const std::vector<Token>& tokens_;
    std::size_t at_ = 0;
    bool template_ = false;
    std::vector<Scope> scopes_;
    std::vector<DefinedStruct> found_;
};

constexpr std::array<std::string_view, 5> library_folders{"/model/", "/policies/", "/checks/", "/proofs/",
                                                          "/experiments/"};

/// The first word that tells the compiler's run from another, or one run from the next. A name that is only written so
/// is refused too.
const Token* two_faced(const std::vector<Token>& tokens) {
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        for (const char* word : {"is_constant_evaluated", "__is_constant_evaluated", "__builtin_is_constant_evaluated",
                                 "__builtin_constant_p", "asm", "__asm", "__asm__"})
            if (tokens[i].is(word)) return &tokens[i];
        // Instructions that read a counter of the processor, or draw from it, call nothing by name.
        for (const char* part : {"rdtsc", "rdpmc", "rdrand", "rdseed", "readcyclecounter"})
            if (tokens[i].kind == Token::Kind::word && tokens[i].text.find(part) != std::string_view::npos)
                return &tokens[i];
        // `if consteval`, `if !consteval`; a line mark may stand between the words.
        if (tokens[i].is("consteval") &&
            (i == 0 ? i + 1 < tokens.size() && tokens[1].is("{") : tokens[i - 1].is("if") || tokens[i - 1].is("!")))
            return &tokens[i];
    }
    return nullptr;
}

/// `# 12 "file" 1 3`: line, file, and whether it is a system header.
struct Mark {
    std::size_t line = 0;
    std::string file;
    bool system = false;
};
bool read_mark(std::string_view text, Mark& mark) {
    if (text.starts_with("#line ")) text.remove_prefix(4);
    if (!text.starts_with("# ")) return false;
    text.remove_prefix(2);
    const auto number = std::from_chars(text.data(), text.data() + text.size(), mark.line);
    const std::size_t open = text.find('"'), close = text.rfind('"');
    if (number.ec != std::errc() || open == close) return false;
    mark.file = text.substr(open + 1, close - open - 1);
    mark.system = text.find('3', close) != std::string_view::npos;
    return true;
}

/// Whether the code of a file is not the user's. A file may call itself one of the system, whose own stand where users
/// have none.
bool is_trusted(const Mark& mark, std::string_view headers) {
    if (mark.system && mark.file.starts_with("/usr/")) return true;
    if (!std::string_view(mark.file).starts_with(headers)) return false;
    const std::string_view within = std::string_view(mark.file).substr(headers.size());
    return std::any_of(library_folders.begin(), library_folders.end(),
                       [&](std::string_view folder) { return within.starts_with(folder); });
}

}  // namespace

Scan scan(std::string_view preprocessed, std::string_view file, std::string_view headers) {
    std::vector<Token> tokens;
    std::set<std::string> files;
    std::optional<TwoFaced> found;
    Mark mark;
    while (!preprocessed.empty()) {
        const std::size_t end = std::min(preprocessed.find("\n#"), preprocessed.size());
        std::string_view stretch = preprocessed.substr(0, end);
        preprocessed.remove_prefix(std::min(end + 1, preprocessed.size()));
        if (stretch.starts_with('#')) {
            const std::string_view first = stretch.substr(0, stretch.find('\n'));
            if (!read_mark(first, mark)) ++mark.line;  // a #pragma
            if (!mark.system && !mark.file.starts_with('<')) files.insert(mark.file);
            if (first.size() == stretch.size()) continue;
            stretch.remove_prefix(first.size() + 1);
        }
        if (!found && (mark.file == file || !is_trusted(mark, headers))) {
            std::vector<Token> here;
            Lexer(stretch, mark.line).append_to(here);
            if (const Token* token = two_faced(here)) found = {std::string(token->text), mark.file, token->line};
        }
        if (mark.file == file) Lexer(stretch, mark.line).append_to(tokens);
        mark.line += static_cast<std::size_t>(std::count(stretch.begin(), stretch.end(), '\n')) + 1;
    }
    return {Reader(tokens).structs(), {files.begin(), files.end()}, std::move(found)};
}

}  // namespace schedproof::cli::policy_header
