/// Certificates altered in every place, one at a time.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <nlohmann/json.hpp>
#include <string>

#include "model/base/output_file.hpp"
#include "model/core/errors.hpp"
#include "proofs/certifier/certificate_codec.hpp"
#include "proofs/certifier/certify.hpp"
#include "tests/support/temporary_directory.hpp"

namespace schedproof::certify {

using nlohmann::ordered_json;
using Pointer = ordered_json::json_pointer;

/// What `certify` says of the text of a file: empty when it accepts.
inline std::string refusal(const std::string& text, const std::string& file = "t") {
    try {
        const Finding finding = check_text(text, file, nullptr);
        return finding.accepted() ? "" : "rejected: " + finding.rejection;
    } catch (const InputError& error) {
        return std::string("refused: ") + error.what();
    } catch (const LimitExceeded& error) {
        return std::string("limit: ") + error.what();
    }
}

/// The documents that differ from this one in one place. Borrows `document`.
class Alterations {
  public:
    /// Takes each `stride`-th alteration; `visit` is told how it differs.
    Alterations(const ordered_json& document, std::size_t stride,
                std::function<void(const ordered_json&, const std::string&)> visit)
        : document_(document), stride_(stride), visit_(std::move(visit)) {}
    void visit_all() { at(Pointer()); }

  private:
    void at(const Pointer& place) {
        const ordered_json& value = document_[place];
        if (value.is_object())
            object(place, value);
        else if (value.is_array())
            array(place, value);
        else
            scalar(place, value);
    }
    void object(const Pointer& place, const ordered_json& value) {
        give(place, "member added", [](ordered_json& here) { here["unknown"] = "1"; });
        for (const auto& [key, inner] : value.items()) {
            give(place / key, "member removed", nullptr, [key = key](ordered_json& above) { above.erase(key); });
            give(place / key, "member renamed", nullptr, [key = key](ordered_json& above) {
                const ordered_json moved = above[key];
                above.erase(key);
                above[key + "x"] = moved;
            });
            at(place / key);
        }
    }
    void array(const Pointer& place, const ordered_json& value) {
        give(place, "emptied", [](ordered_json& here) { here = ordered_json::array(); });
        for (std::size_t i = 0; i < value.size(); ++i) {
            give(place / i, "removed", nullptr, [i](ordered_json& above) { above.erase(i); });
            give(place / i, "twice", nullptr,
                 [i](ordered_json& above) { above.insert(above.begin() + static_cast<std::ptrdiff_t>(i), above[i]); });
            if (i > 0)
                give(place / i, "swapped", nullptr, [i](ordered_json& above) { std::swap(above[i - 1], above[i]); });
            at(place / i);
        }
    }
    void scalar(const Pointer& place, const ordered_json& value) {
        give(place, "null", [](ordered_json& here) { here = nullptr; });
        if (value.is_boolean()) give(place, "flipped", [](ordered_json& here) { here = !here.get<bool>(); });
        if (value.is_number_integer()) {
            give(place, "+1", [](ordered_json& here) { here = here.get<int>() + 1; });
            give(place, "-1", [](ordered_json& here) { here = here.get<int>() - 1; });
            give(place, "as text", [](ordered_json& here) { here = std::to_string(here.get<int>()); });
            give(place, "as float", [](ordered_json& here) { here = here.get<double>() + 0.0; });
        }
        if (!value.is_string()) return;
        const auto text = value.get<std::string>();
        give(place, "longer", [](ordered_json& here) { here = here.get<std::string>() + "x"; });
        give(place, "empty", [](ordered_json& here) { here = ""; });
        if (const auto number = Rational::parse(text)) {
            for (const Rational& other : {*number + Rational(1), *number - Rational(1), -*number, *number * Rational(2),
                                          *number / Rational(2), Rational()})
                give(place, "a number " + other.to_string(), [&](ordered_json& here) { here = other.to_string(); });
            give(place, "spelt otherwise", [&](ordered_json& here) { here = "+" + text; });
            give(place, "not in lowest terms", [&](ordered_json& here) {
                here = (number->numerator() * 2).str() + "/" + (number->denominator() * 2).str();
            });
            if (number->is_integer() && text.size() < 18)
                give(place, "as an integer", [&](ordered_json& here) { here = std::stoll(text); });
        }
    }
    void give(const Pointer& place, const std::string& how, const std::function<void(ordered_json&)>& here,
              const std::function<void(ordered_json&)>& above = nullptr) {
        if (seen_++ % stride_ != 0) return;
        ordered_json altered = document_;
        if (here) here(altered[place]);
        if (above) above(altered[place.parent_pointer()]);
        if (altered != document_) visit_(altered, place.to_string() + ": " + how);
    }

    const ordered_json& document_;
    std::size_t stride_;
    std::size_t seen_ = 0;
    std::function<void(const ordered_json&, const std::string&)> visit_;
};

/// Every `stride`-th alteration, of which there should be so many.
inline void expect_every_alteration_rejected(const AnyCertificate& certificate, std::size_t stride,
                                             std::size_t at_least) {
    const testing_support::TemporaryDirectory folder;
    const std::string file = (folder.path() / "t").string();
    for (const Attachment& beside : certificate->attachments())
        base::write_file((folder.path() / beside.name).string(), beside.bytes);
    const std::string text = write_certificate(certificate);
    ASSERT_EQ(refusal(text, file), "");
    std::size_t tried = 0;
    const ordered_json document = ordered_json::parse(text);
    Alterations(document, stride, [&](const ordered_json& altered, const std::string& how) {
        ++tried;
        EXPECT_NE(refusal(altered.dump(), file), "") << "accepted: " << how;
    }).visit_all();
    EXPECT_GE(tried, at_least);
}

}  // namespace schedproof::certify
