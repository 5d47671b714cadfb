/// Lyapunov functions in instance files: what is read, and every way in which an entry can be wrong.
#include <gtest/gtest.h>

#include <string>

#include "model/core/errors.hpp"
#include "model/queueing/codec/codec.hpp"

namespace schedproof::input::lyapunov_functions {
namespace {

const std::string head =
    "family = 'queueing'\nname = 'x'\n"
    "levels = [{name = 'local', rate = '4/5'}, {name = 'remote', rate = '1/5'}]\nservers = 2\n"
    "types = [{name = 'A', replicas = ['s0']}, {name = 'B', replicas = ['s1']}]\n"
    "arrivals = {kind = 'bernoulli', each = '1/2'}\n";

/// Expects an error at the key `place` whose message holds the words.
void expect_error(const std::string& entries, const std::string& place, const std::string& words) {
    SCOPED_TRACE(entries);
    try {
        static_cast<void>(queueing::parse_instance(head + entries, base::Format::toml, "f"));
        FAIL() << "no error";
    } catch (const InputError& error) {
        EXPECT_EQ(error.place().key, place) << error.what();
        EXPECT_NE(error.expected().find(words), std::string::npos) << error.expected();
    }
}

TEST(InputLyapunov, ReadsProductsAndPieces) {
    const queueing::Instance instance = queueing::parse_instance(
        head +
            "[[lyapunov]]\nname = 'v'\nproducts = [{first = {s0 = '5/4', common = 2}, second = {s1 = 1}}]\n"
            "pieces = [{coefficient = '-1/2', largest-of = [{s0 = 1, constant = 3}, {}], "
            "when = {server = 's0', queue = 'common', level = 'remote'}}]\n",
        base::Format::toml, "f");
    ASSERT_EQ(instance.data().lyapunov.size(), 1U);
    const queueing::LyapunovText& v = instance.data().lyapunov[0];
    EXPECT_EQ(v.name, "v");
    ASSERT_EQ(v.products.size(), 1U);
    EXPECT_EQ(v.products[0].coefficient, Rational(1));
    const queueing::LyapunovText::Form first{{{"common", 2}, {"s0", Rational(5) / Rational(4)}}, 0};
    EXPECT_EQ(v.products[0].first, first);
    ASSERT_EQ(v.pieces.size(), 1U);
    EXPECT_EQ(v.pieces[0].coefficient, -Rational(1) / Rational(2));
    const std::vector<queueing::LyapunovText::Form> forms{{{{"s0", 1}}, 3}, {}};
    EXPECT_EQ(v.pieces[0].largest_of, forms);
    EXPECT_EQ(v.pieces[0].when, (queueing::LyapunovText::Condition{"s0", "common", "remote"}));
}

TEST(InputLyapunov, ComplainsAtTheRightPlace) {
    const std::string v = "[[lyapunov]]\nname = 'v'\n", square = "products = [{first = {s0 = 1}, second = {s0 = 1}}]\n";
    expect_error("lyapunov = 3", "lyapunov", "a list of functions");
    expect_error("lyapunov = [3]", "lyapunov[0]", "a table with name");
    expect_error("[[lyapunov]]\n" + square, "lyapunov[0]", "expected the key 'name'");
    expect_error("[[lyapunov]]\nname = ''\n" + square, "lyapunov[0].name", "not empty");
    expect_error(v, "lyapunov[0]", "the function is empty");
    expect_error(v + "products = []\n", "lyapunov[0]", "the function is empty");
    expect_error(v + square + v + square, "lyapunov[1]", "'v' stands twice");
    expect_error(v + "product = []\n", "lyapunov[0].product", "did you mean 'products'?");
    expect_error(v + "products = [{first = {s0 = 1}}]", "lyapunov[0].products[0]", "expected the key 'second'");
    expect_error(v + "products = [{first = {s0 = 0.5}, second = {}}]", "lyapunov[0].products[0].first.s0",
                 "0.5 is a float, which is not exact");
    expect_error(v + "products = [{first = {s0 = '1/0'}, second = {}}]", "lyapunov[0].products[0].first.s0",
                 "denominator zero");
    expect_error(v + "products = [{first = 's0', second = {}}]", "lyapunov[0].products[0].first", "a linear form");
    expect_error(v + "products = [{first = {}, second = {}, third = {}}]", "lyapunov[0].products[0].third",
                 "known here: coefficient, first, second");
    expect_error(v + "pieces = [{largest-of = []}]", "lyapunov[0].pieces[0].largest-of", "at least one form");
    expect_error(v + "pieces = [{largest_of = [{}]}]", "lyapunov[0].pieces[0].largest_of",
                 "did you mean 'largest-of'?");
    expect_error(v + "pieces = [{largest-of = [{}], when = {queue = 's0'}}]", "lyapunov[0].pieces[0].when",
                 "expected the key 'server'");
    expect_error(v + "pieces = [{largest-of = [{}], when = {server = 's7'}}]", "lyapunov[0].pieces[0].when.server",
                 "did you mean 's0'?");
    expect_error(v + "pieces = [{largest-of = [{}], when = {server = 's0', level = 'lokal'}}]",
                 "lyapunov[0].pieces[0].when.level", "did you mean 'local'?");
}

}  // namespace
}  // namespace schedproof::input::lyapunov_functions
