/// Asking code that this program was not compiled with.
#pragma once

#include <exception>
#include <new>
#include <string>
#include <string_view>

#include "model/core/errors.hpp"

namespace schedproof {

/// What the code of the policy of this id answers. Throws OracleConflict, as whoever refuses a policy does, when it
/// breaks a contract, or throws what is no error of this library.
template <class Ask>
[[nodiscard]] auto answer_of(std::string_view id, const Ask& ask) {
    try {
        return ask();
    } catch (const ContractViolation& broken) {
        throw OracleConflict(std::string(id) + " breaks a contract: " + broken.what());
    } catch (const Error&) {
        throw;
    } catch (const std::bad_alloc&) {
        throw;
    } catch (const std::exception& thrown) {
        throw OracleConflict(std::string(id) + " throws an exception: " + thrown.what());
    } catch (...) {
        throw OracleConflict(std::string(id) + " throws");
    }
}

}  // namespace schedproof
