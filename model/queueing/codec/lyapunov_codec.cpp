/// The `lyapunov` entries of an instance file.
#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "model/base/nearest.hpp"
#include "model/queueing/codec/codec.hpp"
#include "model/queueing/codec/decode.hpp"

namespace schedproof::queueing::codec {

namespace {

/// What the names of a condition may be.
struct Names {
    const std::vector<Server>& servers;
    Index server_index;
    const std::vector<LevelInfo>& levels;
};

constexpr std::string_view form_shape = "a linear form: a table of queues with coefficients, {s0 = \"5/4\", s1 = 1}";

/// One form; the key `constant` is its constant, every other key a queue.
LyapunovText::Form decode_form(const Cursor& at) {
    LyapunovText::Form form;
    for (const Field& field : at.table(form_shape)) {
        const Cursor entry = at.entry(field);
        if (field.key.empty() || field.key.size() > max_queue_name_bytes)
            entry.fail(fmt::format("expected the name of a queue, of at most {} bytes", max_queue_name_bytes));
        if (field.key == "constant")
            form.constant = entry.number();
        else if (const Rational coefficient = entry.number(); coefficient.sign() != 0)
            form.terms.push_back({field.key, coefficient});
    }
    // TOML tables come by key, JSON in file order; a function is the same in both.
    std::sort(form.terms.begin(), form.terms.end(), [](const auto& a, const auto& b) { return a.queue < b.queue; });
    return form;
}

Rational coefficient_of(const Cursor& at) {
    const auto found = at.find("coefficient");
    return found ? found->number() : Rational(1);
}

LyapunovText::Product decode_product(const Cursor& at) {
    at.expect_table("a product: a table with first and second, and perhaps coefficient");
    at.allow_only({"coefficient", "first", "second"});
    LyapunovText::Product product{coefficient_of(at), decode_form(at.require("first", form_shape)), {}};
    product.second = decode_form(at.require("second", form_shape));
    return product;
}

LyapunovText::Condition decode_condition(const Cursor& at, const Names& names) {
    at.expect_table("a condition: a table with server, and perhaps queue and level");
    at.allow_only({"server", "queue", "level"});
    const Cursor server = at.require("server", "the name of a server");
    LyapunovText::Condition condition{
        names.servers[known_name(server, names.server_index, names.servers)].name, {}, {}};
    if (const auto queue = at.find("queue")) condition.queue = queue->name(max_queue_name_bytes);
    if (const auto level = at.find("level")) {
        condition.level = level->name();
        std::vector<std::string_view> known;
        for (const auto& info : names.levels) known.emplace_back(info.name);
        if (std::find(known.begin(), known.end(), *condition.level) == known.end())
            level->fail("expected a known level, not " + shown(*condition.level) +
                        did_you_mean(*condition.level, known));
    }
    return condition;
}

LyapunovText::Piece decode_piece(const Cursor& at, const Names& names) {
    at.expect_table("a piece: a table with largest-of, and perhaps coefficient and when");
    at.allow_only({"coefficient", "largest-of", "when"});
    LyapunovText::Piece piece{coefficient_of(at), {}, {}};
    const Cursor forms = at.require("largest-of", "a list of linear forms");
    const std::size_t size = forms.array("a list of linear forms").size();
    if (size == 0) forms.fail("expected at least one form");
    for (std::size_t k = 0; k < size; ++k) piece.largest_of.push_back(decode_form(forms.item(k)));
    if (const auto when = at.find("when")) piece.when = decode_condition(*when, names);
    return piece;
}

template <class Decode>
void decode_list(const Cursor& table, std::string_view key, Decode&& decode) {
    const auto list = table.find(key);
    if (!list) return;
    const std::size_t size = list->array(fmt::format("a list of {}", key)).size();
    if (size > max_lyapunov_parts) list->fail(fmt::format("expected at most {} {}", max_lyapunov_parts, key));
    for (std::size_t i = 0; i < size; ++i) decode(list->item(i));
}

}  // namespace

std::vector<LyapunovText> decode_lyapunov(const Cursor& at, const InstanceData& data) {
    const Names names{data.servers, index_names(data.servers), data.levels};
    std::vector<LyapunovText> all;
    const std::size_t size = at.array("a list of functions, each with name, and products or pieces").size();
    if (size > max_lyapunov_functions) at.fail(fmt::format("expected at most {} functions", max_lyapunov_functions));
    for (std::size_t i = 0; i < size; ++i) {
        const Cursor item = at.item(i);
        item.expect_table("a function: a table with name, and products or pieces");
        item.allow_only({"name", "products", "pieces"});
        LyapunovText v;
        v.name = item.require("name", "the name of the function").name();
        decode_list(item, "products", [&](const Cursor& product) { v.products.push_back(decode_product(product)); });
        decode_list(item, "pieces", [&](const Cursor& piece) { v.pieces.push_back(decode_piece(piece, names)); });
        if (v.products.empty() && v.pieces.empty()) item.fail("expected products or pieces: the function is empty");
        all.push_back(std::move(v));
    }
    require_unique_names(at, all);
    return all;
}

}  // namespace schedproof::queueing::codec
