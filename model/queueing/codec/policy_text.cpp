/// The grammar of policies as texts, and what its parts mean.
///
/// The grammar is that of C++ expressions over the vocabulary; PEGTL reads it. Each part of the parse tree is given its
/// type and its tree of primitives bottom-up (language/typing.hpp), so that an error has the line and the column of the
/// part that is wrong. Rules check the rest, as they do at compile time.
/// Long: the grammar, what it says where a text is wrong, and what each of its parts means stand side by side.
#include "model/queueing/codec/policy_text.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <memory>
#include <optional>
#include <tao/pegtl.hpp>
#include <tao/pegtl/contrib/limit_depth.hpp>
#include <tao/pegtl/contrib/parse_tree.hpp>
#include <utility>
#include <vector>

#include "model/base/nearest.hpp"
#include "model/base/notation.hpp"
#include "model/queueing/language/typing.hpp"

namespace schedproof::queueing::codec {

namespace pegtl = tao::pegtl;

namespace grammar {

using namespace tao::pegtl;  // NOLINT(google-build-using-namespace): a grammar is made of its rules

// NOLINTBEGIN(readability-identifier-naming): rules are named as the words of the grammar

struct comment : seq<one<'#'>, until<at<eolf>>> {};
struct gap : star<sor<space, comment>> {};

template <char... letters>
struct token : seq<string<letters...>, gap> {};

struct number : seq<opt<one<'-'>>, plus<digit>> {};
struct name : identifier {};
struct expression;
struct arguments : if_must<token<'('>, list<expression, token<','>>, token<')'>> {};
struct call : seq<name, gap, at<one<'('>>, arguments> {};
struct grouped : if_must<token<'('>, expression, token<')'>> {};
struct primary;
struct negation : if_must<seq<one<'!'>, not_at<one<'='>>, gap>, primary> {};
struct quoted : if_must<one<'"'>, until<one<'"'>, not_one<'\n', '\r'>>> {};
struct primary : sor<seq<number, gap>, seq<quoted, gap>, call, seq<name, gap>, negation, grouped> {};

struct times : sor<one<'*'>, one<'/'>> {};
struct plus_minus : sor<one<'+'>, one<'-'>> {};
struct relation : sor<string<'<', '='>, string<'>', '='>, one<'<'>, one<'>'>> {};
struct equality : string<'=', '='> {};
struct intersection : seq<one<'&'>, not_at<one<'&'>>> {};
struct union_of : seq<one<'|'>, not_at<one<'|'>>> {};
struct both : string<'&', '&'> {};
struct either : string<'|', '|'> {};

/// Operands with signs between them, the first two first.
template <class Operand, class Sign>
struct chain : seq<Operand, star<if_must<seq<Sign, gap>, Operand>>> {};
struct product : chain<primary, times> {};
struct sum : chain<product, plus_minus> {};
struct comparison : chain<sum, relation> {};
struct same : chain<comparison, equality> {};
struct common_members : chain<same, intersection> {};
struct members : chain<common_members, union_of> {};
struct conjunction : chain<members, both> {};
struct expression : chain<conjunction, either> {};

struct id : plus<sor<alnum, one<'-', '_', '.', ':'>>> {};
template <class Keyword, class Value>
struct line : if_must<seq<Keyword, not_at<identifier_other>>, gap, token<':'>, Value, gap> {};
struct policy_line : line<string<'p', 'o', 'l', 'i', 'c', 'y'>, id> {};
struct source_line : line<string<'s', 'o', 'u', 'r', 'c', 'e'>, quoted> {};
struct summary_line : line<string<'s', 'u', 'm', 'm', 'a', 'r', 'y'>, quoted> {};
struct id_list : seq<id, gap, star<if_must<token<','>, id, gap>>> {};
struct hopes_line : line<string<'h', 'o', 'p', 'e', 's'>, id_list> {};
struct path : plus<not_one<' ', '\t', '\n', '\r', ',', '#', '"'>> {};
struct cluster : seq<sor<quoted, path>, gap> {};
struct clusters : seq<cluster, star<if_must<token<','>, cluster>>> {};
struct stable_on : seq<string<'s', 't', 'a', 'b', 'l', 'e'>, plus<blank>, string<'o', 'n'>, plus<blank>> {};
struct require_line : line<string<'r', 'e', 'q', 'u', 'i', 'r', 'e'>, if_must<stable_on, clusters>> {};
struct verdict : seq<sor<TAO_PEGTL_STRING("Proved"), TAO_PEGTL_STRING("Exhausted"), TAO_PEGTL_STRING("Survived"),
                         TAO_PEGTL_STRING("Refuted"), TAO_PEGTL_STRING("Unknown")>,
                     not_at<identifier_other>> {};
struct expect_line : line<string<'e', 'x', 'p', 'e', 'c', 't'>, if_must<seq<id, gap>, verdict>> {};
struct amount : seq<plus<digit>, opt<one<'/', '.'>, plus<digit>>> {};
template <char sign>
struct in_line : seq<star<blank>, one<sign>, star<blank>> {};
struct function : id {};
struct multiple : sor<if_must<seq<amount, in_line<'*'>>, function>, function> {};
struct no_difference : not_at<star<blank>, one<'-'>> {};
struct weighted_sum : seq<multiple, star<if_must<in_line<'+'>, multiple>>, must<no_difference>> {};
struct lyapunov_line : line<string<'l', 'y', 'a', 'p', 'u', 'n', 'o', 'v'>, weighted_sum> {};
struct keep_line : line<string<'k', 'e', 'e', 'p'>, name> {};
struct definition : seq<name, gap, token<'='>, expression> {};
struct let_line : line<string<'l', 'e', 't'>, definition> {};
struct route_line : line<string<'r', 'o', 'u', 't', 'e'>, expression> {};
struct serve_line : line<string<'s', 'e', 'r', 'v', 'e'>, expression> {};
struct statement : sor<policy_line, source_line, summary_line, hopes_line, require_line, expect_line, lyapunov_line,
                       keep_line, let_line, route_line, serve_line> {};
struct policy : seq<gap, until<eof, sor<statement, raise<statement>>>> {};

/// keep(Arrangement::NAME), route(SET), serve(SET)
struct kept : seq<string<'k', 'e', 'e', 'p'>, gap, token<'('>,
                  string<'A', 'r', 'r', 'a', 'n', 'g', 'e', 'm', 'e', 'n', 't', ':', ':'>, name, token<')'>> {};
struct routed : seq<string<'r', 'o', 'u', 't', 'e'>, gap, token<'('>, expression, token<')'>> {};
struct served : seq<string<'s', 'e', 'r', 'v', 'e'>, gap, token<'('>, expression, token<')'>> {};
struct rules : must<gap, kept, token<','>, routed, token<','>, served, eof> {};

// NOLINTEND(readability-identifier-naming)

template <class Rule>
inline constexpr const char* message = nullptr;
template <>
inline constexpr auto message<expression> = "expected an expression";
template <>
inline constexpr auto message<primary> = "expected a word, a number or '('";
template <>
inline constexpr auto message<statement> =
    "expected policy:, source:, summary:, hopes:, require:, expect:, lyapunov:, keep:, let:, route: or serve:";
template <>
inline constexpr auto message<if_must<stable_on, clusters>> =
    "expected 'stable on', and an instance file or every-cluster";
template <>
inline constexpr auto message<clusters> = "expected an instance file or every-cluster";
template <>
inline constexpr auto message<cluster> = message<clusters>;
template <>
inline constexpr auto message<verdict> =
    "expected the claim's verdict: Proved, Exhausted, Survived, Refuted or Unknown";
template <>
inline constexpr auto message<if_must<seq<id, gap>, verdict>> = "expected a claim and its verdict";
template <>
inline constexpr auto message<function> = "expected the name of a function of the state";
template <>
inline constexpr auto message<multiple> = message<function>;
template <>
inline constexpr auto message<weighted_sum> = message<function>;
template <>
inline constexpr auto message<no_difference> =
    "expected a sum of functions with multiples of at least 0, no difference";
template <>
inline constexpr auto message<token<':'>> = "expected ':'";
template <>
inline constexpr auto message<token<')'>> = "expected an operator, ',' or ')'";

}  // namespace grammar

namespace {

using language::Expression;
using language::Sort;

constexpr std::size_t longest_text = std::size_t{1} << 16U;

template <class Rule>
using Kept = pegtl::parse_tree::selector<
    Rule,
    pegtl::parse_tree::store_content::on<grammar::number, grammar::name, grammar::times, grammar::plus_minus,
                                         grammar::relation, grammar::equality, grammar::intersection, grammar::union_of,
                                         grammar::both, grammar::either, grammar::id, grammar::quoted,
                                         grammar::weighted_sum, grammar::path, grammar::verdict>,
    pegtl::parse_tree::remove_content::on<grammar::call, grammar::negation, grammar::policy_line, grammar::source_line,
                                          grammar::summary_line, grammar::hopes_line, grammar::lyapunov_line,
                                          grammar::keep_line, grammar::let_line, grammar::require_line,
                                          grammar::expect_line, grammar::route_line, grammar::serve_line>,
    pegtl::parse_tree::fold_one::on<grammar::product, grammar::sum, grammar::comparison, grammar::same,
                                    grammar::common_members, grammar::members, grammar::conjunction,
                                    grammar::expression>>;

struct Messages {
    template <class Rule>
    static constexpr const char* message = grammar::message<Rule>;
};
template <class Rule>
using Reporting = pegtl::must_if<Messages, pegtl::normal, false>::control<Rule>;

/// Bounds the stack of the parser and of all that walk the tree.
template <class Rule>
struct Bounded : pegtl::nothing<Rule> {};
template <>
struct Bounded<grammar::primary> : pegtl::limit_depth<200> {};

using Node = pegtl::parse_tree::node;

/// The message of a rule that has one; of another the library would name the rule.
std::string words_of(const std::string& message) {
    return message.starts_with("parse error")
               ? "expected the line to go on as docs/policy-language.md says, or rules as they are printed: "
                 "keep(Arrangement::NAME), route(SET), serve(SET)"
               : message;
}

class Reader {
  public:
    explicit Reader(std::string file, std::vector<PolicyParameter> given = {})
        : file_(std::move(file)), given_(std::move(given)) {}

