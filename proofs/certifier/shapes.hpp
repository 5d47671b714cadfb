/// What certificates may hold, put together of a few kinds of values; their schema is made of it, and their members are
/// checked by it before anything is read (model/base/form.hpp).
#pragma once

#include <string>
#include <vector>

#include "model/base/form.hpp"

namespace schedproof::certify {

using base::Member;
using base::Shape;

[[nodiscard]] Shape text_shape(std::string pattern = "", bool or_empty = false);
[[nodiscard]] Shape word_shape(std::vector<std::string> words);
[[nodiscard]] Shape flag_shape();
/// An integer of at least 0.
[[nodiscard]] Shape index_shape();
/// A text that is a number in lowest terms.
[[nodiscard]] Shape number_shape();
[[nodiscard]] Shape digest_shape();
[[nodiscard]] Shape list_shape(Shape item, std::size_t least = 0);
/// A list whose items are of these shapes, in this order.
[[nodiscard]] Shape tuple_shape(std::vector<Shape> items);
[[nodiscard]] Shape choice_shape(std::vector<Shape> alternatives);
[[nodiscard]] Shape record_shape(base::Members members);
[[nodiscard]] Shape named(Shape shape, std::string name, std::string meaning = "");

[[nodiscard]] Member member(std::string name, Shape shape, std::string meaning = "");
/// One that may be absent.
[[nodiscard]] Member optional(std::string name, Shape shape, std::string meaning = "");

// What several theorems hold: see proof_codec.hpp.
[[nodiscard]] Shape form_shape();
[[nodiscard]] Shape proofs_shape();
[[nodiscard]] Shape lemmas_shape();

}  // namespace schedproof::certify
