/// Asking code that this program was not compiled with.
#pragma once

#include <exception>
#include <new>
#include <string>
#include <string_view>

#include "model/core/errors.hpp"

namespace schedproof {

/// What the code answers. Where it throws what is no error of this library, `refuse` is given the words for that, and
/// is to throw. Memory that ended is no answer of the code, and is thrown on.
template <class Ask, class Refuse>
[[nodiscard]] auto answer_or(const Ask& ask, const Refuse& refuse) {
    try {
        return ask();
    } catch (const Error&) {
        throw;
    } catch (const std::bad_alloc&) {
        throw;
    } catch (const std::exception& thrown) {
        refuse(std::string("throws an exception: ") + thrown.what());
        throw;
    } catch (...) {
        refuse(std::string("throws"));
        throw;
    }
}

/// What the code of the policy of this id answers. Throws OracleConflict, as whoever refuses a policy does, when it
/// breaks a contract, or throws what is no error of this library.
template <class Ask>
[[nodiscard]] auto answer_of(std::string_view id, const Ask& ask) {
    try {
        return answer_or(ask, [id](const std::string& what) { throw OracleConflict(std::string(id) + " " + what); });
    } catch (const ContractViolation& broken) {
        throw OracleConflict(std::string(id) + " breaks a contract: " + broken.what());
    }
}

}  // namespace schedproof