    template <class Grammar>
    [[nodiscard]] std::unique_ptr<Node> parsed(std::string_view text) const {
        if (text.size() > longest_text)
            throw InputError::in_file(file_, fmt::format("expected at most {} bytes", longest_text));
        // The nodes refer to the input's name of the source, which must outlive it: the reader's own.
        using Input = pegtl::memory_input<pegtl::tracking_mode::eager, pegtl::eol::lf_crlf, const char*>;
        Input input(text.data(), text.size(), file_.c_str());
        try {
            return pegtl::parse_tree::parse<Grammar, Kept, Bounded, Reporting>(input);
        } catch (const pegtl::parse_error& error) {
            const auto& at = error.positions().front();
            if (at.column == 1 && error.message() == std::string_view(grammar::message<grammar::statement>))
                refuse_key(text.substr(at.byte, text.find_first_of(": \n", at.byte) - at.byte), at.line);
            throw InputError::at_column(file_, at.line, at.column, words_of(std::string(error.message())));
        }
    }

    /// Of a line that begins with no key of the language.
    void refuse_key(std::string_view word, std::size_t line) const {
        constexpr std::array<std::string_view, 11> keys{"policy",   "source", "summary", "hopes", "require", "expect",
                                                        "lyapunov", "keep",   "let",     "route", "serve"};
        throw InputError::at_column(
            file_, line, 1,
            fmt::format("{}, not '{}'{}", grammar::message<grammar::statement>, word, base::did_you_mean(word, keys)));
    }

