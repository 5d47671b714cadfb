/// A certificate of any kind and family, as the certifier and the reports see it.
///
/// A family keeps its certificates as values of its own (theorems/theorem.hpp) and gives each the interface
/// `Certifiable` by a function `certifiable(certificate)` in its namespace. What files may hold is listed in
/// certificate_kinds.cpp.
#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "proofs/certificate/explored_proof.hpp"

namespace schedproof::base {
class Cursor;
}  // namespace schedproof::base

namespace schedproof::certify {

/// What a certificate consists of.
struct Contents {
    std::uint64_t questions = 0;
    std::uint64_t leaves = 0;
    std::uint64_t closed = 0;       ///< sides shown to be empty
    std::uint64_t multipliers = 0;  ///< of closed sides, obligations and identities; or dual variables
};
[[nodiscard]] Contents contents_of(const std::vector<proof::ExploredProof>& proofs);

/// Bytes that a certificate needs and its file does not hold: a file beside it, named by their digest.
struct Attachment {
    std::string name;
    std::string bytes;
};

class Certifiable {
  public:
    virtual ~Certifiable() = default;

    /// What the member `theorem` of a file says.
    [[nodiscard]] virtual std::string_view kind() const = 0;
    /// The family of the policy.
    [[nodiscard]] virtual std::string_view family() const = 0;
    /// The id of the policy; empty for a theorem about every policy.
    [[nodiscard]] virtual const std::string& policy() const = 0;
    /// What the registered policy of this id is: its rules, or its parameters in this theorem.
    /// Empty without a policy. Throws InputError when no policy has the id.
    [[nodiscard]] virtual std::string definition() const = 0;
    /// The name of the instance, or what the theorem ranges over instead.
    [[nodiscard]] virtual std::string instance_name() const = 0;
    /// One per question; none where there is nothing to explore.
    [[nodiscard]] virtual const std::vector<proof::ExploredProof>& proofs() const = 0;

    /// The theorem in words.
    [[nodiscard]] virtual std::string sentence() const = 0;
    /// Empty when the certificate proves its theorem of the registered policy, otherwise the first reason to reject
    /// it. Asks no solver.
    [[nodiscard]] virtual std::string rejection() const = 0;
    /// Empty unless the data of the file could be written otherwise and say the same.
    [[nodiscard]] virtual std::string spelling_rejection() const { return ""; }
    /// Throws LimitExceeded when the questions would be too large to be built.
    virtual void require_checkable() const {}

    /// The member `statement`: the data of the theorem.
    [[nodiscard]] virtual std::string statement_json() const = 0;
    /// The files beside the certificate's.
    [[nodiscard]] virtual std::vector<Attachment> attachments() const { return {}; }
    /// The member `instance` with what separates it from its key; empty for a certificate without an instance.
    [[nodiscard]] virtual std::string instance_json() const { return ""; }
    /// The member `instance-digest`, and what it is the digest of. Requires an instance.
    [[nodiscard]] virtual std::string digest() const { return ""; }
    [[nodiscard]] virtual std::string_view digest_of() const { return "the instance"; }

    /// The instance alone as a JSON text, one for equal instances; empty for a certificate without an instance.
    [[nodiscard]] virtual std::string held_instance() const { return ""; }
    /// The same text of an instance that is given for comparison. Requires a certificate that holds an instance.
    /// Throws InputError when the document is no instance of the certificate's family.
    [[nodiscard]] virtual std::string as_held(const base::Cursor& given) const;

    /// Throws InputError when a name of the instance or of a function could not stand in the sentence of a file
    /// (base::is_plain_name), so that no reader would take it.
    virtual void require_plain_names() const {}

    [[nodiscard]] virtual Contents contents() const { return contents_of(proofs()); }
    /// What was checked, in words: "96 questions of the code of ...".
    [[nodiscard]] virtual std::string checked() const;
};

namespace detail {
// Outside the class, whose members would hide the functions of the family.
template <class C>
std::string sentence_by_family(const C& certificate) {
    return sentence(certificate);
}
template <class C>
std::string rejection_by_family(const C& certificate) {
    return rejection(certificate);
}
}  // namespace detail

/// Throws InputError at the key unless the name is plain.
void require_plain(const std::string& key, std::string_view name);

/// The part of the interface that follows from a family's own `sentence` and `rejection`.
template <class C>
class CertifiableOf : public Certifiable {
  public:
    explicit CertifiableOf(C certificate) : certificate_(std::move(certificate)) {}
    [[nodiscard]] const C& certificate() const { return certificate_; }

    [[nodiscard]] const std::string& policy() const override { return certificate_.policy; }
    [[nodiscard]] const std::vector<proof::ExploredProof>& proofs() const override { return certificate_.proofs; }
    [[nodiscard]] std::string sentence() const override { return detail::sentence_by_family(certificate_); }
    [[nodiscard]] std::string rejection() const override { return detail::rejection_by_family(certificate_); }

  private:
    C certificate_;
};

}  // namespace schedproof::certify

namespace schedproof {

/// A value that holds a certificate of any kind.
class AnyCertificate {
  public:
    /// From a certificate of a family.
    template <class C>
    requires requires(C c) {
        { certifiable(std::move(c)) } -> std::same_as<std::shared_ptr<const certify::Certifiable>>;
    }
    AnyCertificate(C certificate)  // NOLINT(google-explicit-constructor)
        : certifiable_(certifiable(std::move(certificate))) {}

    [[nodiscard]] const certify::Certifiable& operator*() const { return *certifiable_; }
    [[nodiscard]] const certify::Certifiable* operator->() const { return certifiable_.get(); }

    /// The family's own value; null when the certificate is of another type.
    template <class C>
    [[nodiscard]] const C* as() const {
        const auto* own = dynamic_cast<const certify::CertifiableOf<C>*>(certifiable_.get());
        return own == nullptr ? nullptr : &own->certificate();
    }

  private:
    std::shared_ptr<const certify::Certifiable> certifiable_;
};

}  // namespace schedproof
