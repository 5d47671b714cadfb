#include "experiments/command/core/exact_option.hpp"

#include <fmt/core.h>

#include "model/base/split.hpp"
#include "model/core/errors.hpp"

namespace schedproof::cli {

Rational option_number(const std::string& text, const std::string& option) {
    auto number = Rational::parse(text);
    if (!number) throw InputError::at_key(option, number.error());
    return *std::move(number);
}

Rational option_number(const std::string& text, const std::string& option, const char* form,
                       const std::function<bool(const Rational&)>& holds) {
    Rational number = option_number(text, option);
    if (!holds(number)) throw InputError::at_key(option, std::string("expected ") + form + ", not " + display(number));
    return number;
}

std::vector<Rational> option_numbers(const std::string& text, const std::string& option) {
    const bool steps = text.find(':') != std::string::npos;
    std::vector<Rational> numbers;
    for (const std::string_view word : base::split(text, steps ? ':' : ','))
        numbers.push_back(option_number(std::string(word), option));
    if (!steps) return numbers;
    if (numbers.size() != 3 || numbers[0] > numbers[1] || numbers[2].sign() <= 0)
        throw InputError::at_key(option, "expected FROM:TO:STEP with FROM <= TO and STEP > 0, not '" + text + "'");
    const Rational from = numbers[0], to = numbers[1], step = numbers[2];
    if ((to - from) / step > Rational(100'000)) throw InputError::at_key(option, "expected at most 100000 steps");
    numbers.clear();
    for (Rational number = from; number <= to; number += step) numbers.push_back(number);
    return numbers;
}

std::vector<Rational> option_slacks(const std::string& text, const std::string& option, const Rational& up_to) {
    std::vector<Rational> slacks = option_numbers(text, option);
    for (const Rational& eps : slacks)
        if (eps.sign() <= 0 || eps > up_to)
            throw InputError::at_key(option, fmt::format("expected slacks above 0 and at most {}, not {}",
                                                         up_to.to_string(), eps.to_string()));
    return slacks;
}

}  // namespace schedproof::cli