    [[nodiscard]] PolicyText policy(const Node& root) {
        for (const auto& line : root.children) statement(*line);
        for (const auto& [what, present] : {std::pair{"policy:", !id_.empty()},
                                            {"keep:", keep_.has_value()},
                                            {"route:", route_.has_value()},
                                            {"serve:", serve_.has_value()}})
            if (!present) throw InputError::in_file(file_, fmt::format("expected a line '{}'", what));
        for (const PolicyParameter& value : given_) require_parameter(value.name);
        return {std::move(id_),
                std::move(source_),
                std::move(summary_),
                made(),
                line_,
                route_line_,
                serve_line_,
                std::move(hopes_),
                std::move(lyapunov_),
                std::move(parameters_),
                std::move(stable_on_),
                std::move(expects_)};
    }

    [[nodiscard]] Rules rules(const Node& root) {
        arrangement(*root.children.at(0));
        rule(*root.children.at(1), language::Decider::task);
        rule(*root.children.at(2), language::Decider::server);
        return made();
    }

  private:
    [[noreturn]] void fail(const Node& at, const std::string& expected) const {
        throw InputError::at_column(file_, at.begin().line, at.begin().column, expected);
    }
    /// An operation of the language at a place of the text.
    template <class Make>
    [[nodiscard]] auto at_place(const Node& at, Make&& make) const {
        try {
            return make();
        } catch (const language::TypeError& error) {
            fail(at, error.what());
        }
    }

