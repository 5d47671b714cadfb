#include "proofs/certifier/shapes.hpp"

namespace schedproof::certify {

using Kind = Shape::Kind;

Shape text_shape(std::string pattern, bool or_empty) { return {.or_empty = or_empty, .pattern = std::move(pattern)}; }
Shape word_shape(std::vector<std::string> words) { return {.words = std::move(words)}; }
Shape flag_shape() { return {.kind = Kind::boolean}; }
Shape index_shape() { return {.kind = Kind::integer, .least = 0}; }
Shape number_shape() { return named(text_shape("^-?[0-9]+(/[0-9]+)?$"), "number", "p or p/q in lowest terms."); }
Shape digest_shape() { return text_shape("^[0-9a-f]{64}$"); }
Shape list_shape(Shape item, std::size_t least) {
    return {.kind = Kind::list, .least_items = least, .items = {std::move(item)}};
}
Shape tuple_shape(std::vector<Shape> items) { return {.kind = Kind::tuple, .items = std::move(items)}; }
Shape choice_shape(std::vector<Shape> alternatives) { return {.kind = Kind::choice, .items = std::move(alternatives)}; }
Shape record_shape(base::Members members) { return {.kind = Kind::record, .members = std::move(members)}; }
Shape named(Shape shape, std::string name, std::string meaning) {
    shape.name = std::move(name), shape.meaning = std::move(meaning);
    return shape;
}

Member member(std::string name, Shape shape, std::string meaning) {
    return {.name = std::move(name), .meaning = std::move(meaning), .shape = std::move(shape)};
}
Member optional(std::string name, Shape shape, std::string meaning) {
    Member absent = member(std::move(name), std::move(shape), std::move(meaning));
    absent.left_out = true;
    return absent;
}

Shape form_shape() {
    Shape form = tuple_shape({number_shape(), tuple_shape({index_shape(), number_shape()})});
    form.repeats = true;
    return named(form, "form", "Constant, then pairs of variable and coefficient; variables ascend.");
}

Shape proofs_shape() {
    const Shape constraint = named(record_shape({member("form", form_shape(), "Linear form."),
                                                 member("strict", flag_shape(), "Whether the comparison is strict.")}),
                                   "constraint", "form > 0 when strict, else form >= 0.");
    const Shape refutation =
        named(list_shape(tuple_shape({index_shape(), number_shape()}), 1), "refutation",
              "Pairs of the position of a constraint (the space's bounds and premises, the path's, the obligation's) "
              "and its multiplier.");
    const Shape obligation = named(record_shape({member("against", list_shape(constraint), "What is refuted together."),
                                                 member("multipliers", refutation, "Of the refutation.")}),
                                   "obligation");
    const Shape side =
        named(choice_shape({word_shape({"node"}),
                            record_shape({member("leaf", list_shape(obligation), "Obligations of the leaf.")}),
                            record_shape({member("closed", refutation, "Why no point lies on this side.")})}),
              "side");
    const Shape node = named(
        record_shape({member("form", form_shape(), "Linear form."),
                      member("bound", number_shape(), "What the form is compared with."),
                      member("strict", flag_shape(), "Whether the comparison is strict."),
                      member("integer", flag_shape(), "Whether it takes integers alone."),
                      member("yes", side, "Where it holds."), member("no", side, "Where it does not.")}),
        "node",
        "Asks whether form >= bound, or > when strict; `integer`: tightened, the other side is form <= bound - 1.");
    const Shape symbol = record_shape({member("name", text_shape(), "Name of the symbol."),
                                       member("integer", flag_shape(), "Whether it takes integers alone."),
                                       optional("lower", number_shape(), "Lower bound."),
                                       optional("product", tuple_shape({index_shape(), index_shape()}),
                                                "The two symbols whose product this one is.")});
    const Shape space = record_shape({member("symbols", list_shape(symbol), "Its variables."),
                                      member("premises", list_shape(constraint), "What is assumed of them.")});
    return list_shape(
        named(record_shape({member("question", text_shape(), "Name of the question."),
                            member("space", space, "The points that the question is about."),
                            member("root", side, "The first side."),
                            member("nodes", list_shape(node), "In the order of a walk that takes `yes` first.")}),
              "proof"));
}

Shape lemmas_shape() {
    return named(list_shape(list_shape(tuple_shape({number_shape(), list_shape(index_shape())}))), "lemmas",
                 "Per lemma its identity: coefficient and positions of the hypotheses multiplied.");
}

}  // namespace schedproof::certify
