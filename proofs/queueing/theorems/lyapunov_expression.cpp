#include "proofs/queueing/theorems/lyapunov_expression.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

#include "model/base/nearest.hpp"
#include "model/base/split.hpp"
#include "model/core/errors.hpp"
#include "proofs/queueing/theorems/lyapunov.hpp"
#include "proofs/queueing/theorems/lyapunov_formula.hpp"
#include "proofs/queueing/theorems/user_lyapunov.hpp"

namespace schedproof::queueing {

namespace {

/// The function of one name; nothing when there is none.
std::optional<NamedLyapunov> find_named(const std::string& name, const Instance& instance, const Layout& layout) {
    const auto& own = instance.data().lyapunov;
    const auto mine = std::find_if(own.begin(), own.end(), [&](const LyapunovText& v) { return v.name == name; });
    for (const LyapunovInfo& info : lyapunov_functions()) {
        if (info.id != name) continue;
        if (mine != own.end())
            throw InputError::at_key("lyapunov." + name,
                                     "expected another name for the instance's own function: this one is taken");
        return NamedLyapunov{name, std::string(info.formula), named_lyapunov(name, instance, layout)};
    }
    if (mine == own.end()) return {};
    LyapunovForm form = resolve(*mine, instance, layout);
    std::string words = formula(form, instance, layout);
    return NamedLyapunov{name, std::move(words), std::move(form)};
}

[[noreturn]] void refuse(std::string_view name, const Instance& instance) {
    std::vector<std::string_view> known;
    for (const LyapunovInfo& info : lyapunov_functions()) known.push_back(info.id);
    for (const LyapunovText& v : instance.data().lyapunov) known.emplace_back(v.name);
    throw InputError::at_key(
        "--lyapunov", fmt::format("expected a function of `schedproof list lyapunov` or of the instance, not '{}'{}",
                                  name, base::did_you_mean(name, known)));
}

/// A number above 0.
Rational coefficient_of(std::string_view text) {
    const auto number = Rational::parse(text);
    if (number && number->sign() > 0) return *number;
    throw InputError::at_key("--lyapunov",
                             fmt::format("expected a number above 0 before '*', such as 3 or 1/2, not '{}'", text));
}

void add(LyapunovForm& sum, const Rational& c, const LyapunovForm& v) {
    for (LyapunovForm::Product product : v.products) {
        product.coefficient = c * product.coefficient;
        sum.products.push_back(std::move(product));
    }
    for (LyapunovForm::Piece piece : v.pieces) {
        piece.coefficient = c * piece.coefficient;
        sum.pieces.push_back(std::move(piece));
    }
}

}  // namespace

NamedLyapunov find_lyapunov(const std::string& expression, const Instance& instance, const Layout& layout) {
    if (auto named = find_named(expression, instance, layout)) return std::move(*named);
    NamedLyapunov sum{expression, "", {"sum", {}, {}}};  // sentences quote plain names only
    for (const std::string_view term : base::split(expression, '+')) {
        const std::size_t star = term.find('*');
        const std::string_view name = base::trimmed(star == std::string_view::npos ? term : term.substr(star + 1));
        const auto named = find_named(std::string(name), instance, layout);
        if (!named) refuse(name, instance);
        const Rational c =
            star == std::string_view::npos ? Rational(1) : coefficient_of(base::trimmed(term.substr(0, star)));
        add(sum.form, c, named->form);
        sum.formula += fmt::format("{}{} ({})", sum.formula.empty() ? "" : " + ", c.to_string(), named->formula);
    }
    return sum;
}

}  // namespace schedproof::queueing