    [[nodiscard]] Rules made() const {
        try {
            return {*keep_, *route_, *serve_};
        } catch (const ContractViolation& broken) {
            throw InputError::in_file(file_, fmt::format("expected rules that agree: {}", broken.what()));
        }
    }

    void statement(const Node& line) {
        const Node& value = *line.children.front();
        if (line.is_type<grammar::policy_line>()) {
            once(line, id_.empty());
            id_ = value.string();
            line_ = line.begin().line;
        } else if (line.is_type<grammar::source_line>()) {
            once(line, source_.empty());
            source_ = unquoted(value);
        } else if (line.is_type<grammar::summary_line>()) {
            once(line, summary_.empty());
            summary_ = unquoted(value);
        } else if (line.is_type<grammar::hopes_line>()) {
            once(line, hopes_.empty());
            for (const auto& claim : line.children) hopes_.push_back(claim->string());
        } else if (line.is_type<grammar::require_line>()) {
            for (const auto& cluster : line.children)
                stable_on_.push_back(cluster->is_type<grammar::path>() ? cluster->string() : unquoted(*cluster));
        } else if (line.is_type<grammar::expect_line>()) {
            expects_.push_back({value.string(), line.children.back()->string()});
        } else if (line.is_type<grammar::lyapunov_line>()) {
            once(line, lyapunov_.empty());
            lyapunov_ = value.string();
        } else if (line.is_type<grammar::keep_line>()) {
            once(line, !keep_);
            arrangement(value);
        } else if (line.is_type<grammar::let_line>()) {
            define(value, *line.children.back());
        } else if (line.is_type<grammar::route_line>()) {
            once(line, !route_);
            route_line_ = line.begin().line;
            rule(value, language::Decider::task);
        } else {
            once(line, !serve_);
            serve_line_ = line.begin().line;
            rule(value, language::Decider::server);
        }
    }
    void once(const Node& line, bool first) const {
        if (!first) fail(line, "expected this line once");
    }
    [[nodiscard]] static std::string unquoted(const Node& node) {
        const std::string text = node.string();
        return text.substr(1, text.size() - 2);
    }

    void arrangement(const Node& name) {
        const Arrangement* known = language::find_arrangement(name.string_view());
        if (!known)
            fail(name, fmt::format("expected per_server, per_server_and_common, per_server_and_level, per_type or "
                                   "single, not '{}'",
                                   name.string_view()));
        keep_ = language::keep(*known);
    }
    void rule(const Node& node, language::Decider decider) {
        const Expression set = value(node);
        if (decider == language::Decider::task)
            route_ = at_place(node, [&] { return language::route(set); });
        else
            serve_ = at_place(node, [&] { return language::serve(set); });
    }
    void define(const Node& name, const Node& body) {
        const std::string text = name.string();
        if (language::find_word(text)) fail(name, fmt::format("expected a name of your own: '{}' is a word", text));
        Expression meaning = value(body);
        if (meaning.sort == Sort::number) {
            const auto given =
                std::find_if(given_.begin(), given_.end(), [&](const auto& g) { return g.name == text; });
            if (given != given_.end()) meaning.ratio = given->value;
            parameters_.push_back({text, meaning.ratio});
        }
        if (!names_.emplace(text, meaning).second) fail(name, fmt::format("expected '{}' to be defined once", text));
    }
    void require_parameter(const std::string& name) const {
        std::vector<std::string_view> known;
        for (const PolicyParameter& parameter : parameters_) known.push_back(parameter.name);
        if (std::find(known.begin(), known.end(), name) != known.end()) return;
        const std::string all = known.empty()
                                    ? "it has none"
                                    : "it has " + base::joined(known, ", ", [](const auto& word) { return word; });
        throw InputError::in_file(file_,
                                  fmt::format("expected a parameter, a line `let: NAME = NUMBER`, not '{}'{}; {}", name,
                                              base::did_you_mean(name, known), all));
    }

