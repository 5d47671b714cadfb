#include "proofs/queueing/theorems/lyapunov_formula.hpp"

#include "model/core/errors.hpp"

namespace schedproof::queueing {

namespace {

/// A sum under construction: factors of one are left out, signs stand between the terms.
class Sum {
  public:
    void add(const Rational& coefficient, const std::string& what) {
        if (coefficient.sign() == 0) return;
        const Rational size = coefficient.sign() < 0 ? -coefficient : coefficient;
        text_ += text_.empty() ? (coefficient.sign() < 0 ? "-" : "") : (coefficient.sign() < 0 ? " - " : " + ");
        if (what.empty())
            text_ += size.to_string();
        else
            text_ += size == Rational(1) ? what : size.to_string() + " " + what;
    }
    [[nodiscard]] std::string text() const { return text_.empty() ? "0" : text_; }

  private:
    std::string text_;
};

class Writer {
  public:
    Writer(const Instance& instance, const Layout& layout) : instance_(instance), layout_(layout) {}

    /// A form as a factor: in parentheses unless it is one queue, so that (2 Q)^2 does not read as 2 Q^2.
    [[nodiscard]] std::string factor(const LyapunovForm::Linear& form) const {
        const bool queue =
            form.constant().sign() == 0 && form.terms().size() == 1 && form.terms().front().second == Rational(1);
        const std::string text = terms(Rational(1), form).text();
        return queue ? text : "(" + text + ")";
    }
    [[nodiscard]] Sum terms(const Rational& coefficient, const LyapunovForm::Linear& form,
                            const std::string& before = "") const {
        Sum sum;
        append(sum, coefficient, form, before);
        return sum;
    }
    void append(Sum& sum, const Rational& coefficient, const LyapunovForm::Linear& form,
                const std::string& before) const {
        for (const auto& [q, c] : form.terms())
            sum.add(coefficient * c, before + "Q[" + layout_.name(instance_, QueueId(q)) + "]");
        sum.add(coefficient * form.constant(), before.empty() ? "" : before.substr(0, before.size() - 1));
    }
    [[nodiscard]] std::string condition(const LyapunovForm::Condition& when) const {
        std::string text = "[" + instance_.server(when.server).name;
        if (when.phantom)
            text += when.queue ? " phantom on " + layout_.name(instance_, *when.queue) : " phantom";
        else
            text += when.queue ? " runs " + layout_.name(instance_, *when.queue) : " busy";
        if (when.level) text += " at " + instance_.data().levels.at(when.level->index()).name;
        return text + "] ";
    }

  private:
    const Instance& instance_;
    const Layout& layout_;
};

}  // namespace

std::string formula(const LyapunovForm& v, const Instance& instance, const Layout& layout) {
    const Writer writer(instance, layout);
    Sum sum;
    for (const auto& product : v.products) {
        const std::string a = writer.factor(product.first), b = writer.factor(product.second);
        sum.add(product.coefficient, a == b ? a + "^2" : a + " " + b);
    }
    for (const auto& piece : v.pieces) {
        const std::string when = piece.when ? writer.condition(*piece.when) : "";
        if (piece.largest_of.size() == 1) {
            writer.append(sum, piece.coefficient, piece.largest_of.front(), when);
            continue;
        }
        std::string list;
        for (const auto& form : piece.largest_of)
            list += (list.empty() ? "" : ", ") + writer.terms(Rational(1), form).text();
        sum.add(piece.coefficient, when + "max(" + list + ")");
    }
    return sum.text();
}

}  // namespace schedproof::queueing
