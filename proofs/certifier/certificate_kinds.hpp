/// The registry of what a certificate file can hold.
///
/// A family that can certify something lists its kinds in a function `certificate_kinds` of its own; the registry joins
/// these lists (certificate_kinds.cpp), so a new family adds one line there, and a new kind of theorem one line in its
/// family. A file says its kind in the member `theorem`.
#pragma once

#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "proofs/certifier/any_certificate.hpp"
#include "proofs/certifier/shapes.hpp"
#include "proofs/certifier/strict_cursor.hpp"

namespace schedproof::certify {

struct CertificateKind {
    std::string_view name;  ///< what the member `theorem` says
    Shape statement;        ///< the member `statement`
    /// The member `instance`; without one the file has no `instance-digest` either.
    std::optional<Shape> instance;
    /// Reads a document that has the shape of its kind. Throws InputError with the place when their values
    /// have not the form that they are written in.
    std::function<AnyCertificate(const StrictCursor& root)> read;
    bool names_policy = true;  ///< whether the file has the members `policy` and `definition`
};

/// All kinds, by family.
[[nodiscard]] const std::vector<CertificateKind>& certificate_kinds();

}  // namespace schedproof::certify