    [[nodiscard]] Expression value(const Node& node) const {
        if (node.is_type<grammar::number>()) return literal(node);
        if (node.is_type<grammar::name>()) return word(node);
        if (node.is_type<grammar::quoted>()) return at_place(node, [&] { return language::quoted(unquoted(node)); });
        if (node.is_type<grammar::negation>())
            return at_place(node, [&] { return language::negated(value(*node.children.front())); });
        if (node.is_type<grammar::call>()) return call(node);
        Expression result = value(*node.children.front());
        for (std::size_t k = 1; k + 1 < node.children.size(); k += 2) {
            const Node& sign = *node.children[k];
            const Expression next = value(*node.children[k + 1]);
            result = at_place(sign, [&] { return language::binary(sign.string_view(), result, next); });
        }
        return result;
    }
    [[nodiscard]] Expression literal(const Node& node) const {
        const std::string_view digits = node.string_view();
        std::int64_t number = 0;
        if (std::from_chars(digits.data(), digits.data() + digits.size(), number).ec != std::errc())
            fail(node, "expected a number below 2^63");
        return number;
    }
    [[nodiscard]] Expression word(const Node& node) const {
        const std::string text = node.string();
        if (const auto own = names_.find(text); own != names_.end()) return own->second;
        if (const Expression* known = language::find_word(text)) return *known;
        fail(node, "expected a word of the language" + instead_of(text));
    }
    [[nodiscard]] Expression call(const Node& node) const {
        const std::string function = node.children.front()->string();
        if (!language::is_function(function)) fail(node, "expected a function" + instead_of(function));
        std::vector<Expression> arguments;
        for (std::size_t k = 1; k < node.children.size(); ++k) arguments.push_back(value(*node.children[k]));
        return at_place(node, [&] { return language::call(function, arguments); });
    }
    /// ", not 'lenght'; did you mean 'length'?"
    [[nodiscard]] std::string instead_of(const std::string& text) const {
        std::vector<std::string_view> known(language::vocabulary().begin(), language::vocabulary().end());
        for (const auto& [name, meaning] : names_) known.push_back(name);
        return fmt::format(", not '{}'{}", text, base::did_you_mean(text, known));
    }

    std::string file_;
    std::string id_, source_, summary_;
    std::vector<std::string> hopes_, stable_on_;
    std::vector<ExpectedVerdict> expects_;
    std::string lyapunov_;
    std::size_t line_ = 0;
    std::optional<language::Queues> keep_;
    std::optional<language::Route> route_;
    std::optional<language::Serve> serve_;
    std::size_t route_line_ = 0, serve_line_ = 0;
    std::vector<PolicyParameter> given_, parameters_;
    std::map<std::string, Expression, std::less<>> names_;
};

}  // namespace

PolicyText read_policy_text(std::string_view text, const std::string& file,
                            const std::vector<PolicyParameter>& values) {
    Reader reader(file, values);
    return reader.policy(*reader.parsed<grammar::policy>(text));
}

Rules read_rules(std::string_view text, const std::string& file) {
    Reader reader(file);
    return reader.rules(*reader.parsed<grammar::rules>(text));
}

std::string written_as_text(const PolicyText& policy) {
    std::string text = fmt::format("policy: {}\n", policy.id);
    if (!policy.source.empty()) text += fmt::format("source: \"{}\"\n", policy.source);
    if (!policy.summary.empty()) text += fmt::format("summary: \"{}\"\n", policy.summary);
    for (std::size_t i = 0; i < policy.hopes.size(); ++i) text += (i == 0 ? "hopes: " : ", ") + policy.hopes[i];
    if (!policy.hopes.empty()) text += "\n";
    for (const std::string& cluster : policy.stable_on) text += fmt::format("require: stable on \"{}\"\n", cluster);
    for (const auto& [claim, verdict] : policy.expects) text += fmt::format("expect: {} {}\n", claim, verdict);
    if (!policy.lyapunov.empty()) text += fmt::format("lyapunov: {}\n", policy.lyapunov);
    return text + fmt::format("keep: {}\nroute: {}\nserve: {}\n", to_string(policy.rules.arrangement()),
                              to_string(policy.rules.route()), to_string(policy.rules.serve()));
}

}  // namespace schedproof::queueing::codec
