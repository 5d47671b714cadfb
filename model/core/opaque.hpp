/// What a policy is shown in place of an id.
///
/// A policy that could read the number of a server, a node or a job would depend on names, and no statement about it
/// would outlive a renaming. So it is handed opaque values: it compares two of them for equality and hands them back.
/// `Disclosed` is for the environment that made them; policies have no business with it.
#pragma once

namespace schedproof {

template <class IdType>
class Opaque {
  public:
    friend constexpr bool operator==(const Opaque&, const Opaque&) = default;

  private:
    friend struct Disclosed;
    constexpr explicit Opaque(IdType id) : id_(id) {}
    IdType id_;
};

struct Disclosed {
    template <class IdType>
    [[nodiscard]] static constexpr Opaque<IdType> of(IdType id) {
        return Opaque<IdType>(id);
    }
    template <class IdType>
    [[nodiscard]] static constexpr IdType id(Opaque<IdType> opaque) {
        return opaque.id_;
    }
};

}  // namespace schedproof
